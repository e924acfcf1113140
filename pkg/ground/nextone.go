package ground

import (
	"strings"
	"time"
)

// atSameTime is a message that asks for another event at the hours of the one at hand, so many days after it and with
// its people, as one that says all of that: "book a follow-up with him the same time next week" is of the week after
// its day, whatever week it is now. It is empty for any other message.
func atSameTime(text string, like Likeness) string {
	for _, way := range ways("same time") {
		at := way.form.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		said := func(name string) string { return strings.TrimSpace(at[way.form.SubexpIndex(name)]) }
		people, days := strings.Join(like.People, ", "), 7
		if who := said("who"); who != "" && !form("points at them").MatchString(who) {
			people = who
		}
		if people == "" {
			return ""
		}
		if said("day") != "" {
			days = 1
		}
		day := like.Start.AddDate(0, 0, days).Format(time.DateOnly)
		hours := like.Start.Format("15:04") + like.End.Format("-15:04")
		return strings.NewReplacer("{what}", said("what"), "{with}", people, "{when}", day+" "+hours).Replace(way.becomes)
	}
	return ""
}
