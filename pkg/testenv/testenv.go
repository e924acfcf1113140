// Package testenv finds the programs that tests run against, real servers beside the built-in ones, and says how long
// tests may take.
package testenv

import (
	"os"
	"os/exec"
)

// T is the part of testing.TB that Require needs.
type T interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// StrictVariable names the environment variable that, set to 1, makes a missing program a failure.
const StrictVariable = "CONVENE_TEST_STRICT"

// Require is the path of the program. If it is not installed, the test is skipped with the program's name, so that
// tests pass on a bare machine, or fails under CONVENE_TEST_STRICT=1, so that nothing is skipped unnoticed on a
// complete one.
func Require(t T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	Skip(t, program+" is not installed")
	return ""
}

// Skip skips the test for the reason, or fails it under CONVENE_TEST_STRICT=1.
func Skip(t T, reason string) {
	t.Helper()
	if os.Getenv(StrictVariable) == "1" {
		t.Fatalf("%s, and %s=1 does not allow skipping", reason, StrictVariable)
	}
	t.Skipf("%s", reason)
}
