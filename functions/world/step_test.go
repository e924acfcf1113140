package world_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/agenda/agendatest"
	"convene/pkg/interval"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/task"
)

var now = time.Date(2031, 5, 2, 9, 0, 0, 0, time.UTC)

// owned are the owner's tasks and mails.
type owned struct{ mail.Base }

func (owned) Tasks(context.Context, meet.Person) ([]task.Task, error) {
	return []task.Task{{ID: "t1", Title: "Pay", Provider: "convene"}, {ID: "t2", Title: "Call", Provider: "convene"}}, nil
}

func (owned) Home(context.Context, meet.Person) string { return "convene" }

// box has one mail.
type box struct{ mail.Base }

var letter = mail.Mail{ID: "m1", Provider: "local", Subject: "Hi", State: mail.State{Folder: mail.Inbox}}

func (box) List(context.Context, meet.Person, mail.Query) (mail.Page, error) {
	return mail.Page{Mails: []mail.Mail{letter}, Total: 1}, nil
}

func (box) Read(context.Context, meet.Person, string) (mail.Message, error) {
	return mail.Message{Mail: letter}, nil
}

func newWorld() *world.World {
	event := meet.Occurrence{
		Provider: "local", Calendar: "work", UID: "e1", Title: "Sync", Span: interval.From(now.Add(time.Hour), time.Hour),
	}
	me := meet.Person{ID: "me", Email: "me@example.com"}
	notes := record.Book{Kind: record.Kind{What: meet.NoteThing}, Store: recordtest.Shelf{}}
	return &world.World{
		Now: now, Owner: me, Language: "en", Key: "t_1", Agenda: agenda.NewCopy(agendatest.NewDiary(event), me),
		Tasks: task.NewCopy(owned{}, me, nil), Mail: mail.NewCopy(box{}, me), Preferences: preference.Values{},
		Own: map[meet.ChangeWhat]*record.Copy{meet.NoteThing: notes.NewCopy(me.ID)},
	}
}

// seen is all that a world has.
func seen(t *testing.T, w *world.World) string {
	t.Helper()
	events, err := w.Agenda.Events(t.Context(), interval.Span{Start: now, End: now.AddDate(0, 0, 7)})
	if err != nil {
		t.Fatal(err)
	}
	tasks, _ := w.Tasks.All(t.Context())
	mails, _, _ := w.Mail.All(t.Context(), mail.Query{Folders: []mail.Folder{mail.Inbox, mail.Archive}}, 10)
	notes, err := w.Own[meet.NoteThing].All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.MarshalIndent([]any{events, tasks, mails, notes, w.Preferences}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// What one process changed on its working copy, another makes again of the changes alone, and sees the same. Steps have
// keys of their own.
func TestRedo(t *testing.T) {
	t.Parallel()
	ctx, first := t.Context(), newWorld()
	step := first.Step("s1")
	title := "Planning"
	event, err := step.Agenda.Events(ctx, interval.Span{Start: now, End: now.AddDate(0, 0, 1)})
	if err != nil || len(event) != 1 {
		t.Fatal(event, err)
	}
	tasks, _ := step.Tasks.All(ctx)
	done := tasks[0]
	done.Priority = "high"
	var changes []meet.Change
	add := func(c meet.Change, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, c)
	}
	add(step.Amend(agenda.Amendment{Kind: agenda.Update, Event: event[0], Set: agenda.Fields{Title: &title}}))
	add(step.Amend(agenda.Amendment{Kind: agenda.Create, Event: meet.Occurrence{
		Provider: "local", Calendar: "work", Title: "New", Span: interval.From(now.Add(5*time.Hour), time.Hour),
	}}))
	c, _, _, err := step.AmendTask(ctx, &tasks[0], &done)
	add(c, err)
	c, _, _, err = step.AmendTask(ctx, nil, &task.Task{Title: "Write"})
	add(c, err)
	c, _, _, err = step.AmendTask(ctx, &tasks[1], nil)
	add(c, err)
	c, _, err = step.AmendMail(letter, mail.State{Folder: mail.Archive})
	add(c, err)
	written, err := mail.Letter{
		To: []mail.Address{{Email: "al@example.com"}}, Subject: "Hi", Text: "All fine", Folder: mail.Sent,
	}.Change()
	add(written, err)
	add(step.Keep(ctx, meet.NoteThing, "n1", []byte(`{"text":"x"}`), "x"))
	add(step.Prefer("buffer", []byte(`15`), "Buffer"))
	first.Preferences = step.Preferences

	second := newWorld()
	if err := second.Redo(ctx, changes); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(seen(t, first), seen(t, second)); diff != "" {
		t.Errorf("made again (-first +second):\n%s", diff)
	}
	if seen(t, second) == seen(t, newWorld()) {
		t.Error("nothing was changed")
	}
	var deed struct{ Key string }
	other, err := second.Step("s2").Keep(ctx, meet.NoteThing, "n2", []byte(`{}`), "y")
	if err != nil || json.Unmarshal(other.Deed, &deed) != nil || deed.Key != "t_1-s2-1" {
		t.Errorf("the change of another step has the key %q, %v", deed.Key, err)
	}
}
