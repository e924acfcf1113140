package mail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/mail"
)

// What a mail asks for is quoted, with the times that it names as bounds, counted from the mail's own date.
func TestActions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]mail.Action{
		"Hi,\n\nPlease sign page four and send it back, the owner wants it by Friday.\n\nDana": {
			{"Please sign page four and send it back, the owner wants it by Friday.", "2026-11-20"},
		},
		"Could you send the slides before Thursday noon?": {
			{"Could you send the slides before Thursday noon?", "2026-11-19T12:00:00-08:00"},
		},
		"Please submit the report.\nThe deadline is on the 15th.": {{"Please submit the report.", "2026-12-15"}},
		"Are you in for Saturday at 8?":                           {{"Are you in for Saturday at 8?", ""}},
		"יש לשלם עד 05/12":                                        {{"יש לשלם עד 05/12", "2026-12-05"}},
		"Firma el documento antes del 28.":                        {{"Firma el documento antes del 28.", "2026-11-27"}},
		"Mia: please update the forecast by Tuesday.\nTom: please book the room.": {
			{"Mia: please update the forecast by Tuesday.", "2026-11-24"},
		},
		"The offsite is on the 12th.": nil,
	} {
		zone, err := time.LoadLocation("America/Los_Angeles")
		if err != nil {
			t.Fatal(err)
		}
		reader := judging()
		reader.Now = reader.Now.In(zone)
		m := mail.Message{Text: text, Mail: mail.Mail{Date: time.Date(2026, 11, 17, 9, 0, 0, 0, zone)}}
		if diff := cmp.Diff(want, reader.Actions(m)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// What is due soon is urgent, and a mail that deceives asks for nothing.
func TestWhatIsDueIsUrgent(t *testing.T) {
	t.Parallel()
	judge := func(text string, more ...string) mail.Verdict {
		head := append(more, "To: me@example.com", "Date: Mon, 23 Nov 2026 08:00:00 +0000", "", text)
		return judging().Judge(decoded(t, head...))
	}
	const al = "From: al@example.com"
	soon, later := judge("Please pay the rent by Tuesday.", al), judge("Please pay the rent by 20 December.", al)
	if soon.Urgency <= later.Urgency || len(soon.Actions) != 1 {
		t.Errorf("soon %+v, later %+v", soon, later)
	}
	false := judge(`<a href=https://evil.example>https://bank.com</a> Please pay by Tuesday.`,
		"From: x@evil.example", "Content-Type: text/html")
	if len(false.Actions) > 0 || false.Category == mail.PotentialTask {
		t.Errorf("%+v", false)
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)
	for text, want := range map[string][]string{
		"Tuesday at 3 works, Wednesday does not.":                     {"24 15:00 24 16:00"},
		"I can do Tuesday 10-11 or Thursday after 2, but not Friday.": {"24 10:00 24 11:00", "26 14:00 27 00:00"},
		"El martes a las 3 me va bien, el miércoles no puedo":         {"24 15:00 24 16:00"},
		"יום שלישי או רביעי מתאימים לי":                               {"24 00:00 25 00:00", "25 00:00 26 00:00"},
		"Please pay by Friday.":                                       nil,
		"I'm in town the week of November 30. Does Wednesday suit you? The office calls back tomorrow.": {
			"2 00:00 3 00:00", "21 00:00 22 00:00",
		},
		"Estaré allí dentro de dos semanas, la semana del 30. El martes me va bien.": {"1 00:00 2 00:00"},
		"אני מגיע לעיר בשבוע הבא. יום שני מתאים לי":                                  {"23 00:00 24 00:00"},
		"It was on Monday, 9 November.":                                              nil,
		"Some day.":                                                                  nil,
	} {
		var got []string
		for _, s := range mail.Offers(mail.Message{Text: text, Mail: mail.Mail{Date: now}}, now) {
			got = append(got, s.Start.Format("2 15:04")+" "+s.End.Format("2 15:04"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestTopics(t *testing.T) {
	t.Parallel()
	var mails []mail.Mail
	for i, subject := range []string{"Re: Lisbon offsite", "offsite hotel", "Your invoice", "Invoice 7", "Budget?"} {
		mails = append(mails, mail.Mail{ID: fmt.Sprint(i), Subject: subject})
	}
	want := map[string]string{"0": "offsite", "1": "offsite", "2": "invoice", "3": "invoice"}
	if diff := cmp.Diff(want, mail.Topics(mails)); diff != "" {
		t.Error(diff)
	}
}

// However long a mail is, judging it takes bounded time.
func BenchmarkJudge(b *testing.B) {
	m := mail.Message{Text: strings.Repeat("Could you send it to me by Friday? ", 1000)}
	for b.Loop() {
		judging().Judge(m)
	}
}
