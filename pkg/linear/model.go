package linear

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"
)

// Model tells classes of C apart. The zero Model knows none.
type Model[C any] struct {
	Classes []C
	// Buckets is how many different hashes are told apart.
	Buckets uint32
	// Bias is what speaks for each class before anything is said, and Scale what a weight of 1 is worth.
	Bias, Scale []float32
	// Temperature divides the scores, so that the probabilities are true of messages that were not learned from.
	Temperature float32
	// Usual is the share of each kind of class in what was learned from, for those who want to weigh it.
	Usual map[string]float64 `json:",omitempty"`
	// Weights has a row of a weight for each class for each bucket.
	Weights []int8 `json:"-"`
}

// Quantize makes a model of weights of four bytes, in rows as Model has them.
func Quantize[C any](m Model[C], full []float32) *Model[C] {
	n := len(m.Classes)
	m.Scale, m.Weights = make([]float32, n), make([]int8, len(full))
	for i, w := range full {
		m.Scale[i%n] = max(m.Scale[i%n], float32(math.Abs(float64(w)))/math.MaxInt8)
	}
	for i, w := range full {
		if scale := m.Scale[i%n]; scale > 0 {
			m.Weights[i] = int8(math.Round(float64(w / scale)))
		}
	}
	return &m
}

// Encode writes a model; the same model gives the same bytes.
func (m *Model[C]) Encode(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(z).Encode(m); err != nil {
		return fmt.Errorf("encode the head of the model: %w", err)
	}
	bytes := make([]byte, len(m.Weights))
	for i, w := range m.Weights {
		bytes[i] = byte(w)
	}
	if _, err := z.Write(bytes); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return z.Close()
}

// Decode reads what Encode wrote.
func Decode[C any](r io.Reader) (*Model[C], error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("unpack the model: %w", err)
	}
	in := bufio.NewReader(z)
	head, err := in.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("read the head of the model: %w", err)
	}
	m := &Model[C]{}
	if err := json.Unmarshal(head, m); err != nil {
		return nil, fmt.Errorf("decode the head of the model: %w", err)
	}
	if n := len(m.Classes); n == 0 || len(m.Bias) != n || len(m.Scale) != n || m.Buckets == 0 || m.Temperature <= 0 {
		return nil, fmt.Errorf("the head of the model is not whole")
	}
	bytes, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	if len(bytes) != len(m.Classes)*int(m.Buckets) {
		return nil, fmt.Errorf("%d weights for %d classes and %d buckets", len(bytes), len(m.Classes), m.Buckets)
	}
	m.Weights = make([]int8, len(bytes))
	for i, b := range bytes {
		m.Weights[i] = int8(b)
	}
	return m, nil
}

// Embedded is the model of weights that are in the program, decoded when it is first asked for. It knows nothing if
// they were broken; a test of each package that has some rules that out.
func Embedded[C any](weights []byte) func() *Model[C] {
	return sync.OnceValue(func() *Model[C] {
		m, err := Decode[C](bytes.NewReader(weights))
		if err != nil {
			return &Model[C]{}
		}
		return m
	})
}

// Probabilities are those of the classes for a text with these features. A text without a word has those of no
// evidence.
func (m *Model[C]) Probabilities(features []uint32) []float64 {
	scores := make([]float64, len(m.Classes))
	if len(scores) == 0 {
		return nil
	}
	sums := make([]int32, len(m.Classes))
	for _, f := range features {
		row := m.Weights[int(f%m.Buckets)*len(sums):][:len(sums)]
		for i, w := range row {
			sums[i] += int32(w)
		}
	}
	norm := 1 / math.Sqrt(float64(max(1, len(features))))
	for i := range scores {
		scores[i] = (float64(m.Bias[i]) + float64(sums[i])*float64(m.Scale[i])*norm) / float64(m.Temperature)
	}
	Softmax(scores)
	return scores
}

// Softmax turns scores into probabilities, in place.
func Softmax(scores []float64) {
	most, sum := math.Inf(-1), 0.0
	for _, s := range scores {
		most = max(most, s)
	}
	for i, s := range scores {
		scores[i] = math.Exp(s - most)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}
