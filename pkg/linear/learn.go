package linear

import (
	"math"
	"math/rand/v2"
)

// The settings of the training, chosen on sentences that were not learned from.
const (
	epochs = 6
	rate   = 0.2
	// decay pulls the weights that a sentence touches to nothing.
	decay = 1e-5
	// idle is a gradient that is not worth a step.
	idle = 1e-3
	// prune is a weight that is left out of the model.
	prune = 0.02
)

// Example is a text by its features, with the index of its class.
type Example struct {
	Features []uint32
	Class    int
}

// Learn fits a multinomial logistic regression by stochastic gradient descent with AdaGrad. The same examples in the
// same order give the same model.
func Learn[C any](classes []C, buckets uint32, train []Example) *Model[C] {
	n := len(classes)
	l := learner{
		bias: make([]float32, n), biasSquares: make([]float32, n), buckets: buckets,
		weights: make([]float32, int(buckets)*n), squares: make([]float32, int(buckets)*n), scores: make([]float64, n),
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
	return Quantize(Model[C]{Classes: classes, Buckets: buckets, Bias: l.bias, Temperature: 1}, l.weights)
}

type learner struct {
	bias, biasSquares, weights, squares []float32
	scores                              []float64
	buckets                             uint32
}

// step learns from one example.
func (l *learner) step(e Example) {
	n := len(l.scores)
	norm := float32(1 / math.Sqrt(float64(max(1, len(e.Features)))))
	for i := range l.scores {
		l.scores[i] = float64(l.bias[i])
	}
	for _, f := range e.Features {
		for i, w := range l.weights[int(f%l.buckets)*n:][:n] {
			l.scores[i] += float64(w * norm)
		}
	}
	Softmax(l.scores)
	l.scores[e.Class]--
	for i, g := range l.scores {
		if math.Abs(g) >= idle {
			adapt(&l.bias[i], &l.biasSquares[i], float32(g))
		}
	}
	for _, f := range e.Features {
		at := int(f%l.buckets) * n
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

// Calibrate sets the temperature with which the probabilities are truest. Odds is the probability that the model gives,
// at its temperature, to what each of n examples is.
func (m *Model[C]) Calibrate(n int, odds func(i int) float64) {
	best, least := float32(1), math.Inf(1)
	for t := float32(0.4); t < 3; t += 0.05 {
		m.Temperature = t
		loss := 0.0
		for i := range n {
			loss -= math.Log(max(1e-9, odds(i)))
		}
		if loss < least {
			best, least = t, loss
		}
	}
	m.Temperature = best
}
