package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Partial reads the arguments of a call while a model writes them: the fields before one text field, and its text piece
// by piece. Make one with NewPartial.
type Partial struct {
	field string
	raw   []byte
	next  int // the first unread byte
	depth int
	key   string // the last key at the top level
	open  int    // the start of the string that is being scanned; -1 outside of strings
	value int    // the start of the field's text; 0 before it begins
	head  []byte // the object before the field
	done  bool
}

// NewPartial returns a Partial for the top-level text field of this name.
func NewPartial(field string) *Partial { return &Partial{field: field, open: -1} }

// Write adds a piece of the arguments and returns the part of the field's text that it completed.
func (p *Partial) Write(piece string) (string, error) {
	p.raw = append(p.raw, piece...)
	for p.value == 0 && p.next < len(p.raw) {
		if p.open >= 0 {
			if !p.scanString() {
				return "", nil
			}
			continue
		}
		p.scanByte()
	}
	if p.value == 0 || p.done {
		return "", nil
	}
	return p.decode()
}

// Before decodes the fields before the text into v; ok is false until the text begins.
func (p *Partial) Before(v any) (ok bool, err error) {
	if p.value == 0 {
		return false, nil
	}
	if err := json.Unmarshal(p.head, v); err != nil {
		return false, fmt.Errorf("arguments before %s: %w", p.field, err)
	}
	return true, nil
}

func (p *Partial) scanByte() {
	switch p.raw[p.next] {
	case '{', '[':
		p.depth++
	case '}', ']':
		p.depth--
	case ',':
		if p.depth == 1 {
			p.key = ""
		}
	case '"':
		if p.depth == 1 && p.key == p.field {
			p.begin()
			return
		}
		p.open = p.next
	}
	p.next++
}

// scanString continues the string that began at open; false if its end has not come yet.
func (p *Partial) scanString() bool {
	for ; p.next < len(p.raw); p.next++ {
		switch p.raw[p.next] {
		case '\\':
			if p.next+1 == len(p.raw) {
				return false // the escaped character has not come
			}
			p.next++
		case '"':
			if p.depth == 1 && p.key == "" {
				p.key = string(p.raw[p.open+1 : p.next])
			}
			p.open = -1
			p.next++
			return true
		}
	}
	return false
}

// begin notes that the field's text starts here, and closes the object before the field.
func (p *Partial) begin() {
	p.next++
	p.value = p.next
	key := bytes.LastIndex(p.raw[:p.next], []byte(`"`+p.field+`"`))
	head := bytes.TrimRight(bytes.TrimRight(p.raw[:max(key, 0)], " \t\r\n"), ",")
	p.head = append(bytes.Clone(head), '}')
}

// decode returns the text up to the last whole character.
func (p *Partial) decode() (string, error) {
	end := p.next
	for end < len(p.raw) {
		size, last := unit(p.raw[end:])
		if last {
			p.done = true
		}
		if last || size == 0 {
			break
		}
		end += size
	}
	chunk := p.raw[p.next:end]
	p.next = end
	if len(chunk) == 0 {
		return "", nil
	}
	if isVerbatim(chunk) {
		return string(chunk), nil
	}
	var text string
	if err := json.Unmarshal([]byte(`"`+string(chunk)+`"`), &text); err != nil {
		return "", fmt.Errorf("text of %s: %w", p.field, err)
	}
	return text, nil
}

// isVerbatim reports whether the inside of a JSON string needs no decoding.
func isVerbatim(inside []byte) bool {
	return utf8.Valid(inside) && !slices.ContainsFunc(inside, func(c byte) bool { return c == '\\' || c < ' ' })
}

// unit is the length of the first character of a JSON string's inside, with a surrogate pair as one; 0 if it is not
// whole yet. last says that the string ends here.
func unit(b []byte) (size int, last bool) {
	switch {
	case b[0] == '"':
		return 0, true
	case b[0] != '\\':
		if !utf8.FullRune(b) {
			return 0, false
		}
		_, size = utf8.DecodeRune(b)
		return size, false
	case len(b) < 2:
		return 0, false
	case b[1] != 'u':
		return 2, false
	case len(b) < 6:
		return 0, false
	case !bytes.ContainsAny(b[2:3], "dD") || !bytes.ContainsAny(b[3:4], "89abAB"):
		return 6, false
	case len(b) > 6 && !bytes.HasPrefix([]byte(`\u`), b[6:min(len(b), 8)]):
		return 6, false // half a pair
	case len(b) < 12:
		return 0, false
	default:
		return 12, false
	}
}
