package ground

import (
	"slices"
	"strings"
)

// InFull is a message with what it leaves unsaid, and without what asks for nothing: said as a wish, a move or an order
// that can be read by itself. Arranging says that an event is being arranged.
func InFull(m Message, arranging bool) string {
	for _, way := range ways("other words") {
		m.Text = way.form.ReplaceAllString(m.Text, way.becomes)
	}
	m.Text = withApostrophes(m.Text)
	m.Text = asAway(m)
	m.Text = eachTask(m)
	m.Text = asNote(m)
	if arranging {
		for _, way := range ways("of arranged") {
			m.Text = way.form.ReplaceAllString(m.Text, way.becomes)
		}
		m.Text = withoutObstacle(m)
	} else {
		m.Text = form("unwilling").ReplaceAllString(m.Text, "decline the ")
	}
	m.Text = asLook(m.Text, arranging)
	m.Text = withoutKept(asReply(asMailToo(m)))
	m.Text = asCancelling(m)
	return asWish(asMove(m))
}

// withApostrophes is a text in which a time has the apostrophe that is left out behind it, before what is then: "next
// weeks review" becomes "next week's review". A plural stays: "mondays at 7", "the next weeks", "gym on fridays".
func withApostrophes(text string) string {
	for _, at := range slices.Backward(form("of a time").FindAllStringSubmatchIndex(text, -1)) {
		before := strings.Fields(text[:at[2]])
		plural := form("before plural")
		if at[4] >= 0 {
			plural = form("before days")
		}
		several := len(before) > 0 && plural.MatchString(before[len(before)-1])
		if !several && !form("after plural").MatchString(text[at[6]:at[7]]) {
			text = text[:at[3]] + "'" + text[at[3]:]
		}
	}
	return text
}

// withoutKept is a message that takes something away without an end that only says what stays as it is: "I won't be at
// the gym on Friday, but I will on Wednesday". What it takes from a whole ("all of the week, but not Thursday") is no
// such end.
func withoutKept(text string) string {
	head := form("kept end").ReplaceAllString(text, "")
	if form("takes away").MatchString(head) && !form("all of them").MatchString(head) {
		return head
	}
	return text
}

// withoutObstacle is a message that first says what stands in the way, and then when instead, without that: "oh
// no, I have lunch with the team that day. Tuesday then". What has to be is no such reason, and stays.
func withoutObstacle(m Message) string {
	for _, way := range ways("in the way") {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil || form("bounding").MatchString(at[1]) || !form("other thing").MatchString(at[1]) {
			continue
		}
		said := (&reading{Message: m}).setting().Read(at[2], m.Now)
		if len(said.Dates) > 0 || said.Exact != nil || !said.Hours.Empty() || form("drops it").MatchString(at[2]) {
			return at[2]
		}
	}
	return m.Text
}

// CallsIt reports whether a message only says what the thing at hand is to be called: what that names is not meant.
func CallsIt(text string) bool { return form("calling it").MatchString(text) }

// MakesIt reports whether a message only says what the event at hand is to be: "let's make it a coffee".
func MakesIt(text string) bool { return form("making it").MatchString(text) }
