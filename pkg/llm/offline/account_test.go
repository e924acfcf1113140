package offline

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/testenv"
	"convene/pkg/when"
)

// coffeeRead is "coffee with Al on Tuesday at 3pm", as it was read.
func coffeeRead() Expressed {
	tuesday := interval.Date{Year: 2026, Month: time.November, Day: 24}
	return Expressed{
		Texts: []string{"Coffee with Al", "coffee", "in-person", "Al"},
		Days:  []interval.DateRange{{Start: tuesday, End: tuesday}},
		Hours: []interval.Window{{Start: interval.At(15, 0), End: interval.At(15, 0)}},
		Now:   time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC),
	}
}

func TestAccount(t *testing.T) {
	t.Parallel()
	monday := []interval.DateRange{{
		Start: interval.Date{Year: 2026, Month: time.November, Day: 23},
		End:   interval.Date{Year: 2026, Month: time.November, Day: 23},
	}}
	for _, tt := range []struct {
		language, say string
		with          func(*Expressed)
		want          []string
	}{
		{"en", "Hi, could you maybe set up coffee with Al on Tuesday at 3pm? Thanks!", nil, nil},
		{"en", "coffee with Al on Tuesday at 3pm to discuss the 2027 budget with Berlin", nil, nil},
		{"en", "coffee with Al on Tuesday at 3pm, no rush", nil, nil},
		{"en", "coffee with Al and Zed on Tuesday at 3pm", nil, []string{"Zed"}},
		{"en", "coffee with Al every Tuesday at 3pm", nil, []string{"every Tuesday"}},
		{"en", "coffee with Al each morning this week at 3pm", nil, []string{"each morning"}},
		{"en", "somewhere nice but not too expensive", func(e *Expressed) {
			e.Before, e.Features = e.Texts, []string{"cheap"}
		}, nil},
		{"en", "not so early, after 4", func(e *Expressed) {
			e.Moves, e.Hours = true, []interval.Window{{Start: interval.At(16, 0), End: interval.EndOfDay}}
		}, nil},
		{"en", "coffee with Al Tuesdays and Thursdays at 3pm until June", nil, []string{"Tuesdays", "until June"}},
		{"en", "weekly coffee with Al on Tuesdays at 3pm until June", nil, []string{"weekly", "until June"}},
		{"en", "coffee with Al on Tuesday from 3pm until 4pm", nil, nil},
		{"en", "coffee with Al at 3pm, Tuesdays and Thursdays are best", nil, nil},
		{"en", "coffee with Al on Tuesday, 40 minutes, make it 40", func(e *Expressed) { e.Minutes = 40 }, nil},
		{"en", "coffee with Al on Tuesday at 3pm, not zed", func(e *Expressed) { e.Absent = []string{"zed"} }, nil},
		{"en", "coffee with Al on Tuesday at 3pm, hoping for zed", func(e *Expressed) {
			e.Absent = []string{"zed"}
		}, []string{"zed"}},
		{"en", "somewhere quiet", func(e *Expressed) { e.Remote, e.Before = true, e.Texts }, []string{"quiet"}},
		{"en", "coffee with Al at 3pm, every day but Monday works", func(e *Expressed) { e.Excludes = true }, nil},
		{"en", "coffee with Al on Tuesday at 3pm, not far from the pier", func(e *Expressed) { e.Near = true }, nil},
		{"en", "coffee with Al at 3pm on our anniversary", nil, []string{"anniversary"}},
		{"es", "coffee con Al a las 15, comida griega", func(e *Expressed) { e.Texts = append(e.Texts, "greek") }, nil},
		{"es", "cada martes a las 15 coffee con Al", nil, []string{"cada martes"}},
		{"he", "coffee עם Al כל יום שלישי ב-15", nil, []string{"כל יום שלישי"}},
		{"en", "coffee with Al on Tuesday at 3pm and remind me an hour before, thanks", nil, []string{
			"remind me an hour before",
		}},
		{"en", "coffee with Al on Tuesday at 3pm, please reserve a table for 3 at the window", nil, []string{
			"reserve a table for 3",
		}},
		{"en", "coffee with Al on Tuesday at 3pm for 7 people", nil, []string{"7"}},
		{"en", "coffee with Al on Tuesday at 3pm unless it snows", nil, []string{"unless it snows"}},
		{"en", "coffee with Al on Tuesday at 3pm if he is free", nil, nil},
		{"en", "coffee with Al on Tuesday at 3pm somewhere quiet", nil, []string{"quiet"}},
		{"en", "coffee with Al on Tuesday at 3pm somewhere quiet", func(e *Expressed) {
			e.Features = []string{"quiet"}
		}, nil},
		{"en", "a call with Al on Tuesday at 3pm somewhere quiet", func(e *Expressed) { e.Remote = true }, nil},
		{"en", "coffee with Al at 3pm but not on Tuesday", nil, []string{"but not on Tuesday"}},
		{"en", "coffee with Al at 3pm but not on Tuesday", func(e *Expressed) { e.Days = monday }, nil},
		{"en", "coffee with Al at 3pm but not on Tuesday", func(e *Expressed) { e.Excludes = true }, nil},
		{"en", "coffee with Al on Tuesday at 3pm without Zed", nil, nil},
		{"en", "coffee with Al on Tuesday at 3pm with 20 minutes of travel time", nil, []string{
			"20 minutes of travel",
		}},
		{"en", "coffee with Al on Tuesday at 3pm", func(e *Expressed) { e.Days, e.Hours = nil, nil }, []string{
			"Tuesday at 3pm",
		}},
		{"en", "coffee with Al on Tuesday at 3pm and feed the cat", nil, []string{"feed the cat"}},
		{"en", "no, somewhere else", func(e *Expressed) { e.Excludes = true }, nil},
		{"en", "coffee and dinner with Al on Tuesday at 3pm", nil, []string{"dinner"}},
		{"en", "coffee with Al on Tuesday at 3pm if he can", nil, nil},
		{"es", "café con Al el martes a las 15:00, por favor, y avísame antes", func(e *Expressed) {
			e.Texts[0] = "Café con Al"
		}, []string{"avísame antes"}},
		{"he", "קפה עם אל ביום שלישי ב-15:00 בבקשה, ותזמין מונית", func(e *Expressed) {
			e.Texts = []string{"קפה עם אל", "אל"}
		}, []string{"ותזמין מונית"}},
		{"en", "coffee with Al on Tuesday at 3pm, close to the pier so I don't have to drive", func(e *Expressed) {
			e.Near = true
		}, nil},
		{"en", "coffee with Al on Tuesday at 3pm, so i don't miss the train", nil, []string{"don't miss the train"}},
		{"es", "coffee con Al el martes a las 15, cerca de casa para no conducir", func(e *Expressed) { e.Near = true }, nil},
		{"es", "coffee con Al el martes a las 15, que no dure más de una hora", func(e *Expressed) { e.Minutes = 60 }, nil},
		{"es", "coffee con Al el martes a las 15, y que no tardemos más de una hora", func(e *Expressed) {
			e.Minutes = 60
		}, nil},
		{"es", "coffee con Al el martes a las 15, que no dure más de una hora", func(e *Expressed) { e.Minutes = 30 },
			[]string{"que no dure más de una hora"}},
		{"he", "צריך קפה עם דנה ואל על הדוח ביום שלישי ב-15:00", func(e *Expressed) {
			e.Texts = []string{"קפה עם דנה ואל על הדוח", "Dana", "Al"}
		}, nil},
		{"he", "קפה עם דנה ביום שלישי ב-15:00 ואל תזמין את נועה", func(e *Expressed) {
			e.Texts = []string{"קפה עם דנה", "Dana"}
		}, []string{"ואל תזמין את נועה"}},
		{"fr", "café avec Al mardi, mais pas avant 15 h", nil, nil},
	} {
		e := coffeeRead()
		if tt.with != nil {
			tt.with(&e)
		}
		if got := Account(tt.say, tt.language, e).Phrases; !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.say, got, tt.want)
		}
	}
}

