package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

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
		joined := strings.Replace(s.text, "{item} and {item}", "{item}", 1)
		if name == "" || strings.Count(joined, "{"+name+"}") != 1 {
			continue
		}
		for n := range 4 {
			t := s
			t.text = f.own(s, name)
			if s.held && n == 0 {
				dev = append(dev, t)
			}
			examples := spanExamples(t)
			if whole = append(whole, examples...); !s.held {
				part = append(part, examples...)
			}
		}
	}
	m := linear.Learn(ground.Boundaries(), spanBuckets, part)
	right, said := map[string]int{}, map[string]int{}
	for _, s := range dev {
		text, from, to := unmarked(s.text)
		said[s.language]++
		tokens := ground.Tokens(text)
		i, j := ground.OwnBy(m, s.deed, text, s.deed == "note_save")
		if j > 0 && tokens[i][0] == from && tokens[j-1][1] == to {
			right[s.language]++
		}
	}
	fmt.Fprintf(report, "own words found: %v of %v\n", right, said)
	return linear.Learn(ground.Boundaries(), spanBuckets, whole)
}

// own fills a sentence, and marks the user's own words in it.
func (f filler) own(s sentence, name string) string {
	words := f.unknown(s.language, name)
	for words == "{text}" || words == "<text>" || words == "" {
		words = f.unknown(s.language, name)
	}
	s.text = strings.Replace(s.text, "{"+name+"} and {"+name+"}", "⟦"+words+" and "+f.unknown(s.language, name)+"⟧", 1)
	s.text = strings.Replace(s.text, "{"+name+"}", "⟦"+words+"⟧", 1)
	return f.fill(s)
}

// unmarked is a text without its marks, and the bytes between them.
func unmarked(text string) (plain string, from, to int) {
	before, rest, _ := strings.Cut(text, "⟦")
	inner, after, _ := strings.Cut(rest, "⟧")
	return before + inner + after, len(before), len(before) + len(inner)
}

// spanExamples are the gaps of a sentence with marks.
func spanExamples(s sentence) (all []linear.Example) {
	text, from, to := unmarked(s.text)
	tokens := ground.Tokens(text)
	for k, features := range ground.Gaps(s.deed, text) {
		class := ground.Within
		if k < len(tokens) && tokens[k][0] == from {
			class = ground.Begins
		} else if k > 0 && tokens[k-1][1] == to {
			class = ground.Ends
		}
		all = append(all, linear.Example{Features: features, Class: class})
	}
	return all
}
