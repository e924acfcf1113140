package when_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/when"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for theme, sentences := range map[string][][2]string{
		"single days": {
			{"coffee tomorrow", "Mar 5"},
			{"today please", "Mar 4"},
			{"the day after tomorrow", "Mar 6"},
			{"see you Saturday", "Mar 7"},
			{"Wednesday", "Mar 11"},
			{"this Wednesday", "Mar 4"},
			{"this Friday", "Mar 6"},
			{"next Friday", "Mar 13"},
			{"coming Monday", "Mar 9"},
			{"Tuesday next week", "Mar 10"},
			{"next week on Thursday", "Mar 12"},
			{"Dec 3", "Dec 3"},
			{"December 5th", "Dec 5"},
			{"the 5th of April", "Apr 5"},
			{"February 2nd", "Feb 2 2027"},
			{"on 12/3", "Dec 3"},
			{"2026-07-15", "Jul 15"},
			{"the 27th", "Mar 27"},
			{"the 2nd", "Apr 2"},
			{"Thursday the 12th", "Mar 12"},
			{"Friday, March 20", "Mar 20"},
			{"Monday 16", "Mar 16"},
			{"last Friday of the month", "Mar 27"},
			{"first Monday in June", "Jun 1"},
			{"in three days", "Mar 7"},
			{"a week from Tuesday", "Mar 17"},
			{"yesterday", "Mar 3"},
		},
		"stretches": {
			{"next week", "Mar 9-Mar 15"},
			{"this week", "Mar 4-Mar 8"},
			{"later this week", "Mar 5-Mar 8"},
			{"early next week", "Mar 9-Mar 10"},
			{"late next week", "Mar 12-Mar 13"},
			{"in the week after next", "Mar 16-Mar 22"},
			{"the week of April 8", "Apr 6-Apr 12"},
			{"in two weeks", "Mar 16-Mar 22"},
			{"first week of December", "Dec 1-Dec 7"},
			{"this weekend", "Mar 7-Mar 8"},
			{"next weekend", "Mar 14-Mar 15"},
			{"a weekend, but not this one", "Mar 14-Mar 15 + Mar 21-Mar 22 + Mar 28-Mar 29"},
			{"weekend, not this one", "Mar 14-Mar 15"},
			{"next month", "Apr 1-Apr 30"},
			{"the end of the month", "Mar 25-Mar 31"},
			{"end of April", "Apr 24-Apr 30"},
			{"late April", "Apr 21-Apr 30"},
			{"the end of next week", "Mar 12-Mar 13"},
			{"sometime in June", "Jun 1-Jun 30"},
			{"early May", "May 1-May 10"},
			{"the next three days", "Mar 5-Mar 7"},
			{"within 10 days", "Mar 4-Mar 14"},
			{"Dec 3-5", "Dec 3-Dec 5"},
			{"Monday through Wednesday", "Mar 9-Mar 11"},
			{"from the 10th to the 12th", "Mar 10-Mar 12"},
			{"after the 28th", "Mar 29-Apr 25"},
			{"by Friday", "Mar 4-Mar 6"},
			{"before Saturday", "Mar 4-Mar 6"},
		},
		"holidays": {
			{"on Thanksgiving", "Nov 26"},
			{"the day after Thanksgiving", "Nov 27"},
			{"the week before Christmas", "Dec 14-Dec 20"},
			{"the Sunday after Easter", "Apr 12"},
			{"Memorial Day", "May 25"},
			{"on New Year's Day", "Jan 1 2027"},
			{"Thanksgiving week", "Nov 23-Nov 29"},
		},
		"several days": {
			{"Thursday or Friday", "Mar 5-Mar 6"},
			{"Mon and Tue", "Mar 9-Mar 10"},
			{"Tue/Thu", "Mar 5 + Mar 10"},
			{"Tuesday or Wednesday next week", "Mar 10-Mar 11"},
			{"next week, maybe Monday or Friday", "Mar 9 + Mar 13"},
			{"next Monday or Tuesday", "Mar 9-Mar 10"},
			{"Mondays", "Mar 9 + Mar 16 + Mar 23 + Mar 30"},
			{"Tuesdays only, starting April 1", "Apr 7 + Apr 14 + Apr 21 + Apr 28"},
		},
		"exclusions": {
			{"next week but not Monday", "Mar 9-Mar 15, no Monday"},
			{"any day except Friday afternoon", "not Fri 12:00-17:00"},
			{"Sundays are bad", "no Sunday"},
			{"this week, Friday doesn't work", "Mar 4-Mar 8, no Friday"},
			{"Thursday instead of Tuesday", "Mar 5, not Mar 10"},
			{"can't do Monday or Tuesday", "no Monday, no Tuesday"},
			{"next week not Monday and after 3", "Mar 9-Mar 15, 15:00-24:00, no Monday"},
			{"not in the morning", "not 08:00-12:00"},
			{"no, 5 to 6 pm", "at 17:00, for 60m"},
			{"not too late on Friday", "Mar 6"},
			{"any day but Thursday next week", "Mar 9-Mar 15, no Thursday"},
			{"any day except Friday next week at 2pm", "Mar 9-Mar 15, at 14:00, no Friday"},
			{"any morning next week but Wednesday", "Mar 9-Mar 15, 08:00-12:00, no Wednesday"},
			{"not on Saturday this week", "Mar 4-Mar 8, no Saturday"},
			{"any time next week but not in the evening", "Mar 9-Mar 15, not 17:00-21:00"},
			{"can't do Monday or Friday next week", "Mar 9-Mar 15, no Monday, no Friday"},
			{"not next week", "not Mar 9-Mar 15"},
			{"Monday, but Tuesday works too", "Mar 9-Mar 10"},
		},
		"exact times": {
			{"at 4", "at 16:00"},
			{"at 7", "at 07:00"},
			{"at 12", "at 12:00"},
			{"3pm", "at 15:00"},
			{"9.30 am", "at 09:30"},
			{"1700", "at 17:00"},
			{"two thirty p. m.", "at 14:30"},
			{"half past two", "at 14:30"},
			{"quarter to 5", "at 16:45"},
			{"noon", "at 12:00"},
			{"15:30", "at 15:30"},
			{"tomorrow 730", "Mar 5, at 07:30"},
			{"Thursday 3", "Mar 5, at 15:00"},
			{"at 3 or 4pm", "at 15:00 or at 16:00"},
			{"dinner at 8", "at 20:00"},
			{"breakfast at 8", "at 08:00"},
			{"tonight at 8", "Mar 4, at 20:00"},
			{"today at 8", "Mar 4, at 20:00"},
			{"at 9 in the evening", "at 21:00"},
			{"starting at noon", "at 12:00"},
			{"how about 6pm", "at 18:00"},
			{"what about 6?", "at 18:00"},
			{"make it 4", "at 16:00"},
			{"5 instead", "at 17:00"},
			{"2:30 then", "at 14:30"},
			{"make it 4 people", ""},
			{"midnight tomorrow", "Mar 5, at 00:00"},
			{"tonight at midnight", "Mar 5, at 00:00"},
			{"at 25:00", ""},
			{"lunch instead at 11:30", "at 11:30"},
			{"in 20 minutes", "Mar 4, at 09:20"},
			{"at 10am London time tomorrow", "Mar 5, at 02:00"},
			{"tomorrow at 8am Tokyo time", "Mar 4, at 15:00"},
		},
		"windows": {
			{"after 3", "15:00-24:00"},
			{"before noon", "00:00-12:00"},
			{"not before 10", "10:00-24:00"},
			{"4 or later on Thursday", "Mar 5"},
			{"at 4 or later", "16:00-24:00"},
			{"from 3 on", "15:00-24:00"},
			{"between 1 and 5", "13:00-17:00"},
			{"between 10 and 2", "10:00-14:00"},
			{"around 7pm", "18:30-19:30, about"},
			{"Thursday 4ish", "Mar 5, 15:30-16:30, about"},
			{"by 9 for dinner", "00:00-21:00"},
			{"tomorrow afternoon", "Mar 5, 12:00-17:00"},
			{"this evening", "Mar 4, 17:00-21:00"},
			{"tonight", "Mar 4, 18:00-23:00"},
			{"Friday afternoon after 3", "Mar 6, 15:00-17:00"},
			{"mornings or evenings", "08:00-12:00 or 17:00-21:00"},
			{"after lunch", "13:00-17:00"},
			{"end of the day on Monday", "Mar 9, 15:00-18:00"},
			{"first thing tomorrow", "Mar 5, 08:00-10:00"},
			{"Monday morning, or if not, Tuesday afternoon", "Mar 9-Mar 10, Mon 08:00-12:00; Tue 12:00-17:00"},
			{"Thursday after 4 or Friday", "Mar 5-Mar 6, Thu 16:00-24:00; Fri 00:00-24:00"},
			{"Thursday or Friday after 4", "Mar 5-Mar 6, 16:00-24:00"},
		},
		"lengths": {
			{"half an hour", "for 30m"},
			{"90 minutes", "for 90m"},
			{"2 hours and a half", "for 150m"},
			{"1.5 hours", "for 90m"},
			{"2h", "for 120m"},
			{"2h30", "for 150m"},
			{"for 20 hours", "for 1200m"},
			{"45-minute call", "for 45m"},
			{"1/2 hour", "for 30m"},
			{"from 2 to 4 on Monday", "Mar 9, at 14:00, for 120m"},
			{"Friday 9-10:30am", "Mar 6, at 09:00, for 90m"},
			{"7-8am", "at 07:00, for 60m"},
			{"an hour between 2 and 4", "14:00-16:00, for 60m"},
			{"30 minutes from 2 to 4", "14:00-16:00, for 30m"},
			{"lunch with 30 minutes travel", "travel 30m"},
			{"all day tomorrow", "Mar 5, all day"},
			{"make it end at 5", "00:00-17:00, ends 17:00"},
		},
		"moves": {
			{"an hour later", "shift 60m 0d 0w"},
			{"could we do it an hour earlier", "shift -60m 0d 0w"},
			{"push it back 30 minutes", "shift 30m 0d 0w"},
			{"move it up an hour", "shift -60m 0d 0w"},
			{"two days later", "shift 0m 2d 0w"},
			{"the week after", "shift 0m 0d 1w"},
			{"the next day", "shift 0m 1d 0w"},
		},
		"slips and shorthand": {
			{"tommorow", "Mar 5"},                        //nolint:misspell // slips are what this is about
			{"wensday", "Mar 11"},                        //nolint:misspell // slips are what this is about
			{"thrusday aftrenoon", "Mar 5, 12:00-17:00"}, //nolint:misspell // slips are what this is about
			{"nxt wk", "Mar 9-Mar 15"},
			{"2moro", "Mar 5"},
			{"satuday mornin", "Mar 7, 08:00-12:00"},
			{"Friday's lunch", "Mar 6"},
			{"asap", "soonest"},
		},
		"days that do not exist": {
			{"February 30", "no February 30"},
			{"on Feb 29 at noon", "at 12:00, no February 29, 2027"},
			{"Feb 29, 2028", "Feb 29 2028"},
			{"the 31st of April", "no April 31"},
			{"6/31", "no June 31"},
			{"2026-09-31", "no September 31"},
			{"May 3 or June 31", "May 3, no June 31"},
		},
		"nothing about time": {
			{"", ""},
			{"coffee with April", ""},
			{"lunch with May and Will", ""},
			{"we may do that", ""},
			{"a table for 4 people", ""},
			{"meet at 500 Main street", ""},
			{"Sundae bar with Christian and Frida", ""},
			{"1:1 with Al", ""},
			{"open 24/7", ""},
			{"it costs $12", ""},
		},
	} {
		t.Run(theme, func(t *testing.T) {
			t.Parallel()
			for _, s := range sentences {
				if got := described(when.Read(s[0], wednesday(t))); got != s[1] {
					t.Errorf("Read(%q)\n got %s\nwant %s", s[0], got, s[1])
				}
			}
		})
	}
}

