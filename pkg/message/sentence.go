package message

import (
	"slices"
	"strconv"
	"strings"

	"convene/pkg/meet"
)

// Sentences are the ready-made parts of a proposal, empty if there is nothing to say. A message contains each word for
// word. A proposal must have Conflict, NoCommon, Unread, NoPlace and Wishes; at most one of Conflict and NoCommon is
// set, because Conflict covers both.
type Sentences struct {
	// Buffer mentions the travel buffers.
	Buffer string
	// Conflict names the people whom the chosen time does not suit, and never their other plans.
	Conflict string
	// NoCommon says that no requested time suits everyone and that the chosen time is the nearest.
	NoCommon string
	// Unread names the people whose calendar could not be checked, and unknown people.
	Unread string
	// NoPlace explains a missing place, one other than the user named, and unknown opening hours.
	NoPlace string
	// Wishes compares the chosen place with the wishes.
	Wishes string
	// Medium says that the event is a video or phone call, if the title does not.
	Medium string
	// Length mentions a changed duration.
	Length string
	// Closing says what creating the event will do.
	Closing string
}

// Sentences are the sentences about a choice, in the language of the composed messages.
func (f *Facts) Sentences(c Choice) Sentences {
	c = f.within(c)
	p := f.phrases()
	return Sentences{
		Buffer:   f.buffer(c, p),
		Conflict: f.conflict(c, p),
		NoCommon: f.noCommon(c, p),
		Unread:   f.unread(c, p),
		NoPlace:  f.noPlace(c, p),
		Wishes:   f.wishes(c, p),
		Medium:   f.medium(p),
		Length:   f.length(p),
		Closing:  f.closing(c, p),
	}
}

// PlaceWishes is the sentence about wishes for candidate place i.
func (f *Facts) PlaceWishes(i int) string {
	if _, ok := f.place(i); !ok {
		return ""
	}
	return f.wishes(Choice{Places: []int{i}}, f.phrases())
}

// buffer mentions the requested travel buffer, or else the one that the reader needs.
func (f *Facts) buffer(c Choice, p *wording) string {
	b := f.Template.TravelBuffer
	if b == (meet.TravelBuffer{}) && len(c.Slots) > 0 && len(c.Places) > 0 {
		b = f.pair(c.Slots[0], c.Places[0]).Travel
	}
	pattern := p.BufferUneven
	switch {
	case b.BeforeMinutes <= 0 && b.AfterMinutes <= 0:
		return ""
	case b.AfterMinutes <= 0:
		pattern = p.BufferBefore
	case b.BeforeMinutes <= 0:
		pattern = p.BufferAfter
	case b.BeforeMinutes == b.AfterMinutes:
		pattern = p.Buffer
	}
	before, after := strconv.Itoa(b.BeforeMinutes), strconv.Itoa(b.AfterMinutes)
	long, longAfter := counted(p.Minutes, b.BeforeMinutes), counted(p.Minutes, b.AfterMinutes)
	return fill(pattern, "minutes", before, "before", before, "after", after,
		"length", long, "lengthBefore", long, "lengthAfter", longAfter)
}

// chosen is the best slot of a choice.
func (f *Facts) chosen(c Choice) (meet.Slot, bool) {
	if len(c.Slots) == 0 {
		return meet.Slot{}, false
	}
	return f.slot(c.Slots[0])
}

func (f *Facts) conflict(c Choice, p *wording) string {
	s, ok := f.chosen(c)
	if !ok || s.State != meet.SlotConflict {
		return ""
	}
	clauses := f.clauses(s, p)
	if f.ExplicitTime && c.Slots[0] == 0 {
		return fill(p.Kept, "clauses", clauses)
	}
	return fill(p.Nearest, "why", f.whyNearest(p), "clauses", clauses)
}

func (f *Facts) noCommon(c Choice, p *wording) string {
	s, ok := f.chosen(c)
	asWished := !f.NoCommonTime && !f.Past && !f.Skipped
	if !ok || asWished || s.State == meet.SlotConflict {
		return ""
	}
	return f.whyNearest(p)
}

// whyNearest explains why the chosen time is not the requested one.
func (f *Facts) whyNearest(p *wording) string {
	switch {
	case f.Past:
		return p.Past
	case f.Skipped:
		return p.Skipped
	case len(f.InTheWay) > 0:
		return fill(p.Blocked, "clauses", f.clauses(meet.Slot{Conflicts: f.InTheWay}, p))
	case len(f.People) == 0:
		return p.NoCommonAlone
	default:
		return p.NoCommon
	}
}

