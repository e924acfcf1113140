package ground

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every form that the code asks for is there, and the code asks for every one that is there.
func TestForms(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			code.Write(text)
		}
	}
	for _, asked := range regexp.MustCompile(`\b(form|ways)\("([^"]+)"\)`).FindAllStringSubmatch(code.String(), -1) {
		if asked[1] == "form" && form(asked[2]) == nil || asked[1] == "ways" && ways(asked[2]) == nil {
			t.Errorf("there is no %s", asked[0])
		}
	}
	lines("forms/*.txt", func(name, _ string) {
		first, _, _ := strings.Cut(name, " ")
		if !strings.Contains(code.String(), `"`+name+`"`) && !strings.Contains(code.String(), `"`+first+` " +`) {
			t.Errorf("nothing asks for %q", name)
		}
	})
}

// No word in an expression stands for a part that is not there, and every part stands somewhere.
func TestParts(t *testing.T) {
	t.Parallel()
	stands := map[string]bool{"CHANGE": true, "CHANGED": true}
	for _, files := range []string{"words/*.txt", "forms/*.txt", "amend.txt", "written.txt", "parts.txt"} {
		lines(files, func(name, rest string) {
			for _, word := range partForm.FindAllString(rest, -1) {
				stands[word] = true
			}
			if left := partForm.FindString(withParts(rest, parts())); left != "" {
				t.Errorf("%s: %s is no part", name, left)
			}
		})
	}
	for word := range parts() {
		if !stands[word] {
			t.Errorf("nothing has %s", word)
		}
	}
}

// A request is the same in whatever words it is politely begun and ended.
func TestPolitely(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"es", "oye, por favor, ¿cuál es la contraseña del wifi?", "note_search"},
		{"en", "so ok, what should i do now please", "task_getBacklogWithScores"},
	} {
		if got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: home()}); got.Tool != c.want {
			t.Errorf("%q is %s, want %s", c.text, got.Tool, c.want)
		}
	}
}
