package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/emersion/go-message"
	gomail "github.com/emersion/go-message/mail"

	"convene/pkg/meet"
)

// Decode is a whole mail, but for its state, its id, its provider and its preview (see Listed). Of one that is damaged,
// and of one that is larger than MostContent, what can be read counts. An error is one of the reader.
func Decode(content io.Reader) (Message, error) { return new(decoder).decode(content, MostContent) }

// File is an attachment with its content.
type File struct {
	Part
	Content []byte
}

// Files are the attachments of a mail, and its calendar objects.
func Files(content io.Reader) (files []File, err error) {
	d := decoder{keep: func(f File) { files = append(files, f) }}
	_, err = d.decode(content, MostContent)
	return files, err
}

// Glance is Decode of the beginning of a mail: enough to list it, and to look for words.
func Glance(content io.Reader) (Message, error) {
	const enough = 256 << 10
	return new(decoder).decode(content, enough)
}

func (d *decoder) decode(content io.Reader, most int64) (m Message, err error) {
	source := &source{from: content, left: most}
	r := bufio.NewReader(source)
	head, err := headOf(r)
	if err != nil {
		return m, err
	}
	d.m = Message{Mail: mailOf(head), Links: []Link{}, Attachments: []Part{}}
	d.subject = subjectOf(head)
	entity, err := message.New(head.Header, r)
	if entity != nil && (err == nil || message.IsUnknownCharset(err) || message.IsUnknownEncoding(err)) {
		d.walk(entity, 0)
	}
	if source.err != nil {
		return d.m, source.err
	}
	d.m.Cut = d.m.Cut || source.left <= 0
	d.finish()
	return d.m, nil
}

// source reads at most so much, and knows why it ended.
type source struct {
	from io.Reader
	left int64
	err  error
}

