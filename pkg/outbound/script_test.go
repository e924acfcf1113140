package outbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var errCut = errors.New("connection reset")

// answer is what one call gets.
type answer struct {
	give func(*http.Request) (*http.Response, error)
}

// script answers calls one after the other, the last answer for ever.
type script struct {
	mu      sync.Mutex
	answers []answer
	bodies  []string
	at      []time.Duration
	start   time.Time
	open    atomic.Int32
}

func play(answers ...answer) *script {
	return &script{answers: answers, start: time.Now()}
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	body := ""
	if req.Body != nil {
		b, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	s.mu.Lock()
	next := s.answers[min(len(s.at), len(s.answers)-1)]
	s.bodies, s.at = append(s.bodies, body), append(s.at, time.Since(s.start))
	s.mu.Unlock()
	res, err := next.give(req)
	if res != nil && res.Body != nil {
		s.open.Add(1)
		res.Body = &counted{ReadCloser: res.Body, open: &s.open}
	}
	return res, err
}

func (s *script) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.at)
}

// counted knows whether it was closed.
type counted struct {
	io.ReadCloser
	open *atomic.Int32
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.ReadCloser.Close()
}

func status(code int, header ...string) answer {
	return says(code, strconv.Itoa(code), header...)
}

func says(code int, body string, header ...string) answer {
	return answer{func(*http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}}
}

func fails(err error) answer {
	return answer{func(*http.Request) (*http.Response, error) { return nil, err }}
}

func cut() answer { return fails(errCut) }

func hang() answer {
	return answer{func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}}
}

// drips is an answer whose body never ends.
func drips() answer {
	return answer{func(req *http.Request) (*http.Response, error) {
		r, w := io.Pipe()
		context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
		return &http.Response{StatusCode: 200, Body: r}, nil
	}}
}

func call(ctx context.Context, c *http.Client, body string) (int, string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://calendar.example/x?secret=1",
		strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return res.StatusCode, string(got), err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
