package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // names and texts in other character sets
	gomail "github.com/emersion/go-message/mail"
	"github.com/emersion/go-message/textproto"

	"convene/pkg/meet"
)

// ReadHead is a mail as its header says. Lines that are no header fields are left out. An error is one of the reader.
func ReadHead(content io.Reader) (Mail, error) {
	head, err := headOf(bufio.NewReader(content))
	return mailOf(head), err
}

// dateOf is the date of a header; zero if there is none. The layout that nearly all mails have is tried first, because
// the library's attempts at others cost more than all else of a header.
func dateOf(h gomail.Header) time.Time {
	if at, err := time.Parse("Mon, 2 Jan 2006 15:04:05 -0700", strings.TrimSpace(h.Get("Date"))); err == nil {
		return at
	}
	at, _ := h.Date() // zero with an error
	return at
}

// ReadDate is when a mail was written, as its header says; zero if it does not. An error is one of the reader.
func ReadDate(content io.Reader) (at time.Time, err error) {
	head, err := headOf(bufio.NewReader(content))
	if err == nil {
		at = dateOf(head)
	}
	return at, err
}

// headOf reads a header, and the empty line after it. What is beyond MostHeader is left out.
func headOf(r *bufio.Reader) (gomail.Header, error) {
	var clean bytes.Buffer
	kept, begins := false, true
	for {
		line, err := r.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if begins && len(bytes.TrimRight(line, "\r\n")) == 0 {
			break // the end of the header, or of the content
		}
		if begins {
			kept = isField(line) || kept && (line[0] == ' ' || line[0] == '\t')
		}
		if kept && clean.Len()+len(line) <= MostHeader {
			clean.Write(line)
		}
		if begins = whole; whole && err != nil {
			if !errors.Is(err, io.EOF) {
				return gomail.Header{}, err
			}
			break
		}
	}
	clean.WriteString("\r\n\r\n")
	head, _ := textproto.ReadHeader(bufio.NewReader(&clean)) // what can be read
	return gomail.Header{Header: message.Header{Header: head}}, nil
}

// isField reports whether a line begins a header field (RFC 5322, 2.2).
func isField(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte{':'})
	name = bytes.TrimRight(name, " \t")
	return ok && len(name) > 0 && !bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
}

// mailOf is a mail with what its header says.
func mailOf(h gomail.Header) Mail {
	m := Mail{
		ReplyTo: addresses(h, "Reply-To"), To: addresses(h, "To"), CC: addresses(h, "Cc"), BCC: addresses(h, "Bcc"),
		MessageID: first(identifiers(h, "Message-Id")), InReplyTo: first(identifiers(h, "In-Reply-To")),
		References: identifiers(h, "References"), ForwardOf: first(identifiers(h, "X-Forwarded-Message-Id")),
	}
	m.From = first(addresses(h, "From"))
	m.Subject = meet.Caption(subjectOf(h))
	m.Date = dateOf(h)
	m.Thread = cmp.Or(first(m.References), m.InReplyTo, m.MessageID)
	m.Signs = signsOf(h, m.From)
	return m
}

// subjectOf is the subject of a header, decoded if it can be.
func subjectOf(h gomail.Header) string {
	subject, err := h.Subject()
	if err != nil {
		return h.Get("Subject")
	}
	return subject
}

// takesNoReply is the beginning of an address to which nobody writes.
var takesNoReply = regexp.MustCompile(`(?i)^(no|do[-_.]?not|nao|non)[-_.]?(reply|respond|responder|rispondere)|` +
	`^(mailer-daemon|bounces?|notifications?|notify|alerts?|automated|postmaster)([-_.+@]|$)`)

func signsOf(h gomail.Header, from Address) Signs {
	precedence := strings.ToLower(strings.TrimSpace(h.Get("Precedence")))
	submitted := strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted")))
	media, _, err := h.ContentType()
	return Signs{
		List: h.Has("List-Id") || h.Has("List-Unsubscribe") || h.Has("List-Post") ||
			slices.Contains([]string{"list", "bulk", "junk"}, precedence),
		Unsubscribe: h.Has("List-Unsubscribe"),
		Discussion:  h.Has("List-Post") && !strings.EqualFold(strings.TrimSpace(h.Get("List-Post")), "NO"),
		Automatic: submitted != "" && submitted != "no" || precedence == "auto_reply" || h.Has("X-Autoreply") ||
			h.Has("X-Auto-Response-Suppress") || takesNoReply.MatchString(from.Email),
		Report: err == nil && media == "multipart/report",
	}
}

var (
	identifier   = regexp.MustCompile(`<([^<>\s]{1,500})>`)
	plainAddress = regexp.MustCompile(`[^\s<>,;:"()\[\]]+@[^\s<>,;:"()\[\]]+`)
)

// identifiers are the message identifiers of a field.
func identifiers(h gomail.Header, name string) (ids []string) {
	for _, m := range identifier.FindAllStringSubmatch(h.Get(name), mostAddresses) {
		ids = append(ids, m[1])
	}
	return ids
}

// addresses are those of a field. Of a field that cannot be parsed, what looks like an address counts.
func addresses(h gomail.Header, name string) (list []Address) {
	parsed, err := h.AddressList(name)
	if err != nil {
		text, _ := h.Text(name)
		for _, at := range plainAddress.FindAllString(text, mostAddresses) {
			parsed = append(parsed, &gomail.Address{Address: at})
		}
	}
	for _, a := range parsed[:min(mostAddresses, len(parsed))] {
		if a.Address != "" && len(a.Address) <= longestAddress && a.Address == seen(a.Address) &&
			!strings.ContainsAny(a.Address, " \t\n") {
			list = append(list, Address{Name: meet.Caption(a.Name), Email: a.Address})
		}
	}
	return list
}

// longestAddress is in bytes (RFC 5321, 4.5.3.1).
const longestAddress = 254

func first[T any](list []T) (one T) {
	if len(list) > 0 {
		one = list[0]
	}
	return one
}

// MarkedIn reports whether the mail of a file was read and starred, as its Status and X-Status say (the fields in which
// mail programs keep flags in files).
func MarkedIn(content []byte) (read, starred bool) {
	head, err := headOf(bufio.NewReader(bytes.NewReader(content)))
	if err != nil {
		return false, false
	}
	status := head.Get("Status") + head.Get("X-Status")
	return strings.Contains(status, "R"), strings.Contains(status, "F")
}

// SignsOf are the signs of a mail if only its sender is known.
func SignsOf(from Address) Signs { return signsOf(gomail.Header{}, from) }
