package api

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/text/language"

	"convene/pkg/fault"
)

//go:embed landing.html landing.json
var landingFiles embed.FS

// outcome is how a connection ended, for a person: landing.json has for each a title, what happened, and what to do
// next, by language. {} is the account's or the provider's name.
type outcome string

// A connection ends in one of these, or in fault.Cancelled, fault.InvalidRequest, fault.Conflict or fault.Unavailable.
const (
	landedWell  outcome = "connected"
	landedEarly outcome = "later"
	landedLost  outcome = "forbidden"
)

// outcomeOf is what a problem means to who sits before the browser.
func outcomeOf(p *Problem) outcome {
	switch {
	case p.Code == fault.Cancelled || p.Code == fault.InvalidRequest || p.Code == fault.Conflict:
		return outcome(p.Code)
	case p.Status == http.StatusNotImplemented || p.Code == fault.CalendarFailed && !p.Retryable:
		return outcome(fault.Unavailable)
	case p.Status >= http.StatusInternalServerError || p.Retryable:
		return landedEarly
	default:
		return landedLost
	}
}

// landing is the page's template and its words, by the index of their language in landingLanguages.
type landing struct {
	page  *template.Template
	words map[string]map[outcome][3]string
}

// landingLanguages are those that the page speaks; the first is for everybody else.
var landingLanguages = []language.Tag{language.English, language.Spanish, language.Hebrew}

// readLanding is made once, of files that any test of the page reads too.
var readLanding = sync.OnceValues(func() (l landing, err error) {
	if l.page, err = template.ParseFS(landingFiles, "landing.html"); err != nil {
		return landing{}, err
	}
	words, err := landingFiles.ReadFile("landing.json")
	if err == nil {
		err = json.Unmarshal(words, &l.words)
	}
	return l, err
})

// landingPage tells people who come back from a provider how it went, in the language of their browser.
func landingPage(ctx context.Context, status int, how outcome, name string) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		_, i := language.MatchStrings(language.NewMatcher(landingLanguages), h.Header("Accept-Language"))
		var page bytes.Buffer
		if err := writeLanding(&page, landingLanguages[i], how, name); err != nil {
			noteOf(ctx).err = err
		}
		h.SetHeader("Content-Type", "text/html; charset=utf-8")
		h.SetHeader("Content-Language", landingLanguages[i].String())
		h.AppendHeader("Vary", "Accept-Language")
		h.SetHeader("Content-Security-Policy", contentPolicy)
		h.SetStatus(status)
		_, _ = h.BodyWriter().Write(page.Bytes()) // nothing is left to do for a reader who has gone
	}}
}

func writeLanding(page *bytes.Buffer, in language.Tag, how outcome, name string) error {
	l, err := readLanding()
	if err != nil {
		return err
	}
	words := l.words[in.String()][how]
	said := struct{ Lang, Dir, Title, Before, Name, After, Next string }{
		Lang: in.String(), Dir: "ltr", Title: words[0], Next: words[2],
	}
	if in == language.Hebrew {
		said.Dir = "rtl"
	}
	var named bool
	if said.Before, said.After, named = strings.Cut(words[1], "{}"); named {
		said.Name = name
	}
	return l.page.Execute(page, said)
}
