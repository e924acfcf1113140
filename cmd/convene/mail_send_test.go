package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// postal is a world of two people with mailboxes.
func postal(t *testing.T) (dir string) {
	t.Helper()
	return folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"mail/mira@example.org/inbox/7.eml": letterFile("7", "Otto Lang <otto@example.org>", "Lease", "Please sign it."),
		"mail/otto/sent/8.eml":              letterFile("8", "otto@example.org", "Lease", "Please sign it."),
		"calendars/mira@example.org/work.ics": vcalendar(vevent("w1", "Review", "20270201T100000Z",
			"ATTENDEE;CN=Otto:mailto:otto@example.org\r\nATTENDEE;CN=Zoe:mailto:zoe@example.net\r\n")),
	})
}

// mailOf are the mails of a person in a folder, the newest first.
func mailOf(t *testing.T, server, person, in string) (list []sentMail) {
	t.Helper()
	var all struct{ Mail []sentMail }
	request(t, "GET "+server+"/v1/people/"+person+"/mail?folder="+in, "", http.StatusOK, &all)
	return all.Mail
}

type sentMail struct {
	Subject, Body, Quoted, InReplyTo, ForwardOf, MessageID string
	To                                                     []struct{ Email string }
}

func subjectsOf(list []sentMail) (all []string) {
	for _, m := range list {
		all = append(all, m.Subject)
	}
	return all
}

// settle confirms a call's changes.
func settle(t *testing.T, server string, c called) (applied meet.Applied) {
	t.Helper()
	var answer struct{ Applied meet.Applied }
	request(t, "POST "+server+"/v1/changes/"+c.Changes.ID+"/confirm", `{"digest":"`+c.Changes.Digest+`"}`, http.StatusOK,
		&answer)
	return answer.Applied
}

// changesNow is what came of a set.
func changesNow(t *testing.T, server, id string) meet.Applied {
	t.Helper()
	var now struct{ Applied meet.Applied }
	request(t, "GET "+server+"/v1/changes/"+id, "", http.StatusOK, &now)
	return now.Applied
}

// A mail is asked for whatever the caller says, held, stopped by undo, and otherwise sent once: to the mailboxes that
// are here, and among the sent ones.
func TestMailIsHeldAndSent(t *testing.T) {
	t.Parallel()
	s := parseSettings(t, "--world="+postal(t), "--mail-hold=1h")
	server := wired(t, s).url()
	stopped := callTool(t, server, "email_compose", `{"kind":"reply","emailId":"7","body":"Done."}`)
	if stopped.Applied != nil || stopped.Changes.Status != "pending" || stopped.Changes.Changes[0].Class != "R2" {
		t.Fatalf("proposed: %+v", stopped)
	}
	if got := settle(t, server, stopped); got.Changes[0].Outcome != meet.ChangeHeld || got.UndoUntil == nil {
		t.Errorf("held: %+v", got)
	}
	if got := changesNow(t, server, stopped.Changes.ID); got.Changes[0].Outcome != meet.ChangeHeld {
		t.Errorf("held: %+v", got)
	}
	request(t, "POST "+server+"/v1/changes/"+stopped.Changes.ID+"/undo", "", http.StatusOK, nil)
	if sent := mailOf(t, server, "mira", "sent"); len(sent) != 0 {
		t.Errorf("a stopped mail was sent: %+v", sent)
	}

	s = parseSettings(t, "--world="+postal(t), "--mail-hold=100ms")
	server = wired(t, s).url()
	going := callTool(t, server, "email_compose", `{"kind":"reply","emailId":"7","body":"Done."}`)
	settle(t, server, going)
	await(t, "the mail is sent", func() bool {
		return changesNow(t, server, going.Changes.ID).Changes[0].Outcome == meet.ChangeDone
	})
	sent, got := mailOf(t, server, "mira", "sent"), mailOf(t, server, "otto", "inbox")
	if len(sent) != 1 || sent[0].Subject != "Re: Lease" || sent[0].Body != "Done." || sent[0].InReplyTo != "7@x.example" ||
		!strings.Contains(sent[0].Quoted, "> Please sign it.") {
		t.Errorf("sent: %+v", sent)
	}
	if len(got) != 1 || got[0].MessageID != sent[0].MessageID {
		t.Errorf("Otto got %+v", got)
	}
	request(t, "POST "+server+"/v1/changes/"+going.Changes.ID+"/undo", "", http.StatusConflict, nil)
}

// The terminal waits for the mail that its own server holds, and shows the mail whole before.
func TestTheTerminalWaitsForHeldMail(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t, "--world="+postal(t), "--mail-hold=300ms")).url()
	c := callTool(t, server, "email_compose", `{"kind":"reply","emailId":"7","body":"Done."}`)
	var shown struct{ Changes meet.ChangeSet }
	request(t, "GET "+server+"/v1/changes/"+c.Changes.ID, "", http.StatusOK, &shown)
	var out strings.Builder
	talk := conversation{server: server, show: newDisplay(&out, false), changes: &shown.Changes}
	talk.show.changes(shown.Changes)
	whole := []string{"to: Otto Lang <otto@example.org>", "| Done.", "| > Please sign it.", "! No mail server"}
	for _, want := range whole {
		if !strings.Contains(out.String(), want) {
			t.Errorf("shown without %q:\n%s", want, out.String())
		}
	}
	if err := talk.settleChanges(t.Context(), "confirm", nil); err != nil || talk.held == "" {
		t.Fatalf("%v, held %q", err, talk.held)
	}
	if err := talk.await(t.Context()); err != nil || len(mailOf(t, server, "mira", "sent")) != 1 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Guests of an event are written to, each event's together.
