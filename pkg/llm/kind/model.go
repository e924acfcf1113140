package kind

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Model is a linear classifier with weights of one byte.
type Model struct {
	Classes []Class
	// Buckets is how many different hashes are told apart.
	Buckets uint32
	// Bias is what speaks for each class before anything is said, and Scale what a weight of 1 is worth.
	Bias, Scale []float32
	// Temperature divides the scores, so that the probabilities are true of messages that were not learned from.
	Temperature float32
	// Usual is the share of each kind in what was learned from.
	Usual map[string]float64
	// Weights has a row of a weight for each class for each bucket.
	Weights []int8 `json:"-"`
}

// Quantize makes a model of weights of four bytes, in rows as Model has them.
func Quantize(m Model, full []float32) *Model {
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
func (m *Model) Encode(w io.Writer) error {
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
func Decode(r io.Reader) (*Model, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("unpack the model: %w", err)
	}
	in := bufio.NewReader(z)
	head, err := in.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("read the head of the model: %w", err)
	}
	m := &Model{}
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
