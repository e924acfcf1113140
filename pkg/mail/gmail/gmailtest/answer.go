package gmailtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"convene/pkg/account/google/gatetest"
	"convene/pkg/mail"
)

func (b *Mailbox) profile(w http.ResponseWriter, _ *http.Request) {
	write(w, object{"emailAddress": b.address, "messagesTotal": len(b.messages), "historyId": fmt.Sprint(b.now)})
}

func (b *Mailbox) listLabels(w http.ResponseWriter, _ *http.Request) {
	labels := []object{}
	for _, name := range system {
		labels = append(labels, object{"id": name, "name": name, "type": "system"})
	}
	for id, name := range b.labels {
		labels = append(labels, object{"id": id, "name": name, "type": "user"})
	}
	write(w, object{"labels": labels})
}

func (b *Mailbox) createLabel(w http.ResponseWriter, r *http.Request) {
	var given struct{ Name string }
	if json.NewDecoder(r.Body).Decode(&given) != nil || given.Name == "" ||
		slices.Contains(system, strings.ToUpper(given.Name)) {
		gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	for _, name := range b.labels {
		if strings.EqualFold(name, given.Name) {
			gatetest.Refuse(w, http.StatusConflict, "aborted")
			return
		}
	}
	write(w, object{"id": b.label(given.Name), "name": given.Name, "type": "user"})
}

func (b *Mailbox) listHistory(w http.ResponseWriter, r *http.Request) {
	var since uint64
	_, _ = fmt.Sscan(r.URL.Query().Get("startHistoryId"), &since)
	if since < b.floor {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	var records []object
	for _, c := range b.history {
		if c.at > since {
			records = append(records, object{"id": fmt.Sprint(c.at), "messages": []object{{"id": c.id}}})
		}
	}
	from, to, next := b.server.page(r, len(records))
	answer := object{"history": records[from:to], "historyId": fmt.Sprint(b.now)}
	if next != "" {
		answer["nextPageToken"] = next
	}
	write(w, answer)
}

func (b *Mailbox) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	means, err := parse(q.Get("q"))
	if err != nil {
		gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	var found []*message
	for _, m := range b.messages {
		buried := slices.Contains(m.labels, "TRASH") || slices.Contains(m.labels, "SPAM")
		labelled := !slices.ContainsFunc(q["labelIds"], func(l string) bool { return !slices.Contains(m.labels, l) })
		if labelled && (!buried || q.Get("includeSpamTrash") == "true") && means(m) {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(x, y *message) int { return y.at.Compare(x.at) })
	from, to, next := b.server.page(r, len(found))
	messages := []object{}
	for _, m := range found[from:to] {
		messages = append(messages, object{"id": m.id, "threadId": m.thread})
	}
	answer := object{"messages": messages, "resultSizeEstimate": 201}
	if next != "" {
		answer["nextPageToken"] = next
	}
	write(w, answer)
}

// page is which part of n items a request is for.
func (s *Server) page(r *http.Request, n int) (from, to int, next string) {
	_, _ = fmt.Sscanf(r.URL.Query().Get("pageToken"), "from.%d", &from)
	size := 100
	_, _ = fmt.Sscan(r.URL.Query().Get("maxResults"), &size)
	if size = min(size, 500); s.PageSize > 0 {
		size = min(size, s.PageSize)
	}
	from = min(from, n)
	if to = min(from+size, n); to < n {
		next = fmt.Sprintf("from.%d", to)
	}
	return from, to, next
}

// at is the message of a request; nil if it was refused.
func (b *Mailbox) at(w http.ResponseWriter, r *http.Request) *message {
	m := b.find(r.PathValue("id"))
	if m == nil {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
	}
	return m
}

func (b *Mailbox) get(w http.ResponseWriter, r *http.Request) {
	m := b.at(w, r)
	if m == nil {
		return
	}
	answer := m.brief(b)
	switch r.URL.Query().Get("format") {
	case "raw":
		answer["raw"] = base64.URLEncoding.EncodeToString(m.raw)
	case "metadata":
		answer["payload"] = object{"headers": headers(m.raw)}
	case "minimal":
	default:
		gatetest.Refuse(w, http.StatusNotImplemented, "notImplemented")
		return
	}
	write(w, answer)
}

// headers are the fields of a mail, with encoded words decoded.
func headers(raw []byte) (list []object) {
	top, _, _ := strings.Cut(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n\n")
	top = regexp.MustCompile(`\n[ \t]+`).ReplaceAllString(top, " ")
	for line := range strings.SplitSeq(top, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value, _ = new(mime.WordDecoder).DecodeHeader(strings.TrimSpace(value))
		list = append(list, object{"name": name, "value": value})
	}
	return list
}

func (b *Mailbox) modify(w http.ResponseWriter, r *http.Request) {
	m := b.at(w, r)
	if m == nil {
		return
	}
	var change struct{ AddLabelIDs, RemoveLabelIDs []string }
	if err := json.NewDecoder(r.Body).Decode(&change); err != nil {
		gatetest.Refuse(w, http.StatusBadRequest, "parseError")
		return
	}
	for _, l := range slices.Concat(change.AddLabelIDs, change.RemoveLabelIDs) {
		if l == "SENT" || l == "DRAFT" || slices.Contains(m.labels, "DRAFT") ||
			b.labels[l] == "" && !slices.Contains(system, l) {
			gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
			return
		}
	}
	b.relabel(m, change.AddLabelIDs, change.RemoveLabelIDs)
	write(w, m.brief(b))
}

func (b *Mailbox) bury(w http.ResponseWriter, r *http.Request) {
	m := b.at(w, r)
	if m == nil {
		return
	}
	if strings.HasSuffix(r.URL.Path, "/untrash") {
		b.relabel(m, nil, []string{"TRASH"})
	} else {
		b.relabel(m, []string{"TRASH"}, []string{"INBOX"})
	}
	write(w, m.brief(b))
}

func (b *Mailbox) thread(w http.ResponseWriter, r *http.Request) {
	var messages []object
	for _, m := range b.messages {
		if m.thread == r.PathValue("id") {
			messages = append(messages, m.brief(b))
		}
	}
	write(w, object{"id": r.PathValue("id"), "messages": messages})
}

func (b *Mailbox) sendAs(w http.ResponseWriter, _ *http.Request) {
	list := []object{{"sendAsEmail": b.address, "isPrimary": true}}
	for _, a := range b.aliases {
		list = append(list, object{"sendAsEmail": a, "verificationStatus": "accepted"})
	}
	write(w, object{"sendAs": list})
}

// uploaded are the resource and the content of an upload.
func uploaded(r *http.Request) (is struct {
	LabelIDs []string
	ThreadID string
}, raw []byte, err error,
) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return is, nil, err
	}
	parts := multipart.NewReader(r.Body, params["boundary"])
	first, err := parts.NextPart()
	if err == nil {
		err = json.NewDecoder(first).Decode(&is)
	}
	if err != nil {
		return is, nil, err
	}
	second, err := parts.NextPart()
	if err != nil {
		return is, nil, err
	}
	raw, err = io.ReadAll(second)
	return is, raw, err
}

func (b *Mailbox) insert(w http.ResponseWriter, r *http.Request) {
	is, raw, err := uploaded(r)
	if err != nil || r.URL.Query().Get("internalDateSource") != "dateHeader" {
		gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	at, _ := mail.ReadDate(bytes.NewReader(raw)) // now, if it has none
	write(w, b.keep(raw, at, "", is.LabelIDs).brief(b))
}

// ours is a mail with Gmail's own Message-ID.
func (b *Mailbox) ours(raw []byte) []byte {
	own := fmt.Sprintf("Message-ID: <CA+%d@mail.gmail.com>\r\n", len(b.messages))
	rest := regexp.MustCompile(`(?im)^Message-ID:[^\n]*\n`).ReplaceAll(raw, nil)
	return append([]byte(own), rest...)
}

func (b *Mailbox) send(w http.ResponseWriter, r *http.Request) {
	is, raw, err := uploaded(r)
	if err != nil {
		gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	if is.ThreadID != "" && !slices.ContainsFunc(b.messages, func(m *message) bool { return m.thread == is.ThreadID }) {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	m := b.keep(b.ours(raw), b.server.Now(), is.ThreadID, []string{"SENT"})
	write(w, object{"id": m.id, "threadId": m.thread, "labelIds": m.labels})
}

func (b *Mailbox) draft(w http.ResponseWriter, r *http.Request) {
	_, raw, err := uploaded(r)
	if err != nil {
		gatetest.Refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	m := b.keep(b.ours(raw), b.server.Now(), "", []string{"DRAFT"})
	write(w, object{"id": "r" + m.id, "message": m.brief(b)})
}
