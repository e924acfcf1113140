package widget_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"convene/pkg/auth"
	"convene/pkg/meet"
	"convene/pkg/redisstore"
	"convene/pkg/redisstore/redistest"
)

// site is another person's web site with the element on its page, and a Convene server with a key that knows it.
type site struct {
	t *testing.T
	// url is its origin, and convene the server's.
	url, convene string
	host         *httptest.Server
	// page is what a visitor gets, made anew for each, and policy the page's content policy.
	page   func(*http.Request) string
	policy string
	// visitor is whom tokens are made for.
	visitor string
	// renewals lets /my-token answer, once for each that is sent; closed, always.
	renewals chan struct{}

	server     *process
	arguments  []string
	env        []string
	redis      string
	key, keyID string
	// asked counts the visits to /my-token.
	asked atomic.Int32
}

// openSite starts both. more are further arguments of the server; {site} in them is the site's origin.
func openSite(t *testing.T, env []string, more ...string) *site {
	t.Helper()
	s := &site{t: t, renewals: make(chan struct{}, 9), redis: redistest.Start(t)}
	s.host = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.host.Close)
	s.url = "http://" + s.host.Listener.Addr().String()
	s.env = append([]string{"REDIS_URL=" + s.redis}, env...)
	if len(more) == 0 {
		more = []string{"--origins", "{site}"}
	}
	s.arguments = []string{"serve", "--listen", freeAddress(t), "--now", clock}
	for _, argument := range more {
		s.arguments = append(s.arguments, strings.ReplaceAll(argument, "{site}", s.url))
	}
	out, said := s.command("key", "new", "--tenant", "", "--name", "a site")
	s.key, s.keyID = strings.TrimSpace(out), regexp.MustCompile(`Key (\S+) for`).FindStringSubmatch(said)[1]
	s.server = start(t, s.arguments, s.env...)
	s.convene = s.server.url
	return s
}

// command runs the program with the server's Redis.
func (s *site) command(arguments ...string) (out, said string) {
	s.t.Helper()
	var o, e bytes.Buffer
	cmd := exec.Command(lab(s.t).binary, arguments...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%v: %v\n%s", arguments, err, e.String())
	}
	return o.String(), e.String()
}

// restart kills the server and starts it again at the same address.
func (s *site) restart(between func()) {
	s.t.Helper()
	s.server.kill()
	between()
	s.server = start(s.t, s.arguments, s.env...)
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if s.policy != "" {
			w.Header().Set("Content-Security-Policy", strings.ReplaceAll(s.policy, "{server}", s.convene))
		}
		_, _ = fmt.Fprintf(w, "<!doctype html><html lang=en><title>A site</title><h1>A site</h1>%s", s.page(r))
	case "/my-token":
		s.asked.Add(1)
		select {
		case <-s.renewals:
			s.handToken(w)
		case <-r.Context().Done():
		}
	default:
		http.NotFound(w, r)
	}
}

// handToken is what the site's own server does: it has a token made with its key.
func (s *site) handToken(w http.ResponseWriter) {
	token, err := s.token(s.url)
	if err != nil {
		http.Error(w, "There is no token at the moment.", http.StatusBadGateway)
		return
	}
	_, _ = w.Write([]byte(token))
}

func (s *site) token(origin string) (string, error) {
	body := fmt.Sprintf(`{"origin": %q, "organizers": ["me"], "participants": ["al"], "visitor": %q}`,
		origin, cmp.Or(s.visitor, "user-42"))
	request, err := http.NewRequest(http.MethodPost, s.convene+"/v1/tokens", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("/v1/tokens = %d", response.StatusCode)
	}
	var made struct{ Token string }
	err = json.NewDecoder(response.Body).Decode(&made)
	return made.Token, err
}

func (s *site) mustToken(origin string) string {
	token, err := s.token(origin)
	if err != nil {
		s.t.Error(err)
	}
	return token
}

