package typescript_test

import (
	"bytes"
	"fmt"

	"convene/pkg/api/typescript"
)

// A type for each schema of an OpenAPI document.
func ExampleDeclarations() {
	declarations, err := typescript.Declarations([]byte(`{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {
		"Span": {"type": "object", "required": ["start"], "properties": {
			"start": {"type": "string"}, "end": {"type": "string"}}}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	span, _, _ := bytes.Cut(declarations[bytes.Index(declarations, []byte("export")):], []byte("\n\n"))
	fmt.Printf("%s\n", span)
	// Output:
	// export interface Span {
	//   end?: string;
	//   start: string;
	// }
}
