package clause

import (
	"slices"
	"strings"
	"unicode"

	"convene/pkg/ground"
	"convene/pkg/when"
)

// piece is a part of the text between words or marks that may join clauses. Sentence says that it begins a sentence or
// an item of a list, strong that more than a small word stands before it.
type piece struct {
	from, to         int
	sentence, strong bool
	// joined says that a word that joins clauses stands before it.
	joined bool
}

// split takes a text apart wherever a clause may begin.
func (b *book) split(text string) (pieces []piece) {
	next := piece{sentence: true, strong: true}
	cut := func(from, to int) {
		if strings.TrimSpace(text[next.from:from]) != "" {
			next.to = from
			pieces = append(pieces, next)
			next = piece{}
		}
		between := text[from:to]
		next.sentence = next.sentence || strings.ContainsAny(between, ".?!\n)")
		next.strong = next.strong || next.sentence || strings.ContainsAny(between, ",;:") || b.is("then", between)
		next.joined = strings.TrimFunc(between, func(c rune) bool { return !unicode.IsLetter(c) }) != ""
		next.from = to
	}
	joins := b.joins
	if list.MatchString(text) {
		joins = b.listed
	}
	at := 0
	for at < len(text) {
		found := joins.FindStringIndex(text[at:])
		begins := b.forms["before"].FindStringSubmatchIndex(text[at:])
		switch {
		case found == nil && begins == nil:
			at = len(text)
			continue
		case found != nil && (begins == nil || found[0] <= begins[2]-1):
			cut(at+found[0], at+found[1])
			at += max(found[1], 1)
		default:
			cut(at+begins[2], at+begins[2])
			at += begins[3]
		}
		at = max(at, next.from)
	}
	if strings.TrimSpace(text[next.from:]) != "" {
		next.to = len(text)
		pieces = append(pieces, next)
	}
	return pieces
}

// undivided joins pieces that a comma parts within a date, "tuesday, december 8th", that list those to whom one mail
// goes, or that say in which mail the answer to a question is.
func (r *reader) undivided(pieces []piece) []piece {
	setting := when.Setting{Language: r.Language}
	for i := len(pieces) - 1; i > 0; i-- {
		one, next := pieces[i-1], pieces[i]
		if strings.TrimSpace(r.text[one.to:next.from]) != "," {
			continue
		}
		entities := setting.Read(r.text[one.from:next.to], r.Now).Entities
		at := slices.IndexFunc(entities, func(e when.Entity) bool {
			return e.Kind == when.KindDate && one.from+e.Start < next.from && next.from < one.from+e.End
		})
		if at < 0 {
			continue
		}
		said := setting.Read(r.text[one.from+entities[at].Start:one.from+entities[at].End], r.Now).Dates
		if len(said) == 1 && said[0].Start == said[0].End {
			pieces[i-1].to = next.to
			pieces = slices.Delete(pieces, i, i+1)
		}
	}
	for i := 1; i < len(pieces); {
		if !r.alsoTo(pieces[i-1], pieces[i]) && !r.inMail(pieces[i]) {
			i++
			continue
		}
		pieces[i-1].to = pieces[i].to
		pieces = slices.Delete(pieces, i, i+1)
	}
	return pieces
}

// inMail reports whether a piece says in which mail the answer to the question before it is: "it's in an email I got".
func (r *reader) inMail(p piece) bool {
	at := ground.InMail(trimmed(r.text[p.from:p.to]))
	return at != nil && at[0] == 0
}

// alsoTo reports whether a piece goes on with those to whom a mail of the piece before it goes: "email al, dana and
// ines that …".
func (r *reader) alsoTo(one, next piece) bool {
	at := markForm.FindStringIndex(r.text[next.from:next.to])
	if at == nil || at[0] != 0 || strings.HasPrefix(r.text[next.from+at[1]:], "'s") ||
		!slices.Contains([]rune{person, address}, r.of(r.text[next.from:][:at[1]]).kind) {
		return false
	}
	whole := func(f filled) bool {
		return f.has("to") && !slices.ContainsFunc(f, func(g got) bool {
			return !slices.Contains([]string{"head", "object", "to"}, g.name)
		})
	}
	return slices.ContainsFunc(r.book.parse("mail", trimmed(r.text[one.from:one.to]), true), whole)
}
