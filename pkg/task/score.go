package task

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Score is how much a task wants to be done now, from 0 to 100: the sum of its parts.
type Score struct {
	Total int `json:"score"`
	// Parts are what the score is made of.
	Parts Breakdown `json:"scoreBreakdown"`
}

// Breakdown are the parts of a score.
type Breakdown struct {
	// Priority is 40 for high, 25 for medium and if nobody has said, 10 for low.
	Priority int `json:"priority"`
	// Age is a point for every two days since the task was created, at most 20.
	Age int `json:"age"`
	// Urgency is at most 40, which an overdue task has. It grows as the deadline comes near, and with the effort against
	// the time left until then.
	Urgency int `json:"urgency"`
}

const (
	mostAge     = 20
	mostUrgency = 40
	// workday is the part of each day in which tasks are done.
	workday = 8.0 / 24
	// assumed is the effort of a task that nobody has estimated, in minutes.
	assumed = 30
)

// Effort is the estimate in minutes, or 30 if there is none.
func (t Task) Effort() int {
	if t.EstimatedMinutes > 0 {
		return t.EstimatedMinutes
	}
	return assumed
}

// Score is the task's score; zero for a completed task.
func (t Task) Score(now time.Time) Score {
	if !t.Open() {
		return Score{}
	}
	b := Breakdown{Priority: map[Priority]int{High: 40, Low: 10}[t.Priority], Urgency: t.urgency(now)}
	if t.Priority != High && t.Priority != Low {
		b.Priority = 25
	}
	if made, err := time.Parse(time.RFC3339, t.Created); err == nil {
		b.Age = min(mostAge, max(0, int(now.Sub(made).Hours()/48)))
	}
	return Score{Total: b.Priority + b.Age + b.Urgency, Parts: b}
}

// urgency is the larger of two pressures: how near the deadline is, halved with every two days and a half, and which
// part of the working time until then the task takes.
func (t Task) urgency(now time.Time) int {
	at, ok := t.Deadline(now.Location())
	if !ok {
		return 0
	}
	left := at.Sub(now).Minutes()
	if left <= 0 {
		return mostUrgency
	}
	const halved = 2.5 * 24 * 60
	near := math.Exp2(-left / halved)
	load := float64(t.Effort()) / (left * workday)
	return int(math.Round(mostUrgency * min(1, max(near, load))))
}

// Ranked are the tasks by score, the highest first; of equal ones the earliest deadline.
func Ranked(tasks []Task, now time.Time) []Task {
	ranked, scores := slices.Clone(tasks), map[string]int{}
	for _, t := range tasks {
		scores[t.ID] = t.Score(now).Total
	}
	slices.SortStableFunc(ranked, func(a, b Task) int {
		return cmp.Or(cmp.Compare(scores[b.ID], scores[a.ID]), compareDue(a, b, now.Location(), false))
	})
	return ranked
}

// Blocked reports whether the task waits for one of the others: for one that it depends on and that is open.
func (t Task) Blocked(all []Task) bool {
	return slices.ContainsFunc(all, func(o Task) bool { return o.Open() && slices.Contains(t.Dependencies, o.ID) })
}
