package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rename maps ids to others. Ids are long or have a prefix, so that they can be found in any text.
type rename map[string]string

func (r rename) add(old, name string) {
	if old != "" && old != name {
		r[old] = name
	}
}

// replacer tries longer ids first, because one may be the prefix of another.
func (r rename) replacer() *strings.Replacer {
	pairs := make([]string, 0, 2*len(r))
	for _, old := range slices.Backward(slices.Sorted(maps.Keys(r))) { // a prefix sorts before what it begins
		pairs = append(pairs, old, r[old])
	}
	return strings.NewReplacer(pairs...)
}

// namer replaces the random ids of a conversation by names that are the same in each recording.
type namer struct {
	conversation string
	names        rename
	proposals    int
}

// learn names the ids in a turn's updates. An id that the client chose is kept.
func (n *namer) learn(turn int, given string, updates []update) {
	for _, u := range updates {
		n.names.add(u.content.TurnID, fmt.Sprintf("t_%s.%d", n.conversation, turn))
		if id := u.content.ConversationID; id != given || n.names[id] != "" {
			n.names.add(id, "c_"+n.conversation)
		}
		if id := u.content.Event.ID; id != "" && n.names[id] == "" {
			n.proposals++
			n.names.add(id, fmt.Sprintf("p_%s.%d", n.conversation, n.proposals))
		}
	}
}

// learnRequest names the request's id in a problem.
func (n *namer) learnRequest(turn int, answer []Block) {
	var problem struct{ RequestID string }
	for _, b := range answer {
		if json.Unmarshal([]byte(b.Bytes), &problem) == nil {
			n.names.add(problem.RequestID, fmt.Sprintf("r_%s.%d", n.conversation, turn))
		}
	}
}
