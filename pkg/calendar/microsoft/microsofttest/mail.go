package microsofttest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/mail"
)

// mailFolder is one of a mailbox. Its mails are kept apart from it.
type mailFolder struct {
	id, name, parent string
	// known is its name in requests; empty for those of the owner.
	known string
	// hidden folders are in no list, and searching ones have mails of others.
	hidden, searching bool
}

// known are the folders of a new mailbox, in the language of its owner.
var known = map[string]string{
	"inbox": "Posteingang", "sentitems": "Gesendete Elemente", "drafts": "Entwürfe", "archive": "Archiv",
	"deleteditems": "Gelöschte Elemente", "junkemail": "Junk-E-Mail", "outbox": "Postausgang",
}

// letter is a message: what Graph tells of it and, if it was delivered, its content.
type letter struct {
	fields     map[string]any
	properties map[string]string
	raw        []byte
	text       string
	files      []string
	at         time.Time
}

// mails are a mailbox's mail.
type mails struct {
	folders []*mailFolder
	letters []*letter
	// renames says that Exchange puts its own Message-ID into what is sent, and slow that it is filed by File.
	renames, slow bool
	sent          int
}

// open makes the folders of a mailbox. The lock is held by the caller.
func (m *Mailbox) open() *mails {
	if m.mails == nil {
		m.mails = &mails{}
		for _, name := range slices.Sorted(maps.Keys(known)) {
			m.mails.folders = append(m.mails.folders, &mailFolder{id: m.server.id("folder"), name: known[name], known: name})
		}
		m.mails.folders = append(m.mails.folders,
			&mailFolder{id: m.server.id("folder"), name: "TeamsMessagesData", hidden: true},
			&mailFolder{id: m.server.id("folder"), name: "Unread", searching: true})
	}
	return m.mails
}

func (b *mails) folder(name string) *mailFolder {
	i := slices.IndexFunc(b.folders, func(f *mailFolder) bool { return f.id == name || f.known != "" && f.known == name })
	if i < 0 {
		return nil
	}
	return b.folders[i]
}

// path is a folder by the names of those in which it lies. It is made if it is not there.
func (b *mails) path(s *Server, path string) *mailFolder {
	if f := b.folder(path); f != nil {
		return f
	}
	var at *mailFolder
	parent := ""
	for name := range strings.SplitSeq(path, "/") {
		i := slices.IndexFunc(b.folders, func(f *mailFolder) bool { return f.parent == parent && f.name == name })
		if i < 0 {
			b.folders = append(b.folders, &mailFolder{id: s.id("folder"), name: name, parent: parent})
			i = len(b.folders) - 1
		}
		at = b.folders[i]
		parent = at.id
	}
	return at
}

// Deliver puts a mail into a folder: one with a name of Graph's, or a path. It came when it was written.
func (m *Mailbox) Deliver(folder, content string, set map[string]any) (id string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	b := m.open()
	is, err := mail.Decode(strings.NewReader(content))
	if err != nil {
		panic(err)
	}
	subject, text, _ := mail.Wording(strings.NewReader(content))
	l := &letter{raw: []byte(content), properties: map[string]string{}, text: text, at: is.Date}
	for name, value := range map[string]string{
		"String 0x1042": is.InReplyTo, "String 0x1039": strings.Join(is.References, "> <"),
	} {
		if value != "" {
			l.properties[name] = "<" + value + ">"
		}
	}
	l.fields = map[string]any{
		"subject": subject, "internetMessageId": "<" + is.MessageID + ">", "hasAttachments": is.HasAttachments,
		"from": person(is.From), "toRecipients": people(is.To), "ccRecipients": people(is.CC), "isDraft": folder == "drafts",
		"bccRecipients": people(is.BCC), "replyTo": people(is.ReplyTo), "isRead": false, "categories": []any{},
		"flag": map[string]any{"flagStatus": "notFlagged"}, "internetMessageHeaders": headers(content),
	}
	if is.Invitation != "" {
		l.fields["@odata.type"] = "#microsoft.graph.eventMessageRequest"
	}
	maps.Copy(l.fields, set)
	return m.keep(b, b.path(m.server, folder), l)
}

