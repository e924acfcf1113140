package when_test

import "testing"

func TestReadWhatWasShownIsNoHour(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"the evening one", "17:00-21:00"},
		{"let's do the Friday morning one", "Mar 6, 08:00-12:00"},
		{"the Tuesday one", "Mar 10"},
		{"Friday morning at one", "Mar 6, at 01:00"},
		{"tomorrow morning one on one", "Mar 5, 08:00-12:00"},
	})
}

func TestReadAlternativesOfOneKind(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"this week or next", "Mar 4-Mar 15"},
		{"this or next week", "Mar 4-Mar 15"},
		{"next week or the week after", "Mar 9-Mar 22"},
		{"next weekend or the one after", "Mar 14-Mar 15 + Mar 21-Mar 22"},
		{"this Friday or next", "Mar 6 + Mar 13"},
		{"this Friday or next Monday", "Mar 6 + Mar 9"},
		{"April or May", "Apr 1-May 31"},
		{"Jun/Jul", "Jun 1-Jul 31"},
		{"lunch with April or May", ""},
		{"in two or three weeks", "Mar 16-Mar 29"},
		{"2-3 days from now", "Mar 6-Mar 7"},
		{"3 or 4 tomorrow", "Mar 5, at 15:00 or at 16:00"},
	})
}

func TestReadBoundsOfDayAndTime(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"by tomorrow at 5", "Mar 5, 00:00-17:00"},
		{"until Friday 3pm", "Mar 6, 00:00-15:00"},
		{"after today 2 pm", "Mar 4, 14:00-24:00"},
		{"after Friday at 2 pm", "Mar 7-Apr 3, at 14:00"},
		{"before Friday 10 am", "Mar 6, 00:00-10:00"},
		{"as early as 8am", "08:00-24:00"},
		{"after midday Thursday", "Mar 5, 12:00-24:00"},
		{"sooner than Friday", "Mar 4-Mar 5"},
		{"no sooner than Monday", "Mar 9-Apr 5"},
		{"not until Monday", "Mar 9-Apr 5"},
		{"Friday at the earliest", "Mar 6-Apr 2"},
		{"between now and Friday", "Mar 4-Mar 6"},
	})
}

func TestReadPartsToldFromAnotherDay(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"the night before Christmas", "Dec 24, 18:00-23:00"},
		{"on the morning after the 10th", "Mar 11, 08:00-12:00"},
		{"this time tomorrow", "Mar 5, at 09:00"},
		{"tonight at 1", "Mar 5, at 01:00"},
		{"Friday night at 12:30", "Mar 7, at 00:30"},
		{"tonight at 6", "Mar 4, at 18:00"},
	})
}

func TestReadDistancesInManyWords(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"in 36 hours", "Mar 5, at 21:00"},
		{"in 2 weeks on Tuesday", "Mar 17"},
		{"two weeks Monday", "Mar 23"},
		{"next working day", "Mar 5"},
		{"third Friday this month", "Mar 20"},
		{"w/c 20 April", "Apr 20-Apr 26"},
		{"2026-08", "Aug 1-Aug 31"},
		{"2026-05-12/2026-05-19", "May 12-May 19"},
		{"2 weeks and 3 days from now", "Mar 21"},
		{"in a month and a half", "Apr 19"},
		{"at least 3 days from now", "Mar 7-Apr 3"},
		{"in less than two weeks", "Mar 4-Mar 18"},
		{"the next five weekdays", "Mar 5-Mar 11"},
		{"the day before my birthday", ""},
		{"5 or 6 April", "Apr 5-Apr 6"},
		{"either the 5th or the 9th of April", "Apr 5 + Apr 9"},
	})
}

func TestReadClocksAndLengthsAsSpoken(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"five after three", "at 15:05"},
		{"at 3 15", "at 15:15"},
		{"1-ish on Friday", "Mar 6, 12:30-13:30, about"},
		{"8 on Monday morning", "Mar 9, at 08:00"},
		{"hour and a half", "for 90m"},
		{"hour long call", "for 60m"},
		{".5 hours", "for 30m"},
		{"an hour and three quarters", "for 105m"},
		{"with 20 minutes travel before", "travel 20m before"},
		{"20 minutes after for the drive", "travel 20m after"},
		{"15 minutes to get home", "travel 15m after"},
		{"set up 20 minutes with Mia", "for 20m"},
	})
}

func TestReadNumbersOfOtherThings(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"meet at 1200 Harbor Street at 9:30 tomorrow", "Mar 5, at 09:30"},
		{"checkup at 450 Elm at 2pm Tuesday", "Mar 10, at 14:00"},
		{"lunch at 3rd and Oak tomorrow at noon", "Mar 5, at 12:00"},
		{"on the 3rd and Bob comes too", "Apr 3"},
		{"Q2 planning tomorrow", "Mar 5"},
		{"planning in Q2", "Apr 1-Jun 30"},
		{"dinner at Friday's on Saturday at 7", "Mar 7, at 19:00"},
		{"coffee at 9 mile house on Friday", "Mar 6"},
	})
}

