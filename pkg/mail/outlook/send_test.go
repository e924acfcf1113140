package outlook_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/mailtest"
	"convene/pkg/mail/outlook"
)

// letter is a mail of the owner's to Al.
func letter(fields ...string) mail.Envelope {
	return letterOf("text/plain; charset=utf-8", "Fine.", fields...)
}

func letterOf(kind, body string, fields ...string) mail.Envelope {
	head := append([]string{
		"From: Dana Levi <dana@example.com>", "To: Al <al@example.com>", "Subject: Re: Offer of booking.example",
		"Date: Mon, 23 Nov 2026 08:00:00 +0000", "Message-ID: <own-1@example.com>", "Content-Type: " + kind,
	}, fields...)
	content := strings.Join(head, "\r\n") + "\r\n\r\n" + body + "\r\n"
	return mail.Envelope{From: address, To: []string{"al@example.com"}, Content: []byte(content)}
}

// subject is that of the letter.
const subject = "Re: Offer of booking.example"

// send sends a letter from another process, and tells how often it committed.
func (w *world) send(t *testing.T, e mail.Envelope) (commits int, err error) {
	t.Helper()
	return w.sendBy(t, w.provider(t), e)
}

func (w *world) sendBy(t *testing.T, p mail.Provider, e mail.Envelope) (commits int, err error) {
	t.Helper()
	home, err := mail.Directory{Providers: []mail.Provider{p}}.Home(t.Context(), mailtest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	err = home.Sender.Send(t.Context(), e, func() error {
		commits++
		return nil
	})
	return commits, err
}

// among counts the sent mails with the letter's own Message-ID, as another process sees them.
func (w *world) among(t *testing.T) int {
	t.Helper()
	q := mail.Query{Folders: []mail.Folder{mail.Sent}, MessageIDs: []string{"own-1@example.com"}}
	return len(list(t, w.provider(t), q))
}

// fail has the next n requests with a method whose path ends so answered like that, after they have been done if lost.
func (w *world) fail(n int, method, end string, lost bool, answer http.HandlerFunc) {
	var done atomic.Int64
	hook := func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Method != method || !strings.HasSuffix(r.URL.Path, end) || done.Add(1) > int64(n) {
			return false
		}
		answer(rw, r)
		return true
	}
	if lost {
		w.After(hook)
	} else {
		w.Before(hook)
	}
}

func refusal(status int, code string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) { microsofttest.Fail(rw, status, code) }
}

func cut(rw http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(rw).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// count is how many requests have a method, and a path that ends so, since the last time.
func (w *world) count(method, end string) (n int) {
	for _, c := range w.Calls() {
		if c.Method == method && strings.HasSuffix(c.Path, end) {
			n++
		}
	}
	return n
}

// A letter is sent once, as it was confirmed and in the conversation that it answers, whether or not Exchange gives it
// another Message-ID, and however long it takes to be filed. It is neither filed nor sent again.
func TestALetterIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, exchange := range map[string]struct{ renames, slow bool }{
		"it keeps its Message-ID": {false, false}, "it gets another": {true, false}, "it is filed later": {false, true},
		"it gets another later": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.box.Exchange(exchange.renames, exchange.slow)
			w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))
			answer := letter("In-Reply-To: <0@example.org>", "References: <root@example.org>\r\n <0@example.org>",
				"Auto-Submitted: auto-generated")
			p := w.provider(t)
			sent := mail.State{Folder: mail.Sent, Read: true}
			for i := range 3 {
				commits, err := w.sendBy(t, p, answer)
				if err != nil || commits != 1-min(i, 1) {
					t.Fatalf("attempt %d: %d commits, %v", i, commits, err)
				}
				if _, err := p.Add(t.Context(), mailtest.Owner(), answer.Content, sent); err != nil {
					t.Fatal(err)
				}
			}
			w.box.File()
			if commits, err := w.send(t, answer); err != nil || commits != 0 {
				t.Errorf("from another process: %d commits, %v", commits, err)
			}
			if got := w.box.Subjects("sentitems"); w.box.TimesSent() != 1 || len(got) != 1 || w.among(t) != 1 {
				t.Errorf("%d times sent: %v, found %d", w.box.TimesSent(), got, w.among(t))
			}
			fields, properties, _ := w.box.Letter(subject)
			want := map[string]string{
				"String 0x1042": "<0@example.org>", "String 0x1039": "<root@example.org> <0@example.org>",
				"String {00020386-0000-0000-C000-000000000046} Name Auto-Submitted":   "auto-generated",
				"String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneMessageID": "own-1@example.com",
			}
			if diff := cmp.Diff(want, properties); diff != "" || fields["bodyPreview"] != "Fine.\n" {
				t.Errorf("%s says %q", diff, fields["bodyPreview"])
			}
			if drafts := w.box.Subjects("drafts"); len(drafts) != 0 {
				t.Errorf("drafts are left: %v", drafts)
			}
		})
	}
}

