package widget_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// everything is a server whose answers have all that an element can show: to "all" a turn with every kind of update, to
// "fail" one that fails, to "wait" one that does not end. What is confirmed has gone.
func everything(t *testing.T) string {
	t.Helper()
	const template = `{"type": "template", "template": {"title": "Coffee with Al", "eventType": "video",
		"activity": "coffee", "duration": 30,
		"preferredSchedulableDates": [{"start": "2026-11-23", "end": "2026-11-29"}],
			"preferredSchedulableHours": {"week": {"mon": [{"start": "09:00", "end": "12:00"}]}},
		"participants": ["Al"], "suggestedPlaceTypes": ["cafe"], "placeWishes": {"features": ["quiet", "view"],
			"where": {"area": "the Mission"}}}}`
	const candidates = `{"type": "candidates", "slots": 3, "places": 2, "hasNoCommonTime": true,
		"reasons": [{"text": "Another day would help."}],
		"calendars": [{"name": "Inês", "state": "unknown", "reason": "it is damaged"}]}`
	const slot = `{"start": "2026-11-24T17:00:00-08:00", "end": "2026-11-24T17:30:00-08:00"}`
	answers := map[string][]string{
		"all": {
			`{"type": "acknowledgment", "text": "One moment.", "language": "en"}`,
			`{"type": "progress", "text": "Reading calendars", "step": 4, "of": 5}`, template, candidates,
			`{"type": "message_delta", "text": "Here"}`, `{"type": "message", "text": "Here it is."}`, longCard,
			`{"type": "alternatives", "slots": [` + slot + `], "places": [{"name": "Grand Coffee"}]}`,
			`{"type": "activities", "activities": [{"title": "Jazz", "url": "https://jazz.example/1"}]}`,
			`{"type": "navigate", "url": "https://book.example/1"}`, done,
		},
		"fail": {`{"type": "acknowledgment", "text": "One moment."}`,
			`{"type": "error", "code": "no_connection", "message": "x", "retryable": true}`, done},
		"wait": {`{"type": "progress", "text": "Reading calendars", "step": 2, "of": 5}`, template,
			`{"type": "message_delta", "text": "Let me"}`},
	}
	return scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch id := strings.Split(r.URL.Path, "/")[3:]; {
		case strings.HasSuffix(r.URL.Path, "/confirm"):
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusConflict)
			_, _ = fmt.Fprintf(w, `{"code": "slot_gone", "status": 409, "slots": [%s]}`, slot)
		case r.Method == http.MethodPost:
			var said struct{ Message string }
			_ = json.NewDecoder(r.Body).Decode(&said)
			w.WriteHeader(http.StatusAccepted)
			_, _ = fmt.Fprintf(w, `{"turnId": %[1]q, "conversationId": "c1", "eventsUrl": "/v1/turns/%[1]s/events"}`,
				said.Message)
		default:
			for i := range answers[id[0]] {
				answers[id[0]][i] = strings.ReplaceAll(answers[id[0]][i], "\n", "")
			}
			stream(w, answers[id[0]]...)
			if id[0] == "wait" {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}
		}
	})
}

// play goes through all that an element can show, and tells the state that it has come to.
func play(p *tab, locale string, state func(string)) {
	p.t.Helper()
	p.text(fmt.Sprintf(`element().setAttribute("locale", %q)`, locale))
	state("empty")
	p.ask("all")
	state("proposed")
	p.text(`all("[data-kind=slot]")[1].click()`)
	state("chosen")
	p.text(`one("[part=confirm]").click()`)
	p.wait(`one("[part=note]:not([hidden])")`)
	state("gone")
	p.ask("fail")
	state("failed")
	p.text(`one("textarea").value = ""`)
	p.send("wait")
	p.wait(`one(".writing")`)
	state("running")
}

// Whatever an element shows when its locale changes, it shows as if it had been in that language from the beginning.
func TestAnotherLocaleRedrawsEverything(t *testing.T) {
	address := everything(t)
	// but what was read out
	const shown = `one(".frame").outerHTML.replace(/ style="[^"]*"/, "").replace(/(role="status"[^>]*>)[^<]*/, ` +
		`"$1").replaceAll(">", ">\n")`
	for _, to := range []string{"he", "es", "en"} {
		want := map[string]string{}
		native := look(t, address, 800, 700)
		play(native, to, func(state string) { want[state] = native.text(shown) })
		from := map[string]string{"he": "en", "es": "he", "en": "es"}[to]
		p := look(t, address, 800, 700)
		play(p, from, func(state string) {
			before := p.text(shown)
			p.text(fmt.Sprintf(`one("[part=confirm]")?.focus(), element().setAttribute("locale", %q)`, to))
			got := p.text(shown)
			if diff := cmp.Diff(strings.Split(want[state], "\n"), strings.Split(got, "\n")); diff != "" || got == before {
				t.Errorf("%s, from %s to %s (-want +got):\n%s", state, from, to, diff)
			}
			p.holds(`!one("[part=confirm]:enabled") || element().shadowRoot.activeElement === one("[part=confirm]")`)
			p.shoot("locale-" + state + "-" + to)
			if state == "chosen" || state == "running" { // of all there is, with nothing wrong and with everything
				p.audit(state + " in " + to)
			}
			p.text(fmt.Sprintf(`element().setAttribute("locale", %q)`, from))
			if diff := cmp.Diff(strings.Split(before, "\n"), strings.Split(p.text(shown), "\n")); diff != "" {
				t.Errorf("%s, back to %s (-want +got):\n%s", state, from, diff)
			}
		})
	}
}

