package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// most is how many slots and places are ranked: the best and three alternatives.
const most = 4

// composer is the sentences of a message in one language, with holes for the title (%t), the time (%w) and the place
// (%p).
type composer struct {
	Suggested string `json:"suggested"`
	Moved     string `json:"moved"`
	Updated   string `json:"updated"`
	// At is what stands before a place, with a hole for it.
	At       string `json:"at"`
	Event    string `json:"event"`
	NoTime   string `json:"noTime"`
	Options  string `json:"options"`
	Times    string `json:"times"`
	Caution  string `json:"caution"`
	TryOne   string `json:"tryOne"`
	TryOther string `json:"tryOther"`
	// attaches says that At ends in a letter that goes onto the place.
	attaches bool
}

var englishComposer = composer{
	Suggested: "I suggest **%t** on **%w**%p.",
	Moved:     "I suggest moving **%t** to **%w**%p.",
	Updated:   "My new suggestion for **%t**: **%w**%p.",
	At:        " at %p",
	Event:     "your event",
	NoTime:    "I couldn't find a suitable time.",
	Options:   "I also considered these options:",
	Times:     "I also considered these alternative times:",
	Caution:   "may have conflicts",
	TryOne:    "Let me know if you'd like to try one of these instead!",
	TryOther:  "Let me know if you'd like to try something else!",
}

// words are the sentences of the document's language.
func (d selectData) words() composer {
	base, _, _ := strings.Cut(strings.ToLower(d.Language), "-")
	t, ok := tongues()[base]
	if !ok {
		return englishComposer
	}
	t.Compose.attaches = t.Particles != ""
	return t.Compose
}

// placed is a place with its preposition. The Hebrew one is a letter, with a dash before the letters of another script.
func (c composer) placed(link string) string {
	if link == "" {
		return ""
	}
	first := strings.IndexFunc(link, unicode.IsLetter)
	if c.attaches && first >= 0 {
		if r, _ := utf8.DecodeRuneInString(link[first:]); !unicode.Is(unicode.Hebrew, r) {
			link = "־" + link
		}
	}
	return strings.ReplaceAll(c.At, "%p", link)
}

// propose ranks the slots and places of a proposal and writes its message. All facts are copied as they stand.
func propose(d selectData) eventArguments {
	slots := rankSlots(d)
	places := []int{}
	if len(slots) > 0 {
		slots, places = rankPlaces(d, slots)
	}
	provider := "local"
	if len(d.CalendarProviders) > 0 {
		provider = d.CalendarProviders[0]
	}
	return eventArguments{
		RankedSlotIndices: slots, RankedPlaceIndices: places, CalendarProvider: provider,
		Message: d.proposal(slots, places),
	}
}

// rankSlots keeps the order given, but for three rules: a place that is fixed is open, leisure on a personal calendar
// goes to the evening or the weekend, and alternatives are on different days.
func rankSlots(d selectData) []int {
	if len(d.Slots) == 0 {
		return []int{}
	}
	best := 0
	if !d.SlotFixed {
		for i, s := range d.Slots {
			if s.State == d.Slots[0].State && d.drawback(s) < d.drawback(d.Slots[best]) {
				best = i
			}
		}
	}
	return differentDays(d.Slots, best, most)
}

// drawback grades a slot, the least the best: one at which the fixed place is closed after any other, and among those,
// one that does not suit leisure.
func (d selectData) drawback(s slotData) int {
	grade := 0
	if d.PlaceFixed && len(d.Places) > 0 && slices.Contains(d.Places[0].ClosedAt, s.Index) {
		grade += 2
	}
	if d.Activity == "custom" && d.CalendarType == "personal" && !s.Weekend && !s.Evening {
		grade++
	}
	return grade
}

// differentDays are the indices of up to n slots: the one at best, then the others, better states before worse ones and
// among those of one state the first of each other day before the rest.
func differentDays(slots []slotData, best, n int) []int {
	chosen := []int{best}
	days := map[string]bool{dayOf(slots[best].Short): true}
	add := func(state string, anew bool) {
		for i, s := range slots {
			if s.State == state && len(chosen) < n && !slices.Contains(chosen, i) && (!anew || !days[dayOf(s.Short)]) {
				days[dayOf(s.Short)] = true
				chosen = append(chosen, i)
			}
		}
	}
	for _, state := range statesOf(slots) {
		add(state, true)
		add(state, false)
	}
	indices := make([]int, 0, len(chosen))
	for _, i := range chosen {
		indices = append(indices, slots[i].Index)
	}
	return indices
}

// statesOf are the states that the slots have, the best first.
func statesOf(slots []slotData) []string {
	worse := []string{"free", "unknown", "conflict"}
	var states []string
	for _, s := range slots {
		if !slices.Contains(states, s.State) {
			states = append(states, s.State)
		}
	}
	rank := func(state string) int {
		if i := slices.Index(worse, state); i >= 0 {
			return i
		}
		return len(worse)
	}
	slices.SortStableFunc(states, func(a, b string) int { return rank(a) - rank(b) })
	return states
}

