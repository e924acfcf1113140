package ground

import (
	"strings"
)

// denied reports whether the message forbids what it names, wonders about it, leaves open which one, or binds it to a
// condition. What asks politely binds it to none.
func (r *reading) denied() bool {
	text := words()["usually"].ReplaceAllString(r.delexicalized(), " ")
	intends := deeds[r.deed].on == Task && words()["intending"].MatchString(text) && !words()["asking"].MatchString(text)
	theirs := deeds[r.deed].on == Task && words()["their wish"].MatchString(text)
	undone := (r.deed == "task_done" || r.deed == "item_done") && words()["not done"].MatchString(text)
	undone = undone || strings.HasPrefix(r.deed, "mail_") && words()["mail told"].MatchString(text)
	takesBack := form("undoing").MatchString(r.Text) && strings.HasPrefix(r.deed, "event_")
	clearsIt := r.deed == "day_clear" && form("of one").MatchString(form("the one of").ReplaceAllString(r.Text, ""))
	if undone || r.unspared || r.leavesOut() || hearsay(text) || intends || theirs || takesBack || clearsIt {
		return true
	}
	if words()["unforgotten"].MatchString(text) {
		if forgetting.MatchString(r.deed) {
			return true
		}
		text = words()["unforgotten"].ReplaceAllString(text, " ")
	}
	if words()["denying"].MatchString(text) || words()["asks what"].MatchString(text) || form("either").MatchString(text) {
		return true
	}
	at := words()["binding"].FindStringSubmatchIndex(text)
	if at == nil {
		return false
	}
	begins := strings.TrimSpace(text[:at[0]]) == "" || strings.ContainsAny(text[at[0]:at[0]+1], ".,;:") ||
		strings.ContainsAny(text[max(0, at[0]-1):at[0]], ".,;:–—-")
	return begins && !words()["polite"].MatchString(text[at[2]:at[3]])
}

// Hedges reports whether a message says that the user is not sure to want what it says: "maybe move it to 2".
func Hedges(text string) bool { return words()["hedge"].MatchString(text) }
