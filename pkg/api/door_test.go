package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/widget"
)

// admission is how a route answers those who may call at all: with a key, with a token that is bound to what is asked
// for, and with one that is bound to something else.
type admission struct {
	target, body       string
	key, token, others int
}

// admissions has a row for every route that the door guards.
func admissions() map[string]admission {
	const account = "/v1/people/me/calendars/a1"
	return map[string]admission{
		"POST /v1/turns": {"/v1/turns", `{"message":"hi","organizer":"me","conversationId":"c1"}`,
			202, 202, 404},
		"GET /v1/turns/{id}":              {"/v1/turns/t1", "", 200, 200, 404},
		"GET /v1/turns/{id}/events":       {"/v1/turns/t1/events", "", 200, 200, 404},
		"DELETE /v1/turns/{id}":           {"/v1/turns/t1", "", 204, 204, 404},
		"GET /v1/proposals/{id}":          {"/v1/proposals/p1", "", 200, 200, 404},
		"GET /v1/proposals/{id}.ics":      {"/v1/proposals/p1.ics", "", 200, 200, 404},
		"POST /v1/proposals/{id}/confirm": {"/v1/proposals/p1/confirm", `{}`, 200, 200, 404},
		"POST /v1/proposals/{id}/cancel":  {"/v1/proposals/p1/cancel", "", 200, 200, 404},

		"GET /v1/changes/{id}":          {"/v1/changes/ch_1", "", 200, 200, 404},
		"POST /v1/changes/{id}/confirm": {"/v1/changes/ch_1/confirm", `{"digest":"sha256:1"}`, 200, 200, 404},
		"POST /v1/changes/{id}/cancel":  {"/v1/changes/ch_1/cancel", "", 200, 200, 404},
		"POST /v1/changes/{id}/undo":    {"/v1/changes/ch_1/undo", "", 200, 200, 404},

		"POST /v1/chat": {"/v1/chat", `{"id":"c1","organizer":"me","messages":[{"role":"user",` +
			`"parts":[{"type":"text","text":"hi"}]}]}`, 200, 200, 404},
		"GET /v1/chat/{id}/stream": {"/v1/chat/c1/stream", "", 200, 200, 204},
		"POST /v1/agui": {"/v1/agui", `{"threadId":"c1","runId":"r","messages":[{"role":"user","content":"hi"}],` +
			`"forwardedProps":{"organizer":"me"}}`, 200, 200, 404},
		"POST /mcp": {"/mcp", `{}`, 200, 403, 403},

		"POST /v1/webhooks/endpoints": {"/v1/webhooks/endpoints", `{"url":"https://example.com/hook"}`,
			201, 403, 403},
		"GET /v1/webhooks/endpoints":              {"/v1/webhooks/endpoints", "", 200, 403, 403},
		"GET /v1/webhooks/endpoints/{id}":         {"/v1/webhooks/endpoints/ep_1", "", 200, 403, 403},
		"PATCH /v1/webhooks/endpoints/{id}":       {"/v1/webhooks/endpoints/ep_1", `{"enabled":true}`, 200, 403, 403},
		"DELETE /v1/webhooks/endpoints/{id}":      {"/v1/webhooks/endpoints/ep_1", "", 204, 403, 403},
		"POST /v1/webhooks/endpoints/{id}/secret": {"/v1/webhooks/endpoints/ep_1/secret", "{}", 200, 403, 403},
		"GET /v1/webhooks/deliveries":             {"/v1/webhooks/deliveries", "", 200, 403, 403},
		"GET /v1/webhooks/deliveries/{id}":        {"/v1/webhooks/deliveries/dlv_1", "", 200, 403, 403},
		"POST /v1/webhooks/deliveries/{id}/retry": {"/v1/webhooks/deliveries/dlv_1/retry", "", 202, 403, 403},

		"GET /v1/people":         {"/v1/people", "", 200, 403, 403},
		"PUT /v1/people/{id}":    {"/v1/people/zoe", `{"name":"Zoe"}`, 200, 403, 403},
		"GET /v1/people/{id}":    {"/v1/people/me", "", 200, 403, 403},
		"DELETE /v1/people/{id}": {"/v1/people/me", "", 204, 403, 403},
		"POST /v1/tokens":        {"/v1/tokens", `{"origin":"https://app.example","organizers":["me"]}`, 201, 403, 403},

		"GET /v1/workflows":              {"/v1/workflows?organizer=me", "", 200, 200, 400},
		"POST /v1/workflows":             {"/v1/workflows", `{"name":"w1","organizer":"me"}`, 202, 202, 400},
		"GET /v1/workflows/{id}":         {"/v1/workflows/over", "", 200, 200, 404},
		"DELETE /v1/workflows/{id}":      {"/v1/workflows/proposed", "", 200, 200, 404},
		"POST /v1/workflows/{id}/resume": {"/v1/workflows/waits/resume", `{"choice":"1"}`, 202, 202, 404},

		"GET /v1/people/{id}/events":       {"/v1/people/me/events", "", 200, 200, 404},
		"GET /v1/people/{id}/preferences":  {"/v1/people/me/preferences", "", 200, 200, 404},
		"GET /v1/people/{id}/tasks":        {"/v1/people/me/tasks", "", 200, 200, 404},
		"GET /v1/people/{id}/tasks/export": {"/v1/people/me/tasks/export?format=txt", "", 200, 200, 404},
		"GET /v1/tools":                    {"/v1/tools", "", 200, 200, 200},
		"POST /v1/tools/{name}":            {"/v1/tools/calendar_countEvents", `{"organizer":"me"}`, 200, 200, 400},
		"POST /v1/tools/calendar_countEvents": {"/v1/tools/calendar_countEvents", `{"organizer":"me"}`,
			200, 200, 400},
		"POST /v1/tools/schedule_clearDay": {"/v1/tools/schedule_clearDay", `{"organizer":"me"}`, 200, 200, 400},

		"GET /v1/people/{id}/calendars": {"/v1/people/me/calendars", "", 200, 200, 404},
		"POST /v1/people/{id}/calendars/caldav": {"/v1/people/me/calendars/caldav",
			`{"server":"dav.example","username":"m","password":"p"}`, 200, 200, 404},
		"POST /v1/people/{id}/calendars/ics": {"/v1/people/me/calendars/ics",
			`{"url":"https://cal.example/m.ics"}`, 200, 200, 404},
		"PATCH /v1/people/{id}/calendars/{cid}": {account,
			`{"calendars":[{"id":"mia@example.com","blocks":true}]}`, 200, 200, 404},
		"DELETE /v1/people/{id}/calendars/{cid}":            {account, "", 204, 204, 404},
		"GET /v1/people/{id}/calendars/{provider}/connect":  {"/v1/people/me/calendars/google/connect", "", 302, 302, 404},
		"POST /v1/people/{id}/calendars/{provider}/connect": {"/v1/people/me/calendars/google/connect", "", 200, 200, 404},
		"GET /v1/people/{id}/mail":                          {"/v1/people/me/mail", "", 200, 200, 404},
		"GET /v1/people/{id}/mail/accounts":                 {"/v1/people/me/mail/accounts", "", 200, 200, 404},
		"POST /v1/people/{id}/mail/imap": {"/v1/people/me/mail/imap",
			`{"server":"m.example","username":"m","password":"p"}`, 200, 200, 404},
		"GET /v1/people/{id}/mail/google/connect":     {"/v1/people/me/mail/google/connect", "", 302, 302, 404},
		"GET /v1/people/{id}/mail/microsoft/connect":  {"/v1/people/me/mail/microsoft/connect", "", 302, 302, 404},
		"POST /v1/people/{id}/mail/google/connect":    {"/v1/people/me/mail/google/connect", "", 200, 200, 404},
		"POST /v1/people/{id}/mail/microsoft/connect": {"/v1/people/me/mail/microsoft/connect", "", 200, 200, 404},
		"DELETE /v1/people/{id}/mail/accounts/{cid}":  {"/v1/people/me/mail/accounts/a1", "", 204, 204, 404},
		"GET /metrics": {"/metrics", "", 403, 403, 403},
	}
}

