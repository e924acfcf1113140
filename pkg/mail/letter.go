package mail

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Letter is a mail to be sent, or to be kept as a draft. As JSON it is the Deed of a change, which the digest of its
// set covers: the mail is composed of it alone.
type Letter struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key string `json:"key"`
	// Provider keeps the mailbox, and Folder is Sent or Drafts.
	Provider string `json:"provider"`
	Folder   Folder `json:"folder"`
	// MessageID, InReplyTo, References and ForwardOf are identifiers without their brackets.
	MessageID  string    `json:"messageId"`
	InReplyTo  string    `json:"inReplyTo,omitempty"`
	References []string  `json:"references,omitempty"`
	ForwardOf  string    `json:"forwardOf,omitempty"`
	Date       time.Time `json:"date"`
	From       Address   `json:"from"`
	To         []Address `json:"to"`
	CC         []Address `json:"cc,omitempty"`
	Subject    string    `json:"subject"`
	Text       string    `json:"text"`
	// Enclosures are attachments of mails of the same mailbox.
	Enclosures []Enclosure `json:"enclosures,omitempty"`
	// Draft is the id of the draft that is sent; it goes to the trash then.
	Draft string `json:"draft,omitempty"`
	// Automatic says that nobody looks at the mail before it is sent (RFC 3834).
	Automatic bool `json:"automatic,omitempty"`
	// Notes are what its owner should know before it is sent, in words.
	Notes []string `json:"notes,omitempty"`
}

// Enclosure is an attachment of another mail.
type Enclosure struct {
	Part
	// Of is the id of that mail, and Sum the hexadecimal SHA-256 of the attachment.
	Of  string `json:"of"`
	Sum string `json:"sum"`
}

// Enclosure is an attachment of the mail with that id.
func (f File) Enclosure(of string) Enclosure {
	sum := sha256.Sum256(f.Content)
	return Enclosure{f.Part, of, hex.EncodeToString(sum[:])}
}

// Bounds of a letter: its recipients, its text in characters, and its attachments in bytes.
const (
	MostRecipients = 100
	MostEnclosed   = 20 << 20
	longestSubject = 500
)

// Recipients are all to whom the letter goes, each once.
func (l Letter) Recipients() (all []Address) {
	for _, a := range slices.Concat(l.To, l.CC) {
		if !slices.ContainsFunc(all, func(o Address) bool { return o.Is(a.Email) }) {
			all = append(all, a)
		}
	}
	return all
}

// Tidied is the letter without what nobody sees, and without what readers of mail decode: what is shown is what
// arrives.
func (l Letter) Tidied() Letter {
	plain := func(s string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(seen(s)), " "), "=?", "= ?")
	}
	l.Subject, l.From.Name = plain(l.Subject), plain(l.From.Name)
	for _, list := range []*[]Address{&l.To, &l.CC} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].Name = plain((*list)[i].Name)
		}
	}
	l.Text = strings.TrimSpace(seen(strings.ReplaceAll(l.Text, "\r\n", "\n")))
	return l
}

// Check returns a fault that names the field which is wrong, or nil.
func (l Letter) Check() error {
	size := int64(0)
	for _, e := range l.Enclosures {
		size += e.Size
	}
	everyone := l.Recipients()
	for _, a := range append(everyone, l.From) {
		if !IsAddress(a.Email) {
			return fault.Invalid("to", "has %q, which is no address", a.Email)
		}
	}
	switch {
	case l.Folder == Sent && len(everyone) == 0:
		return fault.Invalid("to", "names nobody")
	case len(everyone) > MostRecipients:
		return fault.Invalid("to", "names more than %d people", MostRecipients)
	case utf8.RuneCountInString(l.Subject) > longestSubject || strings.ContainsAny(l.Subject, "\r\n"):
		return fault.Invalid("subject", "must be one line of at most %d characters", longestSubject)
	case utf8.RuneCountInString(l.Text) > MostText:
		return fault.Invalid("body", "is longer than %d characters", MostText)
	case size > MostEnclosed:
		return fault.New(fault.TooLarge, "The attachments are larger than %d MB together.", MostEnclosed>>20)
	}
	return nil
}

// IsAddress reports whether a text is a plain address that mail can be sent to.
func IsAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && len(s) <= longestAddress && s == seen(s) && !strings.ContainsAny(s, " \"")
}

