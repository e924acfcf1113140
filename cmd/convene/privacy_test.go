package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/llm"
	"convene/pkg/sse"
	"convene/stages"
)

// secrets are the words in Al's calendars, one set for each of two worlds. Al is busy at the same times in both.
type secrets struct{ title, place, notes, guest string }

func (s secrets) words() []string { return []string{s.title, s.place, s.notes, s.guest} }

// alsCalendar has an event of every kind: one, an all-day one, a series with a moved instance, one that another person
// invited to, one that is tentative and one that does not block.
const alsCalendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//%[1]s//EN
X-WR-CALNAME:%[1]s
X-WR-CALDESC:%[3]s
BEGIN:VEVENT
UID:one@example.com
DTSTAMP:20261101T000000Z
DTSTART:20261124T180000Z
DTEND:20261124T190000Z
SUMMARY:%[1]s
LOCATION:%[2]s
DESCRIPTION:%[3]s
ATTENDEE;CN="%[4]s";PARTSTAT=ACCEPTED:mailto:%[4]s@clinic.example
CATEGORIES:%[1]s,%[3]s
COMMENT:%[3]s
URL:https://clinic.example/%[1]s
X-APPLE-STRUCTURED-LOCATION;X-TITLE="%[2]s":geo:1,2
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:%[1]s
TRIGGER:-PT15M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:allday@example.com
DTSTAMP:20261101T000000Z
DTSTART;VALUE=DATE:20261126
DTEND;VALUE=DATE:20261127
SUMMARY:%[1]s
LOCATION:%[2]s
END:VEVENT
BEGIN:VEVENT
UID:series@example.com
DTSTAMP:20261101T000000Z
DTSTART:20261102T200000Z
DTEND:20261102T210000Z
RRULE:FREQ=DAILY
SUMMARY:%[1]s
DESCRIPTION:%[3]s
END:VEVENT
BEGIN:VEVENT
UID:series@example.com
RECURRENCE-ID:20261125T200000Z
DTSTAMP:20261101T000000Z
DTSTART:20261125T220000Z
DTEND:20261125T230000Z
SUMMARY:%[1]s moved to %[2]s
END:VEVENT
BEGIN:VEVENT
UID:invited@example.com
DTSTAMP:20261101T000000Z
DTSTART:20261123T170000Z
DTEND:20261123T230000Z
STATUS:TENTATIVE
ORGANIZER;CN="%[4]s":mailto:%[4]s@clinic.example
ATTENDEE;PARTSTAT=TENTATIVE:mailto:al@example.com
SUMMARY:%[1]s with %[4]s
END:VEVENT
BEGIN:VEVENT
UID:open@example.com
DTSTAMP:20261101T000000Z
DTSTART:20261127T170000Z
DTEND:20261127T230000Z
TRANSP:TRANSPARENT
SUMMARY:%[1]s
END:VEVENT
END:VCALENDAR
`

// damaged cannot be read, in several ways that a parser may want to quote.
var damaged = map[string]string{
	"grace": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:x\nDTSTART:20261124T180000Z\nSUMMARY " +
		"%[1]s\n%[3]s\nEND:VEVENT\nEND:VCALENDAR\n",
	"sam-rivera": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:x\nDTSTART;TZID=Nowhere/Else:20261124T180000\n" +
		"SUMMARY:%[1]s\nLOCATION:%[2]s\nRRULE:FREQ=OFTEN\nEND:VEVENT\nEND:VCALENDAR\n",
	"sam-okafor": "<html><title>%[1]s</title>%[3]s</html>\n",
}

// told is all that left the server while its organizer scheduled with Al.
type told struct {
	organizer, model []string
	logs             string
}

// recordingModel keeps what the model is sent.
type recordingModel struct {
	stages.Model
	mu   sync.Mutex
	sent []string
}

func (m *recordingModel) Complete(
	ctx context.Context, req llm.Request, onDelta func(string) error,
) (llm.Reply, error) {
	raw, err := json.Marshal(req)
	if err != nil {
		return llm.Reply{}, err
	}
	m.mu.Lock()
	m.sent = append(m.sent, string(raw))
	m.mu.Unlock()
	return m.Model.Complete(ctx, req, onDelta)
}

// schedule lets Morgan schedule with Al and others, whose calendars have these secrets, in every way in which what they
// do could come through: a new event, a time that is taken, a day that is full, alternatives, an edit, a booking.
func schedule(t *testing.T, s secrets) told {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"al": alsCalendar, "me": "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n"}
	for person, text := range damaged {
		files[person] = text
	}
	for person, text := range files {
		if strings.Contains(text, "%[") {
			text = fmt.Sprintf(text, s.title, s.place, s.notes, s.guest)
		}
		text = strings.ReplaceAll(text, "\n", "\r\n")
		if err := os.WriteFile(filepath.Join(dir, person+".ics"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings := parseSettings(t, "--calendars="+dir)
	settings.LogLevel = "debug"
	var logs lockedBuffer
	model := &recordingModel{}
	a, err := wire(t.Context(), settings, &logs, func(p *stages.Ports) { model.Model, p.Model = p.Model, model })
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var got told
	keep := func(status int, body []byte) {
		got.organizer = append(got.organizer, fmt.Sprint(status, " ", string(body)))
	}
	// Another person has booked Al through Convene; what for is theirs alone.
	with := &client{t: t, server: server.url(), conversation: "theirs"}
	with.take(step{kind: "json", body: fmt.Sprintf(
		`{"message": "call Al on Wednesday at 9am about %s", "organizer": {"id": "kim", "name": %q,
			"timezone": "America/Los_Angeles"},
		"availability": [{"person": "kim", "busy": []}]}`, s.title, s.guest)})
	if _, booked := lookup(with.take(step{kind: "confirm"}), "event.uid"); !booked {
		t.Error("the other event was not booked")
	}
	before := len(model.sent)
	c := &client{t: t, server: server.url(), conversation: "private"}
	for _, message := range []string{
		"coffee with Al on Tuesday at 10am", // taken
		"make it 90 minutes",
		"do I have any earlier times?",
		"what else?",
		"lunch with Al on Thursday",        // away all day
		"a call with Al on Monday morning", // tentative
		"coffee with Al, Grace and Sam Rivera next week",
		"coffee with Al on Wednesday at 9am", // booked by another person
		"coffee with Al on Friday at 11am",
	} {
		body := fmt.Sprintf(`{"message": %q, "organizer": "me", "conversationId": "private"}`, message)
		status, answer := c.post("/v1/turns", sse.ContentType, body)
		keep(status, answer)
		if event, ok := lookup(collect(t, readStream(t, strings.NewReader(string(answer)))), "event.id"); ok {
			c.proposal = fmt.Sprint(event)
		}
		for _, path := range []string{"/v1/proposals/" + c.proposal, "/v1/proposals/" + c.proposal + ".ics"} {
			status, answer, _ := get(t, server.url()+path)
			keep(status, answer)
		}
	}
	keep(c.post("/v1/proposals/"+c.proposal+"/confirm", "application/json", "{}"))
	for _, path := range []string{"/v1/proposals/" + c.proposal + ".ics", "/v1/people/al", "/metrics"} {
		status, answer, _ := get(t, server.url()+path)
		if path == "/metrics" {
			got.logs += string(answer)
			continue
		}
		keep(status, answer)
	}
	if err := server.stop(t.Context()); err != nil {
		t.Error(err)
	}
	a.close()
	got.logs += logs.String()
	got.model = model.sent[before:]
	return got
}

// chance is what differs from one run to the next: ids and how long things took.
var chance = regexp.MustCompile(`\b[tpc]_[a-z0-9]{20,}|"ms":[0-9.e-]+`)

// settled is the texts with ids numbered in the order in which they came, and without times taken.
func settled(texts []string) []string {
	ids := map[string]string{}
	var out []string
	for _, text := range texts {
		out = append(out, chance.ReplaceAllStringFunc(text, func(found string) string {
			if strings.HasPrefix(found, `"ms"`) {
				return `"ms":0`
			}
			if ids[found] == "" {
				ids[found] = fmt.Sprint(found[:2], len(ids))
			}
			return ids[found]
		}))
	}
	return out
}

// What one person's calendar says reaches nobody else but as busy: whatever the words in Al's calendar are, the
// organizer and the model receive the same bytes, and none of the words is in the logs.
func TestOthersCalendarsAreToldAsBusyOnly(t *testing.T) {
	t.Parallel()
	one := secrets{"Chemotherapy", "OncologyWard", "BiopsyResults", "DrHouse"}
	other := secrets{"JobInterview", "RivalHeadquartersOnTheHill", "AskForMoreMoney", "Headhunter"}
	got, want := schedule(t, one), schedule(t, other)
	if diff := cmp.Diff(settled(want.organizer), settled(got.organizer)); diff != "" {
		t.Errorf("what the organizer receives depends on the words in Al's calendar:\n%s", diff)
	}
	if diff := cmp.Diff(settled(want.model), settled(got.model)); diff != "" {
		t.Errorf("what the model is sent depends on the words in Al's calendar:\n%s", diff)
	}
	for _, told := range []told{got, want} {
		everything := strings.Join(append(told.organizer, told.model...), "\n")
		for _, word := range append(one.words(), other.words()...) {
			if strings.Contains(strings.ToLower(everything), strings.ToLower(word)) {
				t.Errorf("%q is told to the organizer or the model", word)
			}
			if strings.Contains(strings.ToLower(told.logs), strings.ToLower(word)) {
				t.Errorf("%q is in the logs or the metrics", word)
			}
		}
	}
	wantAll(t, got)
}

// wantAll checks that the conversation came by all the places where something could have been told.
func wantAll(t *testing.T, got told) {
	t.Helper()
	everything := strings.Join(got.organizer, "\n")
	for _, needed := range []string{
		"Al has another event", `"hasExplicitTimeConflict":true`, `"state":"unknown"`, `"hasNoCommonTime":true`,
		`"type":"alternatives"`, `"status":"confirmed"`, "BEGIN:VEVENT", fmt.Sprint(http.StatusOK, " "),
	} {
		if !strings.Contains(everything, needed) {
			t.Errorf("the organizer never got %s:\n%s", needed, everything)
		}
	}
	if len(got.model) < 10 || !strings.Contains(got.logs, "calendar file cannot be read") {
		t.Errorf("%d calls of the model, logs:\n%s", len(got.model), got.logs)
	}
}
