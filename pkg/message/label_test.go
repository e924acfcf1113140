package message

import (
	"testing"
	"time"

	"convene/pkg/meet"
)

func TestWhen(t *testing.T) {
	t.Parallel()
	la := zone(t, "America/Los_Angeles")
	person := func(name, tz string) meet.Person { return meet.Person{Name: name, Timezone: tz} }
	tests := []struct {
		name, language, at string
		people             []meet.Person
		want               string
	}{
		{"same zone", "en", "2026-11-24 14:00", []meet.Person{
			person("Al", "America/Los_Angeles"),
		}, "Tuesday, November 24 at 2:00 PM"},
		{"same time by another name", "en", "2026-11-24 14:00", []meet.Person{
			person("Al", "America/Vancouver"),
		}, "Tuesday, November 24 at 2:00 PM"},
		{"zone nobody knows", "en", "2026-11-24 14:00", []meet.Person{
			person("Al", ""), person("Bo", "Nowhere/Land"),
		}, "Tuesday, November 24 at 2:00 PM"},
		{"midnight and minutes", "en-GB", "2026-11-24 00:05", nil, "Tuesday, November 24 at 12:05 AM"},
		{"nine hours ahead", "en", "2026-11-24 09:00", []meet.Person{person("Ana", "Europe/Berlin")},
			"Tuesday, November 24 at 9:00 AM PST (6:00 PM CET for Ana)"},
		{"in summer", "en", "2027-06-01 09:00", []meet.Person{person("Ana", "Europe/Berlin")},
			"Tuesday, June 1 at 9:00 AM PDT (6:00 PM CEST for Ana)"},
		{"between two changes of the clock", "en", "2027-03-16 09:00", []meet.Person{
			person("Ana", "Europe/Berlin"),
		}, "Tuesday, March 16 at 9:00 AM PDT (5:00 PM CET for Ana)"},
		{"another day there", "en", "2026-11-24 17:00", []meet.Person{person("Yuki", "Asia/Tokyo")},
			"Tuesday, November 24 at 5:00 PM PST (Wednesday at 10:00 AM JST for Yuki)"},
		{"zone without a name", "en", "2026-11-24 09:00", []meet.Person{
			person("Priya", "Asia/Kathmandu"),
		}, "Tuesday, November 24 at 9:00 AM PST (10:45 PM UTC+5:45 for Priya)"},
		{"two names for two zones", "en", "2026-11-24 09:00", []meet.Person{
			person("Ana", "Europe/Berlin"), person("Bea", "Europe/Paris"), person("Cy", "Europe/London"),
		},
			"Tuesday, November 24 at 9:00 AM PST (6:00 PM CET for Ana and Bea, 5:00 PM GMT for Cy)"},
		{"one name for two zones", "en", "2026-11-24 09:00", []meet.Person{
			person("Ana", "America/Chicago"), person("Wei", "Asia/Shanghai"),
		},
			"Tuesday, November 24 at 9:00 AM PST (11:00 AM UTC-6 for Ana, Wednesday at 1:00 AM UTC+8 for Wei)"},
		{"next year, soon", "en", "2027-02-02 09:00", nil, "Tuesday, February 2 at 9:00 AM"},
		{"next year, late", "en", "2027-11-02 09:00", nil, "Tuesday, November 2, 2027 at 9:00 AM"},
		{"Spanish", "es", "2026-11-24 14:00", nil, "martes 24 de noviembre a las 14:00"},
		{"Spanish, one o'clock", "es-MX", "2026-11-24 01:05", nil, "martes 24 de noviembre a la 1:05"},
		{"Spanish, next year", "es", "2027-11-02 09:00", nil, "martes 2 de noviembre de 2027 a las 9:00"},
		{"Hebrew, nine hours ahead", "he", "2026-11-24 09:00", []meet.Person{
			person("Ana", "Europe/Berlin"),
		}, "יום שלישי, 24 בנובמבר בשעה \u206809:00 PST\u2069 (\u2068Ana\u2069: 18:00 CET)"},
		{"Hebrew", "he", "2026-11-24 14:00", nil, "יום שלישי, 24 בנובמבר בשעה 14:00"},
		{"German, nine hours ahead", "de-AT", "2026-11-24 09:00", []meet.Person{
			person("Ana", "Europe/Berlin"),
		}, "Dienstag, 24. November um 09:00 PST (Ana: 18:00 CET)"},
		{"a language that is not known", "tlh", "2026-11-24 14:00", nil, "Tuesday, November 24 at 2:00 PM"},
		{"no language tag", "???", "2026-11-24 14:00", nil, "Tuesday, November 24 at 2:00 PM"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := Facts{
				Language: test.language, Zone: la, Now: time.Date(2026, 11, 20, 9, 0, 0, 0, la),
				People: test.people, Slots: []meet.Slot{slotAt(t, la, test.at)},
			}
			if got := f.When(0); got != test.want {
				t.Errorf("When = %q, want %q", got, test.want)
			}
		})
	}
}

