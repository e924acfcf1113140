package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

// keptWorkflows are one saved workflow of "me", and runs.
type keptWorkflows struct {
	mu   sync.Mutex
	runs map[string]workflow.Record
}

func (s *keptWorkflows) Saved(_ context.Context, person meet.PersonID) ([]workflow.Workflow, error) {
	if person != "me" {
		return []workflow.Workflow{}, nil
	}
	return []workflow.Workflow{{ID: "w1", Name: "Friday clean-up", Words: "clear", Steps: []meet.RequestStep{}}}, nil
}

func (s *keptWorkflows) Runs(_ context.Context, person meet.PersonID, most int) (list []workflow.Run, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.Owner == person && len(list) < most {
			list = append(list, r.Run)
		}
	}
	return list, nil
}

func (s *keptWorkflows) Run(_ context.Context, id string) (workflow.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.runs[id]
	if !ok {
		return r, fault.New(fault.NotFound, "There is no run with this id.")
	}
	return r, nil
}

func (s *keptWorkflows) Cancel(_ context.Context, id string) (workflow.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.runs[id]
	err := r.Cancel(noon)
	s.runs[id] = r
	return r.Run, err
}

// shelved gives a server workflows: of the runs one waits, one proposes changes, one is over, and one is al's.
func shelved(c *Config) {
	run := func(id string, owner meet.PersonID, status workflow.Status) workflow.Record {
		r := workflow.Record{Owner: owner, Run: workflow.Run{
			ID: id, Status: status, Conversation: "c1", Turn: "t0", Steps: []meet.PlanStep{},
		}}
		if status == workflow.Waiting {
			r.Question = &meet.Choices{ID: "q_1", Question: "Which?", Options: []meet.Option{{ID: "1", Label: "A"}}}
		}
		return r
	}
	changing := run("proposed", "me", workflow.Proposed)
	changing.Changes = "ch_1"
	c.Workflows = &keptWorkflows{runs: map[string]workflow.Record{
		"waits": run("waits", "me", workflow.Waiting), "proposed": changing, "over": run("over", "me", workflow.Completed),
		"lapsed": run("lapsed", "me", workflow.Lapsed), "als": run("als", "al", workflow.Waiting),
	}}
	assisted(c)
}

