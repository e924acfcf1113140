package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

// Tool is a tool of the assistant. It is one file with its arguments and handler, one .md with its words, and one line
// in the set of its family.
type Tool struct {
	tool.Tool[*World, Result]
	Trait
}

// Trait says what kind of tool it is.
type Trait struct {
	Family string
	// Effect is Reads or Changes.
	Effect Effect
	// Needs is what must be connected; empty if nothing.
	Needs string
	// Gives is the type of what the tool gives, for references between steps.
	Gives Type
	// Operation and Resource stand in the response's metadata.
	Operation meet.Operation
	Resource  meet.ResourceType
	// Data is the schema of the response's data.
	Data json.RawMessage
	// Bare tools are for programs and for people: no model is offered one, because it confirms, or decides about what
	// waits.
	Bare bool
}

// Effect is what calling a tool does.
type Effect string

// The effects. A tool that changes returns changes and writes nothing.
const (
	Reads   Effect = "read"
	Changes Effect = "change"
)

// Type is the type of what a tool gives.
type Type string

// The types.
const (
	Events      Type = "events"
	Blocks      Type = "blocks"
	Gaps        Type = "gaps"
	People      Type = "people"
	TimesOfEach Type = "times"
	Text        Type = "text"
	Number      Type = "number"
	ChangeList  Type = "changes"
	Settings    Type = "preferences"
	Tasks       Type = "tasks"
	Mails       Type = "mails"
	Lists       Type = "lists"
	Notes       Type = "notes"
	Workflows   Type = "workflows"
)

// Result is what a tool gives.
type Result struct {
	Response meet.Response
	// Changes are what a tool that changes would do, in order.
	Changes []meet.Change
	// Choices are set if the tool must ask which thing is meant; then there are no changes. A tool that only asks has them
	// too, without an error.
	Choices *meet.Choices
	// Argument is where the arguments have words that fit several things ("people[0]"); empty if the choices are of the
	// selection.
	Argument string
	// Replaces is the pending set that the changes stand for from now on; empty if there is none.
	Replaces meet.ChangesID
	// Next is what the turn goes on with; nil if it ends here.
	Next *Next
	// Offer is the call that a yes to the answer makes; nil if it offers nothing.
	Offer *meet.PlannedCall
	// Unsure says that other things may be meant, in a calendar that could not be read: the owner must be asked.
	Unsure bool
}

// Next is a saved workflow whose words are to be read now, or a run whose question is to be asked again. A turn follows
// it; a program that calls a tool gets the answer alone.
type Next struct {
	Workflow *workflow.Workflow `json:"workflow,omitempty"`
	Run      *workflow.Run      `json:"run,omitempty"`
}

// Answer is a handler's result: its data, and how to show it. Title is the heading of the display; texts are in the
// world's language.
type Answer[Data any] struct {
	Data        Data
	Display     meet.DisplayType
	Title       string
	Description string
	Components  []meet.Component
	Suggestions []string
	Changes     []meet.Change
	// Choices are a question to the owner. Confirm is the pending set that waits for its confirmation, Replaces the one
	// that the changes stand for.
	Choices           *meet.Choices
	Confirm, Replaces meet.ChangesID
	// Next is what the turn goes on with, Offer the call that a yes to the answer makes.
	Next  *Next
	Offer *meet.PlannedCall
}

// Define makes a tool from its words, its trait and its handler. A handler's *tool.ArgumentError is the caller's
// mistake; a fault becomes the response's error; an *AmbiguousError becomes choices.
func Define[In, Data any](
	name, words string, is Trait, handle func(ctx context.Context, w *World, in In) (Answer[Data], error),
	enums ...tool.Enum,
) Tool {
	schema, err := tool.SchemaOf[Data]()
	if err != nil {
		panic(fmt.Sprintf("tool %s: data: %v", name, err))
	}
	is.Data = schema
	run := func(ctx context.Context, w *World, in In) (Result, error) {
		began := time.Now()
		answer, err := handle(ctx, w, in)
		result := Result{Response: meet.Response{
			Metadata: meet.ResponseMetadata{
				ToolName: name, Operation: is.Operation, ResourceType: is.Resource, Timestamp: w.Now,
			},
			Data: json.RawMessage("null"),
			Display: meet.Display{
				Type: answer.Display, Title: answer.Title, Description: answer.Description, Priority: meet.Medium,
				Components: listed(answer.Components),
			},
			UI: meet.ResponseUI{Suggestions: listed(answer.Suggestions), Actions: []meet.Action{}},
		}}
		result.Response.Metadata.ExecutionTime = float64(time.Since(began).Microseconds()) / 1000
		if err != nil {
			return explained(result, err)
		}
		if result.Response.Data, err = meet.MarshalLine(answer.Data); err != nil {
			return result, fmt.Errorf("tool %s: data: %w", name, err)
		}
		result.Changes, result.Choices, result.Replaces = answer.Changes, answer.Choices, answer.Replaces
		result.Unsure, result.Next = w.unsure, answer.Next
		result.Offer = answer.Offer
		result.Response.UI.ConfirmationRequired = answer.Confirm != ""
		result.Response.UI.ConfirmationID = answer.Confirm
		return result, nil
	}
	return Tool{tool.Define(name, words, run, enums...), is}
}

