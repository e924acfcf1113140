package openai

import (
	"bytes"

	"convene/pkg/llm"
)

// chunk is what is read of one event of the stream; the rest is passed over. It is read into again and again, and its
// texts are valid as long as the data of the event are.
type chunk struct {
	choices []choice
	// usage is nil where the chunk does not tell it.
	usage *llm.Usage
	// failure is the error that the service reports; nil where there is none.
	failure []byte

	lexer lexer
	frame frame
}

// choice is one of the answers under way; there is only ever one that counts, of index 0.
type choice struct {
	index   int
	finish  []byte
	content []byte
	refused bool
	calls   []fragment
}

// fragment is a piece of a call. The first one of a call has its name, the others only more of the arguments.
type fragment struct {
	index     int
	id        []byte
	name      []byte
	arguments []byte
	// from and to are where the arguments stand in the chunk.
	from, to int
}

// frame is what stood around the arguments in the last chunk, where that had nothing else to tell. It is empty
// otherwise.
type frame struct{ before, after []byte }

// read takes the data of one event. A stream is mostly chunks that differ in nothing but their piece of the arguments;
// of one that is like the last only that piece is read.
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

// readAlike reports whether the chunk is like the last one; then everything but the arguments is as it was.
func (c *chunk) readAlike(data []byte) bool {
	if len(c.frame.before) == 0 || !bytes.HasPrefix(data, c.frame.before) {
		return false
	}
	l := &c.lexer
	l.begin(data, len(c.frame.before))
	arguments := l.string()
	if l.err != nil || !bytes.Equal(data[l.at:], c.frame.after) {
		return false
	}
	c.choices[0].calls[0].arguments = arguments
	return true
}

// onlyArguments is the fragment of a chunk that tells nothing but more of a call's arguments.
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
	l.begin(data, 0)
	c.choices, c.usage, c.failure = c.choices[:0], nil, nil
	if l.next() != '{' {
		return errSyntax
	}
	l.object(func(key []byte) {
		switch string(key) {
		case "choices":
			l.array(c.readChoice)
		case "usage":
			c.readUsage()
		case "error":
			if !l.null() {
				c.failure = l.raw()
			}
		default:
			l.skip(0)
		}
	})
	return l.end()
}

func (c *chunk) readChoice() {
	l := &c.lexer
	var read choice
	if n := len(c.choices); n < cap(c.choices) {
		read.calls = c.choices[:n+1][n].calls[:0]
	}
	l.object(func(key []byte) {
		switch string(key) {
		case "index":
			read.index = l.integer()
		case "finish_reason":
			read.finish = l.string()
		case "delta":
			read.readDelta(l)
		default:
			l.skip(0)
		}
	})
	c.choices = append(c.choices, read)
}

func (c *choice) readDelta(l *lexer) {
	l.object(func(key []byte) {
		switch string(key) {
		case "content":
			c.content = l.string()
		case "refusal":
			c.refused = len(l.string()) > 0
		case "tool_calls":
			l.array(func() { c.calls = append(c.calls, readFragment(l)) })
		default:
			l.skip(0)
		}
	})
}

func readFragment(l *lexer) (f fragment) {
	l.object(func(key []byte) {
		switch string(key) {
		case "index":
			f.index = l.integer()
		case "id":
			f.id = l.string()
		case "function":
			l.object(func(key []byte) {
				switch string(key) {
				case "name":
					f.name = l.string()
				case "arguments":
					l.next()
					f.from = l.at
					f.arguments = l.string()
					f.to = l.at
				default:
					l.skip(0)
				}
			})
		default:
			l.skip(0)
		}
	})
	return f
}

func (c *chunk) readUsage() {
	l := &c.lexer
	if l.null() {
		return
	}
	var u llm.Usage
	l.object(func(key []byte) {
		switch string(key) {
		case "prompt_tokens":
			u.Input = l.integer()
		case "completion_tokens":
			u.Output = l.integer()
		case "prompt_tokens_details":
			l.object(func(key []byte) {
				if string(key) == "cached_tokens" {
					u.Cached = l.integer()
					return
				}
				l.skip(0)
			})
		default:
			l.skip(0)
		}
	})
	c.usage = &u
}
