package functions

import (
	"encoding/json"
	"slices"
	"testing"

	"convene/functions/items"
	"convene/functions/world"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/prompts"
)

// Each tool that a model may call is in a bundle, unless it is pure and serves plans alone.
func TestEachToolIsInABundle(t *testing.T) {
	t.Parallel()
	offered := map[string]bool{}
	for _, b := range bundles {
		for _, name := range b.Tools {
			offered[name] = true
		}
	}
	for _, one := range Tools() {
		mayBe := !one.Bare && one.Family != items.Family
		if mayBe && !offered[one.Name()] {
			t.Errorf("%s is in no bundle", one.Name())
		}
		if one.Bare && offered[one.Name()] {
			t.Errorf("a model is offered %s", one.Name())
		}
	}
}

// A bundle is small enough to choose from, long enough to be cached, and the same every time.
func TestBundlesAreFixed(t *testing.T) {
	t.Parallel()
	const mostTools, bytesPerToken, cached = 20, 4, 1024
	library, err := prompts.New()
	if err != nil {
		t.Fatal(err)
	}
	first, second := promptsOf(t, library), promptsOf(t, library)
	for i, b := range bundles {
		if len(b.Tools) > mostTools {
			t.Errorf("bundle %s has %d tools", b.Name, len(b.Tools))
		}
		if len(slices.Compact(slices.Sorted(slices.Values(b.Tools)))) < len(b.Tools) {
			t.Errorf("bundle %s has a tool twice", b.Name)
		}
		if first[i] != second[i] {
			t.Errorf("the prompt of bundle %s differs from time to time", b.Name)
		}
		if tokens := len(first[i]) / bytesPerToken; tokens < cached {
			t.Errorf("the prompt of bundle %s has %d tokens, want %d for a cache", b.Name, tokens, cached)
		}
	}
}

// promptsOf are the static parts of each bundle's request: the tools and the instructions.
func promptsOf(t *testing.T, library prompts.Library) (all []string) {
	t.Helper()
	box, err := NewToolbox(Tools())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bundles {
		understood := meet.Understanding{Intent: b.Intent, Families: b.Families}
		name, set := box.Offer(understood)
		if name != b.Name {
			t.Errorf("bundle %s is not offered for its own intent and families, but %s is", b.Name, name)
		}
		prompt, err := library.Plan(name, prompts.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		tools, err := json.Marshal(set.Tools())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(set.Tools(), func(offer llm.Tool) bool { return offer.Name == ClarifyName }) {
			t.Errorf("bundle %s offers no way to ask", b.Name)
		}
		all = append(all, prompt.System+string(tools))
	}
	return all
}

// Two tools of one name, or a bundle with a tool that does not exist, are mistakes of the registry.
func TestAToolboxThatDoesNotFitItsBundles(t *testing.T) {
	t.Parallel()
	all := Tools()
	for name, tools := range map[string][]world.Tool{"twice": append(all, all[0]), "missing": all[1:]} {
		if _, err := NewToolbox(tools); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
