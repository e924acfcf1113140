// Package sse writes and reads text/event-stream, the format of Server-Sent Events, as the WHATWG HTML standard defines
// it (section 9.2). The server, the clients, the replay tool and the model's client share it, so that each can read
// what another writes.
package sse

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ContentType is the media type of a stream.
const ContentType = "text/event-stream"

// Heartbeat keeps a silent connection open. It is a comment that ends in one newline and no empty line: a block
// without data reaches some clients as an empty message.
const Heartbeat = ": \n"

// Event is one message of a stream.
type Event struct {
	// ID is where a client resumes. Read from a stream, it is the stream's latest id, even if this event has none.
	ID string
	// Type is empty for a plain message, which a browser's onmessage receives.
	Type string
	// Data may have several lines.
	Data []byte
	// Retry is how long a client waits before it reconnects, in whole milliseconds; 0 leaves it to the client.
	Retry time.Duration
}

// ValidID reports whether id can be sent and comes back unchanged: UTF-8 without control characters. A line break in an
// id could inject events.
func ValidID(id string) bool {
	return utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl)
}

// AppendEvent appends the block of e to dst. The data comes before the id, so that a client that is cut off between the
// two asks for the event again; retry, which belongs to the connection, comes first, so that the rest of the block is
// the same for every reader. An id or type that ValidID refuses is left out. Line breaks of every kind in the data are
// read back as "\n".
func AppendEvent(dst []byte, e Event) []byte {
	if ms := e.Retry.Milliseconds(); ms > 0 {
		dst = append(dst, "retry: "...)
		dst = strconv.AppendInt(dst, ms, 10)
		dst = append(dst, '\n')
	}
	dst = appendField(dst, "event", e.Type)
	dst = appendData(dst, e.Data)
	dst = appendField(dst, "id", e.ID)
	return append(dst, '\n')
}

func appendField(dst []byte, name, value string) []byte {
	if value == "" || !ValidID(value) {
		return dst
	}
	dst = append(dst, name...)
	dst = append(dst, ": "...)
	dst = append(dst, value...)
	return append(dst, '\n')
}

// appendData writes at least one line: an event without a data field is never delivered.
func appendData(dst, data []byte) []byte {
	for {
		end := lineEnd(data)
		if end < 0 {
			return appendDataLine(dst, data)
		}
		dst = appendDataLine(dst, data[:end])
		if data[end] == '\r' && end+1 < len(data) && data[end+1] == '\n' {
			end++
		}
		data = data[end+1:]
	}
}

// lineEnd returns the end of the first line of b; -1 if no line ends. Two searches for one byte are faster than one for
// either.
func lineEnd(b []byte) int {
	end := bytes.IndexByte(b, '\n')
	if end >= 0 {
		b = b[:end]
	}
	if early := bytes.IndexByte(b, '\r'); early >= 0 {
		return early
	}
	return end
}

func appendDataLine(dst, line []byte) []byte {
	dst = append(dst, "data: "...)
	dst = append(dst, line...)
	return append(dst, '\n')
}