// What becomes of a letter whose sending goes wrong: a fault says that it was not sent, any other error that this is
// not known. It is never sent again by itself, and one that was sent is found.
func TestALetterThatGoesWrong(t *testing.T) {
	t.Parallel()
	const many = 9
	for name, tt := range map[string]struct {
		n      int
		lost   bool
		answer http.HandlerFunc
		known  bool // that it was not sent
		sent   int
		calls  int
	}{
		"lost on the way":       {1, false, cut, false, 0, 1},
		"its answer is lost":    {1, true, cut, false, 1, 1},
		"a gateway fails":       {1, true, refusal(502, ""), false, 1, 1},
		"Exchange fails":        {1, false, refusal(500, "ErrorInternalServerError"), false, 0, 1},
		"it is refused":         {many, false, refusal(400, "ErrorInvalidRecipients"), true, 0, 1},
		"it may not be sent so": {many, false, refusal(403, "ErrorSendAsDenied"), true, 0, 1},
		"no answer but a page": {1, true, func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(http.StatusGatewayTimeout)
			_, _ = fmt.Fprint(rw, "<p>Log in")
		}, false, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.fail(tt.n, http.MethodPost, "/send", tt.lost, tt.answer)
			commits, err := w.send(t, letter())
			_, isFault := errors.AsType[*fault.Error](err)
			if err == nil || commits != 1 || isFault != tt.known {
				t.Errorf("%d commits, %v; want to know that it was not sent: %v", commits, err, tt.known)
			}
			if got := w.count(http.MethodPost, "/send"); got != tt.calls {
				t.Errorf("Graph was asked %d times to send it", got)
			}
			if w.box.TimesSent() != tt.sent || w.among(t) != tt.sent {
				t.Errorf("sent %d times, and found %d", w.box.TimesSent(), w.among(t))
			}
			if drafts := w.box.Subjects("drafts"); tt.known && len(drafts) > 0 {
				t.Errorf("drafts are left: %v", drafts)
			}
			if tt.sent > 0 {
				if commits, err := w.send(t, letter()); err != nil || commits != 0 || w.box.TimesSent() != tt.sent {
					t.Errorf("a repeat of what was sent: %d commits, %v, %d", commits, err, w.box.TimesSent())
				}
			}
		})
	}
}

// Before it commits, a letter can be lost at each step: the next attempt sends it once, and leaves no draft.
func TestALetterThatIsInterrupted(t *testing.T) {
	t.Parallel()
	died := errors.New("the process dies")
	for name, tt := range map[string]struct {
		method, end string
		lost        bool
	}{
		"before its draft": {http.MethodPost, "/messages", false}, "after its draft": {http.MethodPost, "/messages", true},
		"at the commit": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if tt.end == "" { // its draft stays, because the process cannot take it away
				w.fail(9, http.MethodDelete, "", false, cut)
				sender, err := w.provider(t).Outgoing(t.Context(), mailtest.Owner())
				if err != nil {
					t.Fatal(err)
				}
				if err := sender.Send(t.Context(), letter(), func() error { return died }); !errors.Is(err, died) {
					t.Fatal(err)
				}
				w.Before(nil)
			} else {
				w.fail(1, tt.method, tt.end, tt.lost, cut)
				if commits, err := w.send(t, letter()); commits != 0 || err == nil {
					t.Fatalf("%d commits, %v", commits, err)
				}
			}
			if commits, err := w.send(t, letter()); commits != 1 || err != nil || w.box.TimesSent() != 1 {
				t.Errorf("%d commits, %v, sent %d times", commits, err, w.box.TimesSent())
			}
			if drafts := w.box.Subjects("drafts"); len(drafts) != 0 || w.among(t) != 1 {
				t.Errorf("drafts are left: %v", drafts)
			}
		})
	}
}

