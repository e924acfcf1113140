package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"convene/pkg/embedding"
	"convene/pkg/note"
)

// Meaning knows which notes are near a question in meaning, the nearest first, by their indices.
type Meaning interface {
	Near(ctx context.Context, question string, notes []note.Note) ([]embedding.Near, error)
}

// NewID is the id of a thing that the turn or call makes, told from others by words. It is the same whenever the turn
// is repeated.
func (w *World) NewID(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	const short = 6
	return w.Key + "-" + hex.EncodeToString(sum[:short])
}
