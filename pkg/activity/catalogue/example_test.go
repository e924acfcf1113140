package catalogue_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"convene/pkg/activity/catalogue"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// A file of one's own: what comes round every Saturday.
func ExampleLoad() {
	finder, err := catalogue.Load(strings.NewReader(`{"timezone": "Europe/Amsterdam", "activities": [{
		"title": "Flower market", "venue": "Bloemenmarkt", "location": [4.89, 52.37], "tags": ["market"],
		"when": [{"days": ["sat"], "start": "10:00", "end": "12:00"}]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	monday := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	suggestions, err := finder.Suggest(context.Background(), meet.ActivityQuery{
		Text: "what's on this weekend?", Span: interval.From(monday, 7*24*time.Hour),
	})
	for _, s := range suggestions {
		fmt.Println(s.Title, s.Start.Format("Mon Jan 2 15:04"))
	}
	fmt.Println(err)
	// Output:
	// Flower market Sat Mar 7 10:00
	// <nil>
}
