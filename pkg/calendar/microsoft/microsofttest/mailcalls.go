package microsofttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/mail"
)

// mailRoutes are those of mail.
func (s *Server) mailRoutes() map[string]endpoint {
	const folders, message = "/v1.0/me/mailFolders", "/v1.0/me/messages/{message}"
	return map[string]endpoint{
		"GET " + folders:                                       s.listFolders,
		"POST " + folders:                                      s.makeFolder,
		"GET " + folders + "/{folder}":                         s.oneFolder,
		"GET " + folders + "/{folder}/childFolders":            s.listFolders,
		"POST " + folders + "/{folder}/childFolders":           s.makeFolder,
		"GET " + folders + "/{folder}/messages":                s.listMessages,
		"POST " + folders + "/{folder}/messages":               s.makeMessage,
		"GET /v1.0/me/messages":                                s.listMessages,
		"GET " + message:                                       s.aMessage(s.showMessage),
		"PATCH " + message:                                     s.aMessage(s.changeMessage),
		"DELETE " + message:                                    s.aMessage(s.deleteMessage),
		"GET " + message + "/$value":                           s.aMessage(s.content),
		"POST " + message + "/move":                            s.aMessage(s.moveMessage),
		"POST " + message + "/send":                            s.aMessage(s.sendMessage),
		"POST " + message + "/attachments":                     s.aMessage(s.attach),
		"POST " + message + "/attachments/createUploadSession": s.aMessage(s.uploadSession),
	}
}

// aMessage is the endpoint of one message. Without the preference for immutable ids, this server refuses.
func (s *Server) aMessage(to func(m *Mailbox, l *letter, r *http.Request, body []byte) (int, any, error)) endpoint {
	return func(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
		id := r.PathValue("message")
		l := m.open().find(id)
		switch {
		case !slices.Contains(r.Header.Values("Prefer"), `IdType="ImmutableId"`):
			return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidId"}
		case l == nil && !strings.HasPrefix(id, "AAMk"):
			return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidIdMalformed"}
		case l == nil:
			return 0, nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
		}
		return to(m, l, r, body)
	}
}

func (s *Server) oneFolder(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	b := m.open()
	f := b.folder(r.PathValue("folder"))
	if f == nil {
		return 0, nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
	}
	return http.StatusOK, b.render(f), nil
}

func (b *mails) render(f *mailFolder) map[string]any {
	is := map[string]any{"id": f.id, "displayName": f.name, "parentFolderId": f.parent, "isHidden": f.hidden}
	n := 0
	for _, o := range b.folders {
		if o.parent == f.id {
			n++
		}
	}
	is["childFolderCount"] = n
	if f.searching {
		is["@odata.type"] = "#microsoft.graph.mailSearchFolder"
	}
	return is
}

func (s *Server) listFolders(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	b := m.open()
	items := []map[string]any{}
	for _, f := range b.folders {
		if f.parent == r.PathValue("folder") && !f.hidden {
			items = append(items, b.render(f))
		}
	}
	return s.page(r, items, "")
}

func (s *Server) makeFolder(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	b := m.open()
	var asked struct{ DisplayName string }
	parent := r.PathValue("folder")
	if json.Unmarshal(body, &asked) != nil || asked.DisplayName == "" || strings.Contains(asked.DisplayName, "/") {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidParameter"}
	}
	if slices.ContainsFunc(b.folders, func(f *mailFolder) bool {
		return f.parent == parent && f.name == asked.DisplayName
	}) {
		return 0, nil, failure{http.StatusConflict, "ErrorFolderExists"}
	}
	f := &mailFolder{id: s.id("folder"), name: asked.DisplayName, parent: parent}
	b.folders = append(b.folders, f)
	return http.StatusCreated, b.render(f), nil
}

func (s *Server) showMessage(_ *Mailbox, l *letter, r *http.Request, _ []byte) (int, any, error) {
	return http.StatusOK, l.selected(r), nil
}

var expanded = regexp.MustCompile(`id eq '([^']+)'`)

