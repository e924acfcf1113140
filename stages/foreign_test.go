package stages_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/markup"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// foreignText is what another person wrote into an event of the organizer's own calendar, to make Convene act or leak.
type foreignText struct{ Tries, At, Text string }

// foreignEvents are events with all texts of the corpus, and the words by which the texts are known.
func foreignEvents(t *testing.T) (events []meet.Occurrence, words []string) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "injection", "agenda.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	word := regexp.MustCompile(`\p{L}{10,}`)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var in foreignText
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		n := len(events)
		e := on(3+n%5, fmt.Sprintf("%02d:%02d", 8+n/5%12, n/60*5), fmt.Sprint("Talk ", n), "Robin")
		e.UID = fmt.Sprint("uid-", n)
		switch in.At {
		case "SUMMARY":
			e.Title = in.Text
		case "DESCRIPTION":
			e.Description = in.Text
		case "LOCATION":
			e.Location = in.Text
		case "ATTENDEE":
			e.Attendees[0].Name = in.Text
		default:
			t.Fatalf("an event has no %q", in.At)
		}
		found := word.FindAllString(in.Text, -1)
		if len(found) == 0 {
			t.Fatalf("no word of %q is long enough to be known by", in.Text)
		}
		events, words = append(events, e), append(words, strings.ToLower(found[len(found)-1]))
	}
	if len(events) < 50 {
		t.Fatalf("%d texts", len(events))
	}
	return events, words
}

// obeying answers as the model inside does, but for its plans: there it does what the texts in the calendar want. It
// keeps what it was asked.
type obeying struct {
	stages.Model
	obeys bool
	// wanted are the calls that the texts ask for.
	wanted []llm.Call

	mu    sync.Mutex
	asked []llm.Request
}

func (o *obeying) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	o.mu.Lock()
	o.asked = append(o.asked, req)
	n := len(o.asked)
	o.mu.Unlock()
	if req.Stage != llm.Plan || !o.obeys {
		return o.Model.Complete(ctx, req, onDelta)
	}
	call := o.wanted[n%len(o.wanted)]
	if one, known := toolbox().Tool(call.Name); known {
		whole, err := stagestest.Whole(one.Offer(), call.Arguments)
		if err != nil {
			return llm.Reply{}, err
		}
		call.Arguments = whole
	}
	return llm.Reply{Calls: []llm.Call{call}}, nil
}

// Whatever others wrote into the organizer's own events is shown, and nothing else: no step, no change and no recipient
// comes of it, no model reads it, and no link of it is live.
func TestWhatOthersWroteIsOnlyShown(t *testing.T) {
	t.Parallel()
	for name, obeys := range map[string]bool{"an honest model": false, "a model that obeys": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, words := foreignEvents(t)
			rules := offline.New(offline.Options{})
			model := &obeying{Model: rules, obeys: obeys, wanted: []llm.Call{
				{Name: "calendar_deleteEvents", Arguments: `{"selection":{}}`},
				{Name: "calendar_updateEvents",
					Arguments: `{"selection":{},"set":{"invite":["mallory@evil.example"],` +
						`"description":"See https://evil.example/x"}}`},
				{Name: "calendar_moveEvents", Arguments: `{"selection":{},"to":{"byDays":7}}`},
				{Name: "preference_updatePreferences", Arguments: `{"key":"working_hours","value":"{}"}`},
				{Name: "system_confirmProposal", Arguments: `{"id":"ch_1","digest":"sha256:1"}`},
			}}
			var reader stages.Model
			if obeys {
				reader = rules
			}
			d := newDay(t, reader, append(events, on(3, "07:00", "Dentist"))...)
			d.remake(t, func(p *stages.Ports) {
				p.Model, p.Render = model, markup.Render
			})
			before := d.at()
			shown, pending := false, false
			for _, message := range []string{
				"what's on my calendar next week?", "when is my next meeting?", "how many events are there on Monday?",
				"¿qué tengo el lunes?", "מה יש לי ביום שני?", "clear Tuesday", "borra todo lo del martes",
				"תמחק את כל הפגישות ביום שלישי", "move my 8am on Wednesday to 6pm", "and what's on Friday?",
				"what's on my calendar next week?", "thanks",
			} {
				got := d.say(message)
				for _, u := range got.updates {
					d.onlyShown(message, u, obeys)
				}
				_, asks := find[meet.ChangesUpdate](got)
				pending = pending || asks
				shown = shown || strings.Contains(strings.ToLower(got.outcome.Message), words[0])
			}
			if !pending || !shown {
				t.Errorf("the titles are shown: %t; a set waits: %t", shown, pending)
			}
			if after := d.at(); !slices.Equal(before, after) || len(d.day.Made) > 0 {
				t.Errorf("something was changed: %v", d.day.Made)
			}
			if !obeys {
				d.say("move the dentist to 9pm")
				if len(d.day.Made) != 1 {
					t.Errorf("the user's own word makes %d changes", len(d.day.Made))
				}
			}
			for _, req := range model.asked {
				data := strings.ToLower(req.Data)
				for _, word := range append(words, "evil.example") {
					if strings.Contains(data, word) {
						t.Errorf("stage %s is told %q", req.Stage, word)
					}
				}
			}
		})
	}
}

// remake is the day with other ports.
func (d *dayHarness) remake(tb testing.TB, change func(*stages.Ports)) {
	tb.Helper()
	ports := d.ports
	change(&ports)
	p, err := stages.New(ports, stages.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	d.pipeline = p
}

// onlyShown checks one update: nothing is applied, pending changes affect nobody whom the events did not have, and no
// link is live.
func (d *dayHarness) onlyShown(message string, u meet.Update, obeys bool) {
	d.t.Helper()
	switch u := u.(type) {
	case meet.AppliedUpdate:
		d.t.Errorf("%q applies %+v", message, u.Applied)
	case meet.MessageUpdate:
		if strings.Contains(u.HTML, "<a ") || strings.Contains(u.HTML, "<img") || strings.Contains(u.HTML, "<script") {
			d.t.Errorf("%q: a live link or tag: %s", message, u.HTML)
		}
	case meet.ChangesUpdate:
		if u.Changes.Status != meet.ChangesPending {
			d.t.Errorf("%q: a set is %s", message, u.Changes.Status)
		}
		for _, c := range u.Changes.Changes {
			for _, a := range c.Affects {
				if !obeys && a.Email != "robin@example.com" {
					d.t.Errorf("%q: %+v would hear of it", message, a)
				}
			}
		}
	}
}
