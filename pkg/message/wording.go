package message

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/wording.json
var wordingJSON []byte

// wording is the sentences of one language, with holes in braces. A language is added as data: its phrases in
// wording.json and its ordinary words in vocabulary.txt.
type wording struct {
	And    string `json:"and"`
	Others string `json:"others"`
	You    string `json:"you"`
	// Someone stands for a person who has no name.
	Someone string `json:"someone"`
	Your    string `json:"your"`
	Whose   string `json:"whose"`

	New     string `json:"new"`
	Moved   string `json:"moved"`
	Updated string `json:"updated"`
	// Unchanged is for a change after which everything is as it was.
	Unchanged string `json:"unchanged"`
	At        string `json:"at"`
	Length    string `json:"length"`
	None      string `json:"none"`

	Buffer       string `json:"buffer"`
	BufferUneven string `json:"bufferUneven"`
	BufferBefore string `json:"bufferBefore"`
	BufferAfter  string `json:"bufferAfter"`

	Options string `json:"options"`
	Times   string `json:"times"`
	More    string `json:"more"`
	NoMore  string `json:"noMore"`

	Kept     string `json:"kept"`
	Nearest  string `json:"nearest"`
	NoCommon string `json:"noCommon"`
	// Past and Skipped take the place of NoCommon.
	Past    string `json:"past"`
	Skipped string `json:"skipped"`

	ClauseBusy     string `json:"clauseBusy"`
	ClauseBusyMany string `json:"clauseBusyMany"`
	ClauseTravel   string `json:"clauseTravel"`
	ClauseHours    string `json:"clauseHours"`
	ClauseUsual    string `json:"clauseUsual"`
	ClauseNotice   string `json:"clauseNotice"`
	ClauseOther    string `json:"clauseOther"`

	HintBusy        string `json:"hintBusy"`
	HintBusyYou     string `json:"hintBusyYou"`
	HintBusyMany    string `json:"hintBusyMany"`
	HintTravel      string `json:"hintTravel"`
	HintHours       string `json:"hintHours"`
	HintUsual       string `json:"hintUsual"`
	HintNotice      string `json:"hintNotice"`
	HintOther       string `json:"hintOther"`
	HintUnknown     string `json:"hintUnknown"`
	HintUnknownMany string `json:"hintUnknownMany"`

	Unread        string `json:"unread"`
	UnreadMany    string `json:"unreadMany"`
	UnknownPerson string `json:"unknownPerson"`
	UnknownAlone  string `json:"unknownAlone"`
	PlaceFailed   string `json:"placeFailed"`
	PlaceNone     string `json:"placeNone"`
	PlaceClosed   string `json:"placeClosed"`
	PlaceUnknown  string `json:"placeUnknown"`
	PlaceGone     string `json:"placeGone"`

	Invite         string `json:"invite"`
	InviteMany     string `json:"inviteMany"`
	InviteNobody   string `json:"inviteNobody"`
	Reinvite       string `json:"reinvite"`
	ReinviteMany   string `json:"reinviteMany"`
	ReinviteNobody string `json:"reinviteNobody"`
	Booked         string `json:"booked"`
	BookedMany     string `json:"bookedMany"`
	BookedNobody   string `json:"bookedNobody"`
	Rebooked       string `json:"rebooked"`
	RebookedMany   string `json:"rebookedMany"`
	RebookedNobody string `json:"rebookedNobody"`
	Personal       string `json:"personal"`
	Work           string `json:"work"`
	Ending         string `json:"ending"`

	Stands     string `json:"stands"`
	StandsNone string `json:"standsNone"`
	TryOne     string `json:"tryOne"`
	TryOther   string `json:"tryOther"`
	Caution    string `json:"caution"`

	DayParts     [6]string `json:"dayParts"`
	WeekendParts [6]string `json:"weekendParts"`

	HighlyRated string `json:"highlyRated"`
	WellRated   string `json:"wellRated"`
	Closest     string `json:"closest"`
	Distance    string `json:"distance"`
}

// wordings are the phrases of all languages by base language, read once.
var wordings = sync.OnceValue(func() map[string]wording {
	var file map[string]wording
	if err := json.Unmarshal(wordingJSON, &file); err != nil {
		return nil
	}
	return file
})

// phrasesOf are the phrases of a base language; the zero value where it has none.
func phrasesOf(base string) wording { return wordings()[base] }

// spoken is the language that composed messages are in: the user's where it has phrases, otherwise English.
func (f Facts) spoken() string {
	if _, ok := wordings()[baseOf(f.Language)]; ok {
		return baseOf(f.Language)
	}
	return english
}

func (f Facts) phrases() wording { return phrasesOf(f.spoken()) }

// fill puts values into the holes of a pattern: pairs of a hole's name and its text.
func fill(pattern string, pairs ...string) string {
	holes := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		holes = append(holes, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(holes...).Replace(pattern)
}

// listed is how many names a list spells out before it counts the rest.
const listed = 6

// list writes names as a message does: "Al, Ana and Bo", "you", "Al, Ana, … and 3 others", each escaped.
func (f Facts) list(people []string, p wording) string {
	return enumerate(people, p, func(name string) string {
		if f.isOrganizer(name) && p.You != "" {
			return p.You
		}
		return f.Name(name)
	})
}

// whose writes names as owners: "Al's", "Al's and your".
func (f Facts) whose(people []string, p wording) string {
	return enumerate(people, p, func(name string) string {
		if f.isOrganizer(name) {
			return p.Your
		}
		return fill(p.Whose, "name", f.Name(name))
	})
}

// enumerate joins names as a sentence does. Those beyond the limit are counted.
func enumerate(people []string, p wording, write func(string) string) string {
	named := make([]string, 0, len(people))
	for _, name := range people {
		named = append(named, write(name))
	}
	if len(named) > listed && p.Others != "" {
		rest := strconv.Itoa(len(named) - listed + 1)
		named = append(named[:listed-1], fill(p.Others, "count", rest))
	}
	if p.And == "," || len(named) < 2 {
		return strings.Join(named, ", ")
	}
	last := len(named) - 1
	return strings.Join(named[:last], ", ") + " " + p.And + " " + named[last]
}

func (f Facts) isOrganizer(name string) bool { return name != "" && name == f.Organizer.Name }
