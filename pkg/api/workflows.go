package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

// Workflows are the requests that people keep under names, and their runs. Errors are faults.
type Workflows interface {
	// Saved are a person's, by name.
	Saved(ctx context.Context, person meet.PersonID) ([]workflow.Workflow, error)
	// Runs are a person's latest, at most so many, with what has become of their changes.
	Runs(ctx context.Context, person meet.PersonID, most int) ([]workflow.Run, error)
	Run(ctx context.Context, id string) (workflow.Record, error)
	// Cancel ends a run that waits for an answer.
	Cancel(ctx context.Context, id string) (workflow.Run, error)
}

// The families of tools that tell the same as these routes.
const (
	workflowFamily = "workflow"
	systemFamily   = "system"
)

type workflowsInput struct {
	Organizer string `query:"organizer" doc:"Whose they are: an id or an email address. Left out, as in POST /v1/turns."`
	Limit     int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many runs to list at most, the newest first."`
}

type workflowsOutput struct {
	Body struct {
		Workflows []workflow.Workflow `json:"workflows" doc:"Those that were saved, by name."`
		Runs      []workflow.Run      `json:"runs" doc:"The newest first."`
	}
}

type workflowInput struct {
	ID        string `path:"id" doc:"The id of a run, or of a saved workflow."`
	Organizer string `query:"organizer" doc:"Whose saved workflow it is: an id or an email address. Left out, as in POST /v1/turns."`
}

// workflowAnswer is a saved workflow or a run.
type workflowAnswer struct {
	Workflow *workflow.Workflow `json:"workflow,omitempty" doc:"The saved workflow of that id."`
	Run      *workflow.Run      `json:"run,omitempty" doc:"The run of that id."`
	Changes  *meet.ChangeSet    `json:"changes,omitempty" doc:"What the deletion of a saved workflow changes."`
	Applied  *meet.Applied      `json:"applied,omitempty" doc:"What came of it; POST /v1/changes/{id}/undo takes it back."`
}

type workflowOutput struct{ Body workflowAnswer }

// workflowRequest is the body of a start.
type workflowRequest struct {
	_    struct{} `additionalProperties:"false"`
	Name string   `json:"name" doc:"The saved workflow, by its name or id." example:"Friday clean-up"`
	ToolOptions
	Arguments      json.RawMessage `json:"arguments,omitempty" doc:"What a workflow takes besides; a saved one takes nothing."`
	ConversationID string          `json:"conversationId,omitempty" doc:"The conversation in which it runs. Left out, a new one begins."`
}

// resumeRequest is the body of an answer to a run's question: in words, or one of its options.
type resumeRequest struct {
	_      struct{} `additionalProperties:"false"`
	Answer string   `json:"answer,omitempty" maxLength:"8000" doc:"The answer in words."`
	Choice string   `json:"choice,omitempty" doc:"The id of one of the question's options."`
}

type resumeInput struct {
	ID string `path:"id" doc:"The run's id."`
	startInput
}

func (s *Server) workflowRoutes() {
	if s.cfg.Workflows == nil {
		return
	}
	const base = "/v1/workflows"
	starts := func(op *operation) *operation {
		return op.to(withToken).streams(asAccepted).
			answers(http.StatusOK, "The stream itself, if the request accepts text/event-stream.", eventStream()).
			answers(http.StatusAccepted, "The turn was started; its updates are streamed at eventsUrl.",
				jsonOf(reflectSchema[accepted](s)))
	}
	handle(s, s.operation("listWorkflows", http.MethodGet, base, "List saved workflows and runs").to(withToken),
		s.workflows)
	handle(s, starts(s.operation("startWorkflow", http.MethodPost, base, "Run a saved workflow").
		body(reflectSchema[workflowRequest](s))), s.startWorkflow)
	handle(s, s.operation("getWorkflow", http.MethodGet, base+"/{id}", "Read a run, or a saved workflow").to(withToken),
		s.workflow)
	handle(s, starts(s.operation("resumeWorkflow", http.MethodPost, base+"/{id}/resume", "Answer what a run waits for").
		body(reflectSchema[resumeRequest](s))), s.resumeWorkflow)
	handle(s, s.operation("deleteWorkflow", http.MethodDelete, base+"/{id}",
		"Call a run off, or delete a saved workflow").to(withToken), s.deleteWorkflow)
}

