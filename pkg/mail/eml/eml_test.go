package eml_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/mailtest"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

func open(t *testing.T, owner meet.Person, mails ...mailtest.Given) mail.Provider {
	t.Helper()
	dir := t.TempDir()
	for i, m := range mails {
		status := map[bool]string{true: "R"}[m.Read] + map[bool]string{true: "F"}[m.Starred]
		content := strings.Replace(m.Content, "\r\n\r\n", "\r\nX-Status: "+status+"\r\n\r\n", 1)
		if status == "" {
			content = m.Content
		}
		write(t, filepath.Join(dir, string(m.Folder), fmt.Sprintf("m%d.eml", i)), content)
	}
	return provider(owner.ID, dir)
}

func provider(owner meet.PersonID, dir string) *eml.Provider {
	return eml.New(record.Book{Store: recordtest.Shelf{}}, recordtest.Shelf{},
		map[meet.PersonID]eml.Mailbox{owner: eml.In(dir)})
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	mailtest.Run(t, open)
}

// Ids are the files' names; two files of one name have two ids. A file outside the folders is told of.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"inbox/7.eml", "Sent Items/7.eml", "Clients/Acme/8.EML", "inbox/notes.txt"} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), "Subject: x\n\nHi\n")
	}
	p := provider("dana", dir)
	page, err := p.List(t.Context(), mailtest.Owner(), mail.Query{})
	got := map[string]mail.Folder{}
	for _, m := range page.Mails {
		got[m.ID] = m.Folder
	}
	if err != nil || len(got) != 3 || got["7"] == "" || got["8"] != "Clients/Acme" || got["inbox-7"]+got["sent-7"] == "" {
		t.Errorf("%v, %v", got, err)
	}
	write(t, filepath.Join(dir, "stray.eml"), "Subject: x\n\nHi\n")
	if _, err := eml.In(dir)(); err == nil || !strings.Contains(err.Error(), "stray.eml") {
		t.Errorf("a stray file: %v", err)
	}
}

// BenchmarkOpen opens each mail of a mailbox in turn, some of which were changed, as triage does.
func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	dir := b.TempDir()
	const mails, changed = 500, 50
	for i := range mails {
		name := filepath.Join(dir, "inbox", fmt.Sprintf("m%d.eml", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			b.Fatal(err)
		}
		content := fmt.Sprintf("Subject: Number %d\nDate: Mon, 23 Nov 2026 10:%02d:00 +0000\n\nHi\n", i, i%60)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	p, owner := provider(mailtest.Owner().ID, dir), mailtest.Owner()
	page, err := p.List(b.Context(), owner, mail.Query{})
	if err != nil {
		b.Fatal(err)
	}
	for i, m := range page.Mails[:changed] {
		to := m.State
		to.Read = true
		a := mail.Amendment{Key: fmt.Sprint(i), ID: m.ID, Provider: m.Provider, From: m.State, To: to}
		if _, err := p.Apply(b.Context(), owner, a); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, m := range page.Mails {
			if _, _, err := p.Open(b.Context(), owner, m.ID); err != nil {
				b.Fatal(err)
			}
		}
	}
}
