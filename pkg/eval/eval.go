// Package eval runs the understanding stages over labelled sentences, in the terms of the public evaluation sets: the
// intent of a message, the event that it describes, the meaning of a time phrase, a time that suits everyone.
package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"convene/pkg/meet"
	"convene/pkg/when"
)

// Item is a sentence with its circumstances.
type Item struct {
	ID        string          `json:"id"`
	Utterance string          `json:"utterance"`
	Context   json.RawMessage `json:"context"`
	Reference time.Time       `json:"reference_time"`
	Timezone  string          `json:"timezone"`
	Lang      string          `json:"lang"`
	// Expression is the time phrase in the utterance, for items that ask only for its meaning.
	Expression string `json:"expression"`
	// Problem is set if the item asks for a time that suits everyone.
	Problem *Problem `json:"problem"`
	// Expect is what is right, of items that say so.
	Expect Expected `json:"expect"`
}

// Expected is what is right, as far as a summary can tell: one of the intents, or one of the routes.
type Expected struct {
	Intents []string `json:"intent_any"`
	Routes  []string `json:"route_any"`
}

// Finer is what a reader of words knows beyond the stages.
type Finer struct {
	// Intent is a finer intent, and Confidence the probability that it is right.
	Intent     string
	Confidence float64
	// Title is what a reminder is about.
	Title string
	// Route is event, tool, workflow or converse; Family is that of the tools.
	Route, Family string
}

// Result is the reading of an item.
type Result struct {
	ID       string    `json:"id"`
	Intent   string    `json:"intent,omitempty"`
	Template *Template `json:"template,omitempty"`
	Time     *Time     `json:"time,omitempty"`
	Solution *Solution `json:"solution,omitempty"`
	Message  string    `json:"message,omitempty"`
	Error    string    `json:"error,omitempty"`
	// Confidence is the probability that the intent, or the route, is right; 0 if the reader gives none.
	Confidence float64 `json:"confidence,omitempty"`
	// Asks says that the reading ends with a question to the user.
	Asks bool `json:"asks,omitempty"`
	// Route and Family are of items that expect a route; RequiresPlan says that several steps are needed.
	Route        string `json:"route,omitempty"`
	Family       string `json:"family,omitempty"`
	RequiresPlan *bool  `json:"requiresPlan,omitempty"`
}

// Reader returns what a message means after a conversation, at a time that carries the zone. The draft is nil if the
// message is not about an event.
type Reader interface {
	Read(
		ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
	) (meet.Understanding, *meet.Draft, error)
}

// Evaluator reads items.
type Evaluator struct {
	Reader Reader
	// Beyond, if set, reads a message more finely; its intent and title count if the stages take the message for small
	// talk.
	Beyond func(message string, talk meet.Conversation) Finer
}

// Decode reads items, one JSON object after another. The default of an item's reference time is now.
func Decode(r io.Reader, now time.Time) ([]Item, error) {
	var items []Item
	decoder := json.NewDecoder(r)
	for n := 1; ; n++ {
		item := Item{Reference: now}
		err := decoder.Decode(&item)
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err == nil && item.ID == "" {
			err = errors.New("no id")
		}
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", n, err)
		}
		items = append(items, item)
	}
}

// All reads the items with so many workers. The results are in the order of the items.
func (e Evaluator) All(ctx context.Context, items []Item, workers int) []Result {
	results := make([]Result, len(items))
	var group errgroup.Group
	group.SetLimit(workers)
	for i, item := range items {
		group.Go(func() error {
			results[i] = e.understand(ctx, item)
			return nil
		})
	}
	_ = group.Wait() // no reading returns an error: it is in the result
	return results
}

func (e Evaluator) understand(ctx context.Context, item Item) Result {
	result := Result{ID: item.ID}
	if item.Expression != "" {
		result.Time = timeOf(item)
		return result
	}
	zone, err := time.LoadLocation(item.Timezone)
	if err != nil {
		result.Error = fmt.Sprintf("timezone %q is not an IANA zone", item.Timezone)
		return result
	}
	if item.Problem != nil {
		result.Solution = item.Problem.solve(zone, item.Reference)
		return result
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	talk := earlier(item.Context, zone)
	if talk.Search == nil {
		talk.Search = e.replay(ctx, item, talk.History, zone)
	}
	var finer Finer
	if e.Beyond != nil {
		finer = e.Beyond(item.Utterance, talk)
		result.Confidence = finer.Confidence
	}
	if len(item.Expect.Routes) > 0 && finer.Route != "" {
		plan := finer.Route == "workflow"
		result.Route, result.Family, result.RequiresPlan = finer.Route, finer.Family, &plan
		return result
	}
	turn := meet.Turn{Message: item.Utterance, Timezone: item.Timezone, ReceivedAt: item.Reference}
	understood, draft, err := e.Reader.Read(ctx, turn, talk, item.Reference.In(zone))
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Intent, result.Message = fineIntent(understood, draft), understood.Acknowledgment
	said := when.Read(item.Utterance, item.Reference.In(zone))
	if draft != nil {
		_, result.Asks = draft.Ending.(*meet.Question)
		result.Template = describe(*draft, zone)
		result.Template.said(said, *draft)
	} else {
		result.beyond(finer, said, zone)
	}
	ofMail := slices.Contains(understood.Families, "email") // a query asks a calendar
	if understood.Intent == meet.Look && result.Intent == "other" && !ofMail {
		result.Intent = "query"
	}
	return result
}

// beyond adds what a finer reading knows of a message that the stages take for small talk, or for one about the user's
// own day, and its time, of a reminder, say.
func (r *Result) beyond(finer Finer, said when.Reading, zone *time.Location) {
	if finer.Intent == "" || r.Intent != "other" {
		return
	}
	r.Intent = finer.Intent
	if said.Says() || finer.Title != "" {
		draft := draftOf(said)
		draft.Template.Title = finer.Title
		r.Template = describe(draft, zone)
		r.Template.said(said, meet.Draft{})
	}
}

// replay reads the earlier turns of a conversation to get a template that can be changed.
func (e Evaluator) replay(
	ctx context.Context, item Item, history []meet.Exchange, zone *time.Location,
) (search *meet.Search) {
	for i, before := range history {
		turn := meet.Turn{Message: before.User, Timezone: item.Timezone, ReceivedAt: item.Reference}
		talk := meet.Conversation{History: history[:i], Search: search}
		_, draft, err := e.Reader.Read(ctx, turn, talk, item.Reference.In(zone))
		if err != nil || draft == nil || bookingLink(*draft) != "" {
			continue
		}
		search = &meet.Search{Template: draft.Template, People: draft.People}
		if day, at, ok := draft.Template.ExactStart(); ok && !day.IsZero() {
			start, _ := day.At(at, zone)
			search.Event = &meet.Event{Start: start, End: start.Add(draft.Template.Length()), Timezone: zone.String()}
		}
	}
	return search
}

// fineIntent is the intent in the terms of the evaluation sets.
func fineIntent(u meet.Understanding, draft *meet.Draft) string {
	switch {
	case u.Intent == meet.SuggestActivities:
		return "suggest"
	case u.Intent == meet.Converse, u.Intent == meet.Act, u.Intent == meet.Look:
		return "other"
	case draft == nil:
		return string(u.Intent)
	case bookingLink(*draft) != "":
		return "booking_link"
	case draft.Mode == meet.ModeEdit:
		return "edit"
	default:
		return "create"
	}
}

// bookingLink is the page that the draft ends with, or empty.
func bookingLink(d meet.Draft) string {
	page, _ := d.Ending.(meet.Navigate)
	return string(page)
}
