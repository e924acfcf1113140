package demo

import (
	_ "embed"
	"fmt"
	"mime"
	"net/mail"
	"regexp"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
)

//go:embed mail.txt
var mailText string

// Letter is a mail of Me, as it was sent (RFC 5322).
type Letter struct{ ID, Folder, Content string }

// letterHead is the first line of a mail in mail.txt, and repeated how often and every how many days there is another.
var (
	letterHead = regexp.MustCompile(`^(\w+) (-?\d+) (\d\d:\d\d) ([\w,:.]+) ([\w-]+): (.*)$`)
	repeated   = regexp.MustCompile(` (\d+)x(\d+)$`)
)

// Mails are the mailbox of Me, moved as the calendars are.
func Mails(now time.Time) (letters []Letter, err error) {
	days, err := daysSince(now)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(home)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	w := post{senders: map[string]mail.Address{}, ids: map[string]string{}, monday: firstMonday.AddDays(days), zone: zone}
	contacts, err := Contacts()
	if err != nil {
		return nil, err
	}
	for _, c := range contacts {
		w.senders[string(c.ID)] = mail.Address{Name: c.Name, Address: c.Email}
	}
	for block := range strings.SplitSeq(mailText, "\n---\n") {
		lines := strings.Split(strings.TrimLeft(block, "\n"), "\n")
		for len(lines) > 0 && (lines[0] == "" || strings.HasPrefix(lines[0], "#") || strings.HasPrefix(lines[0], "= ")) {
			if err := w.name(lines[0]); err != nil {
				return nil, err
			}
			lines = lines[1:]
		}
		if len(lines) == 0 {
			continue
		}
		if err := w.write(lines[0], strings.Join(lines[1:], "\r\n")); err != nil {
			return nil, err
		}
	}
	return w.letters, nil
}

// post writes mails.
type post struct {
	senders map[string]mail.Address
	monday  interval.Date
	zone    *time.Location
	letters []Letter
	// ids are the identifiers of mails by their subjects.
	ids map[string]string
}

// name reads a line that names a sender.
func (p *post) name(line string) error {
	name, address, ok := strings.Cut(strings.TrimPrefix(line, "= "), ": ")
	if !ok || !strings.HasPrefix(line, "= ") {
		return nil
	}
	at, err := mail.ParseAddress(`"` + strings.Replace(address, " <", `" <`, 1))
	if err != nil {
		return fmt.Errorf("demo: mail of %s: %w", name, err)
	}
	p.senders[name] = *at
	return nil
}

// write writes a mail, and those that are like it.
func (p *post) write(head, text string) error {
	m := letterHead.FindStringSubmatch(head)
	if m == nil {
		return fmt.Errorf("demo: %q begins no mail", head)
	}
	who, known := p.senders[m[5]]
	day, err := strconv.Atoi(m[2])
	clock, failed := interval.ParseClock(m[3])
	if err != nil || failed != nil || !known {
		return fmt.Errorf("demo: %q: who or when is that?", head)
	}
	times, every, subject := 1, 0, m[6]
	if r := repeated.FindStringSubmatch(subject); r != nil {
		times, _ = strconv.Atoi(r[1]) // they are digits
		every, _ = strconv.Atoi(r[2])
		subject = strings.TrimSuffix(subject, r[0])
	}
	subjects := strings.Split(subject, " | ")
	for i := range times {
		p.letter(letter{
			folder: m[1], marks: strings.Split(m[4], ","), who: who, text: text,
			at:      p.monday.AddDays(day - i*every).Start(p.zone).Add(time.Duration(clock) * time.Minute),
			subject: strings.ReplaceAll(subjects[i%len(subjects)], "{n}", strconv.Itoa(214-i)),
		})
	}
	return nil
}

// letter is one mail before it is written.
type letter struct {
	folder, subject, text string
	marks                 []string
	who                   mail.Address
	at                    time.Time
}

// letter writes one mail.
func (p *post) letter(l letter) {
	id := fmt.Sprintf("m%03d", len(p.letters)+1)
	from, to := l.who, p.senders[string(Me)]
	if l.folder == "sent" || l.folder == "drafts" {
		from, to = to, from
	}
	head := []string{
		"From: " + from.String(), "To: " + to.String(), "Subject: " + mime.QEncoding.Encode("utf-8", l.subject),
		"Date: " + l.at.Format(time.RFC1123Z), "Message-ID: <" + id + "@demo.example>", "MIME-Version: 1.0",
	}
	media, text := "text/plain; charset=utf-8", l.text
	for _, mark := range l.marks {
		name, file, _ := strings.Cut(mark, ":")
		switch name {
		case "read":
			head = append(head, "Status: R")
		case "star":
			head = append(head, "X-Status: F")
		case "list":
			head = append(head, "List-Unsubscribe: <mailto:leave@lists.example>")
		case "auto":
			head = append(head, "Auto-Submitted: auto-generated")
		case "re":
			first := p.ids[l.subject]
			if first == "" {
				first = p.ids[strings.TrimPrefix(l.subject, "Re: ")]
			}
			head = append(head, "In-Reply-To: <"+first+">", "References: <"+first+">")
		case "html":
			media = "text/html; charset=utf-8"
		case "invite":
			media, text = parts(media, text, "text/calendar; method=REQUEST", invitation(id, l.at))
		case "file":
			media, text = parts(media, text, "application/pdf\r\nContent-Disposition: attachment; filename="+file, "%PDF-1.4")
		}
	}
	head = append(head, "Content-Type: "+media, "Content-Transfer-Encoding: 8bit")
	p.ids[l.subject] = id + "@demo.example"
	p.letters = append(p.letters, Letter{id, l.folder, strings.Join(head, "\r\n") + "\r\n\r\n" + text + "\r\n"})
}

// parts are a text with something beside it.
func parts(media, text, other, content string) (string, string) {
	const between = "--part\r\nContent-Type: "
	return "multipart/mixed; boundary=part",
		between + media + "\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + text + "\r\n" +
			between + other + "\r\n\r\n" + content + "\r\n--part--"
}

// invitation is a calendar object that invites to an hour, a week later.
func invitation(id string, at time.Time) string {
	const layout = "20060102T150405Z"
	start := at.AddDate(0, 0, 7).UTC()
	return strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Convene//demo//EN", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:" + id,
		"DTSTAMP:" + at.UTC().Format(layout), "DTSTART:" + start.Format(layout),
		"DTEND:" + start.Add(time.Hour).Format(layout),
		"SUMMARY:Tokyo launch review", "ORGANIZER:mailto:yuki@example.com", "ATTENDEE:mailto:morgan@example.com",
		"END:VEVENT", "END:VCALENDAR",
	}, "\r\n")
}
