package offline

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThePhrasesAboutTitlesAreRead(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		text, err := os.ReadFile("data/" + language + "/titles.txt")
		if err != nil {
			t.Fatal(err)
		}
		book, err := readPhrases(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range []string{"polite", "verb", "before", "empty", "purpose", "stop", "hold", "with", "company"} {
			if len(book.other[class]) == 0 {
				t.Errorf("%s: nothing is said by %q", language, class)
			}
		}
	}
}

// TestTitle says what a message calls the thing that it wants.
func TestTitle(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		// What stands after the verb, up to the time, the people and the place.
		"add lamp shopping to my calendar on Friday at 2":        "lamp shopping",
		"im thinking of catching a play with Al on friday at 8":  "play with Al",
		"something with Al next week, doesnt really matter when": "meeting with Al",
		// What it is for may stand before the way in which people talk.
		"meet both Al and Dana about the budget friday at 2, an hour on zoom": "zoom with Al and Dana about the budget",
		"meet Al about the budget on friday on zoom":                          "zoom with Al about the budget",
		"talk to Al on the phone friday at 2 about the lease":                 "call with Al about the lease",
		"Can you put a trip to the planetarium on Saturday morning":           "trip to the planetarium",
		"schedule a ferry to Vallejo at 7am tomorrow":                         "ferry to Vallejo",
		"set up a visit from my godparents next weekend":                      "visit from my godparents",
		"create work picnic on thursday at noon":                              "work picnic",
		"I have a fencing lesson on Tuesday at 6":                             "fencing lesson",
		"I need to repaint the hallway tomorrow at noon":                      "repaint the hallway",
		"pick up the skis at 5 tomorrow":                                      "pick up the skis",
		"we're having a book swap on Sunday at 3":                             "book swap",
		"block two hours on Monday for the newsletter":                        "newsletter",
		"create an event for the street fair on Saturday":                     "street fair",
		"set a time to learn how to juggle this weekend":                      "learn how to juggle",
		"on Friday is Noor's recital, add it":                                 "Noor's recital",
		"Holly, add a fitting to my schedule for Monday at 4":                 "fitting",
		"trivia night on tuesday":                                             "trivia night",
		"schedule Christmas lunch with the neighbors on friday":               "Christmas lunch with the neighbors",
		"mark friday as a snow day":                                           "snow day",
		"Put a meet up with Rosa on my calendar for next weekend":             "meet up with Rosa",
		"add soup and a film with Noor on Saturday":                           "soup and a film with Noor",
		"I need to gather the team. Add a squash match on Friday at 6":        "squash match",
		"coffee with Al at 3 somewhere quiet":                                 "coffee with Al",
		"Al and I want to meet for lunch next Thursday":                       "lunch with Al",
		"book Lumen for dinner with Al on Friday":                             "dinner with Al",
		"put lunch with friends on Sunday":                                    "lunch with friends",
		"a farewell party for Ines on friday at 7":                            "farewell party for Ines",
		"let's go sailing with Ines on sunday":                                "sailing with Ines",
		"visit Grandma on sunday at 3":                                        "visit Grandma",
		"ADD BRUNCH WITH MOLLY ON SUNDAY":                                     "brunch with Molly",
		"scedule a cofee with mia tomorrow":                                   "coffee with mia",
		"set up a meeting with Ivan on Monday to read the contract":           "meeting with Ivan to read the contract",
		"create a meeting friday morning for the harvest plan":                "meeting for the harvest plan",
		"make an appointment on monday at 4 to have my brakes checked":        "appointment to have my brakes checked",
		"set up some time with Al to paint the fence":                         "paint the fence with Al",
		"meet Al tomorrow at 5 about the lease":                               "meeting with Al about the lease",
		"add event pay day on the fifteenth":                                  "pay day",
		"put lunch at noon tomorrow with my godmother":                        "lunch with my godmother",
		"a study group at the library on thursday at six":                     "study group at the library",
		"I'll be at the dentist tomorrow from 10 to 11":                       "dentist",
		"I have time on Friday, let's get coffee with Al":                     "coffee with Al",
		"schedule an event on Friday":                                         "meeting",
		"create an event called Tidepool Walk with Noor on Sunday at 8":       "Tidepool Walk with Noor",
		"put \"Supper at Nine\" on Friday":                                    "Supper at Nine",
		"set up a meeting on Tuesday at 2 and call it Orchard Review":         "Orchard Review",
		"meeting with my manager named Ruth on Thursday":                      "meeting with Ruth",
		"schedule a tasting with Mei at home on friday":                       "tasting with Mei at home",
		"catch up with Ines over breakfast on Sunday":                         "breakfast with Ines",
		"lunch sometime after my dentist appointment with Al":                 "lunch with Al",
		"it was good to talk. could you find a slot for a fitting on monday":  "fitting",
		"tea with Noor on friday, i'm taking the kids to school until 9":      "tea with Noor",
		"I need 30 with Noor next week":                                       "meeting with Noor",
		"book a rehearsal in the small conference room for Thursday at 2":     "rehearsal in the small conference room",
	} {
		if got := templateOf(onWednesday(message)).Title; got != want {
			t.Errorf("%q is called %q, want %q", message, got, want)
		}
	}
}

