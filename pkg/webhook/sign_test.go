package webhook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func keyOf(t *testing.T, text string) Key {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	return Key{raw}
}

// The specification's libraries are all held to this vector.
func TestSignaturesAreThoseOfTheSpecification(t *testing.T) {
	t.Parallel()
	key := keyOf(t, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	got, err := sign([]Key{key}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
	}
	if diff := cmp.Diff(want, map[string][]string(got)); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
}

// During a rotation a receiver with either secret can verify, and no other.
func TestEitherSecretVerifies(t *testing.T) {
	t.Parallel()
	old, current, other, body := newKey(), newKey(), newKey(), []byte(`{"type":"event.moved"}`)
	headers, err := sign([]Key{current, old}, "msg_1", time.Now(), body)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		key  Key
		body []byte
		ok   bool
	}{
		"the current one":   {current, body, true},
		"the old one":       {old, body, true},
		"another one":       {other, body, false},
		"of something else": {current, []byte(`{"type":"event.moved" }`), false},
	} {
		receiver, err := standard.NewWebhook(tt.key.Reveal())
		if err != nil {
			t.Fatal(err)
		}
		if err := receiver.Verify(tt.body, headers); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysAreLongEnoughAndHidden(t *testing.T) {
	t.Parallel()
	key := newKey()
	if n := len(keyOf(t, key.Reveal()).bytes); n < 24 || n > 64 {
		t.Errorf("a key has %d bytes, want 24 to 64", n)
	}
	if newKey().Reveal() == key.Reveal() {
		t.Error("two keys are the same")
	}
	encoded, err := json.Marshal(struct{ Key Key }{key})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{fmt.Sprint(key), fmt.Sprintf("%+v %#v %x", key, key, key), string(encoded)} {
		if !strings.Contains(shown, sealedText) || strings.Contains(shown, key.Reveal()) {
			t.Errorf("shown as %s", shown)
		}
	}
}
