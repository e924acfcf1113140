// Package prompts has the prompts of the models. Each stage has a struct with the data of a turn, and a template with
// static instructions. The instructions come first and are byte-identical for every turn, so that a provider can cache
// them; the data comes last, as one JSON document, so that nothing in it can pass for an instruction.
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

// Prompt is a stage's prompt: System is the same for every turn, Data is of the turn.
type Prompt struct {
	System string
	Data   string
	// CacheKey names the static part, so that a provider routes the requests with it to one cache.
	CacheKey string
}

// Library holds the static parts, read once.
type Library struct{ static map[string]string }

// New reads the embedded templates.
func New() (Library, error) {
	parsed, err := template.ParseFS(files, "*.tmpl")
	if err != nil {
		return Library{}, fmt.Errorf("parse prompts: %w", err)
	}
	static := map[string]string{}
	for _, name := range []string{"classify", "template", "select", "plan", "steps"} {
		var text strings.Builder
		if err := parsed.ExecuteTemplate(&text, name+".tmpl", nil); err != nil {
			return Library{}, fmt.Errorf("prompt %s: %w", name, err)
		}
		static[name] = strings.TrimSpace(text.String())
	}
	return Library{static}, nil
}

// Instructions are the static parts of all prompts. Users must not see them. The examples of plans are left out: a good
// plan may repeat one, and none says more than a plan.
func (l Library) Instructions() string {
	steps := l.static["steps"]
	rules, _, _ := strings.Cut(steps, "\nExamples,")
	ending := steps[strings.LastIndex(steps, "\n\n"):]
	return l.static["classify"] + "\n\n" + l.static["template"] + "\n\n" + l.static["select"] + "\n\n" +
		l.static["plan"] + "\n\n" + rules + ending
}

// Classify is the prompt of stage 1.
func (l Library) Classify(data Classify) (Prompt, error) { return l.prompt("classify", data) }

// Template is the prompt of stage 3.
func (l Library) Template(data Template) (Prompt, error) { return l.prompt("template", data) }

// Select is the prompt of stage 5, on both of its paths.
func (l Library) Select(data Select) (Prompt, error) { return l.prompt("select", data) }

// Plan is the prompt of stage 3 for anything but an event. The cache key names the bundle of tools too.
func (l Library) Plan(bundle string, data Plan) (Prompt, error) {
	p, err := l.prompt("plan", data)
	p.CacheKey += "-" + bundle
	return p, err
}

// Steps is the prompt of stage 3 for a message that takes several steps.
func (l Library) Steps(bundle string, data Plan) (Prompt, error) {
	p, err := l.prompt("steps", data)
	p.CacheKey += "-" + bundle
	return p, err
}

// version is part of the cache key and changes with the static parts.
const version = "11"

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
	// HasEvent says that the conversation has a proposal to change; HasActivities, that it has suggested activities.
	HasEvent      bool `json:"hasEvent"`
	HasActivities bool `json:"hasActivities"`
	// Names are words of the message that may mean contacts.
	Names []string `json:"names,omitempty"`
	// Tasks are words of the message that name tasks which the user has. Shown is as in Plan.
	Tasks []string `json:"tasks,omitempty"`
	Shown *Shown   `json:"shown,omitempty"`
	// DayAtHand is as in Plan.
	DayAtHand string `json:"dayAtHand,omitempty"`
}

// Plan is what stage 3 shows the mini model if the message is about the user's day and not about a new event. It has
// nothing that a calendar says.
type Plan struct {
	Message     string     `json:"message"`
	RecentTurns []Exchange `json:"recentTurns"`
	// Now, Timezone and Days are as in Template.
	Now      string `json:"now"`
	Timezone string `json:"timezone"`
	Days     []Day  `json:"days"`
	// People are contacts whom words of the message may mean.
	People []Person `json:"people"`
	// Previous is the call before, which a message changes: "make it 4:30 instead".
	Previous *Call `json:"previous,omitempty"`
	// Shown is what was listed last, by type and number: "the second one" is the second of these.
	Shown *Shown `json:"shown,omitempty"`
	// DayAtHand is the day of what was shown or arranged last, as YYYY-MM-DD: "that day".
	DayAtHand string `json:"dayAtHand,omitempty"`
	// Tasks are words of the message that name tasks which the user has.
	Tasks []string `json:"tasks,omitempty"`
	// Event says that the conversation has arranged an event: "that", "it".
	Event bool `json:"event,omitempty"`
	// Attempt is a plan of the message that did not work out.
	Attempt []Attempted `json:"attempt,omitempty"`
}

// Attempted is what came of a step of a plan, without anything that it read.
type Attempted struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Status    string          `json:"status"`
	// Gives is the type of what the step gives, and Count how many there were; nil if it has not ended.
	Gives string `json:"gives"`
	Count *int   `json:"count"`
	// Error is the code of what went wrong; empty if nothing did.
	Error string `json:"error,omitempty"`
}