// A limit of Exchange's is waited for, and a token that has expired renewed; what was refused so has not been done.
func TestALetterThatHasToWait(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"a limit": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Retry-After", "0")
			microsofttest.Fail(rw, http.StatusTooManyRequests, "ApplicationThrottled")
		},
		"an old token": refusal(http.StatusUnauthorized, "InvalidAuthenticationToken"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.box.Accept("token-2")
			w.fail(1, http.MethodPost, "/send", false, answer)
			if _, err := w.send(t, letter()); err != nil || w.box.TimesSent() != 1 {
				t.Errorf("%v, sent %d times", err, w.box.TimesSent())
			}
		})
	}
}

// Nothing is sent to others than were confirmed, as Graph reads them, or from another address.
func TestALetterThatIsNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere, stranger, forged := letter(), letter(), letter()
	elsewhere.To = append(elsewhere.To, "eve@example.com")
	stranger.From = "dana@home.example"
	forged.Content = []byte(strings.Replace(string(forged.Content), "dana@example.com", "boss@example.com", 1))
	for name, e := range map[string]mail.Envelope{
		"a recipient": elsewhere, "a copy": letter("Cc: eve@example.com"), "a sender": stranger, "a forged sender": forged,
	} {
		if commits, err := w.send(t, e); commits != 0 || !errors.As(err, new(*fault.Error)) {
			t.Errorf("%s: %d commits, %v", name, commits, err)
		}
	}
	w.fail(1, http.MethodPost, "/messages", false, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(rw, `{"id":"AAMkother","isDraft":true,`+
			`"toRecipients":[{"emailAddress":{"address":"eve@example.com"}}]}`)
	})
	if commits, err := w.send(t, letter()); commits != 0 || !errors.As(err, new(*fault.Error)) {
		t.Errorf("to whom Graph would send it: %d commits, %v", commits, err)
	}
	if w.box.TimesSent() != 0 {
		t.Errorf("%d letters were sent", w.box.TimesSent())
	}
}

// Attachments go with a letter, large ones in pieces.
func TestEnclosures(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"small": 10, "together too large": 1_500_000, "large": 7_000_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			body := "--b\r\nContent-Type: text/plain\r\n\r\nFine.\r\n"
			for _, file := range []string{"a.txt", "b.txt"} {
				body += "--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=" + file + "\r\n\r\n" +
					strings.Repeat("x", size) + "\r\n"
			}
			if commits, err := w.send(t, letterOf("multipart/mixed; boundary=b", body+"--b--")); err != nil || commits != 1 {
				t.Fatalf("%d commits, %v", commits, err)
			}
			_, _, files := w.box.Letter(subject)
			if slices.Sort(files); !slices.Equal(files, []string{"a.txt", "b.txt"}) || w.box.TimesSent() != 1 {
				t.Errorf("sent with %v", files)
			}
		})
	}
}

// A letter whose attachments do not all arrive is not sent, and not left as a draft.
func TestAnEnclosureThatIsLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fail(9, http.MethodPost, "/attachments", false, refusal(400, "ErrorAttachmentSizeLimitExceeded"))
	body := "--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n"
	two := body + strings.Repeat("x", 1_500_000) + "\r\n" + body + strings.Repeat("y", 1_500_000) + "\r\n--b--"
	if commits, err := w.send(t, letterOf("multipart/mixed; boundary=b", two)); commits != 0 || err == nil {
		t.Errorf("%d commits, %v", commits, err)
	}
	if w.box.TimesSent() != 0 || len(w.box.Subjects("drafts")) != 0 {
		t.Errorf("sent %d, drafts %v", w.box.TimesSent(), w.box.Subjects("drafts"))
	}
}

// A draft is kept once, found under its own Message-ID, thrown away and brought back.
func TestADraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	drafts := mail.State{Folder: mail.Drafts, Read: true}
	ids := map[string]bool{}
	for range 2 {
		id, err := w.provider(t).Add(t.Context(), mailtest.Owner(), letter().Content, drafts)
		if err != nil {
			t.Fatal(err)
		}
		ids[id] = true
	}
	if got := w.box.Subjects("drafts"); len(ids) != 1 || len(got) != 1 {
		t.Errorf("kept as %v: %v", ids, got)
	}
	for id := range ids {
		a := mail.Amendment{
			Key: "k", ID: id, Provider: outlook.Name, From: drafts, To: mail.State{Folder: mail.Trash, Read: true},
		}
		for _, a := range []mail.Amendment{a, a.Back()} {
			if now, err := w.provider(t).Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
				t.Errorf("to %s: %+v, %v", a.To.Folder, now, err)
			}
		}
	}
	if got := w.box.Subjects("drafts"); len(got) != 1 || w.box.TimesSent() != 0 {
		t.Errorf("drafts: %v", got)
	}
}
