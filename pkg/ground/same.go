package ground

import (
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// moveOther moves the events that were moved by so much by another length, if the message says only that: "no wait,
// half an hour". What has been moved is moved by the difference.
func (r *reading) moveOther() (string, arguments) {
	var before struct {
		To struct{ ByMinutes int }
	}
	call := arguments{}
	if r.Before.Tool != "calendar_moveEvents" || !form("correcting").MatchString(r.Text) ||
		json.Unmarshal(r.Before.Arguments, &before) != nil || before.To.ByMinutes == 0 ||
		json.Unmarshal(r.Before.Arguments, &call) != nil {
		return "", nil
	}
	r.readTimes()
	r.markTimes()
	n := r.length()
	other := func(w word) bool {
		return !w.timely &&
			!onlySays(w.lower, "again", "small", "it", "answering", "idle", "retiming", "amending", "by", "joins")
	}
	if n == 0 || len(r.times) != 1 || strings.Contains(r.Text, "?") || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	if before.To.ByMinutes < 0 {
		n = -n
	}
	if r.Done {
		call["selection"] = arguments{"ids": r.Last}
		n -= before.To.ByMinutes
	}
	to, _ := call["to"].(map[string]any)
	to["byMinutes"] = n
	return "calendar_moveEvents", call
}

// blockThen keeps the same hours of another day free too, if the message says only that day: "and friday too", "same on
// wednesday". What is kept already stays where it is.
func (r *reading) blockThen() (string, arguments) {
	var call arguments
	lead, m := form("same then").FindString(r.Text), r.Message
	made := r.Before.Tool == createBlock && json.Unmarshal(r.Before.Arguments, &call) == nil
	if !made || strings.Contains(r.Text, "?") || lead == "" && !form("more too").MatchString(r.Text) {
		return "", nil
	}
	if said := form("more too").FindStringSubmatch(m.Text); said != nil {
		m.Text = said[1]
	}
	*r = *newReading(m)
	t := r.aloneTime(len(lead))
	if t == nil || t.day() == nil {
		return "", nil
	}
	call["date"] = t.day().String()
	switch on := t.windows(*t.day()); {
	case t.Exact != nil && t.Duration > 0:
		end := *t.Exact + interval.Clock(t.Duration.Minutes())
		call["startTime"], call["endTime"] = t.Exact.String(), end.String()
	case t.Exact != nil || len(on) > 1:
		return "", nil
	case len(on) == 1:
		call["startTime"], call["endTime"] = on[0].Start.String(), on[0].End.String()
	}
	return createBlock, call
}

// aloneTime is the one time that is all that the message says after its first bytes, but for words that say little and
// those of some names; nil if it says more, or less.
func (r *reading) aloneTime(lead int, names ...string) *timed {
	r.markTimes()
	r.readTimes()
	points := r.points()
	little := append([]string{"again", "small", "determiner", "joins", "idle"}, names...)
	other := func(w word) bool { return w.from >= lead && !w.timely && !onlySays(w.lower, little...) }
	if len(points) != 1 || len(r.times) != 1 || slices.ContainsFunc(r.words, other) {
		return nil
	}
	return points[0]
}
