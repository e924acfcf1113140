package api

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Bounds of a turn's request.
const (
	maxMessage      = 8000 // characters
	maxParticipants = 20
)

// turnRequest is the body of POST /v1/turns.
type turnRequest struct {
	_              struct{} `additionalProperties:"false"`
	Message        string   `json:"message,omitempty" maxLength:"8000" doc:"Required without answer." example:"Let's grab coffee with Al next week"`
	ConversationID string   `json:"conversationId,omitempty" doc:"Continues an earlier conversation. Left out, a new one begins."`
	// Answer stands in place of a message.
	Answer raw[answerRequest] `json:"answer,omitzero" doc:"Answers the choices that an earlier turn of the conversation showed, in place of a message."`
	TurnOptions
}

// answerRequest chooses an option.
type answerRequest struct {
	_      struct{} `additionalProperties:"false"`
	ID     string   `json:"id" doc:"The id of the choices." example:"q_1"`
	Option string   `json:"option" doc:"The id of the option." example:"1"`
}

// TurnOptions are the members of a turn's request besides its message and conversation, also in other protocols. The
// name is exported because huma describes only exported embedded structs.
type TurnOptions struct {
	Organizer    personOrID                 `json:"organizer,omitzero" doc:"Who asks. Left out, the only person as whom the caller may ask: the only stored one, or the token's; in the demo, me."`
	Participants []personOrID               `json:"participants,omitempty" maxItems:"20" doc:"The others. Left out, the names in the message are looked up among the organizer's contacts."`
	Timezone     string                     `json:"timezone,omitempty" doc:"IANA zone of the times in the message. Left out, the organizer's, or UTC if that is not known." example:"America/Los_Angeles"`
	Availability []raw[availabilityRequest] `json:"availability,omitempty" doc:"Replaces the calendars of the people it names: people in this request, and stored people whom the message names. It is for this turn only: give it again with every message."`
	AutoConfirm  bool                       `json:"autoConfirm,omitempty" doc:"Books without asking, if everyone's calendar was read and is free, time and place are as asked for, and nothing is in doubt."`
}

// availabilityRequest is when one person is busy; all other time is free.
type availabilityRequest struct {
	_      struct{}           `additionalProperties:"false"`
	Person string             `json:"person" doc:"The id of a stored person or of one in this request; for a person given inline without an id, the email or the name."`
	Busy   []raw[spanRequest] `json:"busy" doc:"All other time counts as free."`
}

type spanRequest struct {
	_     struct{} `additionalProperties:"false"`
	Start string   `json:"start" format:"date-time"`
	End   string   `json:"end" format:"date-time"`
}

// personOrID is the id of a stored person, or a person given inline.
type personOrID struct{ raw[personRequest] }

// Schema allows both.
func (personOrID) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeString, Description: "The id or the email address of a stored person."},
		r.Schema(reflect.TypeFor[personRequest](), true, ""),
	}}
}

// turn checks a request and finds its people. Every fault names the field that is wrong.
func (s *Server) turn(ctx context.Context, in turnRequest) (t meet.Turn, err error) {
	t = meet.Turn{
		Conversation: meet.ConversationID(in.ConversationID), Timezone: in.Timezone,
		AutoConfirm: in.AutoConfirm, ReceivedAt: s.cfg.Now(),
	}
	if t.Answer, err = in.answer(); err != nil {
		return t, err
	}
	if t.Answer == nil {
		if t.Message, err = message(in.Message); err != nil {
			return t, err
		}
	}
	if in.AutoConfirm {
		if err := MayConfirm(ctx); err != nil {
			return t, err
		}
	}
	if in.ConversationID != "" && !meet.IsID(in.ConversationID) {
		return t, fault.Invalid("conversationId", "is not the id of a conversation")
	}
	if err := converse(ctx, &t); err != nil {
		return t, err
	}
	if err := checkZone("timezone", in.Timezone); err != nil {
		return t, err
	}
	people := s.roster(ctx, in)
	defer people.close()
	if t.Organizer, err = people.organizer(ctx, in.Organizer, s.cfg.Organizer); err != nil {
		return t, err
	}
	if t.Participants, err = people.participants(ctx, in.Participants, t.Organizer); err != nil {
		return t, err
	}
	t.Availability, err = people.availability(ctx, in.Availability, append([]meet.Person{t.Organizer}, t.Participants...))
	return t, err
}

