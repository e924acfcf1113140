// Package gmailtest is Gmail's API as its documentation describes it, for tests: messages with labels and threads,
// search, history, drafts, sending, pages, and faults on demand. Like Gmail it puts a Message-ID of its own into what
// is sent, finds whole words, and forgets history.
package gmailtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/account/google/gatetest"
	"convene/pkg/mail"
)

// object is a resource in JSON.
type object = map[string]any

// Server is Gmail. It is safe for concurrent use.
type Server struct {
	// URL is the root of the API.
	URL string
	// PageSize, if it is not 0, is the most that a list gives at once, whatever was asked for.
	PageSize int
	// Now is when what is sent is sent. Defaults to time.Now.
	Now func() time.Time

	gatetest.Gate

	mu    sync.Mutex
	boxes map[string]*Mailbox
}

// Mailbox is that of one account.
type Mailbox struct {
	server   *Server
	address  string
	aliases  []string
	messages []*message
	labels   map[string]string // names by id
	history  []change
	// floor is the oldest history that is known.
	floor, now uint64
}

type message struct {
	id, thread string
	labels     []string
	at         time.Time
	raw        []byte
	is         mail.Message
}

type change struct {
	at uint64
	id string
}

// New is a server without accounts, which ends with the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{Gate: gatetest.Gate{Root: "/users/me/"}, boxes: map[string]*Mailbox{}, Now: time.Now}
	mux := http.NewServeMux()
	const root = "/gmail/v1/users/me/"
	for pattern, handle := range map[string]func(*Mailbox, http.ResponseWriter, *http.Request){
		"GET " + root + "profile":                (*Mailbox).profile,
		"GET " + root + "labels":                 (*Mailbox).listLabels,
		"POST " + root + "labels":                (*Mailbox).createLabel,
		"GET " + root + "history":                (*Mailbox).listHistory,
		"GET " + root + "messages":               (*Mailbox).list,
		"GET " + root + "messages/{id}":          (*Mailbox).get,
		"POST " + root + "messages/{id}/modify":  (*Mailbox).modify,
		"POST " + root + "messages/{id}/trash":   (*Mailbox).bury,
		"POST " + root + "messages/{id}/untrash": (*Mailbox).bury,
		"GET " + root + "threads/{id}":           (*Mailbox).thread,
		"GET " + root + "settings/sendAs":        (*Mailbox).sendAs,
		"POST /upload" + root + "messages":       (*Mailbox).insert,
		"POST /upload" + root + "messages/send":  (*Mailbox).send,
		"POST /upload" + root + "drafts":         (*Mailbox).draft,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			box := s.boxes[s.Who(r)]
			if box == nil {
				gatetest.Refuse(w, http.StatusUnauthorized, "authError")
				return
			}
			handle(box, w, r)
		})
	}
	server := httptest.NewServer(s.Before(mux))
	tb.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// User adds an account, which may also send as others.
func (s *Server) User(address string, aliases ...string) *Mailbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	box := &Mailbox{server: s, address: address, aliases: aliases, labels: map[string]string{}, now: 1000}
	s.boxes[address] = box
	return box
}

func write(w http.ResponseWriter, answer object) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(answer)
}

// Put delivers a mail with labels, which may be names of the owner's. It came when it was written.
func (b *Mailbox) Put(content string, labels ...string) (id string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	for i, l := range labels {
		labels[i] = b.label(l)
	}
	at, err := mail.ReadDate(strings.NewReader(content))
	if err != nil {
		panic(err)
	}
	return b.keep([]byte(content), at, "", labels).id
}

// Label sets and takes away labels of a mail, as other programs do.
func (b *Mailbox) Label(id string, add, remove []string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	b.relabel(b.find(id), add, remove)
}

// Forget forgets history, as Gmail does after a while.
func (b *Mailbox) Forget() {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	b.now++
	b.floor, b.history = b.now, nil
}

// With are the subjects of the mails that have a label.
func (b *Mailbox) With(label string) (subjects []string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	for _, m := range b.messages {
		if slices.Contains(m.labels, label) {
			subjects = append(subjects, m.is.Subject)
		}
	}
	return subjects
}

// Threads are the threads of the mails in the order in which they came.
func (b *Mailbox) Threads() (threads []string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	for _, m := range b.messages {
		threads = append(threads, m.thread)
	}
	return threads
}

var system = []string{"INBOX", "SENT", "DRAFT", "TRASH", "SPAM", "UNREAD", "STARRED", "IMPORTANT", "CHAT"}

// label is the id of a label, which is made if it is not there.
func (b *Mailbox) label(name string) string {
	if slices.Contains(system, name) {
		return name
	}
	for id, is := range b.labels {
		if is == name {
			return id
		}
	}
	id := fmt.Sprintf("Label_%d", len(b.labels)+1)
	b.labels[id] = name
	return id
}

func (b *Mailbox) keep(raw []byte, at time.Time, thread string, labels []string) *message {
	is, err := mail.Decode(bytes.NewReader(raw))
	if err != nil {
		panic(err)
	}
	m := &message{id: fmt.Sprintf("18c%013x", len(b.messages)*7919+1), labels: labels, at: at, raw: raw, is: is}
	if m.thread = thread; thread == "" {
		m.thread = m.id
		for _, o := range b.messages {
			if slices.Contains(is.References, o.is.MessageID) || is.InReplyTo != "" && is.InReplyTo == o.is.MessageID {
				m.thread = o.thread
			}
		}
	}
	b.messages = append(b.messages, m)
	b.touch(m)
	return m
}

func (b *Mailbox) touch(m *message) {
	b.now++
	b.history = append(b.history, change{b.now, m.id})
}

func (b *Mailbox) relabel(m *message, add, remove []string) {
	m.labels = slices.DeleteFunc(m.labels, func(l string) bool { return slices.Contains(remove, l) })
	for _, l := range add {
		if !slices.Contains(m.labels, l) {
			m.labels = append(m.labels, l)
		}
	}
	b.touch(m)
}

func (b *Mailbox) find(id string) *message {
	i := slices.IndexFunc(b.messages, func(m *message) bool { return m.id == id })
	if i < 0 {
		return nil
	}
	return b.messages[i]
}

func (m *message) brief(b *Mailbox) object {
	return object{
		"id": m.id, "threadId": m.thread, "labelIds": m.labels, "historyId": fmt.Sprint(b.now),
		"internalDate": fmt.Sprint(m.at.UnixMilli()), "sizeEstimate": len(m.raw), "snippet": "A snippet &amp; more",
	}
}
