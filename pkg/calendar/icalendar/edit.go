package icalendar

import (
	"slices"
	"strings"
	"time"
)

// write writes the component: what was parsed and not edited, as it was parsed.
func (c *component) write(w *writer) {
	w.line("BEGIN", c.name)
	for _, p := range c.props {
		w.fold(p.text)
	}
	for _, child := range c.children {
		child.write(w)
	}
	w.line("END", c.name)
}

// render is calendars as a file.
func render(calendars ...*component) []byte {
	var w writer
	for _, c := range calendars {
		c.write(&w)
	}
	return []byte(w.b.String())
}

// clone is a copy that can be edited by itself.
func (c *component) clone() *component {
	copied := &component{name: c.name, line: c.line, props: slices.Clone(c.props)}
	for _, child := range c.children {
		copied.children = append(copied.children, child.clone())
	}
	return copied
}

// drop removes all properties of these names.
func (c *component) drop(names ...string) {
	c.props = slices.DeleteFunc(c.props, func(p property) bool { return slices.Contains(names, p.name) })
}

// put sets the property of the line, NAME:value with or without parameters, in the place of the first of that name. It
// replaces all of them.
func (c *component) put(line string) {
	p, err := parseProperty(line, 0)
	if err != nil {
		return // a line made by this package
	}
	i := slices.IndexFunc(c.props, func(old property) bool { return old.name == p.name })
	if i < 0 {
		c.props = append(c.props, p)
		return
	}
	c.props[i] = p
	rest := slices.DeleteFunc(c.props[i+1:], func(old property) bool { return old.name == p.name })
	c.props = c.props[:i+1+len(rest)]
}

// add adds a property beside others of its name.
func (c *component) add(line string) {
	if p, err := parseProperty(line, 0); err == nil {
		c.props = append(c.props, p)
	}
}

// putText sets a property to text by people; an empty text removes it.
func (c *component) putText(name, text string) {
	if text = escape(text); text == "" {
		c.drop(name)
		return
	}
	c.put(name + ":" + text)
}

// sameIn reports whether the two components say the same in the properties of these names.
func (c *component) sameIn(o *component, names ...string) bool {
	said := func(c *component) (lines []string) {
		for _, p := range c.props {
			if slices.Contains(names, p.name) {
				lines = append(lines, p.text)
			}
		}
		slices.Sort(lines)
		return lines
	}
	return slices.Equal(said(c), said(o))
}

// withParam is a content line with the parameter set to the value, or without it if the value is empty. The other
// parameters stay as they are written.
func withParam(line, name, value string) string {
	head, rest := line[:strings.IndexAny(line, ";:")], line[strings.IndexAny(line, ";:"):]
	for strings.HasPrefix(rest, ";") {
		key, after, _ := strings.Cut(rest[1:], "=")
		end := valueEnd(after)
		if !strings.EqualFold(key, name) {
			head += rest[:1+len(key)+1+end]
		}
		rest = after[end:]
	}
	if value != "" {
		head += ";" + name + "=" + value
	}
	return head + rest
}

// form is how the times of an event are written: that of its DTSTART.
type form struct {
	// params are DTSTART's parameters, from the first semicolon.
	params string
	anchor
	owner *time.Location
}

// formOf is the form of a property whose value is a.
func formOf(p property, a anchor, owner *time.Location) form {
	params := p.text[len(p.name):]
	return form{params: params[:len(params)-len(p.value)-1], anchor: a, owner: owner}
}

// wallAt is the wall time of t in this form; that of a date is its midnight.
func (f form) wallAt(t time.Time) time.Time {
	if f.date {
		return wallOf(t.In(f.owner)).Truncate(day)
	}
	return f.zone.wall(t, f.owner)
}

// value is a wall time as it is written.
func (f form) value(wall time.Time) string {
	switch {
	case f.date:
		return wall.Format("20060102")
	case f.utc:
		return wall.Format(wallLayout) + "Z"
	default:
		return wall.Format(wallLayout)
	}
}

func (f form) on(name string, wall time.Time) string { return name + f.params + ":" + f.value(wall) }

// at is a property with a moment: in UTC if the wall time occurs twice.
func (f form) at(name string, t time.Time) string {
	wall := f.wallAt(t)
	if !f.date && !f.zone.moment(wall, f.owner).Equal(t.Truncate(time.Second)) {
		return name + ":" + utc(t)
	}
	return f.on(name, wall)
}

// shifted is a value of a property, moved by so much on the clock of the form and written in it.
func (f form) shifted(a anchor, from form, by time.Duration) time.Time {
	wall := a.wallIn(from.zone, from.owner).Add(by)
	if a.date && !from.date {
		wall = wall.Add(from.wall.Sub(from.wall.Truncate(day))) // the occurrence of that day
	}
	if f.date {
		return wall.Truncate(day)
	}
	return wall
}
