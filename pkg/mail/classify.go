package mail

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"convene/pkg/linear"
)

//go:embed data/triage.gz
var weights []byte

// learned is the classifier that the program in train learns from mails.txt.
var learned = sync.OnceValue(func() *linear.Model[Category] {
	m, err := linear.Decode[Category](bytes.NewReader(weights))
	if err != nil {
		return &linear.Model[Category]{} // a test rules it out
	}
	return m
})

// Features are what the classifier looks at: facts of the header and of the history, and the beginning of what the mail
// says, its questions first.
func (r Reader) Features(m Message) []uint32 { return r.look(m).features() }

func (j *judged) features() (all []uint32) {
	for fact, holds := range map[string]bool{
		"known": j.Known(j.m.From.Email), "close": j.close, "stranger": !j.close, "me": j.toMe(), "others": !j.toMe(),
		"list": j.m.Signs.List, "unsubscribe": j.m.Signs.Unsubscribe, "automatic": j.m.Signs.Automatic,
		"person": !j.m.Signs.List && !j.m.Signs.Automatic, "mine": j.History.mine[j.m.InReplyTo],
		"filed": j.filed(), "deceives": j.deceives(), "disguised": j.disguised(),
	} {
		if holds {
			all = add(fact, all)
		}
	}
	for cue := range cues {
		if asks(j.said, cue) {
			all = add("says "+cue, all)
		}
	}
	var questions, rest []string
	for _, s := range sentences(j.m.Text) {
		if strings.ContainsAny(s, "?¿") {
			questions = append(questions, s+" questionmark")
		} else {
			rest = append(rest, s)
		}
	}
	return linear.Features(j.m.Subject+" "+strings.Join(slices.Concat(questions, rest), " "), all)
}

// add adds a fact, which counts twice.
func add(fact string, to []uint32) []uint32 {
	said := "fact-" + fact
	return linear.Features(said, linear.Features(said, to))
}

// odds are the probabilities of the categories that the mail can have.
func (j *judged) odds() map[Category]float64 {
	m, sum := learned(), 0.0
	odds := map[Category]float64{}
	for i, p := range m.Probabilities(j.features()) {
		c := m.Classes[i]
		many := j.m.Signs.List || j.m.Signs.Automatic
		if c == NeedsReply && j.answered() || c == CanArchive && j.close && !many {
			continue
		}
		odds[c], sum = p, sum+p
	}
	for c := range odds {
		odds[c] /= sum
	}
	return odds
}

// sentences are the sentences of a text, and its lines.
func sentences(text string) (all []string) {
	for len(text) > 0 {
		end := strings.IndexAny(text, ".!?\n")
		for end >= 0 && end+1 < len(text) && text[end] != '\n' && !strings.ContainsRune(" \n\t.!?", rune(text[end+1])) {
			next := strings.IndexAny(text[end+1:], ".!?\n")
			if end += next + 1; next < 0 {
				end = -1
			}
		}
		if end < 0 {
			end = len(text) - 1
		}
		if s := strings.TrimSpace(text[:end+1]); s != "" {
			all = append(all, s)
		}
		text = text[end+1:]
	}
	return all
}
