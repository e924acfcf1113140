package api

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/webhook"
)

// oneHook is a registry with one endpoint, "ep_1", and one delivery, "dlv_1".
type oneHook struct {
	endpoint webhook.Endpoint
	delivery webhook.Delivery
	wanted   webhook.Change
	overlap  time.Duration
	filter   webhook.Filter
	after    string
	most     int
	fail     error
}

func (o *oneHook) own(id webhook.EndpointID) error {
	if id != o.endpoint.ID {
		return fault.New(fault.NotFound, "There is no such endpoint.")
	}
	return o.fail
}

func (o *oneHook) List(context.Context) ([]webhook.Endpoint, error) {
	return []webhook.Endpoint{o.endpoint}, o.fail
}

func (o *oneHook) Endpoint(_ context.Context, id webhook.EndpointID) (webhook.Endpoint, error) {
	return o.endpoint, o.own(id)
}

func (o *oneHook) Create(_ context.Context, c webhook.Change) (webhook.Endpoint, webhook.Key, error) {
	o.wanted = c
	return o.endpoint, webhook.Key{}, o.fail
}

func (o *oneHook) Change(_ context.Context, id webhook.EndpointID, c webhook.Change) (webhook.Endpoint, error) {
	o.wanted = c
	return o.endpoint, o.own(id)
}

func (o *oneHook) Remove(_ context.Context, id webhook.EndpointID) error { return o.own(id) }

func (o *oneHook) Rotate(
	_ context.Context, id webhook.EndpointID, overlap time.Duration,
) (webhook.Endpoint, webhook.Key, error) {
	o.overlap = overlap
	return o.endpoint, webhook.Key{}, o.own(id)
}

func (o *oneHook) Page(
	_ context.Context, f webhook.Filter, after string, most int,
) ([]webhook.Delivery, string, error) {
	o.filter, o.after, o.most = f, after, most
	return []webhook.Delivery{o.delivery}, "0000000000001-dlv_1", o.fail
}

func (o *oneHook) Delivery(_ context.Context, id webhook.DeliveryID) (webhook.Delivery, error) {
	if id != o.delivery.ID {
		return webhook.Delivery{}, fault.New(fault.NotFound, "There is no such delivery.")
	}
	return o.delivery, o.fail
}

func (o *oneHook) Retry(ctx context.Context, id webhook.DeliveryID) (webhook.Delivery, error) {
	return o.Delivery(ctx, id)
}

func hooking(t *testing.T) (*fixture, *oneHook) {
	t.Helper()
	o := newHook()
	return newFixture(t, o.offered), o
}

func (o *oneHook) offered(c *Config) { c.Webhooks = Webhooks{Endpoints: o, Keys: o, Deliveries: o} }

func newHook() *oneHook {
	return &oneHook{
		endpoint: webhook.Endpoint{
			ID: "ep_1", URL: "https://example.com/hook", Created: noon, Failing: noon,
			Secrets: []webhook.Secret{{Sealed: []byte("current")}, {Sealed: []byte("old"), Until: noon.Add(time.Hour)}},
		},
		delivery: webhook.Delivery{
			ID: "dlv_1", Message: "msg_1", Endpoint: "ep_1", Type: webhook.EventMoved, Proposal: "p1", State: webhook.Pending,
			Created: noon, Next: noon.Add(time.Minute), Tries: 1,
			Attempts: []webhook.Attempt{{At: noon, Took: 182 * time.Millisecond, Status: 503, Problem: webhook.ProblemStatus}},
		},
	}
}

