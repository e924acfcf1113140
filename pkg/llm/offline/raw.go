package offline

import (
	"bytes"
	"encoding/json"
	"iter"
)

// raw is a JSON value as it is written. Four fifths of a request are schemas and the like that nothing here looks at, so
// values are passed over without being decoded, and also without being checked.
type raw []byte

// members are those of an object, by their keys as they are written; none where the value is no object.
func (v raw) members() iter.Seq2[string, raw] {
	return func(yield func(string, raw) bool) {
		var key raw
		for part := range v.parts('{') {
			if key == nil {
				key = part
				continue
			}
			if !yield(string(bytes.Trim(key, `"`)), part) {
				return
			}
			key = nil
		}
	}
}

// member is the one of an object that has the key; nil where none has it.
func (v raw) member(key string) (found raw) {
	for k, value := range v.members() {
		if k == key {
			found = value
		}
	}
	return found
}

// elements are those of an array; none where the value is no array.
func (v raw) elements() iter.Seq[raw] { return v.parts('[') }

// parts are the values that stand in an array or an object, keys among them.
func (v raw) parts(open byte) iter.Seq[raw] {
	return func(yield func(raw) bool) {
		if len(v) == 0 || v[0] != open {
			return
		}
		for rest := v[1:]; ; {
			rest = bytes.TrimLeft(rest, between)
			n := rest.size()
			if n == 0 || !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// between is what stands between values: white space, commas and colons.
const between = " \t\r\n,:"

// size is how many bytes the value has that v begins with; 0 where it begins with none, or does not end.
func (v raw) size() int {
	depth := 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			i += v[i:].quoted()
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ' ', '\t', '\r', '\n', ',', ':':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 && i < len(v) {
			return i + 1
		}
	}
	return 0
}

// quoted is the index of the quotation mark that ends the string that v begins with; all of v where none does.
func (v raw) quoted() int {
	for i := 0; ; {
		next := bytes.IndexByte(v[i+1:], '"')
		if next < 0 {
			return len(v)
		}
		i += 1 + next
		before := i - 1
		for v[before] == '\\' {
			before--
		}
		if (i-before)%2 == 1 {
			return i
		}
	}
}

// text is what a string says; empty for any other value.
func (v raw) text() (s string) {
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// holds reports whether the value is true.
func (v raw) holds() bool { return string(v) == "true" }
