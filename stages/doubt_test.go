package stages

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// friday is the day on which the messages below are read; the week after has the 24th as its Tuesday.
var friday = interval.Date{Year: 2026, Month: time.November, Day: 20}

func day(n int) interval.Date { return interval.Date{Year: 2026, Month: time.November, Day: n} }

func from(first, last int) []interval.DateRange {
	return []interval.DateRange{{Start: day(first), End: day(last)}}
}

func window(start, end int) interval.Window {
	return interval.Window{Start: interval.At(start, 0), End: interval.At(end, 0)}
}

func starting(hour int) *meet.Hours {
	return &meet.Hours{Week: interval.EveryDay(window(hour, hour))}
}

// tea is "tea with Ruth on Tuesday at 3pm for 45 minutes", as the rules hear it and as an honest model reads it.
func tea() comparison {
	t := meet.Template{
		EventType: meet.InPerson, Activity: meet.Coffee, Duration: 45, Dates: from(24, 24), Hours: starting(15),
		Participants: []string{"Ruth"}, SuggestedPlaceTypes: []string{"cafe"}, Specificity: meet.ActivityType,
	}
	return comparison{
		heard: meet.Heard{
			Event: true, Mode: meet.ModeNew, Template: t, People: []meet.Person{ruth}, Today: friday,
			Words: words("tea with Ruth on Tuesday at 3pm for 45 minutes"),
			Phrases: []meet.Phrase{
				{Days: from(24, 24), Windows: []interval.Window{window(15, 15)}, Minutes: 45},
				{Text: "on Tuesday", Days: from(24, 24)},
				{Text: "at 3pm", Windows: []interval.Window{window(15, 15)}}, {Text: "for 45 minutes", Minutes: 45},
			},
		},
		draft: meet.Draft{Mode: meet.ModeNew, Template: t, People: []meet.Person{ruth}},
		start: time.Date(2026, time.November, 24, 15, 0, 0, 0, time.UTC),
		venue: &meet.Place{Name: "The Pot", Types: []string{"cafe"}},
	}
}

// silent makes the rules hear nothing of when.
func (c *comparison) silent() {
	c.heard.Template.Dates, c.heard.Template.Hours, c.heard.Phrases = nil, nil, nil
	c.draft.Template.Dates, c.draft.Template.Hours = nil, nil
}

// change makes an edit of it, of the event on Tuesday, that the rules hear to make it an hour.
func (c *comparison) change() {
	before := c.heard.Template
	c.draft.Mode, c.heard.Mode = meet.ModeEdit, meet.ModeEdit
	c.draft.Before, c.draft.Previous = &meet.Search{Template: before}, &meet.Event{Start: c.start}
	c.draft.Edit, c.heard.Edit = &meet.Edit{}, &meet.Edit{}
	c.heard.Phrases = []meet.Phrase{{Minutes: 60}, {Text: "an hour", Minutes: 60}}
	c.heard.Template.Duration, c.draft.Template.Duration = 60, 60
}

