package openai

import "convene/pkg/llm"

// chunk is what is read of one event of the stream; the rest is passed over. It is read into again and again.
type chunk struct {
	choices []choice
	// usage is nil where the chunk does not tell it.
	usage *llm.Usage
	// failure is the error that the service reports; nil where there is none.
	failure []byte

	lexer lexer
}

// choice is one of the answers under way; there is only ever one that counts, of index 0.
type choice struct {
	index   int
	finish  string
	content string
	refused bool
	calls   []fragment
}

// fragment is a piece of a call. The first one of a call has its name, the others only more of the arguments.
type fragment struct {
	index     int
	id        string
	name      string
	arguments string
}

// read takes the data of one event.
func (c *chunk) read(data []byte) error {
	l := &c.lexer
	l.data, l.at, l.err = data, 0, nil
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
			c.refused = l.string() != ""
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
					f.arguments = l.string()
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
