package main

import (
	"fmt"
	"math"
	"strings"

	"convene/pkg/mail"
)

// categories are those that are told apart.
var categories = []mail.Category{mail.NeedsReply, mail.PotentialTask, mail.ImportantInfo, mail.CanArchive}

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
	type pair struct{ is, said mail.Category }
	counts := map[pair]int{}
	var sums [5]struct{ n, right, said float64 }
	for _, e := range all {
		v := judge(e)
		counts[pair{e.category, v.Category}]++
		if m.n++; v.Category == mail.Unknown {
			m.abstained++
		} else {
			bin := &sums[min(4, int(v.Confidence*5))]
			bin.n, bin.said = bin.n+1, bin.said+v.Confidence
			if v.Category == e.category {
				m.right, bin.right = m.right+1, bin.right+1
			}
		}
		if v.Category != e.category {
			m.wrong = append(m.wrong, fmt.Sprintf("%s %.2f: %.120s", v.Category, v.Confidence, e.line))
		}
	}
	m.lost = counts[pair{mail.NeedsReply, mail.CanArchive}]
	for _, c := range categories {
		hit, is, said := 0, 0, 0
		for p, n := range counts {
			if p.is == c {
				is += n
			}
			if p.said == c {
				said += n
			}
			if p.is == c && p.said == c {
				hit += n
			}
		}
		m.f1 += 2 * float64(hit) / float64(max(1, is+said)) / float64(len(categories))
	}
	for _, bin := range sums {
		m.error += math.Abs(bin.right-bin.said) / float64(max(1, m.n-m.abstained))
	}
	return m
}

func (m measured) String() string {
	return fmt.Sprintf("%d mails: macro F1 %.3f, %d right of %d judged, ECE %.3f, %d that need a reply called can_archive\n%s",
		m.n, m.f1, m.right, m.n-m.abstained, m.error, m.lost, strings.Join(m.wrong, "\n"))
}
