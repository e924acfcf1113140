package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
)

// The answers of a model that does its work, but for its message.
func goodAnswers(t *testing.T) (classify, template, choice llmtest.Answer) {
	t.Helper()
	hours := map[string]any(nil)
	return call(t, "classifyIntent", map[string]any{
			"intent": "handle_event", "acknowledgment": "Let me look.", "language": "en", "families": []string{},
			"requiresPlan": false,
		}),
		call(t, "generateEventTemplate", map[string]any{
			"title": "coffee with Al", "eventType": "in-person", "activity": "coffee", "duration": 30,
			"preferredSchedulableDates": []any{map[string]string{"start": "2026-11-23", "end": "2026-11-27"}},
			"preferredSchedulableHours": hours, "excludedDates": []any{}, "excludedHours": hours,
			"participants": []string{"Al"}, "suggestedPlaceTypes": []string{"cafe"}, "intentSpecificity": "activity_type",
			"activitySearchQuery": "", "placeName": "", "travelBuffer": nil, "suggestedActivity": nil,
			"wishes": []string{}, "where": nil, "excludedPlaces": []string{}, "undecidedPeople": []string{},
			"unhandled": []string{},
		}),
		call(t, "generateEvent", map[string]any{
			"rankedSlotIndices": []int{0, 1, 2, 3}, "rankedPlaceIndices": []int{0, 1, 2, 3}, "calendarProvider": "local",
			"message": "",
		})
}

func call(t *testing.T, name string, arguments map[string]any) llmtest.Answer {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return llmtest.Call(name, string(raw))
}

// Whatever goes wrong between here and the model, a turn ends once, with a correct event or words for a person, and
// no call is repeated but to mend it.
func TestTheModelsWireGoesWrong(t *testing.T) {
	t.Parallel()
	faults := map[string]func(llmtest.Answer) llmtest.Answer{
		"cut stream":    func(a llmtest.Answer) llmtest.Answer { return a.CutAfter(4) },
		"429":           func(llmtest.Answer) llmtest.Answer { return llmtest.RateLimited("1") },
		"500":           func(llmtest.Answer) llmtest.Answer { return llmtest.ServerError() },
		"HTML":          func(llmtest.Answer) llmtest.Answer { return llmtest.BadGateway() },
		"stall":         func(a llmtest.Answer) llmtest.Answer { return a.StallAfter(2) },
		"refusal":       func(llmtest.Answer) llmtest.Answer { return llmtest.Refusal("I would rather not.") },
		"empty choices": func(llmtest.Answer) llmtest.Answer { return llmtest.EmptyChoices() },
		"two calls": func(a llmtest.Answer) llmtest.Answer {
			return llmtest.Calls(llm.Call{Name: "classifyIntent", Arguments: "{}"}, llm.Call{
				Name: "navigateToBookingLink", Arguments: `{"url":"https://evil.example"}`,
			})
		},
		"invalid JSON": func(llmtest.Answer) llmtest.Answer { return llmtest.Call("generateEvent", `{"rankedSlot`) },
	}
	for name, fault := range faults {
		for at, stage := range []string{"classify", "template", "select"} {
			t.Run(name+" at "+stage, func(t *testing.T) {
				t.Parallel()
				model := llmtest.New(t)
				classify, template, choice := goodAnswers(t)
				answers := []llmtest.Answer{classify, template, choice}
				model.Otherwise(func(r llmtest.Request) llmtest.Answer {
					for i, tool := range []string{"classifyIntent", "generateEventTemplate", "generateEvent"} {
						if len(r.ToolNames()) == 0 || r.ToolNames()[0] != tool {
							continue
						}
						if i == at {
							return fault(answers[i])
						}
						return answers[i]
					}
					return answers[0]
				})
				server := startServer(t, "", "--openai-base-url="+model.URL,
					"--classify-deadline=500ms", "--template-deadline=500ms", "--select-deadline=500ms")
				got := (&client{t: t, server: server, conversation: "c"}).take(step{kind: "say", body: "coffee with Al next week"})
				calls, _ := lookup(got, "calls")
				if n, ok := calls.(float64); !ok || n > 4 {
					t.Errorf("%v model calls, want at most 4", calls)
				}
				if outcome, _ := lookup(got, "outcome"); outcome == "failed" {
					message, _ := lookup(got, "error.message")
					if text(message) == "-" || strings.Contains(text(message), "127.0.0.1") {
						t.Errorf("the error says %q", text(message))
					}
					return
				}
				start, _ := lookup(got, "event.start")
				if compare(text(start), "2026-11-23T00:00:00-08:00") < 0 || text(start) == "2026-11-23T10:00:00-08:00" {
					t.Errorf("proposed %v", start)
				}
				if said, _ := lookup(got, "message.text"); strings.Contains(text(said), "evil") {
					t.Errorf("message %v", said)
				}
			})
		}
	}
}

// A model that does not come to an end, at every stage and in whatever way: the turn is proposed by the built-in rules,
// and its receipt says so.
func TestAnEndlessModelDegrades(t *testing.T) {
	t.Parallel()
	chunk := func(delta string) string { return `data: {"choices":[{"index":0,"delta":` + delta + "}]}\n\n" }
	head := llmtest.Chunks(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a",` +
		`"function":{"name":"generateEvent","arguments":"{\"rankedSlotIndices\":[0],\"rankedPlaceIndices\":[0],` +
		`\"calendarProvider\":\"local\",\"message\":\""}}]}}]}`)
	for name, endless := range map[string]llmtest.Answer{
		"arguments": head.Endless(chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"` +
			strings.Repeat("and so on ", 20) + `"}}]}`)),
		"text":     llmtest.Chunks().Endless(chunk(`{"content":"` + strings.Repeat("and so on ", 20) + `"}`)),
		"calls":    llmtest.Calls(slices.Repeat([]llm.Call{{Name: "classifyIntent", Arguments: "{}"}}, 20)...),
		"comments": llmtest.Chunks().Endless(": still here\n\n"),
		"tokens":   head.Then(2, `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := llmtest.New(t)
			model.Otherwise(func(llmtest.Request) llmtest.Answer { return endless })
			server := startServer(t, "", "--openai-base-url="+model.URL, "--classify-deadline=1m", "--template-deadline=1m",
				"--select-deadline=1m")
			got := (&client{t: t, server: server, conversation: "c"}).take(step{kind: "say", body: "coffee with Al next week"})
			for path, want := range map[string]string{
				"outcome": "proposed", "event.title": "Coffee with Al",
				"done.receipt.degraded.0": "the model could not be reached; the built-in model answered",
			} {
				if said, _ := lookup(got, path); text(said) != want {
					t.Errorf("%s is %q, want %q", path, text(said), want)
				}
			}
			if n := len(model.Requests()); n != 3 {
				t.Errorf("the model was asked %d times, want once a stage", n)
			}
		})
	}
}
