package functions

// The arguments of the functions, as the models write them. Every field is required by the strict schema; a pointer is
// one that may be null. Dates are "YYYY-MM-DD", clock times "HH:MM" in 24 hours, local to the turn's zone.

// ClassifyArguments of classifyIntent.
type ClassifyArguments struct {
	Intent         string `json:"intent" jsonschema:"enum=handle_event,enum=show_more,enum=suggest_activities,enum=converse"`
	Acknowledgment string `json:"acknowledgment"`
	Language       string `json:"language"`
}

// TemplateArguments of generateEventTemplate.
type TemplateArguments struct {
	Title                     string         `json:"title"`
	EventType                 string         `json:"eventType" jsonschema:"enum=in-person,enum=video,enum=phone"`
	Activity                  string         `json:"activity" jsonschema:"enum=coffee,enum=breakfast,enum=brunch,enum=lunch,enum=dinner,enum=drinks,enum=meeting,enum=call,enum=custom"`
	Duration                  *int           `json:"duration"`
	PreferredSchedulableDates []DateRange    `json:"preferredSchedulableDates"`
	PreferredSchedulableHours *HoursArgument `json:"preferredSchedulableHours"`
	ExcludedDates             []DateRange    `json:"excludedDates"`
	ExcludedHours             *HoursArgument `json:"excludedHours"`
	Participants              []string       `json:"participants"`
	SuggestedPlaceTypes       []string       `json:"suggestedPlaceTypes"`
	IntentSpecificity         string         `json:"intentSpecificity" jsonschema:"enum=specific_place,enum=activity_type,enum=open"`
	ActivitySearchQuery       string         `json:"activitySearchQuery"`
	PlaceName                 string         `json:"placeName"`
	TravelBuffer              *BufferMinutes `json:"travelBuffer"`
	// SuggestedActivity is the number of the earlier suggestion that is meant, null where none is.
	SuggestedActivity *int `json:"suggestedActivity"`
}

// DateRange is days, both ends included.
type DateRange struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// HoursArgument is windows by weekday, and by date where a date differs.
type HoursArgument struct {
	Mon []WindowArgument    `json:"mon"`
	Tue []WindowArgument    `json:"tue"`
	Wed []WindowArgument    `json:"wed"`
	Thu []WindowArgument    `json:"thu"`
	Fri []WindowArgument    `json:"fri"`
	Sat []WindowArgument    `json:"sat"`
	Sun []WindowArgument    `json:"sun"`
	On  []DateHoursArgument `json:"on"`
}

// WindowArgument is a stretch of a day; start = end is an exact start time.
type WindowArgument struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// DateHoursArgument is the windows of one date.
type DateHoursArgument struct {
	Date    string           `json:"date"`
	Windows []WindowArgument `json:"windows"`
}

// BufferMinutes is travel before and after.
type BufferMinutes struct {
	BeforeMinutes int `json:"beforeMinutes"`
	AfterMinutes  int `json:"afterMinutes"`
}

// EditArguments of editEventTemplate. A null field stays as it was.
type EditArguments struct {
	EditType         string         `json:"editType" jsonschema:"enum=time,enum=date,enum=duration,enum=place,enum=participants,enum=title,enum=multiple"`
	TimePreference   string         `json:"timePreference" jsonschema:"enum=earlier,enum=later,enum=none"`
	IsConditional    bool           `json:"isConditional"`
	NewTitle         *string        `json:"newTitle"`
	NewEventType     *string        `json:"newEventType" jsonschema:"enum=in-person,enum=video,enum=phone"`
	NewActivity      *string        `json:"newActivity" jsonschema:"enum=coffee,enum=breakfast,enum=brunch,enum=lunch,enum=dinner,enum=drinks,enum=meeting,enum=call,enum=custom"`
	NewDuration      *int           `json:"newDuration"`
	NewDates         []DateRange    `json:"newPreferredSchedulableDates"`
	NewHours         *HoursArgument `json:"newPreferredSchedulableHours"`
	NewExcludedDates []DateRange    `json:"newExcludedDates"`
	NewExcludedHours *HoursArgument `json:"newExcludedHours"`
	// AddParticipants and RemoveParticipants are names.
	AddParticipants        []string       `json:"addParticipants"`
	RemoveParticipants     []string       `json:"removeParticipants"`
	NewPlaceType           *string        `json:"newPlaceType"`
	NewPlaceName           *string        `json:"newPlaceName"`
	NewActivitySearchQuery *string        `json:"newActivitySearchQuery"`
	NewTravelBuffer        *BufferMinutes `json:"newTravelBuffer"`
}

// NavigateArguments of navigateToBookingLink. The URL must be one of the booking links that were shown.
type NavigateArguments struct {
	URL string `json:"url"`
}

// GenerateEventArguments of generateEvent. The order of the fields is the order of writing: the ranks are known before
// the first word of the message.
type GenerateEventArguments struct {
	RankedSlotIndices  []int  `json:"rankedSlotIndices"`
	RankedPlaceIndices []int  `json:"rankedPlaceIndices"`
	CalendarProvider   string `json:"calendarProvider" jsonschema:"enum=google,enum=microsoft,enum=apple,enum=caldav,enum=ics,enum=local"`
	Message            string `json:"message"`
}

// AlternativesArguments of provideAlternatives.
type AlternativesArguments struct {
	RankedSlotIndices []int  `json:"rankedSlotIndices"`
	Message           string `json:"message"`
}
