package aisdk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/protocol/aisdk"
)

// encode gives the events of a turn, one line each, with a blank line after each update.
func encode(t *testing.T, updates ...string) []string {
	t.Helper()
	var e aisdk.Encoder
	var lines []string
	for _, u := range updates {
		events, err := e.Encode([]byte(u))
		if err != nil {
			t.Fatalf("%s: %v", u, err)
		}
		for _, event := range events {
			lines = append(lines, string(event))
		}
	}
	return lines
}

const (
	turn     = `{"type":"turn","turnId":"t1","conversationId":"c1"}`
	proposed = `{"type":"done","outcome":"proposed","receipt":{"stages":[],"modelCalls":3,"tokens":{"input":5,` +
		`"cached":1,"output":2}}}`
	start = `{"type":"start","messageId":"t1","messageMetadata":{"turnId":"t1","conversationId":"c1"}}`
)

func TestEncode(t *testing.T) {
	t.Parallel()
	receipt := `"receipt":{"stages":[],"modelCalls":0,"tokens":{"input":0,"cached":0,"output":0}}`
	for _, tt := range []struct {
		name    string
		updates []string
		want    []string
	}{
		{"a turn from its beginning to its end", []string{turn, proposed}, []string{
			start,
			`{"type":"finish","finishReason":"stop","messageMetadata":{"outcome":"proposed","receipt":{"stages":[],` +
				`"modelCalls":3,"tokens":{"input":5,"cached":1,"output":2}}}}`,
			`[DONE]`,
		}},
		{"the acknowledgment is text", []string{
			`{"type":"acknowledgment","text":"Let's <see>.","intent":"handle_event","language":"en"}`,
		}, []string{
			`{"type":"text-start","id":"acknowledgment","providerMetadata":{"convene":{"update":"acknowledgment",` +
				`"intent":"handle_event","language":"en"}}}`,
			`{"type":"text-delta","id":"acknowledgment","delta":"Let's <see>."}`,
			`{"type":"text-end","id":"acknowledgment"}`,
		}},
		{"of each type one part", []string{
			`{"type":"candidates","preliminary":true}`, `{"type":"candidates"}`, `{"type":"event","event":{"title":"A & B"}}`,
		}, []string{
			`{"type":"data-candidates","id":"candidates","data":{"type":"candidates","preliminary":true}}`,
			`{"type":"data-candidates","id":"candidates","data":{"type":"candidates"}}`,
			`{"type":"data-event","id":"event","data":{"type":"event","event":{"title":"A & B"}}}`,
		}},
		{"the message takes the place of its preview", []string{
			`{"type":"message_delta","text":"I've "}`, `{"type":"message_delta","text":"found"}`,
			`{"type":"message","text":"I've **found**","html":"<p>","composedBy":"model"}`, proposed,
		}, []string{
			`{"type":"data-preview","id":"preview","data":{"text":"I've "}}`,
			`{"type":"data-preview","id":"preview","data":{"text":"I've found"}}`,
			`{"type":"data-preview","id":"preview","data":{"text":""}}`,
			`{"type":"text-start","id":"message","providerMetadata":{"convene":{"update":"message","composedBy":"model"}}}`,
			`{"type":"text-delta","id":"message","delta":"I've **found**"}`,
			`{"type":"text-end","id":"message"}`,
			`{"type":"finish","finishReason":"stop","messageMetadata":{"outcome":"proposed","receipt":{"stages":[],` +
				`"modelCalls":3,"tokens":{"input":5,"cached":1,"output":2}}}}`,
			`[DONE]`,
		}},
		{"a failure leaves nothing that was not meant", []string{
			`{"type":"message_delta","text":"I've "}`,
			`{"type":"error","code":"internal","message":"It broke.","retryable":true}`,
			`{"type":"done","outcome":"failed",` + receipt + `}`,
		}, []string{
			`{"type":"data-preview","id":"preview","data":{"text":"I've "}}`,
			`{"type":"data-preview","id":"preview","data":{"text":""}}`,
			`{"type":"data-error","id":"error","data":{"type":"error","code":"internal","message":"It ` +
				`broke.","retryable":true}}`,
			`{"type":"error","errorText":"It broke."}`,
			`{"type":"finish","finishReason":"error","messageMetadata":{"outcome":"failed",` + receipt + `}}`,
			`[DONE]`,
		}},
		{"cancelled", []string{
			`{"type":"message_delta","text":"I've "}`, `{"type":"done","outcome":"cancelled",` + receipt + `}`,
		}, []string{
			`{"type":"data-preview","id":"preview","data":{"text":"I've "}}`,
			`{"type":"data-preview","id":"preview","data":{"text":""}}`,
			`{"type":"abort"}`,
			`{"type":"finish","finishReason":"other","messageMetadata":{"outcome":"cancelled",` + receipt + `}}`,
			`[DONE]`,
		}},
		{"what nobody knows yet stays, all of it", []string{`{"type":"hint","n":1}`, `{"type":"hint","n":2}`}, []string{
			`{"type":"data-hint","data":{"type":"hint","n":1}}`,
			`{"type":"data-hint","data":{"type":"hint","n":2}}`,
		}},
		{"no text is no part", []string{`{"type":"acknowledgment","text":""}`, `{"type":"message","text":""}`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, encode(t, tt.updates...)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// Every type of update has its place: those that are not text are data parts, and the later one counts.
func TestEveryUpdateHasItsPlace(t *testing.T) {
	t.Parallel()
	for _, u := range []meet.Update{
		meet.ProgressUpdate{}, meet.TemplateUpdate{}, meet.CandidatesUpdate{}, meet.EventUpdate{}, meet.AlternativesUpdate{},
		meet.ActivitiesUpdate{}, meet.NavigateUpdate{}, meet.PlanUpdate{}, meet.ErrorUpdate{},
	} {
		line, err := meet.MarshalUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		var part struct{ Type, ID string }
		if err := json.Unmarshal([]byte(encode(t, string(line))[0]), &part); err != nil {
			t.Fatal(err)
		}
		if want := meet.TypeOf(u); part.Type != "data-"+want || part.ID != want {
			t.Errorf("%s is the part %+v", want, part)
		}
	}
}

// A turn may have several results, change sets and questions: only one of the same name replaces another.
func TestEachThingOfATurnIsAPart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		update meet.Update
		id     string
	}{
		{meet.ResultUpdate{Step: "friday"}, "friday"},
		{meet.ChangesUpdate{Changes: meet.ChangeSet{ID: "ch_1"}}, "ch_1"},
		{meet.ChoicesUpdate{Choices: meet.Choices{ID: "q_1"}}, "q_1"},
		{meet.AppliedUpdate{Applied: meet.Applied{ChangesID: "ch_1"}}, "ch_1"},
	} {
		line, err := meet.MarshalUpdate(tt.update)
		if err != nil {
			t.Fatal(err)
		}
		kind := meet.TypeOf(tt.update)
		want := []string{`{"type":"data-` + kind + `","id":"` + tt.id + `","data":` + string(line) + `}`}
		if diff := cmp.Diff(want, encode(t, string(line))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestWhatIsNoUpdateIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `[]`, `{"type":5}`, `{"type":"turn","turnId":5}`, `{"type":"done","receipt":[]}`} {
		var e aisdk.Encoder
		if events, err := e.Encode([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "update") {
			t.Errorf("%q = %s, %v; want an error", bad, events, err)
		}
	}
}
