package offline

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"convene/pkg/llm"
)

// dayTools are three of the assistant's, with the part of their schemas that follow-ups change.
var dayTools = []llm.Tool{
	{Name: moveEvents, Parameters: json.RawMessage(`{"type":"object","properties":{
		"selection":{"type":"object","properties":{"titleHas":{"type":"array","items":{"type":"string"}},
			"from":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}},
		"to":{"type":"object","properties":{"date":{"anyOf":[{"type":"string"},{"type":"null"}]},
			"time":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}}`)},
	{Name: "calendar_deleteEvents", Parameters: json.RawMessage(`{"type":"object","properties":{
		"selection":{"type":"object","properties":{"titleHas":{"type":"array","items":{"type":"string"}},
			"from":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}}}`)},
	{Name: "schedule_viewSchedule", Parameters: json.RawMessage(`{"type":"object","properties":{
		"date":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)},
	{Name: "calendar_checkAvailability", Parameters: json.RawMessage(`{"type":"object","properties":{
		"start":{"anyOf":[{"type":"string"},{"type":"null"}]},"end":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)},
	{Name: createBlock, Parameters: json.RawMessage(`{"type":"object","properties":{
		"title":{"type":"string"},"date":{"anyOf":[{"type":"string"},{"type":"null"}]},
		"startTime":{"anyOf":[{"type":"string"},{"type":"null"}]},"endTime":{"anyOf":[{"type":"string"},{"type":"null"}]},
		"durationMinutes":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`)},
	{Name: clarify, Parameters: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"}}}`)},
}

// A message may change the call before, or point at what was shown or arranged.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	m := New(Options{Now: func() time.Time { return wednesday }})
	asked := []exchange{{User: "what's on tomorrow?", Assistant: "(events)"}}
	moved := `{"tool":"calendar_moveEvents",` +
		`"arguments":{"selection":{"titleHas":["gym"]},"to":{"date":null,"time":"15:00"}}}`
	viewed := `{"tool":"schedule_viewSchedule","arguments":{"date":"2026-03-05"}}`
	free := `{"tool":"calendar_checkAvailability","arguments":{"start":"2026-03-05T15:00","end":"2026-03-05T15:30"}}`
	block := `{"tool":"schedule_createTimeBlock",` +
		`"arguments":{"title":"Taxes","date":"2026-03-05","startTime":"09:00","endTime":"11:00"}}`
	for _, c := range []struct {
		message, previous string
		shown             int
		event             bool
		want              string
	}{
		{"make it 5:15 instead", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":null,"time":"17:15?"}}`},
		{"4 is fine", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":null,"time":"16:00?"}}`},
		{"a las 4 me va mejor", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":null,"time":"16:00?"}}`},
		{"4 יהיה עדיף", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":null,"time":"16:00?"}}`},
		{"no, friday", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":"2026-03-06","time":"15:00"}}`},
		{"and friday's too", moved, 1, false,
			`calendar_moveEvents {"selection":{"from":null,"titleHas":["gym"]},"to":{"date":null,"time":"15:00"}}`},
		{"and the day after?", viewed, 4, false, `schedule_viewSchedule {"date":"2026-03-06"}`},
		{"the week after", viewed, 4, false, `schedule_viewSchedule {"date":"2026-03-12"}`},
		{"and on sunday?", viewed, 4, false, `schedule_viewSchedule {"date":"2026-03-08"}`},
		{"¿y el domingo?", viewed, 4, false, `schedule_viewSchedule {"date":"2026-03-08"}`},
		{"what about at 5?", free, 0, false, `calendar_checkAvailability {"end":null,"start":"2026-03-05T17:00"}`},
		{"make it 2 instead", block, 1, false,
			`calendar_moveEvents {"selection":{"from":["shown"],"titleHas":[]},"to":{"date":null,"time":"14:00?"}}`},
		{"make it 2 instead", block, 0, false, `schedule_createTimeBlock ` +
			`{"date":"2026-03-05","durationMinutes":null,"endTime":"16:00","startTime":"14:00","title":"Taxes"}`},
		{"block two hours for taxes on friday morning", "", 0, false, `schedule_createTimeBlock {"date":"2026-03-06",` +
			`"durationMinutes":120,"endTime":"12:00","startTime":"08:00","title":"Taxes"}`},
		{"block an hour on friday for taxes", "", 0, false, `schedule_createTimeBlock {"date":"2026-03-06",` +
			`"durationMinutes":60,"endTime":null,"startTime":null,"title":"Taxes"}`},
		{"cancel the third one", viewed, 4, false, `calendar_deleteEvents {"selection":{"from":["shown:3"],"titleHas":[]}}`},
		{"cancel the last one", viewed, 4, false, `calendar_deleteEvents {"selection":{"from":["shown:4"],"titleHas":[]}}`},
		{"delete them except the first one", viewed, 3, false,
			`calendar_deleteEvents {"selection":{"from":["shown:2","shown:3"],"titleHas":[]}}`},
		{"תבטל את השנייה", viewed, 4, false, `calendar_deleteEvents {"selection":{"from":["shown:2"],"titleHas":[]}}`},
		{"bórrala por favor", viewed, 1, false, `calendar_deleteEvents {"selection":{"from":["shown"],"titleHas":[]}}`},
		{"cancel that", "", 0, true, `calendar_deleteEvents {"selection":{"from":["event"],"titleHas":[]}}`},
		{"cancel the fifth one", viewed, 2, false, `clarify {"question":"Which event do you mean?"}`},
	} {
		d := map[string]any{"message": c.message, "now": wednesday.Format(time.RFC3339), "event": c.event}
		if c.previous != "" {
			d["previous"], d["recentTurns"] = json.RawMessage(c.previous), asked
		}
		if c.shown > 0 {
			d["shown"] = map[string]any{"type": "events", "count": c.shown}
		}
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Complete(context.Background(), llm.Request{Data: string(data), Tools: dayTools}, nil)
		if err != nil || len(r.Calls) != 1 {
			t.Fatal(r, err)
		}
		if got := r.Calls[0].Name + " " + r.Calls[0].Arguments; got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.message, got, c.want)
		}
	}
}

// Stage 1 sends them where the turn before was answered, and a new event to its own path.
func TestFollowUpsAreOfTheDayBefore(t *testing.T) {
	t.Parallel()
	viewed := []exchange{{User: "what's on tomorrow?", Assistant: "(events)"}}
	moved := []exchange{{User: "move the gym to 3", Assistant: "(1 changes)"}}
	for _, c := range []struct {
		message string
		turns   []exchange
		want    string
	}{
		{"and on sunday?", viewed, look},
		{"no, friday", moved, act},
		{"cancel the third one", viewed, act},
		{"coffee with Ines on friday at 10", viewed, ""},
		{"put piano in, every monday at 5pm", viewed, ""},
		{"thank you!", viewed, ""},
		{"and on sunday?", nil, ""},
		{"no, friday", []exchange{{User: "tea with Ines", Assistant: "How about Thursday at 10?"}}, ""},
	} {
		if got, _, _ := Kind(c.message, Talk{Turns: c.turns}); got != c.want {
			t.Errorf("%q is %q; want %q", c.message, got, c.want)
		}
	}
}
