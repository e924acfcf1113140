package message

import (
	"slices"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestOtherPlace(t *testing.T) {
	t.Parallel()
	closedAt := func(f *Facts, i int) {
		f.Places[i].OpeningHours, f.Places[i].Timezone = &interval.Week{}, "America/Los_Angeles"
	}
	for _, test := range []struct {
		name   string
		change func(f *Facts)
		chosen int
		want   string
	}{
		{"any would do", func(*Facts) {}, 0, ""},
		{"the named one", func(f *Facts) { f.Template.PlaceName = "Philz"; f.Places[1].Named = true }, 1, ""},
		{"the named one by another name", func(f *Facts) {
			f.Template.PlaceName = "Sfmoma"
			f.Places[1].Named = true
		}, 1, ""},
		{"the venue of a suggestion", func(f *Facts) { f.Template.PlaceName = "blue bottle" }, 0, ""},
		{"with accents", func(f *Facts) {
			f.Template.PlaceName = "The Mill, Divisadero"
			f.Places[4].Name = "THE MÍLL"
		}, 4, ""},
		{"part of a word is another name", func(f *Facts) { f.Template.PlaceName = "Ritu" },
			3, "I couldn't find Ritu, so I picked another place."},
		{"nobody knows it", func(f *Facts) { f.Template.PlaceName = "Nopa" }, 0,
			"I couldn't find Nopa, so I picked another place."},
		{"closed", func(f *Facts) { f.Template.PlaceName = "Philz"; closedAt(f, 1) },
			0, "Philz Coffee isn't open at that time, so I picked another place."},
		{"hours unknown", func(f *Facts) { f.Template.PlaceName = "Philz" }, 0,
			"Philz Coffee isn't available at that time, so I picked another place."},
		{"not in time", func(f *Facts) {
			f.Template.PlaceName = "Philz"
			f.Pairs = [][]meet.Pair{{{}, {Late: true}}}
		}, 0, "There isn't enough time to get to Philz Coffee then, so I picked another place."},
		{"nobody knows when the chosen one is open", func(f *Facts) { f.Places[0].OpeningHours = nil },
			0, "I don't know when Blue Bottle Coffee is open, so please check before you go."},
		{"a public holiday", func(f *Facts) { *f = thanksgiving(*f) },
			0, "That day is a public holiday, so please check that Blue Bottle Coffee is open."},
		{"a public holiday and hours that nobody knows", func(f *Facts) {
			*f = thanksgiving(*f)
			f.Places[0].OpeningHours = nil
		}, 0, "I don't know when Blue Bottle Coffee is open, so please check before you go."},
		{"a public holiday, but not where the place is", func(f *Facts) {
			*f = thanksgiving(*f)
			f.Places[0].Timezone = "Europe/London"
		}, 0, ""},
		{"a video call because of the distance", func(f *Facts) {
			f.Apart = &meet.Apart{Names: []string{"Robin Park", "Al Rivera"}, Video: true}
		}, 0, "Al is in another city, so I've planned a video call instead. Tell me if you'd rather meet in person."},
		{"meeting in spite of the distance", func(f *Facts) {
			f.Apart = &meet.Apart{Names: []string{"Robin Park", "Al Rivera"}}
		}, 0, "Al is in another city, but I've kept this in person as you asked."},
		{"a meal in spite of the distance", func(f *Facts) {
			f.Template.Activity = meet.Lunch
			f.People = slices.Clone(f.People)
			f.People[0].Location = &meet.Location{Label: "Mitte, Berlin"}
			f.Apart = &meet.Apart{Names: []string{"Robin Park", f.People[0].Name}}
		}, 0, "Al is in Berlin: I've planned this in person, so please make sure that you can meet here, or tell me if " +
			"you'd rather have a video call."},
		{"a change that spoke of it", func(f *Facts) { *f = edit(t, *f) }, 1, ""},
		{"a change that did not", func(f *Facts) { *f = edit(t, *f); f.KeepsPlace = true },
			1, "Blue Bottle Coffee isn't available at that time, so I picked another place."},
		{"a change that did not, closed", func(f *Facts) {
			*f = edit(t, *f)
			f.KeepsPlace = true
			closedAt(f, 0)
		}, 1, "Blue Bottle Coffee isn't open at that time, so I picked another place."},
		{"a change that kept it", func(f *Facts) { *f = edit(t, *f); f.KeepsPlace = true }, 0, ""},
		{"a change of an event without one", func(f *Facts) {
			*f = edit(t, *f)
			f.KeepsPlace, f.Previous.Place = true, nil
		}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := coffee(t)
			test.change(&f)
			c := Choice{Slots: []int{0}, Places: []int{test.chosen}}
			if got := f.Sentences(c).NoPlace; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if _, _, err := check(f, c, PathProposal, f.Proposal(c)); err != nil {
				t.Errorf("the composed message is refused: %v", err)
			}
		})
	}
}

// thanksgiving is the choice between the same on 26 November 2026, at places that are always open.
func thanksgiving(f Facts) Facts {
	s := &f.Slots[0]
	days := interval.DateOf(s.Start).DaysUntil(interval.Date{Year: 2026, Month: time.November, Day: 26})
	s.Start, s.End = s.Start.AddDate(0, 0, days), s.End.AddDate(0, 0, days)
	always := interval.Week{}
	for day := range always {
		always[day] = []interval.Window{{Start: 0, End: interval.EndOfDay}}
	}
	for i := range f.Places {
		f.Places[i].OpeningHours, f.Places[i].Timezone = &always, "America/Los_Angeles"
	}
	return f
}