func TestWorkflows(t *testing.T) {
	t.Parallel()
	f := newFixture(t, shelved)
	url := f.serve(t) + "/v1/workflows"
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "?organizer=me", "", 200, `"name":"Friday clean-up"`},
		{"GET", "?organizer=al", "", 200, `{"workflows":[],"runs":[{"id":"als"`},
		{"GET", "?organizer=me&limit=0", "", 422, `"field":"limit"`},
		{"GET", "/w1?organizer=me", "", 200, `{"workflow":{"id":"w1"`},
		{"GET", "/w1?organizer=al", "", 404, "no workflow and no run"},
		{"GET", "/waits", "", 200, `"question":{"id":"q_1"`},
		{"GET", "/nothing?organizer=me", "", 404, "no workflow and no run"},
		{"POST", "", `{"name":"friday cleanup","organizer":"me"}`, 202, `"eventsUrl"`},
		{"POST", "", `{"name":"Monday","organizer":"me"}`, 404, "GET /v1/workflows lists them"},
		{"POST", "", `{"organizer":"me"}`, 400, `"field":"name"`},
		{"POST", "", `{"name":"w1","organizer":"me","arguments":{"a":1}}`, 400, `"field":"arguments"`},
		{"POST", "", `{"name":"w1","organizer":"me","speed":1}`, 400, `"field":"speed"`},
		{"POST", "/waits/resume", `{}`, 400, `"field":"answer"`},
		{"POST", "/waits/resume", `{"answer":"a","choice":"1"}`, 400, `"field":"answer"`},
		{"POST", "/waits/resume", `{"choice":"9"}`, 400, `"field":"choice"`},
		{"POST", "/over/resume", `{"answer":"a"}`, 409, "it is completed"},
		{"POST", "/lapsed/resume", `{"answer":"a"}`, 409, "has lapsed"},
		{"POST", "/proposed/resume", `{"answer":"yes"}`, 409, "POST /v1/changes/ch_1/confirm"},
		{"POST", "/waits/resume", `{"choice":"1"}`, 202, `"turnId":"t2"`},
		{"POST", "/waits/resume", `{"choice":"1"}`, 202, `"turnId":"t2"`},
		{"POST", "/waits/resume", `{"answer":"the other"}`, 409, "another answer"},
		{"DELETE", "/over", "", 409, "nothing to call off"},
		{"DELETE", "/waits", "", 200, `"status":"cancelled"`},
		{"DELETE", "/proposed", "", 200, `"run"`},
		{"DELETE", "/nothing?organizer=me", "", 404, "no workflow and no run"},
	} {
		a := do(t, c.method, url+c.path, c.body)
		if a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, a.status, a.body, c.status, c.want)
		}
	}
	if len(f.turns.started) != 2 {
		t.Fatalf("%d turns began", len(f.turns.started))
	}
	if run := f.turns.started[0]; run.Workflow != "Friday clean-up" || run.Organizer.ID != "me" {
		t.Errorf("the turn of a workflow: %+v", run)
	}
	answer := meet.ChoiceAnswer{ID: "q_1", Option: "1", Run: "waits"}
	if resumed := f.turns.started[1]; *resumed.Answer != answer || resumed.Conversation != "c1" {
		t.Errorf("the turn of an answer: %+v", resumed)
	}
	if f.sets.set.Status != meet.ChangesCancelled {
		t.Errorf("the changes of a run that is called off are %s", f.sets.set.Status)
	}
}

// A hundred answers at once go on with a run once.
func TestOneOfManyAnswersCounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, shelved)
	url := f.serve(t) + "/v1/workflows/waits/resume"
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for i := range 100 {
		all.Go(func() {
			body := `{"choice":"1"}`
			if i%2 == 1 {
				body = `{"answer":"something else"}`
			}
			a := do(t, "POST", url, body)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	all.Wait()
	if len(f.turns.started) != 1 || statuses[http.StatusAccepted] != 50 || statuses[http.StatusConflict] != 50 {
		t.Errorf("%d turns, statuses %v; want one turn, 50 accepted, 50 too late", len(f.turns.started), statuses)
	}
}

// What is not the caller's is not found, and a key or a token of other families is refused.
func TestWhoseWorkflows(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, weak := h.ring.NewLimitedKey("acme", auth.Allowance{Families: []string{"schedule"}})
	token := h.token(t, bound())
	for _, c := range []struct {
		credential, method, path, body string
		status                         int
	}{
		{token, "GET", "/v1/workflows", "", 200}, {token, "GET", "/v1/workflows/waits", "", 200},
		{token, "GET", "/v1/workflows/als", "", 404}, {token, "POST", "/v1/workflows/als/resume", `{"choice":"1"}`, 404},
		{token, "DELETE", "/v1/workflows/als", "", 404}, {token, "POST", "/v1/workflows", `{"name":"w1"}`, 202},
		{token, "POST", "/v1/workflows/waits/resume", `{"choice":"1"}`, 202},
		{weak, "GET", "/v1/workflows?organizer=me", "", 403}, {weak, "GET", "/v1/workflows/waits", "", 403},
		{weak, "POST", "/v1/workflows", `{"name":"w1","organizer":"me"}`, 403},
		{weak, "POST", "/v1/workflows/waits/resume", `{"choice":"1"}`, 403},
	} {
		a := h.ask(t, c.method, c.path, c.body, "Authorization", "Bearer "+c.credential, "Origin", site)
		if a.status != c.status {
			t.Errorf("%s %s: %d %s, want %d", c.method, c.path, a.status, a.body, c.status)
		}
	}
}