// medium names the kind of call, unless the title, the event that is being changed or Apart does. One person alone
// calls nobody.
func (f *Facts) medium(p *wording) string {
	known := f.Previous != nil && f.Previous.EventType == f.Template.EventType || f.Apart != nil && f.Apart.Video
	if known || len(f.People) == 0 {
		return ""
	}
	title := strings.ToLower(f.Template.Title)
	for _, word := range p.CallWords[f.Template.EventType] {
		if strings.Contains(title, word) {
			return ""
		}
	}
	return p.Calls[f.Template.EventType]
}

// clauses name the people whom the slot does not suit, one clause for each kind of conflict.
func (f *Facts) clauses(s meet.Slot, p *wording) string {
	var clauses []string
	for _, kind := range conflictKinds(s) {
		clauses = append(clauses, f.clause(kind, conflicting(s, kind), p))
	}
	if len(clauses) == 0 {
		return f.about([]string{f.Organizer.Name}, "clauseOther", fill(p.ClauseOther, "names", p.You, "whose", p.Your), p)
	}
	text := clauses[0]
	for _, clause := range clauses[1:] {
		text += " " + joined(p.And, clause)
	}
	return text
}

func (f *Facts) clause(kind meet.ConflictKind, people []string, p *wording) string {
	name, pattern := "clauseOther", p.ClauseOther
	switch kind {
	case meet.ConflictBusy:
		name, pattern = "clauseBusy", p.ClauseBusyMany
		if len(people) == 1 {
			pattern = p.ClauseBusy
		}
	case meet.ConflictTravel:
		name, pattern = "clauseTravel", p.ClauseTravel
	case meet.ConflictWorkingHours:
		name, pattern = "clauseHours", p.ClauseHours
	case meet.ConflictUsualHours:
		name, pattern = "clauseUsual", p.ClauseUsual
	case meet.ConflictNotice:
		name, pattern = "clauseNotice", p.ClauseNotice
	}
	return f.about(people, name, pattern, p)
}

// conflictKinds are the kinds of a slot's conflicts, in the order in which they first occur.
func conflictKinds(s meet.Slot) []meet.ConflictKind {
	var kinds []meet.ConflictKind
	for _, c := range s.Conflicts {
		if !slices.Contains(kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds
}

// conflicting names the people with one kind of conflict.
func conflicting(s meet.Slot, kind meet.ConflictKind) []string {
	var people []string
	for _, c := range s.Conflicts {
		if c.Kind == kind && !slices.Contains(people, c.Name) {
			people = append(people, c.Name)
		}
	}
	return people
}

func (f *Facts) unread(c Choice, p *wording) string {
	unread := slices.Clone(f.Unread)
	if s, ok := f.chosen(c); ok {
		unread = append(unread, s.Unknown...)
	}
	unread = without(unread, f.Unknown)
	var said []string
	switch {
	case len(unread) == 1 && f.isOrganizer(unread[0]):
		said = append(said, f.about(unread, "unread", fill(p.Unread, "whose", p.Your, "them", p.You), p))
	case len(unread) == 1:
		said = append(said, fill(p.Unread, "whose", f.whose(unread, p), "them", f.Name(unread[0])))
	case len(unread) > 1:
		said = append(said, fill(p.UnreadMany, "whose", f.whose(unread, p)))
	}
	if unknown := without(f.Unknown, nil); len(unknown) > 0 {
		pattern := p.UnknownPerson
		switch others := without(f.peopleNames(), append(slices.Clone(unread), unknown...)); {
		case len(others) > 0:
		case slices.ContainsFunc(unread, f.isOrganizer):
			pattern = p.UnknownAll
		default:
			pattern = p.UnknownAlone
		}
		said = append(said, fill(pattern, "names", f.list(unknown, p)))
	}
	return strings.Join(said, " ")
}

func (f *Facts) peopleNames() []string {
	people := make([]string, 0, len(f.People))
	for _, p := range f.People {
		people = append(people, p.Name)
	}
	return people
}

// without lists each name once, without empty names and those left out.
func without(people, leftOut []string) []string {
	var kept []string
	for _, name := range people {
		if name != "" && !slices.Contains(leftOut, name) && !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	return kept
}

func (f *Facts) length(p *wording) string {
	if f.Previous == nil || f.Template.Duration <= 0 || f.Previous.Span().Duration() == f.Template.Length() {
		return ""
	}
	return fill(p.Length, "minutes", strconv.Itoa(f.Template.Duration), "length", counted(p.Minutes, f.Template.Duration))
}
