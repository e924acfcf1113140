package message

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"convene/pkg/meet"
)

//go:embed data/wording.json
var wordingJSON []byte

// wording is the sentences of one language, with holes in braces. A language is added as data: its phrases in
// wording.json and its ordinary words in vocabulary.txt.
type wording struct {
	// About answers questions about an event.
	About  about  `json:"about"`
	And    string `json:"and"`
	Or     string `json:"or"`
	Others string `json:"others"`
	You    string `json:"you"`
	// Someone replaces an empty name.
	Someone string `json:"someone"`
	Your    string `json:"your"`
	Whose   string `json:"whose"`
	// Alone are variants, by field name, for phrases about the reader alone.
	Alone map[string]string `json:"alone"`
	// Minutes and Slots count: one, two, more.
	Minutes [3]string `json:"minutes"`
	Slots   [3]string `json:"slots"`
	// Decimal is the decimal mark; empty means a point.
	Decimal string `json:"decimal"`
	// Label is how times are written within a sentence, if it differs from calendars.
	Label labelling `json:"label"`
	// Event replaces an empty title.
	Event string `json:"event"`

	// Suggested applies until the event is booked, Done afterwards.
	Suggested deed `json:"suggested"`
	Done      deed `json:"done"`
	// Cancelled and Replaced are for an event that no longer stands, or not as it was.
	Cancelled string `json:"cancelled"`
	Replaced  string `json:"replaced"`
	// Unchanged is for a change without effect.
	Unchanged string `json:"unchanged"`
	At        string `json:"at"`
	Length    string `json:"length"`
	// Calls say what kind of call an event is, unless its title has one of CallWords.
	Calls     map[meet.EventType]string   `json:"calls"`
	CallWords map[meet.EventType][]string `json:"callWords"`
	None      string                      `json:"none"`

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
	// NoCommonAlone is for one person's event, Blocked for people whom no requested time suits. Past and Skipped replace
	// all three.
	NoCommonAlone string `json:"noCommonAlone"`
	Blocked       string `json:"blocked"`
	Past          string `json:"past"`
	Skipped       string `json:"skipped"`

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
	// UnknownAll is for an event if no calendar could be checked.
	UnknownAll   string `json:"unknownAll"`
	PlaceFailed  string `json:"placeFailed"`
	PlaceNone    string `json:"placeNone"`
	PlaceClosed  string `json:"placeClosed"`
	PlaceUnknown string `json:"placeUnknown"`
	PlaceGone    string `json:"placeGone"`
	// PlaceNoneThere replaces PlaceNone if the request names an area, PlaceAllClosed if there are places,
	// PlaceUnknownAlone if it names an unknown venue. If no location is known, PlaceNowhere, or PlaceNowhereNamed for a
	// venue, comes before TellWhere.
	PlaceNoneThere    string `json:"placeNoneThere"`
	PlaceNowhere      string `json:"placeNowhere"`
	PlaceNowhereNamed string `json:"placeNowhereNamed"`
	TellWhere         string `json:"tellWhere"`
	PlaceAllClosed    string `json:"placeAllClosed"`
	PlaceUnknownAlone string `json:"placeUnknownAlone"`

	// Wishes are nouns for the features. WishesMet, WishesOpen and WishesLost are about the chosen place, WishOpen and
	// WishLost about one feature of an alternative. WishesGivenUp replaces WishesLost if there are places with everything,
	// none of them possible at the time.
	Wishes        map[meet.Feature]string `json:"wishes"`
	WishesMet     string                  `json:"wishesMet"`
	WishesOpen    string                  `json:"wishesOpen"`
	WishesLost    string                  `json:"wishesLost"`
	WishesGivenUp string                  `json:"wishesGivenUp"`
	WishOpen      string                  `json:"wishOpen"`
	WishLost      string                  `json:"wishLost"`
	InArea        string                  `json:"inArea"`
	ByLandmark    string                  `json:"byLandmark"`
	// NearAnchor and DistanceFrom give the distance from a person's Office or Whereabouts.
	NearAnchor   string `json:"nearAnchor"`
	DistanceFrom string `json:"distanceFrom"`
	Office       string `json:"office"`
	Whereabouts  string `json:"whereabouts"`
	Farther      string `json:"farther"`
	FartherFrom  string `json:"fartherFrom"`
	NoOffice     string `json:"noOffice"`
	NoLocation   string `json:"noLocation"`
	Repeated     string `json:"repeated"`
	NoMorePlaces string `json:"noMorePlaces"`
	PlaceLate    string `json:"placeLate"`
	HoursUnknown string `json:"hoursUnknown"`
	// HoursHoliday is for a public holiday, HoursUnknown for unknown hours.
	HoursHoliday string `json:"hoursHoliday"`

	// Apart is for one person in another city than the reader, ApartMany for two others.
	Apart         string `json:"apart"`
	ApartMany     string `json:"apartMany"`
	ApartKept     string `json:"apartKept"`
	ApartKeptMany string `json:"apartKeptMany"`
	// ApartHere is for one person in another city with whom people do what needs everyone there.
	ApartHere string `json:"apartHere"`
	// InPerson are words that insist on meeting.
	InPerson []string `json:"inPerson"`

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
	// Undelivered is about failed invitations to a booked event, Copied about the copies that replace them.
	Undelivered    string `json:"undelivered"`
	Copied         string `json:"copied"`
	RebookedNobody string `json:"rebookedNobody"`
	Personal       string `json:"personal"`
	Work           string `json:"work"`
	AnyCalendar    string `json:"anyCalendar"`
	Ending         string `json:"ending"`

	Stands string `json:"stands"`
	// StandsNone or StandsBlocked comes before Stands.
	StandsNone    string `json:"standsNone"`
	StandsBlocked string `json:"standsBlocked"`
	TryOne        string `json:"tryOne"`
	TryOther      string `json:"tryOther"`
	Caution       string `json:"caution"`

	// Doubts are what to check, by the kind of doubt. DoubtSaid quotes the user, DoubtUnsaid is used if there is nothing
	// to quote, and DoubtHeld says that a doubt kept an event from being booked.
	DoubtSaid   string                    `json:"doubtSaid"`
	DoubtUnsaid string                    `json:"doubtUnsaid"`
	DoubtHeld   string                    `json:"doubtHeld"`
	Doubts      map[meet.DoubtKind]string `json:"doubts"`
	// Unhandled says what of the user's words is in nothing, each phrase in Quote. Unclear asks if that is nearly all,
	// and Remark says that a change was asked for by a remark at most.
	Unhandled string `json:"unhandled"`
	Quote     string `json:"quote"`
	Unclear   string `json:"unclear"`
	Remark    string `json:"remark"`
	// Over asks when a new event is to be whose days are over.
	Over string `json:"over"`
	// NoEvent asks for other words for what is no new event.
	NoEvent string `json:"noEvent"`
	// NoContact says that the one who wrote a mail is no contact.
	NoContact string `json:"noContact"`
	// Refused says why nothing was done, by what cannot be done.
	Refused map[string]string `json:"refused"`
	// WhichTasks asks which tasks are meant, in place of all of them.
	WhichTasks string `json:"whichTasks"`

	DayParts     [6]string `json:"dayParts"`
	WeekendParts [6]string `json:"weekendParts"`
	// Holiday replaces both on a public holiday.
	Holiday string `json:"holiday"`

	HighlyRated string `json:"highlyRated"`
	WellRated   string `json:"wellRated"`
	Closest     string `json:"closest"`
	Distance    string `json:"distance"`

	// Anchored says by which Events of the reader's calendar a time was found. The others ask for it: AnchorSeveral, or
	// AnchorMissing and AnchorUnread with one of the last three.
	Anchored      string `json:"anchored"`
	AnchorMissing string `json:"anchorMissing"`
	AnchorUnread  string `json:"anchorUnread"`
	AnchorSeveral string `json:"anchorSeveral"`
	AnchorEnds    string `json:"anchorEnds"`
	AnchorStarts  string `json:"anchorStarts"`
	AnchorWhen    string `json:"anchorWhen"`

	Found        string `json:"found"`
	FoundNothing string `json:"foundNothing"`
	Pick         string `json:"pick"`
	Free         string `json:"free"`
	Forgotten    string `json:"forgotten"`
	Begun        string `json:"begun"`
	StillAhead   string `json:"stillAhead"`
	NothingAhead string `json:"nothingAhead"`
	Suggestion   string `json:"suggestion"`
	Until        string `json:"until"`
	UntilDay     string `json:"untilDay"`
	Nothing      string `json:"nothing"`
	Change       string `json:"change"`
	// Reasons are by the proposed change; a reason without one keeps its own words.
	Reasons       map[string]string `json:"reasons"`
	NothingToShow string            `json:"nothingToShow"`
	Which         string            `json:"which"`
	Joins         string            `json:"joins"`
	Look          string            `json:"look"`
}

