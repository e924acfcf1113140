package offline

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// afterLunch is a document of stage 3 after a lunch with Al and Tom on Tuesday at noon. The contacts whom the message
// names are among the people.
func afterLunch(message string, contacts ...string) templateData {
	d := afterCoffee(message)
	d.Template = &knownTemplate{
		Title: "Lunch with Al and Tom", EventType: "in-person", Activity: "lunch", Duration: 60,
		Participants: []string{"Al", "Tom"}, SuggestedPlaceTypes: []string{"restaurant"},
		Dates: []dateRange{{"2026-03-10", "2026-03-10"}},
	}
	d.Event = &offeredEvent{Start: "2026-03-10T12:00:00-07:00", End: "2026-03-10T13:00:00-07:00", Place: "Blue Door"}
	for _, name := range contacts {
		d.People = append(d.People, zoned{Name: name, Timezone: d.Timezone})
	}
	return d
}

func TestContactsComeAndGoInAnyCase(t *testing.T) {
	t.Parallel()
	const (
		will   = "editType=participants; newTitle=Lunch with Al, Tom and Will; addParticipants=[Will]"
		both   = "editType=participants; newTitle=Lunch with Al, Tom and others; addParticipants=[Will,Nina]"
		noTom  = "editType=participants; newTitle=Lunch with Al; removeParticipants=[Tom]"
		forTom = "editType=participants; newTitle=Lunch with Al and Nina; addParticipants=[Nina]; " +
			"removeParticipants=[Tom]"
	)
	for message, want := range map[string]string{
		"add will":                           will,
		"will's coming too":                  will,
		"can will come as well?":             will,
		"and will":                           will,
		"i'd like will there too":            will,
		"invite will and nina":               both,
		"loop in will, nina":                 both,
		"leave tom out":                      noTom,
		"tom isn't coming after all":         noTom,
		"take tom off the list":              noTom,
		"drop tom":                           noTom,
		"only al":                            noTom,
		"just me and al":                     noTom,
		"nina, not tom":                      forTom,
		"not tom, nina":                      forTom,
		"swap tom for nina":                  forTom,
		"tom can't come, swap in nina":       forTom,
		"nina instead of tom":                forTom,
		"i meant nina, not tom":              forTom,
		"tom is out, and nina wants to join": forTom,
		"without tom, and an hour later": "editType=multiple; newTitle=Lunch with Al; " +
			"newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 13:00; removeParticipants=[Tom]",
		"nina will be late":          "editType=multiple",
		"it will come to 40 dollars": "editType=multiple",
		"bring my sister along": "editType=participants; newTitle=Lunch with Al, Tom and my sister; " +
			"addParticipants=[my sister]",
		"we need parking, with outdoor seats": "editType=place; addWishes=[parking,outdoor seating]",
		"with april, may and june": "editType=participants; newTitle=Lunch with Al, Tom and others; " +
			"addParticipants=[April,May,June]",
		"make it with nina instead": "editType=participants; newTitle=Lunch with Nina; addParticipants=[Nina]; " +
			"removeParticipants=[Al,Tom]",
		"tom can't make it at noon, 2 is fine": "editType=time; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 14:00",
	} {
		d := afterLunch(message, "Will Stone", "Nina Vogel", "April Ono", "May Lind", "June Ash")
		if _, got := stage3(d); got != want {
			t.Errorf("%q\n got %s\nwant %s", message, got, want)
		}
	}
}

// The person who is meant after all comes in place of the namesake, or of the only one who takes part.
func TestSomebodyElseWasMeant(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"the other sam": "editType=participants; newTitle=Lunch with Sam Okafor; addParticipants=[Sam Okafor]; " +
			"removeParticipants=[Sam Rivera]",
		"I meant Sam Okafor": "editType=participants; newTitle=Lunch with Sam Okafor; addParticipants=[Sam Okafor]; " +
			"removeParticipants=[Sam Rivera]",
		"no, with nina": "editType=participants; newTitle=Lunch with Nina; addParticipants=[Nina]; " +
			"removeParticipants=[Sam Rivera]",
		"sorry, i meant nina": "editType=participants; newTitle=Lunch with Nina; addParticipants=[Nina]; " +
			"removeParticipants=[Sam Rivera]",
		"I meant Thursday": "editType=date; newPreferredSchedulableDates=2026-03-12",
	} {
		d := afterLunch(message, "Sam Rivera", "Sam Okafor", "Nina Vogel")
		d.Template.Title, d.Template.Participants = "Lunch with Sam Rivera", []string{"Sam Rivera"}
		if _, got := stage3(d); got != want {
			t.Errorf("%q\n got %s\nwant %s", message, got, want)
		}
	}
}

