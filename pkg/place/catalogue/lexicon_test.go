package catalogue

import (
	"strings"
	"testing"
)

func TestReadLexicon(t *testing.T) {
	t.Parallel()
	l, err := readLexicon("# words\n\nignore: a, the\ntype bar: pub, happy hour\ntype brewery < bar: taproom\ncuisine " +
		"sushi < japanese\n")
	if err != nil {
		t.Fatal(err)
	}
	for phrase, want := range map[string]term{
		"pub": {ofType, "bar"}, "pubs": {ofType, "bar"}, "breweries": {ofType, "brewery"}, "happy hour": {ofType, "bar"},
		"taproom": {ofType, "brewery"}, "sushi": {ofCuisine, "sushi"}, "the": {}, "tavern": {},
	} {
		if got, _ := l.meaning(phrase); got != want {
			t.Errorf("%q means %v, want %v", phrase, got, want)
		}
	}
	if got, _ := l.misspelt("taprooom"); got != (term{ofType, "brewery"}) {
		t.Errorf("a misspelt word means %v", got)
	}
	if got, found := l.misspelt("pup"); found {
		t.Errorf("a short word with a letter wrong means %v, want nothing", got)
	}
	if got := l.widen(term{ofType, "brewery"}); len(got) != 2 || got[1] != (term{ofType, "bar"}) {
		t.Errorf("a brewery is %v, want a bar too", got)
	}
}

func TestReadLexiconErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"type bar: pub\nkind x: y":             "line 2",
		"type bar: pub\ntype inn: tavern, pub": `"pub" means both "bar" and "inn"`,
	} {
		if _, err := readLexicon(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", text, err, want)
		}
	}
}
