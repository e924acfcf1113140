// Package conjugation tells verbs by their forms, in the languages that have a conjugation here, so that "mové",
// "muévelo", "muevan" and "mover" are one verb, and so are "הזז", "תזיזי" and "להזיז".
package conjugation

import (
	"strings"
	"unicode"
)

// language is how the verbs of a language are told by their forms.
type language struct {
	// names reports whether a word names a verb.
	names func(word string) bool
	// roots are what a form may be a form of, the likeliest first, each with the pronoun at its end.
	roots func(word string) []Root
}

// Root is what all forms of a verb have in common. Pronoun is a word for the one that is written at the end of the
// form, in so many bytes.
type Root struct {
	letters string
	// Pronoun is empty if none is written at the end.
	Pronoun string
	Bytes   int
}

var conjugations = map[string]language{
	"en": {func(w string) bool { return !strings.HasSuffix(w, "ing") }, englishRoots},
	"es": {func(w string) bool {
		return len(w) > 4 && (strings.HasSuffix(w, "ar") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "ir"))
	}, spanishRoots},
	"he": {func(w string) bool { return strings.HasPrefix(w, "ל") && len([]rune(w)) > 3 }, hebrewRoots},
}

// Book has the verbs of a language by their roots. The zero Book knows none.
type Book struct {
	language
	byRoot map[string]string
}

// NewBook is an empty book of a language: a BCP 47 tag. It stays empty in a language without a conjugation.
func NewBook(tag string) Book { return Book{conjugations[tag], map[string]string{}} }

// Add takes in the verb that is named by the first of several words: in Spanish and Hebrew by its infinitive, in
// English as it stands. It returns the words.
func (v Book) Add(words []string) []string {
	if len(words) == 0 || v.roots == nil {
		return words
	}
	if r := v.roots(words[0]); v.names(words[0]) && v.byRoot[r[0].letters] == "" {
		v.byRoot[r[0].letters] = words[0]
	}
	return words
}

// Named is a word as its verb is named in the book, or as it stands.
func (v Book) Named(word string) string {
	if verb, r := v.Of(word); verb != "" && r.Pronoun == "" {
		return verb
	}
	return word
}

// Of finds the verb that a word is a form of, and its pronoun; the verb is empty if the word is no form of any.
func (v Book) Of(word string) (verb string, r Root) {
	if v.roots == nil {
		return "", r
	}
	for _, r := range v.roots(word) {
		if verb = v.byRoot[r.letters]; verb != "" {
			return verb, r
		}
	}
	return "", r
}

// englishRoots are a verb and what "-ing" may be written to: "moving", "cancelling", "dropping".
func englishRoots(w string) []Root {
	bare, is := strings.CutSuffix(w, "ing")
	if !is || len(bare) < 3 {
		return []Root{{letters: w}}
	}
	all := []Root{{letters: bare}, {letters: bare + "e"}}
	if n := len(bare); bare[n-1] == bare[n-2] {
		all = append(all, Root{letters: bare[:n-1]})
	}
	return all
}

// The pronouns that Spanish writes at the end of a verb, each with the word that stands for it; those for a person to
// whom something is done mean nothing here.
var spanishPronouns = []struct{ ending, word string }{
	{"los", "ellos"}, {"las", "ellos"}, {"lo", "ello"}, {"la", "ello"},
	{"les", ""}, {"nos", ""}, {"le", ""}, {"me", ""}, {"te", ""}, {"se", ""},
}

// spanishEndings are those of the infinitive, and of what is asked of tú, vos, usted, vosotros and ustedes.
var spanishEndings = []string{"ar", "er", "ir", "an", "en", "as", "es", "ad", "ed", "id", "a", "e", "i"}

// spanishBare are forms without an ending, and their stems.
var spanishBare = []struct{ form, stem string }{{"pon", "pon"}, {"haz", "hac"}, {"di", "dec"}}

// spanishOdd are stems that change more than by rule.
var spanishOdd = map[string]string{"hag": "hac", "dig": "dec"}

// Plain is a text as people type it without accents.
func Plain(text string) string { return unaccented.Replace(text) }

var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u")

func spanishRoots(w string) (all []Root) {
	for _, f := range withoutPronouns(unaccented.Replace(w)) {
		for _, bare := range spanishBare {
			if before, is := strings.CutSuffix(f.letters, bare.form); is {
				all = append(all, Root{before + bare.stem, f.Pronoun, f.Bytes})
			}
		}
		for _, ending := range spanishEndings {
			if bare, is := strings.CutSuffix(f.letters, ending); is && len(bare) > 1 {
				all = append(all, Root{spanishStem(bare), f.Pronoun, f.Bytes})
			}
		}
	}
	return all
}

// withoutPronouns are a form as it stands, and without one and two pronouns at its end.
func withoutPronouns(form string) []Root {
	forms := []Root{{letters: form}}
	for k := 0; k < len(forms) && k < 3; k++ {
		for _, p := range spanishPronouns {
			bare, is := strings.CutSuffix(forms[k].letters, p.ending)
			if !is || len(bare) < 3 {
				continue
			}
			shorter := Root{bare, forms[k].Pronoun, forms[k].Bytes}
			if p.word != "" && shorter.Pronoun == "" {
				shorter.Pronoun, shorter.Bytes = p.word, len(p.ending)
			}
			forms = append(forms, shorter)
			break
		}
	}
	return forms
}

// spanishStem is a stem without what its spelling and its stress change: "muev" and "mov", "retras" and "apliqu".
func spanishStem(s string) string {
	s = strings.NewReplacer("ue", "o", "ie", "e", "z", "c").Replace(s)
	for _, spelt := range []struct{ is, was string }{{"qu", "c"}, {"gu", "g"}, {"ng", "n"}, {"y", ""}} {
		if bare, is := strings.CutSuffix(s, spelt.is); is {
			s = bare + spelt.was
		}
	}
	if odd := spanishOdd[s]; odd != "" {
		return odd
	}
	return s
}

// hebrewRoots are the consonants of a verb: without the letters of person, number and infinitive, the ה of its binyan,
// and vowels.
func hebrewRoots(w string) (all []Root) {
	for _, before := range []string{"ושת", "שת", "ות", "ת", "ל", ""} {
		bare, is := strings.CutPrefix(w, before)
		if !is {
			continue
		}
		bare = strings.TrimPrefix(bare, "ה")
		for _, after := range []string{"ות", "ה", "י", "ו"} {
			if cut := strings.TrimSuffix(bare, after); cut != bare && len([]rune(cut)) > 1 {
				bare = cut
				break
			}
		}
		letters := strings.Map(func(r rune) rune {
			if final := strings.IndexRune("םןץףך", r); final >= 0 {
				return []rune("מנצפכ")[final/2]
			}
			if r == 'ו' || r == 'י' || !unicode.IsLetter(r) {
				return -1
			}
			return r
		}, bare)
		if len([]rune(letters)) > 1 {
			all = append(all, Root{letters: letters})
		}
	}
	return all
}
