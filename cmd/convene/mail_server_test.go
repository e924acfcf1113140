package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"convene/pkg/mail/imap/dovecottest"
	"convene/pkg/mail/smtp/smtptest"
	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// post is a mailbox at Dovecot whose mail leaves through an SMTP server.
type post struct {
	dovecot *dovecottest.Server
	sink    *smtptest.Sink
	user    string
	dir     string
}

func newPost(t *testing.T, sink *smtptest.Sink) *post {
	t.Helper()
	p := &post{dovecot: &dovecottest.Server{}, dir: postal(t)}
	t.Cleanup(p.dovecot.Stop)
	p.user = p.dovecot.User(t)
	sink.Password = dovecottest.Password
	p.sink = sink.Start(t)
	return p
}

// connect connects the mailbox at a server.
func (p *post) connect(t *testing.T, server string) {
	t.Helper()
	request(t, "POST "+server+"/v1/people/mira/mail/imap", fmt.Sprintf(
		`{"server":"imap://%s","smtp":%q,"username":%q,"password":%q}`, p.dovecot.Address, p.sink.URL(), p.user,
		dovecottest.Password), http.StatusOK, nil)
}

// handed counts the mails with a subject that the SMTP server took.
func (p *post) handed(subject string) (n int) {
	for _, m := range p.sink.Got() {
		if strings.Contains(m.Content, "Subject: "+subject+"\n") {
			n++
		}
	}
	return n
}

// lasting are arguments of replicas that share what seals the mailbox's password.
func lasting(t *testing.T, redis, world string) []string {
	t.Helper()
	return append(sealing(t, redis), "--world="+world, "--mail-hold=0s", "--now=2027-02-01T08:00:00+01:00")
}

// through is args for a replica that reaches Redis through a wire.
func through(args []string, wire *tripwire) []string {
	return append(slices.Clone(args), "--redis-url="+wire.url())
}

// A replica is killed after each of the commands that a send gives to Redis. The mail is handed over at most once: what
// is told as sent was, and is filed once; what was not asked for again did not leave; and what is unknown says so.
func TestAReplicaIsKilledAfterEachStepOfASendByServers(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis, p := redistest.Start(t), newPost(t, &smtptest.Sink{})
	args := lasting(t, redis, p.dir)
	survivor := startReplica(t, args...)
	p.connect(t, survivor.url)
	ids := map[string]string{}
	for n := 0; ; n += testenv.Count(5, 1) {
		subject := fmt.Sprintf("round%d", n)
		wire := newTripwire(t, redis)
		wire.victim = startReplica(t, through(args, wire)...)
		c := callTool(t, survivor.url, "email_compose", `{"kind":"new","to":["Otto"],"body":"Hi","subject":"`+subject+`"}`)
		ids[subject] = c.Changes.ID
		wire.stretch(n, &client{proposal: c.Changes.ID, conversation: "mira"})
		set := meet.ChangeSet{ID: meet.ChangesID(c.Changes.ID), Digest: c.Changes.Digest}
		if status, _ := confirmChanges(t, wire.victim.url, set); status == http.StatusOK {
			wire.relax()
			if n < 5 {
				t.Errorf("only %d commands were seen", n)
			}
			break
		}
		wire.awaitKill(t)
	}
	awaitChanges(ctx, t, redis)
	filed := subjectsOf(mailOf(t, survivor.url, "mira", "sent"))
	for subject, id := range ids {
		var now struct {
			Changes struct{ Status string }
			Applied *meet.Applied
		}
		request(t, "GET "+survivor.url+"/v1/changes/"+id, "", http.StatusOK, &now)
		outcome := meet.ChangeOutcome(now.Changes.Status)
		if now.Applied != nil && now.Changes.Status != "pending" {
			outcome = now.Applied.Changes[0].Outcome
		}
		left, kept := p.handed(subject), count(filed, subject)
		right := map[meet.ChangeOutcome]bool{
			"pending": left == 0 && kept == 0, meet.ChangeDone: left == 1 && kept == 1,
			meet.ChangeUnknown: left <= 1 && kept == 0,
		}
		if !right[outcome] {
			raw, _ := json.Marshal(now)
			t.Errorf("%s is %s: handed over %d times, filed %d times: %s", subject, outcome, left, kept, raw)
		}
	}
}

