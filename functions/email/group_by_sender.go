package email

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed group_by_sender.md
var groupBySenderWords string

// GroupBySenderArguments say which mails; those of the inbox if nothing does.
type GroupBySenderArguments struct {
	Which
	MinGroupSize *int `json:"minGroupSize" jsonschema:"nullable"`
}

// Groups are mails by their senders, the largest groups first.
type Groups struct {
	Groups []Group `json:"groups"`
	// More says that there are mails that were not looked at.
	More bool `json:"more"`
}

// Group are the mails of one sender.
type Group struct {
	// Sender is the address, and Name what the newest of the mails calls it.
	Sender   string   `json:"sender"`
	Name     string   `json:"name"`
	Count    int      `json:"count"`
	EmailIDs []string `json:"emailIds"`
}

// groupBySender groups mails by their senders' addresses.
func groupBySender() world.Tool {
	return world.Define("email_groupBySender", world.WithMailSelection(groupBySenderWords), reads(), func(
		ctx context.Context, w *world.World, in GroupBySenderArguments,
	) (answer world.Answer[Groups], err error) {
		if in.Selection == nil && len(in.EmailIDs) == 0 {
			in.Selection = &mail.Selection{}
		}
		least := 1
		if in.MinGroupSize != nil {
			if least = *in.MinGroupSize; least < 1 {
				return answer, tool.BadArgument("minGroupSize", "must be at least 1")
			}
		}
		s, err := in.selection(mail.Inbox)
		if err != nil {
			return answer, err
		}
		found, err := w.FindMails(ctx, s, world.MostMails)
		if err != nil {
			return answer, err
		}
		groups := grouped(found.Mails)
		groups = slices.DeleteFunc(groups, func(g Group) bool { return g.Count < least })
		answer.Data, answer.Display = Groups{Groups: groups, More: found.More}, meet.ListDisplay
		answer.Title = w.Voice().Count(phrases, "senders", len(groups))
		parts := []string{answer.Title}
		for _, g := range groups {
			who := w.Sender(mail.Address{Name: g.Name, Email: g.Sender})
			parts = append(parts, "- "+who+": "+strconv.Itoa(g.Count))
		}
		if found.More {
			parts = append(parts, "", say(w, "onlyNewest"))
		}
		answer.Description = strings.Join(parts, "\n")
		return answer, nil
	})
}

// grouped are mails by their senders' addresses, the largest groups first.
func grouped(mails []mail.Mail) []Group {
	groups := []Group{}
	for _, m := range mails {
		i := slices.IndexFunc(groups, func(g Group) bool { return strings.EqualFold(g.Sender, m.From.Email) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, Group{Sender: m.From.Email, Name: m.From.Name})
		}
		groups[i].EmailIDs = append(groups[i].EmailIDs, m.ID)
		groups[i].Count++
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return groups
}
