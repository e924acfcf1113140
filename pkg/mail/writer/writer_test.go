package writer_test

import (
	"testing"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/mailtest"
	"convene/pkg/mail/writer"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

// opened is a writer over a mailbox with one mail in the inbox.
func opened(t *testing.T) (writer.Writer, mail.Mail) {
	t.Helper()
	offer := mailtest.Written(0, "al@example.com", "Offer", "Hi")
	files := func() ([]eml.File, error) {
		return []eml.File{{ID: "1", Folder: mail.Inbox, Content: []byte(offer.Content)}}, nil
	}
	w := writer.Writer{Mails: mail.Directory{Providers: []mail.Provider{eml.New(
		record.Book{Store: recordtest.Shelf{}}, map[meet.PersonID]eml.Mailbox{mailtest.Owner().ID: files})}}}
	return w, standing(t, w)
}

func standing(t *testing.T, w writer.Writer) mail.Mail {
	t.Helper()
	page, err := w.Mails.List(t.Context(), mailtest.Owner(), mail.Query{IDs: []string{"1"}})
	if err != nil || len(page.Mails) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	return page.Mails[0]
}

// moved is the change that moves a mail.
func moved(t *testing.T, key string, m mail.Mail, to mail.Folder) meet.Change {
	t.Helper()
	a := mail.Amendment{Key: key, ID: m.ID, Provider: m.Provider, From: m.State, To: m.State}
	a.To.Folder = to
	c, err := a.Change(m)
	if err != nil {
		t.Fatal(err)
	}
	c.ID = "1"
	return c
}

func write(t *testing.T, w writer.Writer, c meet.Change) {
	t.Helper()
	if _, err := w.Write(t.Context(), mailtest.Owner(), c); err != nil {
		t.Fatal(err)
	}
}

func TestAChangeIsMadeOnceAndTakenBack(t *testing.T) {
	t.Parallel()
	w, m := opened(t)
	c := moved(t, "a", m, mail.Archive)
	if outcome, _, err := w.Look(t.Context(), mailtest.Owner(), c); outcome != meet.ChangeFailed || err != nil {
		t.Errorf("before: %s, %v", outcome, err)
	}
	for range 2 {
		if fresh, err := w.Standing(t.Context(), mailtest.Owner(), c); fresh != nil || err != nil {
			t.Errorf("Standing: %+v, %v", fresh, err)
		}
		write(t, w, c)
	}
	if outcome, _, _ := w.Look(t.Context(), mailtest.Owner(), c); outcome != meet.ChangeDone {
		t.Errorf("after: %s", outcome)
	}
	back, err := w.Inverse(t.Context(), mailtest.Owner(), c, change.Written{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, back)
	if standing(t, w).Folder != mail.Inbox {
		t.Error("the mail is not back")
	}
	if _, err := w.Inverse(t.Context(), mailtest.Owner(), c, change.Written{}); fault.CodeOf(err) != mail.ChangedCode {
		t.Errorf("a second Inverse: %v", err)
	}
}

// A mail that was moved meanwhile is shown anew, one that was read meanwhile is not; undo leaves what was moved since.
func TestWhatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	w, m := opened(t)
	trash := moved(t, "trash", m, mail.Trash)
	read := mail.Amendment{Key: "read", ID: m.ID, Provider: m.Provider, From: m.State, To: m.State}
	read.To.Read = true
	c, err := read.Change(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, c)
	if fresh, err := w.Standing(t.Context(), mailtest.Owner(), trash); fresh != nil || err != nil {
		t.Errorf("Standing of one that was read: %+v, %v", fresh, err)
	}
	archive := moved(t, "archive", m, mail.Archive)
	write(t, w, archive)
	fresh, err := w.Standing(t.Context(), mailtest.Owner(), trash)
	if err != nil || fresh == nil || fresh.Kind != meet.DeleteThing || fresh.ID != "1" {
		t.Fatalf("Standing of one that was moved: %+v, %v", fresh, err)
	}
	if _, err := w.Write(t.Context(), mailtest.Owner(), trash); fault.CodeOf(err) != mail.ChangedCode {
		t.Errorf("Write of the stale one: %v", err)
	}
	write(t, w, *fresh)
	if now := standing(t, w); now.Folder != mail.Trash || !now.Read {
		t.Errorf("now %+v", now.State)
	}
	_, err = w.Inverse(t.Context(), mailtest.Owner(), archive, change.Written{})
	if fault.CodeOf(err) != mail.ChangedCode {
		t.Errorf("undo of what was moved since: %v", err)
	}
}

func TestTwoChangesOfOneMail(t *testing.T) {
	t.Parallel()
	w, m := opened(t)
	first := moved(t, "1", m, mail.Archive)
	second, err := w.Onto(mailtest.Owner(), moved(t, "2", m, "Clients"), first, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, first)
	write(t, w, second)
	if standing(t, w).Folder != "Clients" {
		t.Error("the second change was not made on the first")
	}
}
