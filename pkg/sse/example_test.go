package sse_test

import (
	"bytes"
	"fmt"

	"convene/pkg/sse"
)

// What one side appends, the other reads, event by event. Lines that begin with a colon are no events.
func Example() {
	stream := sse.AppendEvent(nil, sse.Event{ID: "1", Data: []byte(`{"type":"acknowledgment"}`)})
	stream = append(stream, sse.Heartbeat...)
	stream = sse.AppendEvent(stream, sse.Event{ID: "2", Type: "end", Data: []byte("two\nlines")})

	decoder := sse.NewDecoder(bytes.NewReader(stream))
	for {
		event, err := decoder.Next()
		if err != nil {
			break
		}
		fmt.Printf("%s %q %q\n", event.ID, event.Type, event.Data)
	}
	// Output:
	// 1 "" "{\"type\":\"acknowledgment\"}"
	// 2 "end" "two\nlines"
}
