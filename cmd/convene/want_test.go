package main

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
)

// check holds a step's wants against what was seen last. Nothing that the built-in model makes of a message is in
// doubt.
func check(t *testing.T, s step, seen []any) {
	t.Helper()
	if doubts, _ := lookup(seen[len(seen)-1], "event.doubts"); doubts != nil {
		t.Errorf("step %d: in doubt: %s", s.n, text(doubts))
	}
	for _, want := range s.wants {
		if want = strings.TrimSpace(want); want == "" || strings.HasPrefix(want, "#") {
			continue
		}
		fields := strings.SplitN(want, " ", 3)
		if len(fields) != 3 {
			t.Fatalf("step %d: %q is not PATH OP VALUE", s.n, want)
		}
		value := fields[2]
		if turn, path, ok := strings.Cut(strings.TrimPrefix(value, "$"), "."); ok && strings.HasPrefix(value, "$") {
			n, _ := strconv.Atoi(turn)
			earlier, _ := lookup(seen[n-1], path)
			value = text(earlier)
		}
		found, _ := lookup(seen[len(seen)-1], fields[0])
		if got := text(found); !holds(got, fields[1], value) {
			message, _ := lookup(seen[len(seen)-1], "message.text")
			t.Errorf("step %d: %s\n got %s = %s\n message: %v", s.n, want, fields[0], got, message)
		}
	}
}

// text is a value as it stands in a want.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return cmp.Or(v, "-")
	case []any:
		if len(v) == 0 {
			return "-"
		}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func holds(got, op, want string) bool {
	switch op {
	case "=":
		return got == want
	case "!=":
		return got != want
	case "~":
		return strings.Contains(got, want)
	case "!~":
		return !strings.Contains(got, want)
	case "<":
		return compare(got, want) < 0
	case ">":
		return compare(got, want) > 0
	default:
		return false
	}
}

func compare(a, b string) int {
	if x, err := time.Parse(time.RFC3339, a); err == nil {
		if y, err := time.Parse(time.RFC3339, b); err == nil {
			return x.Compare(y)
		}
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// lookup follows a dotted path; "length" is the number of elements.
func lookup(doc any, path string) (any, bool) {
	for _, key := range strings.Split(path, ".") {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[key]
		case []any:
			if key == "length" {
				doc = float64(len(d))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(d) {
				return nil, false
			}
			doc = d[i]
		default:
			return nil, false
		}
	}
	return doc, doc != nil
}
