package redisstore

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/record"
)

var _ record.Store = Records{}

func TestRecords(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store, ctx := t.open(Config{}).Records(meet.PreferenceThing), t.Context()
		if got := must(store.Entries(ctx, "dana"))(t); len(got) != 0 {
			t.Errorf("Entries = %v before anything was kept", got)
		}
		first := record.Entry{Value: json.RawMessage(`45`), Version: 1, By: []string{"a"}}
		second := record.Entry{Value: json.RawMessage(`null`), Version: 2, By: []string{"a", "b"}}
		for _, c := range []struct {
			name          string
			before, after record.Entry
			done          bool
		}{
			{"the first", record.Entry{}, first, true},
			{"a repeat", record.Entry{}, first, true},
			{"another first", record.Entry{}, second, false},
			{"the next", first, second, true},
			{"one over what has gone", first, record.Entry{Value: json.RawMessage(`1`), Version: 2}, false},
		} {
			if got := must(store.Replace(ctx, "dana", "default_duration", c.before, c.after))(t); got != c.done {
				t.Errorf("%s: %v, want %v", c.name, got, c.done)
			}
		}
		want := map[string]record.Entry{"default_duration": second}
		if diff := cmp.Diff(want, must(store.Entries(ctx, "dana"))(t)); diff != "" {
			t.Errorf("Entries (-want +got):\n%s", diff)
		}
		if got := must(store.Entries(meet.InTenant(ctx, "other"), "dana"))(t); len(got) != 0 {
			t.Errorf("another tenant sees %v", got)
		}
	})
}
