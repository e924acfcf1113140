package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/mail/imap/dovecottest"
)

// mailAccounts are the connected mailboxes as they are listed.
type mailAccounts struct {
	Accounts []struct{ ID, Server, SMTP, State, Problem string }
}

// A person connects a mailbox, in place of the one that they were given; it is read and filed, and what was filed is
// taken back. What is wrong with an account is said. Without the account the other mailbox counts again.
func TestAConnectedMailbox(t *testing.T) {
	t.Parallel()
	dovecot := &dovecottest.Server{}
	t.Cleanup(dovecot.Stop)
	user := dovecot.User(t)
	if err := dovecot.Deliver(user,
		letterFile("1", "otto@example.org", "Lease", "Please sign it."),
		letterFile("2", "news@shop.example", "Sale", "Ten off")); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"mail/mira@example.org/inbox/7.eml": letterFile("7", "al@x.example", "Old", "Hi"),
	})
	s := parseSettings(t, "--world="+dir, "--private-servers")
	s.Now = fixedTime{}
	server := wired(t, s).url()
	mailbox := server + "/v1/people/mira/mail"
	login := func(address, password string) string {
		return fmt.Sprintf(`{"server":%q,"smtp":"smtps://smtp.example","username":%q,"password":%q}`, address, user, password)
	}
	var wrong struct{ Field string }
	request(t, "POST "+mailbox+"/imap", login("imap://"+dovecot.Address, "wrong"), http.StatusBadRequest, &wrong)
	if wrong.Field != "password" {
		t.Errorf("a wrong password: %+v", wrong)
	}
	request(t, "POST "+mailbox+"/imap", login("imap://127.0.0.1:1", "x"), http.StatusServiceUnavailable, nil)
	request(t, "POST "+mailbox+"/imap", login("imap://"+dovecot.Address, dovecottest.Password), http.StatusOK, nil)
	both := map[string]string{"Lease": "inbox", "Sale": "inbox"}
	if diff := cmp.Diff(both, listMail(t, server, "").folders()); diff != "" {
		t.Fatal(diff)
	}
	filed := callTool(t, server, "email_archiveBatch", `{"selection":{"from":["otto"]}}`)
	if filed.Applied == nil || listMail(t, server, "").folders()["Lease"] != "archive" {
		t.Fatalf("it is not archived: %+v", filed)
	}
	request(t, "POST "+server+"/v1/changes/"+filed.Changes.ID+"/undo", "", http.StatusOK, nil)
	if listMail(t, server, "").folders()["Lease"] != "inbox" {
		t.Error("it is not back in the inbox")
	}
	var listed mailAccounts
	request(t, "GET "+mailbox+"/accounts", "", http.StatusOK, &listed)
	if len(listed.Accounts) != 1 || listed.Accounts[0].SMTP != "smtps://smtp.example:465" ||
		listed.Accounts[0].State != "connected" {
		t.Fatalf("listed: %+v", listed)
	}
	dovecot.Stop()
	var problem struct{ Detail string }
	request(t, "GET "+mailbox, "", http.StatusServiceUnavailable, &problem)
	if !strings.Contains(problem.Detail, "could not be reached") {
		t.Errorf("a server that is away: %q", problem.Detail)
	}
	request(t, "DELETE "+mailbox+"/accounts/"+listed.Accounts[0].ID, "", http.StatusNoContent, nil)
	if diff := cmp.Diff(map[string]string{"Old": "inbox"}, listMail(t, server, "").folders()); diff != "" {
		t.Error(diff)
	}
}

// Without --private-servers no server on this machine, and none without encryption, is called.
func TestPrivateMailServers(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"meta.json": worldMetaJSON, "people.json": worldPeopleJSON})
	server := serveWorld(t, dir)
	for address, want := range map[string]string{
		"imaps://127.0.0.1:9": "not a public one", "imap://mail.example.com": "begin with imaps://",
		"https://mail.example.com": "address of a server", "imaps://localhost": "not a public one",
	} {
		var problem struct{ Field, Detail string }
		request(t, "POST "+server+"/v1/people/mira/mail/imap",
			fmt.Sprintf(`{"server":%q,"username":"u","password":"p"}`, address), http.StatusBadRequest, &problem)
		if problem.Field != "server" || !strings.Contains(problem.Detail, want) {
			t.Errorf("%s: %+v, want that it is %s", address, problem, want)
		}
	}
}
