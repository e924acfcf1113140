package email

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed flag.md
var flagWords string

// FlagArguments are what to change of mails.
type FlagArguments struct {
	Which
	Read         *bool    `json:"read" jsonschema:"nullable"`
	Starred      *bool    `json:"starred" jsonschema:"nullable"`
	AddLabels    []string `json:"addLabels"`
	RemoveLabels []string `json:"removeLabels"`
	MoveTo       *string  `json:"moveTo" jsonschema:"nullable"`
}

// flag marks mails as read or unread, stars and labels them, or moves them to a folder.
func flag() world.Tool {
	return world.Define("email_flag", world.WithMailSelection(flagWords), changes(meet.UpdateResource), func(
		ctx context.Context, w *world.World, in FlagArguments,
	) (answer world.Answer[Changed], err error) {
		if in.Read == nil && in.Starred == nil && len(in.AddLabels)+len(in.RemoveLabels) == 0 && in.MoveTo == nil {
			return answer, tool.BadArgument("read", "say what to change: read, starred, addLabels, removeLabels or moveTo")
		}
		s, err := in.selection(mail.Inbox)
		if err != nil {
			return answer, err
		}
		return amended(ctx, w, s, in.set)
	})
}

// set is a state with what the arguments name.
func (in FlagArguments) set(is mail.State) mail.State {
	if in.Read != nil {
		is.Read = *in.Read
	}
	if in.Starred != nil {
		is.Starred = *in.Starred
	}
	if in.MoveTo != nil {
		is.Folder = mail.FolderCalled(strings.TrimSpace(*in.MoveTo))
	}
	among := func(list []string) func(string) bool {
		return func(one string) bool {
			return slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(strings.TrimSpace(o), one) })
		}
	}
	is.Labels = slices.DeleteFunc(slices.Clone(is.Labels), among(in.RemoveLabels))
	for _, label := range in.AddLabels {
		if label = strings.TrimSpace(label); !among(is.Labels)(label) {
			is.Labels = append(is.Labels, label)
		}
	}
	return is
}
