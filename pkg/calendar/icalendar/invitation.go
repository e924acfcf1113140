package icalendar

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Invitation is the event of a calendar object that was sent to the owner (RFC 5546), whether or not it still takes
// place: of a series its first occurrence, or the one that the object is about. An object without an event that can be
// read is an error.
func Invitation(object []byte, owner Owner) (o meet.Occurrence, err error) {
	s, err := Parse(object)
	if err != nil {
		return o, err
	}
	owner.Zone = cmp.Or(owner.Zone, s.fallback, time.UTC)
	for _, one := range s.series {
		for _, e := range slices.Concat(one.masters, one.overrides) {
			if e.uid == "" || e.start.zone.lost || e.end != nil && e.end.zone.lost {
				continue
			}
			o = e.text.occurrence(func(a string) bool { return owner.Email != "" && a == address(owner.Email) })
			o.ID, o.UID, o.Recurrence, o.AllDay = e.uid, e.uid, one.recurrence(), e.start.date
			o.Span = interval.From(e.start.moment(owner.Zone), e.lasts.exact)
			if e.end != nil {
				o.Span.End = e.end.moment(owner.Zone)
			} else if e.lasts.days > 0 {
				o.Span.End = e.start.zone.moment(e.start.wall.AddDate(0, 0, e.lasts.days), owner.Zone).Add(e.lasts.exact)
			}
			if e.replaces != nil {
				o.RecurrenceID = e.replaces.moment(owner.Zone)
			}
			if !o.Span.Empty() {
				return o, nil
			}
		}
	}
	return o, &SyntaxError{Line: 1, Reason: "there is no event with a UID and a time"}
}
