package preference

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Rule is a preference with what is known of it besides its value.
type Rule struct {
	Value json.RawMessage `json:"value"`
	// Said are the person's own words that set it, at SaidAt. They are shown as a quotation, and mean nothing else. Empty
	// for one that a file or a program sets.
	Said   string    `json:"said,omitempty"`
	SaidAt time.Time `json:"saidAt,omitzero"`
	// Off says that it counts for nothing until it is switched on again.
	Off bool `json:"off,omitempty"`
}

// kept is the form of a rule in which it is not its plain value. No value has a member of that name.
type kept struct {
	Rule *Rule `json:"rule"`
}

// RuleOf is the rule that a value among Values has; a plain value is one that is on.
func RuleOf(value []byte) Rule {
	var k kept
	if json.Unmarshal(value, &k) == nil && k.Rule != nil {
		return *k.Rule
	}
	return Rule{Value: value}
}

// JSON is the rule as one of Values.
func (r Rule) JSON() ([]byte, error) {
	if r.Said == "" && !r.Off {
		return r.Value, nil
	}
	return meet.MarshalLine(kept{&r})
}

// saidLimit is how much of the person's words a rule quotes, in characters.
const saidLimit = 300

// SaidBy is the rule with the words that set it.
func (r Rule) SaidBy(words string, at time.Time) Rule {
	r.Said, r.SaidAt = strings.Join(strings.Fields(meet.Caption(words)), " "), at.Truncate(time.Second)
	if utf8.RuneCountInString(r.Said) > saidLimit {
		r.Said = string([]rune(r.Said)[:saidLimit-1]) + "…"
	}
	if r.Said == "" {
		r.SaidAt = time.Time{}
	}
	return r
}

// check is what Validate finds wrong with a rule apart from its value.
func (r Rule) check(key string) error {
	if utf8.RuneCountInString(r.Said) > saidLimit {
		return fault.Invalid(key+".rule.said", "There are at most %d characters.", saidLimit)
	}
	return nil
}

// Scope is what a rule is about, as far as it is not about everything.
type Scope struct {
	// Days are "monday" to "sunday", Hours "12:30-13:15"; of different hours on different days, all are listed.
	Days      []string `json:"days,omitempty"`
	Hours     []string `json:"hours,omitempty"`
	Calendars []string `json:"calendars,omitempty"`
}

// ScopeOf is the scope of the value of a preference.
func ScopeOf(key string, value []byte) (s Scope) {
	p := Read(Values{key: RuleOf(value).Value})
	var weeks []interval.Week
	for _, hours := range []*interval.Week{p.WorkingHours, p.MeetingHours} {
		if hours != nil {
			weeks = append(weeks, *hours)
		}
	}
	for _, protected := range p.Protected {
		weeks = append(weeks, protected.Week)
	}
	for day := range 7 {
		weekday := time.Weekday((day + 1) % 7)
		for _, week := range weeks {
			for _, w := range week[weekday] {
				s.Days = append(s.Days, strings.ToLower(weekday.String()))
				s.Hours = append(s.Hours, w.Start.String()+"-"+w.End.String())
			}
		}
	}
	s.Days = slices.Compact(s.Days)
	slices.Sort(s.Hours)
	s.Hours = slices.Compact(s.Hours)
	for _, name := range []string{p.WorkCalendar, p.PersonalCalendar} {
		if name != "" {
			s.Calendars = append(s.Calendars, name)
		}
	}
	return s
}