// anyone may ask for these.
func openToAnybody() map[string]string {
	return map[string]string{
		"GET /healthz": "/healthz", "GET /readyz": "/readyz", "GET /v1/oauth/callback": "/v1/oauth/callback?state=s1",
	}
}

// Every route of the API and everyone who may turn up.
func TestEveryRouteIsGuarded(t *testing.T) {
	t.Parallel()
	routes := admissions()
	walked := 0
	for path, item := range newHouse(t).server.huma.OpenAPI().Paths {
		for method := range methodsOf(item) {
			walked++
			_, guarded := routes[method+" "+path]
			if _, open := openToAnybody()[method+" "+path]; guarded == open {
				t.Errorf("%s %s has to stand in one of the two tables", method, path)
			}
		}
	}
	if walked != len(routes)+len(openToAnybody()) {
		t.Errorf("%d routes, and the tables have %d", walked, len(routes)+len(openToAnybody()))
	}
	for route, a := range routes {
		method, _, _ := strings.Cut(route, " ")
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			checkRoute(t, method, a)
		})
	}
	for route, target := range openToAnybody() {
		method, _, _ := strings.Cut(route, " ")
		h := newHouse(t)
		for name, credential := range h.refused(t) {
			if a := h.ask(t, method, target, "", "Authorization", "Bearer "+credential); a.status != 200 {
				t.Errorf("%s with %s: %d, want 200", route, name, a.status)
			}
		}
	}
}