func TestAPlaceThatHadToChangeMustBeSaid(t *testing.T) {
	t.Parallel()
	f := edit(t, coffee(t))
	f.KeepsPlace = true
	c := Choice{Slots: []int{0}, Places: []int{1}}
	text := "I've moved it to **" + f.When(0) + "** at " + f.PlaceLink(1) + "."
	if _, _, err := check(f, c, PathProposal, text); kindOf(err) != KindMissing {
		t.Errorf("problem = %q, want %q", kindOf(err), KindMissing)
	}
}

func TestTheOwnWayIsSaid(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.Template.TravelBuffer = meet.TravelBuffer{}
	f.Pairs = [][]meet.Pair{{{}, {Travel: meet.TravelBuffer{BeforeMinutes: 25, AfterMinutes: 10, Derived: true}}}}
	for place, want := range []string{"", "I've included travel buffers of 25 minutes before and 10 minutes after."} {
		if got := f.Sentences(Choice{Slots: []int{0}, Places: []int{place}}).Buffer; got != want {
			t.Errorf("place %d: %q, want %q", place, got, want)
		}
	}
}

// An unknown venue is named as the user did, also if nothing else is found or open.
func TestAVenueThatNobodyKnowsIsNamed(t *testing.T) {
	t.Parallel()
	closed := func(f *Facts) {
		for i := range f.Places {
			f.Places[i].OpeningHours, f.Places[i].Timezone = &interval.Week{}, "America/Los_Angeles"
		}
	}
	const unknown = "I couldn't find Nopa, so the event goes on without a place."
	for _, test := range []struct {
		name   string
		change func(f *Facts)
		want   string
	}{
		{"nothing is found", func(f *Facts) { f.Places = nil }, unknown},
		{"nothing there", func(f *Facts) { f.Places, f.Template.Wishes.Where.Area = nil, "the Mission" }, unknown},
		{"all others are closed", closed, unknown},
		{"it is closed itself", func(f *Facts) { closed(f); f.Places[1].Named = true },
			"The places that fit are closed at that time, so the event goes on without one."},
		{"the search failed", func(f *Facts) { f.Places, f.PlacesFailed = nil, true },
			"I couldn't search for places right now, so the event goes on without one."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := coffee(t)
			f.WantsPlace, f.Template.PlaceName = true, "Nopa"
			test.change(&f)
			c := Choice{Slots: []int{0}}
			if got := f.Sentences(c).NoPlace; got != test.want {
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

func TestInsists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Coffee with Lena next week": false, "Coffee with Lena, in person!": true, "a face-to-face with Lena": true,
		"un café con Lena en persona": true, "Reunión presencial con Lena": true, "נפגש פנים אל פנים עם לנה": true,
		"meet the person in charge": false, "in personal matters": false,
	} {
		if got := Insists(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestSharesName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"Alemany Market", "Alemany Market", true},
		{"alemany market", "The Alemany Market, San Francisco", true},
		{"Café de Flore", "Cafe de Flore", true},
		{"Alemany Market", "Alemany Farmers Market", false},
		{"Mill", "The Millhouse", false},
		{"", "The Mill", false},
	} {
		got := sharesName(meet.Place{Name: test.a}, meet.Place{Name: test.b})
		if back := sharesName(meet.Place{Name: test.b}, meet.Place{Name: test.a}); got != test.want || back != got {
			t.Errorf("%q and %q: %v, %v the other way, want %v", test.a, test.b, got, back, test.want)
		}
	}
}

func TestWhatIsNotThePlaceThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(f *Facts)
		chosen []int
		want   bool
	}{
		{"any would do", func(*Facts) {}, []int{0}, true},
		{"its hours are not known", func(f *Facts) { f.Places[0].OpeningHours = nil }, []int{0}, true},
		{"the named one", func(f *Facts) { f.Template.PlaceName = "Philz" }, []int{1}, true},
		{"another one", func(f *Facts) { f.Template.PlaceName = "Philz" }, []int{0}, false},
		{"another one than a change left", func(f *Facts) { *f = edit(t, *f); f.KeepsPlace = true }, []int{1}, false},
		{"none", func(*Facts) {}, nil, false},
		{"none, and none is needed", func(f *Facts) { f.WantsPlace = false }, nil, true},
		{"a video call because of the distance", func(f *Facts) {
			f.Apart = &meet.Apart{Names: []string{"Al Rivera"}, Video: true}
		}, nil, false},
		{"in person in spite of the distance", func(f *Facts) {
			f.Apart = &meet.Apart{Names: []string{"Al Rivera"}}
		}, []int{0}, true},
		{"what it has is not known", func(f *Facts) {
			f.Places[0].Wishes = &meet.Fit{Unconfirmed: []meet.Feature{meet.Quiet}}
		}, []int{0}, true},
		{"it is known to lack something", func(f *Facts) {
			f.Places[0].Wishes = &meet.Fit{Unmet: []meet.Feature{meet.Quiet}}
		}, []int{0}, false},
		{"farther than it was to be", func(f *Facts) {
			f.Search.Farther, f.Template.Wishes.Where.Area = true, "the Mission"
		}, []int{0}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := coffee(t)
			f.WantsPlace = true
			test.change(&f)
			if got := f.PlaceAsAsked(Choice{Slots: []int{0}, Places: test.chosen}); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
