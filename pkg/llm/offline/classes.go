package offline

// Classes of single words that the rules for English look at, by the keys of the files.
var (
	occasions    = single("people.txt", "occasion")
	honorifics   = single("people.txt", "honorific")
	collectives  = single("people.txt", "collective")
	doing        = single("people.txt", "doing")
	invitations  = single("people.txt", "invitation")
	joining      = single("people.txt", "joining")
	leaving      = single("people.txt", "leaving")
	beforeDish   = single("places.txt", "before dish")
	noVenue      = single("places.txt", "no venue")
	shortened    = single("places.txt", "shortened")
	degrees      = single("places.txt", "degree")
	wishEnds     = single("places.txt", "wish ends")
	hosts        = single("places.txt", "hosts")
	possessives  = single("places.txt", "possessive")
	strongBefore = single("people.txt", "strong")
	weakBefore   = single("people.txt", "weak")
	relations    = single("people.txt", "relation")
)

// single are the phrases of one word that a key of an English file has.
func single(file, key string) map[string]bool {
	words := map[string]bool{}
	for first, list := range embeddedPhrases(english, file).other[key] {
		for _, e := range list {
			words[first] = words[first] || len(e.words) == 1
		}
	}
	return words
}
