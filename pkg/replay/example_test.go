package replay_test

import (
	"fmt"
	"strings"

	"convene/pkg/replay"
)

// A recording is a turn as it was streamed, with its times.
func ExampleRead() {
	recording, err := replay.Read("lunch.1", strings.NewReader(
		`{"request":{"method":"POST","path":"/v1/turns","body":{"message":"lunch with Al","organizer":"mia"}}}
{"response":{"status":200,"headers":{"Content-Type":"text/event-stream"}}}
{"ms":1.5,"bytes":"data: {\"type\":\"acknowledgment\"}\nid: 1\n\n"}
{"ms":12.5,"bytes":"data: {\"type\":\"done\"}\nid: 2\n\n"}
`))
	fmt.Println(recording.Request.Path, recording.Response.Status, len(recording.Blocks), err)
	// Output: /v1/turns 200 2 <nil>
}
