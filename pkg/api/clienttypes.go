package api

import (
	_ "embed"
	"fmt"
	"slices"

	"convene/pkg/api/typescript"
)

// furtherTypes are the types that the document does not describe: those of the element and of other protocols.
//
//go:embed client.d.ts
var furtherTypes []byte

// clientTypes declares in TypeScript all that clients send and receive.
func clientTypes(document []byte) []byte {
	described, err := typescript.Declarations(document)
	if err != nil {
		panic(fmt.Errorf("types of the API: %w", err))
	}
	return slices.Concat(described, furtherTypes)
}
