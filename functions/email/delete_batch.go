package email

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

//go:embed delete_batch.md
var deleteBatchWords string

// deleteBatch moves mails to the trash. Nothing is deleted for good.
func deleteBatch() world.Tool {
	return world.Define("email_deleteBatch", world.WithMailSelection(deleteBatchWords), changes(meet.DeleteResource),
		func(ctx context.Context, w *world.World, in Which) (world.Answer[Changed], error) {
			return in.moved(ctx, w, mail.Trash)
		})
}
