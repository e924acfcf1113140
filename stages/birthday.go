package stages

import (
	"context"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/when"
)

// nameBirthday puts a date in place of the birthday that a message names as a day: that of a contact, or one that
// stands in the calendar. One that nobody knows is asked for when an event is to be on it.
func (p *Pipeline) nameBirthday(ctx context.Context, r *run) {
	b, says := ground.BirthdayIn(r.turn.Message)
	if !says || p.ports.Worlds == nil || p.ports.Birthday == nil {
		return
	}
	day, known := p.birthday(ctx, r, b)
	if !known {
		r.unknownDay = b.Named(r.turn.Message)
		return
	}
	day = day.AddDays(-b.Before)
	date := message.NewVoice(b.Language, r.now).Birthday("--" + day.String()[len("2006-"):])
	r.turn.Message = r.turn.Message[:b.Start] + b.On + date + r.turn.Message[b.End:]
}

// birthday is the next one that is meant.
func (p *Pipeline) birthday(ctx context.Context, r *run, b ground.Birthday) (day interval.Date, known bool) {
	who := r.celebrating(b)
	patient, cancel := context.WithTimeout(ctx, p.template.anchors.patience)
	defer cancel()
	if w, err := p.ports.Worlds.World(patient, r.turn, r.now, b.Language); err == nil && len(who) == 1 {
		day, known = p.ports.Birthday(patient, w, who[0].ID, r.now)
	}
	if known || b.Own || len(who) > 1 {
		return day, known
	}
	names := append(each(who, func(p meet.Person) string { return strings.Fields(p.Name + " ?")[0] }), b.Name)
	events, _ := p.template.anchors.events(ctx, r.situation, interval.From(r.now, standingAhead))
	if found := agenda.Named(names[0]+" birthday", events); len(found) == 1 && names[0] != "" {
		return interval.DateOf(found[0].Span.Start.In(r.now.Location())), true
	}
	return day, false
}

// celebrating are those whose birthday may be meant: whom the words name, or for a pronoun the only person of the
// message, or else of the event that is being arranged.
func (r *run) celebrating(b ground.Birthday) []meet.Person {
	switch {
	case b.Own:
		return []meet.Person{r.turn.Organizer}
	case b.Name != "":
		return r.contacts.Find(b.Name)
	}
	who := meet.Distinct(meet.Mentioned(r.contacts.Mentions(r.turn.Message)), r.turn.Organizer.ID)
	if search := r.conversation.Search; len(who) == 0 && search != nil {
		who = search.People
	}
	return who
}

// askDay asks when the day is that a new event is to be on.
func (r *run) askDay(ctx context.Context) (meet.Outcome, error) {
	question := &meet.Question{
		Message: r.turn.Message, Day: r.unknownDay, Language: r.understood.Language,
		Text: r.facts().AnchorMissing(meet.CalendarAnchor{Relation: meet.During, Event: r.unknownDay}, false),
	}
	return endWith(ctx, r, meet.Draft{Ending: question})
}

// answerDay returns to the user's earlier message with the day that this one says.
func (in *situation) answerDay(q *meet.Question) {
	r := (when.Setting{Language: q.Language}).Read(in.turn.Message, in.now)
	if len(r.Dates) == 0 || len(r.Entities) != 1 || strings.Contains(in.turn.Message, "?") {
		return
	}
	const little = 3 // words beside the day: "it's on"
	at := r.Entities[0]
	beside := strings.Fields(in.turn.Message[:at.Start] + " " + in.turn.Message[at.End:])
	if len(beside) <= little {
		in.turn.Message = strings.Replace(q.Message, q.Day, in.turn.Message[at.Start:at.End], 1)
	}
}
