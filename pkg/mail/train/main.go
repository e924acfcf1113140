// Command train learns the classifier of package mail from mails.txt. Its tests say how well it judges what it has not
// seen.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"slices"

	"convene/pkg/linear"
	"convene/pkg/mail"
)

// buckets are how many features are told apart.
const buckets = 1 << 15

func main() {
	in := flag.String("in", "train/mails.txt", "the mails")
	out := flag.String("out", "data/triage.gz", "the file that is written")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	all, err := readExamples(in)
	if err != nil {
		return err
	}
	learn, held := parted(all)
	m := learned(learn)
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := m.Encode(file); err != nil {
		return err
	}
	fmt.Printf("%d learned, %d held out, temperature %.2f\n", len(learn), len(held), m.Temperature)
	return file.Close()
}

// parted holds a fifth of the mails out, by their lines.
func parted(all []example) (learn, held []example) {
	for _, e := range all {
		h := fnv.New32a()
		_, _ = h.Write([]byte(e.line))
		if h.Sum32()%5 == 0 {
			held = append(held, e)
		} else {
			learn = append(learn, e)
		}
	}
	return learn, held
}

// folds are how many parts of the mails the probabilities are made true on, each by a classifier of the others.
const folds = 5

// learned is the classifier of some mails.
func learned(learn []example) *linear.Model[mail.Category] {
	examples := make([]linear.Example, len(learn))
	for i, e := range learn {
		examples[i] = linear.Example{
			Features: e.reader.Features(e.message), Class: slices.Index(mail.Categories(), e.category),
		}
	}
	var temperature float32
	for fold := range folds {
		var others, those []linear.Example
		for i, e := range examples {
			if i%folds == fold {
				those = append(those, e)
			} else {
				others = append(others, e)
			}
		}
		m := linear.Learn(mail.Categories(), buckets, others)
		m.Calibrate(len(those), func(i int) float64 { return m.Probabilities(those[i].Features)[those[i].Class] })
		temperature += m.Temperature / folds
	}
	m := linear.Learn(mail.Categories(), buckets, examples)
	m.Temperature = temperature
	return m
}
