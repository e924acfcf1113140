package message

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

// wishing is coffee for which outdoor seating, quiet and low prices were wished for.
func wishing(t *testing.T) Facts {
	t.Helper()
	f := coffee(t)
	f.WantsPlace = true
	f.Template.Wishes.Features = []meet.Feature{meet.OutdoorSeating, meet.Quiet, meet.Cheap}
	f.Places[0].Wishes = &meet.Fit{Met: []meet.Feature{meet.OutdoorSeating, meet.Quiet}, Unmet: []meet.Feature{meet.Cheap}}
	for i := range f.Places[1:] {
		f.Places[i+1].Wishes = &meet.Fit{Unconfirmed: f.Template.Wishes.Features}
	}
	return f
}

func TestWhatBecameOfAWish(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(f *Facts)
		want   string
	}{
		{"nothing was wished", func(f *Facts) { f.Places[0].Wishes = nil }, ""},
		{"met and given up", func(*Facts) {},
			"It has what you asked for: outdoor seating and quiet. I found no place with everything you asked for, so I gave " +
				"up low prices."},
		{"not known", func(f *Facts) { f.Places[0].Wishes = &meet.Fit{Unconfirmed: []meet.Feature{meet.Vegan}} },
			"I couldn't confirm everything you asked for there: vegan food."},
		{"in a part of town", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].InArea, f.Template.Wishes.Where.Area = nil, true, "the Mission"
		}, "It's in the Mission, as you asked."},
		{"by a landmark", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].InArea, f.Template.Wishes.Where.Landmark = nil, true, "Pier 39"
		}, "It's close to Pier 39, as you asked."},
		{"not in it", func(f *Facts) {
			f.Places[0].Wishes, f.Search.Farther, f.Template.Wishes.Where.Area = nil, true, "the Mission"
		}, "I found nothing suitable in or right by the Mission, so I looked a little farther."},
		{"near an office", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].DistanceFromAnchorKm = nil, 0.42
			f.Search = meet.SearchNotes{Around: "me", Anchor: meet.AtOffice}
		}, "It's 0.4 km from your office."},
		{"next door to it", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].DistanceFromAnchorKm = nil, 0.03
			f.Search = meet.SearchNotes{Around: "me", Anchor: meet.AtOffice}
		}, "It's 0.1 km from your office."},
		{"farther from it", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].DistanceFromAnchorKm = nil, 6
			f.Search = meet.SearchNotes{Around: "me", Anchor: meet.AtOffice, Farther: true}
		}, "I found nothing suitable within a walk of your office, so I looked farther. It's 6.0 km from your office."},
		{"near somebody without an office", func(f *Facts) {
			f.Places[0].Wishes, f.Places[0].DistanceFromAnchorKm = nil, 1
			f.Search = meet.SearchNotes{Around: "Al Chen", Anchor: meet.AtLocation, NoOffice: "Al Chen"}
		}, "I don't know where Al's office is, so I looked near Al. It's 1.0 km from Al."},
		{"near nobody knows whom", func(f *Facts) {
			f.Places[0].Wishes, f.Search.NoLocation = nil, "me"
		}, "I don't know a location for you, so I looked between everybody."},
		{"what was given up for the time", func(f *Facts) {
			f.Places[0].Wishes = &meet.Fit{Unconfirmed: []meet.Feature{meet.Quiet, meet.Vegan}}
			f.Search.GivenUp = []meet.Feature{meet.Vegan}
		}, "I couldn't confirm everything you asked for there: quiet. " +
			"I found no place with everything you asked for at that time, so I gave up vegan food."},
		{"met though it was given up", func(f *Facts) {
			f.Places[0].Wishes, f.Search.GivenUp = &meet.Fit{Met: []meet.Feature{meet.Quiet}}, []meet.Feature{meet.Quiet}
		}, "It has what you asked for: quiet."},
		{"shown before", func(f *Facts) { f.Places[0].Wishes, f.Search.Repeated = nil, true },
			"I've already shown you every place that fits, so these are the ones from before."},
		{"a change that left the place alone", func(f *Facts) {
			*f = edit(t, *f)
			f.KeepsPlace = true
			f.Previous.Place = &f.Places[0]
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := wishing(t)
			f.People = []meet.Person{{Name: "Al Chen"}}
			test.change(&f)
			c := Choice{Slots: []int{0}, Places: []int{0, 1}}
			if got := f.Sentences(c).Wishes; got != test.want || f.PlaceWishes(0) != got {
				t.Errorf("got %q, want %q", got, test.want)
			}
			for tag := range wordings() {
				other := withLanguage(f, tag)
				if _, _, err := check(other, c, PathProposal, other.Proposal(c)); err != nil {
					t.Errorf("%s: the composed message is refused: %v\n%s", tag, err, other.Proposal(c))
				}
			}
		})
	}
}

