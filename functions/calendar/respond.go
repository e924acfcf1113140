package calendar

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

//go:embed respond.md
var respondWords string

type answering struct {
	Selection agenda.Selection `json:"selection"`
	EmailID   *string          `json:"emailId" jsonschema:"nullable"`
	Answer    string           `json:"answer" jsonschema:"enum=accepted,enum=declined,enum=tentative"`
	Scope     *string          `json:"scope" jsonschema:"nullable,enum=this,enum=all"`
}

// Respond answers invitations, of calendars and of mails.
func Respond() world.Tool {
	return world.Define("calendar_respond", world.WithSelection(respondWords), changes(meet.UpdateResource), respond)
}

func respond(ctx context.Context, w *world.World, in answering) (answer world.Answer[Changed], err error) {
	if in.EmailID != nil && *in.EmailID != "" {
		is, err := invitationOf(ctx, w, *in.EmailID)
		if err != nil {
			return answer, err
		}
		if is.Standing == nil || !is.Standing.Invited() {
			return respondAlone(ctx, w, is, meet.Answer(in.Answer))
		}
		in.Selection = agenda.Selection{IDs: []string{is.Standing.Key()}}
	}
	found, err := w.Targets(ctx, in.Selection)
	if fault.CodeOf(err) == fault.NotFound {
		is, askErr := amongMails(ctx, w, in.Selection)
		if is != nil {
			return respondAlone(ctx, w, is, meet.Answer(in.Answer))
		}
		err = cmp.Or(askErr, err)
	}
	if err != nil {
		return answer, err
	}
	all := found.Events
	found.Events = slices.DeleteFunc(slices.Clone(all), func(o meet.Occurrence) bool { return !o.Invited() })
	if len(found.Events) == 0 {
		return answer, fault.New(fault.NotFound, "%s", say(w, "noInvitation", "titles", w.Titles(all)))
	}
	var answers []agenda.Amendment
	for _, o := range scoped(in.Selection, in.Scope, found.Events) {
		answers = append(answers, agenda.Amendment{
			Kind: agenda.Respond, Event: o, Scope: scopeOf(o, in.Scope), Answer: meet.Answer(in.Answer),
		})
	}
	return amend(ctx, w, found, answers)
}

// invitationOf is the invitation of a mail that can be answered.
func invitationOf(ctx context.Context, w *world.World, emailID string) (*world.Invitation, error) {
	m, err := w.ReadMail(ctx, emailID)
	if err != nil {
		return nil, err
	}
	is, err := w.InvitationIn(ctx, m)
	switch {
	case err != nil:
		return nil, err
	case is == nil:
		return nil, fault.New(fault.NotFound, "%s", say(w, "invitesNowhere"))
	case is.Cancelled:
		return nil, fault.New(fault.Conflict, "%s", say(w, "calledOff", "titles", w.Titles([]meet.Occurrence{is.Occurrence})))
	}
	return is, nil
}

// amongMails is the invitation in the owner's mail that a selection means; nil if there is none. The error asks which
// of several is meant.
func amongMails(ctx context.Context, w *world.World, s agenda.Selection) (*world.Invitation, error) {
	all, err := w.Invitations(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // without mail there is nothing but the calendar
	}
	span, err := s.Span(w.Scene())
	if err != nil {
		return nil, err
	}
	var events []meet.Occurrence
	for _, is := range all {
		if is.Span.Overlaps(span) {
			events = append(events, is.Occurrence)
		}
	}
	one := true
	s.One = &one
	slices.SortFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	meant, err := s.Select(events, w.Scene())
	if several, ok := errors.AsType[*agenda.AmbiguousError](err); ok {
		return nil, w.Which(several)
	}
	if err != nil || len(meant) != 1 {
		return nil, nil //nolint:nilerr,nilnil // the calendar's own answer tells what is wrong
	}
	return all[meant[0].Key()], nil
}

// usableUID is a UID that may be kept for an event of the owner's own.
var usableUID = regexp.MustCompile(`^[A-Za-z0-9][\w.@+-]{0,200}$`)

// respondAlone answers an invitation that the calendar does not know as one: the event is put there with the answer,
// or follows it. No one is invited to it, so that no calendar writes to the others in the owner's name; and nothing is
// done without asking, because all of it was written by others.
func respondAlone(
	ctx context.Context, w *world.World, is *world.Invitation, said meet.Answer,
) (answer world.Answer[Changed], err error) {
	var made []agenda.Amendment
	switch there := is.Standing; {
	case there == nil && said == meet.Declined:
		return answer, fault.New(fault.NotFound, "%s", say(w, "declineByMail", "names", organizerOf(w, is)))
	case there == nil:
		o := is.Occurrence
		o.Title, o.Location = meet.Caption(o.Title), meet.Caption(o.Location)
		o.Description = strings.TrimSpace(say(w, "invitedBy", "names", organizerOf(w, is)) + "\n\n" + o.Description)
		o.ID, o.Version, o.Organizer, o.Attendees, o.Categories, o.Kind = "", "", nil, nil, nil, ""
		if o.Tentative = said == meet.Undecided; !usableUID.MatchString(o.UID) {
			o.UID = ""
		}
		if err := w.Shelve(ctx, &o); err != nil {
			return answer, err
		}
		made = []agenda.Amendment{{Kind: agenda.Create, Event: o}}
	case said == meet.Declined:
		made = []agenda.Amendment{{Kind: agenda.Delete, Event: *there, Scope: scopeOf(*there, nil)}}
	default:
		span := is.Span
		made = []agenda.Amendment{{
			Kind: agenda.Update, Event: *there, Scope: scopeOf(*there, nil), Set: agenda.Fields{Span: &span},
		}}
	}
	answer, err = amend(ctx, w, world.Found{}, made)
	for i := range answer.Changes {
		answer.Changes[i].Class = meet.R2
	}
	if len(answer.Changes) > 0 {
		answer.Description = strings.TrimSpace(answer.Description + " " + say(w, "notHeard", "names", organizerOf(w, is)))
		if is.Elsewhere {
			answer.Description += " " + w.Say("notOrganizer")
		}
	}
	return answer, err
}

// organizerOf is who invites, in words.
func organizerOf(w *world.World, is *world.Invitation) string {
	if is.Organizer == nil {
		return say(w, "organizer")
	}
	return w.Voice().Title(nameOf(*is.Organizer))
}
