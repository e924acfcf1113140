package outlook

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/account/graph"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/meet"
)

// The extended properties of a mail: In-Reply-To and References ([MS-OXOMSG] 2.2.1.2.2 and 2.2.1.2.1), and the
// Message-ID under which Convene made it.
const (
	replyProperty      = "String 0x1042"
	referencesProperty = "String 0x1039"
	ownProperty        = "String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneMessageID"
)

// selection and expansion are what is asked for of a mail that is listed.
const (
	selection = "id,parentFolderId,conversationId,internetMessageId,receivedDateTime,subject,bodyPreview,isRead,isDraft," +
		"hasAttachments,flag,categories,from,replyTo,toRecipients,ccRecipients,bccRecipients,internetMessageHeaders"
	expansion = "singleValueExtendedProperties($filter=id eq '" + replyProperty + "' or id eq '" + referencesProperty +
		"')"
)

var (
	selected = graph.Query{}.With("$select", selection)
	expanded = graph.Query{}.With("$expand", expansion)
)

// message is a message at Graph.
type message struct {
	Type           string      `json:"@odata.type"`
	ETag           string      `json:"@odata.etag"`
	ID             string      `json:"id"`
	Folder         string      `json:"parentFolderId"`
	Conversation   string      `json:"conversationId"`
	MessageID      string      `json:"internetMessageId"`
	Received       time.Time   `json:"receivedDateTime"`
	Subject        string      `json:"subject"`
	Preview        string      `json:"bodyPreview"`
	IsRead         bool        `json:"isRead"`
	IsDraft        bool        `json:"isDraft"`
	HasAttachments bool        `json:"hasAttachments"`
	Flag           flag        `json:"flag"`
	Categories     []string    `json:"categories"`
	From           *recipient  `json:"from"`
	ReplyTo        []recipient `json:"replyTo"`
	To             []recipient `json:"toRecipients"`
	CC             []recipient `json:"ccRecipients"`
	BCC            []recipient `json:"bccRecipients"`
	Headers        []field     `json:"internetMessageHeaders"`
	Properties     []property  `json:"singleValueExtendedProperties"`
}

type flag struct {
	Status string `json:"flagStatus"`
}

type recipient struct {
	Mailbox struct {
		Name    string `json:"name"`
		Address string `json:"address"`
	} `json:"emailAddress"`
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type property struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// flagged is the status of a mail with a flag; one that is done has none.
const flagged = "flagged"

// identifier is what Graph's ids look like.
var identifier = regexp.MustCompile(`^[A-Za-z0-9_=-]{1,1000}$`)

func path(id string) string { return "/me/messages/" + url.PathEscape(id) }

// message is the mail with an id; ErrGone if it is not there.
func (b *box) message(ctx context.Context, id string) (*message, error) {
	if !identifier.MatchString(id) {
		return nil, remote.ErrGone
	}
	m, err := ask[message](ctx, b, graph.Get(path(id), slices.Concat(selected, expanded)))
	return m, gone(err)
}

// stateOf is a mail's state. Known is false if its folder is hidden.
func (s *session) stateOf(ctx context.Context, m *message) (state mail.State, known bool, err error) {
	is, known := s.folders.is[m.Folder]
	if !known && !s.isHidden(m.Folder) { // another program may have just made it
		if err := s.readFolders(ctx, true); err != nil {
			return state, false, err
		}
		if is, known = s.folders.is[m.Folder]; !known {
			s.hidden.Store(m.Folder, time.Now())
		}
	}
	return mail.State{
		Folder: is, Read: m.IsRead, Starred: m.Flag.Status == flagged, Labels: slices.Sorted(slices.Values(m.Categories)),
	}, known, nil
}

// isHidden reports whether a folder was not told of a moment ago.
func (s *session) isHidden(folder string) bool {
	seen, _ := s.hidden.Load(folder)
	at, _ := seen.(time.Time)
	return time.Since(at) < readFor
}

// told are the header fields that say how a mail came about.
var told = []string{
	"In-Reply-To", "References", "List-Id", "List-Post", "List-Unsubscribe", "Precedence", "Auto-Submitted", "X-Autoreply",
	"X-Auto-Response-Suppress", "X-Forwarded-Message-Id", "Content-Type",
}

// mail is a message as it is listed, without its state. Names, addresses and the subject are those that Graph has read.
func (m *message) mail() (is mail.Mail, err error) {
	from := address(m.From)
	var head strings.Builder
	write := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			head.WriteString(name + ": " + value + "\r\n")
		}
	}
	write("From", "<"+from.Email+">")
	write("Message-Id", m.MessageID)
	for _, name := range told {
		write(name, m.field(name))
	}
	if is, err = mail.ReadHead(strings.NewReader(head.String())); err != nil {
		return is, err
	}
	const plain = "Content-Type: text/plain; charset=utf-8\r\n\r\n"
	text, err := mail.Glance(strings.NewReader(plain + m.Preview))
	if err != nil {
		return is, err
	}
	is.Preview = text.Listed().Preview
	is.From, is.ReplyTo, is.To = from, addresses(m.ReplyTo), addresses(m.To)
	is.CC, is.BCC = addresses(m.CC), addresses(m.BCC)
	is.Subject, is.HasAttachments, is.Invitation = meet.Caption(m.Subject), m.HasAttachments, m.invitation()
	is.ID, is.Date, is.Provider = m.ID, m.Received.UTC(), Name
	return is.Listed(), nil
}

