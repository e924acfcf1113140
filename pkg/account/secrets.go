package account

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// errSealed says that no key of the keyset opens a value: its key is missing, or it was sealed for another purpose.
var errSealed = errors.New("sealed with a key that is not in the keyset, or for another purpose")

// Secrets seals credentials and other secrets. It is safe for concurrent use.
type Secrets struct {
	aead    tink.AEAD
	primary uint32
	known   map[uint32]bool
	lasting bool
}

// OpenSecrets reads a keyset: setting is the path of a file, or the keyset itself, best as base64 of its JSON. Without
// one it makes a key for the life of the process. Errors quote nothing of the setting.
func OpenSecrets(setting string) (*Secrets, error) {
	if setting == "" {
		handle, err := keyset.NewHandle(aead.XChaCha20Poly1305KeyTemplate())
		if err != nil {
			return nil, fmt.Errorf("make a key: %w", err)
		}
		return newSecrets(handle)
	}
	text := []byte(setting)
	if _, ok := decoded(text); !ok {
		file, err := os.ReadFile(setting)
		if err != nil {
			return nil, fmt.Errorf("neither a keyset in base64 nor a file that can be read: %w", reason(err))
		}
		text = file
	}
	handle, err := parse(text)
	if err != nil {
		return nil, err
	}
	s, err := newSecrets(handle)
	if err != nil {
		return nil, err
	}
	s.lasting = true
	return s, nil
}

// Lasting reports whether sealed values can be opened after the process has ended.
func (s *Secrets) Lasting() bool { return s.lasting }

// reason omits the path: it may be a badly pasted keyset.
func reason(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return file.Err
	}
	return err
}

func newSecrets(handle *keyset.Handle) (*Secrets, error) {
	primary, err := handle.Primary()
	if err != nil {
		return nil, fmt.Errorf("keyset: %w", err)
	}
	cipher, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("keyset: %w", err)
	}
	s := &Secrets{aead: cipher, primary: primary.KeyID(), known: map[uint32]bool{}}
	for i := range handle.Len() {
		key, err := handle.Entry(i)
		if err != nil {
			return nil, fmt.Errorf("keyset: %w", err)
		}
		s.known[key.KeyID()] = key.KeyStatus() == keyset.Enabled
	}
	return s, nil
}

// NewKeyset is a new keyset as JSON. It is a secret that opens every sealed value. It holds one key that seals and one
// that will do so after the next Rotate.
func NewKeyset() ([]byte, error) {
	m := keyset.NewManager()
	first, err := m.Add(aead.XChaCha20Poly1305KeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("new keyset: %w", err)
	}
	if err := m.SetPrimary(first); err != nil {
		return nil, fmt.Errorf("new keyset: %w", err)
	}
	return withNext(m)
}

// Rotate is the keyset with another sealing key, as JSON; all older keys still open. The new sealing key has been in
// the keyset since the previous rotation, so that a process with the older keyset can open what the newer one seals: no
// two processes have to change at once. text is JSON, or base64 of it.
func Rotate(text []byte) ([]byte, error) {
	handle, err := parse(text)
	if err != nil {
		return nil, err
	}
	m := keyset.NewManagerFromHandle(handle)
	next, err := handle.Entry(handle.Len() - 1)
	if err != nil {
		return nil, fmt.Errorf("rotate keyset: %w", err)
	}
	id := next.KeyID()
	if next.IsPrimary() || next.KeyStatus() != keyset.Enabled {
		if id, err = m.Add(aead.XChaCha20Poly1305KeyTemplate()); err != nil {
			return nil, fmt.Errorf("rotate keyset: %w", err)
		}
	}
	if err := m.SetPrimary(id); err != nil {
		return nil, fmt.Errorf("rotate keyset: %w", err)
	}
	return withNext(m)
}

