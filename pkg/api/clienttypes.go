package api

import (
	_ "embed"
	"fmt"
	"slices"

	"convene/pkg/api/typescript"
)

// furtherTypes are those that the document does not describe: of the element, and of the protocols of other makers.
//
//go:embed client.d.ts
var furtherTypes []byte

// clientTypes are the types of all that clients send and receive, made of the document.
func clientTypes(document []byte) ([]byte, error) {
	described, err := typescript.Declarations(document)
	if err != nil {
		return nil, fmt.Errorf("types of the API: %w", err)
	}
	return slices.Concat(described, furtherTypes), nil
}
