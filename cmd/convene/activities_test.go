package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"convene/pkg/activity/websearch/websearchtest"
	"convene/pkg/llm/offline"
)

// provider is a model provider whose Responses API searches the web; its Chat Completions are the built-in rules.
func provider(t *testing.T, modes ...websearchtest.Mode) (baseURL string, web *websearchtest.Server) {
	t.Helper()
	web = websearchtest.New(modes...)
	rules := offline.New(offline.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/responses") {
			web.ServeHTTP(w, r)
			return
		}
		rules.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", web
}

const onFriday = "--now=2026-11-20T09:00:00-08:00"

func says(n int, message string, wants ...string) step {
	return step{n: n, kind: "say", body: message, wants: wants}
}

// talk takes the steps one after the other and checks each.
func talk(t *testing.T, c *client, steps ...step) {
	t.Helper()
	var seen []any
	for _, s := range steps {
		seen = append(seen, c.take(s))
		check(t, s, seen)
	}
}

// What the web says is going on becomes an event with its venue, address and time.
func TestSuggestionsFromTheWeb(t *testing.T) {
	t.Parallel()
	baseURL, web := provider(t, websearchtest.OK)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL, "--openai-api-key=sk-test")
	talk(t, &client{t: t, server: server, conversation: "c-web"},
		says(1, "what's happening this weekend?",
			"types = turn acknowledgment progress message activities done",
			"activities.activities.length = 3",
			"activities.activities.0.title = Late Quartet",
			"activities.activities.0.url = https://www.example-hall.org/events/quartet",
			"activities.activities.0.start = 2026-11-21T20:00:00-08:00",
			"message.text ~ 2. **Winter Market** at Example Square",
			"done.receipt.degraded = -", "outcome = activities"),
		says(2, "the quartet with Al",
			"event.title = Late Quartet", "event.start = 2026-11-21T20:00:00-08:00", "event.end = 2026-11-21T22:00:00-08:00",
			"event.place.name = Example Hall", "event.place.address = 12 Hall Street, San Francisco",
			"event.participants.1.id = al",
			"outcome = proposed"),
	)
	talk(t, &client{t: t, server: server, conversation: "c-web-2"},
		says(1, "What's happening this weekend?", "activities.activities.length = 3", "done.receipt.degraded = -"))
	asked := web.Asked()
	if len(asked) != 1 {
		t.Errorf("the web was searched %d times, want once for the same question", len(asked))
	}
	if asked[0].Key != "sk-test" || !strings.Contains(asked[0].Input, `"area":"San Francisco"`) ||
		strings.Contains(asked[0].Input, "Hayes") {
		t.Errorf("the provider was told %q with the key %q", asked[0].Input, asked[0].Key)
	}
}

// A coordinate is found for a venue that the place finder knows by its name and the number of its house.
func TestAVenueFromTheWebIsLocated(t *testing.T) {
	t.Parallel()
	baseURL, _ := provider(t, websearchtest.Known)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL)
	talk(t, &client{t: t, server: server, conversation: "c-known"},
		says(1, "what's happening this weekend?", "activities.activities.length = 2", "activities.activities.0.location = -"),
		says(2, "the first one", "event.place.name = SFJAZZ Center", "event.place.location.latitude > 37.77",
			"outcome = proposed"),
		says(3, "the second one", "event.place.name = SFJAZZ Center",
			"event.place.address = 999 Elsewhere Street, San Francisco",
			"event.place.location.latitude = 0", "outcome = proposed"),
	)
}

// Whatever goes wrong with the search, the built-in catalogue answers and the receipt says so.
func TestTheCatalogueAnswersForTheWeb(t *testing.T) {
	t.Parallel()
	failed := "the search for activities failed; the built-in catalogue answered"
	for mode, why := range map[websearchtest.Mode]string{
		websearchtest.Failing: failed, websearchtest.Busy: failed, websearchtest.Slow: failed,
		websearchtest.Truncated: failed, websearchtest.Cut: failed,
		websearchtest.Uncited: failed, websearchtest.Declined: failed,
		websearchtest.Missing: "the model provider has no search for activities; the built-in catalogue answered",
		websearchtest.Nothing: "the search for activities found nothing; the built-in catalogue answered",
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			baseURL, _ := provider(t, mode)
			server := startServer(t, "", onFriday, "--openai-base-url="+baseURL, "--activity-deadline=500ms")
			talk(t, &client{t: t, server: server, conversation: "c-down"},
				says(1, "what's happening this weekend?",
					"activities.activities.length = 5", "done.receipt.degraded.0 = "+why, "outcome = activities"))
		})
	}
}

// A provider without a search has none tomorrow either: then the catalogue's word stands.
func TestThereIsNoSearch(t *testing.T) {
	t.Parallel()
	baseURL, _ := provider(t, websearchtest.Missing)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL)
	talk(t, &client{t: t, server: server, conversation: "c-none"},
		says(1, "what's happening in Berlin this weekend?", "activities.activities.length = 0",
			"message.text ~ nothing to suggest",
			"done.receipt.degraded.0 ~ has no search", "outcome = activities"))
}

// Where the search fails and the catalogue knows of nothing, nobody is told that nothing is on.
func TestNobodyKnows(t *testing.T) {
	t.Parallel()
	baseURL, _ := provider(t, websearchtest.Failing)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL, "--activity-deadline=500ms")
	talk(t, &client{t: t, server: server, conversation: "c-nobody"},
		says(1, "what's happening in Berlin this weekend?", "activities = -", "error.message ~ could not look up activities",
			"outcome = failed"))
}

// Pages cannot make anything of their words: no link of theirs, no markup, no order.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	baseURL, _ := provider(t, websearchtest.Injected)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL)
	talk(t, &client{t: t, server: server, conversation: "c-hostile"},
		says(1, "what's happening this weekend?",
			"activities.activities.length = 3", "message.text !~ evil", "message.html !~ evil", "message.html !~ <img",
			"activities !~ evil",
			"activities !~ javascript", "activities !~ 169.254", "outcome = activities"),
		says(2, "the first one", "event.title = Free Gig gnp.exe", "message.html !~ <img", "event !~ evil",
			"outcome = proposed"))
}

func TestActivityFinderSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--activity-finder=web"}, "a model provider is needed"},
		{[]string{"--activity-finder=web", "--openai-base-url=ftp://x"}, "http or https"},
	} {
		_, err := wire(t.Context(), parseSettings(t, append(c.args, onFriday)...), io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error = %v, want %q", c.args, err, c.want)
		}
	}
	baseURL, web := provider(t, websearchtest.OK)
	server := startServer(t, "", onFriday, "--openai-base-url="+baseURL, "--activity-finder=built-in")
	talk(t, &client{t: t, server: server, conversation: "c-built-in"},
		says(1, "what's happening this weekend?", "activities.activities.length = 5", "done.receipt.degraded = -"))
	if n := len(web.Asked()); n != 0 {
		t.Error(fmt.Sprint("the web was searched ", n, " times"))
	}
}
