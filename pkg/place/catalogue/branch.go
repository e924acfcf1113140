package catalogue

import (
	"slices"
	"strings"

	"convene/pkg/place"
)

// streetAt is the street by which a text means one of several places of a name, which ends before token i: "Ritual on
// Valencia". It is token street, and what belongs to it ends before token end; end is i if none of them alone is there.
func (c *Catalogue) streetAt(tokens []token, i int, name string) (street, end int) {
	branches := c.chains[place.NameOf(name).Whole()]
	for street = i; len(branches) > 1 && street < len(tokens) && tokens[street].among(toStreet); street++ {
	}
	if street == i || street == len(tokens) {
		return i, i
	}
	said := strings.Join(tokens[street].words, " ")
	there := slices.DeleteFunc(slices.Clone(branches), func(id int32) bool {
		house, _, _ := strings.Cut(c.entries[id].place.Address, ",")
		return !slices.Contains(place.Words(house), said)
	})
	if number := strings.Trim(said, "0123456789") == ""; number || len(there) != 1 {
		return i, i
	}
	if end = street + 1; end < len(tokens) && tokens[end].among(streets) {
		end++
	}
	return street, end
}

// called is a name with the street that a text says, if it says one.
func called(name, text string, street []token) string {
	if len(street) == 0 {
		return name
	}
	return name + " on " + text[street[0].start:street[len(street)-1].end]
}

func (t token) among(words []string) bool { return slices.Contains(words, strings.Join(t.words, " ")) }

// toStreet are words between a name and its street, and streets words after the street's own name.
var (
	toStreet = strings.Fields("on in at the de en la el del calle avenida")
	streets  = strings.Fields("street st avenue ave road rd boulevard blvd")
)