func (s *source) Read(p []byte) (n int, err error) {
	if s.left <= 0 {
		return 0, io.EOF
	}
	n, err = s.from.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// decoder walks the parts of a mail.
type decoder struct {
	m     Message
	parts int
	texts []string
	links []Link
	// subject is the subject as it stands there.
	subject string
	// keep, if not nil, gets what is attached.
	keep func(File)
	// related says that the parts belong to a page, as its pictures do.
	related bool
}

func (d *decoder) walk(e *message.Entity, depth int) {
	if d.parts++; d.parts > mostParts || depth > mostDepth {
		d.m.Cut = true
		return
	}
	media, params, err := e.Header.ContentType()
	parts := e.MultipartReader()
	if media = strings.ToLower(media); err != nil || parts != nil && params["boundary"] == "" {
		media, params, parts = "text/plain", nil, nil
	}
	switch {
	case parts == nil:
		d.leaf(e, media, params)
	case media == "multipart/alternative":
		d.alternative(parts, depth)
	default:
		within := d.related
		d.related = within || media == "multipart/related"
		for p := d.next(parts); p != nil; p = d.next(parts) {
			d.walk(p, depth+1)
		}
		d.related = within
	}
}

// next is the next part; nil after the last one, or the last that can be read.
func (d *decoder) next(parts message.MultipartReader) *message.Entity {
	p, err := parts.NextPart()
	if err == nil || p != nil && (message.IsUnknownCharset(err) || message.IsUnknownEncoding(err)) {
		return p
	}
	d.m.Cut = d.m.Cut || !errors.Is(err, io.EOF)
	return nil
}

// alternative walks parts that say the same, and takes the text of the first that has any.
func (d *decoder) alternative(parts message.MultipartReader, depth int) {
	before := d.texts
	var said []string
	for p := d.next(parts); p != nil; p = d.next(parts) {
		d.texts = nil
		d.walk(p, depth+1)
		if said == nil && strings.TrimSpace(strings.Join(d.texts, "")) != "" {
			said = d.texts
		}
	}
	d.texts = append(before, said...)
}

// leaf takes a part that has no others.
func (d *decoder) leaf(e *message.Entity, media string, params map[string]string) {
	disposition, _, _ := e.Header.ContentDisposition()
	name := fileName(e.Header)
	attached := disposition == "attachment" || name != "" && disposition != "inline"
	switch {
	case media == "text/calendar" || media == "application/ics":
		d.invitation(e, params["method"])
	case !attached && (media == "text/plain" || media == "text/html"):
		d.text(e, media)
	case d.related && !attached && e.Header.Has("Content-Id"), d.m.Signs.Report && !attached:
		_, _ = io.Copy(io.Discard, e.Body) // a picture of the page, or a part of the report
	default:
		d.m.Attachments = append(d.m.Attachments, d.attached(e.Body, Part{Name: cmp.Or(name, "attachment"), Type: media}))
	}
}

// attached is a part with its size, as far as it can be read.
func (d *decoder) attached(body io.Reader, p Part) Part {
	var content bytes.Buffer
	to := io.Discard
	if d.keep != nil {
		to = &content
	}
	p.Size, _ = io.Copy(to, body) // what can be read of it
	if d.keep != nil {
		d.keep(File{p, content.Bytes()})
	}
	return p
}

func (d *decoder) text(e *message.Entity, media string) {
	const most = 4 * MostText                          // bytes
	raw, _ := io.ReadAll(io.LimitReader(e.Body, most)) // what can be read
	_, _ = io.Copy(io.Discard, e.Body)
	text := seen(string(raw))
	if media == "text/html" {
		var links []Link
		text, links = readHTML(text)
		d.links = append(d.links, links...)
	}
	d.links = append(d.links, linksIn(text)...)
	d.texts = append(d.texts, text)
}

// method is the METHOD of a calendar object (RFC 5546, 1.4).
var method = regexp.MustCompile(`(?im)^METHOD:\s*([A-Z-]{1,30})\s*$`)

func (d *decoder) invitation(e *message.Entity, named string) {
	const enough = 64 << 10
	raw, _ := io.ReadAll(io.LimitReader(e.Body, enough)) // what can be read
	if d.keep != nil {
		all := io.MultiReader(bytes.NewReader(raw), e.Body)
		d.attached(all, Part{Name: cmp.Or(fileName(e.Header), "invite.ics"), Type: "text/calendar"})
	}
	if d.m.Object == nil && len(raw) < enough {
		d.m.Object = raw
	}
	if m := method.FindSubmatch(raw); named == "" && m != nil {
		named = string(m[1])
	}
	d.m.Invitation = cmp.Or(d.m.Invitation, strings.ToLower(named))
}

// finish makes the mail's own text of what was gathered.
func (d *decoder) finish() {
	own, quoted := apart(strings.Join(d.texts, "\n\n"))
	d.m.Text, d.m.Quoted = meet.Shorten(own, MostText), meet.Shorten(quoted, MostText)
	d.m.HasAttachments = len(d.m.Attachments) > 0
	for _, l := range d.links {
		known := slices.IndexFunc(d.m.Links, func(o Link) bool { return o.URL == l.URL })
		switch {
		case known >= 0:
			d.m.Links[known].Deceives = d.m.Links[known].Deceives || l.Deceives
		case len(d.m.Links) < mostLinks:
			d.m.Links = append(d.m.Links, l)
		}
	}
}

// seen is a text without what nobody sees: control characters, and those that change the direction of others.
func seen(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe007f:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// fileName is the name of an attachment, without a path; empty if it has none.
func fileName(h message.Header) string {
	name, err := (&gomail.AttachmentHeader{Header: h}).Filename()
	if err != nil || name == "" {
		return ""
	}
	const longest = 150
	name = strings.Join(strings.Fields(seen(name)), " ")
	return meet.Shorten(path.Base(strings.ReplaceAll(name, `\`, "/")), longest)
}

// Wording is a mail's subject and its text as they stand there, with what the text quotes. An error is one of the
// reader.
func Wording(content io.Reader) (subject, text string, err error) {
	d := decoder{}
	_, err = d.decode(content, MostContent)
	return d.subject, strings.Join(d.texts, "\n\n"), err
}
