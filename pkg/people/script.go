package people

import (
	"slices"
	"strings"
	"unicode"
)

// spelledAlike reports whether each pair of words is the same name, across scripts.
func spelledAlike(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool {
		switch {
		case isHebrew(x) && !isHebrew(y):
			return spells(x, y)
		case isHebrew(y) && !isHebrew(x):
			return spells(y, x)
		default:
			return x == y
		}
	})
}

func isHebrew(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) })
}

// common are Hebrew words that are never a contact's name, however alike they sound: Mom is not Emma, and what is said
// "about" something not of Al.
var common = map[string]bool{
	"אמא": true, "אימא": true, "אבא": true, "סבא": true, "סבתא": true, "אחי": true, "אחותי": true, "בעלי": true,
	"אשתי": true, "כולם": true, "בני": true, "בתי": true, "לי": true, "לו": true, "לה": true,
	"על": true, "עם": true, "עד": true, "אם": true, "כן": true, "כל": true, "של": true, "גם": true, "את": true,
	"מייל": true, "מיילים": true, "מתי": true, "מחר": true, "מאוד": true, "מול": true, "מכל": true, "משם": true,
}

// customary are Hebrew names whose spelling follows no rule, and their Latin spellings.
var customary = map[string]string{
	"דוד": "david", "משה": "moshe moses", "שלמה": "shlomo solomon", "כהן": "cohen kohen", "נח": "noah",
	"יצחק": "yitzhak isaac",
	"יעקב": "yaakov jacob", "שמשון": "samson", "שרית": "sarit", "דבורה": "deborah", "אהרן": "aaron aharon",
	"אהרון": "aaron aharon", "מייקל": "michael", "פיטר": "peter",
}

// spells reports whether a Hebrew and a Latin spelling are of the same name, sound by sound. Hebrew writes a and e only
// at the ends of a word, and nearly always i, o and u, so that Dana is never Dina, and neither is Dan.
func spells(hebrew, latin string) bool {
	if common[hebrew] {
		return false
	}
	if usual, ok := customary[hebrew]; ok {
		return slices.Contains(strings.Fields(usual), latin)
	}
	s := spelling{hebrew: sounds(hebrew), latin: once(latin), failed: map[[2]int]bool{}}
	return len(s.hebrew) > 1 && len(s.hebrew) <= longestName && len(s.latin) <= 2*longestName && s.from(0, 0)
}

// longestName bounds what is compared, in letters.
const longestName = 24

// spelling compares two spellings of a name from the left.
type spelling struct {
	hebrew []rune
	latin  string
	// failed caches the positions from which nothing fits.
	failed map[[2]int]bool
}

// from reports whether the Hebrew from letter i spells the Latin from byte j.
func (s spelling) from(i, j int) bool {
	if i == len(s.hebrew) {
		rest := s.latin[j:]
		return rest == "" || rest == "e" && j > 1
	}
	at := [2]int{i, j}
	if s.failed[at] {
		return false
	}
	for _, written := range s.letter(i) {
		if strings.HasPrefix(s.latin[j:], written) && !s.short(i, j, written) && s.from(i+1, j+len(written)) {
			return true
		}
	}
	if s.unwritten(j) && s.from(i, j+1) {
		return true
	}
	s.failed[at] = true
	return false
}

// short reports whether letter i is the Hebrew i, and its spelling an e that does not sound like one: in Lena,
// but not in Theo, Zoe and Steve.
func (s spelling) short(i, j int, written string) bool {
	if s.hebrew[i] != 'י' || written != "e" || j+1 == len(s.latin) {
		return false
	}
	return !strings.ContainsRune("aeiouy", rune(s.latin[j+1])) && (j+3 != len(s.latin) || s.latin[j+2] != 'e')
}

// unwritten reports whether Hebrew may omit the letter: an a or e within the name without another vowel beside it.
func (s spelling) unwritten(j int) bool {
	if j == 0 || j+1 >= len(s.latin) || s.latin[j] != 'a' && s.latin[j] != 'e' {
		return false
	}
	if s.latin[j:j+2] == "ae" {
		return false // Michael is not Michal
	}
	for _, together := range []string{"ea", "ee", "ai", "ay", "ei", "ey", "ie", "oe", "oa"} {
		if s.latin[j:j+2] == together || s.latin[j-1:j+1] == together {
			return false
		}
	}
	return true
}

// letter are the Latin spellings of letter i.
func (s spelling) letter(i int) []string {
	r, first, last := s.hebrew[i], i == 0, i == len(s.hebrew)-1
	vowelNext := !last && strings.ContainsRune("וי"+twice, s.hebrew[i+1])
	switch {
	case first && (r == 'א' || r == 'ע') && vowelNext:
		return []string{"", "a", "e"}
	case first && r == 'א':
		return []string{"a", "e"}
	case first && r == 'ע':
		return []string{"a", "e", "i", "o"}
	case last && r == 'א':
		return []string{"a", ""}
	case last && r == 'ה':
		return []string{"a", "ah", "e", "eh", "h"}
	case first && r == 'ו':
		return []string{"v", "w", "wh"}
	case first && r == 'י':
		return []string{"y", "j", "i"}
	}
	return letters[r]
}

// twice are a doubled ו and a doubled י, which stand for other sounds than single ones.
const twice = "ײװ"

// letters are the Latin spellings of each letter, wherever it stands.
var letters = map[rune][]string{
	'א': {"a", "e", "", "o"}, 'ע': {"a", "e", ""}, 'ה': {"h"},
	'ו': {"o", "u", "v", "w", "oo", "ou", "ow", "oh", "au", "oe", "wh"}, 'װ': {"v", "w", "wh"},
	'י': {"i", "y", "e", "ie", "ee", "ea", "iy", "ey", "ay", "ai", "ei"},
	'ײ': {"ai", "ay", "ei", "ey", "a", "i", "y", "iy", "ya", "ye"},
	'ב': {"b", "v"}, 'ג': {"g", "j", "gh", "dg"}, 'ד': {"d"}, 'ז': {"z", "s", "j", "zh"}, 'ח': {"ch", "h", "kh"},
	'ט': {"t", "th"}, 'כ': {"k", "c", "ch", "kh", "ck"}, 'ל': {"l"}, 'מ': {"m"}, 'נ': {"n"}, 'ס': {"s", "c"},
	'פ': {"p", "f", "ph"}, 'צ': {"tz", "ts", "z", "ch", "tch", "c"}, 'ק': {"k", "c", "q", "ck", "ch"}, 'ר': {"r", "rh"},
	'ש': {"sh", "s", "ch", "sch"}, 'ת': {"t", "th"},
}

// sounds are the letters of a Hebrew word, final forms normalized and doubled vowels joined.
func sounds(word string) []rune {
	word = strings.NewReplacer("ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ", "וו", "װ", "יי", "ײ").Replace(word)
	return []rune(word)
}

// once is a Latin word without doubled consonants, and with x as it sounds.
func once(word string) string {
	var b strings.Builder
	var before rune
	for _, r := range word {
		if r == before && !strings.ContainsRune("aeiou", r) {
			continue
		}
		before = r
		if r == 'x' {
			b.WriteString("ks")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
