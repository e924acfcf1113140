// Package answers caches the answers of slow or paid services, for all processes that share a store.
package answers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Store keeps bytes for all processes that share it. It may lose them.
type Store interface {
	// Load returns what was saved under the key, nil if there is nothing or it has expired.
	Load(ctx context.Context, key string) ([]byte, error)
	// Save keeps an answer for that long.
	Save(ctx context.Context, key string, answer []byte, life time.Duration) error
}

// Kept are answers of one kind. The zero value keeps none.
type Kept[Answer any] struct {
	// Store keeps the answers for Life. Without either none are kept.
	Store Store
	Life  time.Duration
	// Notify, if set, receives each failure of the store. It must not block.
	Notify func(ctx context.Context, err error)
}

// storeTime bounds each call of the store: asking the source takes less than waiting for an unreachable store.
const storeTime = time.Second

// Load returns a kept answer. A store that cannot be reached, or read, has none.
func (k Kept[Answer]) Load(ctx context.Context, key string) (answer Answer, kept bool) {
	if !k.keeps() {
		return answer, false
	}
	bounded, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	raw, err := k.Store.Load(bounded, key)
	if err == nil && raw != nil {
		if err = json.Unmarshal(raw, &answer); err == nil {
			return answer, true
		}
	}
	k.failed(ctx, err)
	var none Answer
	return none, false
}

// Save keeps an answer, if the store can.
func (k Kept[Answer]) Save(ctx context.Context, key string, answer Answer) {
	if !k.keeps() {
		return
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		k.failed(ctx, err)
		return
	}
	k.SaveJSON(ctx, key, raw)
}

// SaveJSON is Save with an encoded answer.
func (k Kept[Answer]) SaveJSON(ctx context.Context, key string, raw []byte) {
	if !k.keeps() {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	k.failed(ctx, k.Store.Save(bounded, key, raw, k.Life))
}

func (k Kept[Answer]) keeps() bool { return k.Store != nil && k.Life > 0 }

func (k Kept[Answer]) failed(ctx context.Context, err error) {
	if err != nil && k.Notify != nil {
		k.Notify(ctx, fmt.Errorf("answers that are kept: %w", err))
	}
}

// Key is a hash of a question to a source, so that it does not reveal the question. Version is that of the answers'
// form: raise it when it changes so that old answers would be misread.
func Key[Question any](source string, version int, question Question) (string, error) {
	raw, err := json.Marshal(question)
	if err != nil {
		return "", fmt.Errorf("key of a question: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", version, source, raw))
	return hex.EncodeToString(sum[:]), nil
}
