package offline

import (
	"maps"
	"slices"
	"strings"
	"testing"

	checked "convene/pkg/message"
)

// What the built-in model says at once is nothing that no model is believed.
func TestAcknowledgmentsClaimNothing(t *testing.T) {
	t.Parallel()
	says := englishTongue().Acknowledge
	texts := slices.Concat(slices.Collect(maps.Values(says.Topics)), slices.Collect(maps.Values(says.Changes)))
	for _, own := range tongues() {
		a := own.Acknowledge
		texts = append(texts, slices.Collect(maps.Values(a.Topics))...)
		texts = append(texts, slices.Collect(maps.Values(a.Changes))...)
		texts = append(texts, a.Answer, a.Page, a.Single, a.Ideas)
	}
	for _, book := range cueBooks() {
		texts = append(texts, slices.Collect(maps.Values(book.sentences))...)
	}
	if len(texts) < 100 {
		t.Fatalf("%d acknowledgments", len(texts))
	}
	for _, own := range tongues() {
		for _, refusal := range own.Acknowledge.Refusals {
			texts = append(texts, refusal.Plain)
		}
	}
	for _, text := range texts {
		said := "" // no word of it has to be the user's, but for what fills its holes
		if strings.Contains(text, "{") {
			said = text
		}
		if got, _ := checked.Acknowledgment(text, said); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
