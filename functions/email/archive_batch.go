package email

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

//go:embed archive_batch.md
var archiveBatchWords string

// ArchiveBatchArguments say which mails.
type ArchiveBatchArguments struct {
	Which
	Reason *string `json:"reason" jsonschema:"nullable"`
}

// archiveBatch moves mails to the archive: those of the inbox, if nothing says where they are.
func archiveBatch() world.Tool {
	return world.Define("email_archiveBatch", world.WithMailSelection(archiveBatchWords), changes(meet.UpdateResource),
		func(ctx context.Context, w *world.World, in ArchiveBatchArguments) (world.Answer[Changed], error) {
			return in.moved(ctx, w, mail.Archive)
		})
}

// moved moves the mails that are meant to a folder.
func (in Which) moved(ctx context.Context, w *world.World, to mail.Folder) (answer world.Answer[Changed], err error) {
	s, err := in.selection(mail.Inbox)
	if err != nil {
		return answer, err
	}
	return amended(ctx, w, s, func(is mail.State) mail.State {
		is.Folder = to
		return is
	})
}