// Set sets a field of a mail, as another program does.
func (m *Mailbox) Set(id, field string, value any) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	l := m.open().find(id)
	l.fields[field] = value
	l.touch(m.server)
}

// Hide puts a mail where it is in no folder that is told of.
func (m *Mailbox) Hide(content string) {
	id := m.Deliver("inbox", content, nil)
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	i := slices.IndexFunc(m.mails.folders, func(f *mailFolder) bool { return f.hidden })
	m.mails.find(id).fields["parentFolderId"] = m.mails.folders[i].id
}

// Subjects are those of the mails in a folder, in the order in which they came there.
func (m *Mailbox) Subjects(folder string) (list []string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	b := m.open()
	for _, l := range b.letters {
		if l.fields["parentFolderId"] == b.path(m.server, folder).id {
			list = append(list, fmt.Sprint(l.fields["subject"]))
		}
	}
	return list
}

// Conversations are those of the mails in the order in which they came.
func (m *Mailbox) Conversations() (list []string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	for _, l := range m.open().letters {
		list = append(list, fmt.Sprint(l.fields["conversationId"]))
	}
	return list
}

// Letter is what is kept of the first mail with a subject: its fields, properties and the names of its attachments.
func (m *Mailbox) Letter(subject string) (fields map[string]any, properties map[string]string, files []string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	for _, l := range m.open().letters {
		if l.fields["subject"] == subject {
			return l.fields, l.properties, l.files
		}
	}
	return nil, nil, nil
}

// Exchange says what becomes of mails that are sent: whether they get another Message-ID, and are filed only by File.
func (m *Mailbox) Exchange(renames, slow bool) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.open().renames, m.open().slow = renames, slow
}

// File files what was sent.
func (m *Mailbox) File() {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	b := m.open()
	for _, l := range b.letters {
		if l.fields["parentFolderId"] == b.folder("outbox").id {
			l.fields["parentFolderId"] = b.folder("sentitems").id
		}
	}
}

// TimesSent is how many mails have left.
func (m *Mailbox) TimesSent() int {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	return m.open().sent
}

func (m *Mailbox) keep(b *mails, in *mailFolder, l *letter) (id string) {
	id = m.server.id("message")
	l.fields["id"], l.fields["parentFolderId"] = id, in.id
	l.fields["conversationId"] = id
	about := l.properties["String 0x1039"] + l.properties["String 0x1042"]
	for _, o := range b.letters {
		if about == "" {
			break
		}
		if of := fmt.Sprint(o.fields["internetMessageId"]); strings.Contains(about, of) {
			l.fields["conversationId"] = o.fields["conversationId"]
		}
	}
	preview := []rune(l.text)
	l.fields["bodyPreview"] = string(preview[:min(len(preview), 255)])
	l.fields["body"] = map[string]any{"contentType": "text", "content": l.text}
	l.touch(m.server)
	b.letters = append(b.letters, l)
	return id
}

func (l *letter) touch(s *Server) {
	s.version++
	l.fields["@odata.etag"] = fmt.Sprintf(`W/"%d"`, s.version)
	l.fields["receivedDateTime"] = l.at.UTC().Format("2006-01-02T15:04:05Z")
}

func (b *mails) find(id string) *letter {
	i := slices.IndexFunc(b.letters, func(l *letter) bool { return l.fields["id"] == id })
	if i < 0 {
		return nil
	}
	return b.letters[i]
}

func person(a mail.Address) map[string]any {
	return map[string]any{"emailAddress": map[string]any{"name": a.Name, "address": a.Email}}
}

func people(list []mail.Address) []any {
	all := make([]any, len(list))
	for i, a := range list {
		all[i] = person(a)
	}
	return all
}

// headers are the fields of a mail.
func headers(content string) (list []map[string]any) {
	top, _, _ := strings.Cut(strings.ReplaceAll(content, "\r\n", "\n"), "\n\n")
	top = regexp.MustCompile(`\n[ \t]+`).ReplaceAllString(top, " ")
	for line := range strings.SplitSeq(top, "\n") {
		name, value, _ := strings.Cut(line, ":")
		list = append(list, map[string]any{"name": name, "value": strings.TrimSpace(value)})
	}
	return list
}
