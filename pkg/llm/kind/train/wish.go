package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"convene/pkg/llm/kind"
)

//go:embed wishes.txt
var wishes string

// timesLearned is how many sentences are made of an example of wishes.txt.
const timesLearned = 40

// readWishes reads Convene's own sentences. The same file gives the same sentences.
func readWishes(classes classes, add addFunc) error {
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the choice of examples is no secret
	lists := map[string][]string{}
	for line := range strings.Lines(wishes) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, rest, ok := strings.Cut(line, ":")
		if name, list := strings.CutPrefix(head, "= "); list && ok {
			lists[name] = choices(rest)
			continue
		}
		class := slices.IndexFunc(classes.list, func(c kind.Class) bool { return c.Kind+" "+c.Family == head })
		if !ok || class < 0 {
			return fmt.Errorf("wishes.txt: %q is no class of intents.txt", head)
		}
		said := map[string]bool{}
		for range timesLearned {
			text := example(strings.TrimSpace(rest), lists, random)
			if !said[text] {
				add("train", "Convene", text, class)
			}
			said[text] = true
		}
	}
	return nil
}

func choices(list string) []string {
	all := strings.Split(list, "|")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// example fills the holes of a pattern, the innermost first.
func example(pattern string, lists map[string][]string, random *rand.Rand) string {
	for {
		end := strings.IndexByte(pattern, '}')
		start := strings.LastIndexByte(pattern[:max(0, end)], '{')
		if end < 0 || start < 0 {
			return strings.Join(strings.Fields(pattern), " ")
		}
		hole := pattern[start+1 : end]
		list, named := lists[hole]
		if !named {
			list = choices(hole)
		}
		pattern = pattern[:start] + list[random.IntN(len(list))] + pattern[end+1:]
	}
}
