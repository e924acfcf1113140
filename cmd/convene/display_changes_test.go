package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/sse"
)

// pendingSet is a set of two changes: a move that a guest hears of, and a deletion of one of a series.
const pendingSet = `{"id":"ch_1","digest":"sha256:12","status":"pending","expiresAt":"2031-05-06T10:05:00Z",` +
	`"changes":[` +
	`{"id":"1","kind":"update","what":"event","title":"Tea \u001b[2J with ` +
	`Bo","where":{"provider":"local"},"target":{"id":"e1"},` +
	`"before":{"id":"e1","title":"Tea","start":"2031-05-06T10:00:00-07:00","end":"2031-05-06T10:30:00-07:00",` +
	`"allDay":false,` +
	`"attendees":["bo@example.com"],"location":""},"after":{"id":"e1","title":"Tea","start":"2031-05-06T14:00:00-07:00",` +
	`"end":"2031-05-06T14:30:00-07:00","allDay":false,"attendees":["bo@example.com","al@example.com"],` +
	`"location":"The Pot"},` +
	`"affects":[{"name":"Bo"},{"name":"","email":"al@example.com"}],"class":"R2","undoable":true,"dependsOn":[]},` +
	`{"id":"2","kind":"delete","what":"event","title":"Standup","where":{"provider":"local"},"target":{"id":"e2"},` +
	`"before":` +
	`{"id":"e2","title":"Standup","start":"2031-05-06","end":"2031-05-07","allDay":true,"attendees":[]},"after":null,` +
	`"affects":[],"scope":"this","class":"R2","undoable":false,"dependsOn":[]}]}`

// What ask shows of a turn of the assistant, without a terminal's colours.
func TestDisplayOfTheAssistant(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := newDisplay(&out, false)
	for _, raw := range []string{
		`{"type":"plan","planId":"pl_1","name":"Clear","steps":[{"id":"a","humanSummary":"Find what is ` +
			`on","status":"running"}]}`,
		`{"type":"result","step":"a","response":{"display":{"title":"Tuesday"}}}`,
		`{"type":"result","step":"b","response":{"error":{"code":"not_found","message":"There is no such event."}}}`,
		`{"type":"message","text":"There is no 1\\:1, see a\\/b\\@c.","composedBy":"code"}`,
		`{"type":"plan","planId":"pl_1","name":"Clear","steps":[{"id":"a","humanSummary":"Find what is ` +
			`on","status":"completed",` +
			`"count":2},{"id":"b","humanSummary":"Clear it","status":"waiting_for_user"}]}`,
		`{"type":"changes","changes":` + pendingSet + `}`,
		`{"type":"choices","id":"q_1","question":"Which Sam?","options":[{"id":"x","label":"Sam Rivera","detail":"Sales"},` +
			`{"id":"y","label":"סם"}],"free":true}`,
		`{"type":"applied","changesId":"ch_1","outcome":"partly","changes":[{"id":"1","outcome":"done"},` +
			`{"id":"2","outcome":"failed","reason":"The calendar did not answer."}]}`,
		`{"type":"changes","changes":{"id":"ch_2","status":"applied","changes":[{"id":"1","kind":"update",` +
			`"what":"preference",` +
			`"title":"Lunch hours","before":null,"after":{"start":"12:00","end":"13:00"},"affects":[],"undoable":true}]}}`,
		`{"type":"done","outcome":"waiting","receipt":{"stages":[],"modelCalls":0}}`,
	} {
		var u received
		if err := json.Unmarshal([]byte(raw), &u); err != nil {
			t.Fatal(err)
		}
		d.update(u, []byte(raw))
	}
	want := strings.Join([]string{
		"… Find what is on",
		"• Tuesday",
		"There is no 1:1, see a/b@c.",
		"✓ Find what is on (2)",
		"? Clear it",
		"  ┌ Changes · pending",
		"  │  1  update Tea [2J with Bo",
		"  │       attendees: bo@example.com → bo@example.com, al@example.com",
		"  │       location: none → The Pot",
		"  │       time: Tue 6 May 2031, 10:00–10:30 → Tue 6 May 2031, 14:00–14:30",
		"  │       will be told: Bo, al@example.com",
		"  │  2  delete Standup · only this one of the series",
		"  │       time: Tue 6 May 2031, all day",
		"  │       cannot be undone",
		"  └ ch_1",
		"? Which Sam?",
		"   1  Sam Rivera · Sales",
		"   2  \u2068סם\u2069",
		"✗ 2 failed: The calendar did not answer.",
		"partly · 1 done · 1 failed",
		"  ┌ Changes · applied",
		"  │  1  update Lunch hours",
		"  │       end: 13:00",
		"  │       start: 12:00",
		"  └ ch_2",
		"waiting · 0 model calls · 0 ms",
		"",
	}, "\n")
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// assistant is a server that asks which Sam is meant, then shows a change set, and writes down what it is told.
func assistant(t *testing.T) (url string, heard func() []string) {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, r.URL.Path+" "+string(body))
		switch {
		case strings.HasSuffix(r.URL.Path, "/cancel"):
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusConflict)
			fmt.Fprintf(w, `{"title":"Conflict","code":"changed","detail":"It has changed.","changes":%s}`,
				strings.ReplaceAll(pendingSet, "ch_1", "ch_9"))
		case strings.HasPrefix(r.URL.Path, "/v1/changes/"):
			fmt.Fprint(w, `{"applied":{"changesId":"ch_9","outcome":"applied","changes":[{"id":"1","outcome":"done"}]}}`)
		default:
			w.Header().Set("Content-Type", sse.ContentType)
			update := `{"type":"choices","id":"q_1","question":"Which ` +
				`Sam?","options":[{"id":"x","label":"A"},{"id":"y","label":"B"}]}`
			if len(lines) > 1 {
				update = `{"type":"changes","changes":` + pendingSet + `}`
			}
			fmt.Fprintf(w, "data: {\"type\":\"turn\",\"conversationId\":\"c1\"}\nid: 1\n\ndata: %s\nid: 2\n\n"+
				"data: {\"type\":\"done\",\"outcome\":\"waiting\"}\nid: 3\n\n", update)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return lines
	}
}

