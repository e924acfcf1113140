package tool

import (
	"encoding/json"
	"testing"
)

const written = `{"rankedSlotIndices":[2,0],"note":"the \"message\": no","nested":{"message":"not this"},` +
	`"message":"Caf\u00e9 \"Zuni\" \ud83c\udf89 שלום\nend","after":1}`

// However the arguments are cut into pieces, the same text comes out and the ranks are known before it.
func TestPartialIsTheSameHoweverItIsCut(t *testing.T) {
	t.Parallel()
	var whole struct{ Message string }
	if err := json.Unmarshal([]byte(written), &whole); err != nil {
		t.Fatal(err)
	}
	for size := 1; size <= len(written); size++ {
		p := NewPartial("message")
		var got string
		for rest := written; rest != ""; {
			n := min(size, len(rest))
			text, err := p.Write(rest[:n])
			if err != nil {
				t.Fatalf("pieces of %d: %v", size, err)
			}
			rest = rest[n:]
			got += text
			var ranks struct{ RankedSlotIndices []int }
			if ok, err := p.Before(&ranks); text != "" && (!ok || err != nil || len(ranks.RankedSlotIndices) != 2) {
				t.Fatalf("pieces of %d: ranks %v, %v, %v before the text", size, ranks, ok, err)
			}
		}
		if got != whole.Message {
			t.Fatalf("pieces of %d: got %q, want %q", size, got, whole.Message)
		}
	}
}

func FuzzPartial(f *testing.F) {
	f.Add(written, 3)
	f.Add(`{"message":"\ud83c"}`, 1)
	f.Add(`{"message":"\ud80000000\u05dd\ud800"}`, 1)
	f.Add(`{"message":"\ud80000000ם"}`, 1)
	f.Add("{\"message\":\"a\x01b \xff\u2028\"}", 2)
	f.Fuzz(func(t *testing.T, arguments string, size int) {
		p, got := NewPartial("message"), ""
		for rest := arguments; rest != ""; {
			n := min(max(size, 1), len(rest))
			text, err := p.Write(rest[:n])
			if err != nil {
				return
			}
			rest, got = rest[n:], got+text
		}
		decoded := struct {
			Message *string `json:"message"`
		}{}
		// Only objects whose message is unambiguous are comparable: no repeated or differently cased keys.
		if json.Unmarshal([]byte(arguments), &decoded) != nil || decoded.Message == nil || got == "" {
			return
		}
		if again := NewPartial("message"); true {
			text, err := again.Write(arguments)
			if err != nil || text != got {
				t.Errorf("in pieces %q, at once %q (%v)", got, text, err)
			}
		}
	})
}
