package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/sse"
)

// fragmentLength is the most characters that one delta carries.
const fragmentLength = 12

// stream writes the answer as chunks: the role, the call's name, its arguments piece by piece, the finish reason, the
// usage where it was asked for, and the end mark. It stops without an end mark where the client left.
func (m *Model) stream(ctx context.Context, w http.ResponseWriter, reply reply) {
	w.Header().Set("Content-Type", sse.ContentType)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := &chunkWriter{w: w, control: http.NewResponseController(w), reply: reply, pace: m.options.TokensPerSecond}
	out.answer(ctx)
}

// chunkWriter writes the chunks of one stream. After the first error it writes nothing more.
type chunkWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	reply   reply
	pace    float64
	err     error
	// before and after are what stands around the text of every piece; whole is where they are put together.
	before, after, whole []byte
}

// answer writes all chunks, as far as the client reads them and no fault ends them.
func (c *chunkWriter) answer(ctx context.Context) {
	if c.reply.silent {
		c.finish("stop")
		return
	}
	c.open()
	text := c.reply.write.arguments
	if c.reply.write.function == "" {
		text = c.reply.write.text + c.reply.write.refusal
	}
	if c.reply.cut {
		text = text[:boundary(text, len(text)/2)]
	}
	for piece := range fragments(text) {
		if !c.piece(ctx, piece) {
			return
		}
	}
	switch {
	case c.reply.cut:
	case c.reply.write.function != "":
		c.finish("tool_calls")
	default:
		c.finish("stop")
	}
}

// open writes the role and, for a call, its id and name. The pieces are all alike but for their text, so the rest of
// them is made here.
func (c *chunkWriter) open() {
	first, empty := answer{Role: "assistant"}, answer{}
	switch {
	case c.reply.write.function != "":
		empty.ToolCalls = []toolCall{{Index: new(int)}}
	case c.reply.write.refusal != "":
		first.Content, empty.Refusal = new(string), new(string)
	default:
		first.Content, empty.Content = new(string), new(string)
	}
	c.delta(first)
	if c.reply.write.function != "" {
		call := toolCall{Index: new(int), ID: c.reply.callID(), Type: "function"}
		call.Function.Name = c.reply.write.function
		c.delta(answer{ToolCalls: []toolCall{call}})
	}
	const text = `""`
	frame := c.event([]choice{{Delta: &empty}}, nil)
	at := max(0, bytes.LastIndex(frame, []byte(text)))
	c.before, c.after = frame[:at], frame[at+len(text):]
}

// piece writes one fragment after its share of the pace, and reports whether anyone is still reading.
func (c *chunkWriter) piece(ctx context.Context, s string) bool {
	if c.pace > 0 {
		if !pause(ctx, time.Duration(float64(tokens([]byte(s)))/c.pace*float64(time.Second))) {
			return false
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		c.err = err
	}
	c.whole = append(append(append(c.whole[:0], c.before...), text...), c.after...)
	c.write(c.whole)
	return c.err == nil
}

// delta writes a chunk with nothing but a delta.
func (c *chunkWriter) delta(d answer) { c.write(c.event([]choice{{Delta: &d}}, nil)) }

// finish writes the finish reason, the usage where it was asked for, and the end mark.
func (c *chunkWriter) finish(reason string) {
	if !c.reply.silent {
		c.write(c.event([]choice{{Delta: &answer{}, FinishReason: &reason}}, nil))
	}
	if c.reply.wantsUsage {
		c.write(c.event([]choice{}, c.reply.usage()))
	}
	c.write(sse.AppendEvent(nil, sse.Event{Data: []byte("[DONE]")}))
}

// event is a chunk as an event of the stream.
func (c *chunkWriter) event(choices []choice, u *usage) []byte {
	data, err := json.Marshal(completion{
		ID: c.reply.id, Object: "chat.completion.chunk", Created: c.reply.created, Model: c.reply.model,
		Choices: choices, Usage: u,
	})
	if err != nil {
		c.err = err
	}
	return sse.AppendEvent(nil, sse.Event{Data: data})
}

// write sends an event. One that has a pace is pushed out at once; otherwise the next one is there already.
func (c *chunkWriter) write(event []byte) {
	if c.err != nil {
		return
	}
	if _, c.err = c.w.Write(event); c.err == nil && c.pace > 0 {
		c.err = c.control.Flush()
	}
}

// fragments are the pieces of s in order: a word with what follows it, or a few characters where words are long. Put
// together they are s, and no character is ever split.
func fragments(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for s != "" {
			n := fragmentEnd(s)
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

func fragmentEnd(s string) int {
	count := 0
	for i, r := range s {
		if count == fragmentLength || (count > 3 && unicode.IsSpace(r)) {
			return i
		}
		count++
	}
	return len(s)
}

// boundary is the last start of a character in s at or before byte n.
func boundary(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