// The doubts about an event, with "!" if they are plain, and the words of the user.
func TestDoubts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		with func(c *comparison)
		want string
	}{
		{"all as said", func(*comparison) {}, ""},
		{"nothing about an event in the words", func(c *comparison) { c.heard = meet.Heard{} }, "request"},
		{"a change that is read as a new event", func(c *comparison) { c.draft.Mode = meet.ModeEdit }, "request"},

		{"another day", func(c *comparison) { c.start = c.start.AddDate(0, 0, 1) }, "day! on Tuesday"},
		{"another week", func(c *comparison) { c.start = c.start.AddDate(0, 0, 7) }, "day! on Tuesday"},
		{"a day that is mentioned for something else", func(c *comparison) {
			c.start = c.start.AddDate(0, 0, 1)
			c.heard.Phrases = append(c.heard.Phrases, meet.Phrase{Text: "not Wednesday", Days: from(25, 25)})
		}, "day on Tuesday, not Wednesday"},
		{"one of several days", func(c *comparison) { c.heard.Template.Dates = from(23, 27) }, ""},
		{"a day that the rules heard to be ruled out", func(c *comparison) {
			c.heard.Template.ExcludedDates = from(24, 24)
		}, "day on Tuesday"},
		{"the night after the day", func(c *comparison) {
			c.start = c.start.Add(10 * time.Hour)
		}, "day on Tuesday time! at 3pm"},
		{"the nearest day, because the one that was said is taken", func(c *comparison) {
			c.astray, c.start = true, c.start.AddDate(0, 0, 1)
		}, ""},
		{"the nearest day, because the model ruled out the one that was said", func(c *comparison) {
			c.astray, c.start = true, c.start.AddDate(0, 0, 1)
			c.draft.Template.ExcludedDates = from(24, 24)
		}, "day! on Tuesday"},
		{"the nearest day to another one", func(c *comparison) {
			c.astray, c.start, c.draft.Template.Dates = true, c.start.AddDate(0, 0, 2), from(25, 25)
		}, "day! on Tuesday"},
		{"any day of the next ones, if none was said", func(c *comparison) { c.silent() }, ""},
		{"a day soon, if none was said", func(c *comparison) { c.silent(); c.draft.Template.Dates = from(20, 27) }, ""},
		{"a day that nobody said", func(c *comparison) { c.silent(); c.draft.Template.Dates = from(24, 24) }, "day"},
		{"days ruled out that nobody said", func(c *comparison) {
			c.silent()
			c.draft.Template.ExcludedDates = from(20, 23)
		}, "day"},

		{"another time", func(c *comparison) { c.start = c.start.Add(time.Hour) }, "time! at 3pm"},
		{"in the window that was said", func(c *comparison) {
			c.heard.Template.Hours = &meet.Hours{Week: interval.EveryDay(window(12, 17))}
		}, ""},
		{"beyond the end of the window", func(c *comparison) {
			c.heard.Template.Hours = &meet.Hours{Week: interval.EveryDay(window(12, 15))}
		}, "time at 3pm"},
		{"past midnight, in a window that goes on there", func(c *comparison) {
			c.heard.Template.Hours = &meet.Hours{Week: interval.EveryDay(window(22, 2))}
			c.start = c.start.Add(8 * time.Hour)
		}, ""},
		{"a time that the rules heard to be ruled out", func(c *comparison) {
			c.heard.Template.ExcludedHours = &meet.Hours{Week: interval.EveryDay(window(12, 17))}
		}, "time at 3pm"},
		{"the nearest time, because the one that was said is taken", func(c *comparison) {
			c.astray, c.start = true, c.start.Add(time.Hour)
		}, ""},
		{"a usual time, if none was said", func(c *comparison) { c.silent() }, ""},
		{"a time that nobody said", func(c *comparison) { c.silent(); c.draft.Template.Hours = starting(15) }, "time"},
		{"an odd time that nobody said", func(c *comparison) {
			c.silent()
			c.draft.Template.Hours, c.start = starting(22), c.start.Add(7*time.Hour)
		}, "time!"},

		{"another length", func(c *comparison) { c.draft.Template.Duration = 60 }, "length! for 45 minutes"},
		{"a length that nobody said", func(c *comparison) {
			c.heard.Phrases = nil
			c.draft.Template.Duration = 90
		}, "length"},
		{"eight hours that nobody said", func(c *comparison) {
			c.heard.Phrases = nil
			c.draft.Template.Duration = 480
		}, "length!"},

		{"a person more", func(c *comparison) { c.draft.People = []meet.Person{ruth, tomA} }, "people"},
		{"a person left out already", func(c *comparison) { c.heard.Unnamed = true }, "people"},
		{"a person less", func(c *comparison) { c.draft.People = nil }, "people! Ruth"},
		{"an unknown person less", func(c *comparison) {
			c.heard.People = append(c.heard.People, meet.Person{Name: "Zoe"})
		}, "people Zoe"},

		{"another venue", func(c *comparison) {
			c.heard.Template.PlaceName, c.draft.Template.PlaceName = "The Pot", "Red Rose Inn"
		}, "place! The Pot"},
		{"a branch of the venue", func(c *comparison) {
			c.heard.Template.PlaceName, c.draft.Template.PlaceName = "The Pot", "The Pot, Market"
		}, ""},
		{"no venue", func(c *comparison) { c.heard.Template.PlaceName = "The Pot" }, "place! The Pot"},
		{"a venue out of the blue", func(c *comparison) { c.draft.Template.PlaceName = "Red Rose Inn" }, "place"},
		{"another venue that the message mentions", func(c *comparison) {
			c.heard.Template.PlaceName, c.draft.Template.PlaceName = "The Pot", "The Rose"
			c.heard.Words = words("tea at the pot or the rose")
		}, "place The Pot"},
		{"a venue that was refused", func(c *comparison) {
			c.heard.Template.Wishes.Excluded = []string{"the pot"}
		}, "place! the pot"},
		{"another kind of venue", func(c *comparison) {
			c.draft.Template.SuggestedPlaceTypes, c.venue.Types = []string{"bar"}, []string{"bar"}
		}, "place"},
		{"a kind of venue that goes with it as well", func(c *comparison) {
			c.draft.Template.SuggestedPlaceTypes, c.venue.Types = []string{"coffee shop"}, nil
		}, ""},
		{"other words for a place", func(c *comparison) { c.draft.Template.ActivitySearchQuery = "red rose" }, "place"},
		{"words of the message for a place", func(c *comparison) { c.draft.Template.ActivitySearchQuery = "tea" }, ""},
		{"another wish for a place", func(c *comparison) {
			c.draft.Template.Wishes.Features = []meet.Feature{meet.Upscale}
		}, "place"},
		{"a call in place of tea", func(c *comparison) { c.draft.Template.EventType = meet.Video }, "place"},
		{"a call because people live far apart", func(c *comparison) {
			c.draft.Template.EventType, c.draft.Apart = meet.Video, &meet.Apart{Video: true}
		}, ""},
		{"hours on the way", func(c *comparison) { c.draft.Template.TravelBuffer.BeforeMinutes = 120 }, "travel"},

		{"a change as said", func(c *comparison) { c.change() }, ""},
		{"a change that moves the event unasked", func(c *comparison) {
			c.change()
			c.draft.Edit.ChangedTime, c.start = true, c.start.AddDate(0, 0, 1).Add(time.Hour)
		}, "day! time!"},
		{"a change that moves the event because it has to", func(c *comparison) {
			c.change()
			c.start = c.start.Add(time.Hour)
		}, ""},
		{"a change of the length unasked", func(c *comparison) {
			c.change()
			c.heard.Template.Duration, c.heard.Template.Title, c.heard.Phrases = 45, "Tea time", nil
		}, "length!"},
		{"later where earlier was said", func(c *comparison) {
			c.change()
			c.heard.Edit = &meet.Edit{ChangedTime: true, Preference: meet.Earlier}
			c.start = c.start.Add(time.Hour)
		}, "time!"},
	} {
		c := tea()
		tt.with(&c)
		var got []string
		for _, d := range c.doubts() {
			mark := map[bool]string{true: "!"}[d.plain]
			got = append(got, strings.TrimSpace(fmt.Sprint(d.kind, mark, " ", d.said)))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
