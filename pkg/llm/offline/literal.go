package offline

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// This file tells which texts an expression cannot match without running it: those that lack its words. A message says
// only a few of the thousands of words that people's ways to ask are made of, so most ways are rejected here.

// pattern is an expression that is compiled when a text has what it needs for the first time.
type pattern struct {
	needs    needs
	compiled func() *regexp.Regexp
}

func newPattern(expression string) (pattern, error) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	return pattern{
		literalsOf(parsed).settled(),
		sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) }),
	}, nil
}

// needs is what a text must have so that an expression can match it: of each list one literal, in folded letters. No
// list means that nothing is known.
type needs [][]string

// meets reports whether a text has what is needed.
func (n needs) meets(text *folded) bool {
	for _, list := range n {
		if !slices.ContainsFunc(list, text.has) {
			return false
		}
	}
	return true
}

// maySay reports whether a text may have words of one of the kinds.
func (b thingBook) maySay(text string, kinds []string) bool {
	said := foldedOf(text)
	return slices.ContainsFunc(kinds, func(kind string) bool {
		return b.words[kind] != nil && b.needs[kind].meets(said)
	})
}

// folded is a text in folded letters, with a mark for each pair of bytes in it: most literals are told apart from it by
// their first two.
type folded struct {
	text  string
	pairs [pairs / 8]byte
}

const pairs = 4096

func foldedOf(text string) *folded {
	f := &folded{text: strings.Map(fold, text)}
	for i := range max(0, len(f.text)-1) {
		pair := pairOf(f.text[i:])
		f.pairs[pair/8] |= 1 << (pair % 8)
	}
	return f
}

func pairOf(text string) int { return (int(text[0])*31 + int(text[1])) % pairs }

func (f *folded) has(literal string) bool {
	pair := pairOf(literal)
	return f.pairs[pair/8]&(1<<(pair%8)) != 0 && strings.Contains(f.text, literal)
}

// fold is the same for all letters that an expression with (?i) takes for each other.
func fold(r rune) rune {
	if r < 'A' {
		return r
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// literals are what is known of the texts that an expression matches: all of them, if exact, and otherwise what each
// of them needs.
type literals struct {
	exact []string
	needs needs
}

// mostExact is how many texts are kept apart; leastLetters is how few bytes of a literal tell nothing.
const (
	mostExact    = 64
	leastLetters = 2
)

// settled are the needs of literals that nothing follows.
func (l literals) settled() needs {
	if l.exact == nil || slices.ContainsFunc(l.exact, func(s string) bool { return len(s) < leastLetters }) {
		return l.needs
	}
	return append(slices.Clip(l.needs), l.exact)
}

func literalsOf(re *syntax.Regexp) literals {
	switch re.Op {
	case syntax.OpLiteral:
		return literals{exact: []string{strings.Map(fold, string(re.Rune))}}
	case syntax.OpCharClass:
		return classOf(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return literals{exact: []string{""}}
	case syntax.OpCapture:
		return literalsOf(re.Sub[0])
	case syntax.OpQuest:
		if l := literalsOf(re.Sub[0]); l.exact != nil {
			return literals{exact: append(slices.Clip(l.exact), "")}
		}
	case syntax.OpPlus:
		return literals{needs: literalsOf(re.Sub[0]).settled()}
	case syntax.OpConcat:
		return sequenceOf(re.Sub)
	case syntax.OpAlternate:
		return choiceOf(re.Sub)
	case syntax.OpNoMatch, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpStar, syntax.OpRepeat:
	}
	return literals{}
}

// classOf are the members of a class of few characters.
func classOf(ranges []rune) literals {
	const most = 4
	var members []string
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > most {
			return literals{}
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if member := string(fold(r)); !slices.Contains(members, member) {
				members = append(members, member)
			}
		}
	}
	if len(members) > most {
		return literals{}
	}
	return literals{exact: members}
}

// sequenceOf is what parts need that follow each other.
func sequenceOf(parts []*syntax.Regexp) literals {
	all, whole := literals{exact: []string{""}}, true
	for _, part := range parts {
		next := literalsOf(part)
		if next.exact != nil && all.exact != nil && len(next.exact)*len(all.exact) <= mostExact {
			all.exact = products(all.exact, next.exact)
			continue
		}
		all, whole = literals{next.exact, append(all.settled(), next.needs...)}, false
	}
	if !whole {
		return literals{needs: all.settled()}
	}
	return all
}

func products(heads, tails []string) (all []string) {
	for _, head := range heads {
		for _, tail := range tails {
			all = append(all, head+tail)
		}
	}
	return all
}

// choiceOf is what one of several parts needs. Of each that is not exact, the list counts that tells most.
func choiceOf(parts []*syntax.Regexp) literals {
	var all []string
	exact := true
	for _, part := range parts {
		l := literalsOf(part)
		list := l.exact
		if list == nil {
			needed := l.settled()
			if len(needed) == 0 {
				return literals{}
			}
			exact = false
			list = slices.MaxFunc(needed, func(a, b []string) int { return cmp.Compare(shortest(a), shortest(b)) })
		}
		all = append(all, list...)
	}
	if exact && len(all) <= mostExact {
		return literals{exact: all}
	}
	return literals{needs: literals{exact: all}.settled()}
}

// shortest is how many bytes the shortest literal of a list has.
func shortest(list []string) int {
	return len(slices.MinFunc(list, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
}
