package ground

import "testing"

// The end of a message that only says what stays is left out; what takes a part from a whole is not.
func TestWithoutKept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I won't be at the gym this Friday, but I will on Wednesday": "I won't be at the gym this Friday",
		"cancel the kite club on Saturday, but keep the one after":   "cancel the kite club on Saturday",
		"skip fencing on Friday but not on Tuesday":                  "skip fencing on Friday",
		"este viernes no voy a esgrima, pero el miércoles sí":        "este viernes no voy a esgrima",
		"תבטל את הסיף של מחר אבל לא של חמישי":                        "תבטל את הסיף של מחר",
		"cancel everything this week but not on Thursday":            "cancel everything this week but not on Thursday",
		"move the gym to Friday but not on Thursday's slot":          "move the gym to Friday but not on Thursday's slot",
		"book the gym on Friday, but I will on Wednesday":            "book the gym on Friday, but I will on Wednesday",
		"don't cancel the gym, but I will call Al on Friday":         "don't cancel the gym, but I will call Al on Friday",
	} {
		if got := WithoutKept(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
