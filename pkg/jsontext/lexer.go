// Package jsontext reads JSON from left to right, a value at a time, for what is too much to decode: the chunks of a
// stream, and long lists that are checked before they are decoded.
package jsontext

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrSyntax means that a text is not JSON, or not of the expected types.
var ErrSyntax = errors.New("not the expected JSON")

// Lexer reads one JSON text (RFC 8259) from left to right, without allocations for skipped parts: a turn has about two
// hundred chunks, and only a few bytes of each matter. After the first error every method does nothing.
type Lexer struct {
	// At is the next unread byte, and Err the first error. Both may be put back to what they were.
	At   int
	Err  error
	data []byte
	// scratch holds the unescaped strings of this text.
	scratch []byte
}

// mostNested bounds how deep a skipped value may be.
const mostNested = 64

// Begin starts to read data at the given byte.
func (l *Lexer) Begin(data []byte, at int) {
	l.data, l.At, l.Err, l.scratch = data, at, nil, l.scratch[:0]
}

// Fail ends the reading: the text is not the expected one.
func (l *Lexer) Fail() { l.Err = ErrSyntax }

// Next returns the next byte that is not white space, without reading it; 0 at the end.
func (l *Lexer) Next() byte {
	for l.Err == nil && l.At < len(l.data) {
		switch c := l.data[l.At]; c {
		case ' ', '\t', '\n', '\r':
			l.At++
		default:
			return c
		}
	}
	return 0
}

func (l *Lexer) take(c byte) bool {
	if l.Next() != c {
		return false
	}
	l.At++
	return true
}

func (l *Lexer) expect(c byte) {
	if !l.take(c) {
		l.Fail()
	}
}

// End returns an error if anything but white space is left.
func (l *Lexer) End() error {
	if l.Next() != 0 || l.At < len(l.data) {
		l.Fail()
	}
	return l.Err
}

// Null reads a null, and reports whether there was one.
func (l *Lexer) Null() bool { return l.Next() == 'n' && l.literal("null") }

func (l *Lexer) literal(word string) bool {
	if !bytes.HasPrefix(l.data[l.At:], []byte(word)) {
		l.Fail()
		return false
	}
	l.At += len(word)
	return true
}

// Object calls member for each member, which must read its value; null has none.
func (l *Lexer) Object(member func(key []byte)) {
	if l.Null() {
		return
	}
	l.expect('{')
	if l.take('}') {
		return
	}
	for l.Err == nil {
		key := l.Text()
		l.expect(':')
		if l.Err != nil {
			return
		}
		member(key)
		if !l.take(',') {
			l.expect('}')
			return
		}
	}
}

// Array calls element for each element, which must read it; null has none.
func (l *Lexer) Array(element func()) {
	if l.Null() {
		return
	}
	l.expect('[')
	if l.take(']') {
		return
	}
	for l.Err == nil {
		element()
		if !l.take(',') {
			l.expect(']')
			return
		}
	}
}

// TextOrNull returns a string's content, as Text does; nil for null.
func (l *Lexer) TextOrNull() []byte {
	if l.Null() {
		return nil
	}
	return l.Text()
}

// Integer returns a whole number; 0 for null.
func (l *Lexer) Integer() int {
	if l.Null() {
		return 0
	}
	n, err := strconv.Atoi(string(l.Number()))
	if err != nil {
		l.Fail()
	}
	return n
}

// Raw returns a value as it is written.
func (l *Lexer) Raw() []byte {
	l.Next()
	start := l.At
	l.Skip()
	return l.data[start:l.At]
}

// Skip skips a value.
func (l *Lexer) Skip() { l.skip(0) }

func (l *Lexer) skip(depth int) {
	if depth > mostNested {
		l.Fail()
		return
	}
	switch c := l.Next(); c {
	case '{':
		l.Object(func([]byte) { l.skip(depth + 1) })
	case '[':
		l.Array(func() { l.skip(depth + 1) })
	case '"':
		l.Text()
	case 't':
		l.literal("true")
	case 'f':
		l.literal("false")
	case 'n':
		l.literal("null")
	default:
		l.Number()
	}
}

