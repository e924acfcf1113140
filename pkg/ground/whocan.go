package ground

import (
	"slices"
	"strings"
)

// whoCan looks into the calendars of several people if a message asks which of them has time: "who of Dana and Al is
// free on Thursday evening for a drink?" arranges nothing yet. Without a time it may be of the event at hand, and is
// not read.
func whoCan(m Message) Reading {
	for _, way := range ways("who can") {
		at := way.form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		r := newReading(m)
		r.readTimes()
		of := way.form.SubexpIndex("who")
		names := r.namesIn(at[2*of], at[2*of+1])
		s, ok := r.about()
		if len(names) < 2 || !ok || len(r.times) == 0 || r.asksBeside(at[2*of], at[2*of+1]) {
			return Reading{}
		}
		call := arguments{"people": names, "window": s.window()}
		if day := s.oneDay(); s.hours != nil && day != nil {
			call = arguments{"people": names, "start": day.String() + "T" + s.hours.Start}
			if s.hours.End > s.hours.Start {
				call["end"] = day.String() + "T" + s.hours.End
			}
		} else if s.hours != nil {
			return Reading{} // hours of several days are no one time
		}
		read := undoubted("ask_free", "calendar_checkAvailability", call)
		read.Reads = true
		return read
	}
	return Reading{}
}

// namesIn are those whom a list of names has between two bytes, as they are known, and as the message calls them if
// they are not; nil if it has anything else than names: "the two", "them".
func (r *reading) namesIn(from, to int) (names []string) {
	known := false
	for _, part := range form("listed").Split(r.Text[from:to], -1) {
		if part = strings.Trim(part, around); part == "" {
			continue
		}
		i := slices.IndexFunc(r.People, func(p Person) bool {
			return strings.EqualFold(strings.TrimLeft(part, "-־"), p.Said)
		})
		switch {
		case i >= 0:
			known, names = true, append(names, r.People[i].Name)
		case len(strings.Fields(part)) > 2 || form("no name").MatchString(part):
			return nil
		default:
			names = append(names, part)
		}
	}
	if !known {
		return nil
	}
	return names
}

// asksBeside reports whether a message that asks who has time says more than when and what for.
func (r *reading) asksBeside(from, to int) bool {
	rest := r.Text[to:]
	return slices.ContainsFunc(r.people, func(p said) bool { return p.from < from || p.to > to }) ||
		strings.ContainsAny(strings.TrimRight(rest, " .?!"), ";.?!") || form("goes on to do").MatchString(rest)
}