// expired is a token of the site's that was made an hour ago.
func (s *site) expired() string {
	s.t.Helper()
	store, err := redisstore.Open(s.t.Context(), redisstore.Config{URL: s.redis})
	if err != nil {
		s.t.Fatal(err)
	}
	defer store.Close()
	door := auth.NewDoor(auth.DoorConfig{
		Ring: store.KeyRing(), Now: func() time.Time { return time.Now().Add(-time.Hour) },
	})
	grant := auth.Grant{Origin: s.url, Organizers: []meet.PersonID{"me"}, Participants: []meet.PersonID{"al"}}
	token, _, err := door.Mint(s.t.Context(), auth.Caller{Kind: auth.ByKey, Key: auth.KeyID(s.keyID)}, grant, time.Minute)
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

// element is the script and the element with a token.
func (s *site) element(token, more string) string {
	return fmt.Sprintf(`<script src="%[1]s/widget.js" defer></script><convene-scheduler server="%[1]s" token="%s" `+
		`organizer="me" %s></convene-scheduler>`,
		s.convene, token, more)
}

// visit opens the site, whose page stays the same from then on, and looks at it.
func (s *site) visit() *tab {
	s.t.Helper()
	s.host.Start()
	p := look(s.t, s.url+"/", 800, 700)
	p.do(chromedp.Evaluate[chromedp.Void](watch))
	return p
}

// watch notes what the element asks its server for, and in which order updates come.
const watch = `
window.ids = []; window.calls = []; window.violations = [];
document.addEventListener("convene:update", ({ detail }) => ids.push(detail.id));
document.addEventListener("securitypolicyviolation", (v) => violations.push(v.violatedDirective));
window.fetch = ((real) => (address, options) => { calls.push(options?.method ?? "GET"); return real(address, options);
	})(window.fetch);
`

// snippet is the first block of a README in a language, as it stands there.
func snippet(t *testing.T, file, language string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(content), "\n```"+language+"\n")
	block, _, closed := strings.Cut(block, "\n```\n")
	if !found || !closed {
		t.Fatalf("%s has no %s", file, language)
	}
	return block
}

// downloadTo has the browser save files in a folder.
func (p *tab) downloadTo(folder string) {
	p.t.Helper()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// send types a message and waits for nothing.
func (p *tab) send(message string) {
	p.t.Helper()
	p.text("element().focus()")
	p.write(message)
	p.press("Enter")
}

// slowModel answers so slowly that a server can be killed meanwhile.
func slowModel(t *testing.T) []string {
	t.Helper()
	model := start(t, []string{"model", "--listen", "127.0.0.1:0", "--latency", "400ms", "--tokens-per-second", "150"})
	return []string{"OPENAI_BASE_URL=" + model.url + "/v1", "OPENAI_API_KEY="}
}

// From a wish to a booking and back on a page elsewhere that allows scripts of the server's origin and requests to it,
// and nothing else at all: no inline style, no evaluation, and no unchecked markup.
func TestOnAPageOfAnotherSite(t *testing.T) {
	s := openSite(t, nil)
	s.policy = "default-src 'none'; script-src {server}; connect-src {server}; base-uri 'none'; form-action 'none'; " +
		"require-trusted-types-for 'script'; trusted-types convene"
	s.page = func(r *http.Request) string {
		return s.element(s.mustToken(s.url), fmt.Sprintf(`locale="en" conversation=%q`, r.URL.Query().Get("conversation")))
	}
	p := s.visit()
	p.ask("Let's grab coffee with Al next week")
	p.holds(`getComputedStyle(one(".frame")).display === "flex"`)
	p.click("[part=chip]", "30 min")
	p.write("45")
	p.press("Enter")
	p.wait(`finished === 2`)
	p.holds(`told.at(-1).event.end.includes(":45:00") && all("[data-status=replaced]").length === 1`)
	p.holds(`one("[part=message]").classList.contains("plain") === false && violations.length === 0`)

	// The page is loaded again: the site has another token made for the visitor, and the conversation goes on.
	p.do(chromedp.Navigate(s.url+"/?conversation="+p.text(`element().getAttribute("conversation")`)),
		chromedp.Evaluate[chromedp.Void](watch))
	p.ask("Can we do lunch instead?")
	p.holds(`told.at(-1).event.title === "Lunch with Al" && told.at(-1).event.replaces`)

	folder := t.TempDir()
	p.downloadTo(folder)
	id := p.text(`told.at(-1).event.id`)
	p.click("[part=file]", ".ics")
	if file := waitForFile(t, filepath.Join(folder, id+".ics")); !strings.Contains(file, "SUMMARY:Lunch with Al") {
		t.Errorf("file = %.200q", file)
	}
	if err := os.Remove(filepath.Join(folder, id+".ics")); err != nil {
		t.Fatal(err)
	}
	p.text(`Object.assign(document.createElement("a"), { href: one("[part=file]").href + "?token=" + ` +
		`element().getAttribute("token") }).click()`)
	if file := waitForFile(t, filepath.Join(folder, id+".ics")); !strings.HasPrefix(file, "BEGIN:VCALENDAR\r\n") {
		t.Errorf("file by its link = %.200q", file)
	}

	p.text(`all("[data-kind=slot]")[1].click()`)
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.holds(`told.at(-1).event.start !== told.at(-2).event.start`)
	p.shoot("site-confirmed")
	p.click("[part=undo]", "Undo")
	p.wait(`told.at(-1).type === "convene:cancelled"`)
	p.holds(`told.map(({ type }) => type).join() === "convene:turn,convene:event,convene:confirmed,convene:cancelled" ` +
		`&& violations.length === 0`)
}

// The page of the widget's README, as it stands there. It has no token at first, and gets one.
func TestThePageOfTheWidgetsREADME(t *testing.T) {
	s := openSite(t, nil)
	close(s.renewals)
	s.page = func(*http.Request) string {
		return strings.ReplaceAll(snippet(t, "pkg/widget/README.md", "html"), "https://convene.example.com", s.convene)
	}
	p := s.visit()
	p.text(`window.logged = [], console.log = (...words) => logged.push(words)`)
	p.ask("Coffee on Tuesday at 4pm")
	p.holds(`told.map(({ type }) => type).join() === "convene:error,convene:turn,convene:event" && all(".turn").length ` +
		`=== 1`)
	p.holds(`getComputedStyle(one("[part=confirm]")).textTransform === "uppercase" && ` +
		`getComputedStyle(one("[part=confirm]")).backgroundColor === "rgb(122, 62, 157)"`)
	p.click("[part=confirm]", "Confirm")
	p.wait(`logged.length === 1`)
	p.holds(`logged[0][0] === "booked" && logged[0][1].status === "confirmed"`)
}

// The three lines of README.md, and those of it and of the API's that follow a stream, on a page of the server's own.
func TestTheScriptsOfTheREADMEs(t *testing.T) {
	server := serve(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(
			w,
			"<!doctype html><title>A page</title>",
			strings.ReplaceAll(snippet(t, "README.md", "html"), "http://127.0.0.1:8080", server.url),
		)
	}))
	defer site.Close()
	p := look(t, site.URL, 800, 700)
	p.wait(`element()?.shadowRoot && element().getAttribute("organizer") === "me" && one("textarea")`)
	for _, file := range []string{"README.md", "pkg/api/README.md"} {
		p := look(t, server.url+"/docs", 800, 700)
		p.text(`window.logged = [], console.log = (update) => logged.push(update.type)`)
		p.text(fmt.Sprintf("(async () => {%s})() && undefined", snippet(t, file, "js")))
		p.wait(`logged.at(-1) === "done" && logged[0] === "turn" && logged.includes("event")`)
	}
}