// A number answers a question, words go as messages, and a set is confirmed by its digest and numbers.
func TestAskAnswersAndConfirms(t *testing.T) {
	t.Parallel()
	server, heard := assistant(t)
	var out, errs bytes.Buffer
	typed := "move tea with Sam\n2\n2\nyes\n/cancel\n/confirm 1\n/undo\n/quit\n"
	run(t.Context(), []string{"ask", "--server=" + server}, streams{strings.NewReader(typed), &out, &errs})
	want := []string{
		`/v1/turns {"message":"move tea with Sam"}`,
		`/v1/turns {"answer":{"id":"q_1","option":"y"},"conversationId":"c1"}`,
		`/v1/turns {"conversationId":"c1","message":"2"}`,
		`/v1/turns {"conversationId":"c1","message":"yes"}`,
		`/v1/changes/ch_1/cancel {}`,
		`/v1/changes/ch_9/confirm {"digest":"sha256:12","only":["1"]}`,
		`/v1/changes/ch_9/undo {}`,
	}
	if diff := cmp.Diff(want, heard()); diff != "" {
		t.Errorf("the server heard (-want +got):\n%s", diff)
	}
	if !strings.Contains(errs.String(), "It has changed.") || !strings.Contains(out.String(), "└ ch_9") {
		t.Errorf("a set that changed meanwhile: %q and %q", &errs, &out)
	}
	if !strings.Contains(out.String(), "applied · 1 done") {
		t.Errorf("what came of it is not in %q", &out)
	}
}

// Of a list, only the items that change are shown.
func TestOnlyTheItemsThatChangeAreShown(t *testing.T) {
	t.Parallel()
	got := differences(meet.Change{
		Kind: meet.UpdateThing,
		Before: []byte(`{"id":"l","name":"Shopping","items":[` +
			`{"text":"milk","quantity":1,"done":false},{"text":"eggs","quantity":6}]}`),
		After: []byte(`{"id":"l","name":"Shopping","items":[` +
			`{"text":"milk","quantity":1,"done":true},{"text":"eggs","quantity":6},{"text":"flour","quantity":2,"unit":"kg"}]}`),
	})
	if diff := cmp.Diff([]string{"milk: 1 → 1, done", "flour: none → 2 kg"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