func TestReadInASetting(t *testing.T) {
	t.Parallel()
	later := interval.Date{Year: 2026, Month: time.March, Day: 18}
	for _, c := range []struct {
		setting    when.Setting
		text, want string
	}{
		{when.Setting{Occasion: when.Evening}, "make it 8 o'clock", "at 20:00"},
		{when.Setting{Occasion: when.Evening}, "make it 8", "at 20:00"},
		{when.Setting{Occasion: when.Evening}, "lunch instead, at 11", "at 11:00"},
		{when.Setting{Occasion: when.Meal}, "at 7", "at 19:00"},
		{when.Setting{Occasion: when.Meal}, "at 11:30", "at 11:30"},
		{when.Setting{Occasion: when.Meal}, "at 1", "at 13:00"},
		{when.Setting{Occasion: when.Meal}, "at 7 in the morning", "at 07:00"},
		{when.Setting{Occasion: when.Morning}, "at 6", "at 06:00"},
		{when.Setting{Occasion: when.Morning}, "dinner at 6", "at 18:00"},
		{when.Setting{Week: later}, "Thursday", "Mar 19"},
		{when.Setting{Week: later}, "next Thursday", "Mar 12"},
		{when.Setting{Week: interval.DateOf(wednesday(t))}, "Monday", "Mar 9"},
	} {
		if got := described(c.setting.Read(c.text, wednesday(t))); got != c.want {
			t.Errorf("Read(%q) in %+v = %s, want %s", c.text, c.setting, got, c.want)
		}
	}
}

