package main

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"convene/pkg/llm/kind"
)

// The settings of the training, chosen on the dev partitions.
const (
	buckets = 1 << 16
	epochs  = 6
	rate    = 0.2
	// decay pulls the weights that a sentence touches to nothing.
	decay = 1e-5
	// idle is a gradient that is not worth a step.
	idle = 1e-3
	// prune is a weight that is left out of the model.
	prune = 0.02
)

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

// learn fits a multinomial logistic regression by stochastic gradient descent with AdaGrad. The same sentences in the
// same order give the same model.
func learn(list []kind.Class, train sentences) *kind.Model {
	n := len(list)
	l := learner{
		bias: make([]float32, n), biasSquares: make([]float32, n),
		weights: make([]float32, buckets*n), squares: make([]float32, buckets*n), scores: make([]float64, n),
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the order of sentences is no secret
	order := random.Perm(len(train))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			l.step(train[i])
		}
	}
	for i, w := range l.weights {
		if math.Abs(float64(w)) < prune {
			l.weights[i] = 0
		}
	}
	usual := map[string]float64{}
	for _, s := range train {
		usual[list[s.class].Kind] += 1 / float64(len(train))
	}
	head := kind.Model{Classes: list, Buckets: buckets, Bias: l.bias, Temperature: 1, Usual: usual}
	return kind.Quantize(head, l.weights)
}

type learner struct {
	bias, biasSquares, weights, squares []float32
	scores                              []float64
}

// step learns from one sentence.
func (l *learner) step(s sentence) {
	n := len(l.scores)
	norm := float32(1 / math.Sqrt(float64(len(s.features))))
	for i := range l.scores {
		l.scores[i] = float64(l.bias[i])
	}
	for _, f := range s.features {
		for i, w := range l.weights[int(f%buckets)*n:][:n] {
			l.scores[i] += float64(w * norm)
		}
	}
	kind.Softmax(l.scores)
	l.scores[s.class]--
	for i, g := range l.scores {
		if math.Abs(g) >= idle {
			adapt(&l.bias[i], &l.biasSquares[i], float32(g))
		}
	}
	for _, f := range s.features {
		at := int(f%buckets) * n
		for i, g := range l.scores {
			if math.Abs(g) >= idle {
				adapt(&l.weights[at+i], &l.squares[at+i], float32(g)*norm+decay*l.weights[at+i])
			}
		}
	}
}

// adapt is a step of AdaGrad.
func adapt(weight, square *float32, g float32) {
	*square += g * g
	*weight -= rate * g / (float32(math.Sqrt(float64(*square))) + 1e-3)
}

// temperature is the one with which the probabilities of the kinds are truest of the sentences.
func temperature(m *kind.Model, dev sentences) float32 {
	best, least := float32(1), math.Inf(1)
	for t := float32(0.4); t < 3; t += 0.05 {
		m.Temperature = t
		loss := 0.0
		for _, s := range dev {
			loss -= math.Log(max(1e-9, m.Predict(s.text).Odds[m.Classes[s.class].Kind]))
		}
		if loss < least {
			best, least = t, loss
		}
	}
	return best
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
func measure(m *kind.Model, list sentences) string {
	type bin struct{ n, right, confidence float64 }
	bins, kinds := map[int]bin{}, map[string]bin{}
	for _, s := range list {
		got, want := m.Predict(s.text), m.Classes[s.class].Kind
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