// whole is a letter as it is listed, with all that is sent.
type whole struct {
	Mail
	Body        string   `json:"body"`
	Attachments []Part   `json:"attachments"`
	Notes       []string `json:"notes"`
}

// Mail is the letter as it will be listed.
func (l Letter) Mail() Mail {
	own, _ := apart(l.Text)
	return Mail{
		State: State{Folder: l.Folder, Read: true}, From: l.From, To: l.To, CC: l.CC, Subject: l.Subject, Date: l.Date,
		Preview: meet.Caption(meet.Shorten(cmp.Or(own, l.Text), 2*meet.MaxText)), HasAttachments: len(l.Enclosures) > 0,
		MessageID: l.MessageID, InReplyTo: l.InReplyTo, References: l.References, ForwardOf: l.ForwardOf,
		Thread: cmp.Or(first(l.References), l.InReplyTo, l.MessageID), Provider: l.Provider,
		Signs: Signs{Automatic: l.Automatic},
	}.Listed()
}

// Change is the letter as its owner sees it: whole, with all recipients.
func (l Letter) Change() (c meet.Change, err error) {
	c = meet.Change{
		Kind: meet.CreateThing, What: meet.EmailThing, Title: l.Subject, Where: meet.ChangeWhere{Provider: l.Provider},
		Before: json.RawMessage("null"), Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	if l.Folder == Sent {
		c.Kind = meet.SendThing
		for _, a := range l.Recipients() {
			c.Affects = append(c.Affects, meet.Affected{Name: a.Name, Email: a.Email})
		}
	}
	shown := whole{l.Mail(), l.Text, []Part{}, append([]string{}, l.Notes...)}
	for _, e := range l.Enclosures {
		shown.Attachments = append(shown.Attachments, e.Part)
	}
	if c.After, err = meet.MarshalLine(shown); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(l)
	return c, err
}

// Answers are to whom a reply to a mail goes: to its sender or, if its owner sent it, to those who got it; with all, to
// everyone whom it names. The owner's own addresses are left out. Another address for replies, which anyone can write
// into a mail, is not taken.
func (m Mail) Answers(own func(email string) bool, all bool) (to, cc []Address) {
	taken := map[string]bool{}
	others := func(list []Address) (kept []Address) {
		for _, a := range list {
			if key := strings.ToLower(a.Email); IsAddress(a.Email) && !own(a.Email) && !taken[key] {
				taken[key] = true
				kept = append(kept, a)
			}
		}
		return kept
	}
	if m.Folder == Sent && own(m.From.Email) { // elsewhere, anyone may have written so
		to = others(m.To)
	} else {
		to = others([]Address{m.From})
	}
	if all {
		to = append(to, others(m.To)...)
		cc = others(m.CC)
	}
	return to, cc
}

// ElsewhereReplies are the addresses for replies that are not the sender's.
func (m Mail) ElsewhereReplies() []Address {
	return slices.DeleteFunc(slices.Clone(m.ReplyTo), func(a Address) bool { return a.Is(m.From.Email) })
}

// answering are the marks before the subject of a mail that answers or forwards another.
var answering = regexp.MustCompile(`(?i)^\s*((re|fwd?|rv|enc|aw|wg|tr|השב|תגובה)\s*(\[\d+\])?:\s*)+`)

// Topic is a subject without the marks of answers.
func Topic(subject string) string { return answering.ReplaceAllString(subject, "") }

// SubjectOf is a subject for a text: its first line, shortened.
func SubjectOf(text string) string {
	const short = 60
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return meet.Shorten(line, short)
}

// mostReferences bounds the identifiers of a thread: the first one and the latest are kept.
const mostReferences = 50

// InThread is the letter as a reply to a mail (RFC 5322, 3.6.4).
func (l Letter) InThread(m Mail) Letter {
	before := m.References
	if len(before) == 0 && m.InReplyTo != "" {
		before = []string{m.InReplyTo}
	}
	l.References = slices.DeleteFunc(append(slices.Clone(before), m.MessageID), func(id string) bool { return id == "" })
	if n := len(l.References); n > mostReferences {
		l.References = append(l.References[:1], l.References[n-mostReferences+1:]...)
	}
	l.InReplyTo = m.MessageID
	return l
}

// Quoted is a text as a reply repeats it.
func Quoted(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ">") {
			lines[i] = ">" + line
		} else {
			lines[i] = strings.TrimRight("> "+line, " ")
		}
	}
	return strings.Join(lines, "\n")
}
