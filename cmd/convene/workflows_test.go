package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/workflow"
)

// askJSON is a request as JSON, and its answer.
func askJSON(t *testing.T, method, url, body string, into any) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if into != nil && json.Unmarshal(raw, into) != nil {
		t.Fatalf("%s %s: %s", method, url, raw)
	}
	return resp.StatusCode
}

// sayTo is a turn, read to its end.
func sayTo(t *testing.T, server, conversation, message string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"message": message, "conversationId": conversation})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/v1/turns", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	stream, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(stream)
}

// A workflow that one process saved is run by another one. Of a hundred answers to what it asks, given to both at once,
// one counts, and its changes are made once.
func TestTwoProcessesShareWorkflowsAndRuns(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t)
	first, second := startReplica(t, "--redis-url="+url), startReplica(t, "--redis-url="+url)
	sayTo(t, first.url, "c1", "delete the announcement task and block tomorrow 9 to 10 for writing")
	if got := sayTo(t, second.url, "c1", "save this as Tidy up"); !strings.Contains(got, "Saved the workflow") {
		t.Fatal(got)
	}
	sayTo(t, first.url, "c1", "never mind")
	if got := sayTo(t, second.url, "c2", "run Tidy up"); !strings.Contains(got, `"type":"choices"`) {
		t.Fatal(got)
	}
	var listed struct{ Runs []workflow.Run }
	askJSON(t, "GET", first.url+"/v1/workflows", "", &listed)
	if len(listed.Runs) != 2 || listed.Runs[0].Status != workflow.Waiting || listed.Runs[1].Status != workflow.Cancelled {
		t.Fatalf("runs %+v", listed.Runs)
	}
	run := listed.Runs[0]
	path := "/v1/workflows/" + run.ID
	var all sync.WaitGroup
	var mu sync.Mutex
	turns := map[string]int{}
	for i := range 100 {
		server, body := first, fmt.Sprintf(`{"choice":%q}`, run.Question.Options[0].ID)
		if i%2 == 1 {
			server, body = second, fmt.Sprintf(`{"choice":%q}`, run.Question.Options[1].ID)
		}
		all.Go(func() {
			var answer struct{ TurnID, Code string }
			status := askJSON(t, "POST", server.url+path+"/resume", body, &answer)
			mu.Lock()
			defer mu.Unlock()
			turns[fmt.Sprint(status, " ", answer.TurnID, answer.Code)]++
		})
	}
	all.Wait()
	taken := ""
	for answer, n := range turns {
		if strings.HasPrefix(answer, "202 ") {
			taken, _ = strings.CutPrefix(answer, "202 ")
		} else if answer != "409 conflict" {
			t.Errorf("%d answers are %s", n, answer)
		}
	}
	if len(turns) != 2 || taken == "" {
		t.Fatalf("answers %v; want one turn, and conflicts", turns)
	}
	follow(t, second.url, meet.TurnID(taken))
	var now struct{ Run workflow.Run }
	askJSON(t, "GET", second.url+path, "", &now)
	if now.Run.Status != workflow.Proposed || now.Run.Changes == "" {
		t.Fatalf("the run is %+v", now.Run)
	}
	status := askJSON(t, "POST", first.url+path+"/resume", `{"answer":"the first"}`, nil)
	if status != http.StatusConflict {
		t.Errorf("a run that is over takes an answer: %d", status)
	}
	var set struct{ Changes meet.ChangeSet }
	askJSON(t, "GET", first.url+"/v1/changes/"+string(now.Run.Changes), "", &set)
	confirm := fmt.Sprintf(`{"digest":%q}`, set.Changes.Digest)
	path = "/v1/changes/" + string(now.Run.Changes) + "/confirm"
	if status := askJSON(t, "POST", second.url+path, confirm, nil); status != http.StatusOK {
		t.Fatalf("confirmed: %d", status)
	}
	path = "/v1/workflows/" + run.ID
	if askJSON(t, "GET", first.url+path, "", &now); now.Run.Status != workflow.Completed {
		t.Errorf("after its changes are made the run is %s", now.Run.Status)
	}
}

// follow reads a turn's stream to its end.
func follow(t *testing.T, server string, id meet.TurnID) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/v1/turns/"+string(id)+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}