func TestAnAreaHasNoEnglishArticleInOtherLanguages(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"en": "It's in the Misión, as you asked.",
		"es": "Está donde pediste: Misión."} {
		f := withLanguage(wishing(t), tag)
		f.Places[0].Wishes, f.Places[0].InArea, f.Template.Wishes.Where.Area = nil, true, "the Misión"
		if got := f.Sentences(Choice{Slots: []int{0}, Places: []int{0}}).Wishes; got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

func TestWhatBecameOfAWishMustBeSaid(t *testing.T) {
	t.Parallel()
	f := wishing(t)
	c := Choice{Slots: []int{0}, Places: []int{0}}
	said := "I suggest it for **" + f.When(0) + "** at " + f.PlaceLink(0) + "."
	if _, _, err := check(f, c, PathProposal, said); kindOf(err) != KindMissing {
		t.Errorf("a message that passes over it: problem %q, want %q", kindOf(err), KindMissing)
	}
	if _, _, err := check(f, c, PathProposal, said+" "+f.PlaceWishes(0)); err != nil {
		t.Errorf("a message that says it is refused: %v", err)
	}
	if _, _, err := check(f, c, PathProposal, said+" "+f.PlaceWishes(1)); err == nil {
		t.Error("what is true of another place is taken for this one")
	}
}

func TestHintsSayWhatIsNotConfirmed(t *testing.T) {
	t.Parallel()
	f := wishing(t)
	for tag, want := range map[string]string{
		"en": "outdoor seating not confirmed, quiet not confirmed, low prices not confirmed",
		"es": "terraza sin confirmar, tranquilidad sin confirmar, buenos precios sin confirmar",
		"he": "לא ידוע אם יש ישיבה בחוץ, לא ידוע אם יש שקט, לא ידוע אם יש מחירים נמוכים",
	} {
		if got := new(withLanguage(f, tag)).PlaceHint(1); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", tag, got, want)
		}
	}
	f.Search = meet.SearchNotes{Around: "me", Anchor: meet.AtOffice}
	f.Places[1].DistanceFromAnchorKm = 2
	if got := f.PlaceHint(1); !strings.Contains(got, "2.0 km from your office") || strings.Contains(got, "midpoint") {
		t.Errorf("near an office: %q", got)
	}
}

func TestEveryFeatureHasANoun(t *testing.T) {
	t.Parallel()
	for tag, p := range wordings() {
		for _, feature := range meet.Features() {
			if p.Wishes[feature] == "" {
				t.Errorf("%s: no word for %s", tag, feature)
			}
		}
		if len(p.Wishes) != len(meet.Features()) {
			t.Errorf("%s: %d words for %d features", tag, len(p.Wishes), len(meet.Features()))
		}
	}
}

func TestWhyThereIsNoPlace(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.WantsPlace = true
	c := Choice{Slots: []int{0}}
	if got, want := f.Sentences(c).NoPlace, "The places that fit are closed at that time, so the event goes on without "+
		"one."; got != want {
		t.Errorf("all closed: %q, want %q", got, want)
	}
	f.Places = nil
	f.Template.Wishes.Where.Area = "Oakland"
	if got, want := f.Sentences(c).NoPlace, "I couldn't find a suitable place in or near Oakland, so the event goes on "+
		"without one."; got != want {
		t.Errorf("none there: %q, want %q", got, want)
	}
}