// Call is a call of a function.
type Call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// Shown is a list that the user has seen.
type Shown struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
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
	// Participants are the people in the request, besides the message.
	Participants []string `json:"participants"`
	// People are those who may take part: whom the message names, and those of the event. Zones are for "3pm his time".
	People []Person `json:"people"`
	// Places are what words of the message may mean.
	Places []NamedPlace `json:"places,omitempty"`
	// Template is the cached template, as JSON of meet.Template, if there is one. Event is its proposal.
	Template json.RawMessage `json:"template,omitempty"`
	Event    *Event          `json:"event,omitempty"`
	// OfferedSlots and OfferedPlaces are the alternatives in the order shown, for "the second one".
	OfferedSlots  []Event  `json:"offeredSlots,omitempty"`
	OfferedPlaces []string `json:"offeredPlaces,omitempty"`
	// FreeTimes are the gaps or times of the user's day that the turn before listed: "in the second gap".
	FreeTimes []Event `json:"freeTimes,omitempty"`
	// DayAtHand is as in Plan.
	DayAtHand string `json:"dayAtHand,omitempty"`
	// Activities were suggested earlier in the conversation.
	Activities []Activity `json:"activities,omitempty"`
	// BookingLinks are the only pages that navigateToBookingLink may name: those in the message and in profiles.
	BookingLinks []BookingLink `json:"bookingLinks,omitempty"`
}

// Person is a person who may take part.
type Person struct {
	Name     string `json:"name"`
	Timezone string `json:"timezone,omitempty"`
	// Said are the words of the message that may mean the person.
	Said []string `json:"said,omitempty"`
}

// NamedPlace is a venue, a landmark or an area that words of the message may mean. An area has no name but those.
type NamedPlace struct {
	Said string `json:"said"`
	Name string `json:"name,omitempty"`
	Kind string `json:"kind"`
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
	// Booked says that it is in the calendars.
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

// BookingLink is a page that may be opened, and its owner; Person is empty if the user wrote it.
type BookingLink struct {
	Person string `json:"person,omitempty"`
	URL    string `json:"url"`
}

// Select is what stage 5 shows the mini model, on both of its paths.
type Select struct {
	// Language is the BCP 47 tag of the message. Title and Previous, the previous time, are the event's; Previous is empty
	// for a new one.
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
	// SlotFixed and PlaceFixed say that the first of the list is chosen, and only the rest is ranked.
	SlotFixed  bool `json:"slotFixed"`
	PlaceFixed bool `json:"placeFixed"`
	// These say what the message may list, and must state.
	ShowAlternativePlaces  bool `json:"showAlternativePlaces"`
	ShowAlternativeTimes   bool `json:"showAlternativeTimes"`
	IncludeConflictWarning bool `json:"includeConflictWarning"`
	// Sentences are copied word for word, if not empty.
	Sentences Sentences `json:"sentences"`
	// CalendarProviders are the organizer's; CalendarType is personal or work.
	CalendarProviders []string `json:"calendarProviders"`
	CalendarType      string   `json:"calendarType"`
}

// Slot is a candidate time. The message may write it only as When or Short.
type Slot struct {
	Index int `json:"index"`
	// When is the long form, with every participant's local time if zones differ; Short is for lists.
	When  string `json:"when"`
	Short string `json:"short"`
	// State is free, unknown or conflict. Weekend and Evening (17:00 or later) serve the rule for leisure.
	State   string `json:"state"`
	Weekend bool   `json:"weekend"`
	Evening bool   `json:"evening"`
	// Hint has a few words for lists, like "start of the day".
	Hint string `json:"hint"`
}

// Place is a candidate venue. The message may write it only as Link.
type Place struct {
	Index      int     `json:"index"`
	Name       string  `json:"name"`
	Link       string  `json:"link"`
	Rating     float64 `json:"rating,omitempty"`
	DistanceKm float64 `json:"distanceKm"`
	// ClosedAt are the indices of the slots at which the place is closed, or a participant cannot be there in time.
	ClosedAt []int  `json:"closedAt,omitempty"`
	Hint     string `json:"hint"`
	// Wishes is a sentence for the message if this is the best place: how it meets the wishes.
	Wishes string `json:"wishes,omitempty"`
}

// Sentences are facts that the message has word for word.
type Sentences struct {
	Buffer string `json:"buffer,omitempty"`
	// Medium names the kind of call.
	Medium string `json:"medium,omitempty"`
	// Length is about a changed duration.
	Length   string `json:"length,omitempty"`
	Conflict string `json:"conflict,omitempty"`
	Unread   string `json:"unread,omitempty"`
	NoPlace  string `json:"noPlace,omitempty"`
	// NoCommonTime says that no time suits everyone as asked.
	NoCommonTime string `json:"noCommonTime,omitempty"`
	// Standing is for an unchanged event: no time is as asked, and the earlier time stands.
	Standing string `json:"standing,omitempty"`
	Closing  string `json:"closing"`
}