// A pronoun means the only one who takes part; of several it is said that it is unclear, and nobody goes.
func TestSomebodyComesInTheirPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, taking, come, leave, unclear string }{
		{"nina instead of her", "Rita", "Nina", "Rita", ""},
		{"invite nina instead", "Rita", "Nina", "Rita", ""},
		{"please do it without him", "Rita", "", "Rita", ""},
		{"nina instead of them", "Rita Al", "Nina", "Rita Al", ""},
		{"nina instead of him", "Rita Al", "Nina", "", "him"},
		{"take her to dinner instead", "Rita", "", "", ""},
		{"leave her out again", "Rita", "", "Rita", ""},
		{"he says he can't so leave him out, and make it italian", "Rita Al", "", "Al", ""},
		{"count him out then", "Rita Al", "", "Al", ""},
		{"take him out for lunch", "Rita Al", "", "", ""},
		{"invita a Nina en vez de a ella", "Rita", "Nina", "Rita", ""},
		{"invita a Nina en su lugar", "Rita", "Nina", "Rita", ""},
		{"תזמין את נינה במקומה", "Rita", "נינה", "Rita", ""},
	} {
		d := afterLunch(c.message, "Nina")
		d.Template.Participants = strings.Fields(c.taking)
		d.Template.Title = "Lunch"
		if strings.Contains(c.message, "out") {
			d.RecentTurns = []exchange{{User: "can al come too?"}}
		}
		got := newEdit(d, wednesday)
		if strings.Join(got.AddParticipants, " ") != c.come || strings.Join(got.RemoveParticipants, " ") != c.leave ||
			strings.Join(got.Unhandled, " ") != c.unclear {
			t.Errorf("%q adds %q, removes %q, leaves out %q", c.message, got.AddParticipants, got.RemoveParticipants,
				got.Unhandled)
		}
	}
}

// Somebody who is dropped while something else changes takes no event with them; "drop it" does.
func TestNoEventIsDroppedForAGuest(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"drop al and make it an hour": handleEvent, "remove al and move it to friday": handleEvent, "cancel it": act,
	} {
		got := New(Options{}).classify(classifyData{
			Message: message, HasEvent: true, offers: offers{day: true, families: true},
			RecentTurns: []exchange{{User: "meeting with grace and al on thursday", Assistant: "I suggest **Meeting with Al**"}},
		})
		if got.Intent != want {
			t.Errorf("%q is %s, want %s", message, got.Intent, want)
		}
	}
}

func TestContactsComeAndGoInOwnWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, taking, other  string
		come, leave, exchange []string
	}{
		{"Almuerzo con Rita", "Rita", "Bruno Paz",
			[]string{"añade a Bruno", "Bruno también viene", "que venga Bruno", "invita también a bruno"},
			[]string{"sin Rita", "Rita no viene", "y que Rita no venga", "que no venga Rita", "quita a Rita",
				"Rita no puede venir"},
			[]string{"cambia a Rita por Bruno", "Bruno en vez de Rita", "no Rita, Bruno", "mejor con Bruno"}},
		{"ארוחת צהריים עם רותם", "רותם", "גיל עד",
			[]string{"תוסיף את גיל", "גם גיל בא", "גיל רוצה להצטרף", "תזמיני גם את גיל"},
			[]string{"בלי רותם", "רותם לא מגיעה", "תורידי את רותם", "רותם לא יכולה לבוא"},
			[]string{"תחליף את רותם בגיל", "גיל במקום רותם", "לא רותם, גיל"}},
	} {
		try := func(messages []string, want string) {
			for _, message := range messages {
				d := afterLunch(message, c.other)
				d.Template.Title, d.Template.Participants = c.title, []string{c.taking}
				d.RecentTurns = []exchange{{User: c.title + " el martes"}}
				if c.taking == "רותם" {
					d.RecentTurns = []exchange{{User: c.title}}
				}
				e := newEdit(d, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
				if got := fmt.Sprint(e.AddParticipants, e.RemoveParticipants); got != want {
					t.Errorf("%q: %s, want %s", message, got, want)
				}
			}
		}
		first, _, _ := strings.Cut(c.other, " ")
		try(c.come, "["+first+"] []")
		try(c.leave, "[] ["+c.taking+"]")
		try(c.exchange, "["+first+"] ["+c.taking+"]")
	}
}

