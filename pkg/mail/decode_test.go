package mail_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/mail"
)

// decoded is a mail from its lines.
func decoded(t *testing.T, lines ...string) mail.Message {
	t.Helper()
	m, err := mail.Decode(strings.NewReader(strings.Join(lines, "\r\n") + "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// multipart are parts, each with its header and its body after an empty line.
func multipart(kind string, parts ...string) string {
	boundary := fmt.Sprintf("b%d-%d", len(parts), len(parts[0]))
	text := "Content-Type: multipart/" + kind + "; boundary=" + boundary + "\r\n\r\n"
	for _, p := range parts {
		text += "--" + boundary + "\r\n" + p + "\r\n"
	}
	return text + "--" + boundary + "--"
}

func TestWhatAHeaderSays(t *testing.T) {
	t.Parallel()
	got := decoded(t,
		"From alice Mon Nov 23 09:00:00 2026",
		"From: =?utf-8?q?In=C3=AAs_Prado?= <ines@example.org>",
		"Reply-To: desk@example.org",
		"To: Me <me@example.com>, \"Chen, Al\" <al@example.com>",
		"Cc: broken <, dana@example.org, x",
		"Subject: =?windows-1255?B?+ezl7Q==?=",
		" and more",
		"Date: Mon, 23 Nov 2026 09:00:00 +0200",
		"no field at all",
		"Message-ID: <3@x>",
		"In-Reply-To: <2@x>",
		"References: <1@x> <2@x>",
		"X-Forwarded-Message-Id: <9@x>",
		"List-Unsubscribe: <https://example.org/u>",
		"Auto-Submitted: auto-generated",
		"", "Hello",
	).Mail
	want := mail.Mail{
		From:    mail.Address{Name: "Inês Prado", Email: "ines@example.org"},
		ReplyTo: []mail.Address{{Email: "desk@example.org"}},
		To:      []mail.Address{{Name: "Me", Email: "me@example.com"}, {Name: "Chen, Al", Email: "al@example.com"}},
		CC:      []mail.Address{{Email: "dana@example.org"}}, Subject: "שלום and more",
		Date: time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC), MessageID: "3@x", InReplyTo: "2@x",
		References: []string{"1@x", "2@x"}, ForwardOf: "9@x", Thread: "1@x",
		Signs: mail.Signs{List: true, Unsubscribe: true, Automatic: true},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatAMailSays(t *testing.T) {
	t.Parallel()
	hebrew := base64.StdEncoding.EncodeToString([]byte{0xf9, 0xec, 0xe5, 0xed})
	plain, page := "Content-Type: text/plain\r\n\r\n", "Content-Type: text/html\r\n\r\n"
	for name, c := range map[string]struct{ content, text, quoted string }{
		"plain":            {plain + "Hi\r\n\r\n\r\n\r\nthere  \r\n", "Hi\n\nthere", ""},
		"quoted-printable": {"Content-Transfer-Encoding: quoted-printable\r\n\r\nna=C3=AFve=\r\n!", "naïve!", ""},
		"Hebrew in its own character set": {
			"Content-Type: text/plain; charset=windows-1255\r\nContent-Transfer-Encoding: base64\r\n\r\n" + hebrew, "שלום", "",
		},
		"an unknown character set": {"Content-Type: text/plain; charset=x-none\r\n\r\nHi", "Hi", ""},
		"the first alternative with a text": {
			multipart("alternative", plain+"  ", page+"<p>Shown</p>", plain+"Later"), "Shown", "",
		},
		"two texts": {multipart("mixed", plain+"One", page+"<b>Two</b>"), "One\n\nTwo", ""},
		"a page": {
			page + "<html><head><title>T</title><style>p{}</style></head><body><h1>Sale</h1><p>Ten\n off</p><ul>" +
				"<li>a<li>b</ul><table><tr><td>1</td><td>2</td></tr></table>x<br>y<br><br><br>z</body>",
			"Sale\n\nTen off\n\n- a\n- b\n1 2\nx\ny\n\nz", "",
		},
		"what nobody sees": {
			page + `a<!-- forward all --><span style="display: none">b</span><div hidden>c</div><p style="font-size:0px">d</p>` +
				`<font color="#ffffff">e</font><span style="color:white">f</span><div style="background:red">` +
				`<b style="color:#fff">g</b></div><script>h</script><span aria-hidden="true">i</span>`, "a\ng", "",
		},
		"an answer": {
			plain + "Yes.\r\n\r\nOn Mon, Nov 23, 2026 at 9:00 AM Al Chen\r\n<al@example.com> wrote:\r\n> Can you?\r\n>\r\n> Al",
			"Yes.", "On Mon, Nov 23, 2026 at 9:00 AM Al Chen\n<al@example.com> wrote:\n> Can you?\n>\n> Al",
		},
		"an answer between the lines": {
			plain + "El lun, 23 nov 2026, Al escribió:\r\n> One?\r\nYes.\r\n> Two?\r\nNo.", "Yes.\nNo.",
			"El lun, 23 nov 2026, Al escribió:\n> One?\n> Two?",
		},
		"an answer in Hebrew": {
			plain + "כן\r\n\r\nבתאריך 23.11.2026 דנה כתב:\r\nאפשר?", "כן", "בתאריך 23.11.2026 דנה כתב:\nאפשר?",
		},
		"an answer of Outlook": {
			plain + "Ok\r\n\r\nFrom: Al\r\nSent: Monday\r\nTo: Me\r\n\r\nCan you?",
			"Ok", "From: Al\nSent: Monday\nTo: Me\n\nCan you?",
		},
		"an answer in a page":    {page + "<div>Ok</div><blockquote>Can<br>you?</blockquote>", "Ok", "> Can\n> you?"},
		"a forward":              {plain + "--- Forwarded message ---\r\nHello", "", "--- Forwarded message ---\nHello"},
		"words like an announce": {plain + "On Monday she wrote:\r\nHello", "On Monday she wrote:\nHello", ""},
		"turned text":            {plain + "a\u202eb\u2066c\U000e0041d\u0007", "abcd", ""},
	} {
		m := decoded(t, "Subject: x\r\n"+c.content)
		if diff := cmp.Diff([]string{c.text, c.quoted}, []string{m.Text, m.Quoted}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatIsAttached(t *testing.T) {
	t.Parallel()
	picture := "Content-Type: image/png\r\nContent-Id: <1>\r\nContent-Disposition: inline; filename=logo.png\r\n\r\nxyz"
	m := decoded(t, "Subject: x\r\n"+multipart("mixed",
		multipart("related", "Content-Type: text/html\r\n\r\n<p>Hi</p><img src=cid:1 alt=Logo>", picture),
		"Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"+
			"Content-Disposition: attachment; filename*=utf-8''..%2f%E2%80%AEplan%20B.pdf\r\n\r\naGVsbG8=",
		"Content-Type: text/plain; name=\"C:\\notes.txt\"\r\nContent-Disposition: attachment\r\n\r\nnotes",
		"Content-Type: message/rfc822\r\n\r\nSubject: y\r\n\r\nInner",
		"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR"))
	want := []mail.Part{
		{Name: "plan B.pdf", Type: "application/pdf", Size: 5}, {Name: "notes.txt", Type: "text/plain", Size: 5},
		{Name: "attachment", Type: "message/rfc822", Size: 19},
	}
	if diff := cmp.Diff(want, m.Attachments); diff != "" {
		t.Error(diff)
	}
	if m.Text != "Hi\n\nLogo" || m.Invitation != "request" || !m.HasAttachments || m.Cut {
		t.Errorf("text %q, invitation %q, cut %v", m.Text, m.Invitation, m.Cut)
	}
}

func TestWhereLinksLead(t *testing.T) {
	t.Parallel()
	m := decoded(t, "Content-Type: text/html", "",
		`<a href="https://evil.example/x">https://www.bank.com/login</a> <a href="https://news.bank.com/a">bank.com</a>`+
			`<a href="mailto:a@b.com">Write</a> and https://example.org/now.`)
	want := []mail.Link{
		{Text: "", URL: "https://evil.example/x", Deceives: true}, {Text: "bank", URL: "https://news.bank.com/a"},
		{Text: "Write", URL: "mailto:a@b.com"}, {Text: "", URL: "https://www.bank.com/login"},
		{Text: "", URL: "https://example.org/now"},
	}
	if diff := cmp.Diff(want, m.Links); diff != "" {
		t.Error(diff)
	}
}

// What is damaged or without end is read as far as it can be, in bounded time and memory.
func TestDamagedMails(t *testing.T) {
	t.Parallel()
	deep := "Content-Type: text/plain\r\n\r\nbottom"
	for range 50 {
		deep = multipart("mixed", deep)
	}
	for name, c := range map[string]struct {
		content string
		cut     bool
	}{
		"empty":                  {"", false},
		"no header":              {"\r\nbody", false},
		"a line without end":     {strings.Repeat("x", 1<<20), false},
		"a field without end":    {"Subject: " + strings.Repeat("x", 1<<20) + "\r\n\r\nbody", false},
		"no end of its parts":    {"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nbody", true},
		"no boundary":            {"Content-Type: multipart/mixed\r\n\r\nbody", false},
		"a broken part":          {multipart("mixed", "no header\r\n\r\nbody"), true},
		"parts within parts":     {deep, true},
		"many parts":             {multipart("mixed", strings.Split(strings.Repeat("\r\nx;", 300), ";")...), true},
		"elements without end":   {"Content-Type: text/html\r\n\r\n" + strings.Repeat("<div>", 100_000), false},
		"a broken encoding":      {"Content-Transfer-Encoding: base64\r\n\r\n!!!!", false},
		"a text that is too big": {"\r\n" + strings.Repeat("word ", 100_000), false},
	} {
		m, err := mail.Decode(strings.NewReader(c.content))
		if err != nil || m.Cut != c.cut || len([]rune(m.Text)) > mail.MostText {
			t.Errorf("%s: cut %v, %d bytes, %v", name, m.Cut, len(m.Text), err)
		}
	}
	broken := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("Subject: x\r\n\r\nbody")))
	if _, err := mail.Decode(broken); err == nil {
		t.Error("a reader's error is lost")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("Subject: x\r\n" + multipart("alternative", "Content-Type: text/html\r\n\r\n<a href=x>y</a>"))
	f.Fuzz(func(t *testing.T, content string) {
		m, err := mail.Decode(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{m.Subject, m.Listed().Preview, m.From.Name} {
			if strings.ContainsAny(text, "\r\n\u202e") {
				t.Errorf("%q is no caption", text)
			}
		}
	})
}
