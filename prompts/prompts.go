// Package prompts is what the models read. Each stage has one struct here with all that changes from turn to turn,
// and one template beside it. The static instructions come first and are byte-identical for every turn, so that a
// provider can cache them; what changes comes last, as one JSON document, so that nothing in it can pass for an
// instruction.
package prompts

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

// Prompt is a stage's prompt: System is the same for every turn, Data is what changes.
type Prompt struct {
	System string
	Data   string
	// CacheKey names the static part, so that a provider routes the requests that share it to one cache.
	CacheKey string
}

// Library is the static parts, read once.
type Library struct{ static map[string]string }

// New reads the templates that are built in.
func New() (Library, error) {
	parsed, err := template.ParseFS(files, "*.tmpl")
	if err != nil {
		return Library{}, fmt.Errorf("parse prompts: %w", err)
	}
	static := map[string]string{}
	for _, name := range []string{"classify", "template", "select"} {
		var text strings.Builder
		if err := parsed.ExecuteTemplate(&text, name+".tmpl", nil); err != nil {
			return Library{}, fmt.Errorf("prompt %s: %w", name, err)
		}
		static[name] = strings.TrimSpace(text.String())
	}
	return Library{static}, nil
}

// Instructions are all that the models are told beside the data. None of it is for a user to read.
func (l Library) Instructions() string {
	return l.static["classify"] + "\n\n" + l.static["template"] + "\n\n" + l.static["select"]
}

// Classify is the prompt of stage 1.
func (l Library) Classify(data Classify) (Prompt, error) { return l.prompt("classify", data) }

// Template is the prompt of stage 3.
func (l Library) Template(data Template) (Prompt, error) { return l.prompt("template", data) }

// Select is the prompt of stage 5, on both of its paths.
func (l Library) Select(data Select) (Prompt, error) { return l.prompt("select", data) }

// version is part of the cache key and changes with the static parts.
const version = "4"

func (l Library) prompt(name string, data any) (Prompt, error) {
	var body strings.Builder
	if err := json.NewEncoder(&body).Encode(data); err != nil {
		return Prompt{}, fmt.Errorf("prompt %s: %w", name, err)
	}
	return Prompt{
		System: l.static[name], Data: strings.TrimSpace(body.String()), CacheKey: "convene-" + name + "-" + version,
	}, nil
}

// Classify is what stage 1 shows the nano model.
type Classify struct {
	Message     string     `json:"message"`
	RecentTurns []Exchange `json:"recentTurns"`
	// HasEvent says that the conversation has a proposal that could be changed; HasActivities, that it has suggested
	// activities.
	HasEvent      bool `json:"hasEvent"`
	HasActivities bool `json:"hasActivities"`
}

// Exchange is an earlier turn.
type Exchange struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
}

// Template is what stage 3 shows the mini model.
type Template struct {
	Message     string     `json:"message"`
	RecentTurns []Exchange `json:"recentTurns"`
	// Now is RFC 3339 in the turn's zone; Days name the next three weeks, so that no model has to count.
	Now      string `json:"now"`
	Timezone string `json:"timezone"`
	Days     []Day  `json:"days"`
	// Participants are the people that the request named beside the message.
	Participants []string `json:"participants"`
	// People are those who may take part, with their zones: "3pm his time".
	People []Person `json:"people"`
	// Template is the cached template, as JSON of meet.Template; absent where there is none. Event is what was
	// proposed for it.
	Template json.RawMessage `json:"template,omitempty"`
	Event    *Event          `json:"event,omitempty"`
	// OfferedSlots and OfferedPlaces are the alternatives that were shown, in the order shown: "the second one".
	OfferedSlots  []Event  `json:"offeredSlots,omitempty"`
	OfferedPlaces []string `json:"offeredPlaces,omitempty"`
	// Activities were suggested earlier in the conversation.
	Activities []Activity `json:"activities,omitempty"`
	// BookingLinks are the only pages that navigateToBookingLink may name: those in the message and those of
	// profiles.
	BookingLinks []BookingLink `json:"bookingLinks,omitempty"`
}

// Person is somebody who may take part.
type Person struct {
	Name     string `json:"name"`
	Timezone string `json:"timezone"`
}

