package imap_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	goimap "github.com/emersion/go-imap/v2"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/imap/dovecottest"
	"convene/pkg/mail/mailtest"
	"convene/pkg/testenv"
)

// wire is a line to a server that breaks at one command.
type wire struct {
	t       testing.TB
	address string
	to      string
	// at is the command at which it breaks, from 1, before or after the server has carried it out; 0 is never.
	at    int
	after bool
	// down says that it stays broken.
	down bool

	mu       sync.Mutex
	commands []string
	broken   bool
	open     sync.WaitGroup
}

// breaking is a line to a server.
func breaking(t *testing.T, to string, at int, after, down bool) *wire {
	t.Helper()
	w := &wire{t: t, to: to, at: at, after: after, down: down}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.address = l.Addr().String()
	w.open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.open.Go(func() { w.carry(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close() })
	return w
}

// carry carries one connection, until it breaks.
func (w *wire) carry(client net.Conn) {
	defer client.Close()
	w.mu.Lock()
	gone := w.broken && w.down
	w.mu.Unlock()
	server, err := net.Dial("tcp", w.to)
	if err != nil || gone {
		return
	}
	defer server.Close()
	var silent sync.Mutex
	ending := ""
	w.open.Go(func() {
		defer client.Close()
		for lines := bufio.NewReader(server); ; {
			line, err := lines.ReadString('\n')
			silent.Lock()
			until := ending
			silent.Unlock()
			if until != "" && strings.HasPrefix(line, until) || err != nil {
				return
			}
			if until == "" {
				_, _ = io.WriteString(client, line) // the client may be gone
			}
		}
	})
	for lines := bufio.NewReader(client); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if w.breaks(line) {
			if !w.after {
				return
			}
			tag, _, _ := strings.Cut(line, " ")
			silent.Lock()
			ending = tag + " "
			silent.Unlock()
		}
		if _, err := io.WriteString(server, line); err != nil {
			return
		}
	}
}

// breaks reports whether the line breaks at a command.
func (w *wire) breaks(line string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.commands = append(w.commands, strings.TrimSpace(line))
	if w.broken || len(w.commands) != w.at {
		return false
	}
	w.broken = true
	return true
}

// sent are the commands that came, and whether the line broke at one.
func (w *wire) sent() (commands []string, broken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.commands), w.broken
}

// archived is the change that files a mail, with all that a change can set.
func archived(i int, m mail.Mail) mail.Amendment {
	to := mail.State{Folder: mail.Archive, Read: true, Starred: true, Labels: []string{"Done"}}
	return mail.Amendment{Key: fmt.Sprint(i), ID: m.ID, Provider: m.Provider, From: m.State, To: to}
}

// where are the folders of mails by their subjects, as another program sees them. What is marked as deleted is left
// out.
func where(t *testing.T, s *dovecottest.Server, user string) map[string][]string {
	t.Helper()
	c, in := other(t, s, user), map[string][]string{}
	folders, err := c.List("", "*", nil).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := c.Select(f.Mailbox, nil).Wait(); err != nil {
			t.Fatal(err)
		}
		found, err := c.UIDSearch(&goimap.SearchCriteria{NotFlag: []goimap.Flag{goimap.FlagDeleted}}, nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		if uids := found.AllUIDs(); len(uids) > 0 {
			mails, err := c.Fetch(goimap.UIDSetNum(uids...), &goimap.FetchOptions{Envelope: true}).Collect()
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range mails {
				in[m.Envelope.Subject] = append(in[m.Envelope.Subject], f.Mailbox)
			}
		}
	}
	return in
}

// numbered are mails that are called by their numbers.
func numbered(n int) (mails []mailtest.Given) {
	for i := range n {
		mails = append(mails, mailtest.Written(i, "al@example.com", fmt.Sprint(i), "Hi"))
	}
	return mails
}

// all are the mails of the inbox in the order of their numbers.
func all(t *testing.T, p mail.Provider) []mail.Mail {
	t.Helper()
	page, err := p.List(t.Context(), mailtest.Owner(), mail.Query{Folders: []mail.Folder{mail.Inbox}})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(page.Mails, func(a, b mail.Mail) int { return a.Date.Compare(b.Date) })
	return page.Mails
}