func TestWebhookAnswers(t *testing.T) {
	t.Parallel()
	f, _ := hooking(t)
	base := f.serve(t) + "/v1/webhooks"
	const endpoint = `"id":"ep_1","url":"https://example.com/hook","types":["event.confirmed","event.moved",` +
		`"event.cancelled","event.undelivered","reminder.due"],"state":"failing",` +
		`"failingSince":"2026-03-09T12:00:00Z","oldSecretUntil":"2026-03-09T13:00:00Z","createdAt":"2026-03-09T12:00:00Z"`
	const delivery = `{"id":"dlv_1","webhookId":"msg_1","endpoint":"ep_1","type":"event.moved","proposal":"p1",` +
		`"state":"pending",` +
		`"createdAt":"2026-03-09T12:00:00Z","nextAttemptAt":"2026-03-09T12:01:00Z",` +
		`"attempts":[{"at":"2026-03-09T12:00:00Z","durationMs":182,"status":503,"problem":"status"}]}`
	for _, tt := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/endpoints", "", 200, `{"endpoints":[{` + endpoint + `}]}`},
		{"GET", "/endpoints/ep_1", "", 200, `{` + endpoint + `}`},
		{"POST", "/endpoints", `{"url":"https://example.com/hook"}`, 201, `{` + endpoint + `,"secret":"whsec_"}`},
		{"PATCH", "/endpoints/ep_1", `{"enabled":true}`, 200, `{` + endpoint + `}`},
		{"POST", "/endpoints/ep_1/secret", "", 200, `{` + endpoint + `,"secret":"whsec_"}`},
		{"DELETE", "/endpoints/ep_1", "", 204, ""},
		{"GET", "/deliveries", "", 200, `{"deliveries":[` + delivery + `],"next":"0000000000001-dlv_1"}`},
		{"GET", "/deliveries/dlv_1", "", 200, delivery},
		{"POST", "/deliveries/dlv_1/retry", "", 202, delivery},
	} {
		a := do(t, tt.method, base+tt.path, tt.body)
		if got := strings.TrimSpace(a.body); a.status != tt.status || got != tt.want {
			t.Errorf("%s %s = %d %s, want %d %s", tt.method, tt.path, a.status, got, tt.status, tt.want)
		}
	}
}

func TestWebhookRequests(t *testing.T) {
	t.Parallel()
	f, o := hooking(t)
	base := f.serve(t) + "/v1/webhooks"
	do(t, "POST", base+"/endpoints", `{"url":"https://example.org/","types":["event.moved"],"description":"CRM"}`)
	if *o.wanted.URL != "https://example.org/" || *o.wanted.Description != "CRM" ||
		!slices.Equal(*o.wanted.Types, []webhook.Type{webhook.EventMoved}) || o.wanted.Enabled != nil {
		t.Errorf("create: %+v", o.wanted)
	}
	do(t, "PATCH", base+"/endpoints/ep_1", `{"enabled":false}`)
	if o.wanted.URL != nil || o.wanted.Description != nil || o.wanted.Types != nil || *o.wanted.Enabled {
		t.Errorf("change: %+v", o.wanted)
	}
	for body, want := range map[string]time.Duration{
		"": webhook.DefaultOverlap, `{"overlapHours":0}`: 0, `{"overlapHours":48}`: 48 * time.Hour,
		`{"overlapHours":9000000000000000000}`:  webhook.LongestOverlap + time.Hour,
		`{"overlapHours":-9000000000000000000}`: -time.Hour,
	} {
		do(t, "POST", base+"/endpoints/ep_1/secret", body)
		if o.overlap != want {
			t.Errorf("rotate %s: an overlap of %v, want %v", body, o.overlap, want)
		}
	}
	do(t, "GET", base+"/deliveries?endpoint=ep_1&state=failed&after=0000000000001-dlv_1&limit=7", "")
	if (o.filter != webhook.Filter{Endpoint: "ep_1", State: webhook.Failed}) || o.after != "0000000000001-dlv_1" ||
		o.most != 7 {
		t.Errorf("page: %+v after %q, %d at most", o.filter, o.after, o.most)
	}
}