// Of several events on several days only one would be arranged.
func TestAnotherDayIsNoAlternative(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, say, want string }{
		{"en", "interviews with Al on Tuesday and Thursday at 11", "and Thursday"},
		{"es", "entrevistas con Al el martes y el jueves a las 11", "y el jueves"},
		{"he", "ראיונות עם Al ביום שלישי וביום חמישי ב-11", "וביום חמישי"},
		{"en", "an interview with Al on Tuesday or Thursday at 11", ""},
		{"en", "drinks with Al on Tuesday and Thursday", ""},
	} {
		e := Expressed{Texts: []string{tt.say}, Now: someDay}
		if got := Account(tt.say, tt.language, e).Condition; got != tt.want {
			t.Errorf("%q: %q, want %q", tt.say, got, tt.want)
		}
	}
}

// What is refused as a whole is no wish.
func TestAWishThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, say, want string }{
		{"en", "i can't meet Al on Tuesday", "can't meet Al on Tuesday"},
		{"es", "no quiero quedar con Al el martes", "no quiero quedar con Al el martes"},
		{"he", "אני לא יכול להיפגש עם Al ביום שלישי", "לא יכול להיפגש עם Al ביום שלישי"},
		{"en", "coffee with Al, not on Tuesday", ""},
		{"en", "can't we meet Al on Tuesday?", ""},
	} {
		if got := Account(c.say, c.language, coffeeRead()).Condition; got != c.want {
			t.Errorf("%q: %q, want %q", c.say, got, c.want)
		}
	}
}

