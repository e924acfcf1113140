package offline

import (
	"os"
	"strings"
	"testing"

	"convene/pkg/meet"
)

func TestThePhrasesAboutPlacesAreRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("data/en/places.txt")
	if err != nil {
		t.Fatal(err)
	}
	book, err := readPhrases(string(text))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, list := range book.features {
		for _, e := range list {
			said[e.name] = true
		}
	}
	for _, f := range meet.Features() {
		if !said[string(f)] {
			t.Errorf("nobody can wish for %q", f)
		}
		delete(said, string(f))
	}
	for name := range said {
		t.Errorf("%q is no feature", name)
	}
	if _, err := readPhrases("feature quiet"); err == nil {
		t.Error("a line without phrases is taken")
	}
}

// What people say of a place in a conversation about coffee with Al, and what is made of it.
func TestWishesForThePlace(t *testing.T) {
	t.Parallel()
	const nearOffice = "newWhere={area:,landmark:,person:me,anchor:office}"
	const nearMe = "newWhere={area:,landmark:,person:me,anchor:location}"
	const between = "newWhere={area:,landmark:,person:,anchor:none}"
	const elsewhere = "excludePlaces=[Corner Cafe]"
	for message, want := range map[string]string{
		"somewhere quiet instead":                    "addWishes=[quiet]",
		"can we find somewhere less noisy?":          "addWishes=[quiet]",
		"it was too loud there":                      "addWishes=[quiet]",
		"a place that's quiet but has outdoor seats": "addWishes=[quiet,outdoor seating]",
		"can we sit outside?":                        "addWishes=[outdoor seating]",
		"I'd like a vegan place":                     "addWishes=[vegan]",
		"Al is vegan":                                "addWishes=[vegan]",
		"something cheaper":                          "addWishes=[cheap]",
		"that's too expensive":                       "addWishes=[cheap]",
		"somewhere dog friendly with good wifi":      "addWishes=[dog friendly,wifi]",
		"nothing too loud":                           "addWishes=[quiet]",
		"nothing too expensive":                      "addWishes=[cheap]",
		"not so fancy":                               "",
		"it doesn't have to be quiet":                "removeWishes=[quiet]",
		"forget the outdoor seating":                 "removeWishes=[outdoor seating]",
		"closer to my office":                        nearOffice,
		"somewhere near work":                        nearOffice,
		"next to my office please":                   nearOffice,
		"near Al's office":                           "newWhere={area:,landmark:,person:Al,anchor:office}",
		"close to his place":                         "newWhere={area:,landmark:,person:Al,anchor:location}",
		"closer to Al":                               "newWhere={area:,landmark:,person:Al,anchor:location}",
		"near me":                                    nearMe,
		"somewhere closer":                           nearMe,
		"between us":                                 between,
		"somewhere halfway":                          between,
		"anywhere is fine":                           between,
		"in the Harbor District":                     "newWhere={area:the Harbor District,landmark:,person:,anchor:none}",
		"downtown Springfield instead":               "newWhere={area:downtown Springfield,landmark:,person:,anchor:none}",
		"near the Old Pier":                          "newWhere={area:,landmark:the Old Pier,person:,anchor:none}",
		"not in the Harbor District, in Old Town":    "newWhere={area:Old Town,landmark:,person:,anchor:none}",
		"not there again":                            elsewhere,
		"somewhere else":                             elsewhere,
		"we always go there":                         elsewhere,
		"a different kind of place":                  elsewhere,
		"anywhere but Harbor Roasters":               "excludePlaces=[Harbor Roasters]",
		"somewhere else, quiet, near my office":      "addWishes=[quiet]; " + nearOffice + "; " + elsewhere,

		"un sitio más tranquilo":       "addWishes=[quiet]",
		"es demasiado caro":            "addWishes=[cheap]",
		"algo vegano con terraza":      "addWishes=[vegan,outdoor seating]",
		"más cerca de mi oficina":      nearOffice,
		"cerca de mi trabajo":          nearOffice,
		"a medio camino":               between,
		"en la Mission":                "newWhere={area:the Mission,landmark:,person:,anchor:none}",
		"cerca del Embarcadero":        "newWhere={area:,landmark:Embarcadero,person:,anchor:none}",
		"otra vez ahí no":              elsewhere,
		"en otro sitio":                elsewhere,
		"no hace falta que sea vegano": "removeWishes=[vegan]",

		"מקום יותר שקט":     "addWishes=[quiet]",
		"יקר מדי":           "addWishes=[cheap]",
		"אפשר לשבת בחוץ":    "addWishes=[outdoor seating]",
		"משהו טבעוני":       "addWishes=[vegan]",
		"ליד המשרד שלי":     nearOffice,
		"קרוב לעבודה":       nearOffice,
		"באמצע בינינו":      between,
		"לא שם שוב":         elsewhere,
		"במקום אחר":         elsewhere,
		"לא חייב להיות שקט": "removeWishes=[quiet]",
	} {
		d := afterCoffee(message)
		d.RecentTurns = []exchange{{User: "coffee with Al next week"}}
		if strings.ContainsAny(message, "áéíóúñ") || strings.Contains(" "+message+" ", " en ") ||
			strings.Contains(message, "camino") || strings.Contains(message, "cerca") || strings.Contains(message, "caro") ||
			strings.Contains(message, "terraza") || strings.Contains(message, "hace") {
			d.RecentTurns[0].User = "un café con Al la semana que viene"
		}
		_, got := stage3(d)
		full := strings.TrimSuffix("editType=place; "+want, "; ")
		if want == "" {
			full = "editType=multiple"
		}
		if got != full {
			t.Errorf("%q\n got %s\nwant %s", message, got, full)
		}
		if u := Understand(message, Talk{HasEvent: true, Turns: d.RecentTurns}); want != "" && u.Intent != Edit {
			t.Errorf("%q is taken for %s", message, u.Intent)
		}
	}
}

