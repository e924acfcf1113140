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
	// By is what those of a group share; the sender if nothing says it.
	By *string `json:"by" jsonschema:"nullable,enum=sender,enum=thread,enum=topic"`
}

// Groups are mails by what they share, the largest groups first.
type Groups struct {
	Groups []Group `json:"groups"`
	// More says that there are mails that were not looked at.
	More bool `json:"more"`
}

// Group are mails of one sender, thread or topic.
type Group struct {
	// Sender is the newest mail's address, and Name what the mail calls it: the sender, the thread by its subject, or the
	// topic.
	Sender   string   `json:"sender"`
	Name     string   `json:"name"`
	Count    int      `json:"count"`
	EmailIDs []string `json:"emailIds"`
}

// groupBySender groups mails by their senders, threads or topics.
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
		by := "sender"
		if in.By != nil {
			by = *in.By
		}
		groups := grouped(found.Mails, by)
		groups = slices.DeleteFunc(groups, func(g Group) bool { return g.Count < least })
		answer.Data, answer.Display = Groups{Groups: groups, More: found.More}, meet.ListDisplay
		answer.Title = w.Voice().Count(phrases, by+"s", len(groups))
		parts := append([]string{answer.Title}, groupLines(w, groups, by)...)
		if found.More {
			parts = append(parts, "", say(w, "onlyNewest"))
		}
		answer.Description = strings.Join(parts, "\n")
		return answer, nil
	})
}

// groupLines are the groups, one below the other.
func groupLines(w *world.World, groups []Group, by string) (lines []string) {
	for _, g := range groups {
		what := w.Voice().Title(g.Name)
		if by == "sender" {
			what = w.Sender(mail.Address{Name: g.Name, Email: g.Sender})
		}
		lines = append(lines, "- "+what+": "+strconv.Itoa(g.Count))
	}
	return lines
}

// grouped are mails by what they share, the largest groups first. A mail without a topic is in no group of topics.
func grouped(mails []mail.Mail, by string) []Group {
	groups, at := []Group{}, map[string]int{}
	topics := mail.Topics(mails)
	for _, m := range mails {
		key, name := strings.ToLower(m.From.Email), m.From.Name
		switch by {
		case "thread":
			key, name = cmp.Or(m.Thread, m.ID), m.Subject
		case "topic":
			key, name = topics[m.ID], topics[m.ID]
		}
		i, known := at[key]
		switch {
		case by == "topic" && key == "":
			continue
		case !known:
			i = len(groups)
			at[key], groups = i, append(groups, Group{Sender: m.From.Email, Name: name})
		}
		groups[i].EmailIDs = append(groups[i].EmailIDs, m.ID)
		groups[i].Count++
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return groups
}