// What the template says next to nothing of is asked about.
func TestMostOfAMessageIsUnread(t *testing.T) {
	t.Parallel()
	e := Expressed{Texts: []string{"Meeting", "meeting", "video"}, Now: coffeeRead().Now}
	if got := Account("recalibrate every flux capacitor against harbor gradients", english, e); !got.Most {
		t.Errorf("%+v", got)
	}
	if got := Account("coffee with Al on Tuesday at 3pm", english, coffeeRead()); got.Most || got.Words > 0 {
		t.Errorf("%+v", got)
	}
}

// An order that comes with a wish is not read as a part of it, and one with which the message begins stays.
func TestWithoutOrders(t *testing.T) {
	t.Parallel()
	for say, want := range map[string]string{
		"tea with Al, and set a reminder an hour before":    "tea with Al, and",
		"reserve a table for 3 at Zuni":                     "reserve a table for 3 at Zuni",
		"dinner on Friday, reserve a table for 3 at Zuni":   "dinner on Friday, at Zuni",
		"send Dana an invite for lunch and let me know":     "send Dana an invite for lunch and let me know",
		"remind me to call Al":                              "remind me to call Al",
		"email marketing workshop with Al on Monday":        "email marketing workshop with Al on Monday",
		"lunch with Al. Also, text Grace the address, okay": "lunch with Al. Also, , okay",
	} {
		got := withoutOrders(say, english)
		if !slices.Equal(strings.Fields(got), strings.Fields(want)) || len(got) != len(say) {
			t.Errorf("%q: %q, want %q", say, got, want)
		}
	}
}

// Every language has the words of an account.
func TestEveryLanguageHasIdleWords(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		book := idleBooks()[language]
		for _, key := range []string{
			"idle", "also", "lead", "order", "table", "guests", "guests link",
			"remark", "topic", "negation", "condition", "but", "free",
			"travel", "time", "number", "polite", "article", "with", "courtesy",
		} {
			if len(book.other[key]) == 0 {
				t.Errorf("%s: no words for %q", language, key)
			}
		}
	}
}

func BenchmarkAccount(b *testing.B) {
	e := coffeeRead()
	for b.Loop() {
		Account("Hi, could you maybe set up coffee with Al on Tuesday at 3pm and remind me an hour before?", english, e)
	}
}

// Words of the lists in any order, with marks between them, are accounted for without harm: each phrase is quoted as it
// stands.
func TestAnyWordsAreAccountedFor(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, language := range languages() {
		var words []string
		for _, list := range idleBooks()[language].other {
			for word := range list {
				words = append(words, word)
			}
		}
		slices.Sort(words)
		words = append(words, "Tuesday", "3pm", "20", "minutes", "Zed", ",", ".", "?", "martes", "מחר")
		for range testenv.Count(300, 20_000) {
			say := ""
			for range 1 + random.IntN(12) {
				say += words[random.IntN(len(words))] + " "
			}
			for _, e := range []Expressed{{}, coffeeRead()} {
				for _, phrase := range Account(say, language, e).Phrases {
					if !strings.Contains(say, phrase) {
						t.Errorf("%q is not in %q", phrase, say)
					}
				}
			}
			if got := withoutOrders(say, language); len(got) != len(say) {
				t.Errorf("%q has another length than %q", got, say)
			}
		}
	}
}

// What is only told is no wish for the time that it tells of.
func TestARemarkAsksForNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, say string
		want          bool
	}{
		{"en", "my back is killing me today", true},
		{"en", "traffic was awful this morning", true},
		{"he", "היה חם נורא היום", true},
		{"en", "friday is better, work has been crazy", false},
		{"en", "I can only do tuesday", false},
		{"en", "it's so hot today", true},
		{"en", "tuesday at noon, then I can pick up the kids", false},
		{"es", "mejor el martes, que estoy más tranquilo", false},
	} {
		r := when.Setting{Language: c.language}.Read(c.say, someDay)
		e := Expressed{Days: r.Dates, Hours: r.Hours.Week[time.Monday], Now: someDay}
		if got := Account(c.say, c.language, e).Aside; got != c.want {
			t.Errorf("%q is aside: %v", c.say, got)
		}
	}
}

// A title has a word of the message that names something.
func TestATitleThatNamesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, say, title string
		want                 bool
	}{
		{"en", "no wait, i'll be ten minutes late", "Wait", true},
		{"en", "and give it a 15 min heads up", "Give", true},
		{"en", "30 minutes tomorrow", "Meeting", true},
		{"he", "ותרשום אצלו שהוא בחופש", "אצלו", true},
		{"es", "y apúntamelo en la agenda también", "Reunión", true},
		{"en", "meeting tomorrow at 3", "Meeting", false},
		{"en", "haircut friday 2pm", "Haircut", false},
		{"en", "work out tomorrow at 7am", "Work out", false},
		{"he", "פגישה מחר בעשר", "פגישה", false},
		{"en", "coffee with Al", "", false},
	} {
		if got := Account(c.say, c.language, Expressed{Title: c.title, Now: someDay}).Nameless; got != c.want {
			t.Errorf("%q of %q names nothing: %v", c.title, c.say, got)
		}
	}
}
