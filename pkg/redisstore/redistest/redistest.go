// Package redistest runs real Redis servers for tests, to check the store against the server that production uses.
package redistest

import (
	"testing"

	"convene/pkg/testenv"
)

// Start runs redis-server on a free loopback port, with its own directory and nothing persisted, until the test ends.
// It returns the server's redis:// URL. If redis-server is not installed, the test is skipped, or fails under
// CONVENE_TEST_STRICT=1.
func Start(tb testing.TB) (url string) {
	tb.Helper()
	n, err := start(tb.Context(), testenv.Require(tb, "redis-server"), tb.TempDir(), "--save", "")
	if err != nil {
		tb.Fatalf("redis-server does not start: %v", err)
	}
	tb.Cleanup(n.stop)
	return "redis://" + n.address
}
