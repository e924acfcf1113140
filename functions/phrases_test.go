package functions_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/message"
)

// Every phrase of a family is there in every language, with the same holes, and every phrase that is said is there.
func TestPhrasesOfFamilies(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/words.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	hole, said := regexp.MustCompile(`\{\w+\}`), regexp.MustCompile(`(?:\bsay\((?:w, )?|\bSay\(phrases, )"(\w+)"`)
	holes := func(text string) []string {
		found := hole.FindAllString(text, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		phrases := message.ReadPhrases(raw)
		for _, language := range []string{"en", "he", "es"} {
			for name, text := range phrases["en"] {
				if own := phrases[language][name]; own == "" || !cmp.Equal(holes(text), holes(own)) {
					t.Errorf("%s, %s, %s: %q", file, language, name, own)
				}
			}
			if len(phrases[language]) != len(phrases["en"]) {
				t.Errorf("%s: %s has %d phrases, en %d", file, language, len(phrases[language]), len(phrases["en"]))
			}
		}
		sources, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			code, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range said.FindAllStringSubmatch(string(code), -1) {
				if _, there := phrases["en"][match[1]]; !there {
					t.Errorf("%s says %q, and %s has no such phrase", source, match[1], file)
				}
			}
		}
	}
}