// What takes place at a time that is taken moves, and never to that time; what is said beside that is wished for.
func TestBusyRemarksAreAvoided(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"i have a dentist appointment at 12": "moved [{2026-03-10 [{12:00 13:00}]}]",
		"oh, I've got yoga at noon that day": "moved [{2026-03-10 [{12:00 13:00}]}]",
		"al is busy at 12:30":                "moved [{2026-03-10 [{12:30 13:30}]}]",
		"I'm in a meeting from 11 to 1":      "moved [{2026-03-10 [{11:00 13:00}]}]",
		"tengo dentista a las 12":            "moved [{2026-03-10 [{12:00 13:00}]}]",
		"יש לי תור ב-12":                     "moved [{2026-03-10 [{12:00 13:00}]}]",
		"i have a thing at 9 on thursday":    "stays [{thu [{09:00 10:00}]}]",
		"I have a call at noon, make it 3":   "15:00 []",
		"I have time at 3":                   "15:00 []",
		"can we have it at 3":                "15:00 []",
		"I have to be there at 3":            "15:00 []",
	} {
		d := afterLunch(message)
		if d.RecentTurns = []exchange{{User: "almuerzo con Al el martes"}}; languageOf(message) == english {
			d.RecentTurns = nil
		}
		e := newEdit(d, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.FixedZone("", -7*3600)))
		got, avoided := "stays", []dateHours{}
		if e.NewExcludedHours != nil {
			avoided = e.NewExcludedHours.On
			if thu := e.NewExcludedHours.Thu; len(thu) > 0 {
				avoided = append(avoided, dateHours{Date: "thu", Windows: thu})
			}
		}
		if e.NewHours != nil {
			if got = e.NewHours.Tue[0].Start; e.NewHours.Tue[0].End == "24:00" && e.NewDates[0].Start == "2026-03-10" {
				got = "moved"
			}
		}
		if got = fmt.Sprint(got, " ", avoided); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
		if e.NewActivity != nil || e.NewEventType != nil || e.NewTitle != nil {
			t.Errorf("%q becomes %s", message, brief(e))
		}
	}
}

// A lean without a measure is no time of day, although it has words of one.
func TestEarlierOrLaterWithoutAMeasure(t *testing.T) {
	t.Parallel()
	for want, messages := range map[string][]string{
		"editType=time; timePreference=later": {
			"not so early", "that's too early for me", "not this early please", "a bit later",
			"no tan temprano", "demasiado temprano para nosotros", "לא כל כך מוקדם", "מוקדם מדי",
		},
		"editType=time; timePreference=earlier": {
			"not that late", "less late", "sooner please", "no tan tarde", "un poco más temprano", "לא כל כך מאוחר",
		},
		"editType=duration; newDuration=50": {"make that 50", "50 instead", "50 please"},
	} {
		for _, message := range messages {
			d := afterLunch(message)
			if d.RecentTurns = []exchange{{User: "almuerzo con Al el martes"}}; languageOf(message) == english {
				d.RecentTurns = nil
			}
			if _, got := stage3(d); got != want {
				t.Errorf("%q\n got %s\nwant %s", message, got, want)
			}
		}
	}
}

func TestPartsOfTownAlone(t *testing.T) {
	t.Parallel()
	for message, area := range map[string]string{
		"the Mission": "the Mission", "the sunset please": "the sunset", "let's do russian hill": "russian hill",
		"north beach instead": "north beach", "what about the marina?": "the marina",
		"the latter": "", "the other one": "", "the first": "", "the patio": "", "the restaurant": "", "a hill": "",
	} {
		e := newEdit(afterLunch(message), time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
		got := ""
		if e.NewWhere != nil {
			got = e.NewWhere.Area
		}
		if got != area {
			t.Errorf("%q: %q, want %q", message, got, area)
		}
	}
}

func TestTakenBackOrKept(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"undo that": undoLast, "put it back the way it was": undoLast, "go back to the previous one": undoLast,
		"deshaz el cambio": undoLast, "vuelve a lo anterior": undoLast, "בטל את השינוי": undoLast, "תחזרי לקודם": undoLast,
		"go back to the original": undoAll, "back to the first plan": undoAll, "vuelve a la original": undoAll,
		"תחזור למקורי": undoAll, "move it back an hour": "time", "I'll be back at 3": "time",
	} {
		d := afterLunch(message)
		if strings.HasPrefix(message, "vuelve") {
			d.RecentTurns = []exchange{{User: "almuerzo con Al el martes"}}
		}
		if e := newEdit(d, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)); e.EditType != want {
			t.Errorf("%q: %s, want %s", message, e.EditType, want)
		}
	}
	for message, want := range map[string]bool{
		"never mind, leave it": true, "actually no, keep it as it is": true, "mejor no, déjalo así": true,
		"לא, תשאיר ככה": true, "keep it short": false, "leave it at noon": false, "keep Al": false, "never mind Tom": false,
	} {
		r := understand(classifyData{Message: message, HasEvent: true}, someDay)
		if _, topic := r.intent(); (topic == kept) != want {
			t.Errorf("%q: kept is %t", message, !want)
		}
	}
}
