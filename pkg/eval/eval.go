// Package eval runs the understanding stages over labelled sentences, in the words of the public evaluation sets: what
// a message is for, the event that it describes, the meaning of a phrase of time, a time that suits everyone.
package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

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
	// Expression is the phrase of time in the utterance, of items that ask for nothing but what it means.
	Expression string `json:"expression"`
	// Problem is there where a time is asked for that suits everybody.
	Problem *Problem `json:"problem"`
}

// Result is what was understood.
type Result struct {
	ID       string    `json:"id"`
	Intent   string    `json:"intent"`
	Template *Template `json:"template,omitempty"`
	Time     *Time     `json:"time,omitempty"`
	Solution *Solution `json:"solution,omitempty"`
	Message  string    `json:"message,omitempty"`
	Error    string    `json:"error,omitempty"`
}

// Reader says what a message means after a conversation, at a time that carries the zone. The draft is nil if the
// message is not about an event.
type Reader interface {
	Read(
		ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
	) (meet.Understanding, *meet.Draft, error)
}

// Evaluator reads items.
type Evaluator struct {
	Reader Reader
	// Beyond, if set, says more finely what a message is for that the stages only talk about, and what it calls the thing.
	Beyond func(message string, talk meet.Conversation) (intent, title string)
}

// Decode reads items, one JSON object after another. An item without a time of its own is said now.
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

// All reads the items, as many at the same time as there are workers. The results are in the order of the items.
func (e Evaluator) All(ctx context.Context, items []Item, workers int) []Result {
	results := make([]Result, len(items))
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				results[i] = e.understand(ctx, items[i])
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	wg.Wait()
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
	turn := meet.Turn{Message: item.Utterance, Timezone: item.Timezone, ReceivedAt: item.Reference}
	understood, draft, err := e.Reader.Read(ctx, turn, talk, item.Reference.In(zone))
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Intent, result.Message = fineIntent(understood, draft), understood.Acknowledgment
	said := when.Read(item.Utterance, item.Reference.In(zone))
	if draft != nil {
		result.Template = describe(*draft, zone)
		result.Template.said(said, *draft)
	} else {
		e.beyond(&result, item, talk, said, zone)
	}
	return result
}

// beyond adds what Beyond knows of a message that the stages only talk about, and its time, as of a reminder.
func (e Evaluator) beyond(
	r *Result, item Item, talk meet.Conversation, said when.Reading, zone *time.Location,
) {
	if e.Beyond == nil || r.Intent != "other" {
		return
	}
	var title string
	r.Intent, title = e.Beyond(item.Utterance, talk)
	if said.Says() || title != "" {
		draft := draftOf(said)
		draft.Template.Title = title
		r.Template = describe(draft, zone)
		r.Template.said(said, meet.Draft{})
	}
}

// replay reads the earlier turns of a conversation, so that there is a template to change.
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

// fineIntent is the intent in the words of the evaluation sets.
func fineIntent(u meet.Understanding, draft *meet.Draft) string {
	switch {
	case u.Intent == meet.SuggestActivities:
		return "suggest"
	case u.Intent == meet.Converse:
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

// bookingLink is the page to open instead of scheduling, if that is how the draft ends.
func bookingLink(d meet.Draft) string {
	page, _ := d.Ending.(meet.Navigate)
	return string(page)
}