// organizer returns who asks. By default that is the only person as whom the caller may ask or, for unbound callers in
// the first tenant, the usual one.
func (r *roster) organizer(ctx context.Context, given personOrID, usual meet.PersonID) (meet.Person, error) {
	caller := auth.CallerOf(ctx)
	if given.given() {
		return r.person(ctx, given, "organizer", caller.MayOrganize)
	}
	all, err := r.all()
	if err != nil {
		return meet.Person{}, err
	}
	var may []meet.Person
	for _, p := range all {
		if caller.MayOrganize(p.ID) {
			may = append(may, p)
		}
	}
	if len(may) == 1 {
		return may[0], nil
	}
	i := slices.IndexFunc(may, func(p meet.Person) bool { return p.ID == usual })
	if i >= 0 && !caller.Bound() && meet.TenantOf(ctx) == "" {
		return may[i], nil
	}
	return meet.Person{}, fault.Invalid("organizer",
		"is missing: the id of a stored person, or a person as an object with a name")
}

// answer is the option that the request chooses; nil if it has a message.
func (in turnRequest) answer() (*meet.ChoiceAnswer, error) {
	if !in.Answer.given() {
		return nil, nil
	}
	a, err := in.Answer.decode("answer")
	switch {
	case err != nil:
		return nil, err
	case in.Message != "":
		return nil, fault.Invalid("message", "must be left out beside answer")
	case in.ConversationID == "":
		return nil, fault.Invalid("conversationId", "is missing: the conversation whose choices are answered")
	case !meet.IsID(a.ID):
		return nil, fault.Invalid("answer.id", "is not the id of choices")
	case !meet.IsID(a.Option):
		return nil, fault.Invalid("answer.option", "is not the id of an option")
	}
	return &meet.ChoiceAnswer{ID: a.ID, Option: a.Option}, nil
}

func message(text string) (string, error) {
	text = strings.TrimSpace(text)
	visible := func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
	switch {
	case !strings.ContainsFunc(text, visible):
		return "", fault.Invalid("message", "is empty: say what you would like to arrange")
	case utf8.RuneCountInString(text) > maxMessage:
		return "", &fault.Error{
			Code: fault.TooLarge, Field: "message", Message: fmt.Sprintf("is too long: at most %d characters are read",
				maxMessage),
		}
	}
	return text, nil
}

// person returns a stored person by id or by email address, or the one given inline. may says which stored people the
// caller may name here; all others are not found.
func (r *roster) person(
	ctx context.Context, p personOrID, path string, may func(meet.PersonID) bool,
) (meet.Person, error) {
	if !strings.HasPrefix(string(p.RawMessage), `"`) {
		return r.guest(ctx, p, path, may)
	}
	id, err := unquote(p.RawMessage, path)
	if err != nil {
		return meet.Person{}, err
	}
	if !meet.IsID(id) {
		return meet.Person{}, fault.Invalid(path, "is not the id of a person")
	}
	found, err := r.named(ctx, meet.PersonID(id), may)
	if fault.CodeOf(err) == fault.NotFound {
		return found, fault.Invalid(path, "there is no person with the id %q; store the person first, or give them as an "+
			"object with a name", id)
	}
	return found, err
}

// guest returns a person given as an object.
func (r *roster) guest(
	ctx context.Context, given personOrID, path string, may func(meet.PersonID) bool,
) (meet.Person, error) {
	if !strings.HasPrefix(string(given.RawMessage), "{") {
		return meet.Person{}, fault.Invalid(path, "must be the id of a stored person, or a person as an object with a name")
	}
	request, err := given.decode(path)
	if err != nil {
		return meet.Person{}, err
	}
	p, err := request.inline(path)
	if err != nil {
		return meet.Person{}, err
	}
	if p, err = r.recognized(p); err != nil {
		return meet.Person{}, err
	}
	return p, checkGuest(auth.CallerOf(ctx), meet.PersonID(request.ID), p.ID, may, path)
}

// recognized returns p under the id of the stored person with the same email, because two ids would let one person be
// booked twice at the same time. Members that the request leaves out are those of the stored person.
func (r *roster) recognized(p meet.Person) (meet.Person, error) {
	if p.Email == "" || !strings.HasPrefix(string(p.ID), inlinePrefix) {
		return p, nil
	}
	all, err := r.all()
	if err != nil {
		return meet.Person{}, err
	}
	i := slices.IndexFunc(all, func(stored meet.Person) bool { return strings.EqualFold(stored.Email, p.Email) })
	if i < 0 {
		return p, nil
	}
	stored := all[i]
	p.ID = stored.ID
	p.Timezone = cmp.Or(p.Timezone, stored.Timezone)
	p.CalendarType = cmp.Or(p.CalendarType, stored.CalendarType)
	p.BookingLink = cmp.Or(p.BookingLink, stored.BookingLink)
	p.Location = cmp.Or(p.Location, stored.Location)
	p.Office = cmp.Or(p.Office, stored.Office)
	p.WorkingHours = cmp.Or(p.WorkingHours, stored.WorkingHours)
	return p, nil
}

