package eval

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// Problem is an item with everyone's busy times that asks for a time that suits all.
type Problem struct {
	Participants []struct {
		Name string          `json:"name"`
		Busy []interval.Span `json:"busy"`
	} `json:"participants"`
	Duration int `json:"duration_minutes"`
	// WorkHours are the start and the end of the time for meetings on each day.
	WorkHours [2]interval.Clock `json:"work_hours"`
	Days      []Day             `json:"days"`
	// Preferences are times at which a participant does not want to meet.
	Preferences []Preference `json:"preferences"`
}

// Day is a date with its name in the item.
type Day struct {
	Name string        `json:"name"`
	Date interval.Date `json:"date"`
}

// Preference is a whole day, or its part before or after a time.
type Preference struct {
	Who  string          `json:"who"`
	Day  string          `json:"day"`
	Kind string          `json:"kind"`
	Time *interval.Clock `json:"time"`
}

// Solution is the earliest time that suits all.
type Solution struct {
	Day   string `json:"day"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// solve asks the slot engine, as a turn whose request has everyone's availability. It returns nil if no time suits.
func (p Problem) solve(zone *time.Location, now time.Time) *Solution {
	slots := slot.All(p.query(zone, now))
	if len(slots) == 0 {
		return nil
	}
	start, end := slots[0].Start.In(zone), slots[0].End.In(zone)
	solution := Solution{Start: start.Format("15:04"), End: end.Format("15:04")}
	for _, d := range p.Days {
		if d.Date == interval.DateOf(start) {
			solution.Day = d.Name
		}
	}
	return &solution
}

func (p Problem) query(zone *time.Location, now time.Time) slot.Query {
	q := slot.Query{Zone: zone, Now: now, Template: meet.Template{
		EventType: meet.Video, Activity: meet.Meeting, Duration: p.Duration, Hours: &meet.Hours{},
	}}
	for _, d := range p.Days {
		q.Template.Dates = append(q.Template.Dates, interval.DateRange{Start: d.Date, End: d.Date})
		q.Template.Hours.On = append(q.Template.Hours.On, meet.DateHours{
			Date: d.Date, Windows: []interval.Window{{Start: p.WorkHours[0], End: p.WorkHours[1]}},
		})
	}
	for _, one := range p.Participants {
		busy := one.Busy
		for _, no := range p.Preferences {
			if no.Who == one.Name {
				busy = append(busy, p.refused(no, zone)...)
			}
		}
		q.Attendees = append(q.Attendees, slot.Attendee{
			Person:       meet.Person{ID: meet.PersonID(one.Name), Name: one.Name, Timezone: zone.String()},
			Availability: interval.Availability{Busy: interval.NewSet(busy...)},
		})
	}
	return q
}

// refused is the time that a preference excludes.
func (p Problem) refused(no Preference, zone *time.Location) []interval.Span {
	var spans []interval.Span
	for _, d := range p.Days {
		if d.Name != no.Day {
			continue
		}
		whole := interval.Span{Start: d.Date.Start(zone), End: d.Date.AddDays(1).Start(zone)}
		switch {
		case no.Time == nil:
		case no.Kind == "before":
			whole.End, _ = d.Date.At(*no.Time, zone)
		case no.Kind == "after":
			whole.Start, _ = d.Date.At(*no.Time, zone)
		}
		spans = append(spans, whole)
	}
	return spans
}
