package ground

import "strings"

// withoutOtherName is a message that gives something a name, without the end that says how it is not to be called. It
// is false if the message says nothing of that.
func withoutOtherName(m Message, best *reading) (Message, bool) {
	at := otherName.FindStringIndex(m.Text)
	if at == nil || !strings.HasSuffix(best.deed, "_rename") {
		return m, false
	}
	m.Text = strings.TrimRight(m.Text[:at[0]+1], ",; ")
	return m, true
}

// otherwise reads a message of which the best reading makes no call: perhaps it points to nothing that was shown, gives
// a reason, or is of a task that is not there.
func otherwise(m Message, best *reading, read Reading) Reading {
	if !read.Denied && best.pointed {
		m.Last, m.Listed = nil, nil
		return readAll(m)
	}
	if !read.Denied {
		if rest := withoutReason(m); rest.Tool != "" {
			return rest
		}
	}
	read.Other, read.Denied = best.other, read.Denied || best.denied()
	if !read.Denied {
		if unknown := best.unknownTask(); unknown.Tool != "" {
			return unknown
		}
	}
	return read
}
