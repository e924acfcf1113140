package webhook

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// register makes an endpoint in a registry whose clock is now.
func register(t *testing.T, now *time.Time) (*Registry, *shelf, Endpoint, Key) {
	t.Helper()
	s, url := newShelf(), "https://example.com/hook"
	r := NewRegistry(RegistryConfig{Endpoints: s, Sealer: &envelope{}, Now: func() time.Time { return *now }})
	e, key, err := r.Create(t.Context(), Change{URL: &url})
	check(t, err)
	return r, s, e, key
}

// signers are the keys that sign now, as their owners know them.
func signers(t *testing.T, e Endpoint, now time.Time) []string {
	t.Helper()
	list, err := keys(t.Context(), &envelope{}, e, now)
	check(t, err)
	shown := make([]string, len(list))
	for i, k := range list {
		shown[i] = k.Reveal()
	}
	return shown
}

func TestSecretsAreRotated(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	r, _, e, first := register(t, &now)
	want := func(when string, keys ...Key) {
		t.Helper()
		var shown []string
		for _, k := range keys {
			shown = append(shown, k.Reveal())
		}
		if diff := cmp.Diff(shown, signers(t, e, now)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	want("at first", first)
	rotate := func(overlap time.Duration) (k Key) {
		t.Helper()
		var err error
		e, k, err = r.Rotate(t.Context(), e.ID, overlap)
		check(t, err)
		return k
	}
	second := rotate(24 * time.Hour)
	want("rotated", second, first)
	now = now.Add(23 * time.Hour)
	third := rotate(24 * time.Hour)
	want("rotated again", third, second, first)
	now = now.Add(time.Hour)
	want("a day after the first rotation", third, second)
	fourth := rotate(time.Hour)
	want("with a shorter overlap", fourth, third, second)
	now = now.Add(time.Hour)
	want("an hour later", fourth)
	fifth := rotate(0)
	want("without an overlap", fifth)
	for range 5 {
		rotate(24 * time.Hour)
	}
	if n := len(e.Secrets); n != mostSecrets {
		t.Errorf("%d secrets, want %d at most", n, mostSecrets)
	}
	for _, overlap := range []time.Duration{-time.Hour, LongestOverlap + time.Hour} {
		if _, _, err := r.Rotate(t.Context(), e.ID, overlap); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("an overlap of %v: %v", overlap, err)
		}
	}
}

// A secret opens for its own endpoint and tenant only, and is not stored as it is.
func TestSecretsAreSealedForTheirEndpoint(t *testing.T) {
	t.Parallel()
	now := time.Now()
	_, _, e, key := register(t, &now)
	if diff := cmp.Diff([]string{key.Reveal()}, signers(t, e, now)); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(e.Secrets[0].Sealed), fmt.Sprintf("%q", []string{"webhook", "", string(e.ID)})) {
		t.Errorf("sealed as %s", e.Secrets[0].Sealed)
	}
	elsewhere := e
	elsewhere.ID = "ep_other"
	if _, err := keys(t.Context(), &envelope{}, elsewhere, now); err == nil {
		t.Error("opened for another endpoint")
	}
	if _, err := keys(meet.InTenant(t.Context(), "other"), &envelope{}, e, now); err == nil {
		t.Error("opened for another tenant")
	}
}

