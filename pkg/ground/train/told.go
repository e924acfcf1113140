package main

import (
	"fmt"
	"io"
	"slices"

	"convene/pkg/ground"
	"convene/pkg/linear"
)

const (
	// toldBuckets is how many hashes the model of clauses that only tell something tells apart.
	toldBuckets = 1 << 16
	// sampled is how many sentences of deeds there are for one that is learned as a clause that asks.
	sampled = 12
)

// learnTold learns which clauses only tell something, from those that are labelled so and from sentences of deeds, and
// reports how many are told right.
func learnTold(clauses, sentences []sentence, f filler, report io.Writer) (*linear.Model[string], error) {
	for i, s := range sentences {
		if i%sampled == 0 && s.deed != "none" && s.deed != "several" {
			clauses = append(clauses, sentence{"asks", s.text, s.language, s.held})
		}
	}
	classes := ground.Roles()
	var part, whole, dev []linear.Example
	var held []sentence
	for _, s := range clauses {
		class := slices.Index(classes, s.deed)
		if class < 0 {
			return nil, fmt.Errorf("%q is no role of a clause", s.deed)
		}
		for n := range variants {
			e := linear.Example{Features: ground.Features(f.fill(s)), Class: class}
			if whole = append(whole, e); !s.held {
				part = append(part, e)
			} else if n == 0 {
				dev, held = append(dev, e), append(held, s)
			}
		}
	}
	m := linear.Learn(classes, toldBuckets, part)
	m.Calibrate(len(dev), func(i int) float64 { return m.Probabilities(dev[i].Features)[dev[i].Class] })
	measureTold(m, dev, held, report)
	all := linear.Learn(classes, toldBuckets, whole)
	all.Temperature = m.Temperature
	return all, nil
}

// measureTold reports for each language how many clauses that only tell something are known as such, and how many of
// those taken for such ask for something or bear on it.
func measureTold(m *linear.Model[string], dev []linear.Example, said []sentence, report io.Writer) {
	type count struct{ told, found, taken, wrong int }
	by := map[string]count{}
	told := slices.Index(m.Classes, "told")
	for i, e := range dev {
		c := by[said[i].language]
		taken := m.Probabilities(e.Features)[told] >= ground.LeastTold
		switch {
		case e.Class == told && taken:
			c.found, c.taken = c.found+1, c.taken+1
		case taken:
			c.wrong, c.taken = c.wrong+1, c.taken+1
		}
		if e.Class == told {
			c.told++
		}
		by[said[i].language] = c
	}
	for _, language := range []string{"en", "es", "he"} {
		c := by[language]
		fmt.Fprintf(report, "%s: %d of %d clauses that only tell are known, %d of %d so taken do not\n",
			language, c.found, c.told, c.wrong, c.taken)
	}
}