func TestReadMarksWhatItRead(t *testing.T) {
	t.Parallel()
	text := "Lunch with Al on Tuesday at noon for an hour, but not Friday – ok?"
	type entity struct {
		Kind when.Kind
		Text string
	}
	var got []entity
	for _, e := range when.Read(text, wednesday(t)).Entities {
		got = append(got, entity{e.Kind, text[e.Start:e.End]})
	}
	want := []entity{
		{when.KindDate, "on Tuesday"},
		{when.KindTime, "at noon"},
		{when.KindDuration, "for an hour"},
		{when.KindExclusion, "but not Friday"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}

func TestReadTakesTheZoneOfNow(t *testing.T) {
	t.Parallel()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := described(when.Read("tomorrow", wednesday(t).In(tokyo))), "Mar 6"; got != want {
		t.Errorf("tomorrow in Tokyo = %s, want %s", got, want)
	}
}

func TestLexiconMendsSlips(t *testing.T) {
	t.Parallel()
	l := when.NewLexicon([]string{"coffee", "wednesday", "lunch"}, []string{"launch"})
	for in, want := range map[string]string{
		"coffee": "coffee", "cofee": "coffee", "coffeee": "coffee", "cofefe": "coffee", "koffee": "koffee",
		//nolint:misspell // slips are what this is about
		"wensday": "wednesday", "wednesdya": "wednesday", "lunhc": "lunch", "launch": "launch", "lun": "lun",
		"kaffee": "kaffee",
	} {
		if got := l.Correct(in); got != want {
			t.Errorf("Correct(%q) = %q, want %q", in, got, want)
		}
	}
}
