package stages

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/pkg/when"
)

// secondReader reads a message by rules, in the calls of a model. Without a model it reads nothing.
type secondReader struct {
	asker
	// understand is the reader's own stage 1.
	understand func(ctx context.Context, in situation) (meet.Understanding, error)
}

// hear is what the reader makes of the model's request; nil without a reader. A reader that fails has heard nothing, so
// that the event is in doubt.
func (s secondReader) hear(
	ctx context.Context, in situation, req llm.Request, set tool.Set[functions.TemplateContext, meet.Draft],
	c functions.TemplateContext,
) *meet.Heard {
	if s.model == nil {
		return nil
	}
	understood, err := s.understand(ctx, in)
	if err != nil || understood.Intent != meet.HandleEvent {
		return &meet.Heard{}
	}
	own, err := ask(ctx, s.on(new(tally)), req, set, c)
	if err != nil || own.Ending != nil {
		return &meet.Heard{}
	}
	undecided := own.Undecided
	own.Undecided = nil
	own = in.party().resolve(own)
	return &meet.Heard{
		Event: own.Ending == nil, Mode: own.Mode, Template: own.Template, People: own.People, Edit: own.Edit,
		Anchor: own.Anchor, Undecided: undecided,
		Today: interval.DateOf(in.now), Words: words(in.turn.Message), Phrases: in.phrases(understood.Language),
	}
}

// mostPhrases bounds how many phrases of a message are read one by one.
const mostPhrases = 24

// phrases are the message's phrases about time; the first is for the whole message.
func (in situation) phrases(language string) []meet.Phrase {
	s := when.Setting{Language: language, Day: in.dayAtHand()}
	if search := in.conversation.Search; search != nil && search.Event != nil {
		s.Start = search.Event.Start.In(in.now.Location())
		s.Week = interval.DateOf(s.Start)
	}
	text := in.turn.Message
	whole := s.Read(text, in.now)
	list := []meet.Phrase{phrase("", whole)}
	for _, e := range whole.Entities[:min(len(whole.Entities), mostPhrases)] {
		said := strings.TrimSpace(text[e.Start:e.End])
		p := phrase(said, s.Read(said, in.now))
		switch {
		case e.Kind == when.KindDate && len(p.Days)+len(p.Weekdays) == 0:
			p.Days = list[0].Days
		case e.Kind == when.KindTime && len(p.Windows) == 0:
			p.Windows = list[0].Windows
		}
		if e.Days != (interval.DateRange{}) {
			p.Days = append(p.Days, e.Days)
		}
		list = append(list, p)
	}
	return list
}

// phrase has all days, times and lengths that a text names, wished or excluded.
func phrase(text string, r when.Reading) meet.Phrase {
	p := meet.Phrase{
		Text: text, Days: slices.Concat(r.Dates, r.ExcludedDates),
		Weekdays: r.ExcludedWeekdays, Minutes: int(r.Duration / time.Minute),
	}
	if r.Before != nil {
		p.Days = append(p.Days, interval.DateRange{Start: *r.Before, End: *r.Before})
	}
	add := func(start, end interval.Clock) {
		if w := (interval.Window{Start: start, End: end}); !slices.Contains(p.Windows, w) {
			p.Windows = append(p.Windows, w)
		}
	}
	for _, h := range []when.Hours{r.Hours, r.ExcludedHours} {
		all := slices.Concat(h.Week[:]...)
		for _, on := range h.On {
			all = append(all, on.Windows...)
		}
		for _, w := range all {
			add(w.Start, w.End)
		}
	}
	if r.EndsAt != nil {
		add(*r.EndsAt, *r.EndsAt)
	}
	if r.AllDay {
		add(0, interval.EndOfDay)
		p.Minutes = cmp.Or(p.Minutes, int(interval.EndOfDay))
	}
	switch at := r.Exact; {
	case at == nil || text == "": // the parts of a whole message are not one phrase
	case r.Duration > 0: // "2 to 4"
		add(*at, *at+interval.Clock(p.Minutes))
	case r.Confidence < 1: // "at 7", morning or evening
		other := (*at + interval.EndOfDay/2) % interval.EndOfDay
		add(other, other)
	}
	return p
}

// heldTo is the draft with the people that the user named.
func (in situation) heldTo(draft meet.Draft) meet.Draft {
	if draft.Heard == nil {
		return in.party().resolve(draft)
	}
	draft.Undecided = append(draft.Undecided, draft.Heard.Undecided...)
	return in.titled(in.party().resolve(in.restored(in.onlyNamed(draft))))
}

// onlyNamed drops the people that neither the request nor the user in this conversation named.
func (in situation) onlyNamed(draft meet.Draft) meet.Draft {
	var names []string
	for _, name := range draft.Template.Participants {
		if said := in.asNamed(name, draft); said != "" && !slices.Contains(names, said) {
			names = append(names, said)
		}
	}
	draft.Template.Participants = names
	if near := &draft.Template.Wishes.Where; near.Person != "" && near.Person != meet.Myself &&
		in.asNamed(near.Person, draft) == "" {
		near.Person, near.Anchor = "", ""
	}
	return draft
}

// asNamed is a model's name for a person as the user says it; empty if the user did not name the person. Only the words
// of the name that the user said count, so that a model cannot choose between two people of one name.
func (in situation) asNamed(name string, draft meet.Draft) string {
	stays := draft.Before != nil && slices.Contains(draft.Before.Template.Participants, name)
	if stays || fold(name) == fold(in.turn.Organizer.Name) || anyCalled(draft.People, name) {
		return name
	}
	user, found := in.userWords(), in.contacts.Find(name)
	said := strings.Join(slices.DeleteFunc(strings.Fields(name), func(part string) bool {
		return slices.ContainsFunc(words(part), func(w string) bool { return !says(user, w) })
	}), " ")
	if said == strings.Join(strings.Fields(name), " ") {
		return said
	}
	same := func(n string) bool { return len(among(in.contacts.Find(n), found)) > 0 }
	heard := draft.Heard.Template.Participants
	if i := slices.IndexFunc(heard, func(n string) bool { return fold(n) == fold(name) || same(n) }); i >= 0 {
		return heard[i]
	}
	other := slices.IndexFunc(heard, func(n string) bool { return together(words(n), words(said)) })
	switch {
	case other < 0 && said != "" && same(said):
		return said
	case said == "" && len(among(in.contacts.Mentioned(strings.Join(user, " ")), found)) > 0:
		return name
	}
	in.receipt.removed("unnamed_person")
	draft.Heard.Unnamed = true
	if other >= 0 {
		return heard[other]
	}
	return ""
}

// titled gives the draft the reader's title if the model's own may name a person whom the user did not name.
func (in situation) titled(draft meet.Draft) meet.Draft {
	if draft.Before != nil && draft.Before.Template.Title == draft.Template.Title {
		return draft
	}
	strange := in.contacts.Mentioned(draft.Template.Title)
	if len(strange) > 0 {
		known := append(in.contacts.Mentioned(strings.Join(in.userWords(), " ")), draft.People...)
		strange = slices.DeleteFunc(strange, func(p meet.Person) bool { return takes(p, known) })
	}
	if draft.Heard.Unnamed || len(strange) > 0 {
		draft.Heard.Unnamed = true
		draft.Template.Title = cmp.Or(draft.Heard.Template.Title, string(draft.Template.Activity))
	}
	return draft
}
