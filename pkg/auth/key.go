package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"convene/pkg/meet"
)

// keyPrefix begins every key, so that people and secret scanners recognize it.
const keyPrefix = "convene_"

const (
	secretSize = 32 // bytes
	keyIDSize  = 10 // characters
)

// KeyID identifies a key. It is part of the key and no secret.
type KeyID string

// Key is the stored form of a server's key: it can verify the key, but not recover it.
type Key struct {
	ID     KeyID       `json:"id"`
	Tenant meet.Tenant `json:"tenant"`
	// Name tells its owner what the key is for.
	Name string `json:"name,omitempty"`
	Allowance
	// Digest is the SHA-256 of the whole key, in hexadecimal. A key is random, so it needs no slower hash.
	Digest  string    `json:"digest"`
	Created time.Time `json:"created"`
	// Revoked is when the key was revoked; zero if it was not.
	Revoked time.Time `json:"revoked,omitzero"`
	// LastUsed is accurate to about a minute; zero if the key was never used.
	LastUsed time.Time `json:"-"`
}

// NewKey makes a key for a tenant's servers. secret is the key itself, which cannot be recovered.
func NewKey(tenant meet.Tenant, name string, now time.Time) (k Key, secret string) {
	id := KeyID(strings.ToLower(rand.Text()[:keyIDSize]))
	random := make([]byte, secretSize)
	_, _ = rand.Read(random) // it never fails
	secret = keyPrefix + string(id) + "_" + base64.RawURLEncoding.EncodeToString(random)
	return Key{
		ID: id, Tenant: tenant, Name: name, Digest: digest(secret), Created: now.UTC().Truncate(time.Second),
	}, secret
}

// opens reports whether the secret is this key and the key works.
func (k Key) opens(secret string) bool {
	same := subtle.ConstantTimeCompare([]byte(k.Digest), []byte(digest(secret))) == 1
	return same && k.Revoked.IsZero()
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// keyIDOf returns the id in a key; ok is false if the credential is not a key.
func keyIDOf(credential string) (id KeyID, ok bool) {
	rest, ok := strings.CutPrefix(credential, keyPrefix)
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(rest, "_")
	return KeyID(name), ok && len(name) == keyIDSize
}

var tenant = regexp.MustCompile(`^[a-z0-9._-]{0,64}$`)

// IsTenant reports whether s may name a tenant. The empty name is that of a service without keys.
func IsTenant(s string) bool {
	return tenant.MatchString(s)
}
