package ground

import "testing"

// What stands in the way is left out if a time follows.
func TestWithoutObstacle(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "oh wait, there's that concert. Then Thursday at 7:30", "Thursday at 7:30"},
		{"en", "oh no, I have lunch with the team that day. Tuesday then", "Tuesday then"},
		{"es", "ay, tengo clase ese día. Entonces el martes", "el martes"},
		{"he", "אוי, יש לי שיעור באותו יום. אז יום שלישי", "יום שלישי"},
		{"en", "I have to be done by 9 that day. Start at 7?", "I have to be done by 9 that day. Start at 7?"},
		{"en", "there's a table at Zuni. Thursday at 7:30", "there's a table at Zuni. Thursday at 7:30"},
		{"en", "I have a cold. Can Al bring soup?", "I have a cold. Can Al bring soup?"},
		{"en", "I have lunch on Tuesday", "I have lunch on Tuesday"},
	} {
		if got := withoutObstacle(Message{Text: c[1], Language: c[0], Now: now}); got != c[2] {
			t.Errorf("%q is %q, want %q", c[1], got, c[2])
		}
	}
}

// The end of a message that only says what stays is left out; what takes a part from a whole is not.
func TestWithoutKept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I won't be at the gym this Friday, but I will on Wednesday": "I won't be at the gym this Friday",
		"cancel the kite club on Saturday, but keep the one after":   "cancel the kite club on Saturday",
		"skip gym on Wednesday, I'll still go on Friday":             "skip gym on Wednesday",
		"cancel fencing this Friday, but not the week after":         "cancel fencing this Friday",
		"skip fencing on Friday but not on Tuesday":                  "skip fencing on Friday",
		"este viernes no voy a esgrima, pero el miércoles sí":        "este viernes no voy a esgrima",
		"תבטל את הסיף של מחר אבל לא של חמישי":                        "תבטל את הסיף של מחר",
		"cancel everything this week but not on Thursday":            "cancel everything this week but not on Thursday",
		"move the gym to Friday but not on Thursday's slot":          "move the gym to Friday but not on Thursday's slot",
		"book the gym on Friday, but I will on Wednesday":            "book the gym on Friday, but I will on Wednesday",
		"don't cancel the gym, but I will call Al on Friday":         "don't cancel the gym, but I will call Al on Friday",
	} {
		if got := withoutKept(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
