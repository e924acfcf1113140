package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// result is what a tool gives, as its structured content. The text beside it says the same to clients that read text
// only.
type result struct {
	Outcome        meet.OutcomeKind    `json:"outcome" jsonschema:"What came of the call: proposed, confirmed, cancelled, question (ask the user and call edit with the answer), alternatives, activities, navigate (a booking page to open), answered or failed."`
	Message        string              `json:"message" jsonschema:"For the user, in Markdown. Every time and place in it has been checked."`
	ConversationID meet.ConversationID `json:"conversationId,omitempty" jsonschema:"For edit."`
	ProposalID     meet.ProposalID     `json:"proposalId,omitempty" jsonschema:"For confirm and cancel. It names the proposal, also once it is booked."`
	Event          *event              `json:"event,omitempty" jsonschema:"The proposal, or the event that was booked or cancelled: its status says which. In unknown are people whose calendars could not be read, in doubts what the user's own words do not bear out."`
	Alternatives   *alternatives       `json:"alternatives,omitempty" jsonschema:"What can be had instead."`
	Activities     []meet.Suggestion   `json:"activities,omitempty" jsonschema:"Things to do."`
	URL            string              `json:"url,omitempty" jsonschema:"A booking page for the user to open."`
	Error          *problem            `json:"error,omitempty" jsonschema:"Why nothing came of the call."`

	turn    meet.TurnID
	failure error
}

// event is a meet.Event without its alternatives, which stand beside it with the numbers that confirm takes.
type event struct {
	meet.Event
	Alternatives *struct{} `json:"alternatives,omitempty"`
}

type alternatives struct {
	Slots   []slot        `json:"slots" jsonschema:"Other times, best first."`
	Places  []place       `json:"places" jsonschema:"Other places, best first."`
	Reasons []meet.Reason `json:"reasons,omitempty" jsonschema:"What would help where nothing suits."`
}

type slot struct {
	Number *int `json:"slot,omitempty" jsonschema:"What confirm takes as slot, beside start. Without it, say in edit which one is meant."`
	meet.Slot
}

type place struct {
	Number *int `json:"place,omitempty" jsonschema:"What confirm takes as place. Without it, say in edit which one is meant."`
	meet.Place
}

// problem is a fault as an agent reads it.
type problem struct {
	Code              fault.Code `json:"code" jsonschema:"What programs branch on. New codes may be added."`
	Field             string     `json:"field,omitempty" jsonschema:"The argument that is wrong, as participants[0].timezone."`
	Retryable         bool       `json:"retryable,omitempty" jsonschema:"The same call may go through later."`
	RetryAfterSeconds int        `json:"retryAfterSeconds,omitempty" jsonschema:"When to call again."`
}

// propose takes the event up with what it can be confirmed with.
func (r *result) propose(e meet.Event) {
	r.ProposalID, r.Event = e.ID, &event{Event: e}
	if e.Conversation != "" {
		r.ConversationID = e.Conversation
	}
	if e.Status == meet.Proposed {
		r.Alternatives = &alternatives{Slots: numbered(e.Alternatives.Slots), Places: numberedPlaces(e.Alternatives.Places)}
	}
}

// offer takes up times and places that are no part of a proposal known here, and so have no number.
func (r *result) offer(u meet.AlternativesUpdate) {
	r.Alternatives = &alternatives{Slots: []slot{}, Places: []place{}, Reasons: u.Reasons}
	for _, s := range u.Slots {
		r.Alternatives.Slots = append(r.Alternatives.Slots, slot{Slot: s})
	}
	for _, p := range u.Places {
		r.Alternatives.Places = append(r.Alternatives.Places, place{Place: p})
	}
}

// numbered are slots that confirm takes by their index.
func numbered(given []meet.Slot) []slot {
	list := []slot{}
	for i, s := range given {
		list = append(list, slot{&i, s})
	}
	return list
}

func numberedPlaces(given []meet.Place) []place {
	list := []place{}
	for i, p := range given {
		list = append(list, place{&i, p})
	}
	return list
}

// fail takes up why the turn failed.
func (r *result) fail(u meet.ErrorUpdate) {
	f := fault.New(fault.Code(u.Code), "%s", u.Message)
	f.Retryable, f.RetryAfter = u.Retryable, time.Duration(u.RetryAfterSeconds)*time.Second
	r.failure = f
}

