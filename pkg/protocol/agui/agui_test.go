package agui_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/protocol/agui"
)

func encode(t *testing.T, e *agui.Encoder, updates ...string) []string {
	t.Helper()
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
	begun    = `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/turn","value":{"turnId":"t1","conversationId":"c1"}}]}`
	started  = `{"type":"RUN_STARTED","threadId":"c1","runId":"t1","protocolVersion":"1.0"}`
	nothing  = `"receipt":{"stages":[],"modelCalls":0,"tokens":{"input":0,"cached":0,"output":0}}`
	proposed = `{"type":"done","outcome":"proposed","receipt":{"stages":[],"modelCalls":3,"tokens":{"input":5,` +
		`"cached":1,"output":2}}}`
)

func state(path, value string) string {
	return `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/turn/` + path + `","value":` + value + `}]}`
}

func activity(id, kind, update string) string {
	return `{"type":"ACTIVITY_SNAPSHOT","messageId":"t1:` + id + `","activityType":"convene.` + kind + `","content":` +
		update + `}`
}

func TestEncode(t *testing.T) {
	t.Parallel()
	progress := func(stage string) string {
		return `{"type":"progress","text":"…","stage":"` + stage + `","step":3,"of":5}`
	}
	for _, tt := range []struct {
		name    string
		updates []string
		want    []string
	}{
		{"a run from its beginning to its end", []string{proposed}, []string{
			state("done", proposed),
			`{"type":"RUN_FINISHED","threadId":"c1","runId":"t1","result":` + proposed + `,"outcome":{"type":"success"},` +
				`"usage":[{"inputTokens":5,"cachedInputTokens":1,"outputTokens":2,"totalTokens":7}]}`,
		}},
		{"the acknowledgment is a message", []string{
			`{"type":"acknowledgment","text":"Let's <see>.","intent":"converse","language":"en"}`,
		}, []string{
			`{"type":"TEXT_MESSAGE_START","messageId":"t1:acknowledgment","role":"assistant",` +
				`"metadata":{"convene":{"update":"acknowledgment","intent":"converse","language":"en"}}}`,
			`{"type":"TEXT_MESSAGE_CONTENT","messageId":"t1:acknowledgment","delta":"Let's <see>."}`,
			`{"type":"TEXT_MESSAGE_END","messageId":"t1:acknowledgment"}`,
		}},
		{"stages are steps, one after the other", []string{
			progress("template"), progress("candidates"), `{"type":"done","outcome":"navigate",` + nothing + `}`,
		}, []string{
			`{"type":"STEP_STARTED","stepName":"template"}`, state("progress", progress("template")),
			`{"type":"STEP_FINISHED","stepName":"template"}`,
			`{"type":"STEP_STARTED","stepName":"candidates"}`, state("progress", progress("candidates")),
			`{"type":"STEP_FINISHED","stepName":"candidates"}`,
			state("done", `{"type":"done","outcome":"navigate",`+nothing+`}`),
			`{"type":"RUN_FINISHED","threadId":"c1","runId":"t1","result":{"type":"done","outcome":"navigate",` + nothing +
				`},"outcome":{"type":"success"}}`,
		}},
		{"what is understood and found is state, what comes of it an activity", []string{
			`{"type":"template"}`, `{"type":"candidates"}`, `{"type":"event","event":{}}`,
		}, []string{
			state("template", `{"type":"template"}`), state("candidates", `{"type":"candidates"}`),
			`{"type":"ACTIVITY_SNAPSHOT","messageId":"t1:event","activityType":"convene.event","content":{"type":"event",` +
				`"event":{}}}`,
		}},
		{"of each step, change set and question one activity", []string{
			`{"type":"plan","planId":"pl_1"}`, `{"type":"result","step":"friday"}`, `{"type":"changes","changes":{"id":"ch_1"}}`,
			`{"type":"choices","id":"q_1"}`, `{"type":"applied","changesId":"ch_1"}`,
		}, []string{
			activity("plan", "plan", `{"type":"plan","planId":"pl_1"}`),
			activity("result:friday", "result", `{"type":"result","step":"friday"}`),
			activity("changes:ch_1", "changes", `{"type":"changes","changes":{"id":"ch_1"}}`),
			activity("choices:q_1", "choices", `{"type":"choices","id":"q_1"}`),
			activity("applied:ch_1", "applied", `{"type":"applied","changesId":"ch_1"}`),
		}},
		{"the message takes the place of its preview", []string{
			`{"type":"message_delta","text":"I've "}`, `{"type":"message_delta","text":"found"}`,
			`{"type":"message","text":"I've **found**","composedBy":"code"}`,
		}, []string{
			state("preview", `"I've "`), state("preview", `"I've found"`), state("preview", `""`),
			`{"type":"TEXT_MESSAGE_START","messageId":"t1:message","role":"assistant",` +
				`"metadata":{"convene":{"update":"message","composedBy":"code"}}}`,
			`{"type":"TEXT_MESSAGE_CONTENT","messageId":"t1:message","delta":"I've **found**"}`,
			`{"type":"TEXT_MESSAGE_END","messageId":"t1:message"}`,
		}},
		{"nothing follows an error", []string{
			progress("select"), `{"type":"message_delta","text":"I've "}`,
			`{"type":"error","code":"internal","message":"It broke.","retryable":true}`, `{"type":"done","outcome":"failed",` +
				nothing + `}`,
		}, []string{
			`{"type":"STEP_STARTED","stepName":"select"}`, state("progress", progress("select")), state("preview", `"I've "`),
			state("preview", `""`), state("error", `{"type":"error","code":"internal","message":"It broke.","retryable":true}`),
			`{"type":"RUN_ERROR","message":"It broke.","code":"internal"}`,
		}},
		{"a failure without words", []string{`{"type":"done","outcome":"failed",` + nothing + `}`}, []string{
			state("done", `{"type":"done","outcome":"failed",`+nothing+`}`),
			`{"type":"RUN_ERROR","message":"This request could not be answered.","code":"internal"}`,
		}},
		{"cancelled", []string{progress("select"), `{"type":"done","outcome":"cancelled",` + nothing + `}`}, []string{
			`{"type":"STEP_STARTED","stepName":"select"}`, state("progress", progress("select")),
			`{"type":"STEP_FINISHED","stepName":"select"}`, state("done", `{"type":"done","outcome":"cancelled",`+nothing+`}`),
			`{"type":"RUN_FINISHED","threadId":"c1","runId":"t1","outcome":{"type":"cancelled"}}`,
		}},
		{"what nobody knows yet", []string{`{"type":"hint","n":1}`}, []string{
			`{"type":"CUSTOM","name":"convene.hint","value":{"type":"hint","n":1}}`,
		}},
		{"no text is no message", []string{`{"type":"acknowledgment","text":""}`, `{"type":"message","text":""}`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := append([]string{started, begun}, tt.want...)
			if diff := cmp.Diff(want, encode(t, new(agui.Encoder), append([]string{turn}, tt.updates...)...)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// A client knows its run by the name that it gave it.
func TestTheRunHasItsClientsName(t *testing.T) {
	t.Parallel()
	got := strings.Join(encode(t, &agui.Encoder{Run: "mine"}, turn, proposed), "\n")
	if strings.Count(got, `"runId":"mine"`) != 2 || strings.Contains(got, `"runId":"t1"`) {
		t.Errorf("events = %s, want the run to be called mine", got)
	}
}

// Before a run has begun, the protocol allows an error and nothing else.
func TestAnErrorMayComeFirst(t *testing.T) {
	t.Parallel()
	got := encode(t, new(agui.Encoder), `{"type":"error","code":"overloaded","message":"Not now."}`,
		`{"type":"done","outcome":"failed"}`)
	if diff := cmp.Diff([]string{`{"type":"RUN_ERROR","message":"Not now.","code":"overloaded"}`}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestWhatIsNoUpdateIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `[]`, `{"type":5}`, `{"type":"turn","turnId":5}`, `{"type":"done","receipt":[]}`} {
		if events, err := new(agui.Encoder).Encode([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "update") {
			t.Errorf("%q = %s, %v; want an error", bad, events, err)
		}
	}
}
