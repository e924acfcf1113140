package ground

import "strings"

// otherwise reads a message of which the best reading makes no call: perhaps it points to nothing that was shown, says
// what a name is not to be, gives a reason, or is of a task that is not there.
func otherwise(m Message, best *reading, read Reading) Reading {
	if !read.Denied && best.pointed {
		m.Last, m.Listed = nil, nil
		return readAll(m)
	}
	if at := otherName.FindStringIndex(m.Text); at != nil && strings.HasSuffix(best.deed, "_rename") {
		m.Text = strings.TrimRight(m.Text[:at[0]+1], ",; ")
		return readAll(m)
	}
	if !read.Denied {
		if rest := withoutReason(m); rest.Tool != "" {
			return rest
		}
	}
	read.Other, read.Denied = best.other, read.Denied || best.denied()
	if !read.Denied {
		for _, unknown := range []Reading{best.unknownTask(), best.unknownItem()} {
			if unknown.Tool != "" {
				return unknown
			}
		}
	}
	return read
}
