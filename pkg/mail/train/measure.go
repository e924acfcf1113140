package main

import (
	"fmt"
	"math"
	"strings"

	"convene/pkg/mail"
)

// measured is how well mails are judged.
type measured struct {
	n, right, abstained int
	// f1 is the mean over the categories. What is unknown counts as missed.
	f1 float64
	// lost counts mails that need a reply and are called ones to archive.
	lost int
	// error is the expected calibration error of those that are judged, over five equal parts.
	error float64
	wrong []string
}

func measure(all []example, judge func(example) mail.Verdict) (m measured) {
	counts := map[pair]int{}
	var sums [5]struct{ n, right, said float64 }
	for _, e := range all {
		v := judge(e)
		counts[pair{e.category, v.Category}]++
		m.n++
		if v.Category != e.category {
			m.wrong = append(m.wrong, fmt.Sprintf("%s %.2f: %.120s", v.Category, v.Confidence, e.line))
		}
		if v.Category == mail.Unknown {
			m.abstained++
			continue
		}
		bin := &sums[min(4, int(v.Confidence*5))]
		bin.n, bin.said = bin.n+1, bin.said+v.Confidence
		if v.Category == e.category {
			m.right, bin.right = m.right+1, bin.right+1
		}
	}
	m.lost = counts[pair{mail.NeedsReply, mail.CanArchive}]
	for _, c := range mail.Categories() {
		m.f1 += f1(counts, c) / float64(len(mail.Categories()))
	}
	for _, bin := range sums {
		m.error += math.Abs(bin.right-bin.said) / float64(max(1, m.n-m.abstained))
	}
	return m
}

// pair is what a mail is, and what it is said to be.
type pair struct{ is, said mail.Category }

// f1 is the harmonic mean of precision and recall of a category.
func f1(counts map[pair]int, c mail.Category) float64 {
	all := 0
	for p, n := range counts {
		if p.is == c {
			all += n
		}
		if p.said == c {
			all += n
		}
	}
	return 2 * float64(counts[pair{c, c}]) / float64(max(1, all))
}

func (m measured) String() string {
	return fmt.Sprintf("%d mails: macro F1 %.3f, %d right of %d judged, ECE %.3f, %d lost\n%s",
		m.n, m.f1, m.right, m.n-m.abstained, m.error, m.lost, strings.Join(m.wrong, "\n"))
}