// Number returns a number as it is written.
func (l *Lexer) Number() []byte {
	l.Next()
	start := l.At
	if l.peek() == '-' {
		l.At++
	}
	if l.peek() == '0' {
		l.At++
	} else {
		l.digits()
	}
	if l.peek() == '.' {
		l.At++
		l.digits()
	}
	if c := l.peek(); c == 'e' || c == 'E' {
		l.At++
		if c := l.peek(); c == '+' || c == '-' {
			l.At++
		}
		l.digits()
	}
	return l.data[start:l.At]
}

// peek returns the next byte; 0 at the end.
func (l *Lexer) peek() byte {
	if l.At == len(l.data) {
		return 0
	}
	return l.data[l.At]
}

func (l *Lexer) digits() {
	start := l.At
	for l.At < len(l.data) && '0' <= l.data[l.At] && l.data[l.At] <= '9' {
		l.At++
	}
	if l.At == start {
		l.Fail()
	}
}

// Text returns a string's content, valid as long as the JSON text. Bytes that are not UTF-8 become U+FFFD.
func (l *Lexer) Text() []byte {
	l.expect('"')
	for i := l.At; l.Err == nil && i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '"':
			text := l.data[l.At:i]
			l.At = i + 1
			return text
		case c == '\\', c >= utf8.RuneSelf:
			return l.escaped(i)
		case c < ' ':
			l.Fail()
		}
	}
	l.Fail()
	return nil
}

// escaped returns the content of a string that has no escapes before from.
func (l *Lexer) escaped(from int) []byte {
	start := len(l.scratch)
	l.scratch = append(l.scratch, l.data[l.At:from]...)
	l.At = from
	for l.Err == nil && l.At < len(l.data) {
		c := l.data[l.At]
		switch {
		case c == '"':
			l.At++
			return l.scratch[start:]
		case c == '\\':
			l.scratch = utf8.AppendRune(l.scratch, l.escape())
		case c < ' ':
			l.Fail()
		case c < utf8.RuneSelf:
			l.scratch = append(l.scratch, c)
			l.At++
		default:
			r, size := utf8.DecodeRune(l.data[l.At:])
			l.scratch = utf8.AppendRune(l.scratch, r)
			l.At += size
		}
	}
	l.Fail()
	return nil
}

// escapes are those of one letter, and meant their characters.
const (
	escapes = `"\/bfnrt`
	meant   = "\"\\/\b\f\n\r\t"
)

// escape reads one escape, or the two of a surrogate pair.
func (l *Lexer) escape() rune {
	if l.At+1 >= len(l.data) {
		l.Fail()
		return 0
	}
	letter := l.data[l.At+1]
	if i := bytes.IndexByte([]byte(escapes), letter); i >= 0 {
		l.At += 2
		return rune(meant[i])
	}
	r := l.unit()
	if !utf16.IsSurrogate(r) {
		return r
	}
	after := l.At
	if l.At+1 < len(l.data) && l.data[l.At] == '\\' && l.data[l.At+1] == 'u' {
		if pair := utf16.DecodeRune(r, l.unit()); pair != utf8.RuneError || l.Err != nil {
			return pair
		}
		l.At = after // not a pair
	}
	return utf8.RuneError
}

// unit returns the number of a \u escape.
func (l *Lexer) unit() rune {
	const length = len(`\u0000`)
	if l.At+length > len(l.data) || l.data[l.At+1] != 'u' {
		l.Fail()
		return 0
	}
	n, err := strconv.ParseUint(string(l.data[l.At+2:l.At+length]), 16, 16)
	if err != nil {
		l.Fail()
	}
	l.At += length
	return rune(n)
}
