// Command train learns the weights of package ground from the sentences beside it, and measures them on a part of these
// that it does not learn from. The README of package ground says how it is called.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/linear"
)

const (
	// buckets is how many hashes the model tells apart.
	buckets = 1 << 15
	// variants is how many messages are made of a sentence.
	variants = 5
	// held is how many sentences of a hundred are not learned from at first, to measure and to calibrate.
	held = 15
)

func main() {
	from := flag.String("from", ".", "the folder of the sentences")
	out := flag.String("out", ".", "the folder to which weights.gz, spans.gz and told.gz are written")
	flag.Parse()
	if err := run(*from, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// sentence is one that a person has labelled.
type sentence struct {
	deed, text, language string
	held                 bool
}

func run(from, out string, report io.Writer) error {
	sentences, err := readAll(from)
	if err != nil {
		return err
	}
	filler, err := newFiller(filepath.Join(from, "fill.txt"), sentences)
	if err != nil {
		return err
	}
	deeds := ground.Deeds()
	var part, whole, dev []linear.Example
	var measured []sentence
	for _, s := range sentences {
		class := slices.Index(deeds, s.deed)
		if class < 0 {
			return fmt.Errorf("%q is no deed", s.deed)
		}
		for range variants {
			e := linear.Example{Features: ground.Features(filler.fill(s)), Class: class}
			whole = append(whole, e)
			if !s.held {
				part = append(part, e)
			}
		}
		if s.held {
			text := filler.fill(s)
			dev = append(dev, linear.Example{Features: ground.Features(text), Class: class})
			measured = append(measured, sentence{s.deed, text, s.language, true})
		}
	}
	m := linear.Learn(deeds, buckets, part)
	m.Calibrate(len(dev), func(i int) float64 {
		p := m.Probabilities(dev[i].Features)
		mask(deeds, p, measured[i])
		return p[dev[i].Class]
	})
	measure(m, dev, measured, report)
	all := linear.Learn(deeds, buckets, whole)
	all.Temperature, all.Usual = m.Temperature, common(sentences)
	fmt.Fprintf(report, "%d sentences, temperature %.2f\n", len(sentences), m.Temperature)
	texts := learnSpans(sentences, filler, report)
	clauses, err := readAll(filepath.Join(from, "told"))
	if err != nil {
		return err
	}
	told, err := learnTold(clauses, sentences, filler, report)
	if err != nil {
		return err
	}
	return errors.Join(write(all, filepath.Join(out, "weights.gz")), write(texts, filepath.Join(out, "spans.gz")),
		write(told, filepath.Join(out, "told.gz")))
}

func write(m *linear.Model[string], name string) error {
	var encoded bytes.Buffer
	if err := m.Encode(&encoded); err != nil {
		return err
	}
	return os.WriteFile(name, encoded.Bytes(), 0o644) //nolint:gosec // the weights are public
}

// readAll reads the sentences of all files: a line is a deed, a tab and a sentence.
func readAll(from string) (all []sentence, err error) {
	files, err := filepath.Glob(filepath.Join(from, "??*.txt"))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			deed, said, tabbed := strings.Cut(strings.TrimSpace(line), "\t")
			if said = strings.TrimSpace(said); !tabbed || deed[0] == '#' || seen[said] {
				continue
			}
			seen[said] = true
			h := fnv.New32a()
			_, _ = h.Write([]byte(said))
			all = append(all, sentence{deed, said, filepath.Base(name)[:2], h.Sum32()%100 < held})
		}
	}
	return all, nil
}

// common is how many sentences of a thousand have a word, if it is in several: such words hardly tell a thing from
// others.
func common(all []sentence) map[string]float64 {
	often := map[string]float64{}
	for _, s := range all {
		words := strings.Fields(ground.Plain(s.text))
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			often[w]++
		}
	}
	for w, n := range often {
		if often[w] = math.Round(n*10_000/float64(len(all))) / 10; n < 3 {
			delete(often, w)
		}
	}
	return often
}

// filler puts words in the place of what code would not know.
type filler struct {
	random *rand.Rand
	// words are by language and placeholder. Loose are pieces of sentences, which stand for any text.
	words, loose map[string][]string
}

func newFiller(name string, sentences []sentence) (filler, error) {
	f := filler{rand.New(rand.NewPCG(5, 6)), map[string][]string{}, map[string][]string{}} //nolint:gosec // no secret
	text, err := os.ReadFile(name)
	if err != nil {
		return f, err
	}
	for line := range strings.Lines(string(text)) {
		if key, list, ok := strings.Cut(line, ":"); ok && key[0] != '#' {
			for word := range strings.SplitSeq(list, "|") {
				f.words[key] = append(f.words[key], strings.TrimSpace(word))
			}
		}
	}
	for _, s := range sentences {
		if words := strings.Fields(s.text); !strings.Contains(s.text, "{") && len(words) > 2 {
			f.loose[s.language] = append(f.loose[s.language], strings.Join(words[:min(len(words), 6)], " "))
		}
	}
	return f, nil
}

