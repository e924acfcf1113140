package ground_test

import (
	"testing"

	"convene/pkg/ground"
)

func TestMakesIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"let's make it a picnic": true, "actually, make it brunch": true, "turn it into a call": true,
		"make it 6": false, "make a list": false, "que sea un picnic": true, "שיהיה קפה": true, "לעשות קניות": false,
	} {
		if got := ground.MakesIt(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