// tokens are the words of closed vocabularies that a template can have, by what they are for.
func tokens(t *testing.T) (features, activities, kinds, foreign []string) {
	t.Helper()
	for _, f := range meet.Features() {
		features = append(features, string(f))
	}
	for _, a := range []meet.Activity{meet.Coffee, meet.Breakfast, meet.Brunch, meet.Lunch, meet.Dinner, meet.Drinks,
		meet.Meeting, meet.Call} {
		activities = append(activities, string(a))
	}
	names := func(pattern *regexp.Regexp, path ...string) (all []string) {
		content, err := os.ReadFile(filepath.Join(append([]string{"..", "place"}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllStringSubmatch(string(content), -1) {
			all = append(all, m[1])
		}
		return all
	}
	kinds = names(regexp.MustCompile(`(?m)^type ([^:<\n]*[^:<\n ])`), "catalogue", "vocabulary.txt")
	foreign = append(names(regexp.MustCompile(`(?m)^([a-z ]+):`), "foursquare", "kinds.txt"),
		names(regexp.MustCompile(`(?m)^([a-z ]+):`), "google", "types.txt")...)
	if len(features) != 20 || len(kinds) < 40 || len(foreign) < 100 {
		t.Fatalf("%d features, %d kinds of place and %d of other finders", len(features), len(kinds), len(foreign))
	}
	return features, activities, kinds, foreign
}

// No token of a vocabulary is shown as it is: people read words of their language.
func TestTokensAreShownAsWords(t *testing.T) {
	features, activities, kinds, foreign := tokens(t)
	all := slices.Concat(kinds, foreign, []string{"ice_cream_shop"})
	templates := func() (updates []string) {
		for i, kind := range all {
			template := meet.Template{
				Title: "1", EventType: []meet.EventType{meet.InPerson, meet.Video, meet.Phone}[i%3],
				Activity:            meet.Activity(activities[i%len(activities)]),
				SuggestedPlaceTypes: []string{kind}, Wishes: meet.Wishes{
					Features: []meet.Feature{meet.Feature(features[i%len(features)])},
				},
			}
			update, err := meet.MarshalUpdate(meet.TemplateUpdate{Template: template})
			if err != nil {
				t.Fatal(err)
			}
			updates = append(updates, string(update))
		}
		return updates
	}
	p := look(t, scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			accept(w)
			return
		}
		stream(w, append(templates(), done)...)
	}), 800, 700)
	// What each update has drawn is looked at when the next comes: the words of each chip, and those that it begins a
	// change with.
	p.text(`document.addEventListener("convene:update", () => {
		const drawn = all("[part=chip]").map((chip) => { chip.click(); return [chip.textContent,
			chip.title + one("textarea").value]; });
		one("textarea").value = "";
		if (drawn.length) chips.push(drawn);
	})`)
	for _, locale := range []string{"en", "es", "he"} {
		p.text(fmt.Sprintf(`element().reset(), element().setAttribute("locale", %q), window.chips = []`, locale))
		p.ask("hello")
		var drawn [][][2]string
		if err := json.Unmarshal([]byte(p.text("JSON.stringify(chips)")), &drawn); err != nil || len(drawn) != len(all) {
			t.Fatalf("%d rows of chips, want %d: %v", len(drawn), len(all), err)
		}
		for i, chips := range drawn {
			checkTokens(t, locale, chips, all[i], activities[i%len(activities)])
			want := 3
			if i%3 == 0 {
				want-- // people meet in person, which goes without saying
			}
			if locale == "en" || i < len(kinds) {
				want++
			}
			if len(chips) < want {
				t.Errorf("%s: the chips of %s and %s are %v, want at least %d", locale, all[i], features[i%len(features)],
					chips, want)
			}
		}
	}
}

// international are tokens that Spanish calls the same.
var international = strings.Fields("bar brunch coworking golf karaoke pub spa wifi yoga zoo")

// checkTokens looks for a token among words of the language.
func checkTokens(t *testing.T, locale string, chips [][2]string, kind, activity string) {
	t.Helper()
	for _, chip := range chips {
		raw := strings.Contains(chip[0]+chip[1], "_") || chip[0] == "cafe"
		switch locale {
		case "he":
			raw = raw || regexp.MustCompile(`[A-Za-z]`).MatchString(chip[0]+chip[1])
		case "es":
			raw = raw || chip[0] == kind && !slices.Contains(international, kind) ||
				strings.Contains(chip[1], activity) && !slices.Contains(international, activity)
		}
		if raw {
			t.Errorf("%s: %s and %s are shown as %q", locale, kind, activity, chip)
		}
	}
}
