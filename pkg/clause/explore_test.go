package clause_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"convene/pkg/clause"
)

func TestExplore(t *testing.T) {
	f, err := os.Open(os.Getenv("EXPLORE"))
	if err != nil {
		t.Skip()
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := lines.Text()
		if len(text) < 4 || text[0] == '#' {
			continue
		}
		fmt.Printf("• %s\n%s\n", text, compact(clause.Read(message(text[:2], text[3:]), rules)))
	}
}
