package clause

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/plan"
)

type arguments = map[string]any

// step is a step whose arguments may still change.
type step struct {
	plan.Step
	arguments arguments
	// said says that a mail needs no more words, and anyHour that a time is looked for of a length that nobody said.
	said, anyHour bool
}

// source is a step that gave things, which later clauses may mean. Title and date are those of a single event, if they
// are known, and clock its start; ids are those of things that stand in the calendar.
type source struct {
	id, tool    string
	kind        ground.Kind
	arguments   arguments
	title, date string
	clock       *interval.Clock
	ids         []string
}

// condition is what a step was asked: yes and no are the conditions of what follows from it. With are those whom a
// meeting that hangs on it is with if nobody else is named.
type condition struct {
	yes, no plan.Condition
	with    []string
	// moment is the time that it is about, and date its day.
	moment, date string
}

// state is what the clauses so far have come to. A copy may go another way: its lists are only ever extended by add.
type state struct {
	steps []step
	// deeds is how many operations there are.
	deeds int
	// people are those who were named last. Things are what the last step gave that gave any, moment the last time that
	// was said, and address the addresses that were said of people.
	people  []string
	things  *source
	moment  string
	address map[string]string
	// mail is the step of the mail that may go on, -1 for none.
	mail int
	// branch is the condition of the steps that follow; condition the last one that was asked. Left is a branch that the
	// last sentence had. Undecided says that a condition was asked, and not yet what hangs on it.
	branch, left *plan.Condition
	condition    *condition
	undecided    bool
	// first is the first step of the sentence, and last that of the last clause.
	first, last int
	// heard says that a clause asks for nothing and was understood all the same: a remark, or that nobody is told.
	heard bool
	// remarks are clauses that were left aside.
	remarks []string
	// deed are the words of the last operation that was asked for.
	deed string
	// kept is the one thing that the last clause put onto a list: "it".
	kept string
	// met is whom the user has not met for a while. Lately says that people were named after the things were.
	met    string
	lately bool
	// wrote says that the people are those who wrote the mail that was shown before the message.
	wrote bool
}

// begin begins a sentence: a condition holds for its own one.
func (s *state) begin() {
	s.first, s.undecided = len(s.steps), false
	if s.branch != nil {
		s.branch, s.left = nil, s.branch
	}
}

// proposes are the tools that put something new into the calendar, creates those that make anything new.
var (
	proposes = map[string]bool{"calendar_createEvents": true, "calendar_scheduleMeeting": true}
	creates  = map[string]bool{
		"calendar_createEvents": true, "calendar_scheduleMeeting": true, "schedule_createTimeBlock": true,
		"task_createTask": true, "note_save": true, "list_add": true, "email_compose": true,
	}
)

func (s step) proposes() bool { return proposes[s.Tool] }

// changes is how many operations are of things that stand, or write a mail: what is new in the calendar is proposed
// with the words that were not read.
func (s state) changes() (n int) {
	for _, t := range s.steps {
		family := family(t.Tool)
		if !reads[t.Tool] && family != "items" && !proposes[t.Tool] {
			n++
		}
	}
	return n
}

// moves reports whether the last step moves events.
func (s state) moves() bool {
	return len(s.steps) > 0 && s.steps[len(s.steps)-1].Tool == "calendar_moveEvents"
}

// unwritten is what a mail is for that says nothing; empty if there is none.
func (s state) unwritten() string {
	for _, t := range s.steps {
		if (t.Tool == "email_compose" || t.Tool == "calendar_notifyAttendees") && !t.hasText() {
			return t.HumanSummary
		}
	}
	return ""
}

// hasText reports whether a mail says something.
func (s step) hasText() bool {
	a := s.arguments
	old := a["kind"] == "reply" || a["kind"] == "forward"
	return s.said || old || a["body"] != nil || a["subject"] != nil || a["text"] != nil
}

// holds reports whether what follows hangs on the condition that was asked last.
func (s state) holds() bool { return s.branch != nil && s.branch == &s.condition.yes }

// name keeps who was named last.
func (s *state) name(people []string) {
	if len(people) > 0 {
		s.people, s.lately, s.wrote = people, true, false
	}
}

// give keeps what was given last.
func (s *state) give(of *source) { s.things, s.lately = of, false }

// add adds a step, in the branch unless it only reads, and returns its id.
func (s *state) add(t step, reads bool) string {
	names := strings.SplitN(t.Tool, "_", 2)
	id := names[len(names)-1]
	for n := 2; slices.ContainsFunc(s.steps, func(o step) bool { return o.ID == id }); n++ {
		id = names[len(names)-1] + strconv.Itoa(n)
	}
	if t.ID = id; !reads {
		s.deeds++
		if t.Condition == nil {
			t.Condition = s.branch
		}
	}
	s.steps = append(slices.Clip(s.steps), t)
	return id
}

// change changes the arguments of a step, of this state alone.
func (s *state) change(i int, set arguments) {
	s.steps = slices.Clone(s.steps)
	of := maps.Clone(s.steps[i].arguments)
	maps.Copy(of, set)
	s.steps[i].arguments = of
}

// from is a reference to what a step gave.
func from(id string) plan.Reference { return plan.Reference{From: id} }

// plan is the plan of the steps.
func (s state) plan(name string) (plan.Plan, error) {
	made := plan.Plan{Name: name}
	for _, t := range s.steps {
		raw, err := json.Marshal(s.addressed(t.arguments))
		if err != nil {
			return made, fmt.Errorf("step %s: %w", t.ID, err)
		}
		t.Arguments = raw
		made.Steps = append(made.Steps, t.Step)
	}
	return made, nil
}

// addressed is a value with the addresses that were said of people in place of their names.
func (s state) addressed(value any) any {
	switch v := value.(type) {
	case arguments:
		out := arguments{}
		for name, inner := range v {
			if list, ok := inner.([]string); ok && slices.Contains([]string{"to", "people", "attendees"}, name) {
				inner = s.reached(list)
			}
			out[name] = s.addressed(inner)
		}
		return out
	case []arguments:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.addressed(v[i])
		}
		return out
	}
	return value
}

func (s state) reached(names []string) (reached []string) {
	reached = []string{}
	for _, name := range names {
		if at, said := s.address[name]; said {
			name = at
		}
		reached = append(reached, name)
	}
	return reached
}
