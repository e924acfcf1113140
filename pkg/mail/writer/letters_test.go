package writer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/change/changetest"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/mailtest"
	"convene/pkg/mail/smtp"
	"convene/pkg/mail/smtp/smtptest"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

var at = time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)

// written is a letter of the owner's.
func written(key string, to ...string) mail.Letter {
	l := mail.Letter{
		Key: key, Provider: eml.Name, Folder: mail.Sent, MessageID: key + "@example.com", Date: at,
		From: mail.Address{Name: "Dana Levi", Email: "dana@example.com"}, Subject: "Offer", Text: "Fine.",
	}
	for _, email := range to {
		l.To = append(l.To, mail.Address{Email: email})
	}
	return l
}

func changeOf(t *testing.T, l mail.Letter) meet.Change {
	t.Helper()
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	c, err := l.Change()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shelves are the stores of several people.
type shelves map[meet.PersonID]recordtest.Shelf

func (s shelves) Entries(ctx context.Context, p meet.PersonID) (map[string]record.Entry, error) {
	return s[p].Entries(ctx, p)
}

func (s shelves) Replace(
	ctx context.Context, p meet.PersonID, id string, before, after record.Entry,
) (bool, error) {
	if s[p] == nil {
		s[p] = recordtest.Shelf{}
	}
	return s[p].Replace(ctx, p, id, before, after)
}

var bea = meet.Person{ID: "bea", Name: "Bea", Email: "bea@example.net"}

// office is a writer over the mailboxes of the owner, who got a mail with an attachment and has a draft, and of Bea.
func office(out mail.Sender) (Writer, mail.Directory) {
	parts := mailtest.Written(0, "al@example.com", "Offer",
		"--b\r\n\r\nSee the plan.\r\n--b\r\nContent-Type: application/pdf\r\n"+
			"Content-Disposition: attachment; filename=\"plan.pdf\"\r\n\r\nxyz\r\n--b--",
		"MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b")
	draft := mailtest.Written(1, "dana@example.com", "Later", "Not yet")
	files := func() ([]eml.File, error) {
		return []eml.File{
			{ID: "1", Folder: mail.Inbox, Content: []byte(parts.Content)},
			{ID: "2", Folder: mail.Drafts, Content: []byte(draft.Content)},
		}, nil
	}
	none := func() ([]eml.File, error) { return nil, nil }
	d := mail.Directory{
		Providers: []mail.Provider{eml.New(record.Book{Store: shelves{}}, shelves{},
			map[meet.PersonID]eml.Mailbox{mailtest.Owner().ID: files, bea.ID: none})},
		Outgoing: func(context.Context, meet.Person) (mail.Sender, error) {
			if out == nil {
				return nil, mail.ErrNotConnected
			}
			return out, nil
		},
	}
	return Writer{Mails: d, Local: func(_ context.Context, email string) ([]meet.Person, error) {
		known := []meet.Person{bea, mailtest.Owner()}
		return slices.DeleteFunc(known, func(p meet.Person) bool { return p.Email != email }), nil
	}}, d
}

// in are the mails of a folder, by their subjects and identifiers.
func in(t *testing.T, d mail.Directory, p meet.Person, f mail.Folder) (list []string) {
	t.Helper()
	page, err := d.List(t.Context(), p, mail.Query{Folders: []mail.Folder{f}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range page.Mails {
		list = append(list, m.Subject+" "+m.MessageID)
	}
	return list
}

func never() error { return errors.New("there is nothing to commit to") }

// Without a server a letter goes to the mailboxes that are here, and among the sent ones; each once, however often it
// is sent. The draft that it was goes to the trash.
func TestALetterStaysHere(t *testing.T) {
	t.Parallel()
	w, d := office(nil)
	l := written("a", bea.Email, "stranger@elsewhere.example")
	l.Draft = "2"
	c := changeOf(t, l)
	if outcome, _, _ := w.Look(t.Context(), mailtest.Owner(), c); outcome != meet.ChangeUnknown {
		t.Errorf("before: %s", outcome)
	}
	for range 3 {
		if err := w.Send(t.Context(), mailtest.Owner(), c, never); err != nil {
			t.Fatal(err)
		}
	}
	if outcome, _, _ := w.Look(t.Context(), mailtest.Owner(), c); outcome != meet.ChangeDone {
		t.Errorf("after: %s", outcome)
	}
	for folder, want := range map[mail.Folder][]string{
		mail.Sent: {"Offer a@example.com"}, mail.Drafts: nil, mail.Trash: {"Later 1@example.org"},
	} {
		if diff := cmp.Diff(want, in(t, d, mailtest.Owner(), folder)); diff != "" {
			t.Errorf("%s: %s", folder, diff)
		}
	}
	if diff := cmp.Diff([]string{"Offer a@example.com"}, in(t, d, bea, mail.Inbox)); diff != "" {
		t.Error(diff)
	}
}

// With a server a letter goes there whole, with the attachments that were shown, and among the sent ones.
func TestALetterLeaves(t *testing.T) {
	t.Parallel()
	sink := (&smtptest.Sink{Implicit: true}).Start(t)
	out, err := smtp.New(smtp.Config{Server: sink.URL(), Private: true, TLS: sink.Trust()})
	if err != nil {
		t.Fatal(err)
	}
	w, d := office(out)
	files, err := d.Files(t.Context(), mailtest.Owner(), "1")
	if err != nil || len(files) != 1 {
		t.Fatalf("%+v, %v", files, err)
	}
	l := written("a", "al@example.com", bea.Email)
	l.CC, l.Enclosures = []mail.Address{{Name: "Al", Email: "AL@example.com"}}, []mail.Enclosure{files[0].Enclosure("1")}
	commits := 0
	commit := func() error {
		commits++
		return nil
	}
	if err := w.Send(t.Context(), mailtest.Owner(), changeOf(t, l), commit); err != nil || commits != 1 {
		t.Fatalf("%v, %d commits", err, commits)
	}
	got := sink.Got()
	if len(got) != 1 || strings.Join(got[0].To, " ") != "al@example.com bea@example.net" {
		t.Fatalf("got %+v", got)
	}
	sent, err := mail.Files(strings.NewReader(got[0].Content))
	if err != nil || len(sent) != 1 || sent[0].Name != "plan.pdf" || string(sent[0].Content) != "xyz" {
		t.Errorf("attached: %+v, %v", sent, err)
	}
	if len(in(t, d, mailtest.Owner(), mail.Sent)) != 1 || len(in(t, d, bea, mail.Inbox)) != 0 {
		t.Error("it is not among the sent mails alone")
	}
	l.Enclosures[0].Sum = "0"
	if _, err := w.Standing(t.Context(), mailtest.Owner(), changeOf(t, l)); fault.CodeOf(err) != mail.ChangedCode {
		t.Errorf("another attachment than was shown: %v", err)
	}
}

// A draft is kept once, and taken back into the trash.
func TestADraft(t *testing.T) {
	t.Parallel()
	w, d := office(nil)
	l := written("a")
	l.Folder = mail.Drafts
	c := changeOf(t, l)
	for range 2 {
		if _, err := w.Write(t.Context(), mailtest.Owner(), c); err != nil {
			t.Fatal(err)
		}
	}
	if got := in(t, d, mailtest.Owner(), mail.Drafts); len(got) != 2 || c.Kind != meet.CreateThing {
		t.Fatalf("drafts: %v", got)
	}
	back, err := w.Inverse(t.Context(), mailtest.Owner(), c, change.Written{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(t.Context(), mailtest.Owner(), back)
	if err != nil || len(in(t, d, mailtest.Owner(), mail.Trash)) != 1 {
		t.Errorf("taken back: %v", err)
	}
}

// What a letter is sent as says what was shown, whatever it says, and is the same each time.
func TestWhatIsSentIsWhatWasShown(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"Hello", "שלום", "é", " ", "\n", "\n\n", ">", "> quoted", ".", "\"", "<x@y.example>", ",", ";", "=?utf-8?q?x?=", "=",
		"From the start", "\t", "\r\n", "😀", "On 1 Nov 2026 Al wrote:", strings.Repeat("long ", 40), strings.Repeat("x", 300),
		"\x00", "\u202e", "--convene", "Bcc: eve@example.com",
	}
	text := func(r *rand.Rand, n int) (s string) {
		for range r.IntN(n) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a property test
		l := written(fmt.Sprint("k", seed))
		l.Subject, l.Text = text(r, 6), "a"+text(r, 20)+"z"
		l.From.Name = text(r, 3)
		for i := range 1 + r.IntN(4) {
			a := mail.Address{Name: text(r, 4), Email: fmt.Sprintf("p%d@example.com", i)}
			l.To, l.CC = append(l.To, a), append(l.CC, mail.Address{Email: fmt.Sprintf("c%d@example.com", i)})
			l.References = append(l.References, fmt.Sprintf("%d.%s@example.org", i, strings.Repeat("r", 40)))
		}
		l.InReplyTo, l.ForwardOf, l.Automatic = l.References[0], "f@example.org", r.IntN(2) == 0
		l = l.Tidied()
		if l.Check() != nil {
			continue
		}
		c := changeOf(t, l)
		pdf := mail.Part{Name: "a b.pdf", Type: "application/pdf", Size: 5}
		files := []mail.File{{Part: pdf, Content: []byte("\x00\r\n.\n")}}
		one, err := compose(l, files)
		two, again := compose(l, files)
		if err != nil || again != nil || !bytes.Equal(one, two) {
			t.Fatalf("seed %d: %v, %v, the same: %v", seed, err, again, bytes.Equal(one, two))
		}
		got, err := mail.Decode(bytes.NewReader(one))
		if err != nil {
			t.Fatal(err)
		}
		m := got.Mail.Listed()
		m.State, m.Provider, m.Preview = l.Mail().State, l.Provider, ""
		subject, text := readAlone(t, one)
		m.HasAttachments, m.Subject = false, subject
		want := l.Mail()
		want.Preview, want.References = "", l.References
		if diff := cmp.Diff(want, m, cmp.Comparer(captioned)); diff != "" {
			t.Errorf("seed %d: %s\n%s", seed, diff, one)
		}
		if text != l.Text {
			t.Errorf("seed %d: says %q, shown %q", seed, text, l.Text)
		}
		var shown struct{ Body string }
		if err := json.Unmarshal(c.After, &shown); err != nil || shown.Body != l.Text {
			t.Errorf("seed %d: shown %q, %v", seed, shown.Body, err)
		}
		attached, err := mail.Files(bytes.NewReader(one))
		if diff := cmp.Diff(files, attached); diff != "" || err != nil {
			t.Errorf("seed %d: %v %s", seed, err, diff)
		}
	}
}

// readAlone reads a mail with another reader: its subject and its first part.
func readAlone(t *testing.T, content []byte) (subject, text string) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	part, err := multipart.NewReader(m.Body, params["boundary"]).NextPart()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(part)
	if err != nil {
		t.Fatal(err)
	}
	return subject, strings.ReplaceAll(string(raw), "\r\n", "\n")
}

// captioned compares addresses as they are shown.
func captioned(a, b mail.Address) bool {
	return a.Is(b.Email) && meet.Caption(a.Name) == meet.Caption(b.Name)
}

// A server that cuts off after the mail leaves it open: that is told, the mail is never sent again, and it is done once
// it is found among the sent ones.
func TestACutAfterTheMailIsTold(t *testing.T) {
	t.Parallel()
	sink := (&smtptest.Sink{Cut: true}).Start(t)
	out, err := smtp.New(smtp.Config{Server: sink.URL(), Private: true})
	if err != nil {
		t.Fatal(err)
	}
	w, d := office(out)
	desk := change.New(change.Config{
		Records: changetest.NewRecords(), Writers: map[meet.ChangeWhat]change.Writer{meet.EmailThing: w},
	})
	l := written("a", "al@example.com")
	set, _, err := desk.Propose(t.Context(), change.Draft{
		Owner: mailtest.Owner(), Key: "turn", Changes: []meet.Change{changeOf(t, l)}, Heard: true, Named: true,
	})
	if err != nil || set.Status != meet.ChangesPending {
		t.Fatalf("%+v, %v", set, err)
	}
	for range 3 {
		applied, err := desk.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		if err != nil || applied.Changes[0].Outcome != meet.ChangeUnknown || applied.Changes[0].Reason == "" {
			t.Errorf("%+v, %v", applied, err)
		}
	}
	_, _, content, err := w.composed(t.Context(), mailtest.Owner(), set.Changes[0])
	shown := strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n"))
	if err != nil || len(sink.Got()) != 1 || strings.TrimSpace(sink.Got()[0].Content) != shown {
		t.Fatalf("%d mails were sent, %v", len(sink.Got()), err)
	}
	sent := mail.State{Folder: mail.Sent, Read: true}
	if _, err := d.Add(t.Context(), mailtest.Owner(), eml.Name, content, sent); err != nil {
		t.Fatal(err)
	}
	if _, _, applied, err := desk.Get(t.Context(), set.ID); err != nil || applied.Changes[0].Outcome != meet.ChangeDone {
		t.Errorf("found: %+v, %v", applied, err)
	}
}
