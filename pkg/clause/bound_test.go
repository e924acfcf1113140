package clause_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"convene/pkg/clause"
	"convene/pkg/ground"
	"convene/pkg/testenv"
)

// Whatever a message is made of, the readers of one operation are asked for a bounded number of words: a message that
// would take more has no plan. One that nobody waits for any more is not read.
func TestTheWorkIsBounded(t *testing.T) {
	t.Parallel()
	const most = 600 // mostWords
	parts := map[string][]string{
		"en": {"if i have", "cancel the dentist", "unless", "and", "then", "#", "with", "tell al that", "more than two",
			"email yara", "make sure everyone knows about", "otherwise", "remind me an hour before", "schedule a meeting",
			",", ". "},
		"es": {"si no tengo", "cancela el dentista", "y", "luego", "#", "escribe a Carlos que", "agenda una reunión", ",",
			"con"},
		"he": {"אם אין לי", "תבטל את", "ותכתוב לקרלוס", "#", "ואז", "תקבע פגישה", "עם", ",", "אחרת"},
	}
	read := func(ctx context.Context, language, text string) (words int) {
		clause.Read(ctx, message(language, text), func(m ground.Message, shown ground.Kind) (ground.Call, bool) {
			words += len(strings.Fields(m.Text))
			return rules(m, shown)
		})
		return words
	}
	for seed := range uint64(testenv.Count(12, 400)) {
		r := rand.New(rand.NewPCG(seed, 1))
		language := []string{"en", "es", "he"}[seed%3]
		few := slices.Clone(parts[language])
		r.Shuffle(len(few), func(i, j int) { few[i], few[j] = few[j], few[i] })
		few = few[:2+r.IntN(len(few)-2)]
		var text strings.Builder
		for text.Len() < 1900 {
			word := string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26))) + "x"
			text.WriteString(strings.ReplaceAll(few[r.IntN(len(few))], "#", word) + " ")
		}
		if words := read(t.Context(), language, text.String()); words > most {
			t.Errorf("seed %d: %d words of %q were read", seed, words, text.String())
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if words := read(gone, "en", "cancel the dentist and mark the invoice as done"); words > 0 {
		t.Errorf("%d words were read for nobody", words)
	}
}
