package main

import (
	"context"
	"errors"
	"fmt"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/record"
	"convene/pkg/record/writer"
	"convene/pkg/redisstore"
)

// changes is the desk of change sets, with the writers of what is not kept in books. Sets expire by the real clock even
// with --now: people wait in real time.
func (s settings) changes(
	store *redisstore.Store, writers map[meet.ChangeWhat]change.Writer, books map[meet.ChangeWhat]record.Book,
	notes note.Index,
) (*change.Desk, error) {
	if s.ChangesExpire < 0 {
		return nil, misuse{fmt.Errorf("--changes-expire: %s is no time in which anything can be confirmed", s.ChangesExpire)}
	}
	for what, book := range books {
		writers[what] = writer.Writer{Book: book}
	}
	writers[meet.NoteThing] = indexing{writer.Writer{Book: books[meet.NoteThing]}, notes}
	return change.New(change.Config{Records: store.Changes(), Writers: writers, Expire: s.ChangesExpire}), nil
}

// amender says in words for a person that there is no calendar.
type amender struct{ events.Amender }

func (a amender) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	list, err := a.Amender.Events(ctx, person, span)
	return list, inWords(err)
}

func (a amender) Apply(ctx context.Context, person meet.Person, of agenda.Amendment) (agenda.Amended, error) {
	done, err := a.Amender.Apply(ctx, person, of)
	return done, inWords(err)
}

func inWords(err error) error {
	if errors.Is(err, calendar.ErrNoCalendar) {
		return fault.New(fault.CalendarFailed, "No calendar is connected that could be changed.").Because(err)
	}
	return err
}
