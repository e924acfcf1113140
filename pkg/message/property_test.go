package message

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"convene/pkg/meet"
)

// oddities are what titles, names and features of others may look like.
func oddities() []string {
	return []string{
		"Al", "Ana María López", "O'Brien", "Zoë", "דן כהן", "山田 太郎", "محمد", "Tuesday", "May Wong", "April", "3 PM",
		"Al [x](http://evil.example)",
		"**bold** _it_", "<b>html</b>", "a\nb\tc", "`code`", "\u202egnihtyna\u202c", "Robin (he/him)", "x@y.example",
		"www.evil.example", "100% fun!",
		"# heading", "- dash", "1. first", "\\", "]", "](", "Will", "  spaced   out  ", "café", "Noon Friday", "\xff\xfe",
		"👩‍💻 Ada", "A", "",
		"Al will get an invite", "at 5:00 PM PST (6:00 PM CET for Bo)", "Dinner & Drinks; &copy;", "$5 | table |", "~~gone~~",
		"Nguyễn Văn A", "आशा",
	}
}

func randomFacts(random *rand.Rand, locations []*time.Location, tags []string) (Facts, Choice) {
	odd := func() string { all := oddities(); return all[random.IntN(len(all))] }
	some := func(n int) bool { return random.IntN(n) == 0 }
	people := func(n int) (list []meet.Person) {
		for range n {
			p := meet.Person{Name: odd(), Timezone: locations[random.IntN(len(locations))].String()}
			if some(2) {
				p.Email = "x@example.com"
			}
			list = append(list, p)
		}
		return list
	}
	loc := locations[random.IntN(len(locations))]
	now := time.Date(2026, time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, loc)
	f := Facts{
		Language: tags[random.IntN(len(tags))], Zone: loc, Now: now, Organizer: people(1)[0], People: people(random.IntN(5)),
		Template: meet.Template{
			Title: odd(), Activity: meet.Coffee, Duration: 15 * random.IntN(8), TravelBuffer: meet.TravelBuffer{
				BeforeMinutes: 15 * random.IntN(3), AfterMinutes: 15 * random.IntN(3),
			},
		},
		Shown:        meet.Shown{Places: some(2), Times: some(2), ConflictWarning: some(3)},
		NoCommonTime: some(3), PlacesFailed: some(3), WantsPlace: some(2),
		Past: some(6), Skipped: some(6), ExplicitTime: some(3), KeepsPlace: some(2), Moves: some(3), Booked: some(3),
		CalendarType: []meet.CalendarType{"", meet.Personal, meet.Work}[random.IntN(3)],
	}
	for range random.IntN(7) {
		s := meet.Slot{Start: now.Add(time.Duration(random.IntN(400*24*4)) * 15 * time.Minute), State: meet.SlotFree}
		name := f.Organizer.Name
		if len(f.People) > 0 && some(2) {
			name = f.People[random.IntN(len(f.People))].Name
		}
		switch random.IntN(4) {
		case 0:
			kinds := []meet.ConflictKind{
				meet.ConflictBusy, meet.ConflictTravel, meet.ConflictWorkingHours,
				meet.ConflictUsualHours, meet.ConflictNotice, "new",
			}
			s.State, s.Conflicts = meet.SlotConflict, []meet.Conflict{{Name: name, Kind: kinds[random.IntN(len(kinds))]}}
		case 1:
			s.State, s.Unknown = meet.SlotUnknown, []string{name}
		}
		f.Slots = append(f.Slots, s)
	}
	for range random.IntN(6) {
		f.Places = append(f.Places, meet.Place{Name: odd(), MapsURL: []string{
			"", "https://maps.example/?q=" + odd(), "javascript:x",
		}[random.IntN(3)],
			Rating: float64(random.IntN(50)) / 10, DistanceFromMidpointKm: float64(random.IntN(40)) / 10,
			Features: []string{odd(), odd()}})
	}
	if some(3) {
		f.Unread = []string{odd()}
	}
	if some(4) {
		f.Unknown = []string{odd()}
	}
	if some(2) {
		f.Mode = meet.ModeEdit
		f.Previous = &meet.Event{Start: now.Add(time.Duration(random.IntN(100)) * time.Hour), Status: meet.Confirmed}
	}
	return f, Choice{Slots: random.Perm(len(f.Slots) + 1), Places: random.Perm(len(f.Places))}
}

func TestEveryComposedMessagePassesItsOwnReader(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var locations []*time.Location
	for _, name := range []string{"America/Los_Angeles", "Europe/Berlin", "Asia/Kathmandu", "Asia/Jerusalem",
		"America/Sao_Paulo", "Asia/Shanghai", "America/Chicago", "Australia/Lord_Howe", "UTC"} {
		locations = append(locations, zone(t, name))
	}
	tags := []string{"en", "en-GB", "es", "he", "de", "fr", "ja", "ar", "zh-TW", "sr-Latn", "pt-BR", "th", "", "xx"}
	for i := range 600 {
		f, c := randomFacts(random, locations, tags)
		f.Booked = false // what is said from then on is code's alone
		for path, text := range map[Path]string{PathProposal: f.Proposal(c), PathAlternatives: f.NoMatch(c)} {
			got, _, err := check(f, c, path, text)
			if err != nil || got != text {
				t.Fatalf("case %d, %s: %v\n%s\n%s", i, path, err, at(text, err), fmt.Sprintf("%+v %+v", f, c))
			}
		}
	}
}

func TestCrowdedMessagesStayWithinTheLimit(t *testing.T) {
	t.Parallel()
	f := edit(t, coffee(t))
	long := "An Extraordinarily Long Name That Goes On And On And On And On And On And On And On And On And On And On " +
		"And On And On"
	f.Template.Title, f.Template.Duration = long, 90
	f.People, f.Unread = nil, nil
	for i, name := range []string{"Asia/Tokyo", "Europe/Berlin", "Asia/Kathmandu", "America/Chicago", "Europe/London",
		"Asia/Kolkata", "Asia/Shanghai", "America/Sao_Paulo", "UTC", "Asia/Dubai",
		"America/New_York", "Pacific/Auckland", "Australia/Adelaide", "Asia/Karachi", "Asia/Tehran", "Africa/Lagos",
		"America/Halifax", "Asia/Bangkok", "Pacific/Honolulu", "Africa/Nairobi"} {
		who := fmt.Sprintf("%c%s", 'A'+i, long)
		f.People = append(f.People, meet.Person{Name: who, Timezone: name, Email: "x@example.com"})
		f.Unread = append(f.Unread, who)
		for s := range f.Slots {
			f = taken(f, s, who, meet.ConflictBusy)
		}
	}
	for i := range f.Places {
		f.Places[i].Name = long
	}
	text := f.Proposal(four())
	if _, _, err := check(f, four(), PathProposal, text); err != nil {
		t.Errorf("%v: %d runes\n%s", err, len([]rune(text)), text)
	}
}
