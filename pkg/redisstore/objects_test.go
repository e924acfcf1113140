package redisstore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjects(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		e := t.open(clocked()).Events()
		swap := func(revision string, objects map[string]string) bool {
			return must(e.SwapObjects(t.Context(), "me", revision, objects))(t)
		}
		objects, revision, err := e.Objects(t.Context(), "me")
		if err != nil || len(objects) > 0 || revision != "" {
			t.Fatalf("before anything is changed: %v, %q, %v", objects, revision, err)
		}
		if !swap("", map[string]string{"work/a": "BEGIN:VCALENDAR\r\n", "work/b": ""}) {
			t.Error("the first change was refused")
		}
		if swap("", map[string]string{"work/a": "late"}) {
			t.Error("a change of an earlier revision was kept")
		}
		objects, revision, err = e.Objects(t.Context(), "me")
		want := map[string]string{"work/a": "BEGIN:VCALENDAR\r\n", "work/b": ""}
		if diff := cmp.Diff(want, objects); diff != "" || err != nil {
			t.Errorf("error %v, objects (-want +got):\n%s", err, diff)
		}
		if !swap(revision, map[string]string{"work/c": "C"}) {
			t.Error("the second change was refused")
		}
		if objects, _, err = e.Objects(t.Context(), "me"); len(objects) != 3 || err != nil {
			t.Errorf("after the second change: %v, %v", objects, err)
		}
		if objects, _, err = e.Objects(t.Context(), "al"); len(objects) > 0 || err != nil {
			t.Errorf("another person's: %v, %v", objects, err)
		}
	})
}

// Of many who change the same revision, one succeeds.
func TestOneOfManyChangesARevision(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		e := t.open(clocked()).Events()
		var wg sync.WaitGroup
		var swapped atomic.Int32
		for i := range 20 {
			wg.Go(func() {
				ok, err := e.SwapObjects(t.Context(), "me", "", map[string]string{"a": fmt.Sprint(i)})
				if err != nil {
					t.Errorf("SwapObjects: %v", err)
				}
				if ok {
					swapped.Add(1)
				}
			})
		}
		wg.Wait()
		if swapped.Load() != 1 {
			t.Errorf("%d changes of one revision were kept", swapped.Load())
		}
	})
}
