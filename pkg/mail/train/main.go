// Command train learns the classifier of package mail from mails.txt, and says how well it judges what it has not seen.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"

	"convene/pkg/linear"
	"convene/pkg/mail"
)

// buckets are how many features are told apart.
const buckets = 1 << 15

func main() {
	in, out := flag.String("in", "mails.txt", "the mails"), flag.String("out", "../data/triage.gz", "the file that is written")
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
	m := learned(learn, held)
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

// learned is the classifier of some mails, calibrated on others.
func learned(learn, held []example) *linear.Model[mail.Category] {
	examples := func(list []example) (to []linear.Example) {
		for _, e := range list {
			for i, c := range mail.Categories() {
				if c == e.category {
					to = append(to, linear.Example{Features: e.reader.Features(e.message), Class: i})
				}
			}
		}
		return to
	}
	m := linear.Learn(mail.Categories(), buckets, examples(learn))
	out := examples(held)
	m.Calibrate(len(out), func(i int) float64 { return m.Probabilities(out[i].Features)[out[i].Class] })
	return m
}
