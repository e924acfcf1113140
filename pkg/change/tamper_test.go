package change_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Whatever of a stored set is changed, or of its confirmation, it is refused and nothing is written.
func TestATamperedSetIsRefused(t *testing.T) {
	t.Parallel()
	build := func() (*world, meet.ChangeSet) {
		w := newWorld(3)
		changes := []meet.Change{w.retitle("t0", "A"), w.remove("t1"), w.retitle("t0", "A again")}
		start := time.Date(2026, 11, 25, 13, 0, 0, 0, time.FixedZone("", -8*3600))
		changes[0].Affects = []meet.Affected{{Name: "Al Chen & Co <al>", Email: "al@example.com"}}
		changes[0].Scope, changes[0].Target.Start, changes[0].Title = meet.ThisOne, &start, "Budget"
		return w, propose(t, w.desk(), changes)
	}
	w, set := build()
	key := "/" + string(set.ID)
	var paths [][]any
	leaves(parse(t, w.Raw[key]), nil, func(path []any) { paths = append(paths, path) })
	if len(paths) < 60 {
		t.Fatalf("only %d fields: %v", len(paths), paths)
	}
	for _, path := range paths {
		if name := fmt.Sprint(path...); name == "language" {
			continue // it is that of the answer alone
		}
		w, set := build()
		root := parse(t, w.Raw[key])
		raw, err := json.Marshal(tampered(root, path))
		if err != nil {
			t.Fatal(err)
		}
		w.Raw[key] = string(raw)
		_, err = w.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		if err == nil || len(w.made) > 0 {
			t.Errorf("with another %v it is applied", path)
		}
	}
	if applied := confirm(t, w.desk(), set); applied.Outcome != meet.AllApplied {
		t.Errorf("as it was stored: %+v", applied)
	}
	w, set = build()
	for _, digest := range []string{"", "sha256:", strings.ToUpper(set.Digest), set.Digest + "0", set.Digest[:70]} {
		if _, err := w.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: digest}); fault.CodeOf(err) !=
			change.DigestMismatch {
			t.Errorf("digest %q: %v", digest, err)
		}
	}
}

func parse(t *testing.T, raw string) (root any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// leaves calls fn with the path of every value that has no members.
func leaves(v any, path []any, fn func(path []any)) {
	at := func(step any) []any { return append(append([]any{}, path...), step) }
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			leaves(member, at(name), fn)
		}
	case []any:
		for i, item := range v {
			leaves(item, at(i), fn)
		}
	default:
		fn(path)
	}
}

// tampered is v with another value at the path.
func tampered(v any, path []any) any {
	if len(path) > 0 {
		switch step := path[0].(type) {
		case string:
			members := v.(map[string]any)
			members[step] = tampered(members[step], path[1:])
		case int:
			list := v.([]any)
			list[step] = tampered(list[step], path[1:])
		}
		return v
	}
	switch v := v.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.Add(time.Minute)
		}
		return v + "x"
	case bool:
		return !v
	case float64:
		return v + 1
	default:
		return "x"
	}
}
