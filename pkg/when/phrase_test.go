package when_test

import "testing"

func TestReadDaysInManyWords(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"from the 6th to the 9th of June", "Jun 6-Jun 9"},
		{"between 6 and 9 May", "May 6-May 9"},
		{"june 3rd and 8th", "Jun 3 + Jun 8"},
		{"Sunday 12 April", "Apr 12"},
		{"22 of next month", "Apr 22"},
		{"the 14th day of May", "May 14"},
		{"on the 19 at noon", "Mar 19, at 12:00"},
		{"14.9.2026", "Sep 14"},
		{"5-7.10.26", "Oct 5-Oct 7"},
		{"Oct, 2026", "Oct 1-Oct 31"},
		{"Nov/8", "Nov 8"},
		{"the month after next", "May 1-May 31"},
		{"last day of April", "Apr 30"},
		{"first ten days of May", "May 1-May 10"},
		{"5 business days from now", "Mar 11"},
		{"4 Mondays from now", "Mar 30"},
		{"a week on Tuesday", "Mar 17"},
		{"Friday after next", "Mar 13"},
		{"a fortnight from Friday", "Mar 20"},
		{"Monday of this week", "Mar 2"},
		{"the last three days", "Mar 1-Mar 3"},
		{"Easter weekend", "Apr 4-Apr 5"},
		{"the next quarter", "Apr 1-Jun 30"},
		{"Q3", "Jul 1-Sep 30"},
		{"next winter", "Dec 21-Mar 20"},
		{"in 2027", "Jan 1 2027-Dec 31"},
		{"starting Monday and ending on Thursday", "Mar 9-Mar 12"},
		{"for two days starting Friday", "Mar 6-Mar 7, 2 days, all day"},
		{"all next week", "Mar 9-Mar 15, all day"},
		{"next month, starting on the 12th", "Apr 12-May 9"},
		{"this weekend, on Sunday", "Mar 8"},
		{"this weekend, sunday ideally", "Mar 8"},
		{"this weekend, and Sunday", "Mar 7-Mar 8"},
		{"next Thursday through the following Monday", "Mar 12-Mar 16"},
	})
}

func TestReadTimesInManyWords(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"early tomorrow", "Mar 5, 07:00-10:00"},
		{"late on Friday", "Mar 6, 16:00-20:00"},
		{"late tonight", "Mar 4, 21:00-24:00"},
		{"the next two hours", "Mar 4, 09:00-11:00"},
		{"after dinnertime", "21:00-24:00"},
		{"at breakfast on Friday", "Mar 6, 07:30-10:00"},
		{"from 9 for half an hour", "at 09:00, for 30m"},
		{"half an hour from 4", "at 16:00, for 30m"},
		{"16h", "at 16:00"},
		{"9h30 to 11h", "at 09:30, for 90m"},
		{"1400 hours", "at 14:00"},
		{"9 30 am", "at 09:30"},
		{"7|30 pm", "at 19:30"},
		{"8 tonight", "Mar 4, at 20:00"},
		{"3 in the afternoon", "at 15:00"},
		{"2 at night", "at 02:00"},
		{"5 to 7 tomorrow", "Mar 5, at 17:00, for 120m"},
		{"between now and noon", "09:00-12:00"},
		{"around 5-6pm", "at 17:00, for 60m"},
		{"not on weekends", "no Sunday, no Saturday"},
		{"2pm tomorrow or 3pm Friday", "Mar 5-Mar 6, Thu at 14:00; Fri at 15:00"},
		{"lunch at 1 on Thursday or dinner at 7 on Friday", "Mar 5-Mar 6, Thu at 13:00; Fri at 19:00"},
		{"not this week, next week instead", "Mar 9-Mar 15, not Mar 4-Mar 8"},
		{"one hour fifteen", "for 75m"},
		{"1 1/2 hours", "for 90m"},
		{"half a day off", "for 720m"},
		{"20'", "for 20m"},
		{"for another week", "7 days"},
		{"I may be late on Friday", "Mar 6"},
	})
}
