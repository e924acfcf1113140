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
	// counts are the names given, by their prefix.
	counts map[string]int
}

// learn names the ids in a turn's updates. An id that the client chose is kept.
func (n *namer) learn(turn int, given string, updates []update) {
	for _, u := range updates {
		n.names.add(u.content.TurnID, fmt.Sprintf("t_%s.%d", n.conversation, turn))
		if id := u.content.ConversationID; id != given || n.names[id] != "" {
			n.names.add(id, "c_"+n.conversation)
		}
		n.count("p", u.content.Event.ID)
		n.count("pl", u.content.PlanID)
		n.count("ch", u.content.Changes.ID)
		n.count("sha256", u.content.Changes.Digest)
		n.count("q", u.content.QuestionID)
	}
}

// count names an id, unless it is empty or has a name, by the number of ids with its prefix.
func (n *namer) count(prefix, id string) {
	if id != "" && n.names[id] == "" {
		n.counts[prefix]++
		n.names.add(id, fmt.Sprintf("%s_%s.%d", prefix, n.conversation, n.counts[prefix]))
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
