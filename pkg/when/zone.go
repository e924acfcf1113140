package when

import (
	"cmp"
	_ "embed"
	"strings"
	"time"

	"convene/pkg/interval"
)

// zoneNames are what places are called in whose time a clock is said.
//
//go:embed zones.txt
var zoneNames string

// someone stands in the grammar for the name of a person.
const someone = zoneMark + "?"

// zoneMark begins the word of the grammar for a place with its zone: "@Asia/Tokyo".
const zoneMark = "@"

// learnZones adds the names of places, in all languages, to a language.
func (t *tongue) learnZones() {
	for line := range strings.Lines(zoneNames) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		zone, names, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		own := strings.ReplaceAll(zone[strings.LastIndex(zone, "/")+1:], "_", " ")
		t.learn([]string{zoneMark + zone}, own+" | "+names)
	}
}

// zone reads in whose time a clock is meant: "London time", "in Tokyo", "her time". nil means the user's own.
func (p *parser) zone(i int) (*time.Location, int) {
	if zone := p.offset(i); zone != nil {
		return zone, i + 4
	}
	if p.is(i, "z") && p.at(i).glued {
		return time.UTC, i + 1
	}
	start := p.skip(i, "(")
	zone, end := p.placeZone(start)
	if zone == nil {
		zone, end = p.personZone(start)
	}
	if zone == nil {
		return nil, i
	}
	return zone, p.skip(end, ")")
}

// zonePhrase reads a zone that stands apart from its clock: "4pm tomorrow, Amsterdam time".
func zonePhrase(p *parser, i int) (item, int) {
	zone, end := p.placeZone(p.skip(i, "in"))
	if zone == nil || !p.is(end-1, "time") {
		return item{}, i
	}
	return item{kind: zoneItem, zone: zone}, end
}

// zoned gives the clocks of a text that have none the zone that stands apart.
func zoned(items []item) []item {
	for _, z := range items {
		if z.kind != zoneItem {
			continue
		}
		for n := range items {
			for k := range items[n].times {
				items[n].times[k].from.zone = cmp.Or(items[n].times[k].from.zone, z.zone)
			}
		}
	}
	return items
}

// placeZone reads "Tokyo time", "in Tokyo", and "Tokyo" where that is not the beginning of another name.
func (p *parser) placeZone(i int) (*time.Location, int) {
	j := p.skip(i, "in")
	name, found := strings.CutPrefix(p.at(j).text, zoneMark)
	if !found || name == "" {
		return nil, i
	}
	end := p.skip(j+1, "time")
	if end == j+1 && p.at(end).capital && !p.opens(end) {
		return nil, i
	}
	zone, err := interval.Zone(name)
	if err != nil {
		return nil, i
	}
	return zone, end
}

// personZone reads "her time", "Dana's time", "for her", "my time".
func (p *parser) personZone(i int) (*time.Location, int) {
	who, end := p.whoseTime(i)
	switch {
	case end == i:
		return nil, i
	case who == "my":
		return p.now.Location(), end
	}
	if zone := p.whereabouts(); zone != nil {
		return zone, end
	}
	if p.setting.Zone == nil {
		return nil, i
	}
	return p.setting.Zone(who), end
}

// whereabouts is the zone in which the text says that someone else is: "he's in London". Nil if it says none.
func (p *parser) whereabouts() *time.Location {
	if p.elsewhere == nil {
		zone := p.findWhereabouts()
		p.elsewhere = &zone
	}
	return *p.elsewhere
}

func (p *parser) findWhereabouts() *time.Location {
	for i := range p.tokens[:min(len(p.tokens), maxLooks)] {
		j := p.skip(i, "he", "she", "they", "who")
		if p.is(j, "is", "are", "'s", "'re", "he's", "she's", "they're", "who's") && p.is(j+1, "in") {
			if zone, _ := p.placeZone(j + 1); zone != nil {
				return zone
			}
		}
	}
	return nil
}

// whoseTime is the pronoun or the name of a person in whose time a clock is meant.
func (p *parser) whoseTime(i int) (who string, end int) {
	switch {
	case p.is(i, "my", "our", "local") && p.is(i+1, "time"):
		return "my", i + 2
	case p.is(i, "his", "her", "their") && p.is(i+1, "time"):
		return p.at(i).text, i + 2
	case p.is(i, "for") && p.is(i+1, "him", "her", "them") && p.ends(i+2):
		return p.at(i + 1).text, i + 2
	case p.is(i, "for") && p.livesElsewhere(i+1):
		return p.at(i + 1).text, i + 2
	}
	for j := i; j < i+maxName && p.at(j).kind == word; j++ {
		if t := p.at(j); (strings.HasSuffix(t.text, "'s") || t.text == someone) && p.is(j+1, "time") {
			name := strings.TrimSuffix(p.text[p.at(i).start:t.end], "'s")
			return strings.TrimSuffix(name, "’s"), j + 2
		}
	}
	return "", i
}

// livesElsewhere reports whether token i is someone whose clock is known, and another than the user's.
func (p *parser) livesElsewhere(i int) bool {
	return p.at(i).kind == word && p.setting.Elsewhere(p.at(i).text, p.now)
}

// Elsewhere reports whether someone's zone is known, and another than that of now.
func (s Setting) Elsewhere(who string, now time.Time) bool {
	if s.Zone == nil {
		return false
	}
	zone := s.Zone(who)
	return zone != nil && zone.String() != now.Location().String()
}

// maxName is the longest name of a person, in words.
const maxName = 3

// unknownZone is the index after "Springfield time" or "her time" at token i, if nobody knows what time that is.
func (p *parser) unknownZone(i int) int {
	if _, end := p.zone(i); end > i {
		return i
	}
	if _, end := p.whoseTime(i); end > i && p.is(end-1, "time") {
		return end
	}
	if p.at(i).capital && !p.opens(i) && p.is(i+1, "time") {
		return i + 2
	}
	return i
}

// offset reads how far a zone is from Greenwich, as it stands after the seconds of a clock: "16:30:00-07:00". It is
// nil where none stands at token i.
func (p *parser) offset(i int) *time.Location {
	hours, minutes := p.at(i+1), p.at(i+3)
	if !p.is(i, "-", "+") || !p.at(i).glued || !p.is(i-2, ":") || !p.is(i-4, ":") || hours.digits != 2 || !hours.glued ||
		!p.is(i+2, ":") || minutes.digits != 2 || hours.value > 14 {
		return nil
	}
	seconds := (hours.value*60 + minutes.value) * 60
	if p.is(i, "-") {
		seconds = -seconds
	}
	return time.FixedZone("", seconds)
}

// place is the index after a place with a zone at token i.
func (s *said) place(i int) int {
	if i >= len(s.tokens) {
		return i
	}
	if s.known[i].place > 0 {
		return s.known[i].place - 1
	}
	end := i
	if text := s.tokens[i].text; strings.HasPrefix(text, zoneMark) && len(text) > 1 {
		s.known[i].zone, end = text, i+1
	}
	for _, u := range s.turns[s.tokens[i].text] {
		if len(u.out) != 1 || !strings.HasPrefix(u.out[0], zoneMark) || len(u.out[0]) == 1 {
			continue
		}
		if _, e, _ := s.fits(u, i); e > end {
			s.known[i].zone, end = u.out[0], e
		}
	}
	s.known[i].place = end + 1
	return end
}
