package when

import "convene/pkg/interval"

// listedDays adds the days of the same month that are listed behind the first: "April 9, 10 and 11", "May 3 or 4". A
// comma alone lists nothing.
func (p *parser) listedDays(d days, i int) (days, int) {
	end, last, pending := i, d.first(), []interval.DateRange{}
	for len(pending) < maxParts {
		j := p.skip(i, ",")
		k := p.skip(j, "and", "or", "&", "/")
		n, e := p.dayNumber(p.skip(k, "the"))
		if k == i || e == p.skip(k, "the") || n <= last.Day || n > monthLength(last.Year, last.Month) || !p.listed(e) {
			break
		}
		last.Day = n
		pending = append(pending, single(last).ranges...)
		if i = e; k > j {
			end = e
			d.ranges = append(d.ranges, pending...)
			pending = pending[:0]
		}
	}
	return d, end
}

// listed reports whether a number that ends before token i can be a day in a list: it is no clock, no length, no count
// of people, and of no other month.
func (p *parser) listed(i int) bool {
	t := p.at(i)
	return p.plainNumber(i) && (t.kind != word || months[t.text] == 0) && t.kind != number && !p.is(i, "/", ".")
}
