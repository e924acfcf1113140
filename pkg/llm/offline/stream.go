package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
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
	if reply.silent {
		out.finish("stop")
		return
	}
	out.open()
	text := reply.write.arguments
	if reply.write.function == "" {
		text = reply.write.text + reply.write.refusal
	}
	if reply.cut {
		text = text[:boundary(text, len(text)/2)]
	}
	for piece := range fragments(text) {
		if !out.piece(ctx, piece) {
			return
		}
	}
	if reply.cut {
		return
	}
	if reply.write.function != "" {
		out.finish("tool_calls")
		return
	}
	out.finish("stop")
}

// chunkWriter writes the chunks of one stream. After the first error it writes nothing more.
type chunkWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	reply   reply
	pace    float64
	err     error
	// before and after are what stands around the delta of every chunk.
	before, after []byte
}

// open writes the role and, for a call, its id and name.
func (c *chunkWriter) open() {
	first := answer{Role: "assistant"}
	if c.reply.write.function == "" {
		first.Content = new(string)
		c.delta(first)
		return
	}
	c.delta(first)
	call := toolCall{Index: new(int), ID: c.reply.callID(), Type: "function"}
	call.Function.Name = c.reply.write.function
	c.delta(answer{ToolCalls: []toolCall{call}})
}

// piece writes one fragment after its share of the pace, and reports whether anybody is still reading.
func (c *chunkWriter) piece(ctx context.Context, s string) bool {
	var d answer
	switch {
	case c.reply.write.function != "":
		d.ToolCalls = []toolCall{{Index: new(int), Function: functionCall{Arguments: s}}}
	case c.reply.write.refusal != "":
		d.Refusal = &s
	default:
		d.Content = &s
	}
	if c.pace > 0 {
		if !pause(ctx, time.Duration(float64(tokens([]byte(s)))/c.pace*float64(time.Second))) {
			return false
		}
	}
	c.delta(d)
	return c.err == nil
}

// delta writes a chunk with nothing but a delta. All of them are alike but for that, so the rest is made once.
func (c *chunkWriter) delta(d answer) {
	if c.before == nil {
		const mark = `"delta":`
		frame := c.marshal([]choice{{Delta: &answer{}}}, nil)
		before, after, _ := bytes.Cut(frame, []byte(mark+"{}"))
		c.before, c.after = append(before, mark...), after
	}
	data, err := json.Marshal(d)
	if err != nil {
		c.err = err
		return
	}
	c.line(slices.Concat(c.before, data, c.after))
}

// finish writes the finish reason, the usage where it was asked for, and the end mark.
func (c *chunkWriter) finish(reason string) {
	if !c.reply.silent {
		c.chunk([]choice{{Delta: &answer{}, FinishReason: &reason}}, nil)
	}
	if c.reply.wantsUsage {
		c.chunk([]choice{}, c.reply.usage())
	}
	c.line([]byte("[DONE]"))
}

func (c *chunkWriter) chunk(choices []choice, u *usage) { c.line(c.marshal(choices, u)) }

func (c *chunkWriter) marshal(choices []choice, u *usage) []byte {
	data, err := json.Marshal(completion{
		ID: c.reply.id, Object: "chat.completion.chunk", Created: c.reply.created, Model: c.reply.model,
		Choices: choices, Usage: u,
	})
	if err != nil {
		c.err = err
	}
	return data
}

// line writes one event of the stream. One that has a pace is pushed out at once; otherwise the next one is there already.
func (c *chunkWriter) line(data []byte) {
	if c.err != nil {
		return
	}
	if _, c.err = c.w.Write(sse.AppendEvent(nil, sse.Event{Data: data})); c.err == nil && c.pace > 0 {
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
