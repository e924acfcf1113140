package offline_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"convene/pkg/llm/offline"
)

// turn is what the stages ask a model for "Let's grab coffee with Al next week", in order, as it was sent.
func turn(tb testing.TB) (requests [][]byte) {
	tb.Helper()
	for _, stage := range []string{"classify", "template", "select"} {
		body, err := os.ReadFile(filepath.Join("testdata", "turn", stage+".json"))
		if err != nil {
			tb.Fatal(err)
		}
		requests = append(requests, body)
	}
	return requests
}

// unread is a client that counts what it is sent and keeps none of it.
type unread struct {
	header http.Header
	size   int
}

func (u *unread) Header() http.Header { return u.header }
func (u *unread) WriteHeader(int)     {}

func (u *unread) Write(b []byte) (int, error) {
	u.size += len(b)
	return len(b), nil
}

// The three requests of one turn, without a network.
func BenchmarkTurn(b *testing.B) {
	model, requests := offline.New(offline.Options{}), turn(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range requests {
			to := &unread{header: http.Header{}}
			model.ServeHTTP(to, httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/v1/chat/completions",
				bytes.NewReader(body)))
			if to.size < len("data: [DONE]\n\n") {
				b.Fatalf("an answer of %d bytes", to.size)
			}
		}
	}
}

// The same over a connection, with a client that reads and throws away.
func BenchmarkTurnOverTCP(b *testing.B) {
	server, requests := httptest.NewServer(offline.New(offline.Options{})), turn(b)
	b.Cleanup(server.Close)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range requests {
			res, err := server.Client().Post(server.URL+"/v1/chat/completions", "application/json", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, res.Body); err != nil {
				b.Fatal(err)
			}
			_ = res.Body.Close()
		}
	}
}
