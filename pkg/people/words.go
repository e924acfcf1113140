package people

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// words are the normalized words of text: in lower case, without accents, split at everything that is neither a letter
// nor a digit.
func words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fold is text in lower case without accents. Letters that Unicode does not decompose are replaced by their usual
// substitutes.
func fold(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	before := ' '
	for _, r := range norm.NFD.String(strings.ToValidUTF8(text, " ")) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Hebrew, before) && strings.ContainsRune("׳'’", r) {
			continue // the Hebrew geresh belongs to its letter: ג׳ is a j
		}
		before = r
		switch r = unicode.ToLower(r); r {
		case 'ß':
			b.WriteString("ss")
		case 'æ':
			b.WriteString("ae")
		case 'œ':
			b.WriteString("oe")
		case 'ø':
			b.WriteRune('o')
		case 'ł':
			b.WriteRune('l')
		case 'đ':
			b.WriteRune('d')
		case 'ı':
			b.WriteRune('i')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// nicknames are short forms, and the names that each of them usually stands for, beyond those that it begins.
var nicknames = [...]struct{ short, long string }{
	{"bill billy will willy liam", "william"},
	{"bob bobby rob robbie", "robert"},
	{"dick rick rich richie", "richard"},
	{"jim jimmy jamie", "james"},
	{"jack johnny jon", "john jonathan"},
	{"mike mikey mick misha", "michael mikhail"},
	{"ted teddy ed eddie ned", "edward theodore edmund"},
	{"tony", "anthony antonio"},
	{"chuck charlie", "charles charlotte"},
	{"hank harry", "henry harold"},
	{"larry", "lawrence laurence"},
	{"steve stevie", "steven stephen"},
	{"dave davey", "david"},
	{"sasha", "alexander alexandra"},
	{"alex al xander lex", "alexander alexandra alexis albert alan alfred"},
	{"liz lizzie beth betty eliza lisa libby", "elizabeth elisabeth"},
	{"kate katie kathy cathy kitty kat", "katherine catherine kathryn katharina"},
	{"peggy meg maggie greta daisy", "margaret margarete"},
	{"molly polly", "mary"},
	{"sally", "sarah"},
	{"nancy annie nan", "ann anne anna"},
	{"becky becca", "rebecca"},
	{"jenny jen", "jennifer"},
	{"sue suzie", "susan susanne suzanne"},
	{"gina", "regina virginia"},
	{"nell nellie nora", "eleanor helen honora"},
	{"tina", "christina martina"},
	{"pepe", "jose"},
	{"paco pancho", "francisco"},
	{"gus", "augustus gustav gustavo"},
	{"sandy", "alexander alexandra sandra"},
	{"hans", "johannes"},
	{"sepp", "josef"},
	{"yossi", "yosef josef joseph"},
	{"moshe moishe", "moses"},
}

// standsFor reports whether short is a usual short form of long.
func standsFor(short, long string) bool {
	for _, n := range nicknames {
		if slices.Contains(strings.Fields(n.short), short) && slices.Contains(strings.Fields(n.long), long) {
			return true
		}
	}
	return false
}
