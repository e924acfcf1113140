package offline

import "testing"

// What the cues have no words for is told by what was learned.
func TestKindsBeyondTheCues(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Intent{
		"email my landlord that the window broke at nine": Other,
		"תגביר את עוצמת השמע":                             Other,
		"sube el brillo de la lámpara":                    Other,
		"silencia la alarma de las siete":                 Reminder,
		"qué compromisos tengo apuntados para el viernes": Query,
	} {
		if got := Understand(message, Talk{}); got.Intent != want {
			t.Errorf("%q is %s (%v), want %s", message, got.Intent, got.Weights, want)
		}
	}
}

func TestConfidenceIsThatOfTheIntent(t *testing.T) {
	t.Parallel()
	plain := Understand("schedule a meeting with Al on Monday at 3", Talk{}).Confidence
	vague := Understand("purple", Talk{}).Confidence
	if plain < 0.9 || plain > 1 {
		t.Errorf("a plain event has confidence %.2f", plain)
	}
	if vague <= 0 || vague >= plain {
		t.Errorf("a word alone has confidence %.2f, a plain event %.2f", vague, plain)
	}
}
