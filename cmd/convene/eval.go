package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/interval"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/pkg/when"
	"convene/stages"
)

// evalCommand runs stages 1 to 3 over labelled sentences. Each line of a file is an item {id, utterance, context?,
// reference_time?, timezone?}; each line printed is a result {id, intent, template, …}, in the order of the items. An item
// without a time of its own is said now, and one without a zone in UTC.
type evalCommand struct {
	settings `embed:"" group:"shared"`

	Files   []string `arg:"" type:"existingfile" help:"Files of items, a JSON object a line: id, utterance, reference_time, timezone."`
	Workers int      `default:"4" help:"How many items are read at the same time."`
}

// evalItem is a sentence with its circumstances.
type evalItem struct {
	ID        string          `json:"id"`
	Utterance string          `json:"utterance"`
	Context   json.RawMessage `json:"context"`
	Reference time.Time       `json:"reference_time"`
	Timezone  string          `json:"timezone"`
	Lang      string          `json:"lang"`
	// Expression is the phrase of time in the utterance, of items that ask for nothing but what it means.
	Expression string `json:"expression"`
	// Problem is there where a time is asked for that suits everybody.
	Problem *evalProblem `json:"problem"`
}

// evalResult is what was understood.
type evalResult struct {
	ID       string        `json:"id"`
	Intent   string        `json:"intent"`
	Template *evalTemplate `json:"template,omitempty"`
	Time     *evalTime     `json:"time,omitempty"`
	Solution *evalSolution `json:"solution,omitempty"`
	Message  string        `json:"message,omitempty"`
	Error    string        `json:"error,omitempty"`
}

// evalTemplate is a template in the words of the evaluation sets.
type evalTemplate struct {
	Title        string               `json:"title,omitempty"`
	Duration     int                  `json:"duration_minutes,omitempty"`
	DateRanges   []interval.DateRange `json:"date_ranges,omitempty"`
	ExcludeDates []interval.Date      `json:"exclude_dates,omitempty"`
	// ExcludeWeekdays are days of the week, Monday as 1.
	ExcludeWeekdays []int             `json:"exclude_weekdays,omitempty"`
	AllDay          bool              `json:"all_day,omitempty"`
	TimeWindows     []interval.Window `json:"time_windows,omitempty"`
	ExactStart      string            `json:"exact_start,omitempty"`
	Attendees       []string          `json:"attendees,omitempty"`
	EventType       string            `json:"event_type,omitempty"`
	Activity        string            `json:"activity,omitempty"`
	PlaceQuery      string            `json:"place_query,omitempty"`
	Location        string            `json:"location,omitempty"`
	BookingLink     string            `json:"booking_link,omitempty"`
	Conditional     bool              `json:"conditional,omitempty"`
	Order           string            `json:"order,omitempty"`
}

// Run reads all items, understands them and prints the results.
func (c *evalCommand) Run(ctx context.Context, std streams) error {
	items, err := readItems(c.Files, c.clock()())
	if err != nil {
		return err
	}
	logger, err := c.logger(std.err)
	if err != nil {
		return err
	}
	model, err := c.model(logger) //nolint:contextcheck // a model connects to nothing before it is asked
	if err != nil {
		return err
	}
	evaluator, err := stages.NewEvaluator(model)
	if err != nil {
		return err
	}
	reader := evalReader{Evaluator: evaluator, rules: !c.OpenAI.configured()}
	results := reader.all(ctx, items, max(1, min(c.Workers, 8*runtime.NumCPU())))
	out := bufio.NewWriter(std.out)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range results {
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("print results: %w", err)
		}
	}
	return out.Flush()
}

// readItems reads what was said, and takes it to be said now where nothing else is given.
func readItems(files []string, now time.Time) ([]evalItem, error) {
	var items []evalItem
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, misuse{err}
		}
		decoder := json.NewDecoder(file)
		for n := 1; ; n++ {
			item := evalItem{Reference: now}
			err := decoder.Decode(&item)
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil && item.ID == "" {
				err = fmt.Errorf("no id")
			}
			if err != nil {
				file.Close()
				return nil, misuse{fmt.Errorf("%s: item %d: %w", name, n, err)}
			}
			items = append(items, item)
		}
		file.Close()
	}
	return items, nil
}

