package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"convene/pkg/mail"
)

func TestCV(t *testing.T) {
	all, _ := readExamples("mails.txt")
	ix := map[mail.Category]int{}
	for i, c := range mail.Categories() {
		ix[c] = i
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		right, loss := 0, 0.0
		for k := range 5 {
			var l, h []example
			for i, e := range all {
				if i%5 == k {
					h = append(h, e)
				} else {
					l = append(l, e)
				}
			}
			m := learned(l, h)
			for _, e := range h {
				p := m.Probabilities(e.reader.Features(e.message))
				best := 0
				for i := range p {
					if p[i] > p[best] {
						best = i
					}
				}
				if best == ix[e.category] {
					right++
				}
				loss -= math.Log(max(1e-6, p[ix[e.category]]))
			}
		}
		t.Logf("cv accuracy %.3f loss %.3f", float64(right)/float64(len(all)), loss/float64(len(all)))
	}
}
