package api

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"convene/pkg/account"
	"convene/pkg/auth"
	"convene/pkg/fault"
)

// ends are all that a connection can come to: for each outcome, an error that leads there.
func ends() map[outcome]error {
	return map[outcome]error{
		landedWell:                    nil,
		outcome(fault.Cancelled):      fault.New(fault.Cancelled, "Access was not given."),
		outcome(fault.InvalidRequest): fault.Invalid("state", "has expired"),
		outcome(fault.Conflict):       fault.New(fault.Conflict, "There are 16 calendars connected already."),
		outcome(fault.Unavailable):    fault.New(fault.CalendarFailed, "The client is not known."),
		landedEarly:                   fault.New(fault.CalendarFailed, "Not now.").Later(0),
		landedLost:                    fault.New(auth.Forbidden, "Not from there."),
	}
}

// A person who comes back from a provider finds a page in the language of their browser: what happened, and what to do
// next.
func TestLandingPage(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]string{
		"": "en", "en-GB,en;q=0.9": "en", "he-IL,he;q=0.9,en;q=0.8": "he", "iw": "he", "es-MX,es;q=0.9": "es",
		"fr-FR,es;q=0.5": "es", "de": "en", "; ;,q=": "en",
	} {
		for end, fail := range ends() {
			f, shelf := connecting(t)
			shelf.landing, shelf.fail = account.Landing{
				Provider: account.Google, Account: account.Account{Address: "<mia>@example.com"},
			}, fail
			url := f.serve(t)
			a := do(t, "GET", url+CallbackPath+"?state=s1", "", "Accept-Language", accepted)
			if lang := a.header.Get("Content-Language"); lang != want ||
				!slices.Contains(a.header.Values("Vary"), "Accept-Language") {
				t.Errorf("%q: in %q, %v", accepted, lang, a.header)
			}
			dir := map[string]string{"he": "rtl"}[want]
			if dir == "" {
				dir = "ltr"
			}
			checkPage(t, url, a.body, want, dir)
			if strings.Contains(a.body, "&lt;mia&gt;@example.com") != (end == landedWell) || strings.Contains(a.body, "{}") {
				t.Errorf("%s in %s: %s", end, want, a.body)
			}
			if strings.Contains(a.body, "<bdi>Google</bdi>") != (end == outcome(fault.Cancelled)) {
				t.Errorf("%s in %s: %s", end, want, a.body)
			}
		}
	}
}

// The page of a mailbox speaks of a mailbox, in each language.
func TestLandingPageOfAMailbox(t *testing.T) {
	t.Parallel()
	for language, words := range map[string][2]string{
		"en": {"mailbox", "calendar"}, "es": {"buzón", "calendario"}, "he": {"הדואר", "היומן"},
	} {
		for end, fail := range ends() {
			f, shelf := connecting(t)
			shelf.landing, shelf.fail = account.Landing{Provider: account.Gmail}, fail
			a := do(t, "GET", f.serve(t)+CallbackPath+"?state=s1", "", "Accept-Language", language)
			if !strings.Contains(a.body, words[0]) || strings.Contains(a.body, words[1]) || strings.Contains(a.body, "[]") {
				t.Errorf("%s in %s: %s", end, language, a.body)
			}
		}
	}
}

// checkPage reads the page as a browser does: its language, a title, one main part with one heading, and a style sheet
// that is there.
func checkPage(t *testing.T, url, page, lang, dir string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	words := map[string]string{}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		count[node.Data]++
		attributes := map[string]string{}
		for _, a := range node.Attr {
			attributes[a.Key] = a.Val
		}
		switch {
		case node.Data == "html" && (attributes["lang"] != lang || attributes["dir"] != dir):
			t.Errorf("the page is in %v, want %s %s", attributes, lang, dir)
		case node.Data == "link" && do(t, "GET", url+attributes["href"], "").status != 200:
			t.Errorf("%s is not there", attributes["href"])
		case node.FirstChild != nil && node.FirstChild.Type == html.TextNode:
			words[node.Data] += node.FirstChild.Data
		}
	}
	if count["main"] != 1 || count["h1"] != 1 || count["title"] != 1 || count["style"]+count["script"] != 0 ||
		words["title"] != words["h1"]+" · Convene" {
		t.Errorf("elements %v, words %q", count, words)
	}
}

// Every language has the same texts for every end.
func TestLandingSaysTheSame(t *testing.T) {
	t.Parallel()
	var words map[string]map[outcome][]string
	if err := json.Unmarshal(landingWords, &words); err != nil {
		t.Fatal(err)
	}
	for _, tag := range landingLanguages {
		wantDiff(t, tag.String(), slices.Sorted(maps.Keys(words[tag.String()])), slices.Sorted(maps.Keys(ends())))
		for end, said := range words[tag.String()] {
			if len(said) != 3 || slices.Contains(said, "") ||
				strings.Contains(said[1], "{}") != strings.Contains(words["en"][end][1], "{}") {
				t.Errorf("%s of %s: %q", tag, end, said)
			}
			if hebrew := regexp.MustCompile(`\p{Hebrew}`).MatchString(said[2]); hebrew != (tag.String() == "he") {
				t.Errorf("%s of %s is not in its language: %q", tag, end, said[2])
			}
		}
	}
}
