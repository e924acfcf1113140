package ground

import (
	"slices"
	"strings"
)

// newList makes a list, with what is to be on it at first.
func (r *reading) newList() (string, arguments) {
	for _, name := range []string{"named list", "list for"} {
		if at := form(name).FindStringSubmatchIndex(r.Text); at != nil {
			r.useWithin(at[4], at[5])
			return "list_add", arguments{"list": r.takeOwn(at[2:4]), "items": []string{r.takeOwn(at[4:6])}}
		}
	}
	name, ok := r.ownWords().(string)
	at := form("list called").FindStringSubmatchIndex(r.Text)
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
	if at := form("list with").FindStringIndex(name); at != nil {
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

// IsOneList reports whether a message puts on one list what it names, and asks for nothing else: "add milk, 2 kg of
// potatoes and a dozen bananas to the shopping list".
func IsOneList(text string) bool {
	at := form("onto one list").FindStringSubmatch(text)
	if at == nil {
		return false
	}
	items := strings.ReplaceAll(strings.Join(at[1:], ""), ",", " and ")
	asks := func(piece string) bool {
		return len(conceptsOf(firstWord(piece))) > 0 || form("elsewhere too").MatchString(piece) ||
			words()["clause"].MatchString(piece)
	}
	pieces := form("last join").Split(items, -1)
	return !form("elsewhere too").MatchString(pieces[0]) && !slices.ContainsFunc(pieces[1:], asks)
}
