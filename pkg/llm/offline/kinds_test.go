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

// Something with someone is a wish to meet, although devices, recipes and music have the same words; an order is none.
func TestSomethingWithSomebodyIsAWish(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Intent{
		"tea with Ingrid and Paul":   Create,
		"cake with Ingrid":           Create,
		"a music lesson with Ingrid": Create,
		"coffee?":                    Create,
		"תה עם אינגריד ופאול":        Create,
		"שיעור מוזיקה עם אינגריד":    Create,
		"קפה?":                                Create,
		"café con Ingrid y Pablo":             Create,
		"vino con Ingrid":                     Create,
		"¿un café?":                           Create,
		"cancel tea with Ingrid":              Delete,
		"move tea with Ingrid to noon":        Update,
		"make tea":                            Other,
		"play some jazz with drums":           Other,
		"turn the lamp in my kitchen off":     Other,
		"set my working days to four":         Other,
		"תכין תה":                             Other,
		"hazme un té":                         Other,
		"¿cuándo es mi cita con el dentista?": Query,
	} {
		if got := Understand(message, Talk{}); got.Intent != want {
			t.Errorf("%q is %s (%v), want %s", message, got.Intent, got.Weights, want)
		}
	}
}

// What someone was going to do is no wish, and neither is what an order finds first.
func TestChangesThatBeginWithWhatWas(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"I was supposed to see Ingrid on Sunday, but I can no longer do that. Move it to a weekday",
		"find the review on Thursday at 3 and make it start at 4",
	} {
		if got := Understand(message, Talk{}); got.Intent == Create {
			t.Errorf("%q is %s (%v)", message, got.Intent, got.Weights)
		}
	}
}