// deed announces a new event, one at another time, and one changed otherwise.
type deed struct {
	New     string `json:"new"`
	Moved   string `json:"moved"`
	Updated string `json:"updated"`
}

// labelling is how a language writes a time within a sentence. {time} is the clock, {at} the preposition: AtOne at one
// o'clock, At otherwise. Hour is "2" if hours before ten have one digit, "02" otherwise.
type labelling struct {
	Long     string `json:"long"`
	LongYear string `json:"longYear"`
	Short    string `json:"short"`
	At       string `json:"at"`
	AtOne    string `json:"atOne"`
	Hour     string `json:"hour"`
}

// before is the preposition before a clock time.
func (l labelling) before(at time.Time) string {
	if at.Hour() == 1 {
		return l.AtOne
	}
	return l.At
}

// counted is a number with its unit, in the form for one, two or more.
func counted(forms [3]string, n int) string {
	form := forms[2]
	if n == 1 || n == 2 {
		form = forms[n-1]
	}
	return fill(form, "n", strconv.Itoa(n))
}

// about is a phrase about people: the variant for the reader alone, if there is one, otherwise the pattern.
func (f *Facts) about(people []string, name, pattern string, p *wording) string {
	if alone := p.Alone[name]; alone != "" && len(people) == 1 && f.isOrganizer(people[0]) {
		return alone
	}
	return fill(pattern, "names", f.list(people, p), "whose", f.whose(people, p))
}