// AmbiguousError says that one thing was meant, and several fit.
type AmbiguousError struct {
	// Question is in the world's language.
	Question string
	Options  []meet.Option
	// Argument is where the arguments have words that fit several things; empty if the options are of the selection.
	Argument string
}

func (e *AmbiguousError) Error() string { return e.Question }

// refused is the result of a handler that could not do it.
func refused(result Result, err error) (Result, error) {
	if _, wrong := errors.AsType[*tool.ArgumentError](err); wrong {
		return result, err
	}
	if ambiguous, ok := errors.AsType[*AmbiguousError](err); ok {
		result.Choices = &meet.Choices{Question: ambiguous.Question, Options: ambiguous.Options, Free: true}
		result.Argument = ambiguous.Argument
		result.Response.Error = &meet.ResponseError{
			Code: "ambiguous", Message: ambiguous.Question, Recoverable: true, SuggestedActions: []string{},
		}
		for _, o := range ambiguous.Options {
			result.Response.Error.SuggestedActions = append(result.Response.Error.SuggestedActions, o.Label)
		}
		return result, nil
	}
	refusal, _ := errors.AsType[*Refusal](err)
	f, told := errors.AsType[*fault.Error](err)
	if !told {
		return result, err
	}
	result.Response.Error = &meet.ResponseError{
		Code: string(f.Code), Message: f.Message, Recoverable: f.Retryable, SuggestedActions: []string{},
	}
	if refusal != nil && len(refusal.Actions) > 0 {
		result.Response.Error.Recoverable, result.Response.Error.SuggestedActions = true, refusal.Actions
	}
	return result, nil
}

// Refusal is a fault with messages that the user may send instead.
type Refusal struct {
	Fault   *fault.Error
	Actions []string
}

func (e *Refusal) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *Refusal) Unwrap() error { return e.Fault }

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Amend is an amendment of the owner's calendar as a change, made on the working copy, so that later steps see it. Its
// key is set.
func (w *World) Amend(a agenda.Amendment) (meet.Change, error) {
	a.Key = w.nextKey()
	if a.Kind == agenda.Create && a.Event.UID == "" {
		a.Event.UID = a.Key
	}
	w.Agenda.Make(editOf(a))
	c, err := a.Change(w.Zone())
	if a.Kind == agenda.Delete && len(w.assigned(a.Event)) > 0 {
		c.Class = meet.R2 // its tasks would lose their time
	}
	return c, err
}

// Prefer is a change of one of the owner's preferences, under a caption, made on the working copy, so that later steps
// see it. A nil value takes the preference back.
func (w *World) Prefer(name string, value []byte, title string) (meet.Change, error) {
	deed := record.Deed{Key: w.nextKey(), ID: name, From: w.Preferences[name], To: value}
	w.prefer(deed)
	return preference.Kind.Change(deed, title)
}

// Keep is a change of what the owner keeps here, under a caption, made on the working copy, so that later steps see it.
// A nil value deletes it.
func (w *World) Keep(
	ctx context.Context, what meet.ChangeWhat, id string, value []byte, title string,
) (meet.Change, error) {
	return w.Own[what].Make(ctx, w.nextKey(), id, value, title)
}

// nextKey names the next change of the turn or call.
func (w *World) nextKey() string {
	w.changes++
	return fmt.Sprintf("%s-%d", w.Key, w.changes)
}
