package websearch

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// citationMarks are what models write where the provider would have put a citation.
	citationMarks = regexp.MustCompile(`\x{e200}[^\x{e201}]*\x{e201}?|【[^】]*】`)
	// markdownLinks and markup keep the words and lose the rest.
	markdownLinks = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	markup        = regexp.MustCompile("<[^>]*>|[*`~|\\\\]+|^[#>\\s-]+")
	// addresses are what a reader, or a program, would make a link of.
	addresses = regexp.MustCompile(`(?i)://|www\.|\bmailto:|\bjavascript:|\bdata:|[\w.-]+@[\w-]+\.|\b[a-z0-9-]+\.(com|` +
		`org|net|io|co|info|biz|xyz|app|dev|link|site|online|shop|top|ru|cn)\b`)
)

// plain is a page's words as one line of at most most characters, cut between words; empty if they contain an address,
// which could lead users elsewhere.
func plain(said string, most int) string {
	said = citationMarks.ReplaceAllString(strings.ToValidUTF8(said, ""), "")
	said = markdownLinks.ReplaceAllString(said, "$1")
	said = markup.ReplaceAllString(said, "")
	said = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs), r == utf8.RuneError:
			return -1
		}
		return r
	}, said)
	said = strings.Join(strings.Fields(said), " ")
	if addresses.MatchString(said) {
		return ""
	}
	return cut(said, most)
}

// cut is the first words of a text.
func cut(said string, most int) string {
	if utf8.RuneCountInString(said) <= most {
		return said
	}
	kept := string([]rune(said)[:most-1])
	if i := strings.LastIndexByte(kept, ' '); i > 0 {
		kept = kept[:i]
	}
	return strings.TrimRight(kept, " ,;:-") + "…"
}

// maxURL bounds a page's address.
const maxURL = 1000

// page is an address of the public web, without tracking parameters.
func page(address string) (*url.URL, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || len(address) > maxURL || u.Scheme != "https" && u.Scheme != "http" || u.User != nil ||
		u.Port() != "" {
		return nil, false
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(strings.Trim(host, "."), ".") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".localhost") {
		return nil, false
	}
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "utm_") {
			query.Del(name)
		}
	}
	return &url.URL{Scheme: u.Scheme, Host: host, Path: u.Path, RawPath: u.RawPath, RawQuery: query.Encode()}, true
}

// pageKey is equal for addresses of the same page, whatever their scheme, "www." or slash at the end.
func pageKey(address string) (string, bool) {
	u, ok := page(address)
	if !ok {
		return "", false
	}
	key := strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		key += "?" + u.RawQuery
	}
	return key, true
}

// shownPage is an address that may be shown: with https only.
func shownPage(address string) (string, bool) {
	u, ok := page(address)
	if !ok || u.Scheme != "https" {
		return "", false
	}
	return u.String(), true
}
