package outlook

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"strings"
	"time"

	"convene/pkg/account/graph"
	"convene/pkg/mail"
)

// letter is a mail as Graph is given it.
type letter struct {
	head          mail.Mail
	subject, text string
	files         []mail.File
}

// read is a mail (RFC 5322) as Graph takes it in: its text, its attachments and what its header says.
func read(content []byte) (l letter, err error) {
	if l.head, err = mail.ReadHead(bytes.NewReader(content)); err != nil {
		return l, err
	}
	if l.subject, l.text, err = mail.Wording(bytes.NewReader(content)); err != nil {
		return l, err
	}
	l.files, err = mail.Files(bytes.NewReader(content))
	return l, err
}

// The extended properties of a mail that is not a draft: its flags ([MS-OXCMSG] 2.2.1.6), which can be given only when
// it is made, and when it came and was sent; and a header field that Graph has no name for.
const (
	flagsProperty     = "Integer 0x0E07"
	cameProperty      = "SystemTime 0x0E06"
	sentProperty      = "SystemTime 0x0039"
	automaticProperty = "String {00020386-0000-0000-C000-000000000046} Name Auto-Submitted"
)

// resource is the letter as a message in a state, without its attachments. Its Message-ID stands in it twice.
func (l letter) resource(s mail.State) map[string]any {
	properties := []property{{ownProperty, l.head.MessageID}}
	add := func(id, value string) {
		if value != "" {
			properties = append(properties, property{id, value})
		}
	}
	add(replyProperty, inBrackets(l.head.InReplyTo))
	add(referencesProperty, inBrackets(l.head.References...))
	if l.head.Signs.Automatic {
		add(automaticProperty, "auto-generated")
	}
	if s.Folder != mail.Drafts {
		at := l.head.Date.UTC().Format(time.RFC3339)
		add(flagsProperty, map[bool]string{true: "1", false: "0"}[s.Read])
		add(cameProperty, at)
		add(sentProperty, at)
	}
	message := map[string]any{
		"subject": l.subject, "body": map[string]any{"contentType": "text", "content": l.text},
		"internetMessageId": inBrackets(l.head.MessageID), "from": recipientsOf(l.head.From)[0],
		"toRecipients": recipientsOf(l.head.To...), "ccRecipients": recipientsOf(l.head.CC...),
		"bccRecipients": recipientsOf(l.head.BCC...), "singleValueExtendedProperties": properties,
	}
	if l.head.ForwardOf != "" {
		message["internetMessageHeaders"] = []field{{"X-Forwarded-Message-Id", inBrackets(l.head.ForwardOf)}}
	}
	maps.Copy(message, differing(mail.State{Read: !s.Read}, s))
	return message
}

// inBrackets are message identifiers as header fields have them.
func inBrackets(ids ...string) string {
	if strings.Join(ids, "") == "" {
		return ""
	}
	return "<" + strings.Join(ids, "> <") + ">"
}

func recipientsOf(list ...mail.Address) []recipient {
	all := make([]recipient, len(list))
	for i, a := range list {
		all[i].Mailbox.Name, all[i].Mailbox.Address = a.Name, a.Email
	}
	return all
}

// make makes a message in a folder, with its attachments. Those of a large one are added after it: one that is not
// whole is taken away again.
func (s *session) make(ctx context.Context, l letter, state mail.State) (made *message, err error) {
	id, err := s.folder(ctx, state.Folder)
	if err != nil {
		return nil, err
	}
	body, size := l.resource(state), 0
	for _, f := range l.files {
		size += len(f.Content)
	}
	later := l.files
	if size <= mostInline {
		attachments := []map[string]any{}
		for _, f := range l.files {
			attachments = append(attachments, attachment(f))
		}
		body["attachments"], later = attachments, nil
	}
	made, err = ask[message](ctx, s.box, graph.Request{
		Method: http.MethodPost, Target: messagesIn(id), Body: body, Once: true,
	})
	if err != nil {
		return nil, err
	}
	for _, f := range later {
		if err := s.attach(ctx, made, f); err != nil {
			s.discard(ctx, made)
			return nil, err
		}
	}
	return made, nil
}

// mostInline bounds the attachments that one request holds, in bytes: Graph takes requests of 4 MB.
const mostInline = 2 << 20

func attachment(f mail.File) map[string]any {
	return map[string]any{
		"@odata.type": "#microsoft.graph.fileAttachment", "name": f.Name, "contentType": f.Type, "contentBytes": f.Content,
	}
}

// attach adds a file to a message: a large one in an upload session of its own
// (https://learn.microsoft.com/graph/outlook-large-attachments).
func (s *session) attach(ctx context.Context, m *message, f mail.File) error {
	at := path(m.ID) + "/attachments"
	if len(f.Content) <= mostInline {
		return s.call(ctx, graph.Request{Method: http.MethodPost, Target: at, Body: attachment(f), Once: true})
	}
	session, err := ask[struct{ UploadURL string }](ctx, s.box, graph.Request{
		Method: http.MethodPost, Target: at + "/createUploadSession", Body: map[string]any{
			"AttachmentItem": map[string]any{
				"attachmentType": "file", "name": f.Name, "contentType": f.Type, "size": len(f.Content),
			},
		},
	})
	if err != nil {
		return err
	}
	return s.graph.Upload(ctx, session.UploadURL, f.Content)
}

// discard takes a draft away again. One that stays is taken away by the next attempt.
func (s *session) discard(ctx context.Context, m *message) {
	_ = s.call(ctx, graph.Request{Method: http.MethodDelete, Target: path(m.ID)})
}
