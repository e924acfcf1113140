package stages_test

import (
	"strings"
	"testing"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
)

// A new intent is a row: the model may choose it, the turn takes its path, and progress counts the path's own steps.
func TestANewIntentIsARow(t *testing.T) {
	t.Parallel()
	ping := functions.Intent{Name: "ping", Words: "asks whether you are there."}
	for _, tt := range []struct {
		name       string
		needsEvent func(language string) string
		want       string
	}{
		{"that goes by itself", nil, "pong"},
		{"that needs an event", func(language string) string {
			return "nothing to ping (" + language + ")"
		}, "nothing to ping (en)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			with, err := h.pipeline.WithIntent(ping, tt.needsEvent, "pong")
			if err != nil {
				t.Fatal(err)
			}
			h.pipeline = with
			h.model.Say(llm.Classify, classified("ping"))
			got := h.say("are you there?")
			if acknowledged, _ := find[meet.AcknowledgmentUpdate](got); acknowledged.Intent != "ping" {
				t.Errorf("acknowledged as %+v", acknowledged)
			}
			want := meet.ProgressUpdate{Text: "Working...", Stage: "ping", Step: 3, Of: 3}
			if progress, told := find[meet.ProgressUpdate](got); told != (tt.needsEvent == nil) || told && progress != want {
				t.Errorf("progress %+v", progress)
			}
			if message, _ := find[meet.MessageUpdate](got); message.Text != tt.want || got.err != nil ||
				got.outcome.Kind != meet.OutcomeAnswered {
				t.Errorf("message %q, outcome %s, %v; want %q", message.Text, got.outcome.Kind, got.err, tt.want)
			}
			if schema := string(h.model.Requests()[0].Tools[0].Parameters); !strings.Contains(schema, `"converse","ping"]`) ||
				!strings.Contains(schema, "ping: "+ping.Words) {
				t.Errorf("a model is not told of it: %s", schema)
			}
		})
	}
}

// An intent that is in no row is not taken from a model.
func TestAnUnknownIntentGoesBackToTheModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, classified("ping"), classified("converse"))
	if got := h.say("are you there?"); got.err != nil || got.outcome.Kind != meet.OutcomeAnswered ||
		len(h.model.Requests()) != 2 {
		t.Errorf("outcome %s, %v after %d calls; want it answered after 2", got.outcome.Kind,
			got.err, len(h.model.Requests()))
	}
}
