package ground

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// useOffered keeps the user's own free time that was listed last, or some of it: "block it for reading", "put a walk in
// the second one". Of several times it has to be said which one is meant.
func useOffered(m Message) Reading {
	var looked struct{ People []string }
	own := slices.Contains([]string{"schedule_findGaps", "calendar_findTimes", "calendar_findEvents"}, m.Before.Tool)
	if !own || json.Unmarshal(m.Before.Arguments, &looked) != nil || len(looked.People)+len(m.People) > 0 {
		return Reading{}
	}
	said, ok := keptOffered(m.Text)
	if !ok {
		return Reading{}
	}
	i := len(m.Offered) - 1
	switch nth := strings.ToLower(said["nth"]); {
	case nth == "" && i > 0:
		return Reading{Deed: "block_create", Probability: 1, Other: 1, Denied: true}
	case nth != "" && !words()["last"].MatchString(nth):
		i = slices.IndexFunc([]string{"first", "second", "third", "fourth"}, func(name string) bool {
			return words()[name].MatchString(nth)
		})
	}
	length := newReading(m).setting().Read(said["length"], m.Now).Duration
	if i < 0 || i >= len(m.Offered) || said["length"] != "" && length == 0 {
		return Reading{}
	}
	start, end := m.Offered[i].Start.In(m.Now.Location()), m.Offered[i].End.In(m.Now.Location())
	block := arguments{
		"type": "blocked", "title": cmp.Or(said["what"], blocked[strings.Split(m.Language, "-")[0]]),
		"date":      interval.DateOf(start).String(),
		"startTime": interval.ClockOf(start).String(), "endTime": interval.ClockOf(end).String(),
	}
	if length > 0 {
		block["durationMinutes"] = int(length / time.Minute)
	}
	return undoubted("block_create", createBlock, block)
}

// keptOffered is what a message says of time that was listed: which one, how long, and for what. It is not ok if the
// message says anything else, or only that time is to be used and not for what.
func keptOffered(text string) (said map[string]string, ok bool) {
	for _, way := range ways("keep offered") {
		at := way.form.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		said = map[string]string{}
		for i, name := range way.form.SubexpNames() {
			said[name] = strings.TrimSpace(at[i])
		}
		if said["title"] != "" && said["what"] != "" {
			continue
		}
		said["what"] = cmp.Or(said["what"], said["title"])
		return said, said["it"]+said["itself"] != "" && (said["keeps"] != "" || said["what"] != "")
	}
	return nil, false
}
