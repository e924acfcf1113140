package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
)

// tenantsOf serves one app for several tenants, each at an address of its own, as a door does that knows their keys.
func tenantsOf(t *testing.T, args []string, tenants ...meet.Tenant) (addresses []string) {
	t.Helper()
	server := wired(t, parseSettings(t, args...))
	for _, tenant := range tenants {
		door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			server.http.Handler.ServeHTTP(w, r.WithContext(meet.InTenant(r.Context(), tenant)))
		}))
		t.Cleanup(door.Close)
		addresses = append(addresses, door.URL)
	}
	return addresses
}

// status is what a request without a body is answered with.
func status(t *testing.T, method, address string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// Two tenants book the same people at the same time in the same conversation: each has its own event, and only within a
// tenant is the time taken.
func TestTenantsHaveNothingInCommon(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"embedded": "", "redis-server": redistest.Start(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := tenantsOf(t, []string{"--redis-url=" + url}, "a", "b", "")
			const message = "call Lee on Thursday at 9am"
			ours, rival := stranger(t, at[0], "kim", "lee", message), stranger(t, at[0], "kit", "lee", message)
			theirs := stranger(t, at[1], "kim", "lee", message)
			for _, tt := range []struct {
				c    *client
				want int
			}{{ours, http.StatusOK}, {rival, http.StatusConflict}, {theirs, http.StatusOK}} {
				if got, body := tt.c.post("/v1/proposals/"+tt.c.proposal+"/confirm", "application/json", "{}"); got != tt.want {
					t.Errorf("status %d, want %d: %s", got, tt.want, body)
				}
			}
			for i, foreign := range []*client{theirs, ours, ours} {
				path := at[i] + "/v1/proposals/" + foreign.proposal
				for what, got := range map[string]int{
					"event": status(t, http.MethodGet, path), "file": status(t, http.MethodGet, path+".ics"),
					"confirm": status(t, http.MethodPost, path+"/confirm"), "cancel": status(t, http.MethodPost, path+"/cancel"),
				} {
					if got != http.StatusNotFound {
						t.Errorf("%s of another tenant: %d, want 404", what, got)
					}
				}
			}
			for i, want := range []int{http.StatusNotFound, http.StatusNotFound, http.StatusOK} {
				if got := status(t, http.MethodGet, at[i]+"/v1/people/al"); got != want {
					t.Errorf("a person of the demo: %d, want %d", got, want)
				}
			}
			for _, c := range []*client{ours, theirs} {
				for _, path := range []string{"", ".ics"} {
					if got := status(t, http.MethodGet, c.server+"/v1/proposals/"+c.proposal+path); got != http.StatusOK {
						t.Errorf("a tenant's own event%s: %d, want 200", path, got)
					}
				}
			}
		})
	}
}

// A turn is found by its own tenant only.
func TestATurnIsItsTenants(t *testing.T) {
	t.Parallel()
	at := tenantsOf(t, nil, "a", "b")
	ours := &client{t: t, server: at[0]}
	const body = `{"message": "hello", "organizer": {"id": "kim", "name": "Kim", "timezone": "UTC"}}`
	code, answer := ours.post("/v1/turns", "application/json", body)
	var begun struct{ TurnID string }
	if err := json.Unmarshal(answer, &begun); err != nil || begun.TurnID == "" {
		t.Fatalf("%d %s", code, answer)
	}
	path := "/v1/turns/" + begun.TurnID
	for i, want := range []int{http.StatusOK, http.StatusNotFound} {
		for _, address := range []string{at[i] + path, at[i] + path + "/events"} {
			if got := status(t, http.MethodGet, address); got != want {
				t.Errorf("%s: %d, want %d", strings.TrimPrefix(address, at[i]), got, want)
			}
		}
	}
	if got := status(t, http.MethodDelete, at[1]+path); got != http.StatusNotFound {
		t.Errorf("cancelled by another tenant: %d, want 404", got)
	}
}
