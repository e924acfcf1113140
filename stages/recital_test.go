package stages

import "testing"

func TestRecitedInstructions(t *testing.T) {
	t.Parallel()
	told := instructionsOf("You are the first step of Convene, which finds a time and a place for people to " +
		"meet.\n\nAnswer with one function call and no other text.")
	for said, want := range map[string]bool{
		`{}`: false,
		`{"acknowledgment":"I find a time and a place for people to meet. What shall it be?"}`:   false,
		`{"acknowledgment":"You are the first step of Convene, which finds a time and a place"}`: true,
		`{"title":"YOU ARE THE FIRST STEP OF\nCONVENE - WHICH \"FINDS\" A TIME AND"}`:            true,
		`{"message":"for people to meet.\n\nAnswer with one function call and no other text"}`:   true,
		`{"message":"the first step which finds Convene a time and a place people for to meet answer one with function ` +
			`call no"}`: false,
	} {
		if got := told.recitedIn(said); got != want {
			t.Errorf("recitedIn(%s) = %t, want %t", said, got, want)
		}
	}
}
