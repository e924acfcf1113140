package agenda

// Stems are the words of a text as titles are compared: without accents, plural and possessive endings, and the small
// words that Hebrew writes before them.
func Stems(text string) []string { return stems(text) }
