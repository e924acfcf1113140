package meet_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// disguises write a host of two labels and what leads to it so that a reader still finds there.
func disguises() map[string]string {
	return map[string]string{
		"as it is": "%s.%s", "in brackets": "%s[.]%s", "in parentheses": "%s(.)%s", "in braces": "%s{.}%s",
		"in brackets with spaces": "%s [.] %s",
		"with spaces":             "%s . %s", "dot in brackets": "%s[dot]%s", "dot in parentheses": "%s (dot) %s",
		"punto in brackets": "%s [punto] %s",
		"נקודה in brackets": "%s [נקודה] %s", "one dot leader": "%s\u2024%s", "ideographic": "%s\u3002%s",
		"full width": "%s\uff0e%s",
		"half width": "%s\uff61%s", "Syriac": "%s\u0701%s", "Lisu": "%s\ua4f8%s", "Arabic zero": "%s\u0660%s",
		"small":             "%s\ufe52%s",
		"zero width before": "%s\u200b.%s", "zero width after": "%s.\u2060%s", "soft hyphen": "%s\u00ad.%s",
		"invisible letter": "%s\u3164.%s",
		"direction":        "%s\u202e.%s", "joiner": "%s.\u200d%s", "an entity": "%s&#46;%s",
		"a named entity":       "%s&period;%s",
		"a hexadecimal entity": "%s&#x2e;%s",
		"emphasised":           "%s*.*%s", "bold": "%s**.**%s", "code": "%s`.`%s", "escaped": "%s\\.%s",
		"quoted": "%s\".\"%s", "in a tag": "%s<.>%s",
		"with a path": "%s.%s/login", "with a query": "%s.%s?id=1", "with a port": "%s.%s:8080",
		"with a fragment": "%s.%s#pay",
		"a scheme":        "https://%s.%s", "another scheme": "ftp://%s.%s/x", "a made up scheme": "hxxps://%s.%s",
		"a disarmed scheme": "hxxp[:]//%s[.]%s",
		"fraction slashes":  "https:\u2044\u2044%s.%s", "division slashes": "https:\u2215\u2215%s.%s",
		"full width slashes": "https\uff1a\uff0f\uff0f%s.%s",
		"big slashes":        "https\u2236\u29f8\u29f8%s.%s/x", "a scheme with spaces": "https : / / %s . %s",
		"no scheme": "//%s.%s/x", "backslashes": `\\%s.%s\share`,
		"mail": "eve@%s.%s", "mail, full width": "eve\uff20%s.%s", "mailto": "mailto:eve@%s.%s", "user": "admin:pass@%s.%s",
		"www":            "www.%s.%s",
		"www, disguised": "www\u3002%s\u3002%s", "a host below": "login.%s.%s", "Markdown": "[pay](https://%s.%s)",
		"Markdown without scheme": "[pay](//%s.%s)",
		"an image":                "![pay](https://%s.%s/x.png)", "HTML": `<a href="//%s.%s">pay</a>`,
		"in angles": "<https://%s.%s>", "a sentence's end": "go to %s.%s.",
		"quotes around": `"%s.%s"`, "parentheses around": "(%s.%s)", "a comma behind": "%s.%s, please",
		"Hebrew before": "היכנסו ל%s.%s",
	}
}

// hosts are names and the ends that make sites of them.
func hosts() [][2]string {
	return [][2]string{
		{"evil", "example"}, {"Evil", "Com"}, {"EVIL", "COM"},
		{"evil", "co.uk"}, {"xn--80ak6aa92e", "com"}, {"еvil", "com"}, {"ｅｖｉｌ", "ｃｏｍ"},
		{"𝐞𝐯𝐢𝐥", "𝐜𝐨𝐦"}, {"ⓔⓥⓘⓛ", "ⓒⓞⓜ"}, {"ev\u200bil", "c\u00adom"},
		{"e\u0301vil", "io"}, {"evil", "中国"}, {"pay-now", "zip"}, {"bit", "ly"},
	}
}

// stillThere is what a reader who knows all these tricks and looks for the host alone finds in the shown text.
func stillThere(shown string, host [2]string) bool {
	bare := func(s string) string {
		s = strings.NewReplacer("&#46;", ".", "&#x2e;", ".", "&period;", ".", "dot", ".", "punto", ".", "נקודה", ".").
			Replace(strings.ToLower(norm.NFKC.String(s)))
		return strings.Map(func(r rune) rune {
			switch {
			case strings.ContainsRune("\u2024\u3002\uff61\u0701\ua4f8\u0660", r):
				return '.'
			case r == '.' || unicode.IsLetter(r) && r != '\u3164' && r != '\u1160' || unicode.IsNumber(r):
				return r
			}
			return -1
		}, s)
	}
	return strings.Contains(bare(shown), bare(host[0])+"."+bare(host[1]))
}

var linkable = regexp.MustCompile(
	`(?i)[a-z][a-z0-9+.-]*://|(^|[^/])//[^/\s]|www\.|[^\s@]@[^\s@]+\.|(javascript|mailto):\S`,
)

