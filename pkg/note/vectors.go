package note

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"

	"convene/pkg/embedding"
	"convene/pkg/meet"
)

// Vectors keeps the vectors of a person's notes, by the notes' ids.
type Vectors interface {
	// Vectors are all of a person's. The caller may change the map.
	Vectors(ctx context.Context, person meet.PersonID) (map[string][]byte, error)
	// Replace keeps some vectors and deletes others.
	Replace(ctx context.Context, person meet.PersonID, keep map[string][]byte, gone []string) error
}

// Index finds notes by meaning. Each note has a vector beside it, with a mark of its text and of the model: one that is
// missing, or whose mark is another, is made again.
type Index struct {
	Vectors Vectors
	Model   embedding.Model
}

// Near are the notes that are near a question in meaning, the nearest first. An error means that words alone can find
// them now.
func (x Index) Near(
	ctx context.Context, person meet.PersonID, question string, notes []Note,
) ([]embedding.Near, error) {
	kept, err := x.Vectors.Vectors(ctx, person)
	if err != nil {
		return nil, err
	}
	vectors, made, _ := x.vectors(ctx, kept, notes) // without those that cannot be made now
	if len(made) > 0 {
		if err := x.Vectors.Replace(ctx, person, made, nil); err != nil {
			return nil, err
		}
	}
	asked, err := x.embed(ctx, []string{Subject(question)})
	if err != nil {
		return nil, err
	}
	return embedding.Nearest(asked[0], vectors, x.Model.Near()), nil
}

// Refresh makes the vectors that are missing or out of date, and deletes those of notes that are gone. Notes are all of
// the person's.
func (x Index) Refresh(ctx context.Context, person meet.PersonID, notes []Note) error {
	kept, err := x.Vectors.Vectors(ctx, person)
	if err != nil {
		return err
	}
	_, made, err := x.vectors(ctx, kept, notes)
	for _, n := range notes {
		delete(kept, n.ID)
	}
	if len(made)+len(kept) == 0 {
		return err
	}
	return errors.Join(err, x.Vectors.Replace(ctx, person, made, slices.Collect(maps.Keys(kept))))
}

// vectors are those of the notes, in their order, and made those that were not kept, as they are kept. With an error,
// vectors that could not be made are zero.
func (x Index) vectors(
	ctx context.Context, kept map[string][]byte, notes []Note,
) (vectors []embedding.Vector, made map[string][]byte, err error) {
	vectors = make([]embedding.Vector, len(notes))
	var texts []string
	var stale []int
	for i, n := range notes {
		if !x.read(kept[n.ID], n, &vectors[i]) {
			texts, stale = append(texts, n.Text), append(stale, i)
		}
	}
	fresh, err := x.embed(ctx, texts)
	if err != nil {
		return vectors, nil, err
	}
	made = map[string][]byte{}
	for j, i := range stale {
		vectors[i] = fresh[j]
		if made[notes[i].ID], err = x.written(notes[i], fresh[j]); err != nil {
			return vectors, nil, err
		}
	}
	return vectors, made, nil
}

func (x Index) embed(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	made, err := x.Model.Embed(ctx, texts)
	if err == nil && len(made) != len(texts) {
		err = errors.New("note: the model of embeddings left texts out")
	}
	return made, err
}

// markSize is the length of a mark, in bytes.
const markSize = 8

// mark tells texts and models apart.
func (x Index) mark(n Note) []byte {
	sum := sha256.Sum256([]byte(x.Model.Name() + "\x00" + n.Text))
	return sum[:markSize]
}

// read reads a kept vector; false if it is not of this text and this model.
func (x Index) read(kept []byte, n Note, into *embedding.Vector) bool {
	return len(kept) > markSize && string(kept[:markSize]) == string(x.mark(n)) &&
		into.UnmarshalBinary(kept[markSize:]) == nil
}

func (x Index) written(n Note, v embedding.Vector) ([]byte, error) {
	data, err := v.MarshalBinary()
	return append(x.mark(n), data...), err
}
