// Package mail is what a person's mailbox holds: a mail, which mails a selection means, how one is decoded, what it
// most probably asks for, and the contract of those who keep mailboxes. Everything in a mail was written by others: it
// is shown, counted and matched, and never obeyed.
package mail

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Mail is a mail as it is listed: where it stands, and what its headers say. Names and subjects are captions
// (meet.Caption).
type Mail struct {
	// ID names the mail among all of its owner's, and lasts: through changes of flags, moves and restarts.
	ID string `json:"id"`
	State
	From    Address   `json:"from"`
	ReplyTo []Address `json:"replyTo"`
	To      []Address `json:"to"`
	CC      []Address `json:"cc"`
	BCC     []Address `json:"bcc"`
	Subject string    `json:"subject"`
	// Date is when the mail came or, if its provider does not know that, when it was written.
	Date time.Time `json:"date"`
	// Preview is the beginning of its own text, without what it quotes, as one line.
	Preview        string `json:"preview"`
	HasAttachments bool   `json:"hasAttachments"`
	// MessageID, InReplyTo and References are message identifiers without their brackets (RFC 5322, 3.6.4).
	MessageID  string   `json:"messageId"`
	InReplyTo  string   `json:"inReplyTo"`
	References []string `json:"-"`
	// ForwardOf is the identifier of the mail that this one forwards.
	ForwardOf string `json:"forwardOf"`
	// Thread names the conversation that the mail claims to belong to.
	Thread string `json:"thread"`
	// Invitation is the METHOD of the calendar object that the mail carries, in lower case ("request", "cancel"); empty
	// if there is none.
	Invitation string `json:"invitation"`
	Signs      Signs  `json:"-"`
	// Provider is who keeps the mail.
	Provider string `json:"provider"`
}

// State is what a person can change of a mail that has come.
type State struct {
	Folder  Folder   `json:"folder"`
	Read    bool     `json:"read"`
	Starred bool     `json:"starred"`
	Labels  []string `json:"labels"`
}

// Same reports whether both states say the same.
func (s State) Same(o State) bool {
	labels := func(s State) []string { return slices.Sorted(slices.Values(s.Labels)) }
	return s.Folder == o.Folder && s.Read == o.Read && s.Starred == o.Starred && slices.Equal(labels(s), labels(o))
}

// Bounds of what a state names.
const (
	longestFolder = 150
	longestLabel  = 100
	mostLabels    = 50
)

// Check returns a fault that names the field which is wrong, or nil.
func (s State) Check() error {
	unusable := func(name string, longest int) bool {
		return strings.TrimSpace(name) != name || name == "" || len(name) > longest || name != seen(name) ||
			strings.ContainsAny(name, "\n\t")
	}
	folder := string(s.Folder)
	switch {
	case unusable(folder, longestFolder), strings.Contains(folder, "//"), strings.Trim(folder, "/") != folder:
		return fault.Invalid("folder", "must be the name of a folder")
	case len(s.Labels) > mostLabels:
		return fault.Invalid("labels", "are more than %d", mostLabels)
	case slices.ContainsFunc(s.Labels, func(l string) bool { return unusable(l, longestLabel) }):
		return fault.Invalid("labels", "must be short texts")
	}
	return nil
}

// Folder is where a mail lies: one of those with a purpose, or a name as its owner sees it, as "Clients/Acme".
type Folder string

// The folders with a purpose (RFC 6154).
const (
	Inbox   Folder = "inbox"
	Sent    Folder = "sent"
	Drafts  Folder = "drafts"
	Archive Folder = "archive"
	Trash   Folder = "trash"
	Junk    Folder = "junk"
)

// Purposes are the folders with a purpose.
func Purposes() []Folder { return []Folder{Inbox, Sent, Drafts, Archive, Trash, Junk} }

// Address is a mailbox (RFC 5322, 3.4). Name is a caption, and may be empty.
type Address struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Is reports whether both are the same mailbox, whatever they are called.
func (a Address) Is(email string) bool { return a.Email != "" && strings.EqualFold(a.Email, email) }

// Domain is the part after the @, in lower case.
func (a Address) Domain() string {
	_, domain, _ := strings.Cut(strings.ToLower(a.Email), "@")
	return domain
}

// Signs are what the headers say about how a mail came about. Anyone can write headers: a sign may make a mail matter
// less, and proves nothing.
type Signs struct {
	// List is a mail to many: List-Id or List-Unsubscribe (RFC 2369, 2919), or Precedence list or bulk.
	List bool
	// Unsubscribe says that it can be unsubscribed from.
	Unsubscribe bool
	// Automatic was sent by a program: Auto-Submitted (RFC 3834), Precedence auto_reply, or a sender that takes no
	// replies.
	Automatic bool
	// Report is a delivery report (RFC 3464).
	Report bool
}

// Part is a part of a mail that is not its text.
type Part struct {
	// Name is the file's name as a caption; Type is a media type; Size is in bytes, decoded.
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"`
}

// Message is a whole mail, decoded.
type Message struct {
	Mail
	// Text is what the mail itself says, as plain text; HTML becomes text. Quoted is what it repeats of others.
	Text   string `json:"text"`
	Quoted string `json:"quoted"`
	// Links are the addresses to which the text's links lead, each once.
	Links       []Link `json:"links"`
	Attachments []Part `json:"attachments"`
	// Cut says that the mail is larger than what is read of it.
	Cut bool `json:"cut"`
}

// Link is a link of a text.
type Link struct {
	// Text is what the link shows, as a caption, and URL where it leads.
	Text string `json:"text"`
	URL  string `json:"url"`
	// Deceives says that the text names another site than the one to which the link leads.
	Deceives bool `json:"deceives"`
}

// People are all addresses of a mail, the sender first.
func (m Mail) People() []Address {
	return slices.Concat([]Address{m.From}, m.To, m.CC, m.BCC)
}

// Compare orders mails: the newest first, and those of one time by their ids.
func Compare(a, b Mail) int { return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.ID, b.ID)) }

// Listed is the mail with empty lists in place of none, as it is encoded.
func (m Mail) Listed() Mail {
	m.ReplyTo, m.To = append([]Address{}, m.ReplyTo...), append([]Address{}, m.To...)
	m.CC, m.BCC = append([]Address{}, m.CC...), append([]Address{}, m.BCC...)
	m.Labels = append([]string{}, m.Labels...)
	return m
}

// Standing is a mail as it was read, with what stands of it elsewhere: its id, its state, its date and its provider.
func (m Mail) Standing(listed Mail) Mail {
	m.ID, m.State, m.Date, m.Provider = listed.ID, listed.State, listed.Date, listed.Provider
	return m
}

// Listed is the mail as it is listed, with its preview.
func (m Message) Listed() Mail {
	is := m.Mail.Listed()
	said := cmp.Or(m.Text, strings.ReplaceAll(m.Quoted, ">", ""))
	is.Preview = meet.Caption(meet.Shorten(said[:min(len(said), 8*meet.MaxText)], 2*meet.MaxText))
	return is
}

// Whole is all that the mail says, and repeats of others.
func (m Message) Whole() string { return m.Text + "\n" + m.Quoted }
