package message

import (
	"cmp"
	"slices"
	"strings"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Proposal is the composed message about the chosen time and place, in Markdown, with the alternatives that Shown
// allows. Without any slot it says that no time was found.
func (f *Facts) Proposal(c Choice) string {
	f = f.Prepared()
	c = f.within(c)
	p := f.phrases()
	s := f.Sentences(c)
	if len(c.Slots) == 0 {
		return strings.Join(filled(p.None, s.Unread), "\n\n")
	}
	paragraphs := []string{
		strings.Join(filled(f.opening(c, p), s.Medium, s.Length, italic(s.Buffer)), " "),
		s.Conflict,
		s.NoCommon,
		s.Unread,
		s.NoPlace,
		s.Wishes,
		f.listUnder(p.Options, f.alternatives(c)),
		s.Closing,
	}
	return strings.Join(filled(paragraphs...), "\n\n")
}

// opening is the first sentence: the suggested or booked event, its time and its place.
func (f *Facts) opening(c Choice, p *wording) string { return f.announced(c, f.announcement(c, p)) }

// announced fills the event's title, time and place into a pattern.
func (f *Facts) announced(c Choice, pattern string) string {
	at := ""
	if len(c.Places) > 0 && f.PlaceLink(c.Places[0]) != "" {
		at = f.attached(f.phrases().At, "place", f.PlaceLink(c.Places[0]))
	}
	return fill(pattern, "title", f.apart(f.orEvent()), "when", f.composedWhen(c.Slots[0]), "at", at)
}

func (f *Facts) announcement(c Choice, p *wording) string {
	said := p.Suggested
	if f.Booked {
		said = p.Done
	}
	switch {
	case f.Mode != meet.ModeEdit || f.Previous == nil:
		return said.New
	case f.Unchanged(c):
		return p.Unchanged
	case f.Previous.Start.Equal(f.Slots[c.Slots[0]].Start):
		return said.Updated
	default:
		return said.Moved
	}
}

// Unchanged reports whether a change left everything as it was that a message mentions.
func (f *Facts) Unchanged(c Choice) bool {
	s, ok := f.chosen(c)
	if !ok || f.Mode != meet.ModeEdit || f.Previous == nil {
		return false
	}
	was := *f.Previous
	return was.Start.Equal(s.Start) && was.End.Equal(s.End) && was.Title == f.Template.Title &&
		was.EventType == f.Template.EventType && was.TravelBuffer.Shared() == f.Template.TravelBuffer &&
		f.samePlace(c) && f.samePeople()
}

func (f *Facts) samePlace(c Choice) bool {
	was := f.Previous.Place
	if len(c.Places) == 0 || was == nil {
		return len(c.Places) == 0 && was == nil
	}
	return was.Same(f.Places[c.Places[0]])
}

// samePeople reports whether the participants are the same, in any order.
func (f *Facts) samePeople() bool {
	type person struct{ id, name string }
	var was, are []person
	for _, p := range f.Previous.Participants {
		was = append(was, person{string(p.ID), p.Name})
	}
	for _, p := range append([]meet.Person{f.Organizer}, f.People...) {
		are = append(are, person{string(p.ID), p.Name})
	}
	order := func(a, b person) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name)) }
	slices.SortFunc(was, order)
	slices.SortFunc(are, order)
	return slices.Equal(was, are)
}

// tongue is the language of composed messages.
func (f *Facts) tongue() tongue {
	if f.spoken() == english {
		return tongueOf(english)
	}
	return f.says().labels
}

func (f *Facts) composedWhen(i int) string  { return f.when(i, f.tongue()) }
func (f *Facts) composedShort(i int) string { return f.short(i, f.tongue()) }

// orEvent is the title, or a general word for an event without one.
func (f *Facts) orEvent() string {
	if title := f.Title(); title != "" {
		return title
	}
	return f.phrases().Event
}

func activities() []meet.Activity {
	return []meet.Activity{
		meet.Coffee, meet.Breakfast, meet.Brunch, meet.Lunch, meet.Dinner, meet.Drinks, meet.Meeting, meet.Call,
	}
}