// finish takes up how the turn ended. An error on the way of a turn that came to something was a lesser one.
func (r *result) finish(u meet.DoneUpdate) {
	r.Outcome = u.Outcome
	switch {
	case u.Outcome != meet.OutcomeFailed && u.Outcome != meet.OutcomeCancelled:
		r.failure = nil
	case r.failure == nil:
		r.failure = fault.New(fault.Cancelled, "This request was cancelled.")
	}
}

// failed is err in words that say what to do, with what is known all the same: r is how far the call came.
func failed(err error, r result) result {
	f := fault.As(err)
	r.Outcome, r.Message, r.Event, r.Alternatives = meet.OutcomeFailed, f.Message, nil, nil
	if f.Field != "" {
		r.Message = f.Field + ": " + f.Message
	}
	r.Error = &problem{f.Code, f.Field, f.Retryable, int(math.Ceil(f.RetryAfter.Seconds()))}
	if g, ok := errors.AsType[*booking.GoneError](err); ok {
		r.Alternatives = &alternatives{Slots: numbered(g.Slots), Places: []place{}}
	}
	return r
}

// content is the result as the protocol has it: the message, then what an agent needs to go on.
func (r result) content() (*sdk.CallToolResult, error) {
	structured, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	content := []sdk.Content{&sdk.TextContent{Text: r.Message}}
	if next := r.next(); next != "" {
		content = append(content, &sdk.TextContent{
			Text: next, Annotations: &sdk.Annotations{Audience: []sdk.Role{"assistant"}},
		})
	}
	return &sdk.CallToolResult{
		Content: content, StructuredContent: json.RawMessage(structured), IsError: r.Error != nil,
	}, nil
}

// next says to an agent what it can do now.
func (r result) next() string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch r.Outcome {
	case meet.OutcomeProposed:
		add("Nothing is booked yet. Once the user agrees, call confirm with this proposalId; for a change, call edit with " +
			"this conversationId.")
	case meet.OutcomeQuestion:
		add("Ask the user, and call edit with this conversationId and the answer.")
	case meet.OutcomeAlternatives:
		add("To take one of these, call edit with this conversationId and say which, as \"the second one\".")
	case meet.OutcomeNavigate:
		add("The user can book on this page: %s", r.URL)
	case meet.OutcomeFailed:
		lines = append(lines, r.remedy()...)
	default: // all is said
	}
	if r.ProposalID != "" {
		add("proposalId: %s", r.ProposalID)
	}
	if r.ConversationID != "" {
		add("conversationId: %s", r.ConversationID)
	}
	return strings.Join(append(lines, r.Alternatives.lines()...), "\n")
}

// remedy is what to do about a failure, where its message does not say so already.
func (r result) remedy() []string {
	switch {
	case r.Error.Code == fault.SlotGone && r.Alternatives != nil && len(r.Alternatives.Slots) > 0:
		return []string{
			"Nothing was booked. Offer the user the times below, and call confirm again with the slot and the start of the " +
				"one they choose.",
		}
	case r.Error.Code == fault.SlotGone:
		return []string{"Nothing was booked. Call propose or edit for another time."}
	case r.Error.Code == fault.NotFound:
		return []string{"Call propose for a new proposal."}
	case r.Error.RetryAfterSeconds > 0:
		return []string{fmt.Sprintf("Call again in %d seconds.", r.Error.RetryAfterSeconds)}
	case r.Error.Code == fault.InvalidRequest:
		return []string{"Correct this argument and call again."}
	}
	return nil
}

// lines are the alternatives, one each.
func (a *alternatives) lines() []string {
	if a == nil {
		return nil
	}
	var lines []string
	for i, s := range a.Slots {
		lines = append(lines, called("time", "slot", i, s.Number)+s.words())
	}
	for i, p := range a.Places {
		lines = append(lines, called("place", "place", i, p.Number)+oneLine(p.Name))
	}
	return lines
}

// called is how one of several is named: by the number that confirm takes, or by its place in the list.
func called(what, argument string, i int, number *int) string {
	if number != nil {
		return fmt.Sprintf("other %s, %s %d: ", what, argument, *number)
	}
	return fmt.Sprintf("other %s, number %d: ", what, i+1)
}

// oneLine keeps a name that somebody else chose from looking like a line of ours.
func oneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

// words are the start, as confirm takes it, and what there is against it.
func (s slot) words() string {
	words := s.Start.Format("Monday ") + s.Start.Format(time.RFC3339)
	for _, c := range s.Conflicts {
		words += "; " + c.Text
	}
	if len(s.Unknown) > 0 {
		words += "; not known to be free: " + strings.Join(s.Unknown, ", ")
	}
	return words
}
