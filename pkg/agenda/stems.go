package agenda

// Stems are the words of a text as titles are compared: without accents, plural and possessive endings, and the small
// words that Hebrew writes before them.
func Stems(text string) []string { return stems(text) }

// SameThing reports whether two stems are one word, or words for one thing.
func SameThing(a, b string) bool { return sameThing(a, b) }

// Similar is SameThing, up to one slip of the keys.
func Similar(a, b string) bool { return similar(a, b) }
