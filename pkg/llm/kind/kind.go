// Package kind tells what kind of request a first message is, in English, Hebrew and Spanish. It is a linear model over
// hashed words and pieces of words, learned from public data by the program in train, and it knows nothing of what
// went before: what depends on a conversation is for the rules in pkg/llm/offline.
package kind

import (
	_ "embed"
	"math"

	"convene/pkg/linear"
)

// The kinds. They are some of the intents of pkg/llm/offline, and have their names.
const (
	Create   = "create"
	Delete   = "delete"
	Query    = "query"
	Suggest  = "suggest"
	Reminder = "reminder"
	Cancel   = "cancel"
	Help     = "help"
	Update   = "update"
	Other    = "other"
)

// Class is what the model tells apart: a kind of request, and the family of things that it concerns (calendar, task,
// list, email, contact, preference, system or none). Several classes may have the same kind and family.
type Class struct {
	Kind, Family string
}

// Guess is what a message most probably is.
type Guess struct {
	Class
	// Confidence is the probability of the kind: of a hundred messages with confidence 0.9, about ninety are of the kind.
	Confidence float64
	// Odds are the probabilities of all kinds, and Usual what they are before anything is said.
	Odds, Usual map[string]float64
	// families are the most probable families of the kinds.
	families map[string]string
}

// FamilyOf is the most probable family of a kind; empty for one that the model was not taught.
func (g Guess) FamilyOf(kind string) string { return g.families[kind] }

// Most is the evidence for the most probable kind.
func (g Guess) Most() float64 {
	most, _ := g.Evidence(g.Kind)
	return most
}

// Evidence says how much speaks for a kind, in nats; below 0, against it. A kind that is frequent in public data need
// not be so here, so that half of its frequency does not count. It is false for a kind that the model was not taught.
func (g Guess) Evidence(kind string) (float64, bool) {
	usual, taught := g.Usual[kind]
	if !taught {
		return 0, false
	}
	even := 1 / float64(len(g.Usual))
	return math.Log(max(g.Odds[kind], leastOdds) / math.Sqrt(usual*even)), true
}

// leastOdds bounds what may speak against a kind: the public data have not everything that people say.
const leastOdds = 0.003

//go:embed weights.gz
var weights []byte

// learned is the embedded model.
var learned = linear.Embedded[Class](weights)

// Model guesses the kinds of messages.
type Model struct{ *linear.Model[Class] }

// Predict guesses the kind of a message from its first words.
func Predict(text string) Guess { return Model{learned()}.Predict(text) }

// Predict guesses the kind of a message.
func (m Model) Predict(text string) Guess {
	var room [512]uint32
	p := m.Probabilities(linear.Features(text, room[:0]))
	g := Guess{Odds: make(map[string]float64, len(m.Usual)), Usual: m.Usual, families: map[string]string{}}
	for i, c := range m.Classes {
		g.Odds[c.Kind] += p[i]
	}
	for _, c := range m.Classes {
		if odds := g.Odds[c.Kind]; odds > g.Confidence {
			g.Kind, g.Confidence = c.Kind, odds
		}
	}
	sums := map[Class]float64{}
	for i, c := range m.Classes {
		sums[c] += p[i]
	}
	for _, c := range m.Classes {
		if best := (Class{c.Kind, g.families[c.Kind]}); sums[c] > sums[best] {
			g.families[c.Kind] = c.Family
		}
	}
	g.Family = g.families[g.Kind]
	return g
}