// An SMTP server that ends the connection after the whole mail leaves it unknown. That is told; the mail is not handed
// over again, whatever is asked; and once it stands among the sent ones, it is told as sent.
func TestAServerThatCutsOffAfterAMail(t *testing.T) {
	t.Parallel()
	p := newPost(t, &smtptest.Sink{Cut: true})
	server := wired(t, parseSettings(t, "--world="+p.dir, "--mail-hold=0s", "--private-servers")).url()
	p.connect(t, server)
	c := callTool(t, server, "email_compose", `{"kind":"new","to":["Otto"],"body":"Hi","subject":"Lease"}`)
	for range 3 {
		if got := settle(t, server, c); got.Changes[0].Outcome != meet.ChangeUnknown {
			t.Errorf("told as %s", got.Changes[0].Outcome)
		}
	}
	if p.handed("Lease") != 1 || len(mailOf(t, server, "mira", "sent")) != 0 {
		t.Fatalf("handed over %d times, filed %v", p.handed("Lease"), mailOf(t, server, "mira", "sent"))
	}
	dir := filepath.Join(p.dovecot.Maildir(p.user), ".Sent Mail", "cur")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "1.1.host:2,S"), []byte(p.sink.Got()[0].Content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.dovecot.Own(p.user); err != nil {
		t.Fatal(err)
	}
	await(t, "it is told as sent", func() bool {
		return changesNow(t, server, c.Changes.ID).Changes[0].Outcome == meet.ChangeDone
	})
	if p.handed("Lease") != 1 {
		t.Errorf("handed over %d times", p.handed("Lease"))
	}
}

// A replica is killed after each of the commands that an archive of 50 mails gives to Redis. Each mail is there once;
// of a set that others finished, all are in the archive.
func TestAReplicaIsKilledAfterEachStepOfAnArchive(t *testing.T) {
	t.Parallel()
	const mails = 50
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis, p := redistest.Start(t), newPost(t, &smtptest.Sink{})
	args := lasting(t, redis, p.dir)
	survivor := startReplica(t, args...)
	p.connect(t, survivor.url)
	ids := map[string]string{}
	for n := 0; ; n += testenv.Count(40, 5) {
		round := fmt.Sprintf("round%d", n)
		var all []string
		for i := range mails {
			all = append(all, letterFile(fmt.Sprintf("%s.%d", round, i), round+"@shop.example", round, "Sale"))
		}
		if err := p.dovecot.Deliver(p.user, all...); err != nil {
			t.Fatal(err)
		}
		wire := newTripwire(t, redis)
		wire.victim = startReplica(t, through(args, wire)...)
		c := callTool(t, survivor.url, "email_archiveBatch", `{"selection":{"from":["`+round+`@shop.example"]}}`)
		ids[round] = c.Changes.ID
		wire.stretch(n, &client{proposal: c.Changes.ID, conversation: "mira"})
		set := meet.ChangeSet{ID: meet.ChangesID(c.Changes.ID), Digest: c.Changes.Digest}
		if status, _ := confirmChanges(t, wire.victim.url, set); status == http.StatusOK {
			wire.relax()
			break
		}
		wire.awaitKill(t)
	}
	awaitChanges(ctx, t, redis)
	subjects := func(folder string) []string {
		return subjectsOf(mailOf(t, survivor.url, "mira", folder+"&limit=10000"))
	}
	archived, inbox := subjects("archive"), subjects("inbox")
	for round, id := range ids {
		var now struct{ Changes struct{ Status string } }
		request(t, "GET "+survivor.url+"/v1/changes/"+id, "", http.StatusOK, &now)
		a, i := count(archived, round), count(inbox, round)
		if a+i != mails || (a == 0) != (now.Changes.Status == "pending") || (i == 0) == (now.Changes.Status == "pending") {
			t.Errorf("%s (%s): %d archived, %d in the inbox", round, now.Changes.Status, a, i)
		}
	}
}