// field is a header field; of a mail that did not come through the internet, it is a property.
func (m *message) field(name string) string {
	for _, f := range m.Headers {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	id := map[string]string{"In-Reply-To": replyProperty, "References": referencesProperty}[name]
	for _, p := range m.Properties {
		if id != "" && strings.EqualFold(p.ID, id) {
			return p.Value
		}
	}
	return ""
}

// invitation is the METHOD of the calendar object of which Exchange has made the mail.
func (m *message) invitation() string {
	switch strings.TrimPrefix(m.Type, "#microsoft.graph.") {
	case "eventMessageRequest":
		return "request"
	case "eventMessageResponse":
		return "reply"
	case "eventMessage":
		return "cancel"
	}
	return ""
}

// address is a mailbox; one within Exchange may have no address that mail can be sent to.
func address(r *recipient) (a mail.Address) {
	if r != nil {
		a.Name = meet.Caption(r.Mailbox.Name)
		if mail.IsAddress(r.Mailbox.Address) {
			a.Email = r.Mailbox.Address
		}
	}
	return a
}

func addresses(list []recipient) (all []mail.Address) {
	for i := range list {
		if a := address(&list[i]); a.Email != "" {
			all = append(all, a)
		}
	}
	return all
}

// standing is the mail with an id, and its state; ErrGone if it is not there.
func (s *session) standing(ctx context.Context, id string) (*message, mail.State, error) {
	m, err := s.message(ctx, id)
	if err != nil {
		return nil, mail.State{}, err
	}
	state, known, err := s.stateOf(ctx, m)
	if err == nil && !known {
		err = remote.ErrGone
	}
	return m, state, err
}

// Read is a mail and its content.
func (b *box) Read(ctx context.Context, id string) (m mail.Mail, content []byte, err error) {
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		is, state, err := s.standing(ctx, id)
		if err != nil {
			return err
		}
		if m, err = is.mail(); err != nil {
			return err
		}
		m.State = state
		content, err = s.graph.Content(ctx, graph.By(s.account.ID), graph.Get(path(id)+"/$value", nil))
		return gone(err)
	})
	return m, content, err
}

// text is what a mail says.
func (s *session) text(ctx context.Context, id string) (string, error) {
	r := graph.Get(path(id), graph.Query{}.With("$select", "body"))
	r.Prefer = []string{`outlook.body-content-type="text"`}
	m, err := ask[struct{ Body struct{ Content string } }](ctx, s.box, r)
	if err != nil {
		return "", err
	}
	return m.Body.Content, nil
}

// patch sets fields of a mail.
func (b *box) patch(ctx context.Context, m *message, set map[string]any) error {
	return b.call(ctx, graph.Request{Method: http.MethodPatch, Target: path(m.ID), Body: set, Match: m.ETag})
}
