package message

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// about are the answers to questions about an event.
type about struct {
	When   string `json:"when"`
	Zone   string `json:"zone"`
	Length string `json:"length"`
	// People is about others, Alone if there are none.
	People string `json:"people"`
	Alone  string `json:"alone"`
	// Place is followed by Address, if that is known. Video and Phone say why there is none, NoPlace that there is none.
	Place   string `json:"place"`
	Address string `json:"address"`
	Video   string `json:"video"`
	Phone   string `json:"phone"`
	NoPlace string `json:"noPlace"`
	Hours   string `json:"hours"`
	Way     string `json:"way"`
	NoWay   string `json:"noWay"`
	Price   string `json:"price"`
	NoPrice string `json:"noPrice"`
	Title   string `json:"title"`
	Reason  string `json:"reason"`
	Choice  string `json:"choice"`
	// Has, Lacks and Unsure are about one feature of the place.
	Has    string `json:"has"`
	Lacks  string `json:"lacks"`
	Unsure string `json:"unsure"`
}

// Wanted says on which days the user wished for the event; empty if they named none, or many.
func (v Voice) Wanted(days []interval.DateRange) string {
	const most = 3
	if len(days) == 0 || len(days) > most {
		return ""
	}
	list := make([]string, 0, most)
	for _, d := range days {
		zone := v.now.Location()
		span := interval.Span{Start: d.Start.Start(zone), End: d.End.AddDays(1).Start(zone)}
		text := v.Day(span.Start)
		if d.Start != d.End {
			text = v.Span(span, true)
		}
		list = append(list, text)
	}
	return v.say("wanted", "days", strings.Join(list, ", "))
}

// About answers a question about an event in the event's language, from what is known of it. What is unknown is said to
// be unknown. Times are in the reader's zone.
func About(e meet.Event, asked []meet.Aspect, reader *time.Location, now time.Time) string {
	f, _ := factsOf(e, now)
	f.Zone = reader
	f = f.Prepared()
	var said []string
	for _, aspect := range asked {
		if text := f.aspect(e, aspect); text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	return strings.Join(said, " ")
}

func (f *Facts) aspect(e meet.Event, aspect meet.Aspect) string {
	p := f.phrases()
	switch says := p.About; aspect {
	case meet.AspectWhen:
		return fill(says.When, "title", f.titleOrEvent(), "when", f.composedWhen(0))
	case meet.AspectZone:
		return fill(says.Zone, "when", f.composedWhen(0), "zone", f.zoneName(f.at(e.Start)))
	case meet.AspectLength:
		return fill(says.Length, "minutes", counted(p.Minutes, int(e.End.Sub(e.Start).Minutes())))
	case meet.AspectPeople:
		return f.company(says, p)
	case meet.AspectTitle:
		return fill(says.Title, "title", f.titleOrEvent())
	case meet.AspectReason:
		return says.Reason
	default:
		return f.ofPlace(e, aspect, p)
	}
}

// titleOrEvent is the title, or a word for any event.
func (f *Facts) titleOrEvent() string {
	if title := f.Title(); title != "" {
		return title
	}
	return f.orEvent()
}

func (f *Facts) company(says about, p *wording) string {
	names := make([]string, 0, len(f.People))
	for i := range f.People {
		names = append(names, f.People[i].Name)
	}
	if len(names) == 0 {
		return says.Alone
	}
	return fill(says.People, "names", f.list(names, p))
}

// ofPlace answers what only a place has.
func (f *Facts) ofPlace(e meet.Event, aspect meet.Aspect, p *wording) string {
	says := p.About
	switch {
	case e.Place == nil && e.EventType == meet.Video:
		return says.Video
	case e.Place == nil && e.EventType == meet.Phone:
		return says.Phone
	case e.Place == nil:
		return says.NoPlace
	}
	place := f.apart(placeName(*e.Place))
	switch aspect { //nolint:exhaustive // the others are answered without a place, and features are open
	case meet.AspectPlace:
		text := fill(says.Place, "place", f.PlaceLink(0))
		if e.Place.Address != "" {
			text += " " + fill(says.Address, "address", f.apart(escape(oneLine(e.Place.Address, placeLimit))))
		}
		return text
	case meet.AspectHours:
		return f.openOn(*e.Place, e.Start, p)
	case meet.AspectDistance:
		for _, way := range e.Place.TravelMinutes {
			if way.Person == f.Organizer.ID {
				return fill(says.Way, "place", place, "minutes", counted(p.Minutes, way.Minutes))
			}
		}
		return fill(says.NoWay, "place", place)
	case meet.AspectPrice:
		if e.Place.Price == 0 {
			return fill(says.NoPrice, "place", place)
		}
		return fill(says.Price, "place", place, "n", strconv.Itoa(e.Place.Price))
	}
	if hints := f.placeHints(0); aspect == meet.AspectChoice && len(hints) > 0 {
		return fill(says.Choice, "place", place, "why", strings.Join(hints, ", "))
	} else if aspect == meet.AspectChoice {
		return says.Reason
	}
	wish, pattern := p.Wishes[meet.Feature(aspect)], says.Unsure
	switch {
	case wish == "":
		return ""
	case slices.Contains(e.Place.Features, string(aspect)):
		pattern = says.Has
	case slices.Contains(e.Place.Lacks, meet.Feature(aspect)):
		pattern = says.Lacks
	}
	return fill(pattern, "place", place, "wish", wish)
}

// openOn says when a place is open on the day of the event, by its own clock.
func (f *Facts) openOn(place meet.Place, start time.Time, p *wording) string {
	name := f.apart(placeName(place))
	zone, err := interval.Zone(place.Timezone)
	if place.Timezone == "" || err != nil {
		return fill(p.HoursUnknown, "place", name)
	}
	there := start.In(zone)
	day := interval.DateOf(there)
	times, known := place.OpenTimes(interval.Span{Start: day.Start(zone), End: day.AddDays(1).Start(zone)})
	if !known || len(times) == 0 {
		return fill(p.HoursUnknown, "place", name)
	}
	spans := make([]string, 0, len(times))
	for _, s := range times {
		if interval.DateOf(s.Start.In(zone)) == day {
			spans = append(spans, f.tongue().clock(s.Start.In(zone))+"–"+f.tongue().clock(s.End.In(zone)))
		}
	}
	return fill(p.About.Hours, "place", name, "hours", strings.Join(spans, ", "))
}