func TestGuestsAreWrittenTo(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t, "--world="+postal(t), "--mail-hold=0s")).url()
	c := callTool(t, server, "calendar_notifyAttendees",
		`{"selection":{"titleHas":["review"]},"text":"Ten minutes late."}`)
	settle(t, server, c)
	sent := mailOf(t, server, "mira", "sent")
	if len(sent) != 1 || sent[0].Subject != "Review" || sent[0].Body != "Ten minutes late." || len(sent[0].To) != 2 {
		t.Errorf("sent: %+v", sent)
	}
}

// A forwarded mail has the text of the original; a Maildir files what is sent where other programs see it.
func TestAMaildirSends(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"mail/mira@example.org/cur/1800000000.a:2,S": letterFile("a", "otto@example.org", "First", "Hi there"),
		"mail/mira@example.org/new/.keep":            "", "mail/otto/cur/.keep": "",
	})
	server := wired(t, parseSettings(t, "--world="+dir, "--mail-hold=0s")).url()
	c := callTool(t, server, "email_compose", `{"kind":"forward","emailId":"1800000000.a","to":["Otto"]}`)
	for range 2 {
		settle(t, server, c)
	}
	sent := mailOf(t, server, "mira", "sent")
	if len(sent) != 1 || !strings.Contains(sent[0].Body, "Hi there") || sent[0].ForwardOf != "a@x.example" {
		t.Errorf("sent: %+v", sent)
	}
	for pattern, want := range map[string]int{
		"mail/mira@example.org/.Sent/cur/*": 1, "mail/otto/new/*": 1, "mail/*/tmp/*": 0,
	} {
		if names, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(names) != want {
			t.Errorf("%s: %v, %v", pattern, names, err)
		}
	}
}

// A replica is killed after each of the commands that sending a mail gives to Redis, in turn, with the answer still on
// its way. Another one goes on; the mail arrives once, and is told as sent.
func TestAReplicaIsKilledAfterEachStepOfASend(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.Start(t)
	args := []string{"--world=" + postal(t), "--mail-hold=0s", "--now=2027-02-01T08:00:00+01:00"}
	survivor := startReplica(t, append(slices.Clone(args), "--redis-url="+redis)...)
	ids := map[string]string{}
	for n := 0; ; n += testenv.Count(5, 1) {
		subject := fmt.Sprintf("round%d", n)
		wire := newTripwire(t, redis)
		wire.victim = startReplica(t, append(slices.Clone(args), "--redis-url="+wire.url())...)
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
	sent, got := subjectsOf(mailOf(t, survivor.url, "mira", "sent")), subjectsOf(mailOf(t, survivor.url, "otto", "inbox"))
	for subject, id := range ids {
		var now struct {
			Changes struct{ Status string }
			Applied *meet.Applied
		}
		request(t, "GET "+survivor.url+"/v1/changes/"+id, "", http.StatusOK, &now)
		times := 0
		if now.Changes.Status != "pending" {
			times = 1
		}
		if count(sent, subject) != times || count(got, subject) != times ||
			times == 1 && (now.Applied == nil || now.Applied.Changes[0].Outcome != meet.ChangeDone) {
			raw, _ := json.Marshal(now)
			t.Errorf("%s: sent %d times, arrived %d times: %s", subject, count(sent, subject), count(got, subject), raw)
		}
	}
}

func count(list []string, one string) (n int) {
	for _, s := range list {
		if s == one {
			n++
		}
	}
	return n
}

// A held mail outlives the replica that held it.
func TestAHeldMailIsSentByAnotherReplica(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	args := []string{"--world=" + postal(t), "--mail-hold=1s", "--redis-url=" + redis}
	first, second := startReplica(t, args...), startReplica(t, args...)
	c := callTool(t, first.url, "email_compose", `{"kind":"new","to":["Otto"],"body":"Hi"}`)
	if got := settle(t, first.url, c); got.Changes[0].Outcome != meet.ChangeHeld {
		t.Fatalf("%+v", got)
	}
	first.kill()
	await(t, "the mail is sent", func() bool {
		return changesNow(t, second.url, c.Changes.ID).Changes[0].Outcome == meet.ChangeDone
	})
	if sent := mailOf(t, second.url, "mira", "sent"); len(sent) != 1 {
		t.Errorf("sent %d times", len(sent))
	}
}

func TestTimesThatCannotBeHeld(t *testing.T) {
	t.Parallel()
	if _, err := wire(t.Context(), parseSettings(t, "--mail-hold=-1s"), t.Output()); err == nil ||
		!strings.Contains(err.Error(), "--mail-hold") {
		t.Errorf("%v", err)
	}
}