// wordings are the phrases of all languages by base language, read once.
var wordings = sync.OnceValue(func() map[string]*wording {
	var file map[string]*wording
	if err := json.Unmarshal(wordingJSON, &file); err != nil {
		return nil
	}
	return file
})

// phrasesOf are the phrases of a base language; empty ones if it has none. They are read-only.
func phrasesOf(base string) *wording {
	if p, ok := wordings()[base]; ok {
		return p
	}
	return &wording{}
}

// spoken is the language that composed messages are in.
func (f *Facts) spoken() string { return f.says().spoken }

func (f *Facts) phrases() *wording { return f.says().phrases }

// phrasesFor are the phrases for the language of a BCP 47 tag.
func phrasesFor(tag string) *wording { return speechOf(tag).phrases }

// fill puts values into the holes of a pattern: pairs of a hole's name and its text. Values are not scanned for holes.
func fill(pattern string, pairs ...string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(pattern, "{")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			b.WriteString(pattern[len(before):])
			return b.String()
		}
		pattern = after
		if i := hole(pairs, name); i >= 0 {
			b.WriteString(pairs[i+1])
		} else {
			b.WriteString("{" + name + "}")
		}
	}
}

func hole(pairs []string, name string) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == name {
			return i
		}
	}
	return -1
}

// listed is how many names a list spells out before it counts the rest.
const listed = 6

// list writes names as a message does: "Al, Ana and Bo", "you", "Al, Ana, … and 3 others", each escaped.
func (f *Facts) list(people []string, p *wording) string {
	return enumerate(people, p, func(name string) string {
		if f.isOrganizer(name) && p.You != "" {
			return p.You
		}
		return f.Name(name)
	})
}

// whose writes names as owners: "Al's", "Al's and your".
func (f *Facts) whose(people []string, p *wording) string {
	if f.spoken() != english {
		// "De Al y tuyo": who reads it comes last.
		people = slices.Clone(people)
		slices.SortStableFunc(people, func(a, b string) int {
			return cmp.Compare(bit(f.isOrganizer(a)), bit(f.isOrganizer(b)))
		})
	}
	return enumerate(people, p, func(name string) string {
		if f.isOrganizer(name) {
			return p.Your
		}
		return fill(p.Whose, "name", f.Name(name))
	})
}

// enumerate joins names as a sentence does. Those beyond the limit are counted.
func enumerate(people []string, p *wording, write func(string) string) string {
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
	return strings.Join(named[:last], ", ") + " " + joined(p.And, named[last])
}

// joined prefixes a name with the word for "and" or "or". Hebrew attaches one letter to the name, with a dash before
// letters of another script; Spanish changes the word before its own sound.
func joined(and, name string) string {
	bare := strings.ToLower(strings.TrimLeft(name, "\u2068"))
	switch {
	case and == hebrewAnd && unicode.Is(unicode.Hebrew, firstRune(bare)):
		return and + name
	case and == hebrewAnd:
		return and + "־" + name
	case and == "y" && (strings.HasPrefix(bare, "i") || strings.HasPrefix(bare, "hi") && !strings.HasPrefix(bare, "hie")):
		return "e " + name
	case and == "o" && (strings.HasPrefix(bare, "o") || strings.HasPrefix(bare, "ho")):
		return "u " + name
	default:
		return and + " " + name
	}
}

const hebrewAnd = "ו"

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *Facts) isOrganizer(name string) bool { return name != "" && name == f.Organizer.Name }
