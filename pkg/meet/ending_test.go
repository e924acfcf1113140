package meet_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// A turn that another process takes over goes on with the stored draft, or ends as it would have ended.
func TestDraftIsStoredWithItsEnding(t *testing.T) {
	t.Parallel()
	question := &meet.Question{
		Text: "Which Tom?", Message: "tea with Tom", Name: "Tom", Choices: []meet.Person{{ID: "a", Name: "Tom Abel"}},
	}
	for name, c := range map[string]struct {
		ending meet.Ending
		member string
	}{
		"none":       {nil, ""},
		"a page":     {meet.Navigate("https://book.example/tom"), "Navigate"},
		"a question": {question, "Question"},
		"forgotten":  {meet.SuggestionForgotten, "Missed"},
		"begun":      {meet.SuggestionBegun, "Missed"},
	} {
		draft := meet.Draft{
			Mode: meet.ModeEdit, Template: meet.Template{Title: "Tea"}, People: []meet.Person{{Name: "Ruth"}}, OnlyThen: true,
			Edit: &meet.Edit{ChangedTime: true}, Ending: c.ending,
		}
		raw, err := json.Marshal(draft)
		if err != nil {
			t.Fatal(err)
		}
		var got meet.Draft
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(draft, got); diff != "" {
			t.Errorf("%s (-stored +read):\n%s", name, diff)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatal(err)
		}
		for _, member := range []string{"Ending", "Navigate", "Question", "Missed"} {
			if _, written := members[member]; written != (member == c.member) {
				t.Errorf("%s: member %s is written: %t", name, member, written)
			}
		}
	}
}
