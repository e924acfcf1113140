package offline

import "strings"

// isHebrewPlural reports whether a title is one Hebrew word in the plural, which is no dual: "the lessons".
func isHebrewPlural(title string) bool {
	return strings.HasSuffix(title, "ים") && !strings.HasSuffix(title, "יים") && !strings.Contains(title, " ")
}

// singularTitle is a title whose last word has lost its plural; as it is if it has none.
func singularTitle(title string) string {
	for _, end := range []struct{ many, one string }{
		{"sses", "ss"}, {"ches", "ch"}, {"ies", "y"}, {"ciones", "ción"}, {"ss", "ss"}, {"us", "us"}, {"is", "is"}, {"s", ""},
	} {
		if cut, ok := strings.CutSuffix(title, end.many); ok && len(cut) > 1 {
			return cut + end.one
		}
	}
	return title
}

func pointer[T any](v T) *T { return &v }

// ofKitchen reports whether a word says of which kitchen the food before it is: "comida mexicana" is no lunch.
func (a *account) ofKitchen(i int) bool {
	if i >= len(a.tokens) || a.tokens[i].opens {
		return false
	}
	meaning, _ := a.phraseAt(i, a.book.known)
	return dishes[meaning]
}
