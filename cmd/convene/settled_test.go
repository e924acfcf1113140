package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
	"time"
)

// proposedTo asks for a coffee and gives what was streamed, and the path of the turn.
func (c *client) proposedTo(message string) (streamed any, path string) {
	c.t.Helper()
	events := c.begin(message)
	_, body, _ := get(c.t, c.server+events)
	streamed = collect(c.t, readStream(c.t, bytes.NewReader(body)))
	id, ok := lookup(streamed, "event.id")
	if !ok {
		c.t.Fatalf("nothing was proposed: %s", body)
	}
	c.proposal = fmt.Sprint(id)
	return streamed, strings.TrimSuffix(events, "/events")
}

func member(t *testing.T, doc any, path string) string {
	t.Helper()
	v, ok := lookup(doc, path)
	if !ok {
		return ""
	}
	return fmt.Sprint(v)
}

// spoken is a start as the messages of these tests write it.
func spoken(t *testing.T, start string) string {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, start)
	if err != nil {
		t.Fatal(err)
	}
	return moment.Format("Monday, January 2 at 3:04 PM")
}

// However an event was confirmed, everything that tells of it later tells of the time and place that were confirmed:
// the answer, the state of the turn that proposed it, and that turn in other protocols. Our own stream stays as it was.
func TestWhatIsToldFollowsWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	for name, choice := range map[string]string{
		"as proposed": `{}`, "another time": `{"slot": 1}`, "another place": `{"place": 0}`,
		"another time and place": `{"slot": 1, "place": 1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &client{t: t, server: startServer(t, ""), conversation: "settled"}
			first, path := c.proposedTo("coffee with Al next week")
			_, streamed, _ := get(t, c.server+path+"/events")
			if before := member(t, first, "message.text"); !strings.HasPrefix(before, "I suggest **Coffee with Al** on **") {
				t.Errorf("proposed with %q", before)
			}
			_, untouched, _ := get(t, c.server+path)
			if !strings.Contains(string(untouched), "I suggest") {
				t.Errorf("before it is confirmed the turn says %s", untouched)
			}
			booked := c.settle("confirm", choice)
			when, where := spoken(t, member(t, booked, "event.start")), member(t, booked, "event.place.name")
			says := func(how, text string) {
				t.Helper()
				if !strings.Contains(html.UnescapeString(text), "I've scheduled") || !strings.Contains(text, when) ||
					!strings.Contains(text, where) ||
					strings.Contains(text, "I suggest") || strings.Contains(text, "When you create") {
					t.Errorf("%s says %q, want %s at %s", how, text, when, where)
				}
			}
			says("the answer", member(t, booked, "event.message"))
			says("its HTML", member(t, booked, "event.html"))
			_, state, _ := get(t, c.server+path)
			var turn any
			if err := json.Unmarshal(state, &turn); err != nil {
				t.Fatal(err)
			}
			says("the turn", member(t, turn, "message"))
			if member(t, turn, "event.status") != "confirmed" ||
				member(t, turn, "event.start") != member(t, booked, "event.start") {
				t.Errorf("the turn has %s", state)
			}
			if _, replay, _ := get(t, c.server+path+"/events"); string(replay) != string(streamed) {
				t.Errorf("our own stream is %s, and was %s", replay, streamed)
			}
			for _, protocol := range []string{"?protocol=ui-message-stream", "?protocol=ag-ui"} {
				_, replay, _ := get(t, c.server+path+"/events"+protocol, "Accept", "text/event-stream")
				says("the replay "+protocol, string(replay))
				if !strings.Contains(string(replay), `"status":"confirmed"`) ||
					strings.Contains(string(replay), `"status":"proposed"`) {
					t.Errorf("the replay %s has the proposal as it was: %s", protocol, replay)
				}
			}
			again := c.settle("confirm", choice)
			says("the same confirmation again", member(t, again, "event.message"))
			gone := c.settle("cancel", `{}`)
			if text := member(t, gone, "event.message"); !strings.HasPrefix(text, "Cancelled: **Coffee with Al** on **"+when) ||
				!strings.Contains(text, where) {
				t.Errorf("cancelled with %q", text)
			}
			_, state, _ = get(t, c.server+path)
			if !strings.Contains(string(state), "Cancelled: ") || !strings.Contains(string(state), `"status":"cancelled"`) {
				t.Errorf("the turn of what was cancelled: %s", state)
			}
		})
	}
}

// A change starts from what was confirmed, not from what was proposed, and says so of the older turn once it stands.
func TestAChangeStartsFromWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "changed"}
	_, path := c.proposedTo("coffee with Al next week")
	booked := c.settle("confirm", `{"slot": 0, "place": 0}`)
	start, err := time.Parse(time.RFC3339, member(t, booked, "event.start"))
	if err != nil {
		t.Fatal(err)
	}
	later, _ := c.proposedTo("an hour later")
	if got, want := member(t, later, "event.start"), start.Add(time.Hour).Format(time.RFC3339); got != want {
		t.Errorf("an hour later than %s is %s, want %s", start, got, want)
	}
	if got, want := member(t, later, "event.place.name"), member(t, booked, "event.place.name"); got != want {
		t.Errorf("the place becomes %s, want %s", got, want)
	}
	c.settle("confirm", `{}`)
	_, state, _ := get(t, c.server+path)
	if !strings.Contains(string(state), "A later change has taken the place of **Coffee with Al**") {
		t.Errorf("the turn of what was replaced: %s", state)
	}
}

// What "what else?" adds to a proposal can be confirmed, and stands in the turn that made it.
func TestATurnHasItsEventAsItStands(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "more"}
	first, path := c.proposedTo("coffee with Al next week")
	get(t, c.server+c.begin("what else?"))
	_, state, _ := get(t, c.server+path)
	var turn any
	if err := json.Unmarshal(state, &turn); err != nil {
		t.Fatal(err)
	}
	before, after := member(t, first, "event.alternatives.slots.length"),
		member(t, turn, "event.alternatives.slots.length")
	if before == after || !strings.Contains(member(t, turn, "message"), "I suggest") {
		t.Errorf("%s alternatives before and %s after, with %s", before, after, state)
	}
}

// In the user's language as well.
func TestWhatIsToldFollowsInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"café con Al la semana que viene": "He programado **", "קפה עם Al בשבוע הבא": "קבעתי **",
	} {
		c := &client{t: t, server: startServer(t, ""), conversation: "tongue"}
		c.proposedTo(message)
		if got := member(t, c.settle("confirm", `{"slot": 0}`), "event.message"); !strings.HasPrefix(got, want) {
			t.Errorf("%q is confirmed with %q", message, got)
		}
	}
}

// An agent that calls once more with its key learns what has become of the proposal.
func TestAnAgentIsToldWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	a := newAgent(t, startServer(t, ""))
	args := map[string]any{"message": "coffee with Al next week", "organizer": "me", "idempotencyKey": "k"}
	first := a.call("propose", args)
	slot, _ := lookup(any(first), "alternatives.slots.1.start")
	booked := a.call("confirm", map[string]any{"proposalId": first["proposalId"], "slot": 1, "start": slot})
	when := spoken(t, fmt.Sprint(slot))
	wants(t, booked, "outcome = confirmed", "message ~ I've scheduled **Coffee with Al** for **"+when)
	wants(t, a.call("propose", args), "outcome = confirmed", "event.status = confirmed",
		"message ~ I've scheduled **Coffee with Al** for **"+when)
	wants(t, a.call("cancel", map[string]any{"proposalId": first["proposalId"]}), "outcome = cancelled",
		"message ~ Cancelled: **Coffee with Al** on **"+when)
	wants(t, a.call("propose", args), "outcome = cancelled", "message ~ Cancelled: ")
}

// The terminal says it in the same words.
func TestAskTellsWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	lines := strings.NewReader("coffee with Al next week\n/confirm 2\n/cancel\n")
	args := []string{"ask", "--log-level=disabled", "--now=" + friday}
	if status := run(t.Context(), args, streams{lines, &out, &errs}); status != exitDone || errs.Len() > 0 {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	_, settled, found := strings.Cut(out.String(), "I've scheduled Coffee with Al for ")
	if !found || !strings.Contains(settled, "· confirmed") || !strings.Contains(settled, "Cancelled: Coffee with Al on ") {
		t.Errorf("it says\n%s", &out)
	}
	if before, _, _ := strings.Cut(out.String(), " · proposed"); !strings.Contains(before,
		"I suggest Coffee with Al on ") {
		t.Errorf("it proposes\n%s", before)
	}
}
