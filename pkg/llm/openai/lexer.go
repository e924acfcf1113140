package openai

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// errSyntax means that a chunk is not JSON, or not of the expected types.
var errSyntax = errors.New("a chunk of the stream is not the expected JSON")

// lexer reads one JSON text (RFC 8259) from left to right, without allocations for skipped parts: a turn has about two
// hundred chunks, and only a few bytes of each matter. After the first error every method does nothing.
type lexer struct {
	data []byte
	at   int
	err  error
	// scratch holds the unescaped strings of this text.
	scratch []byte
}

// mostNested bounds how deep a skipped value may be.
const mostNested = 64

// begin starts to read data at the given byte.
func (l *lexer) begin(data []byte, at int) {
	l.data, l.at, l.err, l.scratch = data, at, nil, l.scratch[:0]
}

func (l *lexer) fail() { l.err = errSyntax }

// next returns the next byte that is not white space, without reading it; 0 at the end.
func (l *lexer) next() byte {
	for l.err == nil && l.at < len(l.data) {
		switch c := l.data[l.at]; c {
		case ' ', '\t', '\n', '\r':
			l.at++
		default:
			return c
		}
	}
	return 0
}

func (l *lexer) take(c byte) bool {
	if l.next() != c {
		return false
	}
	l.at++
	return true
}

func (l *lexer) expect(c byte) {
	if !l.take(c) {
		l.fail()
	}
}

// end returns an error if anything but white space is left.
func (l *lexer) end() error {
	if l.next() != 0 || l.at < len(l.data) {
		l.fail()
	}
	return l.err
}

// null reads a null, and reports whether there was one.
func (l *lexer) null() bool { return l.next() == 'n' && l.literal("null") }

func (l *lexer) literal(word string) bool {
	if !bytes.HasPrefix(l.data[l.at:], []byte(word)) {
		l.fail()
		return false
	}
	l.at += len(word)
	return true
}

// object calls member for each member, which must read its value; null has none.
func (l *lexer) object(member func(key []byte)) {
	if l.null() {
		return
	}
	l.expect('{')
	if l.take('}') {
		return
	}
	for l.err == nil {
		key := l.text()
		l.expect(':')
		if l.err != nil {
			return
		}
		member(key)
		if !l.take(',') {
			l.expect('}')
			return
		}
	}
}

// array calls element for each element, which must read it; null has none.
func (l *lexer) array(element func()) {
	if l.null() {
		return
	}
	l.expect('[')
	if l.take(']') {
		return
	}
	for l.err == nil {
		element()
		if !l.take(',') {
			l.expect(']')
			return
		}
	}
}

// string returns a string's content, as text does; nil for null.
func (l *lexer) string() []byte {
	if l.null() {
		return nil
	}
	return l.text()
}

// integer returns a whole number; 0 for null.
func (l *lexer) integer() int {
	if l.null() {
		return 0
	}
	n, err := strconv.Atoi(string(l.number()))
	if err != nil {
		l.fail()
	}
	return n
}

// raw returns a value as it is written.
func (l *lexer) raw() []byte {
	l.next()
	start := l.at
	l.skip(0)
	return l.data[start:l.at]
}

// skip skips a value at the given depth.
func (l *lexer) skip(depth int) {
	if depth > mostNested {
		l.fail()
		return
	}
	switch c := l.next(); c {
	case '{':
		l.object(func([]byte) { l.skip(depth + 1) })
	case '[':
		l.array(func() { l.skip(depth + 1) })
	case '"':
		l.text()
	case 't':
		l.literal("true")
	case 'f':
		l.literal("false")
	case 'n':
		l.literal("null")
	default:
		l.number()
	}
}

// number returns a number as it is written.
func (l *lexer) number() []byte {
	l.next()
	start := l.at
	if l.peek() == '-' {
		l.at++
	}
	if l.peek() == '0' {
		l.at++
	} else {
		l.digits()
	}
	if l.peek() == '.' {
		l.at++
		l.digits()
	}
	if c := l.peek(); c == 'e' || c == 'E' {
		l.at++
		if c := l.peek(); c == '+' || c == '-' {
			l.at++
		}
		l.digits()
	}
	return l.data[start:l.at]
}

// peek returns the next byte; 0 at the end.
func (l *lexer) peek() byte {
	if l.at == len(l.data) {
		return 0
	}
	return l.data[l.at]
}

func (l *lexer) digits() {
	start := l.at
	for l.at < len(l.data) && '0' <= l.data[l.at] && l.data[l.at] <= '9' {
		l.at++
	}
	if l.at == start {
		l.fail()
	}
}

// text returns a string's content, valid as long as the JSON text. Bytes that are not UTF-8 become U+FFFD.
func (l *lexer) text() []byte {
	l.expect('"')
	for i := l.at; l.err == nil && i < len(l.data); i++ {
		switch c := l.data[i]; {
		case c == '"':
			text := l.data[l.at:i]
			l.at = i + 1
			return text
		case c == '\\', c >= utf8.RuneSelf:
			return l.escaped(i)
		case c < ' ':
			l.fail()
		}
	}
	l.fail()
	return nil
}

// escaped returns the content of a string that has no escapes before from.
func (l *lexer) escaped(from int) []byte {
	start := len(l.scratch)
	l.scratch = append(l.scratch, l.data[l.at:from]...)
	l.at = from
	for l.err == nil && l.at < len(l.data) {
		c := l.data[l.at]
		switch {
		case c == '"':
			l.at++
			return l.scratch[start:]
		case c == '\\':
			l.scratch = utf8.AppendRune(l.scratch, l.escape())
		case c < ' ':
			l.fail()
		case c < utf8.RuneSelf:
			l.scratch = append(l.scratch, c)
			l.at++
		default:
			r, size := utf8.DecodeRune(l.data[l.at:])
			l.scratch = utf8.AppendRune(l.scratch, r)
			l.at += size
		}
	}
	l.fail()
	return nil
}

// escapes are those of one letter, and meant their characters.
const (
	escapes = `"\/bfnrt`
	meant   = "\"\\/\b\f\n\r\t"
)

// escape reads one escape, or the two of a surrogate pair.
func (l *lexer) escape() rune {
	if l.at+1 >= len(l.data) {
		l.fail()
		return 0
	}
	letter := l.data[l.at+1]
	if i := bytes.IndexByte([]byte(escapes), letter); i >= 0 {
		l.at += 2
		return rune(meant[i])
	}
	r := l.unit()
	if !utf16.IsSurrogate(r) {
		return r
	}
	after := l.at
	if l.at+1 < len(l.data) && l.data[l.at] == '\\' && l.data[l.at+1] == 'u' {
		if pair := utf16.DecodeRune(r, l.unit()); pair != utf8.RuneError || l.err != nil {
			return pair
		}
		l.at = after // not a pair
	}
	return utf8.RuneError
}

// unit returns the number of a \u escape.
func (l *lexer) unit() rune {
	const length = len(`\u0000`)
	if l.at+length > len(l.data) || l.data[l.at+1] != 'u' {
		l.fail()
		return 0
	}
	n, err := strconv.ParseUint(string(l.data[l.at+2:l.at+length]), 16, 16)
	if err != nil {
		l.fail()
	}
	l.at += length
	return rune(n)
}
