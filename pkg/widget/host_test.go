package widget_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A server, or what it read in calendars and on maps, that tries to get markup, scripts and links into the page.
func TestNothingHostileRuns(t *testing.T) {
	const bad = `<img src=x onerror=hacked()><a href='javascript:hacked()'>x</a><script>hacked()</script>`
	markup := strings.ReplaceAll(`<p>Hello <strong>you</strong> BAD <a href="https://good.example/" `+
		`onclick="hacked()">good</a>`+
		`<a href="javascript:hacked()">bad</a><a href="http://plain.example/">plain</a><svg onload=hacked()></svg>`+
		`<style>*{display:none}</style><iframe src="https://evil.example"></iframe><form><input></form></p>`, "BAD", bad)
	event := map[string]any{
		"id": "p1", "status": "proposed", "title": bad, "start": "2026-11-24T16:00:00-08:00",
		"end":      "2026-11-24T16:30:00-08:00",
		"timezone": "Nowhere/Land", "participants": []any{map[string]any{"name": bad, "timezone": "No/Zone"}},
		"place": map[string]any{
			"name": bad, "address": bad, "mapsUrl": "javascript:hacked()", "credit": bad, "pageUrl": "javascript:hacked()",
		},
		"joinUrl":      "javascript:hacked()",
		"travelBuffer": map[string]any{"beforeMinutes": 10, "afterMinutes": 10}, "unknown": []string{bad},
		"conflicts":    []any{map[string]any{"name": bad, "text": bad}},
		"doubts":       []any{map[string]any{"kind": bad, "said": bad, "text": bad}},
		"alternatives": map[string]any{"slots": []any{}, "places": []any{map[string]any{"name": bad}}},
		"links": map[string]any{
			"ics": "javascript:hacked()", "google": "javascript:hacked()", "outlook": "data:text/html,x",
		},
	}
	encoded := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	updates := []string{
		encoded(map[string]any{"type": "acknowledgment", "text": bad}),
		encoded(map[string]any{
			"type": "template", "template": map[string]any{"title": bad, "participants": []string{bad}, "placeName": bad},
		}),
		encoded(map[string]any{"type": "message_delta", "text": bad}),
		encoded(map[string]any{"type": "message", "text": "plain", "html": markup}),
		encoded(map[string]any{"type": "event", "event": event}),
		encoded(map[string]any{
			"type": "activities", "activities": []any{map[string]any{"title": bad, "venue": bad, "url": "javascript:hacked()"}},
		}),
		encoded(map[string]any{"type": "navigate", "url": "javascript:hacked()"}),
		encoded(map[string]any{"type": "changes", "changes": changesOf(bad)}),
		encoded(map[string]any{"type": "choices", "question": bad, "options": []any{map[string]any{"label": bad}}}),
		`{"type": "something new", "field": 1}`, done,
	}
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		stream(w, updates...)
	}), 800, 700)
	p.text(`window.hacks = 0, window.hacked = () => hacks++`)
	p.ask("hello")
	p.shoot("hostile")
	p.holds(`all("[part=change]").length === 5 && all("[part=choice]").length > 1`)
	p.holds(`one("[part=change]").innerText.includes("<img src=x onerror=hacked()>")`)
	p.holds(`hacks === 0 && all("img, script, iframe, svg, style, form:not(.composer), [onclick]").length === 0`)
	p.holds(`all("a[href]").every(({ href }) => href.startsWith("https://") || href.startsWith(location.origin))`)
	p.holds(`one("[part=message] strong").textContent === "you" && all("[part=message] a").length === 1`)
	p.holds(`one("[part=message] a").rel === "noopener noreferrer nofollow" && ` +
		`one("[part=message]").textContent.includes("plain")`)
}

