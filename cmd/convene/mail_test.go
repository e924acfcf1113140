package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// letterFile is a mail as a file.
func letterFile(id, from, subject, text string) string {
	return "Message-ID: <" + id + "@x.example>\r\nFrom: " + from + "\r\nTo: mira@example.org\r\nSubject: " + subject +
		"\r\nDate: Mon, 25 Jan 2027 09:00:00 +0100\r\n\r\n" + text + "\r\n"
}

// mailbox is a person's mail as it is listed.
type mailbox struct {
	Mail []struct {
		ID, Folder, Subject, Body string
		From                      struct{ Email string }
		Read                      bool
	}
	More     bool
	Problems []string
}

// folders are the folders of mails by their subjects.
func (m mailbox) folders() map[string]string {
	all := map[string]string{}
	for _, one := range m.Mail {
		all[one.Subject] = one.Folder
	}
	return all
}

func listMail(t *testing.T, server, query string) (m mailbox) {
	t.Helper()
	request(t, "GET "+server+"/v1/people/mira@example.org/mail"+query, "", http.StatusOK, &m)
	return m
}

func callTool(t *testing.T, server, tool, arguments string) (c called) {
	t.Helper()
	request(t, "POST "+server+"/v1/tools/"+tool, `{"arguments":`+arguments+`}`, http.StatusOK, &c)
	if c.Response.Error != nil {
		t.Fatalf("%s: %+v", tool, c.Response.Error)
	}
	return c
}

// Mail of a world is listed, filed by tools as the policy says, and taken back; the files stay as they are.
func TestTheMailOfAWorld(t *testing.T) {
	t.Parallel()
	files := map[string]string{"meta.json": worldMetaJSON, "people.json": worldPeopleJSON}
	for i := range 7 {
		files[fmt.Sprintf("mail/mira@example.org/inbox/n%d.eml", i)] =
			letterFile(fmt.Sprint("n", i), "news@shop.example", fmt.Sprint("Sale ", i), "Ten off")
	}
	files["mail/mira@example.org/inbox/7.eml"] = letterFile("7", "otto@example.org", "Lease", "Please sign it.")
	files["mail/mira@example.org/sent/8.eml"] = letterFile("8", "mira@example.org", "Re: Lease", "I will.")
	dir := folder(t, files)
	server := serveWorld(t, dir)

	got := listMail(t, server, "?folder=sent")
	if len(got.Mail) != 1 || got.Mail[0].ID != "8" || got.Mail[0].Body != "I will." {
		t.Errorf("sent: %+v", got)
	}
	one := callTool(t, server, "email_archiveBatch", `{"emailIds":["7"]}`)
	if one.Applied == nil || listMail(t, server, "").folders()["Lease"] != "archive" {
		t.Fatalf("one mail: %+v", one)
	}
	request(t, "POST "+server+"/v1/changes/"+one.Changes.ID+"/undo", "", http.StatusOK, nil)
	if listMail(t, server, "").folders()["Lease"] != "inbox" {
		t.Error("it is not back in the inbox")
	}
	for tool, arguments := range map[string]string{
		"email_archiveBatch": `{"selection":{"from":["shop"]}}`, "email_deleteBatch": `{"emailIds":["7"]}`,
		"email_flag": `{"emailIds":["7"],"moveTo":"trash"}`,
	} {
		asked := callTool(t, server, tool, arguments)
		if asked.Applied != nil || asked.Changes.Status != "pending" || asked.Changes.Changes[0].Class != "R2" {
			t.Errorf("%s is not asked for: %+v", tool, asked.Changes)
		}
	}
	asked := callTool(t, server, "email_archiveBatch", `{"selection":{"from":["shop"]}}`)
	confirm := "POST " + server + "/v1/changes/" + asked.Changes.ID + "/confirm"
	var applied struct{ Applied meet.Applied }
	for range 2 {
		request(t, confirm, `{"digest":"`+asked.Changes.Digest+`","only":["1","2","3","4","5","6"]}`, http.StatusOK, &applied)
	}
	archived := 0
	for _, in := range listMail(t, server, "?limit=100").folders() {
		if in == "archive" {
			archived++
		}
	}
	if archived != 6 || len(applied.Applied.Changes) < 6 {
		t.Errorf("%d are archived: %+v", archived, applied)
	}
	if names, err := os.ReadDir(filepath.Join(dir, "mail/mira@example.org/inbox")); err != nil || len(names) != 8 {
		t.Errorf("the files are %v, %v", names, err)
	}
	request(t, "GET "+server+"/v1/people/otto@example.org/mail", "", http.StatusNotFound, nil)
}

// A Maildir is live: mail that comes is there, and what is changed stands in the names of its files.
func TestAMaildirIsLive(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"mail/mira@example.org/cur/1800000000.a:2,S": letterFile("a", "otto@example.org", "First", "Hi"),
		"mail/mira@example.org/new/.keep":            "",
	})
	server := serveWorld(t, dir)
	box := filepath.Join(dir, "mail/mira@example.org")
	second := []byte(letterFile("b", "al@x.example", "Second", "Ho"))
	if err := os.WriteFile(filepath.Join(box, "new/1800000001.b"), second, 0o600); err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"First": "inbox", "Second": "inbox"}
	if diff := cmp.Diff(both, listMail(t, server, "").folders()); diff != "" {
		t.Fatal(diff)
	}
	callTool(t, server, "email_archiveBatch", `{"selection":{"subject":["Second"]}}`)
	callTool(t, server, "email_flag", `{"emailIds":["1800000000.a"],"read":false,"starred":true}`)
	var names []string
	err := filepath.WalkDir(box, func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.Contains(name, "180000000") {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(name, box)))
		}
		return err
	})
	slices.Sort(names)
	want := []string{"/.Archive/cur/1800000001.b:2,", "/cur/1800000000.a:2,F"}
	if diff := cmp.Diff(want, names); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// The mailbox of the demo has what people try: threads, lists, attachments, an invitation, three languages.
func TestTheDemoMailbox(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t)).url()
	var all mailbox
	request(t, "GET "+server+"/v1/people/me/mail?limit=1000", "", http.StatusOK, &all)
	counts := map[string]int{}
	for _, m := range all.Mail {
		counts[m.Folder]++
	}
	if len(all.Mail) < 110 || counts["inbox"] < 60 || len(counts) != 6 || all.More || len(all.Problems) > 0 {
		t.Errorf("%d mails: %v", len(all.Mail), counts)
	}
}
