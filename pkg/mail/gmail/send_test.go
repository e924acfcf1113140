package gmail_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account/google/gatetest"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/mailtest"
)

// letter is a mail of the owner's to Al.
func letter(fields ...string) mail.Envelope {
	head := append([]string{
		"From: Dana Levi <dana@example.com>", "To: Al <al@example.com>", "Subject: Re: Offer",
		"Date: Mon, 23 Nov 2026 08:00:00 +0000", "Message-ID: <own-1@example.com>",
	}, fields...)
	content := strings.Join(head, "\r\n") + "\r\n\r\nFine.\r\n"
	return mail.Envelope{From: address, To: []string{"al@example.com"}, Content: []byte(content)}
}

// send sends a letter from another process, and tells how often it committed.
func (w *world) send(t *testing.T, e mail.Envelope) (commits int, err error) {
	t.Helper()
	d := mail.Directory{Providers: []mail.Provider{w.provider()}}
	home, err := d.Home(t.Context(), mailtest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	err = home.Sender.Send(t.Context(), e, func() error {
		commits++
		return nil
	})
	return commits, err
}

// among are the subjects of the sent mails with the letter's own Message-ID, as another process sees them.
func (w *world) among(t *testing.T) (list []string) {
	t.Helper()
	q := mail.Query{Folders: []mail.Folder{mail.Sent}, MessageIDs: []string{"own-1@example.com"}}
	page, err := w.provider().List(t.Context(), mailtest.Owner(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range page.Mails {
		list = append(list, m.Subject)
	}
	return list
}

// A letter is sent once, in the conversation that it answers; it is found under its own Message-ID, although Gmail
// gives it another, and neither filed nor sent again.
func TestALetterIsSentOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(t, mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	for i := range 3 {
		commits, err := w.send(t, letter("In-Reply-To: <0@example.org>", "References: <0@example.org>"))
		if err != nil || commits != 1-min(i, 1) {
			t.Fatalf("attempt %d: %d commits, %v", i, commits, err)
		}
	}
	p := w.provider()
	content := letter().Content
	if _, err := p.Add(t.Context(), mailtest.Owner(), content, mail.State{Folder: mail.Sent, Read: true}); err != nil {
		t.Fatal(err)
	}
	if got := w.box.With("SENT"); len(got) != 1 || len(w.among(t)) != 1 {
		t.Errorf("sent: %v, found %v", got, w.among(t))
	}
	if threads := w.box.Threads(); len(threads) != 2 || threads[0] != threads[1] {
		t.Errorf("threads: %v", threads)
	}
}

// What becomes of a letter whose sending goes wrong: a fault says that it was not sent, any other error that this is
// not known. It is never sent again by itself, and one that was sent is found.
func TestALetterThatGoesWrong(t *testing.T) {
	t.Parallel()
	const path = "/messages/send"
	fail := func(n int, answer http.HandlerFunc) func(*world) {
		return func(w *world) { w.Fail(n, "POST", path, answer) }
	}
	lose := func(n int, answer http.HandlerFunc) func(*world) {
		return func(w *world) { w.Lose(n, "POST", path, answer) }
	}
	for name, tt := range map[string]struct {
		spoil func(*world)
		known bool // that it was not sent
		sent  int
		calls int
	}{
		"lost on the way":      {fail(1, gatetest.Cut()), false, 0, 1},
		"its answer is lost":   {lose(1, gatetest.Cut()), false, 1, 1},
		"a gateway fails":      {lose(1, gatetest.Refusal(502, "backendError")), false, 1, 1},
		"Google fails":         {fail(1, gatetest.Refusal(500, "backendError")), false, 0, 1},
		"it is refused":        {fail(9, gatetest.Refusal(400, "invalidArgument")), true, 0, 1},
		"too many for the day": {fail(9, gatetest.Refusal(403, "dailyLimitExceeded")), true, 0, 1},
		"no answer but a page": {func(w *world) {
			w.Lose(1, "POST", path, func(rw http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(rw, "<p>Log in") })
		}, false, 1, 1},
		"its token has expired": {fail(1, gatetest.Refusal(401, "authError")), true, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.spoil(w)
			commits, err := w.send(t, letter())
			_, isFault := errors.AsType[*fault.Error](err)
			if name != "its token has expired" && (err == nil || commits != 1 || isFault != tt.known) {
				t.Errorf("%d commits, %v; want to know that it was not sent: %v", commits, err, tt.known)
			}
			if got := w.box.With("SENT"); len(got) != tt.sent || len(w.among(t)) != tt.sent {
				t.Errorf("sent %v, and found %v", got, w.among(t))
			}
			if got := w.Count("POST messages/send"); got != tt.calls {
				t.Errorf("Gmail was asked %d times to send it", got)
			}
			if tt.sent > 0 {
				if commits, err := w.send(t, letter()); err != nil || commits != 0 || len(w.box.With("SENT")) != tt.sent {
					t.Errorf("a repeat of what was sent: %d commits, %v, %v", commits, err, w.box.With("SENT"))
				}
			}
		})
	}
}

// A limit of Gmail's is waited for; what it says has not been done.
func TestALetterWaitsForALimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(1, "POST", "/messages/send", gatetest.Refusal(429, "rateLimitExceeded"))
	if _, err := w.send(t, letter()); err != nil || len(w.box.With("SENT")) != 1 {
		t.Errorf("%v, sent %v", err, w.box.With("SENT"))
	}
}

// Nothing is sent to others than were confirmed, from an address that Gmail would replace, or after a commit that
// fails.
func TestALetterThatIsNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere, stranger, alias := letter(), letter(), letter()
	elsewhere.To = append(elsewhere.To, "eve@example.com")
	stranger.From, alias.From = "dana@home.example", "dana@work.example"
	more := letter("Cc: eve@example.com")
	for name, e := range map[string]mail.Envelope{"a recipient": elsewhere, "a copy": more, "a sender": stranger} {
		if commits, err := w.send(t, e); commits != 0 || !errors.As(err, new(*fault.Error)) {
			t.Errorf("%s that Gmail would not take so: %d commits, %v", name, commits, err)
		}
	}
	sender, err := w.provider().Outgoing(t.Context(), mailtest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	no := errors.New("it is not recorded")
	if err := sender.Send(t.Context(), letter(), func() error { return no }); !errors.Is(err, no) {
		t.Errorf("a commit that fails: %v", err)
	}
	if got := w.Count("POST messages/send"); got != 0 {
		t.Errorf("%d letters were sent", got)
	}
	if _, err := w.send(t, alias); err != nil {
		t.Errorf("an address of the owner's: %v", err)
	}
}

// A draft is kept once, found under its own Message-ID, thrown away and brought back.
func TestADraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	drafts := mail.State{Folder: mail.Drafts, Read: true}
	ids := map[string]bool{}
	for range 2 {
		id, err := w.provider().Add(t.Context(), mailtest.Owner(), letter().Content, drafts)
		if err != nil {
			t.Fatal(err)
		}
		ids[id] = true
	}
	if len(ids) != 1 || len(w.box.With("DRAFT")) != 1 {
		t.Errorf("kept as %v: %v", ids, w.box.With("DRAFT"))
	}
	for id := range ids {
		a := mail.Amendment{Key: "k", ID: id, Provider: "gmail", From: drafts, To: mail.State{Folder: mail.Trash, Read: true}}
		for _, a := range []mail.Amendment{a, a.Back()} {
			if now, err := w.provider().Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
				t.Errorf("to %s: %+v, %v", a.To.Folder, now, err)
			}
		}
		a.To.Folder = mail.Archive
		if _, err := w.provider().Apply(t.Context(), mailtest.Owner(), a); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("a draft in the archive: %v", err)
		}
	}
	if diff := cmp.Diff([]string{"Re: Offer"}, w.box.With("DRAFT")); diff != "" || len(w.box.With("TRASH")) > 0 {
		t.Errorf("%s in the trash: %v", diff, w.box.With("TRASH"))
	}
}
