package offline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	f, _ := os.Open("/tmp/w/third.txt")
	now := time.Date(2026, 3, 4, 8, 0, 0, 0, time.UTC)
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		_, msg, _ := strings.Cut(sc.Text(), "\t")
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(msg, only) {
			continue
		}
		lang := languageIn(readable(msg), nil)
		fmt.Println("##", lang, msg)
		for _, op := range operations(msg, lang, now, known{}, pointing{}) {
			sel := op.events
			raw, _ := json.Marshal(sel)
			var m map[string]any
			_ = json.Unmarshal(raw, &m)
			for k, v := range m {
				if l, is := v.([]any); v == nil || is && len(l) == 0 {
					delete(m, k)
				}
			}
			raw, _ = json.Marshal(m)
			fa := op.facts(now)
			delete(fa.values, "selection")
			r2, _ := json.Marshal(fa.values)
			fmt.Printf("   %s missing=%q aside=%q sel=%s facts=%s\n", op.verb, op.missing, op.aside, raw, r2)
		}
	}
}
