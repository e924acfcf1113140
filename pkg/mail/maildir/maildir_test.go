package maildir_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/maildir"
	"convene/pkg/mail/mailtest"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

// came is when the test's mails were delivered.
const came = 1795000000

// dirs are the directories of folders, as other programs call them.
var dirs = map[mail.Folder]string{
	mail.Inbox: "", mail.Sent: ".Sent Items", mail.Trash: ".Trash", mail.Junk: ".Spam", "Clients/Acme": ".Clients.Acme",
}

func open(t *testing.T, owner meet.Person, mails ...mailtest.Given) mail.Provider {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range mails {
		flags := map[bool]string{true: "F"}[m.Starred] + map[bool]string{true: "S"}[m.Read]
		name := fmt.Sprintf("%d.M%dP1.host", came+i, i)
		at := filepath.Join(dir, dirs[m.Folder])
		if flags != "" {
			put(t, filepath.Join(at, "cur", name+":2,"+flags), m.Content)
		} else {
			put(t, filepath.Join(at, "new", name), m.Content)
			put(t, filepath.Join(at, "cur", ".hidden"), "")
		}
	}
	return provider(owner, dir)
}

func provider(owner meet.Person, dir string) *maildir.Provider {
	return maildir.New(record.Book{Store: recordtest.Shelf{}}, map[meet.PersonID]string{owner.ID: dir})
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestMaildir(t *testing.T) {
	t.Parallel()
	mailtest.Run(t, open)
}

// files are the files of a mailbox below its directory.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, strings.TrimPrefix(name, dir+string(filepath.Separator)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Flags that Convene does not know, and keywords of the folder, stay; a mail that is marked as deleted is in the trash.
func TestOtherProgramsFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		to   mail.State
		want string
	}{
		{"cur/1.x:2,RSab", mail.State{Folder: mail.Inbox, Read: true, Starred: true}, "cur/1.x:2,FRSab"},
		{"cur/1.x:2,PRSab", mail.State{Folder: mail.Archive}, ".Archive/cur/1.x:2,PR"},
		{"new/1.x", mail.State{Folder: mail.Inbox, Read: true}, "cur/1.x:2,S"},
		{"cur/1.x,S=12,W=13:2,", mail.State{Folder: mail.Trash}, ".Trash/cur/1.x,S=12,W=13:2,"},
		{"cur/1.x:2,ST", mail.State{Folder: mail.Inbox, Read: true}, "cur/1.x:2,S"},
		{"cur/1.x:2,", mail.State{Folder: "Clients/Söhne & Co."}, ".Clients.S&APY-hne &- Co&AC4-/cur/1.x:2,"},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, c.name), "Subject: x\n\nHi\n")
		if err := os.MkdirAll(filepath.Join(dir, "cur"), 0o700); err != nil {
			t.Fatal(err)
		}
		p := provider(mailtest.Owner(), dir)
		m := one(t, p, mail.Query{Folders: append(mail.Purposes(), "Clients/Söhne & Co.")})
		a := mail.Amendment{Key: "k", ID: m.ID, From: m.State, To: c.to}
		if _, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(files(t, dir), " ")
		if strings.TrimSuffix(got, " "+filepath.Dir(filepath.Dir(c.want))+"/maildirfolder") != c.want {
			t.Errorf("%s to %+v: %s, want %s", c.name, c.to, got, c.want)
		}
		if now := one(t, p, mail.Query{IDs: []string{m.ID}}); !now.Same(c.to) {
			t.Errorf("%s: now in %+v", c.name, now.State)
		}
	}
}

func one(t *testing.T, p mail.Provider, q mail.Query) mail.Mail {
	t.Helper()
	page, err := p.List(t.Context(), mailtest.Owner(), q)
	if err != nil || len(page.Mails) != 1 {
		t.Fatalf("%d mails, %v", len(page.Mails), err)
	}
	return page.Mails[0]
}

