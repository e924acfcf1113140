package clause

import "testing"

func TestBooksAreWellFormed(t *testing.T) {
	t.Parallel()
	entries, err := data.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	english, err := readBook("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := readBook(e.Name()[:2])
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range english.forms {
			if b.forms[name] == nil {
				t.Errorf("%s has no form %s", e.Name(), name)
			}
		}
		for name := range english.frames {
			if b.frames[name] == nil {
				t.Errorf("%s has no frame %s", e.Name(), name)
			}
		}
		for name := range english.phrases {
			if b.phrases[name] == "" {
				t.Errorf("%s does not say %s", e.Name(), name)
			}
		}
	}
}
