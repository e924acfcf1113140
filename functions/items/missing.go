package items

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed missing.md
var missingWords string

// MissingArguments are events, and others among which they are looked for.
type MissingArguments struct {
	Items
	Others []agenda.Event `json:"others"`
}

// missing lists the events that are not among others: none has the same title and time. Each of the others stands for
// one event.
func missing() world.Tool {
	return world.Define("items_missing", missingWords, trait(world.Events), func(
		_ context.Context, w *world.World, in MissingArguments,
	) (answer world.Answer[List], err error) {
		list, err := occurrences(w, "items", in.Items.Items)
		if err != nil {
			return answer, err
		}
		others, err := occurrences(w, "others", in.Others)
		if err != nil {
			return answer, err
		}
		there := map[likeness]int{}
		for _, o := range others {
			there[likenessOf(o)]++
		}
		events := []agenda.Event{}
		for i, o := range list {
			if like := likenessOf(o); there[like] > 0 {
				there[like]--
			} else {
				events = append(events, in.Items.Items[i])
			}
		}
		return listed(w, events)
	})
}

// likeness is what two copies of an event share.
type likeness struct {
	title      string
	start, end int64
}

func likenessOf(o meet.Occurrence) likeness {
	title := strings.ToLower(strings.Join(strings.Fields(o.Title), " "))
	return likeness{title, o.Span.Start.Unix(), o.Span.End.Unix()}
}