// Whose invitation failed stands on the card of the booked event, and only there.
func TestInvitationsThatFailed(t *testing.T) {
	const event = `{"id": "p1", "status": "STATUS", "title": "Talk", "eventType": "video",
		"start": "2026-11-24T16:00:00-08:00",
		"end": "2026-11-24T16:30:00-08:00", "timezone": "America/Los_Angeles", "travelBuffer": {}, "links": {},
			"participants": [
		{"name": "Al", "invitation": "failed"}, {"name": "Bo", "invitation": "failed", "copied": true}, {"name": "Cy",
			"invitation": "delivered"}],
		"alternatives": {"slots": [], "places": []}}`
	status := make(chan string, 1)
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		stream(w, `{"type": "event", "event": `+strings.ReplaceAll(strings.Replace(event, "STATUS", <-status, 1), "\n", "")+
			`}`, done)
	}), 800, 700)
	for is, want := range map[string]string{
		"proposed": "",
		"confirmed": "The invitation to Al could not be delivered. Please pass the event on. | " +
			"The invitation to Bo could not be delivered, so the event was added to their own calendar.",
	} {
		status <- is
		p.ask("hello")
		if got := p.text(`all("[part=notes] li").map(({ textContent }) => textContent).join(" | ")`); got != want {
			t.Errorf("%s: the card says %q, want %q", is, got, want)
		}
		p.text(`one("[part=card]").remove(), ""`)
	}
}

// Where an online meeting takes place is a link once there is one, and so is the page that the source of a place wants
// to be shown with it.
func TestLinksOfACard(t *testing.T) {
	const event = `{"id": "p1", "status": "confirmed", "title": "Talk", "eventType": "video",
		"start": "2026-11-24T16:00:00-08:00",
		"end": "2026-11-24T16:30:00-08:00", "timezone": "America/Los_Angeles", "participants": [], "travelBuffer": {},
			"links": {},
		"alternatives": {"slots": [], "places": []} MORE}`
	more := make(chan string, 1)
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		stream(w, `{"type": "event", "event": `+strings.ReplaceAll(strings.Replace(event, "MORE", <-more, 1), "\n", "")+`}`,
			done)
	}), 800, 700)
	for _, test := range []struct{ more, want string }{
		{``, "Video call"},
		{`, "joinUrl": "https://meet.example/1"`, "Join the meeting https://meet.example/1"},
		{`, "joinUrl": "http://meet.example/1"`, "Join the meeting"},
		{`, "place": {"name": "Cafe", "credit": "Powered by Maps", "pageUrl": "https://maps.example/1"}`,
			"CafePowered by Maps https://maps.example/1"},
		{`, "place": {"name": "Cafe", "credit": "Powered by Maps"}`, "CafePowered by Maps"},
		{`, "place": {"name": "Cafe", "pageUrl": "https://cafe.example/menu"}`, "Cafecafe.example https://cafe.example/menu"},
	} {
		more <- test.more
		p.ask("hello")
		if got := p.text(`[one(".where").textContent, ...[...one(".where").querySelectorAll("a")].map(({ href }) => ` +
			`href)].join(" ")`); got != test.want {
			t.Errorf("%s: %q, want %q", test.more, got, test.want)
		}
	}
}

// The card of an event shows what is in doubt about it, beside its conflicts.
func TestDoubtsOfACard(t *testing.T) {
	const event = `{"id": "p1", "status": "proposed", "title": "Talk", "start": "2026-11-24T16:00:00-08:00",
		"end": "2026-11-24T16:30:00-08:00",
		"timezone": "America/Los_Angeles", "participants": [], "travelBuffer": {}, "links": {},
			"alternatives": {"slots": [], "places": []},
		"doubts": [{"kind": "day", "said": "Friday", "text": "You said “Friday”: please check the day."}, {"kind": "people",
			"text": "Please check who takes part."}],
		"conflicts": [{"name": "Bo", "kind": "busy", "text": "Bo has another event"}], "unknown": ["Cy"]}`
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		stream(w, `{"type": "event", "event": `+strings.ReplaceAll(event, "\n", "")+`}`, done)
	}), 800, 700)
	p.ask("hello")
	p.shoot("doubts")
	const want = "You said “Friday”: please check the day.|Please check who takes part.|Bo has another event"
	if got := p.text(`all("[part=card] .warning").map(({ textContent }) => ` +
		`textContent).join("|")`); !strings.HasPrefix(got, want) || !strings.Contains(got, "Cy") {
		t.Errorf("%q, want %q, and Cy", got, want)
	}
}

