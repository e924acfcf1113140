package aisdk_test

import (
	"fmt"

	"convene/pkg/protocol/aisdk"
)

// Updates in, chunks of the UI message stream out.
func ExampleEncoder() {
	var encoder aisdk.Encoder
	for _, update := range []string{
		`{"type":"turn","turnId":"t1","conversationId":"c1"}`, `{"type":"message","text":"Tuesday at 3?"}`,
	} {
		chunks, err := encoder.Encode([]byte(update))
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, chunk := range chunks {
			fmt.Printf("%s\n", chunk)
		}
	}
	// Output:
	// {"type":"start","messageId":"t1","messageMetadata":{"turnId":"t1","conversationId":"c1"}}
	// {"type":"text-start","id":"message","providerMetadata":{"convene":{"update":"message"}}}
	// {"type":"text-delta","id":"message","delta":"Tuesday at 3?"}
	// {"type":"text-end","id":"message"}
}
