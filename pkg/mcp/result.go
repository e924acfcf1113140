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

// result is a tool's structured content. The text content says the same to clients that read text only.
type result struct {
	Outcome        meet.OutcomeKind    `json:"outcome" jsonschema:"The result of the call: proposed, confirmed, cancelled, question or waiting (ask the user and call edit with the answer), changed, partly, alternatives, activities, navigate (a booking page to open), answered or failed."`
	Message        string              `json:"message" jsonschema:"For the user, in Markdown. Every time and place in it has been checked."`
	ConversationID meet.ConversationID `json:"conversationId,omitempty" jsonschema:"For edit."`
	ProposalID     meet.ProposalID     `json:"proposalId,omitempty" jsonschema:"For confirm and cancel. It identifies the proposal, also once it is booked."`
	Event          *event              `json:"event,omitempty" jsonschema:"The proposal, or the event that was booked or cancelled: its status says which. unknown has people whose calendars could not be read, doubts what the user's own words do not support."`
	Alternatives   *alternatives       `json:"alternatives,omitempty" jsonschema:"Other times and places."`
	Activities     []meet.Suggestion   `json:"activities,omitempty" jsonschema:"Things to do."`
	Results        []meet.Response     `json:"results,omitempty" jsonschema:"What the tools of the assistant gave."`
	Changes        *meet.ChangeSet     `json:"changes,omitempty" jsonschema:"What would change. While its status is pending, nothing is written: call system_confirmProposal with its id and digest once the user agrees."`
	Applied        *meet.Applied       `json:"applied,omitempty" jsonschema:"What came of changes."`
	Choices        *meet.Choices       `json:"choices,omitempty" jsonschema:"Answers to choose from: ask the user, and call edit with the label."`
	URL            string              `json:"url,omitempty" jsonschema:"A booking page for the user to open."`
	Error          *problem            `json:"error,omitempty" jsonschema:"Why the call failed."`

	turn    meet.TurnID
	failure error
	// given, if not nil, is the result of a tool of the assistant, in place of all others.
	given *meet.ToolResult
}

// event is a meet.Event without its alternatives, which the result has with the numbers that confirm takes.
type event struct {
	meet.Event
	Alternatives *struct{} `json:"alternatives,omitempty"`
}

type alternatives struct {
	Slots   []slot        `json:"slots" jsonschema:"Other times, best first."`
	Places  []place       `json:"places" jsonschema:"Other places, best first."`
	Reasons []meet.Reason `json:"reasons,omitempty" jsonschema:"What would help if nothing suits."`
}

type slot struct {
	Number *int `json:"slot,omitempty" jsonschema:"The slot argument of confirm, together with start. Without it, say in edit which one is meant."`
	meet.Slot
}

type place struct {
	Number *int `json:"place,omitempty" jsonschema:"The place argument of confirm. Without it, say in edit which one is meant."`
	meet.Place
}

// problem is a fault for an agent.
type problem struct {
	Code              fault.Code `json:"code" jsonschema:"For programs to branch on. New codes may be added."`
	Field             string     `json:"field,omitempty" jsonschema:"The argument that is wrong, as participants[0].timezone."`
	Retryable         bool       `json:"retryable,omitempty" jsonschema:"The same call may succeed later."`
	RetryAfterSeconds int        `json:"retryAfterSeconds,omitempty" jsonschema:"When to call again."`
}

// propose puts the event and its alternatives into the result.
func (r *result) propose(e meet.Event) {
	r.ProposalID, r.Event = e.ID, &event{Event: e}
	if e.Conversation != "" {
		r.ConversationID = e.Conversation
	}
	if e.Status == meet.Proposed {
		r.Alternatives = &alternatives{Slots: numbered(e.Alternatives.Slots), Places: numberedPlaces(e.Alternatives.Places)}
	}
}

