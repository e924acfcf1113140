package people

import (
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// Described are the contacts of whom an answer says what they are: their name, their role, where they live or work, an
// address or what is noted: "the lawyer", "el de Noe Valley". Every word of the answer must say something of them.
func Described(answer string, among []meet.Contact) []meet.Contact {
	said := slices.DeleteFunc(agenda.Stems(answer), func(stem string) bool { return around[stem] || agenda.Idle(stem) })
	return slices.DeleteFunc(slices.Clone(among), func(c meet.Contact) bool {
		known := append([]string{c.Name, c.Role, c.Notes}, c.Addresses()...)
		for _, at := range []*meet.Location{c.Location, c.Office} {
			if at != nil {
				known = append(known, at.Label)
			}
		}
		text := strings.NewReplacer("@", " ", ".", " ").Replace(strings.Join(known, " "))
		return !says(text, said)
	})
}

// around are the stems of words that stand around a description: "I mean the one who lives in".
var around = func() map[string]bool {
	all := map[string]bool{}
	for _, stem := range agenda.Stems("i mean who is that who's he she they from lives works live work what about " +
		"please " +
		"que es vive trabaja quiero decir digo me refiero a y ella en " +
		"זה הוא היא ש גר גרה עובד עובדת מ ב התכוונתי אני מתכוון מתכוונת ההוא ההיא בבקשה") {
		all[stem] = true
	}
	return all
}()