func checkRoute(t *testing.T, method string, a admission) {
	t.Helper()
	h := newHouse(t)
	for name, credential := range h.refused(t) {
		got := h.ask(t, method, a.target, a.body, "Authorization", "Bearer "+credential, "Origin", site)
		code := "unauthorized"
		if name == "an expired token" {
			code = "token_expired"
		}
		if p := got.problem(t); got.status != 401 || string(p.Code) != code || got.header.Get("WWW-Authenticate") == "" {
			t.Errorf("with %s: %d %s, want 401 %s", name, got.status, p.Code, code)
		}
		if credential != "" && strings.Contains(got.body+h.lines.String(), credential) {
			t.Errorf("with %s: it is told again: %s%s", name, got.body, h.lines)
		}
	}
	others := bound()
	others.Organizers, others.Participants, others.Conversations,
		others.Namespace = []meet.PersonID{"al"}, nil, []meet.ConversationID{"c9"}, "w9"
	elsewhere := bound()
	elsewhere.Origin = otherPage
	for name, test := range map[string]struct {
		show func(*house) string
		want int
	}{
		"the key":                 {func(h *house) string { return h.key }, a.key},
		"its token":               {func(h *house) string { return h.token(t, bound()) }, a.token},
		"a token of others":       {func(h *house) string { return h.token(t, others) }, a.others},
		"a token of another site": {func(h *house) string { return h.token(t, elsewhere) }, 403},
	} {
		h := newHouse(t)
		got := h.ask(t, method, a.target, a.body, "Authorization", "Bearer "+test.show(h), "Origin", site)
		if got.status != test.want {
			t.Errorf("with %s: %d %s, want %d", name, got.status, got.body, test.want)
		}
	}
}

func methodsOf(item any) map[string]any {
	raw, err := json.Marshal(item)
	if err != nil {
		return nil
	}
	var methods map[string]any
	if json.Unmarshal(raw, &methods) != nil {
		return nil
	}
	upper := map[string]any{}
	for name, operation := range methods {
		upper[strings.ToUpper(name)] = operation
	}
	return upper
}

// A route about which nothing was said takes a key, and so does an address at which there is nothing.
func TestUnknownRoutesTakeAKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.token(t, bound())
	for _, target := range []string{"/v1/nothing", "/mcp/nothing", "/nothing", "/v1/turns/t1/../../people"} {
		for credential, want := range map[string]int{"": 401, token: 403, h.key: 404} {
			if a := h.ask(t, "GET", target, "", "Authorization", "Bearer "+credential); a.status != want {
				t.Errorf("%s: %d, want %d", target, a.status, want)
			}
		}
	}
}

func TestPagesAreOpenToAnybody(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, target := range []string{"/", "/docs", "/widget.js", "/openapi.json", "/static/" + widget.Pages()[0]} {
		if a := h.ask(t, "GET", target, ""); a.status != 200 {
			t.Errorf("%s: %d", target, a.status)
		}
	}
}

