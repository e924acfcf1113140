package embedding_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"convene/pkg/embedding"
)

func vectors(tb testing.TB, texts ...string) []embedding.Vector {
	tb.Helper()
	list, err := embedding.Hashed{}.Embed(context.Background(), texts)
	if err != nil || len(list) != len(texts) {
		tb.Fatalf("%d vectors of %d texts: %v", len(list), len(texts), err)
	}
	return list
}

// Texts with words of common origin are nearer than others, whatever their accents, endings and language.
func TestHashed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, near, far string }{
		{"ultrasound", "The ultrasound is booked for the ninth", "The boiler needs a new valve"},
		{"cafes in Lisbon", "Café to try in Lisbon: the one at the tram stop", "Passport renewal takes six weeks"},
		{"gardens", "Garden: tomatoes want sun", "Guest network and its password"},
		{"alergia", "Alérgico a los frutos secos", "El fontanero viene el lunes"},
		{"מתכון", "המתכון של סבתא לעוגת שמרים", "הסיסמה של הרשת בבית"},
	} {
		list := vectors(t, c.asked, c.near, c.far)
		near, far := list[0].Similarity(&list[1]), list[0].Similarity(&list[2])
		if near <= far+0.05 {
			t.Errorf("%q: %.2f to %q, %.2f to %q", c.asked, near, c.near, far, c.far)
		}
	}
}

func TestQuantize(t *testing.T) {
	t.Parallel()
	full := make([]float32, embedding.Dimensions+10)
	other := make([]float32, embedding.Dimensions)
	var ab, aa, bb float64
	for i := range embedding.Dimensions {
		full[i], other[i] = float32(math.Sin(float64(i*i))), float32(math.Cos(float64(i)))+0.3
		ab += float64(full[i]) * float64(other[i])
		aa += float64(full[i]) * float64(full[i])
		bb += float64(other[i]) * float64(other[i])
	}
	a, b := embedding.Quantize(full), embedding.Quantize(other)
	if got, want := a.Similarity(&b), ab/math.Sqrt(aa*bb); math.Abs(got-want) > 0.01 {
		t.Errorf("similarity %.4f, want %.4f", got, want)
	}
	data, err := a.MarshalBinary()
	if err != nil || len(data) != embedding.Dimensions {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	var back embedding.Vector
	if err := back.UnmarshalBinary(data); err != nil || back != a {
		t.Errorf("read back: %v, same %t", err, back == a)
	}
	if err := back.UnmarshalBinary(data[1:]); err == nil {
		t.Error("a shorter vector is read")
	}
	for _, odd := range [][]float32{nil, {0, 0}, {float32(math.NaN())}, {float32(math.Inf(1)), 1}} {
		if v := embedding.Quantize(odd); v.Similarity(&a) != 0 {
			t.Errorf("%v has a direction", odd)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	list := vectors(t, "boiler valve", "the valve of the boiler", "a boiler, and a passport", "passport", "")
	near := embedding.Nearest(list[0], list[1:], 0.2)
	if len(near) != 2 || near[0].Index != 0 || near[1].Index != 1 {
		t.Errorf("%+v", near)
	}
}

// The scan of 10,000 notes.
func BenchmarkNearest(b *testing.B) {
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = fmt.Sprintf("note %d about subject %d and place %d", i, i%97, i%31)
	}
	list := vectors(b, texts...)
	for b.Loop() {
		embedding.Nearest(list[0], list, 0.3)
	}
}