func (r *roster) participants(ctx context.Context, given []personOrID, organizer meet.Person) ([]meet.Person, error) {
	if len(given) > maxParticipants {
		return nil, fault.Invalid("participants", "are too many: at most %d people can take part beside the organizer",
			maxParticipants)
	}
	var people []meet.Person
	for i, g := range given {
		path := fmt.Sprintf("participants[%d]", i)
		if !g.given() {
			return nil, fault.Invalid(path, "is missing: the id of a stored person, or a person as an object with a name")
		}
		p, err := r.person(ctx, g, path, auth.CallerOf(ctx).MayInvite)
		if err != nil {
			return nil, err
		}
		guest := guestOf(organizer, p)
		for _, other := range append([]meet.Person{organizer}, people...) {
			if p.ID == other.ID || guest.ID == other.ID || p.Email != "" && strings.EqualFold(p.Email, other.Email) {
				return nil, fault.Invalid(path, "%s takes part already", other.Name)
			}
		}
		people = append(people, guest)
	}
	return people, nil
}

// availability reads when people are busy: those in the request, and stored people, whom the message may name.
func (r *roster) availability(
	ctx context.Context, given []raw[availabilityRequest], people []meet.Person,
) ([]meet.GivenAvailability, error) {
	var list []meet.GivenAvailability
	seen := map[meet.PersonID]bool{}
	for i, g := range given {
		path := fmt.Sprintf("availability[%d]", i)
		in, err := g.decode(path)
		if err != nil {
			return nil, err
		}
		if in.Busy == nil {
			return nil, fault.Invalid(path+".busy", "is missing: when the person is busy; an empty list means never")
		}
		busy, err := spans(in.Busy, path+".busy")
		if err != nil {
			return nil, err
		}
		id, err := r.whose(ctx, in.Person, people, path+".person")
		if err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, fault.Invalid(path+".person", "has been given already")
		}
		seen[id] = true
		list = append(list, meet.GivenAvailability{Person: id, Busy: busy})
	}
	return list, nil
}

// whose returns the person of the request that who names, or the stored one with that id.
func (r *roster) whose(ctx context.Context, who string, people []meet.Person, path string) (meet.PersonID, error) {
	unknown := fault.Invalid(path, "is neither one of the people in this request nor the id of a stored person")
	caller := auth.CallerOf(ctx)
	if id, ok := among(people, who); ok && maySpeakFor(caller, id) {
		return id, nil
	}
	if !meet.IsID(who) || !maySpeakFor(caller, meet.PersonID(who)) {
		return "", unknown
	}
	stored, err := r.stored(ctx, meet.PersonID(who))
	if fault.CodeOf(err) == fault.NotFound {
		return "", unknown
	}
	return stored.ID, err
}

// among finds a person by id, or by an email or a name that is unique among them.
func among(people []meet.Person, who string) (meet.PersonID, bool) {
	var found []meet.PersonID
	for _, p := range people {
		if string(p.ID) == who {
			return p.ID, true
		}
		if who != "" && (strings.EqualFold(p.Email, who) || strings.EqualFold(p.Name, who)) {
			found = append(found, p.ID)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

func spans(given []raw[spanRequest], path string) ([]interval.Span, error) {
	list := []interval.Span{}
	for i, g := range given {
		at := fmt.Sprintf("%s[%d]", path, i)
		in, err := g.decode(at)
		if err != nil {
			return nil, err
		}
		start, err := moment(in.Start, at+".start")
		if err != nil {
			return nil, err
		}
		end, err := moment(in.End, at+".end")
		if err != nil {
			return nil, err
		}
		if !start.Before(end) {
			return nil, fault.Invalid(at+".end", "must be after start")
		}
		list = append(list, interval.Span{Start: start, End: end})
	}
	return list, nil
}

func moment(s, path string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fault.Invalid(path, "must be a time with an offset, as 2026-03-10T14:00:00-07:00")
	}
	return t, nil
}