// Each failure leaves an input that works and the person's words.
func TestFailuresLeaveTheWords(t *testing.T) {
	var answer atomic.Pointer[http.HandlerFunc]
	behave := func(h http.HandlerFunc) { answer.Store(&h) }
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) { (*answer.Load())(w, r) }), 800, 700)
	send := func(words string) {
		t.Helper()
		p.text(`told.length = 0, one("textarea").value = "", element().focus()`)
		p.write(words)
		p.press("Enter")
	}
	kept := func(words, code string) {
		t.Helper()
		p.wait(`told.at(-1)?.type === "convene:error"`)
		p.holds(fmt.Sprintf(`told.at(-1).code === %q && one("textarea").value === %q && !one("textarea").disabled`,
			code, words))
		p.holds(`!one(".turn:last-child [part=progress]") && one("[part=again]")`)
	}

	behave(func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusBadRequest, "invalid_request") })
	send("refused")
	kept("refused", "invalid_request")
	p.holds(`one("[part=connection]").textContent.includes("Said by the server.")`)

	// What the page itself wrote wrongly is for the server to name.
	p.text(`element().setAttribute("participants", '[{"name": "Zoe"')`)
	send("misspelt")
	kept("misspelt", "invalid_request")
	p.holds(`told.at(-1).status === 400 && one("[part=connection]").textContent.includes("Said by the server.")`)
	p.text(`element().removeAttribute("participants")`)

	// An expired token: the page hands over another, and the element goes on by itself.
	behave(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer fresh":
			refuse(w, http.StatusUnauthorized, "unauthorized")
		case r.Method == http.MethodPost:
			accept(w)
		default:
			stream(w, `{"type": "acknowledgment", "text": "Welcome back."}`, done)
		}
	})
	send("expired")
	kept("expired", "unauthorized")
	p.holds(`told.at(-1).status === 401`)
	p.shoot("expired")
	p.text(`element().setAttribute("token", "fresh")`)
	p.wait(`one("[part=acknowledgment]").textContent === "Welcome back."`)

	// The turn is gone with its server.
	behave(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		refuse(w, http.StatusNotFound, "not_found")
	})
	send("forgotten")
	kept("forgotten", "not_found")

	// Busy at first: it waits as long as it is told, and says so. Busy for longer than it waits: it is for the person to
	// send it again. Either way it is the same turn, because the server may have taken it.
	keys := make(chan string, 9)
	busyOnce := func(retryAfter string, updates ...string) {
		var tries atomic.Int32
		behave(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				stream(w, updates...)
				return
			}
			keys <- r.Header.Get("Idempotency-Key")
			if tries.Add(1) > 1 {
				accept(w)
				return
			}
			w.Header().Set("Retry-After", retryAfter)
			refuse(w, http.StatusServiceUnavailable, "overloaded")
		})
	}
	sameKey := func() {
		t.Helper()
		if first, second := <-keys, <-keys; first != second || first == "" {
			t.Errorf("keys = %q and %q, want the same for the same turn", first, second)
		}
	}
	busyOnce("1", `{"type": "error", "code": "internal", "message": "It broke.", "retryable": true}`, done)
	send("busy")
	p.wait(`one("[part=connection]").textContent.includes("busy")`)
	p.wait(`told.at(-1)?.code === "internal"`)
	sameKey()
	p.holds(`one("[part=connection]").textContent.includes("It broke.") && one("[part=again]") && one("textarea").value ` +
		`=== "busy"`)

	busyOnce("60", done)
	send("later")
	kept("later", "overloaded")
	p.text(`window.ended = finished`)
	p.click("[part=again]", "Try again")
	p.wait(`finished > ended`)
	sameKey()
}

