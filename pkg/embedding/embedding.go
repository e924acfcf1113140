// Package embedding turns texts into vectors, so that texts of similar meaning are near each other, and finds the
// nearest ones. Vectors are kept as one byte a dimension.
package embedding

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
)

// Dimensions is the length of every vector.
const Dimensions = 256

// Model makes vectors of texts.
type Model interface {
	// Name names the model. Vectors of different names cannot be compared.
	Name() string
	// Embed makes a vector of each text, in their order.
	Embed(ctx context.Context, texts []string) ([]Vector, error)
	// Near is the similarity from which a text is about what is asked for.
	Near() float64
}

// Vector is the direction of a text, with one byte a dimension. The zero value is that of no text.
type Vector struct {
	at     [Dimensions]int8
	length float64
}

// Quantize is the direction of any vector; dimensions beyond the usual ones are left out. The largest one becomes 127.
func Quantize(full []float32) (v Vector) {
	full = full[:min(len(full), Dimensions)]
	var largest float64
	for _, x := range full {
		largest = max(largest, math.Abs(float64(x)))
	}
	if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return Vector{}
	}
	for i, x := range full {
		v.at[i] = int8(math.Round(float64(x) / largest * math.MaxInt8))
	}
	v.length = math.Sqrt(float64(dot(&v.at, &v.at)))
	return v
}

// MarshalBinary is one byte a dimension.
func (v Vector) MarshalBinary() ([]byte, error) {
	data := make([]byte, Dimensions)
	for i, x := range v.at {
		data[i] = byte(x)
	}
	return data, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (v *Vector) UnmarshalBinary(data []byte) error {
	if len(data) != Dimensions {
		return errors.New("embedding: a vector of another length")
	}
	for i, x := range data {
		v.at[i] = int8(x)
	}
	v.length = math.Sqrt(float64(dot(&v.at, &v.at)))
	return nil
}

// Similarity is the cosine of the angle between two vectors: 1 for the same direction, and 0 if one is zero.
func (v *Vector) Similarity(to *Vector) float64 {
	if v.length == 0 || to.length == 0 {
		return 0
	}
	return float64(dot(&v.at, &to.at)) / (v.length * to.length)
}

// dot is their scalar product, in four sums that the processor computes side by side.
func dot(a, b *[Dimensions]int8) int32 {
	var w, x, y, z int32
	for i := 0; i < Dimensions; i += 4 {
		w += int32(a[i]) * int32(b[i])
		x += int32(a[i+1]) * int32(b[i+1])
		y += int32(a[i+2]) * int32(b[i+2])
		z += int32(a[i+3]) * int32(b[i+3])
	}
	return w + x + y + z
}

// Near is one of several vectors, by its index.
type Near struct {
	Index      int
	Similarity float64
}

// Nearest are the vectors of at least that similarity to one, the nearest first. It compares all of them.
func Nearest(to Vector, among []Vector, least float64) (near []Near) {
	for i := range among {
		if s := to.Similarity(&among[i]); s >= least && s > 0 {
			near = append(near, Near{i, s})
		}
	}
	slices.SortStableFunc(near, func(a, b Near) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return near
}
