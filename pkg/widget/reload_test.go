package widget_test

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// What was shown is there again after a reload, as it stands by then, and the page is told nothing twice.
func TestAReloadBringsEverythingBack(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.ask("Let's grab coffee with Al next week")
	p.ask("Make it 45 minutes")
	shown := `all("[part=said], [part=acknowledgment], [part=chip], [part=message], [part=title], .day, .hours, ` +
		`[part=place] a, [part=choice], [part=status]").map((node) => node.textContent).join("|")`
	was := p.text(shown)
	again := func(status string) {
		t.Helper()
		p.reload()
		p.wait(fmt.Sprintf(`all(".turn:not([hidden])").length === 2 && named("[part=status]", %q) && `+
			`!one("button[aria-disabled]")`, status))
		p.holds(`told.length === 0 && finished === 0 && one("[role=status]").textContent === "" && ` +
			`all("[data-status=replaced]").length === 1`)
	}
	again("Proposed")
	if got := p.text(shown); got != was {
		t.Errorf("after the reload: %s\nwant %s", got, was)
	}
	p.shoot("reloaded")
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1)?.type === "convene:confirmed"`)
	again("Confirmed")
	p.holds(`one("[part=undo]") && !one("[part=confirm]")`)
	p.click("[part=undo]", "Undo")
	p.wait(`told.at(-1)?.type === "convene:cancelled"`)
	again("Cancelled")

	p.ask("Lunch with Grace on Thursday")
	p.holds(`told.map(({ type }) => type).join() === "convene:turn,convene:event"`)
	p.text(`element().reset()`)
	p.reload()
	p.wait(`document.querySelectorAll(".person").length > 5`)
	p.holds(`!one(".turn") && !element().getAttribute("conversation") && one("textarea")`)
}

// A reload in mid-stream goes on with the same turn: what is new is told, and nothing is started again.
func TestAReloadInMidStream(t *testing.T) {
	server := start(t, []string{"serve", "--listen", "127.0.0.1:0", "--now", clock}, slowModel(t)...)
	p := look(t, server.url+"/", 1280, 900)
	p.early(watch)
	p.reload()
	p.wait(`document.querySelectorAll(".person").length > 5`)
	p.send("Coffee with Al on Tuesday at 4pm")
	p.wait("ids.length >= 3")
	turn, seen := p.text("told[0].turnId"), p.text("ids.at(-1)")
	p.reload()
	p.wait("finished === 1")
	p.holds(fmt.Sprintf(`ids.every((id, i) => id === ids[0] + i) && ids[0] > %s`, seen))
	p.holds(fmt.Sprintf(`told.map(({ type }) => type).join() === "convene:event" && told[0].event.id.slice(2) === `+
		`%q.slice(2)`, turn))
	p.holds(`all(".turn").length === 1 && one("[part=confirm]") && ` +
		`one("[part=acknowledgment]").textContent.includes("coffee with Al") && !calls.includes("POST")`)
}

// A message whose answer had not come is sent once more, under the same key; after a while, it is there to be sent.
func TestAReloadBeforeTheAnswer(t *testing.T) {
	sent := make(chan string, 9)
	var posts atomic.Int32
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			stream(w, `{"type": "acknowledgment", "text": "One moment."}`, done)
			return
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		sent <- r.Header.Get("Idempotency-Key") + " " + body.String()
		switch posts.Add(1) {
		case 1, 3:
			<-r.Context().Done() // the page is gone before the answer
		case 2:
			accept(w)
		default:
			refuse(w, http.StatusBadRequest, "invalid_request")
		}
	}), 800, 700)
	p.send("coffee")
	first := <-sent
	p.reload()
	p.wait(`finished === 1`)
	if again := <-sent; again != first || !strings.Contains(first, `"message":"coffee"`) {
		t.Errorf("sent %q, then %q", first, again)
	}
	p.holds(`all(".turn").length === 1 && one("[part=said]").textContent === "coffee" && told.map(({ type }) => ` +
		`type).join() === "convene:turn"`)

	p.send("lunch")
	<-sent
	p.text(`sessionStorage.setItem(sessionStorage.key(0), ` +
		`sessionStorage.getItem(sessionStorage.key(0)).replace(/"at":\d+(?=[^{]*"lunch"|[^}]*"key")/, '"at":1'))`)
	p.reload()
	p.wait(`one("textarea")?.value === "lunch"`)
	p.holds(`all(".turn").length === 1 && told.length === 0`)
	if len(sent) != 0 {
		t.Errorf("an old message was sent again: %s", <-sent)
	}

	p.text(`element().focus()`)
	p.press("Enter")
	p.wait(`told.at(-1)?.code === "invalid_request"`)
	<-sent
	p.reload()
	p.wait(`one("textarea")?.value === "lunch"`)
	p.holds(`all(".turn").length === 1`)
	if len(sent) != 0 {
		t.Errorf("what was refused was sent again: %s", <-sent)
	}
}

// A confirmation that was under way is not repeated; the card waits for what becomes of it, and tells it.
func TestAReloadWhileBooking(t *testing.T) {
	var confirmed, reads atomic.Int32
	begun := make(chan struct{}, 9)
	card := strings.ReplaceAll(longCard, "\n", "")
	_, event, _ := strings.Cut(card, `"event": {`)
	event = "{" + strings.TrimSuffix(event, "}")
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/confirm"):
			_, _ = new(bytes.Buffer).ReadFrom(r.Body)
			confirmed.Add(1)
			begun <- struct{}{}
			<-r.Context().Done()
		case r.Method == http.MethodPost:
			accept(w)
		case strings.HasPrefix(r.URL.Path, "/v1/proposals/") && reads.Add(1) > 1:
			_, _ = fmt.Fprint(w, strings.Replace(event, `"proposed"`, `"confirmed"`, 1))
		case strings.HasPrefix(r.URL.Path, "/v1/proposals/"):
			_, _ = fmt.Fprint(w, event)
		default:
			stream(w, card, done)
		}
	}), 800, 700)
	p.ask("coffee")
	p.click("[part=confirm]", "Confirm")
	<-begun
	p.reload()
	p.wait(`named("[part=confirm][aria-disabled]", "Booking…")`)
	p.wait(`told.at(-1)?.type === "convene:confirmed"`)
	p.holds(`one("[part=status]").textContent === "Confirmed" && ` +
		`one("[role=status]").textContent.startsWith("Confirmed: ") && told.length === 1`)
	if n := confirmed.Load(); n != 1 {
		t.Errorf("confirmed %d times, want once", n)
	}
}

// After an hour the updates are gone: what the server still knows is shown, and nothing where it knows nothing.
func TestAReloadAfterTheUpdatesAreGone(t *testing.T) {
	var age atomic.Int32
	card := strings.ReplaceAll(longCard, "\n", "")
	_, event, _ := strings.Cut(card, `"event": {`)
	event = strings.Replace("{"+strings.TrimSuffix(event, "}"), `"proposed"`, `"confirmed"`, 1)
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			accept(w)
		case r.URL.Path == "/v1/turns/t1/events" && age.Load() == 0:
			stream(w, `{"type": "message", "text": "At **four**."}`, card, done)
		case r.URL.Path == "/v1/turns/t1" && age.Load() == 1:
			_, _ = fmt.Fprintf(w, `{"turnId": "t1", "state": "done", "message": "At **four**.", "event": %s}`, event)
		case r.URL.Path == "/v1/proposals/p1" && age.Load() < 3:
			_, _ = fmt.Fprint(w, event)
		default:
			refuse(w, http.StatusNotFound, "not_found")
		}
	}), 800, 700)
	p.ask("coffee")
	p.holds(`one("[part=status]").textContent === "Proposed"`)
	for i, message := range []string{"At four.", ""} {
		age.Store(int32(i) + 1)
		p.reload()
		p.wait(`named("[part=status]", "Confirmed") && one("[part=undo]") && !one(".turn[hidden]")`)
		p.holds(fmt.Sprintf(`one("[part=said]").textContent === "coffee" && one("[part=message]").textContent === %q && `+
			`!one("[part=progress]") && told.length === 0`, message))
	}
	age.Store(3)
	p.reload()
	p.wait(`one("textarea") && !one(".turn") && !element().hasAttribute("conversation")`)
	p.holds(`told.length === 0 && one("textarea").value === ""`)
}

// In one tab, one visitor's words are not shown to another; to the same one with another token they are, and to one
// whose token comes late.
func TestAReloadWithAnotherToken(t *testing.T) {
	s := openSite(t, nil)
	token := make(chan string, 1)
	s.page = func(*http.Request) string { return s.element(<-token, "") }
	token <- s.mustToken(s.url)
	p := s.visit()
	p.ask("Coffee with Al on Tuesday at 4pm")
	words := `all(".turn:not([hidden])").map((turn) => turn.innerText).join().includes("Coffee with Al")`

	token <- s.mustToken(s.url)
	p.reload()
	p.wait(words + ` && one("[part=confirm]:not([aria-disabled])")`)

	token <- ""
	p.reload()
	p.wait(`told.at(-1)?.type === "convene:error"`)
	p.holds(`told.length === 1 && told[0].status === 401 && !(` + words + `)`)
	p.text(fmt.Sprintf(`element().setAttribute("token", %q)`, s.mustToken(s.url)))
	p.wait(words + ` && one("[part=confirm]:not([aria-disabled])")`)

	s.visitor = "user-43"
	token <- s.mustToken(s.url)
	p.reload()
	p.wait(`one("textarea") && !one(".turn")`)
	p.holds(`!element().getAttribute("conversation") && one("textarea").value === ""`)
	p.ask("Lunch with Al on Wednesday")
	p.holds(`told.at(-1).event.title === "Lunch with Al" && all(".turn").length === 1`)
}

// Several elements on a page keep apart, those for other people do too, and a conversation that the page names is not
// mixed with another.
func TestElementsKeepApart(t *testing.T) {
	var turns atomic.Int32
	address := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/two":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, `<!doctype html><html lang=en><script src="/widget.js" defer></script>
				<convene-scheduler organizer="me"></convene-scheduler>
				<convene-scheduler organizer=%q conversation=%q></convene-scheduler>`,
				cmp.Or(r.URL.Query().Get("as"), "me"), r.URL.Query().Get("conversation"))
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusAccepted)
			n := turns.Add(1)
			_, _ = fmt.Fprintf(w, `{"turnId": "t%[1]d", "conversationId": "c%[1]d", "eventsUrl": "/v1/turns/t%[1]d/events"}`, n)
		default:
			stream(w, fmt.Sprintf(`{"type": "acknowledgment", "text": "Answer to %s."}`, strings.Split(r.URL.Path, "/")[3]),
				done)
		}
	})
	p := look(t, address+"/two", 800, 700)
	open := func(query, want string) {
		t.Helper()
		p.do(chromedp.Navigate(address + "/two" + query))
		p.wait(fmt.Sprintf(`[...document.querySelectorAll("convene-scheduler")]`+
			`.map(({ shadowRoot }) => [...(shadowRoot ?? document).querySelectorAll(".turn:not([hidden])")].map(({ `+
			`textContent }) => textContent).join()).join("|") === %q`, want))
	}
	open("", "|")
	for i, words := range []string{"one", "two"} {
		p.text(fmt.Sprintf(`document.querySelectorAll("convene-scheduler")[%d].ask(%q)`, i, words))
		p.wait(fmt.Sprintf("finished === %d", i+1))
	}
	both := "oneAnswer to t1.|twoAnswer to t2."
	open("?again", both)
	open("?as=al", "oneAnswer to t1.|")
	open("?conversation=c9", "oneAnswer to t1.|")
	open("?conversation=c2", both)
}

// Where a browser keeps nothing, all works but this.
func TestWithoutStorage(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.early(`Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", ` +
		`"SecurityError"); } })`)
	p.do(chromedp.Navigate(p.text("location.href")))
	p.wait("document.querySelectorAll('.person').length > 5")
	p.ask("Coffee with Al on Tuesday at 4pm")
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.reload()
	p.wait(`one("textarea") && !one(".turn")`)
}
