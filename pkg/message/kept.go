package message

import (
	"time"

	"convene/pkg/meet"
)

// Taken is the doubt about a time that the person keeps free: “That is your time for writing: Tuesday at 9:00 AM.
// Shall I use it this time?”
func (v Voice) Taken(at time.Time, kept meet.KeptTime) meet.Doubt {
	return meet.Doubt{Kind: meet.DoubtKept, Text: v.say("keptTaken", "when", v.When(at), "what", v.kept(kept, oneLine))}
}

// GaveWay says, in Markdown, that a time was not chosen, because the person keeps it free.
func (v Voice) GaveWay(at time.Time, kept meet.KeptTime) string {
	inert := func(title string, _ int) string { return v.Title(title) }
	return v.say("keptGaveWay", "when", v.When(at), "what", v.kept(kept, inert))
}

// kept is what a time is kept for, under the person's own name of it if it has one.
func (v Voice) kept(k meet.KeptTime, shown func(title string, limit int) string) string {
	if k.Title != "" {
		return v.say("keptTitle", "title", shown(k.Title, titleLimit))
	}
	return v.say("kept." + k.Key)
}
