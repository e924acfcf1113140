package kind

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
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

func TestAModelIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	full := []float32{1, -2, 0.5, 0, -1, 2}
	head := Model{
		Classes: []Class{{Create, "calendar"}, {Other, "world"}}, Buckets: 3, Bias: []float32{0.1, -0.1}, Temperature: 1,
		Usual: map[string]float64{Create: 0.5, Other: 0.5},
	}
	m := Quantize(head, full)
	for i, w := range full {
		if got := float32(m.Weights[i]) * m.Scale[i%2]; math.Abs(float64(got-w)) > float64(m.Scale[i%2]) {
			t.Errorf("weight %d is %f, want %f", i, got, w)
		}
	}
	var once, twice bytes.Buffer
	if err := m.Encode(&once); err != nil {
		t.Fatal(err)
	}
	read, err := Decode(bytes.NewReader(once.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Encode(&twice); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
		t.Errorf("what was read is written differently (%v)", err)
	}
	const message = "meet me tomorrow"
	if got, want := read.Predict(message).Confidence, m.Predict(message).Confidence; got != want {
		t.Errorf("confidence %f after reading, want %f", got, want)
	}
	half := once.Bytes()[:once.Len()/2]
	for name, broken := range map[string][]byte{"nothing": nil, "half": half, "text": []byte("model")} {
		if _, err := Decode(bytes.NewReader(broken)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestTheEmbeddedModelIsWhole(t *testing.T) {
	t.Parallel()
	if _, err := Decode(bytes.NewReader(weights)); err != nil {
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