// Fifty mails are archived, and the line breaks at each command in turn, before or after the server has carried it out.
// If it is back at once, the change is made all the same. If not, as when the process is killed, another process
// repeats the change. Each mail is in the archive once, and nowhere else.
func TestBrokenLines(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*dovecottest.Server{"full": &full, "basic": &basic, "older": &older} {
		for _, down := range []bool{false, true} {
			if !down && s == &basic && !testenv.Soak() {
				continue
			}
			t.Run(fmt.Sprint(name, ", stays broken ", down), func(t *testing.T) {
				t.Parallel()
				archiveOverBrokenLines(t, s, down)
			})
		}
	}
}

func archiveOverBrokenLines(t *testing.T, s *dovecottest.Server, down bool) {
	t.Helper()
	n := testenv.Count(50, 150)
	user := s.User(t)
	given(t, other(t, s, user), numbered(n)...)
	mails := all(t, connected(t, s.Address, user))
	commands := 0
	for i, m := range mails {
		at := 0 // the first one makes the folder, the second one tells how many commands there are
		if i > 1 {
			at = (i-2)/2%commands + 1
		}
		w := breaking(t, s.Address, at, i%2 == 1, down)
		p, a := connected(t, w.address, user), archived(i, m)
		_, err := p.Apply(t.Context(), mailtest.Owner(), a)
		lines, broken := w.sent()
		switch {
		case i < 2:
			if commands = len(lines); err != nil {
				t.Fatal(err)
			}
			continue
		case !broken && len(lines) >= w.at:
			t.Errorf("mail %d: the line did not break among %q", i, lines)
		case (!down || !broken) && err != nil:
			t.Errorf("mail %d, broken at %q: %v", i, lines[w.at-1], err)
		case down && broken && fault.CodeOf(err) != fault.Unavailable:
			t.Errorf("mail %d, broken at %q: %v, want that the server is away", i, lines[w.at-1], err)
		}
		p.Close()
		if broken && down {
			again := connected(t, s.Address, user)
			if now, err := again.Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
				t.Errorf("mail %d again, broken at %q: %+v, %v", i, lines[w.at-1], now, err)
			}
			again.Close()
		}
	}
	if 2*commands > n-2 {
		t.Errorf("%d mails are too few for %d commands", n, commands)
	}
	in := where(t, s, user)
	for i := range n {
		if got := in[fmt.Sprint(i)]; !slices.Equal(got, []string{"Archive"}) {
			t.Errorf("mail %d is in %v", i, got)
		}
	}
}