func TestWishesOfANewEvent(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][]string{
		"lunch with Al near my office": {"where={area:,landmark:,person:me,anchor:office}",
			"eventType=in-person", "suggestedPlaceTypes=[restaurant]"},
		"meeting with Al at my office":           {"eventType=in-person", "intentSpecificity=open"},
		"coffee with Mia near her place":         {"where={area:,landmark:,person:Mia,anchor:location}"},
		"drinks with Al in downtown Springfield": {"where={area:downtown Springfield,landmark:,person:,anchor:none}"},
		"a vegan restaurant with Al on Tuesday": {"wishes=[vegan]", "activity=dinner",
			"suggestedPlaceTypes=[restaurant]"},
		"dinner with Al on Friday, greek or korean":     {"activitySearchQuery=greek or korean"},
		"lunch with Al, not too far from my place":      {"where={area:,landmark:,person:me,anchor:location}"},
		"almuerzo con Al, que no sea muy lejos de casa": {"where={area:,landmark:,person:me,anchor:location}"},
		"cena con Al el viernes, griego, no muy caro":   {"activitySearchQuery=greek", "wishes=[cheap]"},
		"ארוחת ערב עם אל, קוריאני, לא רחוק מהבית": {"activitySearchQuery=korean",
			"where={area:,landmark:,person:me,anchor:location}"},
		"vegan with Al tomorrow at 1pm":           {"wishes=[vegan]", "activity=lunch"},
		"a quiet bar with Al":                     {"wishes=[quiet]", "activity=drinks", "suggestedPlaceTypes=[bar]"},
		"dinner with Al, nothing fancy, not Zuni": {"excludedPlaces=[Zuni]"},
		"dinner with Al somewhere cheap and cozy in the Harbor": {"wishes=[cheap,cozy]",
			"where={area:the Harbor,landmark:,person:,anchor:none}"},
		"let's do something with Al on Saturday": {"activity=custom",
			"suggestedPlaceTypes=[cafe,museum,park,restaurant]", "intentSpecificity=open"},
		"let's do something with Al tonight": {"suggestedPlaceTypes=[bar,bowling,cinema,restaurant]"},
	} {
		_, got := stage3(onWednesday(message))
		for _, part := range want {
			if !strings.Contains("; "+got+"; ", "; "+part+"; ") {
				t.Errorf("%q\n got %s\nwant %s", message, got, part)
			}
		}
	}
}

// A kind of place that is turned down is never looked for, no matter what small words stand before it.
func TestRefusedKinds(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"no sushi":                             "not sushi",
		"not at a Japanese place":              "not japanese",
		"not in a Thai restaurant, please":     "not thai",
		"anywhere but a sushi bar":             "not sushi",
		"avoid the Indian places":              "not indian",
		"not the sushi place, the ramen place": "ramen not sushi",
		"no, a sushi place":                    "sushi",
	} {
		d := afterCoffee(message)
		d.Template.Activity, d.Template.SuggestedPlaceTypes = "lunch", []string{"restaurant"}
		if _, got := stage3(d); got != "editType=place; newActivitySearchQuery="+want {
			t.Errorf("%q: %s, want a search for %q", message, got, want)
		}
	}
}
