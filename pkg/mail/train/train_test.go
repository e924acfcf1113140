package main

import (
	"bytes"
	"slices"
	"testing"

	"convene/pkg/mail"
)

func judge(e example) mail.Verdict { return e.reader.Judge(e.message) }

// What nothing was learned from is judged well enough, and no mail that needs a reply is called one to archive.
func TestMailsThatWereNotLearnedFrom(t *testing.T) {
	t.Parallel()
	all, err := readExamples("mails.txt")
	if err != nil {
		t.Fatal(err)
	}
	test, err := readExamples("test.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, held := parted(all)
	for name, list := range map[string][]example{"held out": held, "test": test, "both": slices.Concat(held, test)} {
		m := measure(list, judge)
		t.Log(name, m)
		if m.f1 < 0.8 || m.lost > 0 || name == "both" && m.error > 0.05 {
			t.Errorf("%s: macro F1 %.3f, calibration error %.3f, %d lost", name, m.f1, m.error, m.lost)
		}
	}
}

// The weights that are built in are those of the mails, so that no mail can be changed without learning anew.
func TestTheWeightsAreThoseOfTheMails(t *testing.T) {
	t.Parallel()
	all, err := readExamples("mails.txt")
	if err != nil {
		t.Fatal(err)
	}
	learn, _ := parted(all)
	var once, built bytes.Buffer
	if err := learned(learn).Encode(&once); err != nil {
		t.Fatal(err)
	}
	if err := mail.Classifier().Encode(&built); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(once.Bytes(), built.Bytes()) {
		t.Error("the weights are of other mails: run the program")
	}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	all := []example{{category: mail.NeedsReply}, {category: mail.CanArchive}}
	for _, e := range []struct {
		said mail.Category
		lost int
		f1   float64
	}{{mail.CanArchive, 1, 2.0 / 3 / 4}, {mail.Unknown, 0, 0}, {mail.NeedsReply, 0, 2.0 / 3 / 4}} {
		m := measure(all, func(example) mail.Verdict { return mail.Verdict{Category: e.said, Confidence: 1} })
		if m.lost != e.lost || m.f1 != e.f1 {
			t.Errorf("all %s: %d lost, F1 %.3f", e.said, m.lost, m.f1)
		}
	}
}

func TestALineThatIsNoMail(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"needs_reply en", "needs_reply en - | A | b | c", "needs_reply | A <a@b> | b | c"} {
		if _, err := exampleOf(line); err == nil {
			t.Errorf("%q was read", line)
		}
	}
}
