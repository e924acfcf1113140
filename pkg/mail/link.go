package mail

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/publicsuffix"

	"convene/pkg/meet"
)

// webAddress is an address of the web in a text.
var webAddress = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"')\]]+`)

// linksIn are the links of a plain text.
func linksIn(text string) (links []Link) {
	if !strings.Contains(strings.ToLower(text), "://") {
		return nil
	}
	for _, at := range webAddress.FindAllString(text, mostLinks) {
		at = strings.TrimRight(at, ".,;:!?")
		links = append(links, linkOf(at, at))
	}
	return links
}

// linkOf is a link with that text. It deceives if the text is an address of another site.
func linkOf(text, to string) Link {
	l := Link{Text: meet.Caption(text), URL: meet.Shorten(strings.Join(strings.Fields(to), ""), longestURL)}
	if shown := siteOf(strings.TrimSpace(text)); shown != "" {
		l.Deceives = shown != siteOf(to)
	}
	return l
}

const longestURL = 2000

// siteOf is the registrable site that an address names ("example.co.uk"); empty for other texts.
func siteOf(s string) string {
	if strings.ContainsAny(s, " \n\t") {
		return ""
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || !strings.Contains(u.Hostname(), ".") {
		return ""
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(u.Hostname()))
	if err != nil {
		return ""
	}
	if end, managed := publicsuffix.PublicSuffix(site); !managed && !strings.Contains(end, ".") && end != "example" {
		return "" // no site ends so: "report.final"
	}
	return site
}
