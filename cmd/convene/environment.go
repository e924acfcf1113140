package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const (
	ourPrefix = "CONVENE_"
	// testPrefix begins the variables that tests read.
	testPrefix = ourPrefix + "TEST_"
)

// strayVariables has a sentence for each variable with our prefix that nothing reads, with the likely intended one.
func strayVariables(app *kong.Application, environ []string) (strays []string) {
	var known []string
	for _, command := range app.Leaves(false) {
		for _, flag := range command.Flags {
			known = append(known, flag.Envs...)
		}
	}
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, ourPrefix) || strings.HasPrefix(name, testPrefix) || slices.Contains(known, name) {
			continue
		}
		text := "nothing reads " + name
		if near := nearest(name, known); near != "" {
			text = fmt.Sprintf("nothing reads %s; do you mean %s?", name, near)
		}
		strays = append(strays, text)
	}
	return strays
}

// nearest is the known name with the fewest edits; empty if none is near.
func nearest(name string, known []string) (best string) {
	own := strings.TrimPrefix(name, ourPrefix)
	least := len(own)/3 + 1
	for _, k := range known {
		if d := edits(own, strings.TrimPrefix(k, ourPrefix)); d < least {
			best, least = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
