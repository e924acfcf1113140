package offline

import "testing"

func TestTokensAreFourCharactersAndNoFewerThanWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "a": 1, "four": 1, "fives": 2, "let us meet tomorrow": 5,
		"a b c d e": 5, " a\tb\nc\vd\fe\r": 5, "a\u00a0b\u2003c\u3000d": 4, "א ב ג ד": 4, "שלום": 1,
		"\xff\xff\xff\xff\xff": 2,
	} {
		if got := tokens([]byte(text)); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