// organizerOf is the person whom a query names, or the one as whom the caller asks.
func (s *Server) organizerOf(ctx context.Context, named string) (meet.Person, error) {
	if err := MayUse(ctx, workflowFamily, systemFamily); err != nil {
		return meet.Person{}, err
	}
	var options ToolOptions
	if named != "" {
		options.Organizer.RawMessage = json.RawMessage(strconv.Quote(named))
	}
	t, err := s.toolTurn(ctx, options)
	return t.Organizer, err
}

func (s *Server) workflows(ctx context.Context, in *workflowsInput) (*workflowsOutput, error) {
	person, err := s.organizerOf(ctx, in.Organizer)
	if err != nil {
		return nil, err
	}
	out := &workflowsOutput{}
	if out.Body.Workflows, err = s.cfg.Workflows.Saved(ctx, person.ID); err != nil {
		return nil, err
	}
	runs, err := s.cfg.Workflows.Runs(ctx, person.ID, in.Limit)
	out.Body.Runs = append([]workflow.Run{}, runs...)
	return out, err
}

func (s *Server) workflow(ctx context.Context, in *workflowInput) (*workflowOutput, error) {
	run, err := s.ownRun(ctx, in.ID)
	if err == nil {
		return &workflowOutput{workflowAnswer{Run: &run.Run}}, nil
	}
	if fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	_, saved, err := s.saved(ctx, in)
	return &workflowOutput{workflowAnswer{Workflow: &saved}}, err
}

// ownRun is a run of a person as whom the caller may ask. Any other is not found.
func (s *Server) ownRun(ctx context.Context, segment string) (workflow.Record, error) {
	if err := MayUse(ctx, workflowFamily, systemFamily); err != nil {
		return workflow.Record{}, err
	}
	id, err := idOf[string](segment, noWorkflow())
	if err != nil {
		return workflow.Record{}, err
	}
	run, err := s.cfg.Workflows.Run(ctx, id)
	if fault.CodeOf(err) == fault.NotFound || err == nil && !auth.CallerOf(ctx).MayOrganize(run.Owner) {
		return workflow.Record{}, noWorkflow()
	}
	return run, err
}

// saved is the saved workflow that a path names.
func (s *Server) saved(ctx context.Context, in *workflowInput) (who meet.Person, found workflow.Workflow, err error) {
	id, err := idOf[string](in.ID, noWorkflow())
	if err != nil {
		return who, found, err
	}
	if who, err = s.organizerOf(ctx, in.Organizer); err != nil {
		return who, found, err
	}
	all, err := s.cfg.Workflows.Saved(ctx, who.ID)
	if err != nil {
		return who, found, err
	}
	i := slices.IndexFunc(all, func(w workflow.Workflow) bool { return w.ID == id })
	if i < 0 {
		return who, found, noWorkflow()
	}
	return who, all[i], nil
}

func noWorkflow() error {
	return fault.New(fault.NotFound, "There is no workflow and no run with this id.")
}

func (s *Server) startWorkflow(ctx context.Context, in *startInput) (*huma.StreamResponse, error) {
	return s.answerStart(ctx, in, func() (meet.Turn, error) {
		t, err := s.workflowTurn(ctx)
		if err != nil {
			return t, err
		}
		return s.sealed(ctx, t, noteOf(ctx).body, in.IdempotencyKey)
	})
}

// workflowTurn is the turn that the body of a start asks for.
func (s *Server) workflowTurn(ctx context.Context) (t meet.Turn, err error) {
	if err := MayUse(ctx, workflowFamily); err != nil {
		return t, err
	}
	request, err := bodyOf[workflowRequest](ctx)
	if err != nil {
		return t, err
	}
	name := meet.Caption(request.Name)
	var arguments map[string]json.RawMessage
	switch {
	case name == "":
		return t, fault.Invalid("name", "is missing: the saved workflow's name or id")
	case len(request.Arguments) > 0 && json.Unmarshal(request.Arguments, &arguments) != nil, len(arguments) > 0:
		return t, fault.Invalid("arguments", "must be empty: a saved workflow takes none")
	case request.ConversationID != "" && !meet.IsID(request.ConversationID):
		return t, fault.Invalid("conversationId", "is not the id of a conversation")
	}
	if t, err = s.toolTurn(ctx, request.ToolOptions); err != nil {
		return t, err
	}
	all, err := s.cfg.Workflows.Saved(ctx, t.Organizer.ID)
	if err != nil {
		return t, err
	}
	switch named := workflow.Named(name, all); len(named) {
	case 0:
		return t, fault.New(fault.NotFound, "There is no saved workflow with this name; GET /v1/workflows lists them.")
	case 1:
		name = named[0].Name
	}
	t.Message, t.Workflow, t.Conversation = name, name, meet.ConversationID(request.ConversationID)
	return t, converse(ctx, &t)
}

