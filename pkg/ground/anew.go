package ground

import (
	"slices"
	"strings"
)

// keeping are the deeds that keep the user's own words.
var keeping = []string{"task_create", "note_save"}

// anew is the message as one that has something kept in the user's own words, although some of these name something
// that there is: "remind me to ask for another dentist". It is meant if a change of what is named leaves out words that
// tell something. Nil if it is not.
func anew(m Message, best *reading) *reading {
	if len(best.found) == 0 || best.pointed || best.grouped() || deeds[best.deed].reads ||
		slices.Contains(keeping, best.deed) || !best.strange() {
		return nil
	}
	r := newReading(m)
	r.readTimes()
	r.judge()
	if !slices.Contains(keeping, r.deed) || r.alone < leastUnnamed {
		return nil
	}
	return r
}

// strange reports whether words outside of what is known tell something.
func (r *reading) strange() bool {
	for i, w := range r.words {
		at := said{from: w.from, to: w.to}
		if !w.taken && !w.timely && !r.inPeople(at) && r.telling(i) {
			return true
		}
	}
	return false
}

// recalls reports whether the message asks to be reminded of something or to put it among the tasks, by words before
// which nothing is said. No new event comes of that.
func (r *reading) recalls() bool {
	text := r.delexicalized()
	at := words()["recalling"].FindStringIndex(text)
	return words()["onto"].MatchString(text) || words()["unforgotten"].MatchString(text) ||
		at != nil && !tellsAny(text[:at[0]])
}

// tellsAny reports whether a text names something, or has a word that tells something.
func tellsAny(text string) bool {
	if strings.Contains(text, "{") {
		return true
	}
	for w := range strings.FieldsSeq(Plain(text)) {
		if tells(w) > telling {
			return true
		}
	}
	return false
}
