package main

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/redisstore/redistest"
)

// talker sends requests with a credential.
type talker struct {
	t                          *testing.T
	server, credential, origin string
}

// send fails the test where the answer has another status, and reads it into answer where that is not nil.
func (c *talker) send(method, path, body string, want int, answer any) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.server+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.credential)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.origin != "" {
		req.Header.Set("Origin", c.origin)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if resp.StatusCode != want {
		c.t.Errorf("%s %s: %d %s, want %d", method, path, resp.StatusCode, got, want)
		return
	}
	if answer != nil {
		if err := json.Unmarshal(got, answer); err != nil {
			c.t.Fatalf("%s %s: %q: %v", method, path, got, err)
		}
	}
}

// One tenant's key finds nothing of another's, wherever it knocks.
func TestTenantsCannotSeeEachOther(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	_, key := newKey(t, redis, "acme")
	_, foreign := newKey(t, redis, "other")
	server := startServer(t, "", "--redis-url="+redis)
	acme, other := &talker{t: t, server: server, credential: key}, &talker{t: t, server: server, credential: foreign}

	acme.send(http.MethodPut, "/v1/people/mia", `{"name":"Mia Wong","timezone":"America/Los_Angeles"}`, http.StatusOK, nil)
	acme.send(http.MethodPut, "/v1/people/ben", `{"name":"Ben Ames","timezone":"America/Los_Angeles"}`, http.StatusOK, nil)
	var hook struct{ ID string }
	acme.send(http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.invalid/acme"}`, http.StatusCreated, &hook)
	var started struct{ TurnID, EventsURL string }
	const message = `{"message":"Call with Ben on Tuesday at 4pm","organizer":"mia","participants":["ben"]}`
	acme.send(http.MethodPost, "/v1/turns", message, http.StatusAccepted, &started)
	acme.send(http.MethodGet, started.EventsURL, "", http.StatusOK, nil) // to its end
	var state struct{ Event struct{ ID string } }
	acme.send(http.MethodGet, "/v1/turns/"+started.TurnID, "", http.StatusOK, &state)
	if state.Event.ID == "" {
		t.Fatal("there is no proposal to look for")
	}
	acme.send(http.MethodPost, "/v1/proposals/"+state.Event.ID+"/confirm", "{}", http.StatusOK, nil)
	var told struct{ Deliveries []struct{ ID string } }
	acme.send(http.MethodGet, "/v1/webhooks/deliveries", "", http.StatusOK, &told)
	if len(told.Deliveries) == 0 {
		t.Fatal("there is no delivery to look for")
	}
	const talk = `{"id":"talk","organizer":"mia","messages":[{"role":"user","parts":[{"type":"text","text":"hello"}]}]}`
	acme.send(http.MethodPost, "/v1/chat", talk, http.StatusOK, nil) // to its end

	var block struct{ Changes struct{ ID, Digest string } }
	acme.send(http.MethodPost, "/v1/tools/schedule_createTimeBlock", `{"organizer":"mia","arguments":`+
		`{"type":"work","title":"Report","date":"2026-11-25","startTime":"09:00","endTime":"10:00"}}`, http.StatusOK, &block)
	if block.Changes.ID == "" {
		t.Fatal("there is no change set to look for")
	}

	acme.send(http.MethodPost, "/v1/tools/workflow_save", `{"organizer":"mia","arguments":`+
		`{"name":"Morning","words":"what is on today?"}}`, http.StatusOK, nil)
	acme.send(http.MethodPost, "/v1/workflows", `{"organizer":"mia","name":"morning"}`, http.StatusAccepted, &started)
	acme.send(http.MethodGet, started.EventsURL, "", http.StatusOK, nil) // to its end
	var ran struct{ Runs []struct{ ID string } }
	acme.send(http.MethodGet, "/v1/workflows?organizer=mia", "", http.StatusOK, &ran)
	if len(ran.Runs) == 0 {
		t.Fatal("there is no run to look for")
	}

	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	acme.send(http.MethodGet, "/openapi.json", "", http.StatusOK, &document)
	theirs := map[string]string{
		"/v1/turns/": started.TurnID, "/v1/proposals/": state.Event.ID, "/v1/people/": "mia", "/v1/chat/": "talk",
		"/v1/changes/": block.Changes.ID, "/v1/webhooks/endpoints/": hook.ID,
		"/v1/webhooks/deliveries/": told.Deliveries[0].ID, "/v1/workflows/": ran.Runs[0].ID,
	}
	// The Vercel AI SDK takes this for a chat in which nothing is going on. Workflows are asked for with their organizer,
	// which is none of the other tenant yet.
	status := map[string]int{
		"resumeChat": http.StatusNoContent, "getWorkflow": http.StatusBadRequest, "deleteWorkflow": http.StatusBadRequest,
	}
	walked := 0
	for path, methods := range document.Paths {
		if !strings.Contains(path, "{id}") {
			continue
		}
		for method, operation := range methods {
			if operation.OperationID == "putPerson" {
				continue // makes a person of one's own, whatever others have under that id
			}
			walked++
			body := map[string]string{"post": "{}", "patch": "{}", "put": "{}"}[method]
			if operation.OperationID == "confirmChanges" {
				body = `{"digest":"` + block.Changes.Digest + `"}`
			}
			want := cmp.Or(status[operation.OperationID], http.StatusNotFound)
			other.send(strings.ToUpper(method), address(t, path, theirs), body, want, nil)
		}
	}
	if walked < 12 {
		t.Errorf("walked %d routes", walked)
	}

	// What is no one's own is not found in lists or by names either, and a foreign person of the same id changes nothing.
	var people struct{ People []struct{ ID string } }
	other.send(http.MethodGet, "/v1/people", "", http.StatusOK, &people)
	if len(people.People) != 0 {
		t.Errorf("another tenant's people are listed: %v", people)
	}
	other.send(http.MethodPost, "/v1/turns", message, http.StatusBadRequest, nil)
	other.send(http.MethodPut, "/v1/people/mia", `{"name":"Somebody Else"}`, http.StatusOK, nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		other.send(method, "/v1/workflows/"+ran.Runs[0].ID+"?organizer=mia", "", http.StatusNotFound, nil)
	}
	var person struct{ Name string }
	acme.send(http.MethodGet, "/v1/people/mia", "", http.StatusOK, &person)
	if person.Name != "Mia Wong" {
		t.Errorf("another tenant has changed a person: %q", person.Name)
	}
	acme.send(http.MethodGet, "/v1/chat/talk/stream", "", http.StatusOK, nil)
}

// address is a path with the ids of a person's things in it.
func address(t *testing.T, path string, ids map[string]string) string {
	t.Helper()
	for prefix, id := range ids {
		if strings.HasPrefix(path, prefix) {
			return strings.NewReplacer("{id}", id, "{cid}", "a1", "{provider}", "google").Replace(path)
		}
	}
	t.Fatalf("%s: there is nothing of this kind to look for; add it to the test", path)
	return ""
}
