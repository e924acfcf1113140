package stages_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/mailtest"
	"convene/pkg/meet"
)

// inboxOf gives the organizer of a day these mails, the first the oldest, each with its number as its id.
func inboxOf(d *dayHarness, mails ...mailtest.Given) *mail.Directory {
	files := make([]eml.File, len(mails))
	for i, m := range mails {
		files[i] = eml.File{ID: fmt.Sprint("id-", i), Folder: mail.Inbox, Content: []byte(m.Content)}
	}
	return d.day.Receives("me", files...)
}

// plansMail is a turn about mail that the model reads as one call.
func (d *dayHarness) plansMail(intent, tool, arguments string) {
	d.t.Helper()
	understood := classified(intent)
	of, _ := understood.Arguments.(functions.ClassifyArguments)
	of.Families = []string{"email"}
	understood.Arguments = of
	d.model.Say(llm.Classify, understood).Say(llm.Plan, called(d.t, tool, arguments))
}

// folders are where the organizer's mails lie, by their ids.
func folders(t *testing.T, mails *mail.Directory) map[string]mail.Folder {
	t.Helper()
	in := map[string]mail.Folder{}
	for q := (mail.Query{Folders: mail.Purposes()}); ; {
		page, err := mails.List(t.Context(), meet.Person{ID: "me"}, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Mails {
			in[m.ID] = m.Folder
		}
		if !page.More {
			return in
		}
		q.After = mail.MarkOf(page.Mails[len(page.Mails)-1])
	}
}

// Mails that were shown are meant by their numbers, in the model's calls as in the call before, which it is shown with
// the senders and without ids.
func TestMailsThatWereShownAreMeant(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil)
	mails := inboxOf(d, mailtest.Written(0, "Bea <bea@example.net>", "Lease", "Please sign it."),
		mailtest.Written(1, "Bea <bea@example.net>", "Lunch", "At one?"))
	d.plansMail("look", "email_search", `{"selection":{"from":["Bea"]}}`)
	ends(t, d.say("any mail from Bea?"), meet.OutcomeAnswered)
	d.plansMail("look", "email_readEmail", `{"selection":{"ids":["shown:2"],"from":["Bea"]}}`)
	got := d.say("open the second one")
	if !strings.Contains(got.outcome.Message, "Please sign it.") {
		t.Errorf("the second mail: %q", got.outcome.Message)
	}
	d.plansMail("act", "email_archiveBatch", `{"selection":{"ids":["shown"]}}`)
	ends(t, d.say("archive it"), meet.OutcomeChanged)
	if in := folders(t, mails); in["id-0"] != mail.Archive || in["id-1"] != mail.Inbox {
		t.Errorf("the mails lie in %v", in)
	}
	var data struct {
		Previous struct {
			Arguments struct{ Selection struct{ From, IDs []string } }
		}
		Shown struct {
			Type  string
			Count int
		}
	}
	asked := d.model.Requests()
	if err := json.Unmarshal([]byte(asked[len(asked)-1].Data), &data); err != nil {
		t.Fatal(err)
	}
	before := data.Previous.Arguments.Selection
	if !slices.Equal(before.From, []string{"Bea"}) || !slices.Equal(before.IDs, []string{"shown:1"}) ||
		data.Shown.Type != "mails" || data.Shown.Count != 1 {
		t.Errorf("the model is shown %+v", data)
	}
}
