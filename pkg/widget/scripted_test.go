package widget_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"convene/pkg/widget"
)

// scripted is a server that answers as a test tells it to, with the element's own script.
func scripted(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(`<!doctype html><html lang=en><meta name=viewport content="width=device-width"><title>A ` +
				`site</title>` +
				`<script src="/widget.js" defer></script><main><convene-scheduler organizer="me"></convene-scheduler></main>`))
		case "/widget.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(widget.Script())
		case "/favicon.ico":
			http.NotFound(w, r)
		default:
			answer(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = w.Write([]byte(`{"turnId": "t1", "conversationId": "c1", "eventsUrl": "/v1/turns/t1/events"}`))
}

func stream(w http.ResponseWriter, updates ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for i, u := range updates {
		_, _ = fmt.Fprintf(w, "data: %s\nid: %d\n\n", u, i+1)
	}
}

const done = `{"type": "done", "outcome": "answered", "receipt": {"stages": [], "modelCalls": 0, "tokens": {}}}`

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"code": %q, "detail": "Said by the server.", "status": %d}`, code, status)
}