// selected is what was asked for of a message. Headers come only if they are asked for.
func (l *letter) selected(r *http.Request) map[string]any {
	all := selected(r, l.fields)
	if kind, ok := l.fields["@odata.type"]; ok {
		all["@odata.type"] = kind
	}
	if r.URL.Query().Get("$select") == "" {
		all = maps.Clone(all)
		delete(all, "internetMessageHeaders")
	}
	var properties []map[string]any
	for _, m := range expanded.FindAllStringSubmatch(r.URL.Query().Get("$expand"), -1) {
		if value, ok := l.properties[m[1]]; ok {
			properties = append(properties, map[string]any{"id": m[1], "value": value})
		}
	}
	if properties != nil {
		all["singleValueExtendedProperties"] = properties
	}
	return all
}

// content is a mail in MIME, which is made of what is kept of it if it was not delivered.
func (s *Server) content(_ *Mailbox, l *letter, _ *http.Request, _ []byte) (int, any, error) {
	if l.raw != nil {
		return http.StatusOK, l.raw, nil
	}
	var made bytes.Buffer
	address := func(v any) string {
		of, _ := json.Marshal(v)
		var is struct {
			EmailAddress struct{ Name, Address string }
		}
		_ = json.Unmarshal(of, &is)
		return mime.QEncoding.Encode("utf-8", is.EmailAddress.Name) + " <" + is.EmailAddress.Address + ">"
	}
	fmt.Fprintf(&made, "From: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: %s\r\n", address(l.fields["from"]),
		mime.QEncoding.Encode("utf-8", fmt.Sprint(l.fields["subject"])), l.at.Format(time.RFC1123Z),
		l.fields["internetMessageId"])
	for header, field := range map[string]string{"To": "toRecipients", "Cc": "ccRecipients"} {
		list, _ := l.fields[field].([]any)
		for _, one := range list {
			fmt.Fprintf(&made, "%s: %s\r\n", header, address(one))
		}
	}
	fmt.Fprintf(&made, "Content-Type: text/plain; charset=utf-8\r\n\r\n%s\r\n", l.text)
	return http.StatusOK, made.Bytes(), nil
}

// written puts what a client writes into a message.
func (l *letter) written(body []byte) error {
	var set map[string]any
	var asked struct {
		Body        struct{ Content string }
		Attachments []struct{ Name string }
		Properties  []struct{ ID, Value string } `json:"singleValueExtendedProperties"`
	}
	if json.Unmarshal(body, &set) != nil || json.Unmarshal(body, &asked) != nil {
		return failure{http.StatusBadRequest, "UnableToDeserializePostBody"}
	}
	for _, h := range anyList(set["internetMessageHeaders"]) {
		name, _ := h["name"].(string)
		if !strings.HasPrefix(strings.ToLower(name), "x-") {
			return failure{http.StatusBadRequest, "InvalidInternetMessageHeader"}
		}
	}
	for _, p := range asked.Properties {
		l.properties[p.ID] = p.Value
	}
	for _, a := range asked.Attachments {
		l.files = append(l.files, a.Name)
	}
	if _, ok := set["body"]; ok {
		l.text = asked.Body.Content
	}
	delete(set, "singleValueExtendedProperties")
	delete(set, "attachments")
	maps.Copy(l.fields, set)
	l.fields["hasAttachments"] = l.fields["hasAttachments"] == true || len(l.files) > 0
	return nil
}

