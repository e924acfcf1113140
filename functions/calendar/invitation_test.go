package calendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/functions/world"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

// invitation is a mail with a calendar object of an hour, the day after tomorrow at four.
func invitation(id, from, method, uid, title string) eml.File {
	const day = 2

	start := time.Date(now.Year(), now.Month(), now.Day()+day, 16, 0, 0, 0, zone).UTC()
	const layout = "20060102T150405Z"
	return eml.File{ID: id, Folder: mail.Inbox, Content: []byte(strings.Join([]string{
		"From: " + from, "To: mia@example.com", "Subject: " + title, "Message-ID: <" + id + "@x>",
		"Date: " + now.Format(time.RFC1123Z), "Content-Type: text/calendar; method=" + method, "",
		"BEGIN:VCALENDAR", "METHOD:" + method, "BEGIN:VEVENT", "UID:" + uid, "SUMMARY:" + title,
		"DTSTART:" + start.Format(layout), "DTEND:" + start.Add(time.Hour).Format(layout),
		"ORGANIZER;CN=Ada Byron:mailto:ada@example.com", "ATTENDEE:mailto:mia@example.com",
		"ATTENDEE:mailto:sam.poe@example.com", "END:VEVENT", "END:VCALENDAR",
	}, "\r\n"))}
}

// mailed is a world with these mails.
func mailed(w *world.World, files ...eml.File) *world.World {
	boxes := map[meet.PersonID]eml.Mailbox{me.ID: func() ([]eml.File, error) { return files, nil }}
	w.Mail = mail.NewCopy(mail.Directory{Providers: []mail.Provider{
		eml.New(record.Book{Store: recordtest.Shelf{}}, recordtest.Shelf{}, boxes),
	}}, me)
	w.Invitation = func(object []byte) (meet.Occurrence, error) {
		return icalendar.Invitation(object, icalendar.OwnedBy(me))
	}
	return w
}

const ofAda = "Ada Byron <ada@example.com>"

// An invitation that only a mail has is put into the calendar with the answer, after its owner was asked, and without
// its guests, so that no calendar invites them in the owner's name.
func TestAnInvitationOfAMailIsPutIntoTheCalendar(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string]string{
		"by its mail": `{"selection":{},"emailId":"m1","answer":"tentative"}`,
		"by words":    `{"selection":{"titleHas":["roadmap"]},"answer":"tentative"}`,
		"by its host": `{"selection":{"with":["Ada"]},"answer":"tentative"}`,
	} {
		w := mailed(worldOf(at(2, "16:30", "Clash")), invitation("m1", ofAda, "REQUEST", "road@x", "Roadmap"))
		r := call(t, w, "calendar_respond", arguments)
		if diff := cmp.Diff([]string{"create Roadmap → 2027-03-11T16:00"}, lines(t, r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
			continue
		}
		c, made := r.Changes[0], data[calendar.Changed](t, r)
		if c.Class != meet.R2 || len(c.Affects) > 0 || len(made.Events[0].Attendees) > 0 ||
			made.Events[0].Status != "tentative" || len(made.Conflicts) != 1 {
			t.Errorf("%s: %+v, %+v", name, c, made)
		}
	}
}

// What stands in the calendar as an invitation is answered there.
func TestAnInvitationOfAMailThatIsInTheCalendar(t *testing.T) {
	t.Parallel()
	invites := invitation("m1", ofAda, "REQUEST", "roadmap", "Roadmap")
	w := mailed(worldOf(at(2, "16:00", "Roadmap", invitedBy(ada))), invites)
	r := call(t, w, "calendar_respond", `{"selection":{},"emailId":"m1","answer":"accepted"}`)
	if len(r.Changes) != 1 || r.Changes[0].Kind != meet.RespondThing {
		t.Errorf("%+v", r.Changes)
	}
}

// An own copy follows the answer, and the invitation.
func TestAnInvitationThatWasCopied(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][]string{
		`"declined"`: {"delete Roadmap 2027-03-11T09:00"},
		`"accepted"`: {"update Roadmap 2027-03-11T09:00 → 2027-03-11T16:00"},
	} {
		w := mailed(worldOf(at(2, "09:00", "Roadmap")), invitation("m1", ofAda, "REQUEST", "roadmap", "Roadmap"))
		r := call(t, w, "calendar_respond", `{"selection":{},"emailId":"m1","answer":`+answer+`}`)
		if diff := cmp.Diff(want, lines(t, r)); diff != "" || r.Changes[0].Class != meet.R2 {
			t.Errorf("%s: %s", answer, diff)
		}
	}
}

func TestWhatCannotBeAnswered(t *testing.T) {
	t.Parallel()
	plain := eml.File{ID: "m2", Folder: mail.Inbox, Content: []byte("From: a@x\r\nSubject: Hi\r\n\r\nHello")}
	hostile := invitation("m4", ofAda, "REQUEST", "../../x y", "Trap")
	files := []eml.File{
		invitation("m1", ofAda, "REQUEST", "road@x", "Roadmap"), plain,
		invitation("m3", ofAda, "CANCEL", "off@x", "Off"), hostile,
	}
	for arguments, want := range map[string]string{
		`"emailId":"m1","selection":{},"answer":"declined"`:                "answer the mail to decline",
		`"emailId":"m2","selection":{},"answer":"accepted"`:                "invites you to nothing",
		`"emailId":"m3","selection":{},"answer":"accepted"`:                "has been called off",
		`"selection":{"titleHas":["off"]},"answer":"accepted"`:             "There is no",
		`"selection":{"titleHas":["nothing of that"]},"answer":"accepted"`: "There is no",
		`"selection":{"with":["Ada"]},"answer":"accepted"`:                 "Which one",
		`"emailId":"nowhere","selection":{},"answer":"accepted"`:           "No mail",
	} {
		r := call(t, mailed(worldOf(), files...), "calendar_respond", "{"+arguments+"}")
		if r.Response.Error == nil || !strings.Contains(r.Response.Error.Message, want) || len(r.Changes) > 0 {
			t.Errorf("%s: %+v, %v", arguments, r.Response.Error, r.Changes)
		}
	}
	r := call(t, mailed(worldOf(), files...), "calendar_respond", `{"emailId":"m4","selection":{},"answer":"accepted"}`)
	if id := data[calendar.Changed](t, r).Events[0].ID; strings.ContainsAny(id, "/ ") {
		t.Errorf("the name %q that others chose was kept", id)
	}
	forged := invitation("m5", "Eve <eve@evil.example>", "REQUEST", "e@x", "Bank")
	r = call(t, mailed(worldOf(), forged), "calendar_respond", `{"emailId":"m5","selection":{},"answer":"accepted"}`)
	if said := r.Response.Display.Description; !strings.Contains(said, "not from the event's organizer") {
		t.Error(said)
	}
}
