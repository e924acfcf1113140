package ground

import (
	"slices"
	"strings"
)

// adding are deeds that only add something, in the user's own words.
var adding = []string{"task_create", "note_save", "item_add", "list_create", "contact_save", "preference_set"}

// leastSure is how probable a deed has to be that is done without being asked for once more. A part of a title is
// enough for a change of a task or an item that takes nothing away.
func (r *reading) leastSure(d deed) float64 {
	mild := (d.on == Task || d.on == Item) && !forgetting.MatchString(r.deed)
	switch {
	case r.deed == "item_add" && len(r.of(List)) > 0 && r.plain():
		return leastUnnamed // "add apples and pears to the shopping list"
	case r.deed == "task_create" && r.hardlyKept():
		return 2 // which nothing is
	case slices.Contains(adding, r.deed):
		return plainlyKept
	case !mild && !r.plain(), r.several, r.away != "":
		return 2
	}
	return Surely
}

// hardlyKept reports whether a single word is to be kept without anything that asks for it: "I have to leave by 7" may
// only be said by the way.
func (r *reading) hardlyKept() bool {
	return len(r.own) == 1 && !strings.Contains(strings.TrimSpace(r.own[0].text), " ") && !r.recalls() &&
		!r.says("remind") && !r.says("oftask")
}

// least is how probable a deed has to be.
func (r *reading) least(d deed) float64 {
	switch {
	case len(r.found) == 0 && (!r.isMail() || len(r.people) == 0) && (!d.reads || !r.plain()):
		return leastUnnamed
	case !d.reads && !r.pointed && !r.plain():
		return leastToChange
	}
	return leastToRead
}

// weight is how much speaks for a way to read the message: how probable its deed is, and how whole the name.
func (r *reading) weight() float64 {
	whole := 1.0
	for _, m := range r.found {
		whole = min(whole, m.covered)
	}
	return r.probability * (1 + whole) / 2
}

// plain reports whether the names are whole, and every other word is one by which people ask for things.
func (r *reading) plain() bool {
	return !r.pointed && r.understood() &&
		!slices.ContainsFunc(r.found, func(m mention) bool { return m.covered < 1 || m.doubt || m.which })
}

// idlyNames reports whether a reading names an item of a list and asks nothing of it, where another one plainly asks
// for something of a task: "push the passport to monday", with a passport to pack and one to renew.
func (r *reading) idlyNames(other *reading) bool {
	return len(r.of(Item)) > 0 && deeds[r.deed].on != Item && deeds[other.deed].on == Task &&
		len(other.of(Task)) > 0 && other.probability >= plainlyOfEvent
}
