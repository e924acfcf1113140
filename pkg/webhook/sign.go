package webhook

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// keySize is the size of a new key in bytes; the specification requires 24 to 64.
const keySize = 32

// Key is a signing secret. Printed, logged or encoded, it is "[sealed]"; its owner gets Reveal once.
type Key struct{ bytes []byte }

func newKey() Key {
	k := Key{make([]byte, keySize)}
	_, _ = rand.Read(k.bytes) // it never fails
	return k
}

// Reveal returns the key in the form that every library of the specification accepts.
func (k Key) Reveal() string { return "whsec_" + base64.StdEncoding.EncodeToString(k.bytes) }

const sealedText = "[sealed]"

// Format prints "[sealed]" under any verb.
func (Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(sealedText)) } // fmt writes to memory

// MarshalText keeps a key out of JSON and structured logs.
func (Key) MarshalText() ([]byte, error) { return []byte(sealedText), nil }

// sign returns the headers of one attempt to send the body, with one signature per key, so that a receiver with any of
// the keys can verify it.
func sign(keys []Key, id MessageID, at time.Time, body []byte) (http.Header, error) {
	signatures := make([]string, len(keys))
	for i, k := range keys {
		signer, err := standard.NewWebhookRaw(k.bytes)
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
		if signatures[i], err = signer.Sign(string(id), at, body); err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
	}
	h := http.Header{}
	h.Set(standard.HeaderWebhookID, string(id))
	h.Set(standard.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	h.Set(standard.HeaderWebhookSignature, strings.Join(signatures, " "))
	return h, nil
}

// named returns a short name of the parts: the same for the same parts.
func named(prefix string, parts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return prefix + hex.EncodeToString(sum[:16])
}
