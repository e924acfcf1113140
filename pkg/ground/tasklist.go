package ground

import (
	"strings"
)

// eachTask is a message that asks for several tasks in one sentence, with a sentence for each of them: "add a few
// tasks: call the plumber tomorrow, order paint by friday". Any other message stays as it is.
func eachTask(m Message) string {
	for _, way := range ways("tasks listed") {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil {
			continue
		}
		titles := pieces(form("and to do").ReplaceAllString(at[1], ", $1"))
		if len(titles) == 1 {
			titles = form("last join").Split(at[1], -1)
		}
		if len(titles) > 1 {
			return way.becomes + " " + strings.Join(titles, ". "+way.becomes+" ")
		}
	}
	if begins := form("task asked").FindString(m.Text); begins != "" {
		return begins + form("task too").ReplaceAllString(m.Text[len(begins):], ". $1")
	}
	return m.Text
}
