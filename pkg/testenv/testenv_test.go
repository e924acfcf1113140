package testenv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/testenv"
)

// verdict records what became of a test.
type verdict struct{ Skipped, Failed string }

func (v *verdict) Helper()                    {}
func (v *verdict) Skipf(f string, a ...any)   { v.Skipped = fmt.Sprintf(f, a...) }
func (v *verdict) Fatalf(f string, a ...any)  { v.Failed = fmt.Sprintf(f, a...) }
func (v *verdict) require(name string) string { return testenv.Require(v, name) }

func TestRequire(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here")
	if err := os.WriteFile(here, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, tt := range []struct {
		name, program, strict string
		path                  string
		want                  verdict
	}{
		{name: "installed", program: "here", path: here},
		{name: "installed, strict", program: "here", strict: "1", path: here},
		{name: "missing", program: "gone", want: verdict{Skipped: "gone is not installed"}},
		{name: "missing, strict", program: "gone", strict: "1",
			want: verdict{Failed: "gone is not installed, and CONVENE_TEST_STRICT=1 does not allow skipping"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(testenv.StrictVariable, tt.strict)
			var got verdict
			path := got.require(tt.program)
			if path != tt.path {
				t.Errorf("path = %q, want %q", path, tt.path)
			}
			// Where the test goes on after Fatalf, as it cannot with a real T, it is skipped too.
			if got.Failed != "" {
				got.Skipped = ""
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}