// A token that expires, on a page that does as the README says: the element says so, and goes on by itself with
// another, whatever it was about to do.
func TestAnotherTokenGoesOn(t *testing.T) {
	s := openSite(t, slowModel(t))
	old := s.expired()
	s.page = func(*http.Request) string {
		element := strings.NewReplacer("https://convene.example.com", s.convene, "eyJ…", old).
			Replace(snippet(t, "pkg/auth/README.md", "html"))
		return fmt.Sprintf(`<script src="%s/widget.js" defer></script>`, s.convene) + element
	}
	p := s.visit()
	renew := func(part string) {
		t.Helper()
		p.wait(fmt.Sprintf(`told.at(-1)?.type === "convene:error" && named("[part=%s]:not([hidden])", "has expired")`, part))
		p.holds(`told.at(-1).status === 401 && told.at(-1).code === "token_expired"`)
		s.renewals <- struct{}{}
	}
	p.send("Coffee with Al on Tuesday at 4pm")
	renew("connection")
	p.wait("finished === 1")
	p.holds(`all(".turn").length === 1 && one("textarea").value === "" && ` +
		`one("[part=acknowledgment]").textContent.includes("coffee with Al")`)

	p.text(fmt.Sprintf(`element().setAttribute("token", %q)`, old))
	p.click("[part=confirm]", "Confirm")
	p.wait(`one("[part=note]") && !one("[part=note]").hidden`)
	p.shoot("site-expired")
	renew("note")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.holds(`one("[part=status]").textContent === "Confirmed" && one("[part=note]").hidden`)

	p.text(`ids.length = 0`)
	p.send("Lunch with Al on Wednesday")
	p.wait("ids.length >= 2")
	p.text(fmt.Sprintf(`element().setAttribute("token", %q)`, old))
	s.restart(func() {})
	renew("connection")
	p.wait("finished === 2")
	p.holds(`ids.every((id, i) => id === i + 1) && one("[data-status=proposed] [part=confirm]") && ` +
		`one("textarea").value === ""`)
	if got := s.asked.Load(); got != 3 {
		t.Errorf("the page asked for %d tokens, want 3", got)
	}
}

