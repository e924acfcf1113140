package openai

import (
	"bytes"

	"convene/pkg/jsontext"
	"convene/pkg/llm"
)

// chunk has the relevant parts of one event of the stream. It is reused, and its texts are valid as long as the event's
// data.
type chunk struct {
	choices []choice
	// usage is nil if the chunk has none.
	usage *llm.Usage
	// failure is the error that the service reports; nil if there is none.
	failure []byte

	lexer jsontext.Lexer
	frame frame
}

// choice is one of several answers; only the one with index 0 counts.
type choice struct {
	index   int
	finish  []byte
	content []byte
	refused bool
	calls   []fragment
}

// fragment is a piece of a call. The first one has the call's name, the others only more of its arguments.
type fragment struct {
	index     int
	id        []byte
	name      []byte
	arguments []byte
	// from and to are the position of the arguments in the chunk.
	from, to int
}

// frame is the text around the arguments in the last chunk, if that had nothing else; otherwise it is empty.
type frame struct{ before, after []byte }

// read parses the data of one event. Most chunks of a stream differ only in their piece of the arguments; then only
// that piece is parsed.
func (c *chunk) read(data []byte) error {
	if c.readAlike(data) {
		return nil
	}
	err := c.readWhole(data)
	c.frame.before, c.frame.after = c.frame.before[:0], c.frame.after[:0]
	if f, only := c.onlyArguments(); only && err == nil {
		c.frame.before = append(c.frame.before, data[:f.from]...)
		c.frame.after = append(c.frame.after, data[f.to:]...)
	}
	return err
}

// readAlike reports whether the chunk differs from the last one only in its arguments, and parses them.
func (c *chunk) readAlike(data []byte) bool {
	if len(c.frame.before) == 0 || !bytes.HasPrefix(data, c.frame.before) {
		return false
	}
	l := &c.lexer
	l.Begin(data, len(c.frame.before))
	arguments := l.TextOrNull()
	if l.Err != nil || !bytes.Equal(data[l.At:], c.frame.after) {
		return false
	}
	c.choices[0].calls[0].arguments = arguments
	return true
}

// onlyArguments returns the fragment of a chunk that has only more of a call's arguments.
func (c *chunk) onlyArguments() (f fragment, only bool) {
	if len(c.choices) != 1 || len(c.choices[0].calls) != 1 || c.usage != nil || c.failure != nil {
		return fragment{}, false
	}
	choice := c.choices[0]
	f = choice.calls[0]
	return f, f.to > 0 && len(f.id)+len(f.name)+len(choice.finish)+len(choice.content) == 0
}

func (c *chunk) readWhole(data []byte) error {
	l := &c.lexer
	l.Begin(data, 0)
	c.choices, c.usage, c.failure = c.choices[:0], nil, nil
	if l.Next() != '{' {
		return jsontext.ErrSyntax
	}
	l.Object(func(key []byte) {
		switch string(key) {
		case "choices":
			l.Array(c.readChoice)
		case "usage":
			c.readUsage()
		case "error":
			if !l.Null() {
				c.failure = l.Raw()
			}
		default:
			l.Skip()
		}
	})
	return l.End()
}

func (c *chunk) readChoice() {
	l := &c.lexer
	var read choice
	if n := len(c.choices); n < cap(c.choices) {
		read.calls = c.choices[:n+1][n].calls[:0]
	}
	l.Object(func(key []byte) {
		switch string(key) {
		case "index":
			read.index = l.Integer()
		case "finish_reason":
			read.finish = l.TextOrNull()
		case "delta":
			read.readDelta(l)
		default:
			l.Skip()
		}
	})
	c.choices = append(c.choices, read)
}

func (c *choice) readDelta(l *jsontext.Lexer) {
	l.Object(func(key []byte) {
		switch string(key) {
		case "content":
			c.content = l.TextOrNull()
		case "refusal":
			c.refused = len(l.TextOrNull()) > 0
		case "tool_calls":
			l.Array(func() { c.calls = append(c.calls, readFragment(l)) })
		default:
			l.Skip()
		}
	})
}

func readFragment(l *jsontext.Lexer) (f fragment) {
	l.Object(func(key []byte) {
		switch string(key) {
		case "index":
			f.index = l.Integer()
		case "id":
			f.id = l.TextOrNull()
		case "function":
			l.Object(func(key []byte) {
				switch string(key) {
				case "name":
					f.name = l.TextOrNull()
				case "arguments":
					l.Next()
					f.from = l.At
					f.arguments = l.TextOrNull()
					f.to = l.At
				default:
					l.Skip()
				}
			})
		default:
			l.Skip()
		}
	})
	return f
}

func (c *chunk) readUsage() {
	l := &c.lexer
	if l.Null() {
		return
	}
	var u llm.Usage
	l.Object(func(key []byte) {
		switch string(key) {
		case "prompt_tokens":
			u.Input = l.Integer()
		case "completion_tokens":
			u.Output = l.Integer()
		case "prompt_tokens_details":
			l.Object(func(key []byte) {
				if string(key) == "cached_tokens" {
					u.Cached = l.Integer()
					return
				}
				l.Skip()
			})
		default:
			l.Skip()
		}
	})
	c.usage = &u
}