// offer puts times and places into the result that belong to no proposal, and so have no number.
func (r *result) offer(u meet.AlternativesUpdate) {
	r.Alternatives = &alternatives{Slots: []slot{}, Places: []place{}, Reasons: u.Reasons}
	for _, s := range u.Slots {
		r.Alternatives.Slots = append(r.Alternatives.Slots, slot{Slot: s})
	}
	for _, p := range u.Places {
		r.Alternatives.Places = append(r.Alternatives.Places, place{Place: p})
	}
}

// numbered gives slots the numbers that confirm takes.
func numbered(given []meet.Slot) []slot {
	list := make([]slot, len(given))
	for i, s := range given {
		list[i] = slot{&i, s}
	}
	return list
}

func numberedPlaces(given []meet.Place) []place {
	list := make([]place, len(given))
	for i, p := range given {
		list[i] = place{&i, p}
	}
	return list
}

// fail keeps why the turn failed.
func (r *result) fail(u meet.ErrorUpdate) {
	f := fault.New(fault.Code(u.Code), "%s", u.Message)
	f.Retryable, f.RetryAfter = u.Retryable, time.Duration(u.RetryAfterSeconds)*time.Second
	r.failure = f
}

// finish keeps the turn's outcome. A turn with a good outcome has recovered from its errors.
func (r *result) finish(u meet.DoneUpdate) {
	r.Outcome = u.Outcome
	switch {
	case u.Outcome != meet.OutcomeFailed && u.Outcome != meet.OutcomeCancelled:
		r.failure = nil
	case r.failure == nil:
		r.failure = fault.New(fault.Cancelled, "This request was cancelled.")
	}
}

// failed turns r, the result so far, into one that reports err.
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

// content is the result in the protocol: the message, then what an agent needs to continue.
func (r result) content() (*sdk.CallToolResult, error) {
	if r.given != nil {
		return registeredContent(*r.given)
	}
	structured, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	content := []sdk.Content{&sdk.TextContent{Text: r.Message}}
	if next := r.next(); next != "" {
		content = append(content, forAgent(next))
	}
	return &sdk.CallToolResult{
		Content: content, StructuredContent: json.RawMessage(structured), IsError: r.Error != nil,
	}, nil
}

// forAgent is a text for the agent alone.
func forAgent(text string) sdk.Content {
	return &sdk.TextContent{Text: text, Annotations: &sdk.Annotations{Audience: []sdk.Role{"assistant"}}}
}

// next tells the agent what it can do now.
func (r result) next() string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch r.Outcome {
	case meet.OutcomeProposed:
		add("Nothing is booked yet. Once the user agrees, call confirm with this proposalId; for a change, call edit with " +
			"this conversationId.")
	case meet.OutcomeWaiting:
		if r.Choices != nil {
			add("Ask the user, and call edit with this conversationId and the answer.")
		}
	case meet.OutcomeQuestion:
		add("Ask the user, and call edit with this conversationId and the answer.")
	case meet.OutcomeAlternatives:
		add("To choose one of these, call edit with this conversationId and say which, as \"the second one\".")
	case meet.OutcomeNavigate:
		add("The user can book on this page: %s", r.URL)
	case meet.OutcomeFailed:
		lines = append(lines, r.remedy()...)
	default: // all is said
	}
	lines = append(lines, changeLines(r.Changes)...)
	if r.ProposalID != "" {
		add("proposalId: %s", r.ProposalID)
	}
	if r.ConversationID != "" {
		add("conversationId: %s", r.ConversationID)
	}
	return strings.Join(append(lines, r.Alternatives.lines()...), "\n")
}

// remedy is what to do about a failure, unless its message says so.
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

// lines returns one line per alternative.
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

// called names an alternative by the number that confirm takes, or by its place in the list.
func called(what, argument string, i int, number *int) string {
	if number != nil {
		return fmt.Sprintf("other %s, %s %d: ", what, argument, *number)
	}
	return fmt.Sprintf("other %s, number %d: ", what, i+1)
}

// oneLine keeps a name from another source from looking like a line of ours.
func oneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

// words returns the start, as confirm takes it, and its conflicts.
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
