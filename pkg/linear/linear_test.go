package linear

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestAModelIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	full := []float32{1, -2, 0.5, 0, -1, 2}
	head := Model[string]{
		Classes: []string{"create", "other"}, Buckets: 3, Bias: []float32{0.1, -0.1}, Temperature: 1,
		Usual: map[string]float64{"create": 0.5, "other": 0.5},
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
	read, err := Decode[string](bytes.NewReader(once.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Encode(&twice); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
		t.Errorf("what was read is written differently (%v)", err)
	}
	said := Features("meet me tomorrow", nil)
	if got, want := read.Probabilities(said), m.Probabilities(said); !slices.Equal(got, want) {
		t.Errorf("probabilities %v after reading, want %v", got, want)
	}
	half := once.Bytes()[:once.Len()/2]
	for name, broken := range map[string][]byte{"nothing": nil, "half": half, "text": []byte("model")} {
		if _, err := Decode[string](bytes.NewReader(broken)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// What was learned is told apart, and the same examples give the same model.
func TestLearn(t *testing.T) {
	t.Parallel()
	var train []Example
	for range 20 {
		for class, text := range []string{"move it to friday", "cancel that", "who is coming"} {
			train = append(train, Example{Features(text, nil), class})
		}
	}
	var models [2]bytes.Buffer
	for i := range models {
		m := Learn([]string{"move", "cancel", "who"}, 1<<10, train)
		m.Calibrate(len(train), func(i int) float64 { return m.Probabilities(train[i].Features)[train[i].Class] })
		for class, text := range []string{"moving it to monday", "cancelled that one", "who else is coming"} {
			if p := m.Probabilities(Features(text, nil)); slices.Max(p) != p[class] {
				t.Errorf("%q has %v", text, p)
			}
		}
		if err := m.Encode(&models[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(models[0].Bytes(), models[1].Bytes()) {
		t.Error("two models differ")
	}
}

func ExampleLearn() {
	m := Learn([]string{"thanks", "greeting"}, 1<<8, []Example{
		{Features("thank you so much", nil), 0}, {Features("hello there", nil), 1},
	})
	p := m.Probabilities(Features("thanks", nil))
	fmt.Println(p[0] > p[1])
	// Output: true
}
