package icalendar

import (
	"bytes"
	"fmt"
	"strings"
)

// The bounds of a calendar. One beyond them is unreadable, which its owner is told, and cannot exhaust the service.
const (
	maxBytes = 32 << 20
	maxDepth = 8
)

// SyntaxError says where a calendar file is broken.
type SyntaxError struct {
	// Line counts from 1.
	Line   int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// component is a BEGIN … END block.
type component struct {
	name     string
	line     int
	props    []property
	children []*component
}

// property is one content line, unfolded, with its names in upper case.
type property struct {
	name   string
	params map[string]string
	value  string
	line   int
	// text is the whole unfolded line.
	text string
}

// first is the component's first property of that name; nil if there is none.
func (c *component) first(name string) *property {
	for i := range c.props {
		if c.props[i].name == name {
			return &c.props[i]
		}
	}
	return nil
}

// text is the value of the first property of that name, trimmed and in upper case, for values from a fixed list.
func (c *component) text(name string) string {
	if p := c.first(name); p != nil {
		return strings.ToUpper(strings.TrimSpace(p.value))
	}
	return ""
}

// parseComponents reads the VCALENDAR objects of a file; there may be several.
func parseComponents(data []byte) ([]*component, error) {
	if len(data) > maxBytes {
		return nil, &SyntaxError{Line: 1, Reason: fmt.Sprintf("the calendar is larger than %d MB", maxBytes>>20)}
	}
	lines := unfolder{rest: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	root := &component{}
	open := []*component{root}
	for {
		text, line, ok := lines.next()
		if !ok {
			break
		}
		p, err := parseProperty(text, line)
		if err != nil {
			return nil, err
		}
		if open, err = place(open, p); err != nil {
			return nil, err
		}
	}
	if len(open) > 1 {
		last := open[len(open)-1]
		return nil, &SyntaxError{last.line, "BEGIN:" + last.name + " has no END: the file is cut short"}
	}
	if len(root.children) == 0 {
		return nil, &SyntaxError{Line: 1, Reason: "there is no BEGIN:VCALENDAR: this is not a calendar file"}
	}
	return root.children, nil
}

// place adds p to the innermost open component, and opens and closes components.
func place(open []*component, p property) ([]*component, error) {
	inner := open[len(open)-1]
	switch {
	case p.name == "BEGIN":
		child := &component{name: strings.ToUpper(strings.TrimSpace(p.value)), line: p.line}
		if len(open) == 1 && child.name != "VCALENDAR" {
			return nil, &SyntaxError{p.line, "expected BEGIN:VCALENDAR, got BEGIN:" + child.name}
		}
		if len(open) > maxDepth {
			return nil, &SyntaxError{p.line, "components are nested too deeply"}
		}
		inner.children = append(inner.children, child)
		return append(open, child), nil
	case len(open) == 1:
		return nil, &SyntaxError{p.line, "expected BEGIN:VCALENDAR, got " + p.name}
	case p.name == "END":
		if name := strings.ToUpper(strings.TrimSpace(p.value)); name != inner.name {
			return nil, &SyntaxError{p.line, "expected END:" + inner.name + ", got END:" + name}
		}
		return open[:len(open)-1], nil
	default:
		inner.props = append(inner.props, p)
		return open, nil
	}
}

// unfolder reads the content lines of a file one by one, unfolded and without empty ones. Lines may end in CRLF or LF.
type unfolder struct {
	rest []byte
	line int
}

// next is the next content line and the number of its first physical line.
func (u *unfolder) next() (text string, line int, ok bool) {
	for len(u.rest) > 0 {
		first := u.physical()
		line = u.line
		if len(bytes.TrimSpace(first)) == 0 {
			continue
		}
		if len(u.rest) == 0 || (u.rest[0] != ' ' && u.rest[0] != '\t') {
			return string(first), line, true
		}
		joined := bytes.Clone(first)
		for len(u.rest) > 0 && (u.rest[0] == ' ' || u.rest[0] == '\t') {
			joined = append(joined, u.physical()[1:]...)
		}
		return string(joined), line, true
	}
	return "", u.line, false
}

func (u *unfolder) physical() []byte {
	line, rest, _ := bytes.Cut(u.rest, []byte("\n"))
	u.rest = rest
	u.line++
	return bytes.TrimSuffix(line, []byte("\r"))
}

// parseProperty parses NAME;PARAM=value;PARAM="quoted":value. The last of two equal parameters counts.
func parseProperty(text string, line int) (property, error) {
	broken := &SyntaxError{line, "not a line of the form NAME:value"}
	end := strings.IndexAny(text, ";:")
	if end <= 0 || !isName(text[:end]) {
		return property{}, broken
	}
	p := property{name: strings.ToUpper(text[:end]), line: line, text: text}
	rest := text[end:]
	for strings.HasPrefix(rest, ";") {
		name, after, found := strings.Cut(rest[1:], "=")
		if !found || !isName(name) {
			return property{}, broken
		}
		end := valueEnd(after)
		if end < 0 {
			return property{}, broken
		}
		if p.params == nil {
			p.params = map[string]string{}
		}
		p.params[strings.ToUpper(name)] = strings.ReplaceAll(after[:end], `"`, "")
		rest = after[end:]
	}
	if !strings.HasPrefix(rest, ":") {
		return property{}, broken
	}
	p.value = rest[1:]
	return p, nil
}

// valueEnd is the index of the first semicolon or colon outside quotes, which ends a parameter's value; -1 if there is
// none.
func valueEnd(s string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case !quoted && (s[i] == ';' || s[i] == ':'):
			return i
		}
	}
	return -1
}

func isName(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
