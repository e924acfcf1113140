package offline

import (
	"fmt"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// The arguments of the functions, as the strict schemas want them: every field is there, lists are never null, and
// what is not known is null or empty.

type classifyArguments struct {
	Intent         string `json:"intent"`
	Acknowledgment string `json:"acknowledgment"`
	Language       string `json:"language"`
	// Families and RequiresPlan are nil if the schema does not have them.
	Families     *[]string `json:"families,omitempty"`
	RequiresPlan *bool     `json:"requiresPlan,omitempty"`
}

type templateArguments struct {
	Title                     string           `json:"title"`
	EventType                 string           `json:"eventType"`
	Activity                  string           `json:"activity"`
	Duration                  *int             `json:"duration"`
	PreferredSchedulableDates []dateRange      `json:"preferredSchedulableDates"`
	PreferredSchedulableHours *hours           `json:"preferredSchedulableHours"`
	ExcludedDates             []dateRange      `json:"excludedDates"`
	ExcludedHours             *hours           `json:"excludedHours"`
	Participants              []string         `json:"participants"`
	UndecidedPeople           []string         `json:"undecidedPeople"`
	SuggestedPlaceTypes       []string         `json:"suggestedPlaceTypes"`
	IntentSpecificity         string           `json:"intentSpecificity"`
	ActivitySearchQuery       string           `json:"activitySearchQuery"`
	PlaceName                 string           `json:"placeName"`
	Wishes                    []string         `json:"wishes"`
	Where                     *whereArguments  `json:"where"`
	ExcludedPlaces            []string         `json:"excludedPlaces"`
	TravelBuffer              *bufferMinutes   `json:"travelBuffer"`
	SuggestedActivity         *int             `json:"suggestedActivity"`
	CalendarAnchor            *anchorArguments `json:"calendarAnchor"`
	// Unhandled stays empty: the account of the words of a message is made by the stage, for any model.
	Unhandled []string `json:"unhandled"`
}

type editArguments struct {
	EditType               string           `json:"editType"`
	TimePreference         string           `json:"timePreference"`
	IsConditional          bool             `json:"isConditional"`
	NewTitle               *string          `json:"newTitle"`
	NewEventType           *string          `json:"newEventType"`
	NewActivity            *string          `json:"newActivity"`
	NewDuration            *int             `json:"newDuration"`
	NewDates               []dateRange      `json:"newPreferredSchedulableDates"`
	NewHours               *hours           `json:"newPreferredSchedulableHours"`
	NewExcludedDates       []dateRange      `json:"newExcludedDates"`
	NewExcludedHours       *hours           `json:"newExcludedHours"`
	AddParticipants        []string         `json:"addParticipants"`
	RemoveParticipants     []string         `json:"removeParticipants"`
	NewPlaceType           *string          `json:"newPlaceType"`
	NewPlaceName           *string          `json:"newPlaceName"`
	NewActivitySearchQuery *string          `json:"newActivitySearchQuery"`
	AddWishes              []string         `json:"addWishes"`
	RemoveWishes           []string         `json:"removeWishes"`
	NewWhere               *whereArguments  `json:"newWhere"`
	ExcludePlaces          []string         `json:"excludePlaces"`
	AllowPlaces            []string         `json:"allowPlaces"`
	NewTravelBuffer        *bufferMinutes   `json:"newTravelBuffer"`
	NewCalendarAnchor      *anchorArguments `json:"newCalendarAnchor"`
	Unhandled              []string         `json:"unhandled"`
}

type anchorArguments struct {
	Relation    string `json:"relation"`
	Event       string `json:"event"`
	SecondEvent string `json:"secondEvent"`
}

type whereArguments struct {
	Area     string `json:"area"`
	Landmark string `json:"landmark"`
	Person   string `json:"person"`
	Anchor   string `json:"anchor"`
}

type navigateArguments struct {
	URL string `json:"url"`
}

type eventArguments struct {
	RankedSlotIndices  []int  `json:"rankedSlotIndices"`
	RankedPlaceIndices []int  `json:"rankedPlaceIndices"`
	CalendarProvider   string `json:"calendarProvider"`
	Message            string `json:"message"`
}

type alternativesArguments struct {
	RankedSlotIndices []int  `json:"rankedSlotIndices"`
	Message           string `json:"message"`
}

type dateRange struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type hours struct {
	Mon []window    `json:"mon"`
	Tue []window    `json:"tue"`
	Wed []window    `json:"wed"`
	Thu []window    `json:"thu"`
	Fri []window    `json:"fri"`
	Sat []window    `json:"sat"`
	Sun []window    `json:"sun"`
	On  []dateHours `json:"on"`
}

type window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type dateHours struct {
	Date    string   `json:"date"`
	Windows []window `json:"windows"`
}

type bufferMinutes struct {
	BeforeMinutes int `json:"beforeMinutes"`
	AfterMinutes  int `json:"afterMinutes"`
}

func dates(ranges []interval.DateRange) []dateRange {
	out := make([]dateRange, 0, len(ranges))
	for _, r := range ranges {
		out = append(out, dateRange{r.Start.String(), r.End.String()})
	}
	return out
}

func oneDay(t time.Time) []dateRange {
	day := interval.DateOf(t).String()
	return []dateRange{{day, day}}
}

// hoursOf are windows as arguments; nil where there are none.
func hoursOf(h when.Hours) *hours {
	if h.Empty() {
		return nil
	}
	out := &hours{On: make([]dateHours, 0, len(h.On))}
	for day, windows := range h.Week {
		*out.day(time.Weekday(day)) = windowsOf(windows)
	}
	for _, on := range h.On {
		out.On = append(out.On, dateHours{on.Date.String(), windowsOf(on.Windows)})
	}
	return out
}

func (h *hours) day(d time.Weekday) *[]window {
	return [7]*[]window{&h.Sun, &h.Mon, &h.Tue, &h.Wed, &h.Thu, &h.Fri, &h.Sat}[d]
}

func windowsOf(windows []interval.Window) []window {
	out := make([]window, 0, len(windows))
	for _, w := range windows {
		out = append(out, window{w.Start.String(), w.End.String()})
	}
	return out
}

// exactly are the hours that name one start on every day.
func exactly(t time.Time) *hours {
	at := interval.ClockOf(t)
	return hoursOf(when.Hours{Week: interval.EveryDay(interval.Window{Start: at, End: at})})
}

// wanted are the hours of a reading for an event of so many minutes. "Around 7" bounds the start, so the window grows
// by the event's length; "from 9 to 5" for something short is a window and no event of eight hours.
func wanted(r when.Reading, minutes int) *hours {
	h := r.Hours
	if !r.About || minutes <= 0 {
		return hoursOf(h)
	}
	for day, windows := range h.Week {
		h.Week[day] = widened(windows, minutes)
	}
	for i := range h.On {
		h.On[i].Windows = widened(h.On[i].Windows, minutes)
	}
	return hoursOf(h)
}

func widened(windows []interval.Window, by int) []interval.Window {
	out := make([]interval.Window, 0, len(windows))
	for _, w := range windows {
		if !w.Exact() {
			w.End = min(w.End+interval.Clock(by), interval.EndOfDay)
		}
		out = append(out, w)
	}
	return out
}

// excluded are the hours that must not be, days of the week that must not be as whole days.
func excluded(r when.Reading) *hours {
	h := r.ExcludedHours
	for _, day := range r.ExcludedWeekdays {
		h.Week[day] = []interval.Window{{Start: 0, End: interval.EndOfDay}}
	}
	return hoursOf(h)
}

// minutesOf is a length as an argument; nil where none was said.
func minutesOf(d time.Duration) *int {
	if d <= 0 {
		return nil
	}
	minutes := max(int(d/time.Minute), 5)
	return &minutes
}

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("time %q: %w", s, err)
	}
	return t, nil
}
