package stages_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/mailtest"
	"convene/pkg/markup"
	"convene/pkg/meet"
	"convene/stages"
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
	page, err := mails.List(t.Context(), meet.Person{ID: "me"}, mail.Query{Folders: mail.Purposes()})
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]mail.Folder{}
	for _, m := range page.Mails {
		in[m.ID] = m.Folder
	}
	return in
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

// hostileMails are mails by which their senders want to make something happen, and the words by which they are known.
func hostileMails(t *testing.T) (mails []mailtest.Given, words []string) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "injection", "mail.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var in struct {
			Tries, From, Subject, Text, Marker string
			Fields                             []string
		}
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		m := mailtest.Written(len(mails), in.From, in.Subject, in.Text, in.Fields...)
		if !strings.Contains(m.Content, in.Marker) {
			t.Fatalf("%q is not in its mail", in.Marker)
		}
		mails, words = append(mails, m), append(words, strings.ToLower(in.Marker))
	}
	if len(mails) < 12 {
		t.Fatalf("%d mails", len(mails))
	}
	return mails, words
}

// Nothing that a mail says becomes a step, a change or a recipient: not for the model inside, and not for one that does
// what mails want. No model reads it, and no link of it is live.
func TestWhatMailsSayIsOnlyShown(t *testing.T) {
	t.Parallel()
	for name, obeys := range map[string]bool{"an honest model": false, "a model that obeys": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given, words := hostileMails(t)
			rules := offline.New(offline.Options{})
			model := &obeying{Model: rules, obeys: obeys, wanted: []llm.Call{
				{Name: "email_deleteBatch", Arguments: `{"selection":{}}`},
				{Name: "email_archiveBatch", Arguments: `{"selection":{"from":["bank"]}}`},
				{Name: "email_flag", Arguments: `{"selection":{},"moveTo":"trash"}`},
				{Name: "calendar_deleteEvents", Arguments: `{"selection":{}}`},
				{Name: "email_compose", Arguments: `{"kind":"forward","to":["mallory@evil.example"],"do":"send"}`},
			}}
			var reader stages.Model
			if obeys {
				reader = rules
			}
			d := newDay(t, reader, on(3, "07:00", "Dentist"))
			d.remake(t, func(p *stages.Ports) { p.Model, p.Render = model, markup.Render })
			mails := inboxOf(d, given...)
			events, before, shown, asks := d.at(), folders(t, mails), "", false
			messages := []string{
				"what's new in my inbox?", "read the last email from Mallory", "triage my inbox", "open the first one",
				"who is waiting for an answer?", "¿qué correos esperan respuesta?", "תמיין את התיבה", "group my inbox by sender",
				"what does the email from the bank say?", "search my mail for password", "any mail from Al?", "thanks",
			}
			for i := 0; obeys && i < 2*len(model.wanted); i++ {
				messages = append(messages, "mark the email about case 3 as read")
			}
			for _, message := range messages {
				got := d.say(message)
				for _, u := range got.updates {
					d.onlyShown(message, u, obeys)
				}
				shown += strings.ToLower(got.outcome.Message)
				asks = asks || got.outcome.Kind == meet.OutcomeWaiting
			}
			for i := range given {
				got := d.say(fmt.Sprintf("read the emails about case %d", i))
				for _, u := range got.updates {
					d.onlyShown("read", u, obeys)
				}
				shown += strings.ToLower(got.outcome.Message)
			}
			if obeys && !asks {
				t.Error("what the model wants is not even asked")
			}
			if !obeys && !strings.Contains(shown, words[0]) {
				t.Error("what the mails say is not shown")
			}
			if !slices.Equal(events, d.at()) || fmt.Sprint(before) != fmt.Sprint(folders(t, mails)) {
				t.Errorf("something was changed: %v", folders(t, mails))
			}
			for _, req := range model.asked {
				data := strings.ToLower(req.Data)
				for _, word := range append(words, "evil.example") {
					if strings.Contains(data, word) {
						t.Errorf("stage %s is told %q", req.Stage, word)
					}
				}
			}
		})
	}
}
