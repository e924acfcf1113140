package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// What ask shows of a turn, without a terminal's colours.
func TestDisplay(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := newDisplay(&out, false)
	for _, raw := range []string{
		`{"type":"turn","turnId":"t_1","conversationId":"c_1"}`,
		`{"type":"acknowledgment","text":"Let me look.","intent":"handle_event"}`,
		`{"type":"progress","text":"Getting schedules...","stage":"template","step":3,"of":5}`,
		`{"type":"candidates","preliminary":true,"calendars":[{"person":"cy","name":"Cy","state":"unknown","reason":"the ` +
			`calendar is still being read"}]}`,
		`{"type":"candidates","calendars":[{"person":"bo","name":"Bo","state":"unknown","reason":"no calendar is ` +
			`connected"}]}`,
		`{"type":"message_delta","text":"I have "}`,
		`{"type":"message","text":"I've put **tea with Bo** at [The \\[Pot\\]](https://maps.example/?q=pot). *No ` +
			`rush.*","composedBy":"code"}`,
		`{"type":"event","event":{"id":"p_1","status":"proposed","title":"Tea with Bo","start":"2031-05-06T10:00:00-07:00",` +
			`"end":"2031-05-06T10:30:00-07:00","timezone":"America/Los_Angeles","participants":[` +
			`{"name":"Me","timezone":"America/Los_Angeles","localStart":"2031-05-06T10:00:00-07:00"},` +
			`{"name":"Bo","timezone":"Europe/Berlin","localStart":"2031-05-06T19:00:00+02:00"}],` +
			`"place":{"name":"The [Pot]","address":"1 Main St","mapsUrl":"https://maps.example/?q=pot"},` +
			`"doubts":[{"kind":"day","said":"Friday","text":"You said “Friday”: please check the day."}],` +
			`"conflicts":[{"name":"Bo","text":"Bo has another event"}],` +
			`"alternatives":{"slots":[{"start":"2031-05-07T11:00:00-07:00"}],"places":[{"name":"The Cup"}]}}}`,
		`{"type":"done","outcome":"proposed","receipt":{"stages":[{"name":"classify","ms":1.2}],"modelCalls":1,` +
			`"degraded":["a note"]}}`,
	} {
		var u received
		if err := json.Unmarshal([]byte(raw), &u); err != nil {
			t.Fatal(err)
		}
		if u.Event != nil {
			u.offers = new(offers).add(u.Event.Alternatives)
		}
		d.update(u, []byte(raw))
	}
	want := strings.Join([]string{
		"Let me look.",
		"Getting schedules...",
		"! Bo: no calendar is connected",
		"I have ",
		"(corrected:)",
		"I've put tea with Bo at The [Pot]. No rush.",
		"  ┌ Tea with Bo · proposed",
		"  │ Tue 6 May 2031, 10:00–10:30 America/Los_Angeles",
		"  │ Tue 19:00 for Bo (Europe/Berlin)",
		"  │ The [Pot], 1 Main St",
		"  │ https://maps.example/?q=pot",
		"  │ ⚠ You said “Friday”: please check the day.",
		"  │ ⚠ Bo has another event",
		"  │  1  Wed 7 May, 11:00",
		"  │  2  The Cup",
		"  └ p_1",
		"proposed · 1 model call · 1 ms · a note",
		"",
	}, "\n")
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A whole conversation in the terminal: proposed, changed, an alternative booked.
func TestAskKeepsAConversation(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	lines := "coffee with Al on Wednesday at 1pm\nmake it 45 minutes\n/confirm 1\n/dance\n/quit\nnot this\n"
	status := run(t.Context(), []string{"ask", "--now=" + friday}, streams{strings.NewReader(lines), &out, &errs})
	if status != exitDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	for _, want := range []string{"13:00–13:30", "13:00–13:45", "any changes!\n", "Coffee with Al · confirmed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if !strings.Contains(errs.String(), "there is /confirm") {
		t.Errorf("complaints: %q", &errs)
	}
}

// A card keeps its edge on the left, whatever is written in it.
func TestACardInHebrew(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	newDisplay(&out, false).event(meet.Event{ID: "p_1", Title: "קפה עם Al", Status: meet.Proposed, Timezone: "UTC"}, nil)
	first, _, _ := strings.Cut(out.String(), "\n")
	if want := "\u200e  ┌ \u2068קפה עם Al\u2069 · proposed"; first != want {
		t.Errorf("first line = %q, want %q", first, want)
	}
	if rest := out.String()[len(first):]; strings.ContainsAny(rest, "\u200e\u2068\u2069") {
		t.Errorf("marks where nothing is written from right to left: %q", rest)
	}
}

// What a server has against a request is shown, however few words it makes.
func TestAskShowsWhatAServerSays(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"title":"Not Found","status":404}`:                                            "convene: Not Found\n",
		`{"title":"Bad Request","detail":"message: is empty","field":"message"}`:        "convene: message: is empty\n",
		`{"title":"Conflict","detail":"The time has gone.","field":"","code":"slot_g"}`: "convene: The time has gone.\n",
		`nothing here`: "convene: the server answered 404 Not Found\n",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, answer, http.StatusNotFound)
		}))
		var out, errs bytes.Buffer
		run(t.Context(), []string{"ask", "--server=" + server.URL, "coffee with Al"}, streams{nil, &out, &errs})
		server.Close()
		if errs.String() != want {
			t.Errorf("%s is shown as %q, want %q", answer, &errs, want)
		}
	}
}

// A request without a key to a server that needs one is told how to give it.
func TestAskSaysHowToShowAKey(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"ask", "--server", server.URL, "coffee"}, streams{
		strings.NewReader(""), &out, &errs,
	})
	if status != exitFailed || !strings.Contains(errs.String(), "--key") {
		t.Errorf("exit status %d: %q, want a word of --key", status, &errs)
	}
}
