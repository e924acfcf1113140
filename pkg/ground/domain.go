package ground

import (
	"slices"
	"strings"
)

// byDomain keeps those that came from a domain which the message names: "everything from example.com". Its words name
// no subject.
func (p *pick) byDomain() {
	at := form("of domain").FindStringSubmatchIndex(p.Text)
	if at == nil || p.inBody(at[2]) {
		return
	}
	domain := strings.ToLower(p.Text[at[2]:at[3]])
	within := func(w word) bool { return at[2] <= w.from && w.to <= at[3] }
	p.found = slices.DeleteFunc(slices.Clone(p.found), func(m mention) bool {
		return m.kind == Mail && len(m.words) > 0 && within(p.words[m.words[0]])
	})
	p.useWithin(at[2], at[3])
	p.takeWords(at[2], at[3])
	p.lost, p.several = false, words()["everything"].MatchString(p.Text[:at[0]])
	p.selection["from"] = []string{domain}
	p.keep(func(t Thing) bool {
		_, host, _ := strings.Cut(strings.ToLower(t.Letter.Address), "@")
		return strings.HasSuffix("."+host, "."+domain)
	})
}
