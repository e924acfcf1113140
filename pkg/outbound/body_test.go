package outbound

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestTheBodyHasALimit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		size  int
		large bool
	}{
		"nothing": {0, false}, "as much as allowed": {100, false}, "one byte more": {101, true}, "far more": {1 << 20, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := strings.Repeat("x", tt.size)
			_, got, err := call(t.Context(), Client(Config{Base: play(says(200, body)), MaxBody: 100}), "")
			if large, _ := errors.AsType[*TooLargeError](err); (large != nil) != tt.large {
				t.Errorf("error = %v, want too large: %t", err, tt.large)
			}
			if diff := cmp.Diff(body[:min(tt.size, 100)], got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

// A body without GetBody is kept for another attempt, where it is not too long for that.
func TestBodiesOfAnyKindAreSentWhole(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ size, calls int }{
		"short": {10, 2}, "as long as is kept": {maxReplayed, 2}, "longer": {maxReplayed + 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := play(status(503), status(200))
				sent := strings.Repeat("x", tt.size)
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "https://calendar.example/",
					io.MultiReader(strings.NewReader(sent)))
				if err != nil {
					t.Fatal(err)
				}
				res, err := Client(Config{Base: s}).Do(req)
				if err != nil {
					t.Fatal(err)
				}
				check(t, res.Body.Close())
				if len(s.bodies) != tt.calls {
					t.Errorf("%d calls, want %d", len(s.bodies), tt.calls)
				}
				for _, body := range s.bodies {
					if body != sent {
						t.Errorf("sent %d bytes, want %d", len(body), len(sent))
					}
				}
			})
		})
	}
}

// What Retryable has read, and what it has not, is there for the caller.
func TestRetryableLeavesTheBodyWhole(t *testing.T) {
	t.Parallel()
	want := strings.Repeat("0123456789", maxPeeked/5)
	client := Client(Config{Base: play(says(403, want)), Retryable: func(res *http.Response) bool {
		_, _ = io.CopyN(io.Discard, res.Body, 7)
		return false
	}})
	if _, got, err := call(t.Context(), client, ""); err != nil || got != want {
		t.Errorf("%d bytes and %v, want %d", len(got), err, len(want))
	}
}