// resumeWorkflow answers the question of a run. All requests with the same answer get the same turn; one with another
// answer comes too late.
func (s *Server) resumeWorkflow(ctx context.Context, in *resumeInput) (*huma.StreamResponse, error) {
	return s.answerStart(ctx, &in.startInput, func() (t meet.Turn, err error) {
		request, err := bodyOf[resumeRequest](ctx)
		if err != nil {
			return t, err
		}
		run, err := s.ownRun(ctx, in.ID)
		if err != nil {
			return t, err
		}
		answer, err := request.to(run)
		if err != nil {
			return t, err
		}
		owner, err := s.ownerOf(ctx, string(run.Owner))
		if err != nil {
			return t, err
		}
		if t, err = s.toolTurn(ctx, ToolOptions{}.of(owner.ID)); err != nil {
			return t, err
		}
		t.Answer = answer
		if auth.CallerOf(ctx).MayFollow(run.Conversation) {
			t.Conversation = run.Conversation
		}
		if err := converse(ctx, &t); err != nil {
			return t, err
		}
		// A run that waits again, because its turn failed, can be answered again.
		t.IdempotencyKey = resumes + answer.ID + " " + strconv.Itoa(run.Tries)
		t.RequestDigest, err = digest(noteOf(ctx).body)
		return t, err
	})
}

// resumes begins the idempotency keys of answers to runs. A space is in no client's key.
const resumes = "resume "

// of are the options of a call for a stored person.
func (o ToolOptions) of(person meet.PersonID) ToolOptions {
	o.Organizer.RawMessage = json.RawMessage(strconv.Quote(string(person)))
	return o
}

// to is the answer to what a run waits for. A run that is over is a fault.Conflict.
func (r resumeRequest) to(run workflow.Record) (*meet.ChoiceAnswer, error) {
	r.Answer = strings.TrimSpace(r.Answer)
	switch {
	case (r.Answer == "") == (r.Choice == ""):
		return nil, fault.Invalid("answer", "is missing: give either answer, in words, or choice")
	case run.Status == workflow.Proposed:
		return nil, fault.New(fault.Conflict, "The changes of this run wait for a confirmation: POST /v1/changes/%s/confirm",
			run.Changes)
	case run.Status == workflow.Lapsed:
		return nil, fault.New(fault.Conflict, "This run has waited for too long and has lapsed; start it anew.")
	case run.Question == nil:
		return nil, fault.New(fault.Conflict, "This run waits for no answer: it is %s.", run.Status)
	}
	isIt := func(o meet.Option) bool { return o.ID == r.Choice }
	if r.Choice != "" && !slices.ContainsFunc(run.Question.Options, isIt) {
		return nil, fault.Invalid("choice", "is none of the options of the question")
	}
	return &meet.ChoiceAnswer{ID: run.Question.ID, Option: r.Choice, Text: r.Answer, Run: run.ID}, nil
}

// deleteWorkflow calls a run off that runs or waits, or deletes a saved workflow.
func (s *Server) deleteWorkflow(ctx context.Context, in *workflowInput) (*workflowOutput, error) {
	run, err := s.ownRun(ctx, in.ID)
	if fault.CodeOf(err) == fault.NotFound {
		return s.deleteSaved(ctx, in)
	}
	if err != nil {
		return nil, err
	}
	switch run.Status {
	case workflow.Running:
		err = s.cfg.Turns.Cancel(ctx, run.Turn)
	case workflow.Proposed:
		_, err = s.cfg.Changes.Cancel(ctx, run.Changes, "")
	default:
		_, err = s.cfg.Workflows.Cancel(ctx, run.ID)
	}
	if err != nil {
		return nil, err
	}
	run, err = s.cfg.Workflows.Run(ctx, run.ID)
	return &workflowOutput{workflowAnswer{Run: &run.Run}}, err
}

func (s *Server) deleteSaved(ctx context.Context, in *workflowInput) (*workflowOutput, error) {
	who, found, err := s.saved(ctx, in)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{"organizer": who.ID, "arguments": map[string]string{"workflow": found.ID}})
	if err != nil {
		return nil, err
	}
	result, err := s.CallTool(ctx, "workflow_delete", body, CallOptions{})
	return &workflowOutput{workflowAnswer{Workflow: &found, Changes: result.Changes, Applied: result.Applied}}, err
}
