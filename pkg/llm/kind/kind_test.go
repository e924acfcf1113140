package kind

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"convene/pkg/linear"
)

func TestPlainRequests(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Class{
		"please schedule a meeting with the landlord on monday":  {Create, "calendar"},
		"delete tomorrow's appointment from my calendar":         {Delete, "calendar"},
		"what meetings do i have on my calendar this afternoon":  {Query, "calendar"},
		"remind me to return the library books":                  {Reminder, "task"},
		"add onions to the grocery list":                         {Reminder, "list"},
		"recommend a nice restaurant near the station":           {Suggest, "none"},
		"email my landlord about the broken window":              {Other, "email"},
		"dim the lights in the kitchen":                          {Other, "system"},
		"will it snow in vermont this weekend":                   {Other, "world"},
		"what is my savings account balance":                     {Other, "world"},
		"תקבע פגישה עם בעל הבית ביום שני":                        {Create, "calendar"},
		"מחק את הפגישה של מחר מהיומן":                            {Delete, "calendar"},
		"אילו פגישות יש לי ביומן היום":                           {Query, "calendar"},
		"הוסף בצל לרשימת הקניות":                                 {Reminder, "list"},
		"שלח אימייל לבעל הבית":                                   {Other, "email"},
		"האם ירד שלג מחר":                                        {Other, "world"},
		"programa una reunión con el casero el lunes":            {Create, "calendar"},
		"borra del calendario la cita de mañana":                 {Delete, "calendar"},
		"qué reuniones tengo en el calendario esta tarde":        {Query, "calendar"},
		"añade cebollas a la lista de la compra":                 {Reminder, "list"},
		"envía un correo electrónico al casero sobre la ventana": {Other, "email"},
		"va a nevar mañana en burgos":                            {Other, "world"},
	} {
		if got := Predict(message); got.Class != want {
			t.Errorf("%q is %v with %.2f, want %v", message, got.Class, got.Confidence, want)
		}
	}
}

func TestOddsAreProbabilities(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"", "?!", "שלום", "lunch", strings.Repeat("meeting tomorrow ", 10_000)} {
		got, sum := Predict(message), 0.0
		for kind, odds := range got.Odds {
			sum += odds
			if odds > got.Confidence {
				t.Errorf("%.9q: %s has %.3f, more than the guess", message, kind, odds)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%.9q: the odds add up to %f", message, sum)
		}
	}
}

func TestSpellingHardlyCounts(t *testing.T) {
	t.Parallel()
	want := Predict("que reuniones tengo manana a las 9")
	for _, message := range []string{"¿QUÉ reuniones tengo mañana, a las 9?", "qué reuniones tengo mañana a las 7"} {
		if got := Predict(message); math.Abs(got.Confidence-want.Confidence) > 1e-12 || got.Kind != want.Kind {
			t.Errorf("%q is %s with %.3f, want %s with %.3f", message, got.Kind, got.Confidence, want.Kind, want.Confidence)
		}
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	g := Predict("dim the lights in the kitchen")
	off, _ := g.Evidence(Other)
	event, taught := g.Evidence(Create)
	if off <= event || !taught {
		t.Errorf("%.2f speaks for other, %.2f for an event", off, event)
	}
	if _, taught := g.Evidence("edit"); taught {
		t.Error("the model was taught edits")
	}
}

func TestTheEmbeddedModelIsWhole(t *testing.T) {
	t.Parallel()
	if _, err := linear.Decode[Class](bytes.NewReader(weights)); err != nil {
		t.Error(err)
	}
	if len(weights) > 3<<20 {
		t.Errorf("the weights take %d bytes, more than 3 MiB", len(weights))
	}
}

func BenchmarkPredict(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Predict("can you find half an hour for me and the landlord on thursday afternoon")
	}
}

func ExamplePredict() {
	guess := Predict("add onions to the grocery list")
	fmt.Println(guess.Kind, guess.Family)
	// Output: reminder list
}