// unknown says how many of a hundred placeholders are not found by code, so that their words stand.
var unknown = map[string]int{
	"event": 6, "task": 6, "mail": 15, "item": 40, "list": 15, "note": 100, "person": 25, "place": 100, "time": 6,
	"length": 6,
	"text":   100, "number": 100,
}

// fill makes a message of a sentence.
func (f filler) fill(s sentence) string {
	text := s.text
	for {
		before, rest, open := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			return strings.NewReplacer("<", "{", ">", "}").Replace(text)
		}
		said := "<" + name + ">"
		if f.random.IntN(100) < unknown[name] {
			said = f.unknown(s, name)
		}
		text = before + said + after
	}
}

func (f filler) unknown(s sentence, name string) string {
	language := s.language
	switch {
	case name == "text" && strings.HasPrefix(s.deed, "mail_") && f.random.IntN(5) < 3:
		return strings.NewReplacer("{", "<", "}", ">").Replace(one(f.random, f.words[language+" body"]))
	case name == "number":
		return []string{"2", "3", "12", "two", "tres", "five"}[f.random.IntN(6)]
	case name == "text" && f.random.IntN(5) < 2:
		return one(f.random, f.loose[language])
	case name == "event" || name == "task" || name == "note":
		name = "thing"
	}
	if f.random.IntN(8) == 0 && name == "text" {
		return "<text>"
	}
	return one(f.random, f.words[language+" "+name])
}

func one(random *rand.Rand, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[random.IntN(len(list))]
}

// measure reports how many messages are of the deed that they are taken for, how many the model is sure of and how many
// of these are right, and the expected calibration error over ten bins.
func measure(m *linear.Model[string], dev []linear.Example, said []sentence, report io.Writer) {
	type bin struct{ n, right, sum float64 }
	bins, by, confused := map[int]bin{}, map[string]bin{}, map[string]int{}
	add := func(b bin, right bool, p float64) bin {
		b.n, b.sum = b.n+1, b.sum+p
		if right {
			b.right++
		}
		return b
	}
	sure := map[float64]bin{}
	for i, e := range dev {
		p := m.Probabilities(e.Features)
		mask(m.Classes, p, said[i])
		best := slices.Index(p, slices.Max(p))
		right := best == e.Class
		bins[int(p[best]*10)] = add(bins[int(p[best]*10)], right, p[best])
		by[said[i].language] = add(by[said[i].language], right, p[best])
		for _, least := range []float64{0.5, 0.7, 0.9, 0.97} {
			if p[best] >= least {
				sure[least] = add(sure[least], right, p[best])
			}
		}
		if !right {
			confused[m.Classes[e.Class]+" as "+m.Classes[best]]++
		}
	}
	off := 0.0
	for _, b := range bins {
		off += math.Abs(b.right-b.sum) / float64(len(dev))
	}
	for _, language := range []string{"en", "es", "he"} {
		if b := by[language]; b.n > 0 {
			fmt.Fprintf(report, "%s: %.1f %% right of %.0f\n", language, 100*b.right/b.n, b.n)
		}
	}
	for _, least := range []float64{0.5, 0.7, 0.9, 0.97} {
		b := sure[least]
		fmt.Fprintf(report, "from %.2f: %.1f %% covered, %.1f %% right\n",
			least, 100*b.n/float64(len(dev)), 100*b.right/max(1, b.n))
	}
	fmt.Fprintf(report, "calibration error %.3f\n", off)
	for name, n := range confused {
		if n > 3 {
			fmt.Fprintf(report, "%3d %s\n", n, name)
		}
	}
}

// mask rules out the deeds for things that a sentence does not name. A sentence that names none points to what its deed
// is of.
func mask(deeds []string, p []float64, s sentence) {
	has := map[ground.Kind]bool{ground.Nothing: true}
	named := false
	for _, kind := range []ground.Kind{ground.Event, ground.Task, ground.Mail, ground.Item, ground.List} {
		has[kind] = strings.Contains(s.text, "{"+string(kind)+"}")
		named = named || has[kind]
	}
	if !named {
		has[ground.On(s.deed)] = true
	}
	sum := 0.0
	for i, d := range deeds {
		if !has[ground.On(d)] {
			p[i] = 0
		}
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}
