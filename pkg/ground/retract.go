package ground

import (
	"strings"
)

// TakenBack is the language in which a message takes back at its end what it asks for before: "…, no, forget it". It is
// empty if the message does not.
func TakenBack(text string) (language string) {
	for _, language := range []string{"en", "es", "he"} {
		for _, at := range words()["takenback."+language].FindAllStringIndex(text, -1) {
			asks, ends := len(strings.Fields(text[:at[0]])) > 1, !wordForm.MatchString(text[at[1]:])
			if asks && ends && form("leads back").MatchString(text[:at[0]+1]) {
				return language
			}
		}
	}
	return ""
}
