package change

import (
	"cmp"
	"slices"

	"convene/pkg/meet"
)

// most is how many things are changed at once without being asked for.
const most = 5

// facts are what the policy knows of a change. In a row of the policy those that are set must hold.
type facts struct {
	what meet.ChangeWhat
	kind meet.ChangeKind
	// affects says that other people hear of it, and series that it is of more than one occurrence.
	affects, series bool
	// final says that it cannot be taken back.
	final bool
	// many says that its set changes more than five things; unnamed that it changes several, which the owner did not name
	// one by one.
	many, unnamed bool
}

// policy says which facts make a change riskier than the owner's own and reversible ones.
var policy = []struct {
	when  facts
	class meet.Class
}{
	{facts{affects: true}, meet.R2},
	{facts{kind: meet.RespondThing}, meet.R2},
	{facts{kind: meet.DeleteThing, what: meet.EventThing}, meet.R2},
	{facts{kind: meet.DeleteThing, what: meet.ContactThing}, meet.R2},
	{facts{kind: meet.DeleteThing, what: meet.EmailThing}, meet.R2},
	{facts{series: true}, meet.R2},
	{facts{final: true}, meet.R2},
	{facts{many: true}, meet.R2},
	{facts{unnamed: true}, meet.R2},
}

// rule is what happens to a set of changes.
type rule int

// The rules, the strictest last. A set gets that of its strictest change.
const (
	atOnce rule = iota
	asked
	refused
)

// classes are the classes from the lowest risk to the highest.
var classes = []meet.Class{meet.R0, meet.R1, meet.R2, meet.R3}

// classify gives each change its class, and the set its rule. A class that a tool has set can only be raised.
func (d Draft) classify(changes []meet.Change) rule {
	things := map[string]bool{}
	for _, c := range changes {
		things[cmp.Or(thingOf(c), c.ID)] = true
	}
	strictest := atOnce
	for i := range changes {
		c := &changes[i]
		is := facts{
			what: c.What, kind: c.Kind, affects: len(c.Affects) > 0,
			series: c.Scope == meet.Following || c.Scope == meet.AllOfThem, final: !c.Undoable,
			many: len(things) > most, unnamed: len(things) > 1 && !d.Named,
		}
		c.Class = higher(c.Class, meet.R1)
		for _, row := range policy {
			if row.when.hold(is) {
				c.Class = higher(c.Class, row.class)
			}
		}
		strictest = max(strictest, d.ruleOf(*c))
	}
	return strictest
}

// ruleOf is the rule of one change. Nothing is done at once that is not in the owner's own words.
func (d Draft) ruleOf(c meet.Change) rule {
	switch {
	case c.Class == meet.R3:
		return refused
	case !d.Heard || d.Strict != nil && d.Strict(c):
		return asked
	case c.Class == meet.R2 && !d.AutoConfirm:
		return asked
	default:
		return atOnce
	}
}

// hold reports whether all facts that the row sets are so.
func (row facts) hold(is facts) bool {
	implies := func(want, got bool) bool { return !want || got }
	return (row.what == "" || row.what == is.what) && (row.kind == "" || row.kind == is.kind) &&
		implies(row.affects, is.affects) && implies(row.series, is.series) && implies(row.final, is.final) &&
		implies(row.many, is.many) && implies(row.unnamed, is.unnamed)
}

func higher(a, b meet.Class) meet.Class {
	if slices.Index(classes, a) > slices.Index(classes, b) {
		return a
	}
	return b
}
