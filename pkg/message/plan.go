package message

import (
	"strconv"
	"strings"
)

// Left is a step of a plan that was not done: what it was for, and why.
type Left struct {
	Summary, Why string
	// Status is "failed", "blocked" or "skipped", or "completed" if only a part of it was done.
	Status string
}

// LeftOut tells the steps of a plan that were not done, each on a line; empty if there are none.
func (v Voice) LeftOut(steps []Left) string {
	lines := make([]string, len(steps))
	for i, s := range steps {
		name := "left." + s.Status
		if s.Status == "completed" {
			name = "left.partly"
		} else if s.Why != "" {
			name = "left.failed"
		}
		lines[i] = strings.TrimSpace(v.say(name, "step", v.Title(s.Summary), "why", s.Why))
	}
	return strings.Join(lines, "\n")
}

// NothingThere is why a step has nothing to do, Unfit and TooSlow why one could not be done.
func (v Voice) NothingThere() string { return v.say("left.nothing") }

// Unfit says that a step could not be understood.
func (v Voice) Unfit() string { return v.say("left.unfit") }

// NotAllRead says that something may be missing.
func (v Voice) NotAllRead() string { return v.say("left.unread") }

// TooSlow says that a step took too long.
func (v Voice) TooSlow() string { return v.say("left.slow") }

// TooMany says that a step is for more things than a plan may have.
func (v Voice) TooMany(most int) string { return v.say("left.many", "n", strconv.Itoa(most)) }

// SomeFailed says for how many of the things of a step it could not be done, and why.
func (v Voice) SomeFailed(failed, of int, why string) string {
	return v.say("left.some", "n", strconv.Itoa(failed), "of", strconv.Itoa(of), "why", why)
}

// NothingPlanned says that a request of several steps changes and finds nothing.
func (v Voice) NothingPlanned() string { return v.say("nothingPlanned") }

// StillWaits says that a plan waits for the answer to a question.
func (v Voice) StillWaits(question string) string {
	return v.say("stillWaits", "question", v.Title(question))
}

// WaitsNoLonger says that a plan no longer waits for the answer to a question, because another one does.
func (v Voice) WaitsNoLonger(question string) string {
	return v.say("waitsNoLonger", "question", v.Title(question))
}

// Lapsed says that a plan has waited for too long.
func (v Voice) Lapsed() string { return v.say("lapsed") }

// StartAgain offers to start a plan that has lapsed once more.
func (v Voice) StartAgain() string { return v.say("startAgain") }

// WentOn says that a plan no longer waits, because it went on or was called off elsewhere.
func (v Voice) WentOn() string { return v.say("wentOn") }

// OtherSteps says that a saved workflow does other things now than when it was saved.
func (v Voice) OtherSteps(name string) string { return v.say("otherSteps", "name", v.Title(name)) }