func TestReadHoursByWhatIsDone(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"a table for 4 on Friday at 8", "Mar 6, at 20:00"},
		{"wake up at 6 tomorrow", "Mar 5, at 06:00"},
		{"how does 3 sound", "at 15:00"},
		{"6 would be great", "at 18:00"},
		{"not on a Monday", "no Monday"},
		{"change the end to 4", "00:00-16:00, ends 16:00"},
		{"at five 30", "at 17:30"},
		{"5 thirty", "at 17:30"},
		{"in 2-3 hours", "Mar 4, 11:00-12:00"},
		{"in three weekends", "Mar 21-Mar 22"},
		{"the 2nd of the month after next", "May 2"},
		{"in the new year", "Jan 1 2027-Jan 31"},
		{"3.16.2026", "Mar 16"},
		{"by month end", "Mar 4-Mar 31"},
	})
}

func TestReadStretchesBetweenPartsOfDays(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"Friday evening to Sunday evening", "Mar 6-Mar 8"},
		{"from Thursday night through Saturday morning", "Mar 5-Mar 7"},
		{"from tonight at 10 until 6 tomorrow morning", "Mar 4, at 22:00, for 480m"},
		{"7 to 9 tonight", "Mar 4, at 19:00, for 120m"},
		{"from 3 to about 5", "at 15:00, for 120m"},
		{"weekends 10 to 2", "Mar 7-Mar 8 + Mar 14-Mar 15 + Mar 21-Mar 22 + Mar 28-Mar 29, at 10:00, for 240m"},
		{"later next week", "Mar 12-Mar 13"},
		{"14/15 March", "Mar 14-Mar 15"},
		{"the 20th or after", "Mar 20-Apr 16"},
		{"the 20th or before", "Mar 4-Mar 20"},
		{"in a day or two", "Mar 5-Mar 6"},
		{"within the next month", "Mar 4-Apr 4"},
		{"3 on the dot", "at 15:00"},
	})
}

func TestReadWhereToSomethingIsMoved(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"move the 3pm to 4:30", "at 16:30"},
		{"change the meeting at 3 to 5", "at 17:00"},
		{"move it from 11am to 1", "at 13:00"},
		{"push my call with Al to 4", "at 16:00"},
		{"reschedule it from Tuesday to Thursday", "Mar 5"},
		{"move Tuesday's call to Friday", "Mar 6"},
		{"change it to 3 to 5pm", "at 15:00, for 120m"},
		{"change the size of the party to 4", ""},
		{"oil change from 3 to 5", "at 15:00, for 120m"},
		{"my shift on Friday from 4 to 10", "Mar 6, at 16:00, for 360m"},
		{"the week of the twentieth", "Mar 16-Mar 22"},
		{"first of the month", "Apr 1"},
		{"early in the month", "Mar 4-Mar 10"},
	})
}

func TestReadBeingAwayLastsAllDay(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"vacation from Sunday to Tuesday", "Mar 8-Mar 10, all day"},
		{"I'm off Thursday and Friday", "Mar 5-Mar 6, all day"},
		{"mark me busy for the next two days", "Mar 5-Mar 6, all day"},
		{"a trip to the lake, April 3-5", "Apr 3-Apr 5, all day"},
		{"a trip to the lake next week", "Mar 9-Mar 15"},
		{"visit the gallery between Monday and Wednesday", "Mar 9-Mar 11"},
		{"visit Al on Saturday or Sunday", "Mar 7-Mar 8"},
		{"a meeting from Monday to Wednesday", "Mar 9-Mar 11"},
		{"vacation planning on Monday and Tuesday at 3", "Mar 9-Mar 10, at 15:00"},
	})
}

func TestReadRangesAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"Mon 10-11, Tue 2-3", "Mar 9-Mar 10, Mon at 10:00; Tue at 14:00, for 60m"},
		{"from 9h to 10h30 tomorrow", "Mar 5, at 09:00, for 90m"},
		{"14.-16. August", "Aug 14-Aug 16"},
		{"28.04.-02.05.", "Apr 28-May 2"},
		{"28-04-2026 to 02-05-2026", "Apr 28-May 2"},
		{"from 2026/04/28 until 2026/05/02", "Apr 28-May 2"},
		{"from the first of June to the fifteenth", "Jun 1-Jun 15"},
		{"from March 28 to the 2nd", "Mar 28-Apr 2"},
		{"from the 10th until June 5", "Mar 10-Jun 5"},
		{"Thursday the 9th", "Apr 9"},
		{"this whole week", "Mar 4-Mar 8, all day"},
		{"by the end of quarter", "Mar 4-Mar 31"},
	})
}