// Day is a date with its weekday: {"date":"2026-11-24","weekday":"Tuesday"}.
type Day struct {
	Date    string `json:"date"`
	Weekday string `json:"weekday"`
}

// Event is a time that was proposed or offered; RFC 3339 in the turn's zone.
type Event struct {
	Start string `json:"start"`
	End   string `json:"end"`
	Place string `json:"place,omitempty"`
	// Booked says that it stands in the calendars.
	Booked bool `json:"booked,omitempty"`
}

// Activity is a suggestion by its number, from 1.
type Activity struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Venue  string `json:"venue,omitempty"`
	Start  string `json:"start"`
	End    string `json:"end"`
	Kind   string `json:"kind,omitempty"`
	Free   bool   `json:"free,omitempty"`
}

// BookingLink is a page that may be opened, and whose it is; Person is empty for one that the user wrote.
type BookingLink struct {
	Person string `json:"person,omitempty"`
	URL    string `json:"url"`
}

// Select is what stage 5 shows the mini model, on both of its paths.
type Select struct {
	// Language is the BCP 47 tag to write in. Title and Previous are of the event; Previous is empty for a new one.
	Language string `json:"language"`
	Title    string `json:"title"`
	Mode     string `json:"mode"`
	Previous string `json:"previous,omitempty"`
	Activity string `json:"activity"`
	// People are those beside the organizer.
	People []string `json:"people"`
	// Slots and Places are the candidates, best first by the code's own ranking.
	Slots  []Slot  `json:"slots"`
	Places []Place `json:"places"`
	// SlotFixed and PlaceFixed say that the first of the list is chosen already, and only the rest is to be ranked.
	SlotFixed  bool `json:"slotFixed"`
	PlaceFixed bool `json:"placeFixed"`
	// What the message may list, and must say.
	ShowAlternativePlaces  bool `json:"showAlternativePlaces"`
	ShowAlternativeTimes   bool `json:"showAlternativeTimes"`
	IncludeConflictWarning bool `json:"includeConflictWarning"`
	// Sentences are ready-made, to be copied as they stand where they are not empty.
	Sentences Sentences `json:"sentences"`
	// CalendarProviders are the organizer's; CalendarType is personal or work.
	CalendarProviders []string `json:"calendarProviders"`
	CalendarType      string   `json:"calendarType"`
}

// Slot is a candidate time. When and Short are the only ways in which the message may write it.
type Slot struct {
	Index int `json:"index"`
	// When is the long form with every participant's local time where zones differ; Short is for lists.
	When  string `json:"when"`
	Short string `json:"short"`
	// State is free, unknown or conflict. Weekend and Evening (17:00 or later) serve the rule for leisure.
	State   string `json:"state"`
	Weekend bool   `json:"weekend"`
	Evening bool   `json:"evening"`
	// Hint is a ready-made few words for lists, as "start of the day".
	Hint string `json:"hint"`
}

// Place is a candidate venue. Link is the only way in which the message may write it.
type Place struct {
	Index      int     `json:"index"`
	Name       string  `json:"name"`
	Link       string  `json:"link"`
	Rating     float64 `json:"rating,omitempty"`
	DistanceKm float64 `json:"distanceKm"`
	// ClosedAt are the indices of the slots at which the place is closed, or somebody cannot be there in time.
	ClosedAt []int  `json:"closedAt,omitempty"`
	Hint     string `json:"hint"`
	// Wishes is a ready-made sentence that the message carries where this is the best place: how it stands to what was
	// wished for.
	Wishes string `json:"wishes,omitempty"`
}

// Sentences are facts that the message carries word for word.
type Sentences struct {
	Buffer string `json:"buffer,omitempty"`
	// Length tells of a changed duration.
	Length   string `json:"length,omitempty"`
	Conflict string `json:"conflict,omitempty"`
	Unread   string `json:"unread,omitempty"`
	NoPlace  string `json:"noPlace,omitempty"`
	// NoCommonTime says that nothing suits everybody as asked.
	NoCommonTime string `json:"noCommonTime,omitempty"`
	// Standing is for where nothing is proposed: nothing else suits, and the earlier time still stands.
	Standing string `json:"standing,omitempty"`
	Closing  string `json:"closing"`
}