// A stream that is cut anywhere, within an update too, is put together again; what comes twice is shown once.
func TestCutStreamsArePutTogether(t *testing.T) {
	whole := []string{
		`{"type": "acknowledgment", "text": "One moment."}`, `{"type": "message_delta", "text": "Hel"}`,
		`{"type": "message_delta", "text": "lo"}`, done,
	}
	var connections atomic.Int32
	resumed := make(chan string, 9)
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		resumed <- r.Header.Get("Last-Event-ID")
		switch connections.Add(1) {
		case 1:
			stream(w, whole[0])
			_, _ = fmt.Fprintf(w, ": alive\ndata: %s\nid: ", whole[1]) // cut within the second
		case 2:
			stream(w, whole[:2]...)
			_, _ = fmt.Fprint(w, "data: {\"type\": \"error\", \"code\": \"overloaded\", \"message\": \"Later.\", "+
				"\"retryable\": true, \"retryAfterSeconds\": 1}\n\n")
		default:
			stream(w, whole...)
		}
	}), 800, 700)
	p.text(`window.seen = [], document.addEventListener("convene:update", ({ detail }) => seen.push(detail.update.type ` +
		`+ detail.id))`)
	begun := time.Now()
	p.ask("hello")
	p.holds(`seen.join() === "acknowledgment1,message_delta2,message_delta3,done4" && one("[part=message]").textContent ` +
		`=== "Hello"`)
	for i, want := range []string{"", "1", "2"} {
		if got := <-resumed; got != want {
			t.Errorf("connection %d resumed after %q, want %q", i+1, got, want)
		}
	}
	if took := time.Since(begun); took < time.Second {
		t.Errorf("came back after %s, though the server asked for a second", took)
	}
}

// A turn can be stopped, before the server has answered and after.
func TestStopping(t *testing.T) {
	stopped := make(chan struct{})
	var posts atomic.Int32
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost && posts.Add(1) == 1:
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done() // never answers, and sees that the client goes
		case r.Method == http.MethodPost:
			accept(w)
		case r.Method == http.MethodDelete:
			close(stopped)
			w.WriteHeader(http.StatusAccepted)
		default:
			stream(w, `{"type": "acknowledgment", "text": "One moment."}`)
			w.(http.Flusher).Flush()
			<-stopped
			_, _ = fmt.Fprint(w, "data: {\"type\": \"done\", \"outcome\": \"cancelled\", \"receipt\": {}}\nid: 2\n\n")
		}
	}), 800, 700)
	p.text("element().focus()")
	p.write("never answered")
	p.press("Enter")
	p.click("[part=stop]", "Stop")
	p.wait(`one("[part=connection]").textContent === "Stopped."`)
	p.holds(`one("textarea").value === "never answered" && !one("[part=progress]")`)
	p.text(`one("textarea").value = ""`)
	p.write("answered slowly")
	p.press("Enter")
	p.wait(`one("[part=acknowledgment]").textContent === "One moment."`)
	p.click("[part=stop]", "Stop")
	p.wait("finished === 1")
	p.holds(`one("[part=connection]").textContent === "Stopped." && !one("[part=progress]")`)
}

// The request carries what the page says of its people, and goes on with the conversation.
func TestRequestsCarryTheAttributes(t *testing.T) {
	bodies := make(chan string, 9)
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			stream(w, done)
			return
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		bodies <- body.String()
		accept(w)
	}), 800, 700)
	sent := func(words, want string) {
		t.Helper()
		p.ask(words)
		var wanted, got any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(<-bodies), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", words, diff)
		}
	}
	sent("alone", `{"message": "alone", "organizer": "me"}`)
	p.text(`element().setAttribute("participants", "al, grace"), element().setAttribute("timezone", "Europe/Berlin")`)
	sent("again", `{"message": "again", "organizer": "me", "participants": ["al", "grace"], "timezone": `+
		`"Europe/Berlin", "conversationId": "c1"}`)
	p.text(`element().reset(), element().setAttribute("organizer", '{"name": "Ada", "timezone": "Asia/Tokyo"}'),
		element().removeAttribute("timezone"),
		element().setAttribute("participants", '[{"name": "Bo"}]')`)
	sent("inline", `{"message": "inline", "organizer": {"name": "Ada", "timezone": "Asia/Tokyo"}, "participants": `+
		`[{"name": "Bo"}]}`)
	p.holds(`all(".turn").length === 1`)
}