func TestChangesOfEndpoints(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	text := func(s string) *string { return &s }
	yes, no := true, false
	for name, tt := range map[string]struct {
		change Change
		field  string
		want   func(*Endpoint)
	}{
		"nothing": {want: func(*Endpoint) {}},
		"another URL": {change: Change{URL: text("https://example.org/")}, want: func(e *Endpoint) {
			e.URL = "https://example.org/"
		}},
		"a wrong URL":   {change: Change{URL: text("http://example.org/")}, field: "url"},
		"a description": {change: Change{Description: text(" CRM ")}, want: func(e *Endpoint) { e.Description = "CRM" }},
		"a long description": {change: Change{
			Description: text(strings.Repeat("é", maxDescription+1)),
		}, field: "description"},
		"types": {change: Change{Types: &[]Type{EventMoved, EventCancelled, EventMoved}},
			want: func(e *Endpoint) { e.Types = []Type{EventCancelled, EventMoved} }},
		"a type there is not": {change: Change{Types: &[]Type{"event.deleted"}}, field: "types"},
		"disabled":            {change: Change{Enabled: &no}, want: func(e *Endpoint) { e.Disabled = Requested }},
		"enabled":             {change: Change{Enabled: &yes}, want: func(e *Endpoint) { e.Failing = time.Time{} }},
	} {
		r, s, e, _ := register(t, &now)
		s.endpoints[""][0].Failing = now
		got, err := r.Change(t.Context(), e.ID, tt.change)
		if f := fault.As(err); tt.field != "" && (f.Code != fault.InvalidRequest || f.Field != tt.field) {
			t.Errorf("%s: %v, want a fault of %s", name, err, tt.field)
		}
		if tt.want == nil {
			continue
		}
		check(t, err)
		want := e
		want.Failing = now
		tt.want(&want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestThereAreOnlySoManyEndpoints(t *testing.T) {
	t.Parallel()
	now, url := time.Now(), "https://example.com/hook"
	r, _, _, _ := register(t, &now)
	for range MostEndpoints - 1 {
		_, _, err := r.Create(t.Context(), Change{URL: &url})
		check(t, err)
	}
	if _, _, err := r.Create(t.Context(), Change{URL: &url}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("one more: %v", err)
	}
	if _, _, err := r.Create(meet.InTenant(t.Context(), "other"), Change{URL: &url}); err != nil {
		t.Errorf("another tenant's: %v", err)
	}
}

// A notice makes one delivery for each endpoint that wants it, however often it is told.
func TestWhoIsTold(t *testing.T) {
	t.Parallel()
	now := time.Now()
	r, s, all, _ := register(t, &now)
	no := false
	only := func(types ...Type) EndpointID {
		t.Helper()
		url := "https://example.com/only"
		e, _, err := r.Create(t.Context(), Change{URL: &url, Types: &types})
		check(t, err)
		return e.ID
	}
	moved, off := only(EventMoved, EventCancelled), only(EventMoved)
	_, err := r.Change(t.Context(), off, Change{Enabled: &no})
	check(t, err)
	o := NewOutbox(OutboxConfig{Endpoints: s, Deliveries: s})
	for range 3 {
		check(t, o.Tell(t.Context(), noticeOf("p1", booking.Confirmed)))
		check(t, o.Tell(t.Context(), noticeOf("p1", booking.Cancelled)))
		check(t, o.Tell(t.Context(), noticeOf("p2", booking.Moved)))
		check(t, o.Tell(meet.InTenant(t.Context(), "other"), noticeOf("p3", booking.Moved)))
	}
	page, _, err := o.Page(t.Context(), Filter{}, "", 100)
	check(t, err)
	var got []string
	messages := map[MessageID]string{}
	for _, d := range page {
		what := fmt.Sprint(d.Proposal, " ", d.Type)
		got = append(got, fmt.Sprint(what, " to ", map[EndpointID]string{
			all.ID: "all", moved: "moved", off: "off",
		}[d.Endpoint]))
		if other, ok := messages[d.Message]; ok && other != what {
			t.Errorf("%s and %s have the same id", other, what)
		}
		messages[d.Message] = what
		if strings.Contains(string(d.Message), ".") {
			t.Errorf("there is a full stop in %s", d.Message)
		}
	}
	slices.Sort(got)
	want := []string{
		"p1 event.cancelled to all", "p1 event.cancelled to moved", "p1 event.confirmed to all",
		"p2 event.moved to all", "p2 event.moved to moved",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
	if len(messages) != 3 {
		t.Errorf("%d ids, want one for each notice", len(messages))
	}
}
