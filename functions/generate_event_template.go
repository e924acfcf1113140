package functions

import (
	"cmp"
	"context"
	_ "embed"
	"net/mail"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed generate_event_template.md
var generateEventTemplateWords string

// TemplateArguments are a wish as a model read it.
type TemplateArguments struct {
	Title                     string          `json:"title"`
	EventType                 string          `json:"eventType" jsonschema:"enum=in-person,enum=video,enum=phone"`
	Activity                  string          `json:"activity" jsonschema:"enum=coffee,enum=breakfast,enum=brunch,enum=lunch,enum=dinner,enum=drinks,enum=meeting,enum=call,enum=custom"`
	Duration                  *int            `json:"duration" jsonschema:"nullable"`
	PreferredSchedulableDates []DateRange     `json:"preferredSchedulableDates"`
	PreferredSchedulableHours *Hours          `json:"preferredSchedulableHours" jsonschema:"nullable"`
	ExcludedDates             []DateRange     `json:"excludedDates"`
	ExcludedHours             *Hours          `json:"excludedHours" jsonschema:"nullable"`
	Participants              []string        `json:"participants"`
	UndecidedPeople           []string        `json:"undecidedPeople"`
	SuggestedPlaceTypes       []string        `json:"suggestedPlaceTypes"`
	IntentSpecificity         string          `json:"intentSpecificity" jsonschema:"enum=specific_place,enum=activity_type,enum=open"`
	ActivitySearchQuery       string          `json:"activitySearchQuery"`
	PlaceName                 string          `json:"placeName"`
	Wishes                    []Wish          `json:"wishes"`
	Where                     *Where          `json:"where" jsonschema:"nullable"`
	ExcludedPlaces            []string        `json:"excludedPlaces"`
	TravelBuffer              *Buffer         `json:"travelBuffer" jsonschema:"nullable"`
	SuggestedActivity         *int            `json:"suggestedActivity" jsonschema:"nullable"`
	CalendarAnchor            *CalendarAnchor `json:"calendarAnchor" jsonschema:"nullable"`
	Unhandled                 []string        `json:"unhandled"`
}

// TemplateContext is the turn as the handlers of stage 3 know it.
type TemplateContext struct {
	Turn meet.Turn
	// Search is the cached search, or nil.
	Search *meet.Search
	// Now is when the turn began: a suggestion that has begun by then has expired.
	Now time.Time
	// Suggestions are the activities shown earlier, BookingLinks the only pages that may be opened.
	Suggestions  []meet.Suggestion
	BookingLinks []string
	// Alias returns the name by which a person already takes part, given another one: in another script, or the surname.
	// Other names do not change. Nil changes none.
	Alias func(name string) string
	// Minutes is how long the organizer's meetings and calls are if the message says nothing; 0 is as usual.
	Minutes int
}

// known are the names as the template has them.
func (c TemplateContext) known(names []string) []string {
	if c.Alias == nil {
		return names
	}
	known := make([]string, len(names))
	for i, name := range names {
		known[i] = c.Alias(strings.TrimSpace(name))
	}
	return known
}

// GenerateEventTemplate turns a wish into a new template.
func GenerateEventTemplate() tool.Tool[TemplateContext, meet.Draft] {
	return tool.Define("generateEventTemplate", generateEventTemplateWords, generateEventTemplate)
}

func generateEventTemplate(_ context.Context, c TemplateContext, in TemplateArguments) (meet.Draft, error) {
	template, err := readTemplate(in, c.Minutes)
	if err != nil {
		return meet.Draft{}, err
	}
	template.Wishes = newWishes(in, c.Search)
	draft := meet.Draft{
		Mode: meet.ModeNew, Template: template, People: c.Turn.Participants, Anchor: in.CalendarAnchor.read(),
		Undecided: people(in.UndecidedPeople), Unhandled: trimmed(in.Unhandled),
	}
	if in.SuggestedActivity != nil {
		return fromSuggestion(draft, c, *in.SuggestedActivity)
	}
	return WithQuery(draft), nil
}

// WithQuery is a draft with the search for a venue that its template asks for, after a change of the template too.
func WithQuery(draft meet.Draft) meet.Draft {
	edit := draft.Edit
	switch {
	case !SeeksPlace(draft.Template):
		draft.CachedPlaces, draft.PlaceQuery = nil, nil
	case edit == nil || edit.ChangedPlace || len(draft.CachedPlaces) == 0:
		draft.PlaceQuery = PlaceQuery(draft.Template)
	}
	if draft.PlaceQuery != nil && edit != nil && edit.Elsewhere {
		draft.PlaceQuery.Without = draft.Before.ShownPlaces
	}
	return draft
}

// SeeksPlace reports whether a venue must be searched: people meet in person, and the wish has a purpose or a place.
// "At my place" is not searched.
func SeeksPlace(t meet.Template) bool {
	wished := len(t.Wishes.Features) > 0 || t.Wishes.Where != (meet.Whereabouts{})
	named := t.PlaceName != "" || t.ActivitySearchQuery != "" || len(t.SuggestedPlaceTypes) > 0
	return !t.Remote() && (t.Specificity != meet.Open || named || wished)
}

func readTemplate(in TemplateArguments, preferred int) (t meet.Template, err error) {
	t = meet.Template{
		Title:               titleCase(cmp.Or(meet.Caption(in.Title), in.Activity), in.Participants),
		EventType:           meet.EventType(in.EventType),
		Activity:            meet.Activity(in.Activity),
		Participants:        people(in.Participants),
		SuggestedPlaceTypes: trimmed(in.SuggestedPlaceTypes),
		Specificity:         meet.Specificity(in.IntentSpecificity),
		ActivitySearchQuery: meet.Caption(in.ActivitySearchQuery),
		PlaceName:           meet.Caption(in.PlaceName),
	}
	if strings.TrimSpace(in.Title) == "" {
		return t, tool.BadArgument("title", "must not be empty")
	}
	t.Duration = UsualDuration(t.Activity, preferred)
	if in.Duration != nil {
		if t.Duration, err = duration("duration", *in.Duration); err != nil {
			return t, err
		}
	}
	var errs [5]error
	t.Dates, errs[0] = dateRanges("preferredSchedulableDates", in.PreferredSchedulableDates)
	t.ExcludedDates, errs[1] = dateRanges("excludedDates", in.ExcludedDates)
	t.Hours, errs[2] = hours("preferredSchedulableHours", in.PreferredSchedulableHours)
	t.Hours = everyDay(t.Hours, t.Dates)
	t.ExcludedHours, errs[3] = hours("excludedHours", in.ExcludedHours)
	t.TravelBuffer, errs[4] = travel("travelBuffer", in.TravelBuffer)
	return t, cmp.Or(errs[:]...)
}

// usualDuration is the default length in minutes.
var usualDuration = map[meet.Activity]int{
	meet.Coffee: 30, meet.Breakfast: 45, meet.Brunch: 90, meet.Lunch: 60, meet.Dinner: 90,
	meet.Drinks: 60, meet.Meeting: 30, meet.Call: 30, meet.Custom: 120,
}

// UsualDuration is how long an activity takes in minutes if nobody says; a meeting or a call as long as the organizer
// prefers, unless preferred is 0.
func UsualDuration(a meet.Activity, preferred int) int {
	if preferred > 0 && (a == meet.Meeting || a == meet.Call) {
		return min(max(preferred, minDuration), maxDuration)
	}
	return usualDuration[a]
}

// fromSuggestion takes the venue, address and time from the suggestion. If it is no longer known, or has begun, the
// draft ends with that.
func fromSuggestion(draft meet.Draft, c TemplateContext, number int) (meet.Draft, error) {
	if len(c.Suggestions) == 0 {
		draft.Ending = meet.SuggestionForgotten
		return draft, nil
	}
	if number < 1 || number > len(c.Suggestions) {
		return meet.Draft{}, tool.BadArgument("suggestedActivity", "must be null or between 1 and %d", len(c.Suggestions))
	}
	chosen := c.Suggestions[number-1]
	if !chosen.Start.After(c.Now) {
		draft.Ending, draft.Template.Title = meet.SuggestionBegun, chosen.Title
		return draft, nil
	}
	start := chosen.Start.In(c.Turn.Zone())
	day, at := interval.DateOf(start), interval.ClockOf(start)
	t := &draft.Template
	t.Title = chosen.Title
	t.EventType = meet.InPerson
	t.Activity = meet.Custom
	t.Duration = min(max(int(chosen.End.Sub(chosen.Start).Minutes()), minDuration), maxDuration)
	t.Dates = []interval.DateRange{{Start: day, End: day}}
	t.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: at, End: at})}
	t.ExcludedDates, t.ExcludedHours = nil, nil
	t.Specificity = meet.SpecificPlace
	t.PlaceName = chosen.Venue
	draft.OnlyThen = true
	if chosen.Venue == "" {
		return draft, nil
	}
	draft.FixedPlace = &meet.Place{Name: chosen.Venue, Address: chosen.Address}
	if chosen.Point != nil {
		draft.FixedPlace.Location = *chosen.Point
	}
	return draft, nil
}

// people are names as captions. A bare email address stays whole, because contacts are found by it.
func people(in []string) (names []string) {
	for _, name := range in {
		address, err := mail.ParseAddress(strings.TrimSpace(name))
		if err == nil && address.Name == "" {
			names = append(names, address.Address)
		} else if name = meet.Caption(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func trimmed(in []string) []string {
	var out []string
	for _, s := range in {
		if s = meet.Caption(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
