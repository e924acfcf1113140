// Package people turns a name in a message into a person.
//
// It finds the people that may be meant and never decides between two: several people who fit a name equally well are
// all returned, so that the user can be asked.
package people

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// From the length of shortName a slip of the keys is forgiven, from that of longName any wrong letter. Shorter names
// are too similar: Ann, Anna, Jan.
const (
	shortName = 4
	longName  = 5
)

// Find lists the people whom name may mean, in the order given. The best way in which anyone fits decides:
//
//  1. the full name, or the e-mail address
//  2. the first name, or the beginning of a name of several words
//  3. the last name, or another part
//  4. the same ways, one name in Hebrew letters and the other in Latin ones: דנה for Dana
//  5. a usual short form: Liz, Bob
//  6. the beginning of the words, as in "Sam R", if only one person fits; "Dan" is no beginning of Dana
//  7. one slip of the keys away, if only one person fits
//
// Case, accents and a possessive 's do not matter.
func (c Contacts) Find(name string) []meet.Person {
	q := parse(name)
	if len(q.words) == 0 {
		return nil
	}
	for _, w := range []struct {
		fits   way
		unique bool
	}{
		{fits: sameName},
		{fits: beginning(slices.Equal[[]string])},
		{fits: part(slices.Equal[[]string])},
		{fits: sameInHebrew},
		{fits: beginning(spelledAlike)},
		{fits: part(spelledAlike)},
		{fits: shortForm},
		{fits: abbreviated, unique: true},
		{fits: oneLetterOff, unique: true},
	} {
		var found []meet.Person
		for i, p := range c.People {
			if w.fits(q, p, c.names[i]) {
				found = append(found, p)
			}
		}
		if len(found) == 1 || len(found) > 1 && !w.unique {
			return found
		}
	}
	return nil
}

// query is a name as written, and its words.
type query struct {
	email string
	words []string
}

func parse(name string) query {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	for _, possessive := range []string{"'s", "’s", "'S", "’S"} {
		name = strings.TrimSuffix(name, possessive)
	}
	return query{email: name, words: words(name)}
}

// way reports whether a query means a person, whose name is split into words.
type way func(q query, p meet.Person, name []string) bool

func sameName(q query, p meet.Person, name []string) bool {
	return slices.Equal(q.words, name) || p.Email != "" && strings.EqualFold(q.email, p.Email)
}

func sameInHebrew(q query, _ meet.Person, name []string) bool { return spelledAlike(q.words, name) }

func beginning(alike func(a, b []string) bool) way {
	return func(q query, _ meet.Person, name []string) bool {
		return len(q.words) <= len(name) && alike(q.words, name[:len(q.words)])
	}
}

func part(alike func(a, b []string) bool) way {
	begins := beginning(alike)
	return func(q query, p meet.Person, name []string) bool {
		for i := range name {
			if begins(q, p, name[i:]) {
				return true
			}
		}
		return false
	}
}

// shortForm accepts a nickname for the first name, or the reverse; the other words must agree.
func shortForm(q query, _ meet.Person, name []string) bool {
	if len(q.words) > len(name) || !slices.Equal(q.words[1:], name[1:len(q.words)]) {
		return false
	}
	return standsFor(q.words[0], name[0]) || standsFor(name[0], q.words[0])
}

// abbreviated reports whether every word begins the word of the name in its place. One letter alone says too little,
// and a short name that lacks one letter of another is a name of its own: Dan is not Dana.
func abbreviated(q query, _ meet.Person, name []string) bool {
	if len(q.words) > len(name) || len(q.words) == 1 && len([]rune(q.words[0])) < 2 {
		return false
	}
	for i, word := range q.words {
		n := len([]rune(word))
		if !strings.HasPrefix(name[i], word) || 1 < n && n < shortName && len([]rune(name[i])) == n+1 {
			return false
		}
	}
	return true
}

// oneLetterOff compares the whole name, and a single word with each of the name's.
func oneLetterOff(q query, _ meet.Person, name []string) bool {
	if near(strings.Join(q.words, " "), strings.Join(name, " ")) {
		return true
	}
	return len(q.words) == 1 && slices.ContainsFunc(name, func(word string) bool { return near(q.words[0], word) })
}

// near reports whether two names differ by one slip of the keys: two swapped neighbours, a letter of a key beside the
// right one, and in long names one letter too many or too few.
func near(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < shortName || len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch {
	case len(x) < len(y):
		doubled := i > 0 && y[i] == y[i-1]
		return (len(x) >= longName || doubled) && slices.Equal(x[i:], y[i+1:])
	case i == len(x):
		return true
	case slices.Equal(x[i+1:], y[i+1:]):
		return len(x) >= longName || neighbours(x[i], y[i])
	}
	return x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
}

// keyboards are the rows of keys, from the top, for Latin and for Hebrew letters.
var keyboards = [...][]string{
	{"qwertyuiop", "asdfghjkl", "zxcvbnm"}, {"/'קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"},
}

// neighbours reports whether the keys of two letters touch each other.
func neighbours(a, b rune) bool {
	for _, rows := range keyboards {
		for i, row := range rows {
			x := slices.Index([]rune(row), a)
			if x < 0 {
				continue
			}
			for j := max(i-1, 0); j <= min(i+1, len(rows)-1); j++ {
				y := slices.Index([]rune(rows[j]), b)
				if y >= 0 && (y == x || y == x-1 || i == j && y == x+1 || j < i && y == x+1) {
					return true
				}
			}
		}
	}
	return false
}
