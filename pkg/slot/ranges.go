package slot

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"convene/pkg/interval"
)

// All of a search happens among starts, in Unix seconds. An event that may not overlap a busy hour is a start that
// may not lie in that hour made longer by the event; an event that must end by six is a start that lies no later
// than its length before six. So each rule is a set of allowed starts, and the answer is what they share.

// stretch is a run of starts; to does not belong to it.
type stretch struct{ from, to int64 }

// starts is a set of them: in order, none empty, none touching another.
type starts []stretch

// merged makes a set of stretches in any order; it reuses their array.
func merged(list []stretch) starts {
	list = slices.DeleteFunc(list, func(s stretch) bool { return s.from >= s.to })
	slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	set := starts(list[:0])
	for _, s := range list {
		if n := len(set); n > 0 && s.from <= set[n-1].to {
			set[n-1].to = max(set[n-1].to, s.to)
			continue
		}
		set = append(set, s)
	}
	return set
}

// and is the intersection of both sets.
func (s starts) and(o starts) starts {
	if len(s) == 0 || len(o) == 0 {
		return nil
	}
	both := make(starts, 0, max(len(s), len(o)))
	j := sort.Search(len(o), func(j int) bool { return o[j].to > s[0].from })
	for i := 0; i < len(s) && j < len(o); {
		shared := stretch{max(s[i].from, o[j].from), min(s[i].to, o[j].to)}
		if shared.from < shared.to {
			both = append(both, shared)
		}
		if s[i].to < o[j].to {
			i++
		} else {
			j++
		}
	}
	return both
}

// between is the part of the set from the first start up to, but not including, last.
func (s starts) between(first, last int64) starts {
	if len(s) == 0 || first <= s[0].from && s[len(s)-1].to <= last {
		return s
	}
	return s.and(starts{{first, last}})
}

// without is the set without o. Stretches of o may overlap, as long as neither their beginnings nor their ends go back.
func (s starts) without(o []stretch) starts {
	return s.cut(len(o), func(i int) stretch { return o[i] })
}

// free is the part of the set at which an event, with before ahead of the start and after following it, overlaps
// nothing in busy. Nothing is rounded in the event's favour: a busy time that begins or ends within a second takes the
// whole second.
func (s starts) free(busy interval.Set, before, after int64) starts {
	if len(s) == 0 {
		return nil
	}
	seen := sort.Search(len(busy), func(i int) bool { return ceil(busy[i].End)+before > s[0].from })
	busy = busy[seen:]
	return s.cut(len(busy), func(i int) stretch { return blocked(busy[i], before, after) })
}

// blocked is the starts at which an event would overlap the span.
func blocked(span interval.Span, before, after int64) stretch {
	return stretch{span.Start.Unix() - after + 1, ceil(span.End) + before}
}

// cut removes n stretches from the set.
func (s starts) cut(n int, out func(int) stretch) starts {
	if n == 0 {
		return s
	}
	left := make(starts, 0, len(s)+min(n, len(s)*4+16))
	j, next := 0, out(0)
	for _, piece := range s {
		for j < n && next.from < piece.to {
			if piece.from < next.from {
				left = append(left, stretch{piece.from, next.from})
			}
			piece.from = max(piece.from, next.to)
			if piece.from >= piece.to {
				break
			}
			if j++; j < n {
				next = out(j)
			}
		}
		if piece.from < piece.to {
			left = append(left, piece)
		}
	}
	return left
}

// ceil is the first whole second that is not before t.
func ceil(t time.Time) int64 {
	return t.Add(time.Second - 1).Unix()
}

// contain reports whether the set allows a start.
func (s starts) contain(at int64) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].to > at })
	return i < len(s) && s[i].from <= at
}