// EventSource and links cannot send headers.
func TestATokenInTheAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.token(t, bound())
	for target, want := range map[string]int{
		"/v1/turns/t1/events?token=%s":                    200,
		"/v1/turns/t1/events?lastEventId=1&token=%s":      200,
		"/v1/turns/t1/events?%%74oken=%s":                 200,
		"/v1/proposals/p1.ics?token=%s":                   200,
		"/v1/proposals/p1?token=%s":                       401,
		"/v1/turns/t1?token=%s":                           401,
		"/v1/people/me/calendars?token=%s":                401,
		"/v1/turns/t1/events?token=x&token=%s":            401,
		"/v1/turns/t1/events?ticket=%s":                   401,
		"/v1/people/me/calendars/google/connect?token=%s": 401,
	} {
		target = strings.Replace(strings.ReplaceAll(target, "%%", "%"), "%s", token, 1)
		a := h.ask(t, "GET", target, "", "Origin", site)
		if a.status != want {
			t.Errorf("%.60s: %d, want %d", target, a.status, want)
		}
		for name, values := range a.header {
			if strings.Contains(strings.Join(values, " "), token) {
				t.Errorf("%.60s: the token is in %s", target, name)
			}
		}
		if strings.Contains(a.body, token) {
			t.Errorf("%.60s: the token is in the body: %s", target, a.body)
		}
	}
	for _, target := range []string{"/v1/turns/t1/events?token=", "/v1/proposals/p1.ics?token="} {
		if a := h.ask(t, "GET", target+h.key, ""); a.status != 401 {
			t.Errorf("%s and a key: %d, want 401", target, a.status)
		}
	}
	if a := h.ask(t, "POST", "/v1/turns?token="+token, `{"message":"hi","organizer":"me"}`, "Origin",
		site); a.status != 401 {
		t.Errorf("starting a turn: %d", a.status)
	}
	if strings.Contains(h.lines.String(), token) || strings.Contains(h.lines.String(), h.key) {
		t.Error("the log has what opens the door")
	}
	if !strings.Contains(h.lines.String(), `"key":"`+string(h.keyID)+`"`) ||
		!strings.Contains(h.lines.String(), `"tenant":"acme"`) {
		t.Errorf("the log does not say who called: %s", h.lines)
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"": "", "a=1": "a=1", "token=x": "", "a=1&token=x&b=2": "a=1&b=2", "a=1&%74oken=x": "a=1", "ticket=t&a": "a",
		"&&a=%zz": "a=%zz", "tokens=1": "tokens=1",
	} {
		if got := without(query, "token", "ticket"); got != want {
			t.Errorf("without(%q) = %q, want %q", query, got, want)
		}
	}
}

// While nobody knows which keys there are, nobody is let in; a stream says when to come back.
func TestTheDoorIsClosedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ring.Fail(fault.New(fault.Unavailable, "Our memory is not reachable right now.").Later(time.Second))
	for _, credential := range []string{"", h.key} {
		a := h.ask(t, "GET", "/v1/people", "", "Authorization", "Bearer "+credential)
		if a.status != 503 || a.header.Get("Retry-After") != "1" {
			t.Errorf("%d, Retry-After %q", a.status, a.header.Get("Retry-After"))
		}
	}
	a := h.ask(t, "GET", "/v1/turns/t1/events", "", "Authorization", "Bearer "+h.key)
	if got := kinds(t, events(t, a.body)); a.status != 200 || !slices.Equal(got, []string{"error"}) {
		t.Errorf("stream: %d %v, want an error to come back from and nothing of the turn", a.status, got)
	}
	a = h.ask(t, "POST", "/v1/turns", plainTurn, "Accept", "text/event-stream")
	if got := kinds(t, events(t, a.body)); a.status != 200 || !slices.Equal(got, []string{"error", "done"}) ||
		len(h.turns.started) != 0 {
		t.Errorf("new turn: %d %v, %d started", a.status, got, len(h.turns.started))
	}
	for _, target := range []string{"/healthz", "/readyz"} {
		if a := h.ask(t, "GET", target, ""); a.status != 403 && a.status != 200 {
			t.Errorf("%s: %d", target, a.status)
		}
	}
}

// The tenant of a request is that of its key.
func TestRequestsAreInTheirTenant(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	seen := &tenantsSeen{memoryPeople: h.people}
	h.server.cfg.People = seen
	h.ask(t, "GET", "/v1/people/me", "", "Authorization", "Bearer "+h.key)
	h.ask(t, "POST", "/v1/turns", `{"message":"hi","organizer":"me"}`, "Authorization", "Bearer "+h.token(t, bound()),
		"Origin", site)
	wantDiff(t, "tenants", []meet.Tenant{"acme", "acme"}, seen.tenants)
}

