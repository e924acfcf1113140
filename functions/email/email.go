package email

import (
	"context"
	_ "embed"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// say fills in one of the family's phrases.
func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

func reads() world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Reads, Needs: "mail", Gives: world.Mails, Operation: meet.ReadResource,
		Resource: meet.EmailResource,
	}
}

func changes(operation meet.Operation) world.Trait {
	is := reads()
	is.Effect, is.Operation = world.Changes, operation
	return is
}

// Which says which mails are meant: by their ids, or by a selection.
type Which struct {
	EmailIDs  []string        `json:"emailIds"`
	Selection *mail.Selection `json:"selection" jsonschema:"nullable"`
}

// selection is what is meant. Within says where mails are looked for if nothing says it.
func (in Which) selection(within mail.Folder) (s mail.Selection, err error) {
	if in.Selection != nil { // a choice between several replaces the ids
		s = *in.Selection
	} else if len(in.EmailIDs) == 0 {
		return s, tool.BadArgument("selection", "say which mails: by selection, or by emailIds")
	}
	if len(in.EmailIDs) > 0 {
		s.IDs = &in.EmailIDs
	}
	return in.inFolder(s, within), nil
}

func (in Which) inFolder(s mail.Selection, within mail.Folder) mail.Selection {
	if s.Folder == nil && s.IDs == nil && s.Thread == nil && within != "" {
		folder := string(within)
		s.Folder = &folder
	}
	return s
}

// defaultLimit is how many mails are shown if nothing says how many.
const defaultLimit = 20

func limitOf(limit *int) (int, error) {
	switch {
	case limit == nil:
		return defaultLimit, nil
	case *limit < 1 || *limit > world.MostMails:
		return 0, tool.BadArgument("limit", "must be from 1 to %d", world.MostMails)
	}
	return *limit, nil
}

// List are the data of a tool that shows mails.
type List struct {
	Emails []world.MailItem `json:"emails"`
	// Total counts the mails that fit; -1 if that is not known. More says that there are others than these.
	Total int  `json:"total"`
	More  bool `json:"more"`
	// Unread says that a mailbox could not be read, so that there may be more.
	Unread bool `json:"unread"`
}

// list is the answer that shows mails.
func list(w *world.World, found world.FoundMails) (answer world.Answer[List]) {
	answer = world.Answer[List]{
		Data: List{
			Emails: w.MailItems(found.Mails, false), Total: found.Total, More: found.More, Unread: found.Unread,
		},
		Display: meet.ListDisplay, Title: titleOf(w, found), Components: w.MailCards(found.Mails),
	}
	text := []string{answer.Title}
	if len(found.Mails) > 0 {
		text = append(text, lines(w, found.Mails, 0, nil))
		answer.Suggestions = []string{say(w, "askTriage")}
	}
	if found.Unread {
		text = append(text, w.Say("mailUnread"))
	}
	answer.Description = strings.Join(text, "\n\n")
	return answer
}

// titleOf says how many mails there are.
func titleOf(w *world.World, found world.FoundMails) string {
	n := len(found.Mails)
	switch {
	case n == 0 && found.Total > 0: // only their number is asked for
		return w.Voice().Count(phrases, "mails", found.Total)
	case n == 0:
		return w.Say("noMail")
	case found.More && found.Total > n:
		return say(w, "someOf", "n", strconv.Itoa(n), "total", strconv.Itoa(found.Total))
	case found.More:
		return say(w, "newest", "n", strconv.Itoa(n))
	}
	return w.Voice().Count(phrases, "mails", n)
}

// lines are mails one below the other, each with its marks, and numbered after so many others.
func lines(w *world.World, mails []mail.Mail, others int, marks func(i int) []string) string {
	list := make([]string, len(mails))
	for i, m := range mails {
		var with []string
		if marks != nil {
			with = marks(i)
		}
		if m.HasAttachments {
			with = append(with, say(w, "attached"))
		}
		if m.Starred {
			with = append(with, say(w, "starred"))
		}
		list[i] = strconv.Itoa(others+i+1) + ". " + w.MailLine(m, with...)
	}
	return strings.Join(list, "\n")
}

// Changed is the data of a tool that changes mails.
type Changed struct {
	// Emails are the mails as they would be.
	Emails []world.MailItem `json:"emails"`
	// Unread says that a mailbox could not be read, so that others may be missing.
	Unread bool `json:"unread"`
}

// amended is the answer with the change of each mail that is meant.
func amended(
	ctx context.Context, w *world.World, s mail.Selection, set func(mail.State) mail.State,
) (answer world.Answer[Changed], err error) {
	found, err := w.MailTargets(ctx, s)
	if err != nil {
		return answer, err
	}
	answer.Display = meet.ConfirmationDisplay
	for i, m := range found.Mails {
		to := set(m.State)
		c, same, err := w.AmendMail(m, to)
		if err != nil {
			return answer, err
		}
		if found.Mails[i].State = to; !same {
			answer.Changes = append(answer.Changes, c)
		}
	}
	answer.Data = Changed{Emails: w.MailItems(found.Mails, len(answer.Changes) > 0), Unread: found.Unread}
	answer.Components = w.MailCards(found.Mails)
	if answer.Title = w.Voice().Count(phrases, "changes", len(answer.Changes)); len(answer.Changes) == 0 {
		answer.Title = say(w, "already")
		answer.Description = answer.Title
	}
	if found.Unread {
		answer.Description = strings.TrimSpace(answer.Description + " " + w.Say("mailUnread"))
	}
	return answer, nil
}
