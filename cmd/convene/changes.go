package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/notice"
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
	if s.MailHold < 0 {
		return nil, misuse{fmt.Errorf("--mail-hold: %s is no time for which mail can wait", s.MailHold)}
	}
	for what, book := range books {
		writers[what] = writer.Writer{Book: book}
	}
	writers[meet.NoteThing] = indexing{writer.Writer{Book: books[meet.NoteThing]}, notes}
	return change.New(change.Config{
		Records: noting{store.Changes(), store.Runs()}, Writers: writers, Expire: s.ChangesExpire, Hold: s.MailHold,
		Late: unsent(store.Notices(), s.clock()),
	}), nil
}

// unsent tells people of mail that was held and not sent.
func unsent(
	alarms redisstore.Notices, now func() time.Time,
) func(context.Context, meet.Person, meet.Change, meet.ChangeResult) error {
	return func(ctx context.Context, owner meet.Person, c meet.Change, r meet.ChangeResult) error {
		sum := sha256.Sum256(c.Deed)
		n := notice.Notice{
			ID: "n_" + hex.EncodeToString(sum[:12]), Kind: notice.Mail, Title: meet.Caption(c.Title + ": " + r.Reason),
			Due: now().UTC(),
		}
		return alarms.Set(ctx, notice.Alarm{Person: owner.ID, Thing: n.ID, Due: n.Due, Notice: n})
	}
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
