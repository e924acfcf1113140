package ground

import (
	"slices"
)

// tags are the words by which a thing is to be found, or is: "tag it hr", "#home". They are used then.
func (r *reading) tags() []string {
	tags := []string{}
	for _, at := range form("tagged").FindAllStringSubmatchIndex(r.Text, -1) {
		from, to := at[2], at[3]
		for i := 4; from < 0; i += 2 {
			from, to = at[i], at[i+1]
		}
		if slices.ContainsFunc(r.own, func(s said) bool { return s.from <= from && to <= s.to }) {
			continue
		}
		tags = append(tags, r.Text[from:to])
		r.own = append(r.own, said{text: r.Text[from:to], from: at[0], to: at[1], used: true})
		r.useWithin(at[0], at[1])
	}
	return tags
}
