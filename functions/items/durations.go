package items

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed durations.md
var durationsWords string

// Durations are the data of items_durations, in minutes.
type Durations struct {
	Durations []Duration `json:"durations"`
	// TotalMinutes counts time once in which several events lie, and AllMinutes each event by itself.
	TotalMinutes   int `json:"totalMinutes"`
	AllMinutes     int `json:"allMinutes"`
	AverageMinutes int `json:"averageMinutes"`
}

// Duration is the length of one event.
type Duration struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Minutes int    `json:"minutes"`
}

// durations tells how long events last.
func durations() world.Tool {
	return world.Define("items_durations", durationsWords, trait(world.Number), func(
		_ context.Context, w *world.World, in Items,
	) (answer world.Answer[Durations], err error) {
		list, err := occurrences(w, "items", in.Items)
		if err != nil {
			return answer, err
		}
		data := Durations{Durations: []Duration{}}
		var spans []interval.Span
		for _, o := range list {
			minutes := int(o.Span.Duration() / time.Minute)
			data.Durations = append(data.Durations, Duration{o.Key(), o.Title, minutes})
			data.AllMinutes += minutes
			spans = append(spans, o.Span)
		}
		for _, s := range interval.NewSet(spans...) {
			data.TotalMinutes += int(s.Duration() / time.Minute)
		}
		answer = world.Answer[Durations]{Display: meet.CardDisplay, Title: w.Voice().Say(phrases, "durations")}
		answer.Description = counted(w, 0)
		if n := len(list); n > 0 {
			data.AverageMinutes = (data.AllMinutes + n/2) / n
			longest := slices.MaxFunc(data.Durations, func(a, b Duration) int { return a.Minutes - b.Minutes })
			answer.Description = w.Voice().Say(phrases, "lengths", "count", counted(w, n),
				"total", w.Voice().Length(data.TotalMinutes), "title", w.Voice().Title(longest.Title),
				"longest", w.Voice().Length(longest.Minutes))
		}
		answer.Data = data
		return answer, nil
	})
}
