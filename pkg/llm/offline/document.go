package offline

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// The documents that the stages show a model. Only what the rules look at is decoded.

type classifyData struct {
	Message       string     `json:"message"`
	RecentTurns   []exchange `json:"recentTurns"`
	HasEvent      bool       `json:"hasEvent"`
	HasActivities bool       `json:"hasActivities"`
	// Names are words of the message that may mean contacts.
	Names []string `json:"names"`
	// DayAtHand is the date that "that day" means; zero if none is being talked about.
	DayAtHand interval.Date `json:"dayAtHand"`
	// offers is what the request has a place for, whole the message with all orders in it.
	offers offers
	whole  string
}

// contacts are the people whom the message may mean, each by the name that it has.
func (d classifyData) contacts() (contacts []zoned) {
	for _, said := range d.Names {
		words := strings.Fields(said)
		for i, w := range words {
			words[i] = upperFirst(w)
		}
		contacts = append(contacts, zoned{Name: strings.Join(words, " "), Said: []string{said}})
	}
	return contacts
}

type exchange = Exchange

type templateData struct {
	Message      string     `json:"message"`
	RecentTurns  []exchange `json:"recentTurns"`
	Now          string     `json:"now"`
	Timezone     string     `json:"timezone"`
	Participants []string   `json:"participants"`
	People       []zoned    `json:"people"`
	// Places are the venues, landmarks and areas that words of the message may mean.
	Places   []namedPlace   `json:"places"`
	Template *knownTemplate `json:"template"`
	Event    *offeredEvent  `json:"event"`
	// OfferedSlots and OfferedPlaces are alternatives in the order shown.
	OfferedSlots  []offeredEvent `json:"offeredSlots"`
	OfferedPlaces []string       `json:"offeredPlaces"`
	// FreeTimes are those of the user's day that were listed last, in that order.
	FreeTimes []offeredEvent `json:"freeTimes"`
	// DayAtHand is the date that "that day" means; zero if none is being talked about.
	DayAtHand    interval.Date   `json:"dayAtHand"`
	Activities   []knownActivity `json:"activities"`
	BookingLinks []bookingLink   `json:"bookingLinks"`
}

// contacts are the people whom the message may mean.
func (d templateData) contacts() []zoned {
	contacts := slices.Clone(d.People)
	for i, p := range contacts {
		contacts[i].taking = slices.Contains(d.Participants, p.Name)
	}
	return contacts
}

// isSaid reports whether the words are the message's for someone.
func (d templateData) isSaid(words string) bool {
	return slices.ContainsFunc(d.People, func(p zoned) bool {
		return slices.ContainsFunc(p.Said, func(said string) bool { return strings.EqualFold(said, words) })
	})
}

// meant is what the message may mean.
func (d templateData) meant() known { return known{d.contacts(), d.Places} }

// zoned is someone who may take part, and where their clocks stand.
type zoned struct {
	Name     string `json:"name"`
	Timezone string `json:"timezone"`
	// Said are the words of the message that may mean the person.
	Said []string `json:"said"`
	// taking says that the person takes part already.
	taking bool
}

// namedPlace is a venue, a landmark or an area that words of the message may mean.
type namedPlace struct {
	Said string `json:"said"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// knownTemplate is what of the cached template an edit looks at.
type knownTemplate struct {
	Title               string      `json:"title"`
	EventType           string      `json:"eventType"`
	Activity            string      `json:"activity"`
	Duration            int         `json:"duration"`
	Dates               []dateRange `json:"preferredSchedulableDates"`
	Participants        []string    `json:"participants"`
	SuggestedPlaceTypes []string    `json:"suggestedPlaceTypes"`
	PlaceName           string      `json:"placeName"`
	ActivitySearchQuery string      `json:"activitySearchQuery"`
	Wishes              knownWishes `json:"placeWishes"`
}

// knownWishes are those of the template.
type knownWishes struct {
	Where struct {
		Area string `json:"area"`
	} `json:"where"`
}

type offeredEvent struct {
	Start string `json:"start"`
	End   string `json:"end"`
	Place string `json:"place"`
	// Booked says that it stands in the calendars.
	Booked bool `json:"booked"`
}

type knownActivity struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Venue  string `json:"venue"`
	Start  string `json:"start"`
	End    string `json:"end"`
	Kind   string `json:"kind"`
	Free   bool   `json:"free"`
}

type bookingLink struct {
	Person string `json:"person"`
	URL    string `json:"url"`
}

type selectData struct {
	Language              string      `json:"language"`
	Title                 string      `json:"title"`
	Mode                  string      `json:"mode"`
	Previous              string      `json:"previous"`
	PlaceFixed            bool        `json:"placeFixed"`
	SlotFixed             bool        `json:"slotFixed"`
	Activity              string      `json:"activity"`
	Slots                 []slotData  `json:"slots"`
	Places                []placeData `json:"places"`
	ShowAlternativePlaces bool        `json:"showAlternativePlaces"`
	ShowAlternativeTimes  bool        `json:"showAlternativeTimes"`
	Sentences             sentences   `json:"sentences"`
	CalendarProviders     []string    `json:"calendarProviders"`
	CalendarType          string      `json:"calendarType"`
}

type slotData struct {
	Index   int    `json:"index"`
	When    string `json:"when"`
	Short   string `json:"short"`
	State   string `json:"state"`
	Weekend bool   `json:"weekend"`
	Evening bool   `json:"evening"`
	Hint    string `json:"hint"`
}

type placeData struct {
	Index    int    `json:"index"`
	Link     string `json:"link"`
	ClosedAt []int  `json:"closedAt"`
	Hint     string `json:"hint"`
	// Wishes is the sentence about wishes that goes with the place where it is the best.
	Wishes string `json:"wishes"`
}

type sentences struct {
	Medium       string `json:"medium"`
	Length       string `json:"length"`
	Buffer       string `json:"buffer"`
	Conflict     string `json:"conflict"`
	Unread       string `json:"unread"`
	NoPlace      string `json:"noPlace"`
	NoCommonTime string `json:"noCommonTime"`
	Standing     string `json:"standing"`
	Closing      string `json:"closing"`
}

// objects are the texts of the user that look like a JSON object, the last first, each as it is written around nothing
// but white space or a fence. A later text may be a remark on a wrong answer. After them stands the last text as the
// message of a document.
func (r *completionRequest) objects(yield func([]byte) bool) {
	for _, m := range slices.Backward(r.Messages) {
		text, _ := m.text()
		first, last := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		if m.Role == "user" && first >= 0 && first < last && !yield([]byte(text[first:last+1])) {
			return
		}
	}
	if wrapped, err := json.Marshal(classifyData{Message: r.lastUser()}); err == nil {
		yield(wrapped)
	}
}

// decode reads the document that the request is about, as far as it has the shape; what does not fit is as if it were
// not there.
func decode[T any](r *completionRequest) (data T) {
	for object := range r.objects {
		err := json.Unmarshal(object, &data)
		if none := (*json.SyntaxError)(nil); errors.As(err, &none) {
			continue
		}
		if err != nil {
			data = messageAlone[T](object)
		}
		break
	}
	return data
}

// messageAlone is the document with nothing but its message.
func messageAlone[T any](object []byte) (data T) {
	var message struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(object, &message) == nil {
		if again, err := json.Marshal(message); err == nil {
			_ = json.Unmarshal(again, &data)
		}
	}
	return data
}
