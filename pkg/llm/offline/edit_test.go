package offline

import (
	"testing"
	"time"
)

// afterCoffee is a document of stage 3 after a proposal: coffee with Al on Tuesday 10 March at two, wished for that
// week.
func afterCoffee(message string) templateData {
	d := onWednesday(message)
	d.Template = &knownTemplate{
		Title: "Coffee with Al", EventType: "in-person", Activity: "coffee", Duration: 30, Participants: []string{"Al"},
		SuggestedPlaceTypes: []string{"cafe"}, Dates: []dateRange{{"2026-03-09", "2026-03-15"}},
	}
	d.Event = &offeredEvent{Start: "2026-03-10T14:00:00-07:00", End: "2026-03-10T14:30:00-07:00", Place: "Corner Cafe"}
	return d
}

func TestEdit(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"lunch instead", "editType=multiple; newTitle=lunch with Al; newActivity=lunch; newDuration=60; " +
			"newPlaceType=restaurant"},
		{"can we make it dinner", "editType=multiple; newTitle=dinner with Al; newActivity=dinner; newDuration=90; " +
			"newPlaceType=restaurant"},
		{"tea instead", "editType=multiple; newTitle=tea with Al; newPlaceType=tea house"},
		{"any earlier times?", "editType=time; timePreference=earlier; isConditional=true"},
		{"do we have anything later in the day?", "editType=time; timePreference=later; isConditional=true"},
		{"later?", "editType=time; timePreference=later; isConditional=true"},
		{"earlier please", "editType=time; timePreference=earlier"},
		{"make it 90 minutes", "editType=duration; newDuration=90"},
		{"make it an hour and a half", "editType=duration; newDuration=90"},
		{"a bit longer", "editType=duration; newDuration=45"},
		{"20 minutes longer", "editType=duration; newDuration=50"},
		{"give it 15 more minutes", "editType=duration; newDuration=45"},
		{"extend it by an hour", "editType=duration; newDuration=90"},
		{"10 minutes shorter", "editType=duration; newDuration=20"},
		{"it takes longer, make it an hour", "editType=duration; newDuration=60"},
		{"no longer than 20 minutes", "editType=duration; newDuration=20"},
		{"move it to Friday, same time", "editType=multiple; newPreferredSchedulableDates=2026-03-13; " +
			"newPreferredSchedulableHours=daily 14:00"},
		{"any other day?", "editType=date; isConditional=true; newExcludedDates=2026-03-10"},
		{"not there again", "editType=place; excludePlaces=[Corner Cafe]"},
		{"change the place to Foreign Cinema", "editType=place; newPlaceName=Foreign Cinema"},
		{"somewhere closer to me", "editType=place; newWhere={area:,landmark:,person:me,anchor:location}"},
		{"nearer please, near me", "editType=place; newWhere={area:,landmark:,person:me,anchor:location}"},
		{"at my place instead", "editType=place"},
		{"what about Mia instead of Al?", "editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Al]"},
		{"Thursday after 4, same place", "editType=multiple; newPreferredSchedulableDates=2026-03-12; " +
			"newPreferredSchedulableHours=daily 16:00-24:00"},
		{"make it Thursday", "editType=date; newPreferredSchedulableDates=2026-03-12"},
		{"how about Wednesday morning?", "editType=multiple; newPreferredSchedulableDates=2026-03-11; " +
			"newPreferredSchedulableHours=daily 08:00-12:00"},
		{"move it to the week after", "editType=date; newPreferredSchedulableDates=2026-03-16..2026-03-22"},
		{"the day after", "editType=date; newPreferredSchedulableDates=2026-03-11"},
		{"not Monday", "editType=date; newExcludedHours=mon 00:00-24:00"},
		{"an hour later", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 15:00"},
		{"push it back 30 minutes", "editType=time; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 14:30"},
		{"can we do it an hour earlier", "editType=time; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 13:00"},
		{"are we both free at 4 instead?", "editType=time; isConditional=true; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 16:00"},
		{"make it end at 3", "editType=multiple; newDuration=60; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 14:00"},
		{"is there anything on Friday?", "editType=date; isConditional=true; newPreferredSchedulableDates=2026-03-13"},
		{"somewhere with outdoor seating", "editType=place; addWishes=[outdoor seating]"},
		{"somewhere quieter please", "editType=place; addWishes=[quiet]"},
		{"another place", "editType=place; excludePlaces=[Corner Cafe]"},
		{"at Zuni instead", "editType=place; newPlaceName=Zuni"},
		{"what about Tartine?", "editType=place; newPlaceName=Tartine"},
		{"let's do it over zoom", "editType=place; newEventType=video"},
		{"add Dana", "editType=participants; newTitle=Coffee with Al and Dana; addParticipants=[Dana]"},
		{"can Dana join too?", "editType=participants; newTitle=Coffee with Al and Dana; addParticipants=[Dana]"},
		{"ask kim along", "editType=participants; newTitle=Coffee with Al and kim; addParticipants=[kim]"},
		{"with Al n Mia", "editType=participants; newTitle=Coffee with Al and Mia; addParticipants=[Mia]"},
		{"what about a place near him", "editType=place; newWhere={area:,landmark:,person:Al,anchor:location}"},
		{"somewhere near the park", "editType=place; newWhere={area:,landmark:the park,person:,anchor:none}"},
		{"bring kim along", "editType=participants; newTitle=Coffee with Al and kim; addParticipants=[kim]"},
		{"make it a phone call", "editType=place; newTitle=call with Al; newEventType=phone"},
		{"without Al", "editType=participants; newTitle=Coffee; removeParticipants=[Al]"},
		{"Al can't make it", "editType=participants; newTitle=Coffee; removeParticipants=[Al]"},
		{"with Mia instead of Al", "editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Al]"},
		{"swap Al for Mia",
			"editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; removeParticipants=[Al]"},
		{"could we replace al with Mia?", "editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Al]"},
		{"brunch with Mia and Tom on Sunday instead", "editType=multiple; newTitle=brunch with Mia and Tom; " +
			"newActivity=brunch; newDuration=90; newPreferredSchedulableDates=2026-03-15; addParticipants=[Mia,Tom]; " +
			"removeParticipants=[Al]; newPlaceType=brunch"},
		{"It's too late, start at 9", "editType=time; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 09:00"},
		{"with Mia and Tom too", "editType=participants; newTitle=Coffee with Al, Mia and Tom; addParticipants=[Mia,Tom]"},
		{"with ann@mail.example too", "editType=participants; newTitle=Coffee with Al and ann; " +
			"addParticipants=[ann@mail.example]"},
		{"not with Al", "editType=participants; newTitle=Coffee; removeParticipants=[Al]"},
		{"not Al", "editType=participants; newTitle=Coffee; removeParticipants=[Al]"},
		{"not Corner", "editType=place; excludePlaces=[Corner Cafe]"},
		{"in Oakland instead", "editType=place; newWhere={area:Oakland,landmark:,person:,anchor:none}"},
		{"not at Corner", "editType=place; excludePlaces=[Corner Cafe]"},
		{"anywhere but Harbor Roasters", "editType=place; excludePlaces=[Harbor Roasters]"},
		{"somewhere else, cheaper", "editType=place; addWishes=[cheap]; excludePlaces=[Corner Cafe]"},
		{"same place but lunch", "editType=multiple; newTitle=lunch with Al; newActivity=lunch; newDuration=60; " +
			"newPlaceName=Corner Cafe"},
		{"keep the day but go to Mill Cafe", "editType=place; newPlaceName=Mill Cafe"},
		{"move the 2pm to 3:30", "editType=time; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 15:30"},
		{"move it from Tuesday to Thursday", "editType=date; newPreferredSchedulableDates=2026-03-12"},
		{"how about 3pm", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 15:00"},
		{"make it 4", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 16:00"},
		{"any day but Thursday next week", "editType=date; newPreferredSchedulableDates=2026-03-09..2026-03-15; " +
			"newExcludedHours=thu 00:00-24:00"},
		{"call it Q4 planning", "editType=title; newTitle=Q4 planning"},
		{"rename to Q4 planning", "editType=title; newTitle=Q4 planning"},
		{"no, 4", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 16:00"},
		{"until 7", "editType=multiple; newDuration=300; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 14:00"},
		{"until 1", "editType=multiple"},
		{"change the place to 45 Oak Avenue", "editType=place; newPlaceName=45 Oak Avenue"},
		{"move it to 12 Oak Street", "editType=place; newPlaceName=12 Oak Street"},
		{"15 minutes to get home", "editType=multiple; newTravelBuffer={beforeMinutes:0,afterMinutes:15}"},
		{"with 15 minutes travel", "editType=multiple; newTravelBuffer={beforeMinutes:15,afterMinutes:15}"},
		{"with 20 minutes travel before", "editType=multiple; newTravelBuffer={beforeMinutes:20,afterMinutes:0}"},
		{"with a 10 minute buffer afterwards", "editType=multiple; newTravelBuffer={beforeMinutes:0,afterMinutes:10}"},
	} {
		name, got := stage3(afterCoffee(c[0]))
		if name != editEventTemplate || got != c[1] {
			t.Errorf("%q: %s\n got %s\nwant %s", c[0], name, got, c[1])
		}
	}
}

// The event is on a Tuesday at two, and someone else takes part too.
// A title keeps what it says besides of those who come.
func TestATitleWithASubject(t *testing.T) {
	t.Parallel()
	d := afterCoffee("add Dana")
	d.Template.Title = "Call with Al about the roof"
	if got := newEdit(d, someDay).NewTitle; got == nil || *got != "Call with Al and Dana about the roof" {
		t.Errorf("%v", got)
	}
	d.Template.Title = "Call with Al and his brother"
	if got := newEdit(d, someDay).NewTitle; got != nil {
		t.Errorf("%q", *got)
	}
}

func TestEditOfTimes(t *testing.T) {
	t.Parallel()
	at := func(day, clock string) string {
		return "editType=time; newPreferredSchedulableDates=2026-03-" + day + "; newPreferredSchedulableHours=daily " + clock
	}
	on := func(day string) string { return "editType=date; newPreferredSchedulableDates=2026-03-" + day }
	for _, c := range [][2]string{
		{"not 2, 4", at("10", "16:00")},
		{"change 2 to 4", at("10", "16:00")},
		{"2's bad. 4?", at("10", "16:00")},
		{"2 is too early, 4", at("10", "16:00")},
		{"can't do 2, can do 1 or 4", at("10", "13:00/16:00")},
		{"an hour before that", at("10", "13:00")},
		{"earlier by 20 minutes", at("10", "13:40")},
		{"not Tuesday, Thursday", on("12") + "; newExcludedDates=2026-03-10"},
		{"Tuesday won't work, Thursday?", on("12") + "; newExcludedDates=2026-03-10"},
		{"Tuesday I can't, Thursday?", on("12") + "; newExcludedDates=2026-03-10"},
		{"move it from Tuesday to Thursday", on("12")},
		{"earlier in the week", on("09")},
		{"later in the week", on("11..2026-03-15")},
		{"sooner please, like Monday", on("09")},
		{"the Tuesday after", on("17")},
		{"a month ago", "editType=multiple"},
		{"a week earlier", "editType=multiple"}, // which is past
		{"same time next week", "editType=multiple; newPreferredSchedulableDates=2026-03-17; " +
			"newPreferredSchedulableHours=daily 14:00"},
		{"double the time", "editType=duration; newDuration=60"},
		{"half as long", "editType=duration; newDuration=15"},
		{"too short", "editType=duration; newDuration=45"},
	} {
		d := afterCoffee(c[0])
		d.Template.Dates = []dateRange{{"2026-03-10", "2026-03-10"}}
		if name, got := stage3(d); name != editEventTemplate || got != c[1] {
			t.Errorf("%q: %s\n got %s\nwant %s", c[0], name, got, c[1])
		}
	}
}

func TestEditOfPeople(t *testing.T) {
	t.Parallel()
	const (
		withoutTom = "editType=participants; newTitle=Coffee with Al; removeParticipants=[Tom]"
		nobody     = "editType=multiple"
	)
	for _, c := range [][2]string{
		{"only Al", withoutTom},
		{"just me and Al", withoutTom},
		{"everyone but Tom", withoutTom},
		{"Tom won't be joining", withoutTom},
		{"Tom is out", withoutTom},
		{"Tom dropped out", withoutTom},
		{"Tom can't make it", withoutTom},
		{"Tom can't make it at two", "editType=multiple; newPreferredSchedulableDates=2026-03-10; " +
			"newPreferredSchedulableHours=daily 00:00-24:00; newExcludedHours=daily 14:00-15:00"},
		{"don't invite Mia", nobody},
		{"don't invite Tom", withoutTom},
		{"loop in Mia", "editType=participants; newTitle=Coffee with Al, Tom and Mia; addParticipants=[Mia]"},
		{"Mia would like to join", "editType=participants; newTitle=Coffee with Al, Tom and Mia; addParticipants=[Mia]"},
		{"Mia, not Tom", "editType=participants; newTitle=Coffee with Al and Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Tom]"},
		{"not Tom but Mia", "editType=participants; newTitle=Coffee with Al and Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Tom]"},
		{"without Tom and Al, just me and Mia", "editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; " +
			"removeParticipants=[Tom,Al]"},
	} {
		d := afterCoffee(c[0])
		d.Template.Title, d.Template.Participants = "Coffee with Al and Tom", []string{"Al", "Tom"}
		if name, got := stage3(d); name != editEventTemplate || got != c[1] {
			t.Errorf("%q: %s\n got %s\nwant %s", c[0], name, got, c[1])
		}
	}
}

func TestBareHourFollowsTheEvent(t *testing.T) {
	t.Parallel()
	d := afterCoffee("make it at 8")
	d.Template.Activity, d.Template.Title = "dinner", "Dinner with Al"
	d.Event = &offeredEvent{Start: "2026-03-10T19:00:00-07:00", End: "2026-03-10T20:30:00-07:00"}
	_, got := stage3(d)
	want := "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 20:00"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A lunch that is moved to 10 is a late breakfast rather than a supper.
func TestABareHourOfALunchIsOfTheDay(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{"make it 10": "10:00", "9:30 instead": "09:30", "make it 1": "13:00",
		"at 2": "14:00"} {
		d := afterCoffee(message)
		d.Template.Activity, d.Template.Title = "lunch", "Lunch with Al"
		d.Event = &offeredEvent{Start: "2026-03-10T12:00:00-07:00", End: "2026-03-10T13:00:00-07:00"}
		if _, got := stage3(d); got != "editType=time; newPreferredSchedulableDates=2026-03-10; "+
			"newPreferredSchedulableHours=daily "+want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// afterDinner is a document of stage 3 after a dinner at seven.
func afterDinner(message string) templateData {
	d := afterCoffee(message)
	d.Template.Activity, d.Template.Title, d.Template.SuggestedPlaceTypes = "dinner",
		"Dinner with Al", []string{"restaurant"}
	d.Template.ActivitySearchQuery, d.Template.Duration = "thai", 90
	d.Event = &offeredEvent{Start: "2026-03-10T19:00:00-07:00", End: "2026-03-10T20:30:00-07:00", Place: "Blue Door"}
	return d
}

func TestEditOfADinner(t *testing.T) {
	t.Parallel()
	const at8 = "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 20:00"
	for _, c := range [][2]string{
		{"make it 8", at8},
		{"8 instead", at8},
		{"what about 8?", at8},
		{"8:00 then", at8},
		{"cheaper", "editType=place; addWishes=[cheap]"},
		{"a different cuisine", "editType=place; newActivitySearchQuery=not thai"},
		{"another restaurant", "editType=place; excludePlaces=[Blue Door]"},
		{"is Al free on Friday at 6?", "editType=multiple; isConditional=true; newPreferredSchedulableDates=2026-03-13; " +
			"newPreferredSchedulableHours=daily 18:00"},
	} {
		if _, got := stage3(afterDinner(c[0])); got != c[1] {
			t.Errorf("%q\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestInPersonIsOverCoffee(t *testing.T) {
	t.Parallel()
	d := afterCoffee("let's meet face to face")
	d.Template = &knownTemplate{
		Title: "Meeting with Al", EventType: "video", Activity: "meeting", Duration: 30, Participants: []string{"Al"},
	}
	if _, got := stage3(d); got != "editType=place; newEventType=in-person; newPlaceType=cafe" {
		t.Errorf("got %s", got)
	}
}

func TestChoiceOfWhatWasOffered(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"the second one",
			"editType=time; newPreferredSchedulableDates=2026-03-12; newPreferredSchedulableHours=daily 11:00"},
		{"option 2 but 15 minutes later", "editType=time; newPreferredSchedulableDates=2026-03-12; " +
			"newPreferredSchedulableHours=daily 11:15"},
		{"Wednesday works",
			"editType=time; newPreferredSchedulableDates=2026-03-11; newPreferredSchedulableHours=daily 10:00"},
		{"the last one please", "editType=time; newPreferredSchedulableDates=2026-03-13; " +
			"newPreferredSchedulableHours=daily 16:00"},
		{"the Friday one",
			"editType=time; newPreferredSchedulableDates=2026-03-13; newPreferredSchedulableHours=daily 16:00"},
		{"the afternoon one", "editType=time; newPreferredSchedulableDates=2026-03-13; newPreferredSchedulableHours=daily " +
			"16:00"},
		{"I'll take the 11 am one", "editType=time; newPreferredSchedulableDates=2026-03-12; " +
			"newPreferredSchedulableHours=daily 11:00"},
		{"use the second place", "editType=multiple"},
	} {
		d := afterCoffee(c[0])
		d.OfferedSlots = []offeredEvent{
			{Start: "2026-03-11T10:00:00-07:00"}, {Start: "2026-03-12T11:00:00-07:00"}, {Start: "2026-03-13T16:00:00-07:00"},
		}
		if _, got := stage3(d); got != c[1] {
			t.Errorf("%q of times\n got %s\nwant %s", c[0], got, c[1])
		}
	}
	for _, c := range [][2]string{
		{"the second one", "editType=place; newPlaceName=Harbor Roasters"},
		{"let's take the first", "editType=place; newPlaceName=Mill Cafe"},
		{"harbor instead", "editType=place; newPlaceName=Harbor Roasters"},
		{"how about the 1st of April", "editType=date; newPreferredSchedulableDates=2026-04-01"},
		{"change location to Noe Valley", "editType=place; newWhere={area:Noe Valley,landmark:,person:,anchor:none}"},
	} {
		d := afterCoffee(c[0])
		d.OfferedPlaces = []string{"Mill Cafe", "Harbor Roasters"}
		if _, got := stage3(d); got != c[1] {
			t.Errorf("%q of places\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestNewOrEdit(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"dinner with Bob on Friday":                     generateEventTemplate,
		"gotta collect the curtains at 4 on Friday":     generateEventTemplate,
		"tengo que recoger la tarta el viernes a las 3": generateEventTemplate,
		"let's do the early slot on Friday at 3":        editEventTemplate,
		"Friday at 3 suits Al better":                   editEventTemplate,
		"schedule lunch with Dana on Monday":            generateEventTemplate,
		"let's grab drinks with Priya":                  generateEventTemplate,
		"new meeting with Al tomorrow":                  generateEventTemplate,
		"lunch instead":                                 editEventTemplate,
		"add Bob":                                       editEventTemplate,
		"Thursday":                                      editEventTemplate,
		"could Al do Friday at 10?":                     editEventTemplate,
		"make it coffee with Al and Bob too":            editEventTemplate,
	} {
		if got, _ := stage3(afterCoffee(message)); got != want {
			t.Errorf("%q is %s, want %s", message, got, want)
		}
	}
}

// What stands in the calendars is moved by someone who says so. A whole event described after it is one of its own,
// also with the same people.
func TestABookedEventIsMovedAtAWordOnly(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"lunch with Al tomorrow at noon":      generateEventTemplate,
		"dinner with Al on Friday":            generateEventTemplate,
		"coffee with Al on Friday":            generateEventTemplate,
		"lunch with Al instead":               editEventTemplate,
		"make it lunch with Al on Friday":     editEventTemplate,
		"move the coffee with Al to Friday":   editEventTemplate,
		"how about lunch with Al on Friday?":  editEventTemplate,
		"Friday at noon":                      editEventTemplate,
		"can we push the coffee with Al back": editEventTemplate,
	} {
		d := afterCoffee(message)
		d.Event.Booked = true
		if got, _ := stage3(d); got != want {
			t.Errorf("%q is %s, want %s", message, got, want)
		}
	}
}

// What a change says with small words leaves how people meet as it is.
func TestSmallWordsChangeNoManner(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"loop in Mia", "in the morning instead", "move it up by an hour", "at 4 in the afternoon",
	} {
		d := afterLunch(message)
		d.Template.EventType, d.Template.Activity, d.Template.SuggestedPlaceTypes = "video", "meeting", nil
		if e := newEdit(d, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)); e.NewEventType != nil {
			t.Errorf("%q makes it %s", message, *e.NewEventType)
		}
	}
}

// A name of the message is no part of another word: Al is not in "half".
func TestAGuestTakesNoTimeAway(t *testing.T) {
	t.Parallel()
	d := afterCoffee("make it an hour and a half and bring Al")
	d.Template.Title, d.Template.Participants = "Coffee with Mia", []string{"Mia"}
	want := "editType=multiple; newTitle=Coffee with Mia and Al; newDuration=90; addParticipants=[Al]"
	if _, got := stage3(d); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