// alternatives are the list lines that Shown allows, places first.
func (f *Facts) alternatives(c Choice) []string {
	var lines []string
	if f.Shown.Places && len(c.Places) > 1 {
		for _, i := range c.Places[1:] {
			lines = append(lines, item(f.PlaceLink(i), f.PlaceHint(i)))
		}
	}
	if f.Shown.Times {
		for _, i := range c.Slots[1:] {
			lines = append(lines, f.slotItem(i))
		}
	}
	return lines
}

func (f *Facts) slotItem(i int) string {
	return item("**"+f.composedShort(i)+"**", f.SlotHint(i))
}

// item is one list line; empty if the option has no name.
func item(option, hint string) string {
	switch {
	case option == "":
		return ""
	case hint == "":
		return "- " + option
	default:
		return "- " + option + " - " + hint
	}
}

func (f *Facts) listUnder(heading string, lines []string) string {
	lines = filled(lines...)
	if len(lines) == 0 {
		return ""
	}
	return heading + "\n" + strings.Join(lines, "\n")
}

// offeredAtOnce is how many other times a message lists if nothing was found.
const offeredAtOnce = 3

// NoMatch is the composed message for a question that found nothing: the earlier time still stands, and at most three
// other times on different days are listed, with a caution unless everyone is free.
func (f *Facts) NoMatch(c Choice) string {
	f = f.Prepared()
	c = f.within(c)
	p := f.phrases()
	var lines []string
	for _, i := range f.OnDifferentDays(c.Slots) {
		lines = append(lines, f.cautiousItem(i, p))
	}
	ending := p.TryOne
	if len(lines) == 0 {
		ending = p.TryOther
	}
	return strings.Join(filled(f.Standing(), f.listUnder(p.Times, lines), f.Sentences(Choice{}).Unread, ending), "\n\n")
}

// Standing says that no time is as asked, whose calendar is in the way if that is one person's, and that the earlier
// time, if there is one, still stands.
func (f *Facts) Standing() string {
	p := f.phrases()
	text := p.StandsNone
	if len(f.InTheWay) > 0 {
		text = fill(p.StandsBlocked, "clauses", f.clauses(meet.Slot{Conflicts: f.InTheWay}, p))
	}
	if f.Previous == nil {
		return text
	}
	return text + " " + fill(p.Stands, "previous", f.previous(f.tongue()))
}

// cautiousItem is a list line that always warns of a time that may not suit everyone.
func (f *Facts) cautiousItem(i int, p *wording) string {
	if f.Slots[i].State == meet.SlotFree || f.SlotHint(i) == p.Caution {
		return f.slotItem(i)
	}
	return item("**"+f.composedShort(i)+"** ("+p.Caution+")", f.SlotHint(i))
}

// OnDifferentDays picks at most three of the slots: the first of each day, and then further ones if there are too few
// days. Days are those of the reader's clock.
func (f *Facts) OnDifferentDays(slots []int) []int {
	kept, rest := make([]int, 0, offeredAtOnce), []int(nil)
	seen := map[interval.Date]bool{}
	for _, i := range slots {
		s, ok := f.slot(i)
		if !ok || slices.Contains(kept, i) {
			continue
		}
		if day := interval.DateOf(f.at(s.Start)); seen[day] {
			rest = append(rest, i)
		} else if seen[day] = true; len(kept) < offeredAtOnce {
			kept = append(kept, i)
		}
	}
	return append(kept, rest[:min(len(rest), offeredAtOnce-len(kept))]...)
}

// More is the composed message for "show more": the next times and places, at most four of each, or that none are left.
func (f *Facts) More(slots, places []int) string {
	f = f.Prepared()
	c := f.within(Choice{Slots: slots, Places: places})
	p := f.phrases()
	var lines []string
	for _, i := range c.Slots {
		lines = append(lines, f.slotItem(i))
	}
	for _, i := range c.Places {
		lines = append(lines, item(f.PlaceLink(i), f.PlaceHint(i)))
	}
	list := f.listUnder(p.More, lines)
	if list == "" {
		return p.NoMore
	}
	usedUp := ""
	switch {
	case !f.WantsPlace || len(c.Places) > 0:
	case f.Search.Nowhere:
		usedUp = f.askWhere(p)
	default:
		usedUp = p.NoMorePlaces
	}
	return strings.Join(filled(list, usedUp, p.TryOne), "\n\n")
}

func italic(s string) string {
	if s == "" {
		return ""
	}
	return "*" + s + "*"
}

// filled drops empty texts.
func filled(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}
