package mail

import (
	_ "embed"
	"slices"
	"strings"

	"convene/pkg/linear"
)

//go:generate go run ./train -in train/mails.txt -out data/triage.gz

//go:embed data/triage.gz
var weights []byte

// Classifier is what the program in train has learned from mails.txt.
var Classifier = linear.Embedded[Category](weights)

// Features are what the classifier looks at: facts of the header and of the history, and the beginning of what the mail
// says, its questions first.
func (r Reader) Features(m Message) []uint32 { return r.look(m).features() }

func (j *judged) features() (all []uint32) {
	for _, fact := range []struct {
		name  string
		holds bool
	}{
		{"known", j.Known(j.m.From.Email)}, {"close", j.close}, {"stranger", !j.close}, {"me", j.toMe()},
		{"others", !j.toMe()}, {"called", j.called()}, {"list", j.m.Signs.List},
		{"unsubscribe", j.m.Signs.Unsubscribe}, {"automatic", j.m.Signs.Automatic}, {"person", !j.many()},
		{"mine", j.History.mine[j.m.InReplyTo]}, {"filed", j.filed()}, {"deceives", j.deceives()},
		{"disguised", j.disguised()}, {"commands", slices.ContainsFunc(sentences(j.m.opening()), commands)},
	} {
		if fact.holds {
			all = add(fact.name, all)
		}
	}
	for _, cue := range []string{"ask", "question", "task", "info", "sell", "many"} {
		if asks(j.said, cue) {
			all = add("says "+cue, all)
		}
	}
	var questions, rest []string
	for _, s := range sentences(j.m.opening()) {
		if strings.ContainsAny(s, "?¿") {
			questions = append(questions, s+" questionmark")
		} else {
			rest = append(rest, s)
		}
	}
	return linear.Features(j.m.Subject+" "+strings.Join(slices.Concat(questions, rest), " "), all)
}

// called reports whether the mail calls its reader by name.
func (j *judged) called() bool {
	return slices.ContainsFunc(j.Names, func(name string) bool {
		first, _, _ := strings.Cut(fold(name), " ")
		return first != "" && begins(j.said, first)
	})
}

// many reports whether the mail was sent to many, or by a program.
func (j *judged) many() bool { return j.m.Signs.List || j.m.Signs.Automatic }

// add adds a fact, which counts twice.
func add(fact string, to []uint32) []uint32 {
	said := "fact-" + fact
	return linear.Features(said, linear.Features(said, to))
}

// odds are the probabilities of the categories that the mail can have. What a person wrote to others asks its reader
// nothing, unless it calls the reader; and what someone close wrote is not to be archived, unless they wrote to many.
func (j *judged) odds() map[Category]float64 {
	m, sum := Classifier(), 0.0
	odds := map[Category]float64{}
	for i, p := range m.Probabilities(j.features()) {
		c := m.Classes[i]
		if c == NeedsReply && !j.inTo() && !j.called() || c == CanArchive && j.close && !j.many() {
			continue
		}
		odds[c], sum = p, sum+p
	}
	for c := range odds {
		odds[c] /= sum
	}
	return odds
}
