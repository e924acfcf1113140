package contact

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed delete.md
var deleteWords string

// DeleteArguments name a contact.
type DeleteArguments struct {
	Contact string `json:"contact"`
}

// deleteContact deletes a contact. It is always asked about.
func deleteContact() world.Tool {
	return world.Define("contact_delete", deleteWords, trait(world.Changes, meet.DeleteResource), func(
		ctx context.Context, w *world.World, in DeleteArguments,
	) (answer world.Answer[Contacts], err error) {
		if in.Contact == "" {
			return answer, tool.BadArgument("contact", "names no contact")
		}
		all, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		c, err := one(w, all, "contact", in.Contact)
		if err != nil {
			return answer, err
		}
		answer.Data = Contacts{Contacts: []Contact{}}
		return answer, keep(ctx, w, &answer, c, nil)
	})
}