// A server that goes away is said to be away, and is no empty mailbox.
func TestAServerThatIsAway(t *testing.T) {
	t.Parallel()
	user := full.User(t)
	given(t, other(t, &full, user), numbered(3)...)
	m := all(t, connected(t, full.Address, user))[0]
	w := breaking(t, full.Address, 3, false, true)
	p := connected(t, w.address, user)
	if _, err := p.List(t.Context(), mailtest.Owner(), mail.Query{}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("List: %v", err)
	}
	for name, call := range map[string]func() error{
		"Folders": func() error {
			_, err := p.Folders(t.Context(), mailtest.Owner())
			return err
		},
		"Open": func() error {
			_, _, err := p.Open(t.Context(), mailtest.Owner(), m.ID)
			return err
		},
		"Apply": func() error {
			_, err := p.Apply(t.Context(), mailtest.Owner(), archived(0, m))
			return err
		},
		"Add": func() error {
			_, err := p.Add(t.Context(), mailtest.Owner(), []byte(numbered(9)[8].Content), mail.State{Folder: mail.Sent})
			return err
		},
	} {
		err := call()
		if _, broken := w.sent(); fault.CodeOf(err) != fault.Unavailable || !broken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A mail that is added stands where it was put, once, however often the line breaks.
func TestAdding(t *testing.T) {
	t.Parallel()
	for _, s := range []*dovecottest.Server{&full, &basic} {
		user := s.User(t)
		sent := mailtest.Written(1, "dana@example.com", "Sent", strings.Repeat("Hello.\r\n", 1000))
		state := mail.State{Folder: mail.Sent, Read: true, Labels: []string{"Mine"}}
		ids := map[string]bool{}
		for at := range 12 {
			w := breaking(t, s.Address, at/2, at%2 == 0, false)
			id, err := connected(t, w.address, user).Add(t.Context(), mailtest.Owner(), []byte(sent.Content), state)
			if err != nil {
				t.Errorf("broken at %d: %v", at/2, err)
			}
			ids[id] = true
		}
		page, err := connected(t, s.Address, user).List(t.Context(), mailtest.Owner(), mail.Query{})
		if err != nil || len(page.Mails) != 1 || !ids[page.Mails[0].ID] || len(ids) != 1 || !page.Mails[0].Same(state) {
			t.Errorf("listed: %+v, %v; added as %v", page.Mails, err, ids)
		}
	}
}

// Of a mail that another program has copied, the one that is meant is moved, also if the other one was seen last.
func TestCopies(t *testing.T) {
	t.Parallel()
	user := full.User(t)
	c, p := other(t, &full, user), connected(t, full.Address, user)
	given(t, c, numbered(1)...)
	m := all(t, p)[0]
	err := c.Create("Archive", nil).Wait()
	if err == nil {
		_, err = c.Select("INBOX", nil).Wait()
	}
	if err == nil {
		_, err = c.Copy(goimap.SeqSetNum(1), "Archive").Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	both, err := p.List(t.Context(), mailtest.Owner(), mail.Query{Folders: []mail.Folder{mail.Archive}})
	if err != nil || len(both.Mails) != 1 || both.Mails[0].ID != m.ID {
		t.Fatalf("the archive has %+v, %v", both, err)
	}
	if page, err := p.List(t.Context(), mailtest.Owner(), mail.Query{}); err != nil || len(page.Mails) != 1 ||
		page.Mails[0].Folder != mail.Inbox {
		t.Errorf("everywhere: %+v, %v", page, err)
	}
	if _, err := p.Apply(t.Context(), mailtest.Owner(), archived(0, m)); err != nil || len(all(t, p)) != 0 {
		t.Errorf("it is still in the inbox, %v", err)
	}
}

// Another program marks and moves mails while they are listed, marked and archived here: nothing is lost, and neither's
// marks are.
func TestTwoProgramsAtOnce(t *testing.T) {
	t.Parallel()
	const n = 40
	user := full.User(t)
	c := other(t, &full, user)
	given(t, c, numbered(n)...)
	if err := c.Create("Clients", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	p := connected(t, full.Address, user)
	mails := all(t, p)
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := c.Select("INBOX", nil).Wait(); err != nil {
			t.Error(err)
		}
		for i := range n {
			found, err := c.UIDSearch(&goimap.SearchCriteria{Header: []goimap.SearchCriteriaHeaderField{
				{Key: "Message-Id", Value: fmt.Sprintf("<%d@example.org>", i)},
			}}, nil).Wait()
			if err != nil {
				t.Error(err)
				return
			}
			if len(found.AllUIDs()) == 0 {
				continue // it was faster
			}
			set := goimap.UIDSetNum(found.AllUIDs()...)
			marks := &goimap.StoreFlags{Op: goimap.StoreFlagsAdd, Flags: []goimap.Flag{goimap.FlagAnswered, "Theirs"}}
			err = c.Store(set, marks, nil).Close()
			if i%3 == 0 && err == nil {
				_, err = c.Move(set, "Clients").Wait()
			}
			if no, ok := errors.AsType[*goimap.Error](err); ok && no.Code == "EXPUNGEISSUED" {
				continue // it was faster after all
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	for i := range mails {
		m := mails[n-1-i]
		a := archived(i, m)
		if m.Subject[0]%2 == 0 {
			a.To.Folder = mail.Inbox
		}
		if _, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil && fault.CodeOf(err) != mail.ChangedCode {
			t.Errorf("mail %s: %v", m.Subject, err)
		}
		if _, err := p.List(t.Context(), mailtest.Owner(), mail.Query{Limit: 10}); err != nil {
			t.Error(err)
		}
	}
	both.Wait()
	in := where(t, &full, user)
	page, err := p.List(t.Context(), mailtest.Owner(), mail.Query{})
	if err != nil || len(page.Mails) < n || len(in) != n {
		t.Errorf("%d mails, %d of them for another program, %v", len(page.Mails), len(in), err)
	}
	for _, m := range page.Mails {
		i, err := strconv.Atoi(m.Subject)
		// IMAP locks nothing: of the mails that both move, one that both move at once is where each put it.
		moved := i%3 == 0 && m.Subject[0]%2 == 1 && slices.Equal(in[m.Subject], []string{"Archive", "Clients"})
		if err != nil || len(in[m.Subject]) != 1 && !moved {
			t.Errorf("mail %s is in %v, %v", m.Subject, in[m.Subject], err)
		}
		if m.Folder == "Clients" && !slices.Contains(m.Labels, "Theirs") {
			t.Errorf("mail %s in %s has lost a label: %v", m.Subject, m.Folder, m.Labels)
		}
		if m.Folder == mail.Archive && !slices.Contains(m.Labels, "Done") {
			t.Errorf("mail %s in the archive has lost a label: %v", m.Subject, m.Labels)
		}
	}
}