func anyList(v any) (list []map[string]any) {
	all, _ := v.([]any)
	for _, one := range all {
		if m, ok := one.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// mostBody is the largest request that Graph takes, in bytes.
const mostBody = 4 << 20

func (s *Server) makeMessage(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	b := m.open()
	f := b.folder(r.PathValue("folder"))
	switch {
	case f == nil:
		return 0, nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
	case len(body) > mostBody:
		return 0, nil, failure{http.StatusRequestEntityTooLarge, "RequestEntityTooLarge"}
	}
	l := &letter{properties: map[string]string{}, at: time.Now()}
	l.fields = map[string]any{
		"isRead": true, "categories": []any{}, "flag": map[string]any{"flagStatus": "notFlagged"},
		"from": person(mail.Address{Email: m.Address}),
	}
	if err := l.written(body); err != nil {
		return 0, nil, err
	}
	_, finished := l.properties["Integer 0x0E07"]
	l.fields["isDraft"] = !finished
	if at, err := time.Parse(time.RFC3339, l.properties["SystemTime 0x0E06"]); err == nil {
		l.at = at
	}
	m.keep(b, f, l)
	return http.StatusCreated, l.fields, nil
}

func (s *Server) changeMessage(_ *Mailbox, l *letter, r *http.Request, body []byte) (int, any, error) {
	if match := r.Header.Get("If-Match"); match != "" && match != l.fields["@odata.etag"] {
		return 0, nil, failure{http.StatusPreconditionFailed, "ErrorIrresolvableConflict"}
	}
	if err := l.written(body); err != nil {
		return 0, nil, err
	}
	l.touch(s)
	return http.StatusOK, l.fields, nil
}

func (s *Server) deleteMessage(m *Mailbox, l *letter, _ *http.Request, _ []byte) (int, any, error) {
	l.fields["parentFolderId"] = m.mails.folder("deleteditems").id
	return http.StatusNoContent, nil, nil
}

func (s *Server) moveMessage(m *Mailbox, l *letter, _ *http.Request, body []byte) (int, any, error) {
	var asked struct{ DestinationID string }
	if json.Unmarshal(body, &asked) != nil || m.mails.folder(asked.DestinationID) == nil {
		return 0, nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
	}
	l.fields["parentFolderId"] = m.mails.folder(asked.DestinationID).id
	l.touch(s)
	return http.StatusCreated, l.fields, nil
}

// sendMessage sends a draft, once.
func (s *Server) sendMessage(m *Mailbox, l *letter, _ *http.Request, _ []byte) (int, any, error) {
	if l.fields["isDraft"] != true {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidRequest"}
	}
	m.mails.sent++
	l.fields["isDraft"] = false
	if m.mails.renames {
		l.fields["internetMessageId"] = fmt.Sprintf("<%d@eurprd.prod.outlook.com>", m.mails.sent)
	}
	to := "sentitems"
	if m.mails.slow {
		to = "outbox"
	}
	l.fields["parentFolderId"] = m.mails.folder(to).id
	l.touch(s)
	return http.StatusAccepted, nil, nil
}

func (s *Server) attach(_ *Mailbox, l *letter, _ *http.Request, body []byte) (int, any, error) {
	var asked struct{ Name string }
	if len(body) > mostBody || json.Unmarshal(body, &asked) != nil {
		return 0, nil, failure{http.StatusRequestEntityTooLarge, "RequestEntityTooLarge"}
	}
	l.files, l.fields["hasAttachments"] = append(l.files, asked.Name), true
	return http.StatusCreated, map[string]any{"id": s.id("attachment")}, nil
}

func (s *Server) uploadSession(_ *Mailbox, l *letter, r *http.Request, body []byte) (int, any, error) {
	var asked struct {
		AttachmentItem struct {
			Name string
			Size int
		}
	}
	if json.Unmarshal(body, &asked) != nil {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidParameter"}
	}
	token := s.id("upload")
	if s.uploads == nil {
		s.uploads = map[string]*upload{}
	}
	s.uploads[token] = &upload{letter: l, name: asked.AttachmentItem.Name, size: asked.AttachmentItem.Size}
	return http.StatusCreated, map[string]any{"uploadUrl": "http://" + r.Host + "/v1.0/upload/" + token}, nil
}

// upload is an attachment that comes in pieces.
type upload struct {
	letter     *letter
	name       string
	size, here int
}

// serveUpload takes a piece: the next one, without a token.
func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	piece, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.uploads[r.PathValue("upload")]
	var from, until, size int
	_, err := fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &until, &size)
	if u == nil || err != nil || r.Header.Get("Authorization") != "" || from != u.here || until-from+1 != len(piece) ||
		size != u.size || len(piece) > mostBody {
		Fail(w, http.StatusBadRequest, "ErrorInvalidRange")
		return
	}
	if u.here += len(piece); u.here < u.size {
		render(w, http.StatusOK, map[string]any{"nextExpectedRanges": []string{fmt.Sprint(u.here)}})
		return
	}
	u.letter.files, u.letter.fields["hasAttachments"] = append(u.letter.files, u.name), true
	render(w, http.StatusCreated, nil)
}
