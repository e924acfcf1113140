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
	return eml.New(record.Book{Store: recordtest.Shelf{}}, map[meet.PersonID]eml.Mailbox{owner.ID: eml.In(dir)})
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
	p := eml.New(record.Book{Store: recordtest.Shelf{}}, map[meet.PersonID]eml.Mailbox{"dana": eml.In(dir)})
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
