package ground

import (
	"slices"
	"strings"
)

// shelf is where a task stands: a board or a column of that name.
type shelf struct{ field, name string }

// usualColumns are columns that boards have, also if no task stands there; words/kept.txt has what they are called.
var usualColumns = []string{"Backlog", "In Progress", "In Review"}

// places are the boards and columns of the tasks that are there, and the usual columns that the message names, boards
// first.
func (r *reading) places() (all []shelf) {
	for _, t := range r.Things {
		if t.Kind == Task && t.Board != "" {
			all = append(all, shelf{"board", t.Board})
		}
	}
	for _, name := range usualColumns {
		if words()[name].MatchString(r.Text) {
			all = append(all, shelf{"column", name})
		}
	}
	for _, t := range r.Things {
		if t.Kind == Task && t.Column != "" && !t.Done {
			all = append(all, shelf{"column", t.Column})
		}
	}
	slices.SortStableFunc(all, func(a, b shelf) int { return strings.Compare(a.field, b.field) })
	return slices.Compact(all)
}

// placeAt is which of some places the words from one on name, and how many words these are; 0 if there is none. A board
// of one word stands beside the word for one.
func (r *reading) placeAt(places []shelf, at int) (p shelf, n int) {
	isBoard := func(i int) bool { return i >= 0 && i < len(r.words) && words()["board"].MatchString(r.words[i].lower) }
	if at >= len(r.words) {
		return p, 0
	}
	for _, p := range places {
		n := len(strings.Fields(p.name))
		if words()[p.name] != nil {
			n = mostOfColumn
		}
		for ; n > 0; n-- {
			if at+n > len(r.words) || !p.isCalled(r.Text[r.words[at].from:r.words[at+n-1].to]) {
				continue
			}
			switch {
			case p.field == "board" && isBoard(at+n):
				return p, n + 1
			case p.field == "column" || n > 1 || isBoard(at-1):
				return p, n
			}
		}
	}
	return shelf{}, 0
}

// mostOfColumn is how many words name a usual column at most.
const mostOfColumn = 2

// isCalled reports whether a text is the name of the place, or what a usual column is called.
func (p shelf) isCalled(text string) bool {
	form := words()[p.name]
	return strings.EqualFold(text, p.name) || form != nil && form.FindString(text) == text
}

// placed calls for each board and column that the message names outside the names of things: n words from at on.
func (r *reading) placed(each func(p shelf, at, n int)) {
	places := r.places()
	for at := 0; at < len(r.words); {
		p, n := r.placeAt(places, at)
		if n == 0 || r.words[at].taken {
			at++
			continue
		}
		each(p, at, n)
		at += n
	}
}

// markBoards takes the names of boards from what else they may name.
func (r *reading) markBoards() {
	isBoard := func(w word) bool { return words()["board"].MatchString(w.lower) }
	if !slices.ContainsFunc(r.words, isBoard) {
		return
	}
	r.placed(func(p shelf, at, n int) {
		if p.field == "board" && isBoard(r.words[at+n-1]) {
			for i := at; i < at+n; i++ {
				r.words[i].stems = nil
			}
		}
	})
}

// at is the only board or column that the message names; nil if it names none, or several.
func (r *reading) at(field string) any {
	var all []string
	r.placed(func(p shelf, _, _ int) {
		if p.field == field && !slices.Contains(all, p.name) {
			all = append(all, p.name)
		}
	})
	if len(all) != 1 {
		return nil
	}
	return all[0]
}
