package widget_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aDay is a calendar file around its events.
const aDay = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n%sEND:VCALENDAR\r\n"

// entry is an event of a calendar file.
func entry(uid, title, start, end string, more ...string) string {
	lines := append([]string{
		"BEGIN:VEVENT", "UID:" + uid, "DTSTAMP:20261101T000000Z", "DTSTART:" + start, "DTEND:" + end, "SUMMARY:" + title,
	}, more...)
	return strings.Join(append(lines, "END:VEVENT"), "\r\n") + "\r\n"
}

// ownWorld is a server whose only person has two calendars, with a series and with a guest.
func ownWorld(t *testing.T) *process {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"meta.json": `{"now": "2026-11-23T08:00:00-08:00", "timezone": "America/Los_Angeles", "owner": "zoe"}`,
		"people.json": `[{"id": "zoe", "name": "Zoe Shaw", "email": "zoe@example.com"},` +
			`{"id": "tom", "name": "Tom Beck", "email": "tom@example.com"}]`,
		"calendars/zoe/work.ics": fmt.Sprintf(aDay,
			entry("budget", "Budget review", "20261124T220000Z", "20261124T230000Z",
				"ORGANIZER:mailto:zoe@example.com", "ATTENDEE;CN=Tom Beck:mailto:tom@example.com")+
				entry("sync", "Stand-up", "20261102T171500Z", "20261102T173000Z", "RRULE:FREQ=DAILY")),
		"calendars/zoe/personal.ics": fmt.Sprintf(aDay,
			entry("dentist", "Dentist", "20261125T220000Z", "20261125T230000Z")),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return start(t, []string{"serve", "--listen", "127.0.0.1:0", "--world", dir})
}

// A person looks at the own day, says by a button which event is meant, confirms a part of what is shown, and takes it
// back, with the real service.
func TestADayIsSeenAndChangedInThePage(t *testing.T) {
	p := look(t, ownWorld(t).url+"/", 1000, 900)
	p.wait(`element()?.getAttribute("organizer") === "zoe"`) // the owner, not the first by name
	p.ask("what's my week like?")
	p.holds(`one("[part=message]").innerText.includes("Budget review")`)
	p.snap("day-week")
	p.holds(`document.querySelector("#receipt").textContent.includes("Carry out")`)

	p.ask("move my 2pm to 4pm")
	p.holds(`all("[part=choice]").length === 2`)
	p.snap("day-choices")
	p.click("[part=choice]", "Budget review")
	p.wait("finished === 3")
	p.holds(`one("[part=change]").innerText.includes("Tom Beck will hear of it.")`)
	p.snap("day-pending")
	p.click("[part=confirm]", "Confirm")
	p.wait(`one("[part=changes] [part=status]").textContent === "Done"`)
	p.click("[part=undo]", "Undo")
	p.wait(`one("[part=changes] [part=status]").textContent === "Undone"`)
	p.snap("day-undone")

	p.ask("clear tomorrow")
	p.holds(`all("[part=changes]").at(-1).querySelectorAll("[part=change]").length === 2`)
	p.text(`one("[data-change='1']").click()`)
	p.text(`void fetch("/v1/tools/calendar_updateEvents", {method: "POST", ` +
		`headers: {"Content-Type": "application/json"}, ` +
		`body: JSON.stringify({organizer: "zoe", autoConfirm: true, arguments: {selection: {ids: ["budget"]}, ` +
		`set: {location: "Room 5"}}})}).then(() => { window.moved = true; })`)
	p.wait("window.moved")
	p.click("[part=confirm]", "Confirm")
	p.wait(`one("[part=note]:not([hidden])")?.textContent.includes("changed")`)
	p.holds(`all("[part=change]").length === 2 && one("[part=change]").innerText.includes("Budget")`)
	p.snap("day-changed")
	p.click("[part=confirm]", "Confirm")
	p.wait(`one("[part=changes] [part=status]").textContent === "Done"`)
	p.ask("what is on tomorrow?")
	p.holds(`all("[part=message]").at(-1).innerText.includes("Stand-up")`)
	p.holds(`!all("[part=message]").at(-1).innerText.includes("Budget")`)
	p.snap("day-cleared")
	p.audit("a day")
}