// dayOf is the part of a slot's short form that names the day: all before its hour.
func dayOf(short string) string {
	if i := strings.LastIndex(short, " at "); i > 0 {
		return short[:i]
	}
	if i := strings.IndexByte(short, ':'); i > 0 {
		return strings.TrimRight(short[:i], "0123456789")
	}
	return short
}

// rankPlaces puts open places first. Where every place is closed at the best slot, another slot that is as free
// goes first instead, if one has an open place.
func rankPlaces(d selectData, slots []int) ([]int, []int) {
	if len(d.Places) == 0 {
		return slots, []int{}
	}
	for n, slot := range slots {
		open := d.openPlaces(slot)
		if len(open) == 0 || n > 0 && (d.SlotFixed || d.stateOf(slot) != d.stateOf(slots[0])) {
			continue
		}
		others := slices.Delete(slices.Clone(slots), n, n+1)
		return append([]int{slot}, others...), open
	}
	return slots, []int{}
}

func (d selectData) stateOf(index int) string { return d.slot(index).State }

// slot and place are those of an index; the zero value where there is none.
func (d selectData) slot(index int) slotData {
	for _, s := range d.Slots {
		if s.Index == index {
			return s
		}
	}
	return slotData{}
}

func (d selectData) place(index int) placeData {
	for _, p := range d.Places {
		if p.Index == index {
			return p
		}
	}
	return placeData{}
}

// openPlaces are up to four places open at a slot, in the order given.
func (d selectData) openPlaces(slot int) []int {
	indices := []int{}
	for _, p := range d.Places {
		if !slices.Contains(p.ClosedAt, slot) && len(indices) < most {
			indices = append(indices, p.Index)
		}
	}
	return indices
}

// proposal is the message about the first slot and place.
func (d selectData) proposal(slots, places []int) string {
	words := d.words()
	if len(slots) == 0 {
		return words.NoTime + " " + words.TryOther
	}
	when, at, wishes := d.slot(slots[0]).When, "", ""
	if len(places) > 0 {
		at, wishes = words.placed(d.place(places[0]).Link), d.place(places[0]).Wishes
	}
	pattern := words.Suggested
	switch {
	case d.Mode == "edit" && d.Previous == when:
		pattern = words.Updated
	case d.Mode == "edit":
		pattern = words.Moved
	}
	title := firstOf(d.Title, words.Event)
	opening := strings.NewReplacer("%t", title, "%w", when, "%p", at).Replace(pattern)
	opening += lead(" ", d.Sentences.Medium) + lead(" ", d.Sentences.Length)
	if d.Sentences.Buffer != "" {
		opening += " *" + strings.Trim(d.Sentences.Buffer, "*") + "*"
	}
	return paragraphs(opening, d.Sentences.Conflict, d.Sentences.NoCommonTime, d.Sentences.Unread, d.Sentences.NoPlace,
		wishes, d.list(words.Options, slots, places), d.Sentences.Closing)
}

// list is the alternatives that may be shown.
func (d selectData) list(heading string, slots, places []int) string {
	var lines []string
	if d.ShowAlternativePlaces && len(places) > 1 {
		for _, i := range places[1:] {
			p := d.place(i)
			lines = append(lines, "- "+p.Link+lead(" - ", p.Hint))
		}
	}
	if d.ShowAlternativeTimes {
		for _, i := range slots[1:] {
			s := d.slot(i)
			lines = append(lines, "- **"+s.Short+"**"+lead(" - ", s.Hint))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return heading + "\n" + strings.Join(lines, "\n")
}

// otherTimes says that the original time stands, and lists up to three others on different days.
func otherTimes(d selectData) alternativesArguments {
	words := d.words()
	standing := d.Sentences.Standing
	if len(d.Slots) == 0 {
		return alternativesArguments{
			RankedSlotIndices: []int{}, Message: paragraphs(standing, d.Sentences.Unread, words.TryOther),
		}
	}
	indices := []int{}
	days := map[string]bool{}
	lines := []string{words.Times}
	for _, s := range d.Slots {
		if day := dayOf(s.Short); days[day] || len(indices) == most-1 {
			continue
		}
		days[dayOf(s.Short)] = true
		indices = append(indices, s.Index)
		line := "- **" + s.Short + "**"
		if s.State != "free" {
			line += " (" + words.Caution + ")"
		}
		lines = append(lines, line+lead(" - ", s.Hint))
	}
	return alternativesArguments{
		RankedSlotIndices: indices,
		Message:           paragraphs(standing, strings.Join(lines, "\n"), d.Sentences.Unread, words.TryOne),
	}
}

// paragraphs puts what is not empty under one another.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}
