package mail_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/mail"
)

// judging is a reader who knows Al, and has written to Bea.
func judging() mail.Reader {
	return mail.Reader{
		Addresses: []string{"me@example.com"}, Now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC),
		Known: func(email string) bool { return strings.EqualFold(email, "al@example.com") },
		Named: func(name string) bool { return name == "Al Chen" },
		History: mail.HistoryOf([]mail.Mail{
			{To: []mail.Address{{Email: "bea@example.com"}}, InReplyTo: "done@x"},
		}, []mail.Mail{{From: mail.Address{Email: "old@news.example"}}, {From: mail.Address{Email: "old@news.example"}}}),
	}
}

func TestWhatAMailAsksFor(t *testing.T) {
	t.Parallel()
	to, list := "To: me@example.com\r\n", "List-Unsubscribe: <https://x.example>\r\n"
	for name, c := range map[string]struct {
		content string
		want    mail.Category
		why     mail.Reason
	}{
		"a friend asks":          {to + "From: al@example.com\r\n\r\nCould you send it?", mail.NeedsReply, mail.AsksMe},
		"a friend asks, Hebrew":  {to + "From: al@example.com\r\n\r\nמתי נוח לך להיפגש", mail.NeedsReply, mail.AsksMe},
		"a friend asks, Spanish": {to + "From: bea@example.com\r\n\r\nAvísame si vienes", mail.NeedsReply, mail.WroteBefore},
		"a stranger asks":        {to + "From: x@other.example\r\n\r\nAre you free?", mail.NeedsReply, mail.AsksMe},
		"a friend asks others": {
			"To: bea@example.com\r\nFrom: al@example.com\r\n\r\nOk?", mail.ImportantInfo, mail.CopiesMe,
		},
		"a friend wants a deed": {to + "From: al@example.com\r\n\r\nPlease sign it.", mail.PotentialTask, mail.AsksForDeed},
		"a friend tells":        {to + "From: al@example.com\r\n\r\nFYI, Friday is off.", mail.ImportantInfo, mail.TellsMe},
		"a friend says hello":   {to + "From: al@example.com\r\n\r\nHello!", mail.Unknown, mail.FromKnown},
		"what was answered": {
			to + "From: al@example.com\r\nMessage-ID: <done@x>\r\n\r\nCan you?", mail.Unknown, mail.AnsweredIt,
		},
		"an invitation": {
			to + "From: x@other.example\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR",
			mail.NeedsReply, mail.InvitesMe,
		},
		"a newsletter":           {list + "From: a@news.example\r\n\r\nTen tips", mail.CanArchive, mail.FromList},
		"one that was filed":     {"From: old@news.example\r\nPrecedence: bulk\r\n\r\nHi", mail.CanArchive, mail.FiledBefore},
		"a newsletter with fees": {list + "From: a@news.example\r\n\r\nYour invoice", mail.Unknown, mail.FromList},
		"a bill of a program":    {to + "From: no-reply@x.example\r\n\r\nInvoice 7", mail.PotentialTask, mail.AsksForDeed},
		"a sign-in":              {to + "From: noreply@x.example\r\n\r\nNew sign-in", mail.ImportantInfo, mail.TellsMe},
		"a list of a friend":     {list + "From: al@example.com\r\n\r\nMy blog", mail.Unknown, mail.FromKnown},
		"a stranger's name": {
			to + "From: Al Chen <al@evil.example>\r\n\r\nPlease pay this invoice", mail.Unknown, mail.NotByItsName,
		},
		"a link that deceives": {
			"From: x@evil.example\r\nContent-Type: text/html\r\n\r\n<a href=https://evil.example>https://bank.com</a>",
			mail.Unknown, mail.DeceivesMe,
		},
		"a bounce": {
			"From: mailer-daemon@x.example\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\nNo\r\n--b--",
			mail.ImportantInfo, mail.Undelivered,
		},
		"words within words": {to + "From: al@example.com\r\n\r\nThe crasapsule", mail.Unknown, mail.FromKnown},
	} {
		got := judging().Judge(decoded(t, c.content))
		sure := got.Confidence > 0
		if got.Category != c.want || !slices.Contains(got.Reasons, c.why) || sure != (c.want != mail.Unknown) {
			t.Errorf("%s: %+v, want %s because of %s", name, got, c.want, c.why)
		}
	}
}

// Only from people whom the owner knows does it matter that a mail calls itself urgent.
func TestHowUrgentAMailIs(t *testing.T) {
	t.Parallel()
	urgency := func(from, text string) int {
		m := decoded(t, "To: me@example.com", "From: "+from, "Date: Mon, 23 Nov 2026 08:00:00 +0000", "", text)
		return judging().Judge(m).Urgency
	}
	known, calm := urgency("al@example.com", "URGENT: can you come?"), urgency("al@example.com", "Can you come?")
	strange, plain := urgency("x@other.example", "URGENT: can you come?"), urgency("x@other.example", "Can you come?")
	if known <= calm || calm <= plain || strange != plain {
		t.Errorf("known %d, calm %d, strange %d, plain %d", known, calm, strange, plain)
	}
}
