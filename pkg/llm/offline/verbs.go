package offline

import (
	"slices"
	"strings"
	"unicode"

	"convene/pkg/when"
)

// This file reads verbs in all forms in which people ask for something. operations.txt names a verb once: in Spanish
// and Hebrew by its infinitive, in English as it stands. A form is taken apart into what its forms have in common, so
// that "mové", "muévelo", "muevan" and "mover" are one verb, and so are "הזז", "תזיזי" and "להזיז".

// conjugation is how the verbs of a language are told by their forms.
type conjugation struct {
	// names reports whether a word of operations.txt names a verb.
	names func(word string) bool
	// roots are what a form may be a form of, the likeliest first, each with the pronoun at its end.
	roots func(word string) []root
}

// root is what all forms of a verb have in common. Pronoun is what stands for one written at the end of the form, and
// takes so many bytes there.
type root struct {
	letters string
	pronoun string
	bytes   int
}

var conjugations = map[string]conjugation{
	english: {func(w string) bool { return !strings.HasSuffix(w, "ing") }, englishRoots},
	"es": {func(w string) bool {
		return len(w) > 4 && (strings.HasSuffix(w, "ar") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "ir"))
	}, spanishRoots},
	"he": {func(w string) bool { return strings.HasPrefix(w, "ל") && len([]rune(w)) > 3 }, hebrewRoots},
}

// verbs are the verbs of a language by their roots.
type verbs struct {
	conjugation
	byRoot map[string]string
}

func readVerbs(language string) verbs { return verbs{conjugations[language], map[string]string{}} }

// add takes in the verb that is named by the first of several words.
func (v verbs) add(words []string) []string {
	if len(words) == 0 || v.roots == nil {
		return words
	}
	if r := v.roots(words[0]); v.names(words[0]) && v.byRoot[r[0].letters] == "" {
		v.byRoot[r[0].letters] = words[0]
	}
	return words
}

// named is a word as operations.txt names its verb, or as it stands.
func (v verbs) named(word string) string {
	if verb, r := v.of(word); verb != "" && r.pronoun == "" {
		return verb
	}
	return word
}

// of is the verb whose form a word is, with its pronoun; the verb is empty if there is none.
func (v verbs) of(word string) (verb string, r root) {
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

// nameVerbs names each verb that begins a clause. A pronoun at its end becomes a word.
func (o *operating) nameVerbs() {
	tokens := make([]accounted, 0, len(o.tokens))
	begins, skipped := false, 0
	for i, t := range o.tokens {
		begins = begins || t.opens || i > 0 && o.inTime(i-1) && !o.inTime(i)
		n := max(o.phraseIn(i, o.book.before), o.of("negation", i))
		verb, r := o.book.verbs.of(t.lower)
		named := t.capital && !t.begins || o.personAt(i) != nil
		switch {
		case !begins || named || verb == "" || n > 0 || skipped > 0:
			tokens = append(tokens, t)
		case r.pronoun == "":
			t.verb = verb
			tokens = append(tokens, t)
		default:
			it := accounted{lower: r.pronoun, start: t.end - r.bytes, end: t.end}
			t.verb, t.end = verb, it.start
			tokens = append(tokens, t, it)
		}
		skipped = max(skipped-1, n-1, 0)
		begins = begins && (n > 0 || skipped > 0) || o.says(i) == "and"
	}
	o.tokens = tokens
}

// inTime reports whether a word is part of a phrase of time.
func (o *operating) inTime(i int) bool {
	return slices.ContainsFunc(o.sentence.time.Entities, func(e when.Entity) bool {
		return e.Start < o.tokens[i].end && e.End > o.tokens[i].start
	})
}

// englishRoots are a verb and what "-ing" may be written to: "moving", "cancelling", "dropping".
func englishRoots(w string) []root {
	bare, is := strings.CutSuffix(w, "ing")
	if !is || len(bare) < 3 {
		return []root{{letters: w}}
	}
	all := []root{{letters: bare}, {letters: bare + "e"}}
	if n := len(bare); bare[n-1] == bare[n-2] {
		all = append(all, root{letters: bare[:n-1]})
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

var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u")

func spanishRoots(w string) (all []root) {
	for _, f := range withoutPronouns(unaccented.Replace(w)) {
		for _, bare := range spanishBare {
			if before, is := strings.CutSuffix(f.letters, bare.form); is {
				all = append(all, root{before + bare.stem, f.pronoun, f.bytes})
			}
		}
		for _, ending := range spanishEndings {
			if bare, is := strings.CutSuffix(f.letters, ending); is && len(bare) > 1 {
				all = append(all, root{spanishStem(bare), f.pronoun, f.bytes})
			}
		}
	}
	return all
}

// withoutPronouns are a form as it stands, and without one and two pronouns at its end.
func withoutPronouns(form string) []root {
	forms := []root{{letters: form}}
	for k := 0; k < len(forms) && k < 3; k++ {
		for _, p := range spanishPronouns {
			bare, is := strings.CutSuffix(forms[k].letters, p.ending)
			if !is || len(bare) < 3 {
				continue
			}
			shorter := root{bare, forms[k].pronoun, forms[k].bytes}
			if p.word != "" && shorter.pronoun == "" {
				shorter.pronoun, shorter.bytes = p.word, len(p.ending)
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
func hebrewRoots(w string) (all []root) {
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
			all = append(all, root{letters: letters})
		}
	}
	return all
}
