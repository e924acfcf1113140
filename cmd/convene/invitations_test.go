package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/meet"
)

// The organizer's server could not deliver the invitation: the answer to the confirmation says
// so, the guest has a copy in their own calendar, and the copy is removed with the event.
func TestAnInvitationThatTheServerCouldNotDeliver(t *testing.T) {
	t.Parallel()
	mine := caldavtest.Start(t, caldavtest.Options{Addresses: []string{"mailto:morgan@example.com"}, Schedules: true})
	als := caldavtest.Start(t, caldavtest.Options{})
	mine.AddCalendar("main", nil)
	als.AddCalendar("main", nil)
	mine.Status("al@example.com", "3.7")
	c := &client{t: t, server: startServer(t, "", "--now="+friday, "--private-servers"), conversation: "undelivered"}
	for person, s := range map[string]*caldavtest.Server{"me": mine, "al": als} {
		body := fmt.Sprintf(`{"server": %q, "username": "ola", "password": "secret"}`, s.URL())
		if status, answer := c.post("/v1/people/"+person+"/calendars/caldav", "application/json",
			body); status >= http.StatusBadRequest {
			t.Fatalf("connect: %d %s", status, answer)
		}
	}
	answer := c.take(step{
		kind: "json", body: `{"message": "call Al on Wednesday at 1pm", "organizer": "me", "autoConfirm": true}`,
	})
	_, body, _ := get(t, c.server+"/v1/proposals/"+c.proposal)
	var e meet.Event
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	if _, copied := e.Undelivered(); len(copied) != 1 || !strings.HasPrefix(copied[0], "Al") {
		t.Errorf("the proposal says that %q have a copy: %s", copied, body)
	}
	text, _ := lookup(answer, "message.text")
	if said := fmt.Sprint(text); !strings.Contains(said, "couldn't be delivered, so the event was added to their own "+
		"calendar.") || strings.Contains(said, "will get an invite") {
		t.Errorf("the message is %s", said)
	}
	var card bytes.Buffer
	newDisplay(&card, false).event(e, nil)
	if !strings.Contains(card.String(), "could not be delivered; the event was added to their own calendar") {
		t.Errorf("the card in the terminal is\n%s", &card)
	}
	if mine, als := len(mine.Objects("main")), len(als.Objects("main")); mine != 1 || als != 1 {
		t.Errorf("%d events in my calendar and %d in Al's, want one in each", mine, als)
	}
	if status, answer := c.post("/v1/proposals/"+c.proposal+"/cancel", "application/json", "{}"); status != http.StatusOK {
		t.Errorf("cancel: %d %s", status, answer)
	}
	if left := len(mine.Objects("main")) + len(als.Objects("main")); left > 0 {
		t.Errorf("%d events are left after the cancellation", left)
	}
}