// A mail without a date, and one that says it was written long after it came, is listed by when it came.
func TestDates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	day := time.Unix(came, 0)
	for name, date := range map[string]string{
		"1.none": "", "2.plain": day.Add(-time.Hour).Format(time.RFC1123Z), "3.future": "Fri, 01 Jan 2100 00:00:00 +0000",
		"4.broken": "yesterday",
	} {
		put(t, filepath.Join(dir, "cur", fmt.Sprint(came, ".", name, ":2,")), "Date: "+date+"\nSubject: x\n\nHi\n")
	}
	page, err := provider(mailtest.Owner(), dir).List(t.Context(), mailtest.Owner(), mail.Query{})
	if err != nil || len(page.Mails) != 4 {
		t.Fatalf("%+v, %v", page, err)
	}
	for _, m := range page.Mails {
		want := day
		if strings.HasSuffix(m.ID, "plain") {
			want = day.Add(-time.Hour)
		} else if m.Date.Before(day) {
			want = m.Date // the file was written before the time in its name
		}
		if !m.Date.Equal(want) {
			t.Errorf("%s: %s, want %s", m.ID, m.Date, want)
		}
	}
}

// Other programs rename files while Convene lists, opens and changes them: no mail is lost, doubled or overwritten.
func TestOtherProgramsAtOnce(t *testing.T) {
	t.Parallel()
	const n, rounds = 30, 200
	dir := t.TempDir()
	for i := range n {
		put(t, filepath.Join(dir, "cur", fmt.Sprintf("%d.x:2,", i)), fmt.Sprintf("Subject: %d\n\nHi\n", i))
	}
	p := provider(mailtest.Owner(), dir)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			base := filepath.Join(dir, "cur", fmt.Sprintf("%d.x", i%n))
			for _, flags := range [][2]string{{"", "R"}, {"R", ""}, {"S", "RS"}, {"RS", "S"}} {
				_ = os.Rename(base+":2,"+flags[0], base+":2,"+flags[1]) // most names are others
			}
		}
	}()
	for i := range rounds {
		id := fmt.Sprintf("%d.x", i%n)
		page, err := p.List(t.Context(), mailtest.Owner(), mail.Query{IDs: []string{id}})
		if err != nil || len(page.Mails) > 1 {
			t.Fatalf("%+v, %v", page, err)
		}
		if len(page.Mails) == 0 {
			continue // it was renamed while the directory was read
		}
		to := page.Mails[0].State
		to.Read = !to.Read
		a := mail.Amendment{Key: fmt.Sprint(i), ID: id, From: page.Mails[0].State, To: to}
		if _, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil && fault.CodeOf(err) != mail.ChangedCode {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
	if all, err := p.List(t.Context(), mailtest.Owner(), mail.Query{}); err != nil || len(all.Mails) != n {
		t.Errorf("%d mails, %v", len(all.Mails), err)
	}
}

// BenchmarkLargeMailbox lists and searches 20,000 mails, the first time after a start and later.
func BenchmarkLargeMailbox(b *testing.B) {
	const n = 20_000
	dir := b.TempDir()
	for _, sub := range []string{"cur", "new"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	text := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 40)
	for i := range n {
		content := mailtest.Written(i, "al@example.com", fmt.Sprint("Mail ", i), text).Content
		name := filepath.Join(dir, "cur", fmt.Sprintf("%d.M%d.host:2,S", came+i, i))
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, q := range map[string]mail.Query{
		"first page": {Limit: 50}, "sender": {From: []string{"nobody"}}, "words": {Words: []string{"zebra"}},
	} {
		b.Run(name+" cold", func(b *testing.B) {
			for b.Loop() {
				if _, err := provider(mailtest.Owner(), dir).List(b.Context(), mailtest.Owner(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
		p := provider(mailtest.Owner(), dir)
		b.Run(name+" warm", func(b *testing.B) {
			for b.Loop() {
				if _, err := p.List(b.Context(), mailtest.Owner(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
