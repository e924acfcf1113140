package when

import (
	"strconv"
)

var cardinals = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
	"seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

// count reads a whole number of things: "3", "three", "forty-five", "a couple of", "a few", "a".
func (p *parser) count(i int) (n, end int) {
	if n, end = p.cardinal(i); end > i {
		return n, end
	}
	few, end := p.means("few", i)
	n, _ = strconv.Atoi(few) // none is 0
	return n, end
}

// cardinal reads digits or number words up to 99.
func (p *parser) cardinal(i int) (n, end int) {
	t := p.at(i)
	if t.kind == number && t.digits <= 4 {
		return t.value, i + 1
	}
	n, ok := cardinals[t.text]
	if !ok || t.kind != word {
		return 0, i
	}
	if n < 20 {
		return n, i + 1
	}
	j := p.skip(i+1, "-")
	if unit, ok := cardinals[p.at(j).text]; ok && unit > 0 && unit < 10 {
		return n + unit, j + 1
	}
	return n, i + 1
}

// ordinal reads "27th", "first", "twenty-first".
func (p *parser) ordinal(i int) (n, end int) {
	t := p.at(i)
	if t.kind == number {
		if s := p.at(i + 1); s.glued && (s.text == "th" || s.text == "st" || s.text == "nd" || s.text == "rd") {
			return t.value, i + 2
		}
		return 0, i
	}
	if n, end := p.cardinal(i); end > i && p.is(end, "th") {
		return n, end + 1
	}
	if n, ok := ordinals[t.text]; ok {
		return n, i + 1
	}
	if tens, ok := cardinals[t.text]; ok && tens >= 20 {
		j := p.skip(i+1, "-")
		if unit, ok := ordinals[p.at(j).text]; ok && unit < 10 {
			return tens + unit, j + 1
		}
	}
	return 0, i
}

// addressed reports whether the number at token i is of a house: a street is named after it, or a name with another
// time after that. What may be an hour is one, unless the street is written as a name.
func (p *parser) addressed(i int) bool {
	t := p.at(i)
	hour := t.digits < 3
	if t.kind != number || !p.nameAt(i+1) || hour && !p.at(i+1).capital {
		return false
	}
	for j := i + 2; j < i+5; j++ {
		switch {
		case p.has("streets", j):
			return !hour || p.at(j).capital
		case p.at(j).kind == mark || p.opens(j):
			return !hour && p.is(j, "at", "@", "from") && p.at(i+1).capital &&
				(p.is(j+2, ":", "am", "pm") || p.is(j+4, "am", "pm"))
		}
	}
	return false
}

// nameAt reports whether token i is a word that speaks of no time, like the name of a street.
func (p *parser) nameAt(i int) bool {
	t := p.at(i)
	return t.kind == word && t.text != "" && !p.opens(i) && t.text[0] != zoneMark[0] &&
		!p.is(i, "with", "at", "in", "for", "and", "or", "on", "am", "pm", "o'clock", "hours", "h", "tonight")
}

// crossroads reports whether the ordinal that ends before token i is a street by the one that crosses it: "5th and
// Main".
func (p *parser) crossroads(i int) bool {
	return p.is(i, "and", "&") && p.nameAt(i+1) && p.at(i+1).capital
}
