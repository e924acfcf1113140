package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rename maps ids to others. Ids are long or begin with what they name, so that they can be found in any text.
type rename map[string]string

func (r rename) add(old, name string) {
	if old != "" && old != name {
		r[old] = name
	}
}

// replacer tries longer ids first, because one may begin with another.
func (r rename) replacer() *strings.Replacer {
	pairs := make([]string, 0, 2*len(r))
	for _, old := range slices.SortedFunc(maps.Keys(r), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	}) {
		pairs = append(pairs, old, r[old])
	}
	return strings.NewReplacer(pairs...)
}

// namer gives the random ids of a conversation names that stay the same each time it is recorded.
type namer struct {
	conversation string
	names        rename
	proposals    int
}

// learn takes up the ids that a turn's updates bring. An id that the client chose is kept.
func (n *namer) learn(turn int, given string, updates []update) {
	for _, u := range updates {
		n.names.add(u.said.TurnID, fmt.Sprintf("t_%s.%d", n.conversation, turn))
		if id := u.said.ConversationID; id != given || n.names[id] != "" {
			n.names.add(id, "c_"+n.conversation)
		}
		if id := u.said.Event.ID; id != "" && n.names[id] == "" {
			n.proposals++
			n.names.add(id, fmt.Sprintf("p_%s.%d", n.conversation, n.proposals))
		}
	}
}

// learnRequest takes up the id that a problem gives the request.
func (n *namer) learnRequest(turn int, answer []Block) {
	var problem struct{ RequestID string }
	for _, b := range answer {
		if json.Unmarshal([]byte(b.Bytes), &problem) == nil {
			n.names.add(problem.RequestID, fmt.Sprintf("r_%s.%d", n.conversation, turn))
		}
	}
}