func TestShortIsUnambiguous(t *testing.T) {
	t.Parallel()
	la := zone(t, "America/Los_Angeles")
	tests := []struct {
		name  string
		slots []string
		want  string
	}{
		{"within six days", []string{"2026-11-25 10:00"}, "Wednesday at 10:00 AM"},
		{"on the sixth day", []string{"2026-11-26 10:00"}, "Thursday at 10:00 AM"},
		{"on the seventh day", []string{"2026-11-27 10:00"}, "Friday, November 27 at 10:00 AM"},
		{"on the same day", []string{"2026-11-20 10:00"}, "Friday, November 20 at 10:00 AM"},
		{"another day has the weekday", []string{"2026-11-25 10:00", "2026-12-02 10:00"},
			"Wednesday, November 25 at 10:00 AM"},
		{"the same day twice", []string{"2026-11-25 10:00", "2026-11-25 12:00"}, "Wednesday at 10:00 AM"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := Facts{Zone: la, Now: time.Date(2026, 11, 20, 9, 0, 0, 0, la)}
			for _, at := range test.slots {
				f.Slots = append(f.Slots, slotAt(t, la, at))
			}
			if got := f.Short(0); got != test.want {
				t.Errorf("Short = %q, want %q", got, test.want)
			}
		})
	}
}

func TestShortTellsThePreviousEventsDayApart(t *testing.T) {
	t.Parallel()
	f := edit(t, coffee(t))
	f.Previous.Start = slotAt(t, f.Zone, "2026-12-02 09:00").Start
	if got, want := f.Short(1), "Wednesday, November 25 at 10:00 AM"; got != want {
		t.Errorf("Short = %q, want %q", got, want)
	}
}

func TestLabelsOfNothingAreEmpty(t *testing.T) {
	t.Parallel()
	var f Facts
	for _, got := range []string{f.When(0), f.Short(-1), f.SlotHint(3), f.PlaceLink(0), f.PlaceHint(0), f.PreviousLabel(),
		f.Title()} {
		if got != "" {
			t.Errorf("a label of nothing is %q", got)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	f := Facts{
		Organizer: meet.Person{Name: "Robin Park"}, People: []meet.Person{
			{Name: "Al Chen"}, {Name: "Al Ortiz"}, {Name: "Ana de la Cruz"},
		},
	}
	tests := []struct{ full, want string }{
		{"Ana de la Cruz", "Ana"},
		{"Al Chen", "Al Chen"},
		{"Dr. Ng", "Dr. Ng"},
		{"April Jones", "April Jones"},
		{"J Smith", "J Smith"},
		{"van Dam", "van Dam"},
		{"[Eve]*(http://evil.example)\u202e", "\\[Eve\\]\\*("},
	}
	for _, test := range tests {
		if got := f.Name(test.full); got != test.want {
			t.Errorf("Name(%q) = %q, want %q", test.full, got, test.want)
		}
	}
}

func TestSlotHint(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	moved := edit(t, f)
	moved.Previous.Start = slotAt(t, f.Zone, "2026-11-24 15:00").Start
	saturday := f
	saturday.Slots = []meet.Slot{slotAt(t, f.Zone, "2026-11-21 18:00")}
	tests := []struct {
		name  string
		facts Facts
		want  string
	}{
		{"afternoon", f, "afternoon"},
		{"at the weekend", saturday, "weekend evening"},
		{"nothing of what was before it", moved, "afternoon"},
		{"outside usual hours", taken(f, 0, "Al Rivera", meet.ConflictUsualHours), "outside Al's usual hours"},
		{"not checked", unchecked(f, 0, "Al Rivera"), "Al's calendar not checked"},
		{"own calendar not checked", unchecked(f, 0, "Robin Park"), "your calendar not checked"},
		{"two not checked", unchecked(unchecked(f, 0, "Al Rivera"), 0, "Robin Park"), "Al's and your calendars not checked"},
		{"busy", taken(f, 0, "Al Rivera", meet.ConflictBusy), "Al has another event"},
		{"busy oneself", taken(f, 0, "Robin Park", meet.ConflictBusy), "you have another event"},
		{"both busy", taken(taken(f, 0, "Al Rivera", meet.ConflictBusy), 0, "Robin Park", meet.ConflictBusy),
			"Al and you have other events"},
		{"travel", taken(f, 0, "Al Rivera", meet.ConflictTravel), "too little travel time for Al"},
		{"working hours", taken(f, 0, "Robin Park", meet.ConflictWorkingHours), "outside your working hours"},
		{"notice", taken(f, 0, "Al Rivera", meet.ConflictNotice), "very soon for Al"},
	}
	for _, test := range tests {
		if got := test.facts.SlotHint(0); got != test.want {
			t.Errorf("%s: SlotHint = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestPlaceLinkAndHint(t *testing.T) {
	t.Parallel()
	tests := []struct {
		place      meet.Place
		link, hint string
	}{
		{meet.Place{
			Name: "Nopa", MapsURL: "https://maps.example/nopa", Rating: 4.5, DistanceFromMidpointKm: 0.62,
		}, "[Nopa](https://maps.example/nopa)", "highly rated, 0.6 km from the midpoint"},
		{meet.Place{
			Name: "No [link]", Features: []string{"patio", "call 555-1234", "open today", "see evil.example", "<b>"},
		}, `**No \[link\]**`, "patio"},
		{meet.Place{Name: "Trick", MapsURL: "javascript:alert(1)"}, "**Trick**", ""},
		{meet.Place{Name: "Trick", MapsURL: "https://user@maps.example/"}, "**Trick**", ""},
		{meet.Place{Name: "Café (old)", MapsURL: "https://maps.example/a b)(c"},
			"[Café (old)](https://maps.example/a%20b%29%28c)", ""},
		{meet.Place{Name: " \u202e "}, "", ""},
	}
	for _, test := range tests {
		f := Facts{Places: []meet.Place{test.place}}
		if got := f.PlaceLink(0); got != test.link {
			t.Errorf("PlaceLink(%q) = %q, want %q", test.place.Name, got, test.link)
		}
		if got := f.PlaceHint(0); got != test.hint {
			t.Errorf("PlaceHint(%q) = %q, want %q", test.place.Name, got, test.hint)
		}
	}
}