func TestWebhookProblems(t *testing.T) {
	t.Parallel()
	f, o := hooking(t)
	base := f.serve(t) + "/v1/webhooks"
	for _, tt := range []struct {
		method, path, body string
		status             int
		code               fault.Code
	}{
		{"GET", "/endpoints/ep_2", "", 404, fault.NotFound},
		{"PATCH", "/endpoints/ep_2", `{}`, 404, fault.NotFound},
		{"DELETE", "/endpoints/ep_2", "", 404, fault.NotFound},
		{"POST", "/endpoints/ep_2/secret", "", 404, fault.NotFound},
		{"GET", "/endpoints/a%20b", "", 404, fault.NotFound},
		{"GET", "/deliveries/dlv_2", "", 404, fault.NotFound},
		{"POST", "/deliveries/dlv_2/retry", "", 404, fault.NotFound},
		{"POST", "/endpoints", `{"url":"https://example.com/","secret":"mine"}`, 400, fault.InvalidRequest},
		{"POST", "/endpoints", `{"url":5}`, 400, fault.InvalidRequest},
		{"GET", "/deliveries?state=lost", "", 400, fault.InvalidRequest},
		{"GET", "/deliveries?after=%00", "", 400, fault.InvalidRequest},
	} {
		if p := do(t, tt.method, base+tt.path, tt.body).problem(t); p.Status != tt.status || p.Code != tt.code {
			t.Errorf("%s %s = %d %s, want %d %s", tt.method, tt.path, p.Status, p.Code, tt.status, tt.code)
		}
	}
	for _, limit := range []string{"1000", "0", "many"} {
		p := do(t, "GET", base+"/deliveries?limit="+limit, "").problem(t)
		if p.Status != 422 || p.Field != "limit" || !strings.HasPrefix(p.Detail, "limit: ") {
			t.Errorf("a page of %s = %d, field %q (%s), want 422 limit", limit, p.Status, p.Field, p.Detail)
		}
	}
	o.fail = fault.New(fault.Unavailable, "Our memory is not reachable.").Later(0)
	for _, path := range []string{"/endpoints", "/deliveries"} {
		if a := do(t, "GET", base+path, ""); a.status != 503 {
			t.Errorf("%s without a store = %d", path, a.status)
		}
	}
	if a := do(t, "GET", newFixture(t).serve(t)+"/v1/webhooks/endpoints", ""); a.status != 404 {
		t.Errorf("without webhooks = %d", a.status)
	}
}

// What is sent, what is asked for and what is answered is as the document has it, its examples too.
func TestWebhooksAreAsDocumented(t *testing.T) {
	t.Parallel()
	f, _ := hooking(t)
	base := f.serve(t)
	text := do(t, "GET", base+"/openapi.json", "").body
	var doc struct {
		Webhooks map[string]struct {
			Post struct {
				OperationID string
				RequestBody struct {
					Content map[string]struct{ Example json.RawMessage }
				}
			}
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	for _, ref := range regexp.MustCompile(`"#/components/schemas/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if doc.Components.Schemas[ref[1]] == nil {
			t.Errorf("schema %s is referred to and not there", ref[1])
		}
	}
	sent := compile(t, text, "WebhookMessage")
	for _, kind := range webhook.Types() {
		post := doc.Webhooks[string(kind)].Post
		body := sent
		if kind == webhook.ReminderDue {
			body = compile(t, text, "ReminderMessage")
		}
		if !strings.HasPrefix(post.OperationID, "on") {
			t.Errorf("%s is operation %q", kind, post.OperationID)
		}
		if err := validate(t, body, post.RequestBody.Content["application/json"].Example); err != nil {
			t.Errorf("the example of %s is not as documented: %v", kind, err)
		}
	}
	event := fullEvent()
	data, err := json.Marshal(webhook.Message{Type: webhook.EventMoved, Timestamp: noon, Data: event})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, sent, data); err != nil {
		t.Errorf("%s is not as documented: %v", data, err)
	}
	for schema, path := range map[string]string{"WebhookEndpoint": "/endpoints/ep_1",
		"WebhookDelivery": "/deliveries/dlv_1"} {
		a := do(t, "GET", base+"/v1/webhooks"+path, "")
		if err := validate(t, compile(t, text, schema), []byte(a.body)); err != nil {
			t.Errorf("%s is not as documented: %v\n%s", schema, err, a.body)
		}
	}
	request := compile(t, text, "WebhookEndpointRequest")
	for body, ok := range map[string]bool{
		`{"url":"https://example.com/","types":["event.moved"]}`: true,
		`{"types":[]}`: false, `{"url":"https://example.com/","x":1}`: false,
	} {
		if err := validate(t, request, []byte(body)); (err == nil) != ok {
			t.Errorf("%s: %v, want valid: %t", body, err, ok)
		}
	}
}
