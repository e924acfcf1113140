package message

import (
	"strings"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Anchored says by which events of the reader's own calendar a time was found, with their titles: "I went by
// **Dentist** (Wednesday, March 11 at 10:30 AM – 11:30 AM) in your calendar." Empty without events.
func (f *Facts) Anchored(events []meet.AnchorEvent) string {
	p := f.phrases()
	var said []string
	for _, e := range events {
		title := p.Event
		if e.Title != "" {
			title = "**" + f.apart(escape(oneLine(e.Title, titleLimit))) + "**"
		}
		said = append(said, title+" ("+f.lasting(e)+")")
	}
	if len(said) == 0 {
		return ""
	}
	return fill(p.Anchored, "events", strings.Join(said, " "+strings.TrimSpace(p.And)+" "))
}

// lasting is when an event begins and ends.
func (f *Facts) lasting(e meet.AnchorEvent) string {
	t, start, end := f.tongue(), f.at(e.Span.Start), f.at(e.Span.End)
	first, last := interval.DateOf(start), interval.DateOf(end)
	switch {
	case e.AllDay && first.AddDays(1) == last:
		return first.String()
	case e.AllDay:
		return first.String() + " – " + last.AddDays(-1).String()
	case first == last:
		return t.moment(start, f.form(start), "") + " – " + t.clock(end)
	}
	return t.moment(start, f.form(start), "") + " – " + t.moment(end, f.form(end), "")
}

// AnchorMissing asks when an event is that the reader's calendar does not have. Unread says that the calendar could not
// be read.
func (f *Facts) AnchorMissing(a meet.CalendarAnchor, unread bool) string {
	p := f.phrases()
	ask, pattern := p.AnchorWhen, p.AnchorMissing
	switch a.Relation {
	case meet.After, meet.RightAfter:
		ask = p.AnchorEnds
	case meet.Before, meet.RightBefore:
		ask = p.AnchorStarts
	case meet.DayBefore, meet.DayAfter, meet.Between, meet.During:
	}
	if unread {
		pattern = p.AnchorUnread
	}
	return fill(pattern, "event", f.quoted(a.Event), "ask", ask)
}

// AnchorSeveral asks which of several events is meant, by their times. No title is in it, because models read it later.
func (f *Facts) AnchorSeveral(a meet.CalendarAnchor, times []interval.Span) string {
	labels := make([]string, len(times))
	for i, s := range times {
		labels[i] = "**" + f.lasting(meet.AnchorEvent{Span: s}) + "**"
	}
	return fill(f.phrases().AnchorSeveral, "event", f.quoted(a.Event), "times", strings.Join(labels, ", "))
}

// quoted are the reader's own words.
func (f *Facts) quoted(said string) string { return f.apart(escape(oneLine(said, saidLimit))) }
