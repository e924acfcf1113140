package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/text/language"

	"convene/pkg/account"
	"convene/pkg/fault"
)

var (
	//go:embed landing.html
	landingHTML string
	//go:embed landing.json
	landingWords []byte
)

// outcome is how a connection ended. For each, landing.json has a title, what happened, and what to do next, by
// language. {} is the account's or the provider's name.
type outcome string

// A connection ends in one of these, or in fault.Cancelled, fault.InvalidRequest, fault.Conflict or fault.Unavailable.
const (
	landedWell  outcome = "connected"
	landedEarly outcome = "later"
	landedLost  outcome = "forbidden"
)

// outcomeOf returns what a problem means to the person at the browser.
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

// landingLanguages are the languages of the page; the first is the default.
var landingLanguages = []language.Tag{language.English, language.Spanish, language.Hebrew}

// landingPage shows people who come back from a provider the result, in the language of their browser.
func landingPage(
	ctx context.Context, status int, how outcome, provider account.Provider, name string,
) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		_, i := language.MatchStrings(language.NewMatcher(landingLanguages), h.Header("Accept-Language"))
		var page bytes.Buffer
		if err := writeLanding(&page, landingLanguages[i], how, landing{thing: provider.Thing(), name: name}); err != nil {
			noteOf(ctx).err = err
		}
		h.SetHeader("Content-Type", "text/html; charset=utf-8")
		h.SetHeader("Content-Language", landingLanguages[i].String())
		h.AppendHeader("Vary", "Accept-Language")
		h.SetHeader("Content-Security-Policy", contentPolicy)
		h.SetStatus(status)
		_, _ = h.BodyWriter().Write(page.Bytes()) // the reader may have gone
	}}
}

// landing is what was to be connected: a calendar or a mailbox, and whose.
type landing struct{ thing, name string }

// landingWord is the word for a thing, in a language; those of one language have one gender.
var landingWord = map[string]map[string]string{
	"en": {"calendar": "calendar", "mailbox": "mailbox"},
	"es": {"calendar": "calendario", "mailbox": "buzón"},
	"he": {"calendar": "יומן", "mailbox": "דואר"},
}

func writeLanding(page *bytes.Buffer, in language.Tag, how outcome, of landing) error {
	var all map[string]map[outcome][3]string
	if err := json.Unmarshal(landingWords, &all); err != nil {
		return err
	}
	words := all[in.String()][how]
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "[]", landingWord[in.String()][of.thing])
	}
	content := struct{ Lang, Dir, Title, Before, Name, After, Next string }{
		Lang: in.String(), Dir: "ltr", Title: words[0], Next: words[2],
	}
	if in == language.Hebrew {
		content.Dir = "rtl"
	}
	var named bool
	if content.Before, content.After, named = strings.Cut(words[1], "{}"); named {
		content.Name = of.name
	}
	return template.Must(template.New("landing").Parse(landingHTML)).Execute(page, content)
}
