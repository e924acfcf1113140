package ground

import (
	"testing"
	"time"
)

// One of several things that were listed is asked for by an order of them.
func TestUtmost(t *testing.T) {
	t.Parallel()
	events, tasks := []string{"osteopath", "fencing-24", "harbour"}, []string{"visa", "gutters", "gala-dress"}
	for _, c := range []struct {
		listed         []string
		language, text string
		want           string
	}{
		{events, "en", "which one's the longest?", `calendar_findEvents {"selection":{"ids":["harbour"]}}`},
		{events, "en", "so what's the shortest one", `calendar_findEvents {"selection":{"ids":["osteopath","fencing-24"]}}`},
		{events, "en", "which comes first", `calendar_findEvents {"selection":{"ids":["fencing-24"]}}`},
		{events, "es", "¿cuál es la más larga?", `calendar_findEvents {"selection":{"ids":["harbour"]}}`},
		{events[:2], "es", "¿cuál es el más corto?", `calendar_findEvents {"selection":{"ids":["osteopath","fencing-24"]}}`},
		{events, "he", "מה הכי מאוחר?", `calendar_findEvents {"selection":{"ids":["harbour"]}}`},
		{tasks, "en", "which of them is due first?", `task_viewTasks {"selection":{"ids":["gutters"]}}`},
		{tasks, "en", "what's the quickest one", `task_viewTasks {"selection":{"ids":["visa"]}}`},
		{events[:1], "en", "which one's the longest?", ""},
		{append(events, "visa"), "en", "which one's the longest?", ""},
	} {
		things := home()
		for i := range things {
			switch t := &things[i]; t.ID {
			case "harbour":
				t.Span.End = t.Span.End.Add(time.Hour)
			case "visa":
				t.Due, t.Minutes = "2026-11-27", 10
			case "gutters":
				t.Due, t.Minutes = "2026-11-24T12:00:00Z", 30
			case "gala-dress":
				t.Minutes = 60
			}
		}
		got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: things, Listed: c.listed})
		if call := got.Tool + " " + string(got.Arguments); call != c.want && (got.Tool != "" || c.want != "") {
			t.Errorf("%q is %s, want %s", c.text, call, c.want)
		}
	}
}