// A proxy on this machine passes on what others ask, and need not say so: where there are keys, an address opens
// nothing.
func TestMetricsTakeAnOperatorsKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, operators := h.ring.NewKey("")
	open := newFixture(t, measured)
	for name, test := range map[string]struct {
		server *Server
		from   string
		header []string
		want   int
	}{
		"from this machine, or a proxy": {h.server, "127.0.0.1:1", []string{"Host", "localhost"}, 401},
		"the same, version 6":           {h.server, "[::1]:1", []string{"Host", "[::1]:8080"}, 401},
		"from elsewhere":                {h.server, "192.0.2.7:1", []string{"Host", "localhost"}, 401},
		"with the operator's": {h.server, "192.0.2.7:1", []string{
			"Host", "x", "Authorization", "Bearer " + operators,
		}, 200},
		"with a tenant's key": {h.server, "192.0.2.7:1", []string{"Host", "x", "Authorization", "Bearer " + h.key}, 403},
		"with a browser's token": {h.server, "192.0.2.7:1", []string{
			"Host", "x", "Authorization", "Bearer " + h.token(t, bound()),
		}, 403},
		"without keys":                  {open.server, "127.0.0.1:1", []string{"Host", "localhost"}, 200},
		"without keys, by another name": {open.server, "127.0.0.1:1", []string{"Host", "evil.example"}, 403},
		"without keys, passed on": {open.server, "127.0.0.1:1", []string{
			"Host", "localhost", "X-Forwarded-For", "192.0.2.7",
		}, 403},
		"without keys, via": {open.server, "127.0.0.1:1", []string{"Host", "localhost", "Via", "1.1 proxy"}, 403},
		"without keys, for": {open.server, "127.0.0.1:1", []string{"Host", "localhost", "Forwarded", "for=192.0.2.7"}, 403},
		"without keys, by protocol": {open.server, "127.0.0.1:1", []string{
			"Host", "localhost", "X-Forwarded-Proto", "https",
		}, 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", http.NoBody)
		r.RemoteAddr = test.from
		for i := 0; i < len(test.header); i += 2 {
			r.Header.Set(test.header[i], test.header[i+1])
		}
		r.Host = r.Header.Get("Host")
		w := httptest.NewRecorder()
		test.server.Handler().ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%s: %d, want %d", name, w.Code, test.want)
		}
	}
}

// A browser that follows a link shows nothing, so the link opens the one address, and no other.
func TestALinkToConnectACalendar(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const path = "/v1/people/me/calendars/google/connect"
	a := h.ask(t, "POST", path, `{"access":"write","returnTo":"https://app.example/done"}`, "Authorization",
		"Bearer "+h.token(t, bound()), "Origin", site)
	var made link
	if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	address, err := url.Parse(made.URL)
	if err != nil || address.Scheme+"://"+address.Host != "http://localhost:8080" || address.Path != path {
		t.Fatalf("link %s, %v", made.URL, err)
	}
	visit := func(target string) int {
		return h.ask(t, "GET", target, "", "Sec-Fetch-Site", "cross-site", "Referer", site+"/", "Cookie",
			browserCookie+"=ABCDEFGHIJKLMNOPQRSTUVWXYZ").status
	}
	h.server.cfg.Calendars.PublicURL = "https://convene.example"
	if got := visit(address.RequestURI()); got != 302 {
		t.Errorf("the link: %d, want 302", got)
	}
	if h.shelf.begun.Person != "me" || h.shelf.begun.ReturnTo != site+"/done" || string(h.shelf.begun.Access) != "write" {
		t.Errorf("begun: %+v", h.shelf.begun)
	}
	query := address.Query()
	for name, target := range map[string]string{
		"somebody else": strings.Replace(address.RequestURI(), "/me/", "/al/", 1),
		"other access":  strings.Replace(address.RequestURI(), "access=write", "access=read", 1),
		"no ticket":     path + "?access=write",
		"another ask":   "/v1/people/me/calendars?ticket=" + query.Get("ticket"),
	} {
		if got := visit(target); got != 401 {
			t.Errorf("%s: %d, want 401", name, got)
		}
	}
	for name, body := range map[string]string{"returnTo": `{"returnTo":"https://evil.example"}`,
		"access": `{"access":"all"}`} {
		if a := h.ask(t, "POST", path, body, "Authorization", "Bearer "+h.key); a.status != 400 ||
			a.problem(t).Field != name {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if strings.Contains(h.lines.String(), query.Get("ticket")) {
		t.Error("the log has a ticket")
	}
}

// Where there are no keys, links need no ticket.
func TestALinkWithoutKeys(t *testing.T) {
	t.Parallel()
	f, _ := connecting(t)
	a := do(t, "POST", f.serve(t)+"/v1/people/me/calendars/google/connect", "")
	if strings.TrimSpace(a.body) != `{"url":"http://localhost:8080/v1/people/me/calendars/google/connect"}` {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := do(t, "POST", f.serve(t)+"/v1/tokens", `{"origin":"https://app.example"}`); a.status != 403 {
		t.Errorf("a token without keys: %d %s", a.status, a.body)
	}
}