// However an address is disguised, nothing that is shown leads there, and what is shown once is shown the same again.
func TestNoAddressIsShown(t *testing.T) {
	t.Parallel()
	missed, total := 0, 0
	for name, disguise := range disguises() {
		for _, host := range hosts() {
			for _, around := range []string{"%s", "Coffee at %s tomorrow", "%s tea %[1]s"} {
				text := fmt.Sprintf(around, fmt.Sprintf(disguise, host[0], host[1]))
				total++
				got := meet.Caption(text)
				if stillThere(got, host) || linkable.MatchString(got) {
					missed++
					t.Errorf("%s: %q shows %q", name, text, got)
				}
				if again := meet.Caption(got); again != got {
					t.Errorf("%s: %q becomes %q", name, got, again)
				}
			}
		}
	}
	t.Logf("%d of %d addresses are shown", missed, total)
}

// Others that are addresses without a name and an end.
func TestNoOtherAddressIsShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"tea at 192.168.0.1/login": "tea at", "1.2.3.4 tea": "tea", "http://3627734734/ tea": "tea", "[::1]/x tea": "/x tea",
		"http://[2001:db8::1]/ tea": "tea",
		"javascript:alert(1) tea":   "tea", "java\u200bscript:alert(1) tea": "tea", "tel:+15550100 tea": "tea",
		"file:///etc/passwd tea": "tea",
		"evil dot com":           "evil", "evil punto com": "evil", "evil נקודה com": "evil", "evil .com": "evil",
		"evil. com":          "evil",
		"evil dot com/login": "evil",
		"t.me/evil tea":      "tea", "evil.com.See you": "evil.See you", "evil.com: pay": "evil: pay",
		"a.b.c.evil.com tea":    "tea",
		"Coffee at Booking.com": "Coffee at Booking", "Interview with Amazon.co.uk": "Interview with Amazon",
	} {
		if got := meet.Caption(text); got != want {
			t.Errorf("Caption(%q) = %q, want %q", text, got, want)
		}
	}
}

// What people call things, which has dots and slashes too, stays.
func TestNamesAreNoAddresses(t *testing.T) {
	t.Parallel()
	for _, name := range append(strings.Split(strings.TrimSpace(honestNames), "\n"), "می\u200cخواهم", "👩\u200d💻 demo") {
		if got := meet.Caption(name); got != name {
			t.Errorf("Caption(%q) = %q", name, got)
		}
	}
}

const honestNames = `
St. Mary's
St.Mary's Hall
5:30 p.m. tea
Tea at 5 p.m., then home
Dr. Chen
Dr. J.R. Smith
node.js workshop
Vue.js / Next.js meetup
3.5 km run
10.30-11.15 stand-up
U.S. Embassy
Washington D.C.
Yahoo! (old) office
P.F. Chang's
L.A. trip
Vol. 2
v1.2.3 review
24/7 Diner
Q3: plans
Coffee @ Blue Bottle
A.B.C. meeting
Mr. & Mrs. Smith
No. 9 Park
1:1 with Al
C++ / Go
R&D
Ph.D. defense
M.Sc. thesis
B.A./M.A. day
e.g. lunch
i.e. dinner
Lunch (w/ Al)
Al's 40th!
TBD...
Hello... world
Wait. What?
See you. Me too.
Sgt. Pepper's
I/O and TCP/IP
a/b test
Trader Joe's #3
L'Osteria
Paral·lel
the red dot at noon
The dot and the line
punto de encuentro
El punto es claro
Café del Mar. Mesa 4
נקודה למחשבה
ג׳ורג׳ וצה״ל
ד"ר כהן
פגישה עם ד״ר לוי.
Studio 1.618
Rev. 2 of the plan
$3.50 tacos
Room 4.12
1.5h sync
10.000 steps
Budget 2.5.2026
12.11.2026
100% arabica
Mr.T
St.-Denis
.NET meetup
The .NET user group
J.Crew fitting
Inc. board
A. Ortiz
Ana M. López
Jr. prom
approx. 3 people
5:00-6:30
Lunch; then walk
foo() & bar()
AC/DC
1/2 day
¿Qué tal? Bien. Y tú
Sr. Gómez
Av. Reforma 222
Nº 5
d'Artagnan
`

// Whatever the words and the disguise, no address is left, and the second look finds what the first did.
func FuzzNoAddressIsShown(f *testing.F) {
	for _, seed := range []string{"evil[.]example", "a.b.com", "www.www.a.com", "e.evil.comvil.com", "https:/\u200b/x",
		"&amp;#46;com", "evil&#46;com", "x.com.com", "a . b . com"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean, removed := meet.WithoutAddresses(text)
		if removed == 0 && clean != text {
			t.Errorf("%q becomes %q, and nothing was removed", text, clean)
		}
		if again, more := meet.WithoutAddresses(clean); more != 0 || again != clean {
			t.Errorf("%q becomes %q, and that %q", text, clean, again)
		}
		caption := meet.Caption(text)
		if again, more := meet.WithoutAddresses(caption); more != 0 {
			t.Errorf("%q is shown as %q, which has an address: %q", text, caption, again)
		}
	})
}
