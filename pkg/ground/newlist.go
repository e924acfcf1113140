package ground

import (
	"regexp"
	"slices"
	"strings"
)

// newList makes a list, with what is to be on it at first.
func (r *reading) newList() (string, arguments) {
	for _, form := range []*regexp.Regexp{namedList, listFor} {
		if at := form.FindStringSubmatchIndex(r.Text); at != nil {
			r.useWithin(at[4], at[5])
			return "list_add", arguments{"list": r.takeOwn(at[2:4]), "items": []string{r.takeOwn(at[4:6])}}
		}
	}
	name, ok := r.ownWords().(string)
	at := listCalled.FindStringSubmatchIndex(r.Text)
	called := at != nil
	if called {
		name, ok = r.takeOwn(at[2:]), true
		r.useWithin(at[2], at[3])
	}
	if !ok || r.renames(name) {
		return "", nil
	}
	if at := words()["titled"].FindStringIndex(name); at != nil && at[0] == 0 {
		name = strings.TrimSpace(name[at[1]:]) // "llamada verano"
	}
	items := []string{}
	if at := listWith.FindStringIndex(name); at != nil {
		own := r.own[len(r.own)-1]
		text, whole := r.listed(said{from: own.from + at[1], to: own.to})
		if !whole {
			return "", nil
		}
		name, items = name[:at[0]], []string{text}
	}
	if strings.ContainsAny(name, ",;") || name == "" || !called && nameless(name) {
		return "", nil // what is to be on it would be lost, or it has no name
	}
	return "list_add", arguments{"list": name, "items": items}
}

// nameless reports whether nothing in a text is a name: "haz una", "please".
func nameless(text string) bool {
	text = words()["nameless"].ReplaceAllString(text, " ")
	return !wordForm.MatchString(text) || onlySays(strings.TrimSpace(text), "list", "determiner")
}

// namedList is a new list with its name before the word for one, and what is to be on it.
var namedList = regexp.MustCompile(`(?i)^\s*(?:please )?(?:start|make|create|open)(?: me)? an? (?:new )?(\p{L}+) list` +
	`(?::| with)\s+(.+?)[\s.!]*$`)

// listFor is a new list with what it is for, and what is to be on it after a colon.
var listFor = regexp.MustCompile(`(?i)^\s*(?:(?:please|por favor|בבקשה) )?(?:(?:start|make|create|open)(?: me)? ` +
	`(?:an?|another) (?:new )?list (?:for|called|named)|` +
	`(?:crea|haz|hazme|abre|empieza) una (?:nueva )?lista (?:nueva )?(?:para|de|llamada)|` +
	`(?:תפתחי?|תיצו?רי?|תעשי?|תכי[ןנ]י?) (?:לי )?רשימה(?: חדשה)? (?:עבור|בשם|של))\s+(?:the |my |our |el |la |mi )?` +
	`([^:,;]+?)\s*:\s+(.+?)[\s.!]*$`)

// listCalled is the name of a new list, and what is to be on it, whatever these words say elsewhere.
var listCalled = regexp.MustCompile(`(?i)\s(?:list|lista|רשימה)\s+` +
	`(?:called|named|titled|for|` +
	`llamada|que se llame|para|בשם|שנקראת)\s+([^"“”«»]+?)[\s.!]*$`)

// listWith is what stands between a new list's name and what is to be on it.
var listWith = regexp.MustCompile(`\s*:\s*|\s+(?:with|con|עם)\s+`)

// IsOneList reports whether a message puts on one list what it names, and asks for nothing else: "add milk, 2 kg of
// potatoes and a dozen bananas to the shopping list".
func IsOneList(text string) bool {
	at := ontoOneList.FindStringSubmatch(text)
	if at == nil {
		return false
	}
	items := strings.ReplaceAll(strings.Join(at[1:], ""), ",", " and ")
	asks := func(piece string) bool {
		return len(conceptsOf(firstWord(piece))) > 0 || elsewhereToo.MatchString(piece) ||
			words()["clause"].MatchString(piece)
	}
	pieces := lastJoin.Split(items, -1)
	return !elsewhereToo.MatchString(pieces[0]) && !slices.ContainsFunc(pieces[1:], asks)
}

// elsewhereToo is said of an item that goes somewhere else.
var elsewhereToo = regexp.MustCompile(`(?i)\b(?:to|on|onto|in) (?:the|my|our)\b|\b(?:a|en) (?:la|mi) (?:lista|` +
	`agenda)\b|` +
	`(?:^|\s)(?:לרשימ|ליומן|ביומן)`)

// ontoOneList is all that is to be on a list, which is named at the end.
var ontoOneList = regexp.MustCompile(`(?i)^\s*(?:(?:please|pls|ok|also|and|can you|could you|por favor|בבקשה)[, ]+)*` +
	`(?:(?:add|put|stick|throw|write|pop) ([^.;:?]+) (?:to|on|onto) (?:the|my|our) (?:\p{L}+ ){0,2}list|` +
	`(?:añade|agrega|pon|apunta|mete)(?:me)? ([^.;:?]+) (?:a|en) (?:la|mi|nuestra) lista(?: de(?: la| las)? \p{L}+)?|` +
	`ו?(?:תוסי[ףפ]י?|הוס(?:ף|יפי)|תשי[םמ]י?) ([^.;:?]+) לרשימ[הת](?: ה?\p{L}+)?)[\s.!?]*$`)
