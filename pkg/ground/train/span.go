package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"convene/pkg/ground"
	"convene/pkg/linear"
)

// spanBuckets is how many hashes the model of the user's own words tells apart.
const spanBuckets = 1 << 15

// lists are several items, which are said as one text.
var lists = regexp.MustCompile(`\{item\}(?:(?:,| and| y| e|, and| ו)? ?\{item\})+`)

// ownWords is what stands for the user's own words in the sentences of a deed.
var ownWords = map[string]string{
	"event_rename": "text", "event_note": "text", "event_place": "place", "task_rename": "text", "task_note": "text",
	"note_save": "text", "task_create": "text", "list_create": "text", "list_rename": "text", "item_add": "item",
	"item_change": "text", "contact_save": "text", "preference_set": "place",
	"mail_compose": "text", "mail_reply": "text", "mail_forward": "text", "mail_flag": "text",
}

// topics are texts that say what a mail is about, by which it is found.
var topics = regexp.MustCompile(`(?i)(?:about|on|regarding|re|concerning|sobre|acerca de|lo de|על|בנושא|לגבי) ` +
	`(?:the |el |la )?\{text\}`)

// says reports whether a sentence of a deed has the user's own words, and whether it is one to learn from.
func says(s sentence, name string) (own, learned bool) {
	text := strings.Replace(s.text, "{item} and {item}", "{item}", 1)
	own = name != "" && strings.Count(text, "{"+name+"}") == 1
	if strings.HasPrefix(s.deed, "mail_") && name != "" {
		none := !strings.Contains(text, "{text}") || s.deed != "mail_compose" && topics.MatchString(text)
		return own && !none, own || none
	}
	return own, own
}

// learnSpans learns where the user's own words begin and end, and reports how often they are found exactly.
func learnSpans(all []sentence, f filler, report io.Writer) *linear.Model[string] {
	var part, whole []linear.Example
	var dev []sentence
	for _, s := range all {
		name := ownWords[s.deed]
		s.text = lists.ReplaceAllStringFunc(s.text, func(list string) string {
			if f.random.IntN(2) == 0 {
				return "{item}"
			}
			return "{item} and {item}"
		})
		own, learned := says(s, name)
		if !learned {
			continue
		}
		for n := range 4 {
			t := s
			if t.text = f.fill(s); own {
				t.text = f.own(s, name)
			}
			if s.held && n == 0 {
				dev = append(dev, t)
			}
			examples := spanExamples(t)
			if whole = append(whole, examples...); !s.held {
				part = append(part, examples...)
			}
		}
	}
	measureSpans(linear.Learn(ground.Boundaries(), spanBuckets, part), dev, report)
	return linear.Learn(ground.Boundaries(), spanBuckets, whole)
}

// measureSpans reports how often the user's own words are found exactly, or that there are none.
func measureSpans(m *linear.Model[string], dev []sentence, report io.Writer) {
	right, said := map[string]int{}, map[string]int{}
	for _, s := range dev {
		text, from, to := unmarked(s.text)
		said[s.language]++
		tokens := ground.Tokens(text)
		i, j := ground.OwnBy(m, s.deed, text)
		if j > 0 && tokens[i][0] == from && tokens[j-1][1] == to || j == 0 && from == to {
			right[s.language]++
		}
	}
	fmt.Fprintf(report, "own words found: %v of %v\n", right, said)
}

// own fills a sentence, and marks the user's own words in it.
func (f filler) own(s sentence, name string) string {
	words := ""
	for words == "{text}" || words == "<text>" || words == "" {
		words = f.unknown(s, name)
	}
	s.text = strings.Replace(s.text, "{"+name+"} and {"+name+"}", "⟦"+words+" and "+f.unknown(s, name)+"⟧", 1)
	s.text = strings.Replace(s.text, "{"+name+"}", "⟦"+words+"⟧", 1)
	return f.fill(s)
}

// unmarked is a text without its marks, and the bytes between them, from the beginning of a word on: none if it has no
// marks.
func unmarked(text string) (plain string, from, to int) {
	before, rest, marked := strings.Cut(text, "⟦")
	if !marked {
		return text, 0, 0
	}
	inner, after, _ := strings.Cut(rest, "⟧")
	from = len(strings.TrimRightFunc(before, unicode.IsLetter))
	return before + inner + after, from, len(before) + len(inner)
}

// spanExamples are the gaps of a sentence with marks.
func spanExamples(s sentence) (all []linear.Example) {
	text, from, to := unmarked(s.text)
	tokens := ground.Tokens(text)
	for k, features := range ground.Gaps(s.deed, text) {
		class := ground.Within
		if from == to {
			all = append(all, linear.Example{Features: features, Class: class})
			continue
		}
		if k < len(tokens) && tokens[k][0] == from {
			class = ground.Begins
		} else if k > 0 && tokens[k-1][1] == to {
			class = ground.Ends
		}
		all = append(all, linear.Example{Features: features, Class: class})
	}
	return all
}
