package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// rawFile is a file in the form that the package describes.
type rawFile struct {
	Description string              `json:"description"`
	Timezone    string              `json:"timezone"`
	Area        []string            `json:"area"`
	Elsewhere   []string            `json:"elsewhere"`
	Words       map[string][]string `json:"words"`
	Particles   string              `json:"particles"`
	Binding     []string            `json:"binding"`
	Unsaid      []string            `json:"unsaid"`
	Activities  []json.RawMessage   `json:"activities"`
}

type rawThing struct {
	Title    string    `json:"title"`
	Venue    string    `json:"venue"`
	Address  string    `json:"address"`
	Location []float64 `json:"location"`
	URL      string    `json:"url"`
	Tags     []string  `json:"tags"`
	Visit    int       `json:"visit"`
	When     []rawRule `json:"when"`
}

type rawRule struct {
	Days   []string       `json:"days"`
	Start  interval.Clock `json:"start"`
	End    interval.Clock `json:"end"`
	Months []int          `json:"months"`
	Weeks  []int          `json:"weeks"`
}

func readFile(r io.Reader) (*Catalogue, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	var raw rawFile
	if err := decode(bytes.TrimPrefix(body, []byte("\ufeff")), &raw); err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(raw.Timezone)
	if err != nil || raw.Timezone == "" || raw.Timezone == "Local" {
		return nil, fmt.Errorf("timezone: %q is not an IANA zone", raw.Timezone)
	}
	c := &Catalogue{
		zone: zone, meanings: map[string]string{}, particles: raw.Particles, binding: raw.Binding,
		areas: phrases(raw.Area), elsewhere: phrases(raw.Elsewhere), known: map[string]bool{},
	}
	titles := map[string]bool{}
	for i, one := range raw.Activities {
		t, err := readThing(one)
		if err == nil && titles[t.Title] {
			err = errors.New("title: another activity has the same")
		}
		if err != nil {
			return nil, fmt.Errorf("activity %d (%q): %w", i, t.Title, err)
		}
		titles[t.Title] = true
		c.activities = append(c.activities, t)
		for _, w := range words(t.Title + " " + t.Venue + " " + t.Address) {
			c.known[w] = true
		}
		for _, tag := range t.tags {
			c.learn(tag, tag)
		}
	}
	for _, phrase := range raw.Unsaid {
		c.learn(phrase, nothing)
	}
	return c, c.learnWords(raw.Words)
}

// phrases splits names into words.
func phrases(names []string) (list [][]string) {
	for _, name := range names {
		if said := words(name); len(said) > 0 {
			list = append(list, said)
		}
	}
	return list
}

// learnWords adds the synonyms of tags. A phrase must not have two meanings.
func (c *Catalogue) learnWords(lists map[string][]string) error {
	for _, tag := range slices.Sorted(maps.Keys(lists)) {
		for _, phrase := range lists[tag] {
			if other := c.learn(phrase, tag); other != tag {
				return fmt.Errorf("words: %q means both %q and %q", phrase, other, tag)
			}
		}
	}
	return nil
}

// learn adds a phrase and returns its tag: an earlier meaning stays.
func (c *Catalogue) learn(phrase, tag string) string {
	list := words(phrase)
	phrase = strings.Join(list, " ")
	if have := c.meanings[phrase]; have != "" {
		return have
	}
	c.meanings[phrase] = tag
	c.longest = max(c.longest, len(list))
	return tag
}

func readThing(one json.RawMessage) (t thing, err error) {
	var raw rawThing
	err = decode(one, &raw)
	t = thing{
		Suggestion: meet.Suggestion{
			Title: strings.TrimSpace(raw.Title), Venue: raw.Venue, Address: raw.Address, URL: raw.URL,
		},
		tags: raw.Tags,
	}
	if err != nil {
		return t, err
	}
	if t.Title == "" {
		return t, errors.New("title: an activity needs one")
	}
	if len(t.tags) == 0 || slices.ContainsFunc(t.tags, func(tag string) bool { return len(words(tag)) == 0 }) {
		return t, errors.New("tags: an activity needs one at least, and none may be empty")
	}
	if u, err := url.Parse(t.URL); t.URL != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		return t, fmt.Errorf("url: %q is not an https address", t.URL)
	}
	t.Kind, t.Free = t.tags[0], slices.Contains(t.tags, freeTag)
	if t.Point, err = readPoint(raw.Location); err != nil {
		return t, fmt.Errorf("location: %w", err)
	}
	if t.visit = time.Duration(raw.Visit) * time.Minute; raw.Visit < 0 || raw.Visit > maxVisit {
		return t, fmt.Errorf("visit: %d is not between 1 and %d minutes", raw.Visit, maxVisit)
	}
	t.rules, err = readRules(raw.When)
	return t, err
}

// maxVisit bounds a visit, in minutes.
const maxVisit = 12 * 60

// readPoint is nil for a thing without a location.
func readPoint(at []float64) (*geo.Point, error) {
	switch {
	case len(at) == 0:
		return nil, nil
	case len(at) != 2:
		return nil, errors.New("it is not [longitude, latitude]")
	case math.Abs(at[0]) > 180 || math.Abs(at[1]) > 90:
		return nil, fmt.Errorf("%v is not on the globe: the longitude comes first", at)
	}
	return &geo.Point{Longitude: at[0], Latitude: at[1]}, nil
}

func readRules(raw []rawRule) ([]rule, error) {
	if len(raw) == 0 {
		return nil, errors.New("when: an activity needs a time at least")
	}
	var rules []rule
	for i, one := range raw {
		r, err := readRule(one)
		if err != nil {
			return nil, fmt.Errorf("when %d: %w", i, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func readRule(raw rawRule) (r rule, err error) {
	if len(raw.Days) == 0 {
		return r, errors.New("days: a rule needs one at least")
	}
	for _, name := range raw.Days {
		day := slices.Index([]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}, name)
		if day < 0 {
			return r, fmt.Errorf("days: %q is not one of mon, tue, wed, thu, fri, sat and sun", name)
		}
		r.days = append(r.days, time.Weekday(day))
	}
	if raw.Start == raw.End || raw.Start == interval.EndOfDay {
		return r, fmt.Errorf("start: from %s to %s is no time at all", raw.Start, raw.End)
	}
	r.window = interval.Window{Start: raw.Start, End: raw.End}
	for _, m := range raw.Months {
		if m < 1 || m > 12 {
			return r, fmt.Errorf("months: %d is not between 1 and 12", m)
		}
		r.months = append(r.months, time.Month(m))
	}
	for _, w := range raw.Weeks {
		if w != -1 && (w < 1 || w > 5) {
			return r, fmt.Errorf("weeks: %d is neither between 1 and 5 nor -1", w)
		}
	}
	r.weeks = raw.Weeks
	return r, nil
}

// decode reads one JSON value and refuses unknown members, because a misspelt one would be lost.
func decode(body []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("not in the form of an activities file: %w", err)
	}
	return nil
}