// evalReader reads items.
type evalReader struct {
	*stages.Evaluator
	// rules says that the built-in model reads, which can tell more than the stages ask of it.
	rules bool
}

// all reads the items, several at the same time.
func (e evalReader) all(ctx context.Context, items []evalItem, workers int) []evalResult {
	results := make([]evalResult, len(items))
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

func (e evalReader) understand(ctx context.Context, item evalItem) evalResult {
	result := evalResult{ID: item.ID}
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
	understood, draft, err := e.Read(ctx, turn, talk, item.Reference.In(zone))
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Intent, result.Message = fineIntent(understood, draft), understood.Acknowledgment
	said := when.Read(item.Utterance, item.Reference.In(zone))
	if draft != nil {
		result.Template = describe(*draft, zone)
		result.Template.said(said, *draft)
	} else if e.rules {
		result.beyond(item, talk, said, zone)
	}
	return result
}

// beyond says more finely what a message is for that the stages only talk about, and what it says about time and calls the
// thing, as for a reminder.
func (r *evalResult) beyond(item evalItem, talk meet.Conversation, said when.Reading, zone *time.Location) {
	if r.Intent != "other" {
		return
	}
	before := offline.Talk{HasEvent: talk.Search != nil}
	for _, e := range talk.History {
		before.Turns = append(before.Turns, offline.Exchange{User: e.User, Assistant: e.Assistant})
	}
	understood := offline.Understand(item.Utterance, before)
	r.Intent = string(understood.Intent)
	if said.Says() || understood.Title != "" {
		draft := draftOf(said)
		draft.Template.Title = understood.Title
		r.Template = describe(draft, zone)
		r.Template.said(said, meet.Draft{})
	}
}

// draftOf is the template of an event of which only the time is known.
func draftOf(said when.Reading) meet.Draft {
	t := meet.Template{Dates: said.Dates, ExcludedDates: said.ExcludedDates, Duration: int(said.Duration / time.Minute)}
	if said.AllDay && t.Duration == 0 {
		t.Duration = 24 * 60
	}
	if !said.Hours.Empty() {
		t.Hours = &meet.Hours{Week: said.Hours.Week}
	}
	return meet.Draft{Template: t}
}

// said completes a template with what the reader of times says and templates do not keep: which starts are about so,
// which days of the week must not be.
func (e *evalTemplate) said(r when.Reading, d meet.Draft) {
	for _, day := range r.ExcludedWeekdays {
		e.ExcludeWeekdays = append(e.ExcludeWeekdays, (int(day)+6)%7+1)
	}
	e.AllDay = r.AllDay
	window := firstWindow(r)
	if !r.About || window == nil || e.ExactStart != "" || d.Edit != nil && d.Edit.Conditional {
		return
	}
	e.ExactStart, e.TimeWindows = ((window.Start + window.End) / 2).String(), nil
	if len(e.DateRanges) == 1 && e.DateRanges[0].Start == e.DateRanges[0].End {
		e.ExactStart = e.DateRanges[0].Start.String() + "T" + e.ExactStart
	}
}

// replay reads the earlier turns of a conversation, so that there is a template to change.
func (e evalReader) replay(
	ctx context.Context, item evalItem, history []meet.Exchange, zone *time.Location,
) (search *meet.Search) {
	for i, before := range history {
		turn := meet.Turn{Message: before.User, Timezone: item.Timezone, ReceivedAt: item.Reference}
		talk := meet.Conversation{History: history[:i], Search: search}
		_, draft, err := e.Read(ctx, turn, talk, item.Reference.In(zone))
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

func describe(d meet.Draft, zone *time.Location) *evalTemplate {
	t := d.Template
	out := &evalTemplate{
		Title: t.Title, Duration: t.Duration, DateRanges: t.Dates, Attendees: t.Participants, BookingLink: bookingLink(d),
		Activity: string(t.Activity), PlaceQuery: placeWish(t), Location: t.PlaceName,
		EventType: map[meet.EventType]string{meet.InPerson: "in_person", meet.Video: "online", meet.Phone: "phone"}[t.EventType],
	}
	for _, r := range t.ExcludedDates {
		for day := r.Start; !r.End.Before(day); day = day.AddDays(1) {
			out.ExcludeDates = append(out.ExcludeDates, day)
		}
	}
	if d.Edit != nil {
		out.Conditional, out.Order = d.Edit.Conditional, string(d.Edit.Preference)
	}
	if day, at, ok := t.ExactStart(); ok {
		out.ExactStart = at.String()
		if start, exists := day.At(at, zone); exists && !day.IsZero() {
			out.ExactStart = start.Format(time.RFC3339)
		}
		return out
	}
	if t.Hours != nil {
		for _, windows := range t.Hours.Week {
			for _, w := range windows {
				if !slices.Contains(out.TimeWindows, w) {
					out.TimeWindows = append(out.TimeWindows, w)
				}
			}
		}
	}
	return out
}

// evalContext is what went before an edit, in the form of the adversarial set; the others give a list of turns.
type evalContext struct {
	User     string        `json:"user"`
	Template *evalTemplate `json:"template"`
	Offered  []struct {
		Start time.Time `json:"start"`
		End   time.Time `json:"end"`
	} `json:"offered"`
}

// placeWish is all that a template wishes of a place beside its kind and its name, in the one text of the evaluation sets.
func placeWish(t meet.Template) string {
	parts := []string{t.ActivitySearchQuery}
	for _, feature := range t.Wishes.Features {
		parts = append(parts, string(feature))
	}
	for _, said := range []struct{ before, name string }{
		{"in", t.Wishes.Where.Area}, {"near", t.Wishes.Where.Landmark}, {"near", t.Wishes.Where.Person},
	} {
		if said.name != "" {
			parts = append(parts, said.before, said.name)
		}
	}
	for _, name := range t.Wishes.Excluded {
		parts = append(parts, "not", name)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// earlier makes the conversation that the context describes.
func earlier(raw json.RawMessage, zone *time.Location) meet.Conversation {
	var talk meet.Conversation
	var turns []struct{ Role, Text string }
	if json.Unmarshal(raw, &turns) == nil {
		for _, t := range turns {
			if t.Role == "user" {
				talk.History = append(talk.History, meet.Exchange{User: t.Text})
			} else if n := len(talk.History); n > 0 {
				talk.History[n-1].Assistant = t.Text
			}
		}
		return talk
	}
	var before evalContext
	if json.Unmarshal(raw, &before) != nil || before.Template == nil {
		return talk
	}
	talk.History = []meet.Exchange{{User: before.User}}
	talk.Search = &meet.Search{Template: before.Template.template()}
	for _, o := range before.Offered {
		talk.Search.OfferedSlots = append(talk.Search.OfferedSlots, meet.Slot{Start: o.Start.In(zone), End: o.End.In(zone)})
	}
	if offers := talk.Search.OfferedSlots; len(offers) > 0 {
		talk.Search.Event = &meet.Event{Start: offers[0].Start, End: offers[0].End, Timezone: zone.String()}
	}
	return talk
}

// template is the way back from the words of the evaluation sets.
func (e evalTemplate) template() meet.Template {
	t := meet.Template{
		Title: e.Title, Duration: e.Duration, Dates: e.DateRanges, Participants: e.Attendees,
		Activity: meet.Activity(e.Activity), ActivitySearchQuery: e.PlaceQuery, PlaceName: e.Location,
		EventType: map[string]meet.EventType{"online": meet.Video, "phone": meet.Phone}[e.EventType],
	}
	if t.EventType == "" {
		t.EventType = meet.InPerson
	}
	if t.Activity == "" {
		t.Activity = meet.Meeting
	}
	windows := e.TimeWindows
	if start, err := time.Parse(time.RFC3339, e.ExactStart); err == nil {
		at := interval.ClockOf(start)
		windows = []interval.Window{{Start: at, End: at}}
	}
	if len(windows) > 0 {
		t.Hours = &meet.Hours{Week: interval.EveryDay(windows...)}
	}
	return t
}
