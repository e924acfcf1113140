package main

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"convene/pkg/linear"
	"convene/pkg/llm/kind"
)

// buckets is how many hashes the model tells apart.
const buckets = 1 << 16

//go:embed intents.txt
var intents string

// classes are the classes of the model, and the class of each public intent.
type classes struct {
	list []kind.Class
	of   map[string]int
}

func readClasses() (classes, error) {
	c := classes{of: map[string]int{}}
	for line := range strings.Lines(intents) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		head, names, ok := strings.Cut(line, ":")
		name, family, both := strings.Cut(head, " ")
		if !ok || !both {
			return c, fmt.Errorf("intents.txt: %q is not a kind, a family and intents", line)
		}
		for intent := range strings.FieldsSeq(names) {
			c.of[intent] = len(c.list)
		}
		c.list = append(c.list, kind.Class{Kind: name, Family: family})
	}
	return c, nil
}

// learn fits a model to the sentences, and its probabilities to others.
func learn(list []kind.Class, train, dev sentences) kind.Model {
	examples := make([]linear.Example, len(train))
	for i, s := range train {
		examples[i] = s.Example
	}
	m := kind.Model{Model: linear.Learn(list, buckets, examples)}
	m.Usual = map[string]float64{}
	for _, s := range train {
		m.Usual[list[s.Class].Kind] += 1 / float64(len(train))
	}
	m.Calibrate(len(dev), func(i int) float64 { return m.Predict(dev[i].text).Odds[list[dev[i].Class].Kind] })
	return m
}

// sources are the sets and languages of the sentences.
func (list sentences) sources() []string {
	var names []string
	for _, s := range list {
		if !slices.Contains(names, s.source) {
			names = append(names, s.source)
		}
	}
	return names
}

func (list sentences) from(source string) sentences {
	return slices.DeleteFunc(slices.Clone(list), func(s sentence) bool { return s.source != source })
}

// measure says how many sentences are of the kind that they are taken for, on average over the kinds, and how far the
// confidence is from that (the expected calibration error over ten bins).
func measure(m kind.Model, list sentences) string {
	type bin struct{ n, right, confidence float64 }
	bins, kinds := map[int]bin{}, map[string]bin{}
	for _, s := range list {
		got, want := m.Predict(s.text), m.Classes[s.Class].Kind
		right := 0.0
		if got.Kind == want {
			right = 1
		}
		at := int(got.Confidence * 10)
		bins[at] = bin{bins[at].n + 1, bins[at].right + right, bins[at].confidence + got.Confidence}
		kinds[want] = bin{n: kinds[want].n + 1, right: kinds[want].right + right}
	}
	recall, off := 0.0, 0.0
	for _, b := range kinds {
		recall += b.right / b.n / float64(len(kinds))
	}
	for _, b := range bins {
		off += math.Abs(b.right-b.confidence) / float64(len(list))
	}
	return fmt.Sprintf("macro recall %.1f, calibration error %.3f, %d sentences", 100*recall, off, len(list))
}