func withNext(m *keyset.Manager) ([]byte, error) {
	if _, err := m.Add(aead.XChaCha20Poly1305KeyTemplate()); err != nil {
		return nil, fmt.Errorf("keyset: %w", err)
	}
	handle, err := m.Handle()
	if err != nil {
		return nil, fmt.Errorf("keyset: %w", err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return nil, fmt.Errorf("write keyset: %w", err)
	}
	return out.Bytes(), nil
}

func parse(text []byte) (*keyset.Handle, error) {
	plain, _ := decoded(text)
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(plain)))
	if err != nil {
		return nil, errors.New("this is not a keyset") // the parser's error quotes it
	}
	return handle, nil
}

// decoded is the JSON of a text that is JSON, or base64 of it.
func decoded(text []byte) (plain []byte, ok bool) {
	plain = bytes.TrimSpace(text)
	if isObject(plain) {
		return plain, true
	}
	plain, err := base64.StdEncoding.DecodeString(string(plain))
	return plain, err == nil && isObject(bytes.TrimSpace(plain))
}

func isObject(text []byte) bool { return bytes.HasPrefix(text, []byte("{")) }

// Seal encrypts value so that it opens for the same purpose only.
func (s *Secrets) Seal(value []byte, purpose ...string) ([]byte, error) {
	sealed, err := s.aead.Encrypt(value, associated(purpose))
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return sealed, nil
}

// Open is the value that was sealed for the purpose. Its error shows neither.
func (s *Secrets) Open(sealed []byte, purpose ...string) ([]byte, error) {
	value, err := s.aead.Decrypt(sealed, associated(purpose))
	if err != nil {
		return nil, errSealed
	}
	return value, nil
}

// keyOf is the id of a value's key: tink prefixes each value with a 1 and the id's four bytes.
func keyOf(sealed []byte) (id uint32, ok bool) {
	if len(sealed) < 5 || sealed[0] != 1 {
		return 0, false
	}
	return binary.BigEndian.Uint32(sealed[1:5]), true
}

// opens reports whether the keyset has the key of a sealed value.
func (s *Secrets) opens(sealed []byte) bool {
	id, ok := keyOf(sealed)
	return ok && s.known[id]
}

// current reports whether a value was sealed with the current key.
func (s *Secrets) current(sealed []byte) bool {
	id, ok := keyOf(sealed)
	return ok && id == s.primary
}

// associated is the purpose as unambiguous associated data.
func associated(purpose []string) []byte { return fmt.Appendf(nil, "%q", purpose) }

func (a Account) purpose() []string { return []string{"account", string(a.Person), string(a.ID)} }

// secret is the part of an account that is stored sealed.
type secret struct {
	Credential

	RefreshToken string
	// Issued and Expires are the access token's, by our own clock; a zero Expires means never.
	Issued, Expires time.Time
}

// Format keeps a secret out of formatted text.
func (secret) Format(f fmt.State, _ rune) { hide(f) }

// stored is a secret's JSON form, which is sealed at once.
type stored struct {
	AccessToken  string    `json:"accessToken,omitempty"`
	Username     string    `json:"username,omitempty"`
	Password     string    `json:"password,omitempty"`
	URL          string    `json:"url,omitempty"`
	RefreshToken string    `json:"refreshToken,omitempty"`
	Issued       time.Time `json:"issued,omitzero"`
	Expires      time.Time `json:"expires,omitzero"`
}

func (s *Secrets) sealFor(a Account, x secret) ([]byte, error) {
	plain, err := json.Marshal(stored{x.AccessToken, x.Username, x.Password, x.URL, x.RefreshToken, x.Issued, x.Expires})
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return s.Seal(plain, a.purpose()...)
}

func (s *Secrets) openFor(r Record) (secret, error) {
	plain, err := s.Open(r.Sealed, r.Account.purpose()...)
	if err != nil {
		return secret{}, err
	}
	var x stored
	if err := json.Unmarshal(plain, &x); err != nil {
		return secret{}, errSealed
	}
	return secret{Credential{x.AccessToken, x.Username, x.Password, x.URL}, x.RefreshToken, x.Issued, x.Expires}, nil
}
