package clause_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"convene/pkg/ground"
)

func TestProbe(t *testing.T) {
	f, err := os.Open(os.Getenv("PROBE"))
	if err != nil {
		t.Skip()
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := lines.Text()
		m := message(text[:2], text[3:])
		g := ground.Read(m)
		call, ok := rules(m, ground.Nothing)
		fmt.Printf("%s\n   G %s %.2f plain=%v denied=%v %s %s\n   R %v %s %s\n", text, g.Deed, g.Probability, g.Plain, g.Denied, g.Tool, g.Arguments, ok, call.Tool, call.Arguments)
	}
}
