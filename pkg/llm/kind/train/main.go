// Command train learns the weights of package kind from the train partitions of MASSIVE and CLINC150, which it fits to
// their dev partitions. The README of package kind says where they come from and how it is called.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"convene/pkg/linear"
)

func main() {
	var f files
	flag.StringVar(&f.massive, "massive", "", "files of MASSIVE, one for each language, separated by commas; en-US first")
	flag.StringVar(&f.clinc, "clinc", "", "data_full.json of CLINC150")
	flag.StringVar(&f.without, "without", "", "a JSON array of sentences that are not to be learned from")
	out := flag.String("out", "weights.gz", "the file that is written")
	flag.Parse()
	if err := run(f, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(f files, out string, report io.Writer) error {
	classes, err := readClasses()
	if err != nil {
		return err
	}
	train, dev, err := f.read(classes)
	if err != nil {
		return err
	}
	m := learn(classes.list, train, dev)
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := m.Encode(file); err != nil {
		return err
	}
	for _, s := range dev.sources() {
		fmt.Fprintln(report, s, measure(m, dev.from(s)))
	}
	fmt.Fprintf(report, "%d learned, temperature %.2f\n", len(train), m.Temperature)
	return file.Close()
}

// files are the paths of the public sets.
type files struct{ massive, clinc, without string }

// sentence is one that a person has labelled. Its class is an index of the classes.
type sentence struct {
	text, source string
	linear.Example
}

type sentences []sentence

// read reads what is learned from, and what the temperature is fitted to.
func (f files) read(classes classes) (train, dev sentences, err error) {
	var left []string
	if f.without != "" {
		if err := decode(f.without, &left); err != nil {
			return nil, nil, err
		}
	}
	without := map[string]bool{}
	for _, text := range left {
		without[text] = true
	}
	add := func(partition, source, text string, class int) {
		s := sentence{text, source, linear.Example{Features: linear.Features(text, nil), Class: class}}
		switch {
		case without[text] || len(s.Features) == 0:
		case strings.HasSuffix(partition, "train"):
			train = append(train, s)
		case strings.HasSuffix(partition, "dev") || strings.HasSuffix(partition, "val"):
			dev = append(dev, s)
		}
	}
	if err := f.readMassive(classes, add); err != nil {
		return nil, nil, err
	}
	if err := readWishes(classes, add); err != nil {
		return nil, nil, err
	}
	return train, dev, f.readClinc(classes, add)
}

// addFunc adds a sentence of a partition.
type addFunc func(partition, source, text string, class int)

// readMassive reads the files of MASSIVE. Its calendar_set has reminders among its events, as the English sentence of
// the same id tells.
func (f files) readMassive(classes classes, add addFunc) error {
	reminders := map[string]bool{}
	for _, name := range strings.Split(f.massive, ",") {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		for decoder := json.NewDecoder(file); ; {
			var row struct{ ID, Locale, Partition, Intent, Utt string }
			if err := decoder.Decode(&row); err == io.EOF {
				break
			} else if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if row.Locale == "en-US" && strings.Contains(row.Utt, "remind") {
				reminders[row.ID] = true
			}
			if row.Intent == "calendar_set" && reminders[row.ID] {
				row.Intent = "reminder"
			}
			if class, ok := classes.of[row.Intent]; ok {
				add(row.Partition, row.Locale, row.Utt, class)
			}
		}
	}
	return nil
}

// readClinc reads CLINC150: partitions of pairs of a sentence and its intent.
func (f files) readClinc(classes classes, add addFunc) error {
	var partitions map[string][][2]string
	if err := decode(f.clinc, &partitions); err != nil {
		return err
	}
	for _, partition := range []string{"train", "oos_train", "val", "oos_val"} {
		for _, row := range partitions[partition] {
			if class, ok := classes.of[row[1]]; ok {
				add(partition, "CLINC150", row[0], class)
			}
		}
	}
	return nil
}

func decode(name string, to any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