// What others wish is none of the title, nor is what an activity is called by already, or a verb with its pronouns.
func TestATitleOfAWish(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Dana Reed wants a call about the lease, tuesday at 3":        "call about the lease with Dana Reed",
		"Dana is in town next week and wants coffee on wednesday":     "coffee with Dana",
		"Dana Reed needs a meeting on monday":                         "meeting with Dana Reed",
		"Dana quiere una llamada sobre el contrato el martes a las 3": "llamada sobre el contrato con Dana",
		"quiero quedar con Dana para comer el jueves":                 "almuerzo con Dana",
		"quedar con Dana para cenar el viernes":                       "cena con Dana",
		"quedamos con Dana para hablar del viaje el lunes":            "reunión con Dana para hablar del viaje",
		"y apúntamelo en el calendario, media hora":                   "reunión",
		"anótamelo para el martes a las 5":                            "reunión",
		"apúntame clase de piano el martes a las 5":                   "clase de piano",
		"needs assessment on friday":                                  "needs assessment",
	} {
		d := onWednesday(message)
		d.People = []zoned{{Name: "Dana Reed", Timezone: d.Timezone, Said: []string{"Dana", "Dana Reed"}}}
		if got := templateOf(d).Title; got != want {
			t.Errorf("%q is called %q, want %q", message, got, want)
		}
	}
}

// TestReminded says what a reminder is of.
func TestReminded(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"remind me to prune the roses on tuesday at 7":     "prune the roses",
		"set a reminder for tomorrow's fitting":            "fitting",
		"remind me that I have a webinar at noon tomorrow": "webinar",
		"coffee with Al tomorrow":                          "",
	} {
		if got := Understand(message, Talk{}).Title; got != want {
			t.Errorf("%q is of %q, want %q", message, got, want)
		}
	}
}

// TestWhoTakesPart says whom a message names, however it lists them.
func TestWhoTakesPart(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][]string{
		"schedule a call with Hana an Piotr on Monday at 10":                             {"Hana", "Piotr"},
		"a planning meeting with rita, sven, tara at 9am tuesday":                        {"rita", "sven", "tara"},
		"schedule a training on friday with the following people: Ana Reyes, Bo Lind":    {"Ana Reyes", "Bo Lind"},
		"tea with my cousin whose name is Helen on Monday":                               {"Helen"},
		"book a checkup with doctor chen on may 3rd":                                     {"chen"},
		"call with uncle joe on sunday at 9":                                             {"joe"},
		"add a potluck tomorrow at 6 pm. Send Vera an invitation.":                       {"Vera"},
		"have Dina and Walt meet me on Thursday at 1":                                    {"Dina", "Walt"},
		"put a strategy meeting on Monday at 10. Nina and Paul will be attending.":       {"Nina", "Paul"},
		"golf with will on the 30th":                                                     {"will"},
		"organize a dinner for me, Al and Grace on Friday":                               {"Al", "Grace"},
		"talk to Al about the budget tomorrow":                                           {"Al"},
		"Al and Dana want to have drinks on Friday":                                      {"Al", "Dana"},
		"create a meeting on Friday with Joaquin and name it Seed Swap":                  {"Joaquin"},
		"schedule Cookies and Cream Social on Friday":                                    {},
		"add \"Parish Lunch Walk\" to my calendar":                                       {},
		"get Conference Room D booked on Monday at 2":                                    {},
		"get Orla a bicycle on Friday at 6":                                              {},
		"I am leaving for Tokyo on Sunday at 10 am, add it":                              {},
		"coffee with al, somewhere quiet, tomorrow":                                      {"al"},
		"meeting with my brother downtown on Friday to look at the kitchen with the oak": {},
	} {
		if got := templateOf(onWednesday(message)).Participants; !cmp.Equal(got, want) {
			t.Errorf("%q is with %q, want %q", message, got, want)
		}
	}
}

// TestWhere says which place a message names, and that the number of a house is no hour.
func TestWhere(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"lunch with Kofi at the Anchor on 5th avenue at noon":    "Anchor on 5th avenue",
		"soccer practice at cedar park saturday at 9":            "cedar park",
		"a showing at 1815 maple avenue on saturday at noon":     "1815 maple avenue",
		"an open house at 12 Birch Lane on Sunday from 1 to 4":   "12 Birch Lane",
		"add a scan at St. Agnes Hospital on monday at 7:45 am":  "St Agnes Hospital",
		"game night at Luis's place on Friday at 8":              "",
		"schedule a meeting to look at the numbers on thursday":  "",
		"coffee with Al on Friday at 3":                          "",
		"dinner with Mia at 7 at the Blue Room on Friday please": "Blue Room",
	} {
		if got := templateOf(onWednesday(message)).PlaceName; got != want {
			t.Errorf("%q is at %q, want %q", message, got, want)
		}
	}
	for message, want := range map[string]string{
		"add brunch on Sunday at 11 in hayes valley":  "hayes valley",
		"create a conference in new york on monday":   "new york",
		"call with al in person next week":            "",
		"lunch with Al in the small glass room today": "",
	} {
		got := ""
		if where := templateOf(onWednesday(message)).Where; where != nil {
			got = where.Area
		}
		if got != want {
			t.Errorf("%q is in %q, want %q", message, got, want)
		}
	}
}

// TestLexicon holds that every value of the words that readers share is one that they know.
func TestLexicon(t *testing.T) {
	t.Parallel()
	for class := range lexed {
		if len(lexed.set(class)) == 0 {
			t.Errorf("nothing is in %q", class)
		}
	}
	for _, class := range []string{"meal", "talk"} {
		for w, kind := range lexed.values(class) {
			if usualMinutes[kind] == 0 {
				t.Errorf("%q is %q, whose length is unknown", w, kind)
			}
		}
	}
	for w, minutes := range errands {
		if minutes == 0 || usualPlace[w] == "" {
			t.Errorf("where and how long is %q?", w)
		}
	}
}