// Pages that may not schedule: one whose site the server does not allow, and one with the token of another site.
func TestPagesThatAreNotAllowed(t *testing.T) {
	for name, test := range map[string]struct {
		origins, calls string
	}{
		"a site that is not allowed": {"https://other.example", "POST,HEAD,POST"},
		"a token of another site":    {"https://other.example,{site}", "POST"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openSite(t, nil, "--origins", test.origins)
			s.page = func(*http.Request) string { return s.element(s.mustToken("https://other.example"), "") }
			p := s.visit()
			p.send("Coffee with Al")
			p.wait(`told.at(-1)?.type === "convene:error"`)
			p.holds(`told.at(-1).status === 403 && !told.at(-1).retryable && one("textarea").value === "Coffee with Al"`)
			p.holds(`named("[part=connection]", "This page may not schedule here") && !one("[part=progress]") && ` +
				`one("[part=again]")`)
			if got := p.text("calls.join()"); got != test.calls {
				t.Errorf("calls = %s, want %s", got, test.calls)
			}
			p.shoot("site-barred")
		})
	}
}

// A key that was revoked: its tokens are refused, and so is whatever the site's server hands out instead. The element
// says so and waits; it does not ask for ever.
func TestARevokedKeyEndsIt(t *testing.T) {
	s := openSite(t, nil)
	close(s.renewals)
	s.page = func(*http.Request) string {
		element := strings.NewReplacer("https://convene.example.com", s.convene, "eyJ…", s.mustToken(s.url)).
			Replace(snippet(t, "pkg/auth/README.md", "html"))
		return fmt.Sprintf(`<script src="%s/widget.js" defer></script>`, s.convene) + element
	}
	p := s.visit()
	p.ask("Coffee with Al on Tuesday at 4pm")
	s.restart(func() { s.command("key", "revoke", s.keyID) })
	p.text(`calls.length = 0, window.given = 0, new MutationObserver(() => given++).observe(element(), { ` +
		`attributeFilter: ["token"] })`)
	p.send("Lunch with Al")
	p.wait(`told.filter(({ type }) => type === "convene:error").length === 2 && given === 2`)
	p.holds(`told.at(-1).status === 401 && told.at(-1).code === "unauthorized" && named("[part=connection]", "This page ` +
		`may not schedule here")`)
	p.holds(`calls.join() === "POST,GET,POST,GET" && one("textarea").value === "Lunch with Al"`) // GET is the page's own
	p.click("[part=again]", "Try again")
	p.wait(`told.filter(({ type }) => type === "convene:error").length === 4 && given === 4`)
	p.holds(`calls.length === 8 && all(".turn").length === 2`)
}

// The server is killed while it answers a page elsewhere, and started again: the stream goes on where it was.
func TestReconnectsWithAToken(t *testing.T) {
	s := openSite(t, slowModel(t))
	s.page = func(*http.Request) string { return s.element(s.mustToken(s.url), "") }
	p := s.visit()
	p.send("Coffee with Al on Tuesday at 4pm")
	p.wait("ids.length >= 2")
	s.restart(func() { p.wait(`named("[part=connection]:not([hidden])", "Connection lost")`) })
	p.wait("finished === 1")
	p.holds(`ids.every((id, i) => id === i + 1) && one("[part=confirm]")`)
	p.wait(`one("[part=connection]").hidden`)
	p.holds(`told.every(({ type }) => type !== "convene:error")`)
}

// A stream that comes too soon is told when to come back, and does.
func TestATooEagerStreamWaits(t *testing.T) {
	s := openSite(t, nil, "--origins", "{site}", "--limit-token", "1/3s")
	s.page = func(*http.Request) string { return s.element(s.mustToken(s.url), "") }
	p := s.visit()
	begun := time.Now()
	p.send("Coffee with Al on Tuesday at 4pm")
	p.wait(`named("[part=connection]:not([hidden])", "Trying again in 3 s.")`)
	p.shoot("site-limited")
	p.wait("finished === 1")
	p.holds(`one("[part=confirm]") && calls.join() === "POST,GET,GET"`)
	if took := time.Since(begun); took < 2*time.Second {
		t.Errorf("came back after %s, though the server asked for 3 s", took)
	}
}
