package eval

import (
	"encoding/json"
	"time"

	"convene/pkg/meet"
)

// searched is the conversation before an edit, in the form of the adversarial set; other sets give a list of turns.
type searched struct {
	User     string    `json:"user"`
	Template *Template `json:"template"`
	Offered  []struct {
		Start time.Time `json:"start"`
		End   time.Time `json:"end"`
	} `json:"offered"`
}

// earlier is the conversation that an item's context describes.
func earlier(raw json.RawMessage, zone *time.Location) meet.Conversation {
	var talk meet.Conversation
	var turns []struct{ Role, Text string }
	if json.Unmarshal(raw, &turns) == nil {
		for _, t := range turns {
			if t.Role == "user" {
				talk.History = append(talk.History, meet.Exchange{User: t.Text})
			} else if n := len(talk.History); n > 0 {
				talk.History[n-1].Assistant = t.Text
			}
		}
		return talk
	}
	var before searched
	if json.Unmarshal(raw, &before) != nil || before.Template == nil {
		return talk
	}
	talk.History = []meet.Exchange{{User: before.User}}
	talk.Search = &meet.Search{Template: before.Template.template()}
	for _, o := range before.Offered {
		talk.Search.OfferedSlots = append(talk.Search.OfferedSlots, meet.Slot{Start: o.Start.In(zone), End: o.End.In(zone)})
	}
	if offers := talk.Search.OfferedSlots; len(offers) > 0 {
		talk.Search.Event = &meet.Event{Start: offers[0].Start, End: offers[0].End, Timezone: zone.String()}
	}
	return talk
}
