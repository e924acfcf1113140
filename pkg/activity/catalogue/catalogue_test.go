package catalogue_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/activity"
	"convene/pkg/activity/catalogue"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Catalogue keeps the contract.
var _ activity.Finder = (*catalogue.Catalogue)(nil)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func pacific(t *testing.T) *time.Location {
	t.Helper()
	return zone(t, "America/Los_Angeles")
}

func days(t *testing.T, from, to string) interval.Span {
	t.Helper()
	first, err := interval.ParseDate(from)
	if err != nil {
		t.Fatal(err)
	}
	last, err := interval.ParseDate(to)
	if err != nil {
		t.Fatal(err)
	}
	return interval.Span{Start: first.Start(pacific(t)), End: last.AddDays(1).Start(pacific(t))}
}

func embedded(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func load(t *testing.T, activities string) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Load(strings.NewReader(file(activities)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func file(activities string) string {
	return `{"timezone":"America/Los_Angeles","area":["San Francisco","SF"],"words":{"music":["concert","live ` +
		`music"]},"activities":[` +
		activities + `]}`
}

func suggest(t *testing.T, c *catalogue.Catalogue, q meet.ActivityQuery) []meet.Suggestion {
	t.Helper()
	got, err := c.Suggest(t.Context(), q)
	if err != nil {
		t.Fatalf("Suggest(%+v): %v", q, err)
	}
	return got
}

func titles(list []meet.Suggestion) []string {
	got := []string{}
	for _, s := range list {
		got = append(got, s.Title)
	}
	return got
}

func TestOccurrences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, when string
		span       [2]string
		// want is the start and the end in UTC, empty if it does not come round.
		want string
	}{
		{"in winter time", `{"days":["sat"],"start":"08:00","end":"14:00"}`, [2]string{
			"2026-11-20", "2026-11-22",
		}, "2026-11-21T16:00/22:00"},
		{"in summer time", `{"days":["sat"],"start":"08:00","end":"14:00"}`, [2]string{
			"2026-07-03", "2026-07-05",
		}, "2026-07-04T15:00/21:00"},
		{"over the change back", `{"days":["sun"],"start":"00:30","end":"03:00"}`, [2]string{
			"2026-11-01", "2026-11-01",
		}, "2026-11-01T07:30/11:00"},
		{"another day", `{"days":["thu"],"start":"18:00","end":"22:00"}`, [2]string{"2026-11-20", "2026-11-22"}, ""},
		{"past midnight", `{"days":["sat"],"start":"21:30","end":"00:30"}`, [2]string{
			"2026-11-20", "2026-11-21",
		}, "2026-11-22T05:30/08:30"},
		{"the soonest of two days", `{"days":["sun","sat"],"start":"10:00","end":"12:00"}`, [2]string{
			"2026-11-20", "2026-11-22",
		}, "2026-11-21T18:00/20:00"},
		{"in season", `{"days":["sun"],"start":"14:00","end":"17:00","months":[6,7,8]}`, [2]string{
			"2026-08-28", "2026-08-30",
		}, "2026-08-30T21:00/00:00"},
		{"out of season", `{"days":["sun"],"start":"14:00","end":"17:00","months":[6,7,8]}`, [2]string{
			"2026-09-04", "2026-09-06",
		}, ""},
		{"first of the month", `{"days":["fri"],"start":"18:00","end":"22:00","weeks":[1]}`, [2]string{
			"2026-11-02", "2026-11-30",
		}, "2026-11-07T02:00/06:00"},
		{"not the first", `{"days":["fri"],"start":"18:00","end":"22:00","weeks":[1]}`, [2]string{
			"2026-11-08", "2026-11-30",
		}, ""},
		{"last of the month", `{"days":["fri"],"start":"18:00","end":"22:00","weeks":[-1]}`, [2]string{
			"2026-11-02", "2026-11-30",
		}, "2026-11-28T02:00/06:00"},
		{"far ahead", `{"days":["fri"],"start":"18:00","end":"22:00","months":[10],"weeks":[5]}`, [2]string{
			"2026-11-02", "2027-11-01",
		}, "2027-10-30T01:00/05:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			finder := load(t, `{"title":"It","tags":["fun"],"when":[`+c.when+`]}`)
			got := ""
			if list := suggest(t, finder, meet.ActivityQuery{Span: days(t, c.span[0], c.span[1]),
				Zone: time.UTC}); len(list) > 0 {
				got = list[0].Start.Format("2006-01-02T15:04") + "/" + list[0].End.Format("15:04")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestOnlyWhatBeginsWithinTheSpan(t *testing.T) {
	t.Parallel()
	c := load(t, `{"title":"It","tags":["fun"],"when":[{"days":["sat"],"start":"08:00","end":"14:00"}]}`)
	begin := time.Date(2026, 11, 21, 8, 0, 0, 0, pacific(t))
	for _, q := range []struct {
		span interval.Span
		want int
	}{
		{interval.From(begin, time.Minute), 1},
		{interval.From(begin.Add(time.Minute), time.Hour), 0},
		{interval.From(begin.Add(-time.Hour), time.Hour), 0},
		{interval.Span{}, 0},
		{interval.Span{Start: begin.Add(time.Hour), End: begin}, 0},
	} {
		if got := suggest(t, c, meet.ActivityQuery{Span: q.span}); len(got) != q.want {
			t.Errorf("%v gives %d, want %d", q.span, len(got), q.want)
		}
	}
}

func TestVisits(t *testing.T) {
	t.Parallel()
	clock := func(c string) time.Time {
		at, err := time.ParseInLocation("2006-01-02 15:04", "2026-11-21 "+c, pacific(t))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, q := range []struct{ hours, from, want string }{
		{`"start":"07:00","end":"14:00"`, "00:00", "10:00-11:30"},
		{`"start":"11:00","end":"18:00"`, "00:00", "11:00-12:30"},
		{`"start":"18:00","end":"22:00"`, "00:00", "18:00-19:30"},
		{`"start":"07:00","end":"10:30"`, "00:00", "09:00-10:30"},
		{`"start":"12:00","end":"13:00"`, "00:00", "12:00-13:00"},
		{`"start":"21:30","end":"00:30"`, "22:10", "22:30-00:00"},
		{`"start":"07:00","end":"14:00"`, "12:00", "12:00-13:30"},
		{`"start":"07:00","end":"14:00"`, "12:10", "12:30-14:00"},
		{`"start":"07:00","end":"14:00"`, "12:31", ""},
	} {
		c := load(t, `{"title":"It","tags":["fun"],"visit":90,"when":[{"days":["sat"],`+q.hours+`}]}`)
		got := ""
		span := interval.Span{Start: clock(q.from), End: clock("23:59")}
		if list := suggest(t, c, meet.ActivityQuery{Span: span}); len(list) > 0 {
			got = list[0].Start.Format("15:04-") + list[0].End.Format("15:04")
		}
		if got != q.want {
			t.Errorf("open %s, asked from %s: got %q, want %q", q.hours, q.from, got, q.want)
		}
	}
}

func TestTimesAreInTheZoneAskedFor(t *testing.T) {
	t.Parallel()
	c := load(t, `{"title":"It","tags":["fun"],"when":[{"days":["sat"],"start":"08:00","end":"14:00"}]}`)
	for name, want := range map[string]string{
		"Europe/Berlin": "2026-11-21T17:00:00+01:00", "America/Los_Angeles": "2026-11-21T08:00:00-08:00",
	} {
		got := suggest(t, c, meet.ActivityQuery{Span: days(t, "2026-11-21", "2026-11-21"), Zone: zone(t, name)})
		if len(got) != 1 || got[0].Start.Format(time.RFC3339) != want {
			t.Errorf("in %s: got %+v, want %s", name, got, want)
		}
	}
	if got := suggest(t, c, meet.ActivityQuery{Span: days(t, "2026-11-21", "2026-11-21")}); got[0].Start.Location().
		String() != "America/Los_Angeles" {
		t.Errorf("with no zone times are in %v, want the catalogue's", got[0].Start.Location())
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	on := func(title, tags, day, start string) string {
		return `{"title":"` + title + `","tags":[` + tags + `],"when":[{"days":["` + day + `"],"start":"` + start +
			`","end":"23:00"}]}`
	}
	c := load(t, strings.Join([]string{
		on("Late jazz", `"music","jazz"`, "sun", "21:00"), on("Organ concert", `"music"`, "sat", "11:00"),
		on("Market", `"market","food"`, "sat", "08:00"), on("Second market", `"market"`, "sat", "09:00"),
		on("Comedy", `"comedy"`, "fri", "20:00"), on("Zither", `"music"`, "sat", "11:00"),
	}, ","))
	span := days(t, "2026-11-20", "2026-11-22")
	for _, q := range []struct {
		text  string
		limit int
		want  []string
	}{
		{"what is happening this weekend?", 0, []string{"Comedy", "Market", "Second market", "Organ concert", "Late jazz"}},
		{"", 2, []string{"Comedy", "Market"}},
		{"", 100, []string{"Comedy", "Market", "Second market", "Organ concert", "Zither", "Late jazz"}},
		{"Live music!", 0, []string{"Organ concert", "Zither", "Late jazz"}},
		{"jazz concert", 0, []string{"Late jazz", "Organ concert", "Zither"}},
		{"food or comedy", 0, []string{"Comedy", "Market"}},
		{"quidditch", 0, []string{"Comedy", "Market", "Second market", "Organ concert", "Late jazz"}},
	} {
		for range 3 {
			got := titles(suggest(t, c, meet.ActivityQuery{Text: q.text, Span: span, Limit: q.limit}))
			if diff := cmp.Diff(q.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", q.text, diff)
			}
		}
	}
	tuesday := meet.ActivityQuery{Text: "jazz", Span: days(t, "2026-11-24", "2026-11-24")}
	if got := suggest(t, c, tuesday); got == nil || len(got) != 0 {
		t.Errorf("nothing on that day gives %v, want an empty list", got)
	}
}

func TestFarAway(t *testing.T) {
	t.Parallel()
	c := load(t,
		`{"title":"Here","tags":["fun"],"location":[-122.42,37.77],"when":[{"days":["sat"],"start":"08:00","end":"14:00"}]},
		{"title":"Anywhere","tags":["fun"],"when":[{"days":["sat"],"start":"09:00","end":"14:00"}]}`)
	span := days(t, "2026-11-21", "2026-11-21")
	berlin, oakland := &geo.Point{Latitude: 52.52, Longitude: 13.4}, &geo.Point{Latitude: 37.80, Longitude: -122.27}
	for _, q := range []struct {
		text string
		near *geo.Point
		want []string
	}{
		{"", nil, []string{"Here", "Anywhere"}},
		{"", oakland, []string{"Here", "Anywhere"}},
		{"", berlin, []string{"Anywhere"}},
		{"What's happening in SF?", berlin, []string{"Here", "Anywhere"}},
		{"san francisco this weekend", berlin, []string{"Here", "Anywhere"}},
	} {
		if diff := cmp.Diff(q.want, titles(suggest(t, c,
			meet.ActivityQuery{Text: q.text, Near: q.near, Span: span}))); diff != "" {
			t.Errorf("%q near %v (-want +got):\n%s", q.text, q.near, diff)
		}
	}
}

func TestEndedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := embedded(t).Suggest(ctx, meet.ActivityQuery{Span: days(t, "2026-11-20", "2026-11-22")})
	if fault.CodeOf(err) != fault.Unavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a fault of %s with its cause", err, fault.Unavailable)
	}
}

func TestTheAnswerIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	c, q := embedded(t), meet.ActivityQuery{Text: "farmers market", Span: days(t, "2026-11-21", "2026-11-21")}
	suggest(t, c, q)[0].Point.Latitude = 0
	if got := suggest(t, c, q)[0].Point.Latitude; got == 0 {
		t.Error("a change of the first answer shows in the second")
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	const when = `"when":[{"days":["sat"],"start":"08:00","end":"14:00"}]`
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"empty", ``, []string{"form"}},
		{"no zone", `{"activities":[]}`, []string{"timezone"}},
		{"unknown zone", `{"timezone":"Mars/Olympus"}`, []string{"timezone", "Mars/Olympus"}},
		{"unknown member", `{"timezone":"UTC","activitys":[]}`, []string{"activitys"}},
		{"no title", file(`{"tags":["fun"],` + when + `}`), []string{"activity 0", "title"}},
		{"unknown member of one", file(`{"title":"It","tag":["fun"],` + when + `}`), []string{`activity 0 ("It")`, `"tag"`}},
		{"no tags", file(`{"title":"It",` + when + `}`), []string{`"It"`, "tags"}},
		{"empty tag", file(`{"title":"It","tags":["!"],` + when + `}`), []string{"tags"}},
		{"no time", file(`{"title":"It","tags":["fun"]}`), []string{`"It"`, "when"}},
		{"no day", file(`{"title":"It","tags":["fun"],"when":[{"start":"08:00","end":"14:00"}]}`),
			[]string{"when 0", "days"}},
		{"unknown day", file(`{"title":"It","tags":["fun"],"when":[{"days":["someday"],"start":"08:00","end":"14:00"}]}`),
			[]string{"days", "someday"}},
		{"no hours", file(`{"title":"It","tags":["fun"],"when":[{"days":["sat"]}]}`), []string{"start"}},
		{"hours that are none", file(`{"title":"It","tags":["fun"],"when":[{"days":["sat"],"start":"8am","end":"14:00"}]}`),
			[]string{`"It"`, "8am"}},
		{"unknown month", file(`{"title":"It","tags":["fun"],"when":[{"days":["sat"],"start":"08:00","end":"14:00",` +
			`"months":[13]}]}`), []string{"months", "13"}},
		{"unknown week", file(`{"title":"It","tags":["fun"],"when":[{"days":["sat"],"start":"08:00","end":"14:00",` +
			`"weeks":[0]}]}`), []string{"weeks", "0"}},
		{"a visit that is none", file(`{"title":"It","tags":["fun"],"visit":-5,` + when + `}`),
			[]string{`"It"`, "visit", "-5"}},
		{"plain http", file(`{"title":"It","tags":["fun"],"url":"http://example.com",` + when + `}`),
			[]string{"url", "https"}},
		{"script for a URL", file(`{"title":"It","tags":["fun"],"url":"javascript:alert(1)",` + when + `}`), []string{"url"}},
		{"latitude first", file(`{"title":"It","tags":["fun"],"location":[37.77,-122.42],` + when + `}`), []string{
			"location", "longitude comes first",
		}},
		{"half a location", file(`{"title":"It","tags":["fun"],"location":[37.77],` + when + `}`), []string{"location"}},
		{"the same title twice", file(`{"title":"It","tags":["fun"],` + when + `},{"title":"It","tags":["fun"],` + when +
			`}`), []string{"activity 1", "title"}},
		{"a phrase of two tags", `{"timezone":"UTC","words":{"a":["x"],"b":["x"]},"activities":[]}`, []string{
			"words", `"x"`, `"a"`, `"b"`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := catalogue.Load(strings.NewReader(c.file))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
	broken := errors.New("disk on fire")
	if _, err := catalogue.Load(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails gives %v", err)
	}
}
