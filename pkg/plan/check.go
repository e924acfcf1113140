package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The limits of a plan.
const (
	MostSteps   = 40
	MostItems   = 200
	MostRetries = 3
)

// Problems are all that is wrong with a plan, in words for the model that made it.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// idForm is that of a step's id.
var idForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// Check returns Problems with all that is wrong with a plan, before any of it runs; nil if it can run.
func Check(p Plan, tools Catalogue) error {
	c := checker{plan: p, tools: tools, index: map[string]int{}}
	if n := len(p.Steps); n == 0 || n > MostSteps {
		c.add("a plan has 1 to %d steps, and this one has %d", MostSteps, n)
	}
	for i, s := range p.Steps[:min(len(p.Steps), MostSteps)] {
		if _, twice := c.index[s.ID]; twice {
			c.add("two steps have the id %q", s.ID)
		}
		if !idForm.MatchString(s.ID) {
			c.add("step %d: the id %q must be a letter and up to 39 letters, digits, - or _", i+1, s.ID)
		}
		c.index[s.ID] = i
	}
	for _, s := range p.Steps[:min(len(p.Steps), MostSteps)] {
		c.step(s)
	}
	if len(c.problems) == 0 {
		c.cycles()
	}
	if len(c.problems) == 0 {
		return nil
	}
	return c.problems
}

type checker struct {
	plan     Plan
	tools    Catalogue
	index    map[string]int
	problems Problems
}

func (c *checker) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// step checks a step by itself, and what it refers to.
func (c *checker) step(s Step) {
	for _, id := range s.DependsOn {
		if _, ok := c.index[id]; !ok || id == s.ID {
			c.add("step %s: dependsOn names %q, which is no other step", s.ID, id)
		}
	}
	if s.Retries < 0 || s.Retries > MostRetries {
		c.add("step %s: retries is %d, and must be 0 to %d", s.ID, s.Retries, MostRetries)
	}
	if s.Condition != nil {
		c.condition(s)
	}
	if s.ForEach != nil {
		if given, ok := c.given(s, "forEach", s.ForEach.From); ok && given == "number" || given == "text" {
			c.add("step %s: forEach needs a list, and %q gives a %s", s.ID, s.ForEach.From, given)
		}
	}
	t, ok := c.tools(s.Tool)
	switch {
	case !ok:
		c.add("step %s: there is no tool %q", s.ID, s.Tool)
	case !t.Offered:
		c.add("step %s: the tool %q is not offered here", s.ID, s.Tool)
	default:
		c.arguments(s, t)
	}
}

func (c *checker) condition(s Step) {
	c.given(s, "condition", s.Condition.From)
	if !slices.Contains([]Is{Empty, NotEmpty, MoreThan}, s.Condition.Is) {
		c.add("step %s: condition.is is %q, and must be %q, %q or %q", s.ID, s.Condition.Is, Empty, NotEmpty, MoreThan)
	}
	if s.Condition.N < 0 {
		c.add("step %s: condition.n is %d, and must not be negative", s.ID, s.Condition.N)
	}
}

// given is the kind of what a step refers to; false, with a problem, if there is no such step.
func (c *checker) given(s Step, where, from string) (kind string, ok bool) {
	i, ok := c.index[from]
	if !ok || from == s.ID {
		c.add("step %s: %s refers to %q, which is no other step", s.ID, where, from)
		return "", false
	}
	t, _ := c.tools(c.plan.Steps[i].Tool)
	return t.gives(), true
}

// arguments checks a step's arguments, with a sample for each reference.
func (c *checker) arguments(s Step, t Tool) {
	referred := true
	sample, err := s.replace(t, func(at place, ref reference) (any, error) {
		if ref.From == "" && s.ForEach == nil {
			c.add("step %s: %s is a member of an item, and the step has no forEach", s.ID, at.path)
			referred = false
		}
		if ref.From != "" {
			referred = c.reference(s, at, ref) && referred
		}
		return at.sample(), nil
	})
	if err == nil && referred && t.Fits != nil {
		err = t.Fits(sample)
	}
	if err != nil {
		c.add("step %s: arguments of %s: %s", s.ID, s.Tool, strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// reference checks what stands in arguments for what a step gives.
func (c *checker) reference(s Step, at place, ref reference) bool {
	if _, ok := c.given(s, at.path, ref.From); !ok {
		return false
	}
	from := c.plan.Steps[c.index[ref.From]]
	given, known := c.tools(from.Tool)
	if known && !at.suits(given, ref.Member) {
		needs := string(at.wants())
		if needs == string(wantIDs) {
			needs += " of " + at.kind()
		}
		c.add("step %s: %s needs %s, and %q gives %s", s.ID, at.path, needs, ref.From, given.gives())
		return false
	}
	return true
}

// sample is a value that fits the place.
func (p place) sample() any {
	switch p.is.Type {
	case "array":
		return []any{}
	case "integer", "number":
		return json.Number("1")
	case "object":
		return map[string]any{}
	case "boolean":
		return true
	}
	return "x"
}

// cycles names the steps that wait for each other.
func (c *checker) cycles() {
	needs := make([][]string, len(c.plan.Steps))
	for i, s := range c.plan.Steps {
		needs[i] = s.Needs()
	}
	order := order(c.plan, needs)
	if len(order) == len(c.plan.Steps) {
		return
	}
	var left []string
	for i, s := range c.plan.Steps {
		if !slices.Contains(order, i) {
			left = append(left, s.ID)
		}
	}
	c.add("these steps wait for each other: %s", strings.Join(left, ", "))
}

// Needs are the ids of the steps that must end before a step: those that it refers to and those that it names.
func (s Step) Needs() []string {
	needs := slices.Clone(s.DependsOn)
	if s.Condition != nil {
		needs = append(needs, s.Condition.From)
	}
	if s.ForEach != nil {
		needs = append(needs, s.ForEach.From)
	}
	needs = append(needs, s.refers()...)
	slices.Sort(needs)
	return slices.Compact(needs)
}

// refers are the steps to which the arguments refer.
func (s Step) refers() (from []string) {
	value, err := decoded(s.Arguments)
	if err != nil {
		return nil
	}
	_, _ = replaced(value, place{is: &Schema{}}, func(_ place, ref reference) (any, error) {
		if ref.From != "" {
			from = append(from, ref.From)
		}
		return nil, nil
	})
	return from
}

// order are the indices of the steps, each after what it needs and otherwise as they are listed; without those that
// wait for each other.
func order(p Plan, needs [][]string) (indices []int) {
	done, taken := map[string]bool{}, make([]bool, len(p.Steps))
	for {
		next := -1
		for i := range p.Steps {
			if !taken[i] && !slices.ContainsFunc(needs[i], func(id string) bool { return !done[id] }) {
				next = i
				break
			}
		}
		if next < 0 {
			return indices
		}
		taken[next], done[p.Steps[next].ID] = true, true
		indices = append(indices, next)
	}
}
