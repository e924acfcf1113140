package testenv

import "os"

// SoakVariable names the environment variable that, set to 1, lets long tests run in full.
const SoakVariable = "CONVENE_SOAK"

// Soak reports whether long tests run in full, as under `go tool task soak`. Otherwise they run a sample.
func Soak() bool { return os.Getenv(SoakVariable) == "1" }

// Count is the number of cases of a long test: all in a soak, some otherwise.
func Count(some, all int) int {
	if Soak() {
		return all
	}
	return some
}

// Sample is all of the cases in a soak. Otherwise it is some, spread evenly and the same in every run.
func Sample[C any](some int, cases []C) []C {
	n := min(Count(some, len(cases)), len(cases))
	sample := make([]C, n)
	for i := range sample {
		sample[i] = cases[i*len(cases)/n]
	}
	return sample
}
