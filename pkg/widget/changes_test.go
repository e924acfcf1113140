package widget_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoChanges are a move that a guest hears of, and a deletion of one of a series, which is final.
const twoChanges = `{"id":"ch_1","digest":"sha256:12","status":"pending","expiresAt":"2099-01-01T00:00:00Z",` +
	`"changes":[` +
	`{"id":"1","kind":"update","what":"event","title":"Dentist ` +
	`<b>now</b>","where":{"provider":"local"},"target":{"id":"e1"},` +
	`"before":{"id":"e1","title":"Dentist","start":"2026-11-24T14:00:00-08:00","end":"2026-11-24T15:00:00-08:00",` +
	`"allDay":false,"attendees":["al@example.com"],"location":""},"after":{"id":"e1","title":"Dentist",` +
	`"start":"2026-11-24T16:00:00-08:00","end":"2026-11-24T17:00:00-08:00","allDay":false,` +
	`"attendees":["al@example.com"],` +
	`"location":"Main St 5"},"affects":[{"name":"Al Chen","email":"al@example.com"}],"class":"R2","undoable":true,` +
	`"dependsOn":[]},{"id":"2","kind":"delete","what":"event","title":"Standup","where":{"provider":"local"},` +
	`"target":{"id":"e2"},"before":{"id":"e2","title":"Standup","start":"2026-11-25","end":"2026-11-26","allDay":true,` +
	`"attendees":[]},"after":null,"affects":[],"scope":"this","class":"R2","undoable":false,"dependsOn":[]}]}`

const theApplied = `{"changesId":"ch_1","outcome":"partly","undoUntil":"2099-01-01T00:00:00Z","changes":[` +
	`{"id":"1","outcome":"done"},{"id":"2","outcome":"skipped"}]}`

// changesOf is a set of new things of all kinds, with a text in all of their members.
func changesOf(text string) map[string]any {
	var changes []any
	for what, after := range map[string]map[string]any{
		"task": {"title": text, "description": text, "column": text, "assignee": text, "tags": []string{text}},
		"list": {"name": text, "items": []any{map[string]any{"id": "i", "text": text, "unit": text, "quantity": 1}}},
		"note": {"text": text, "tags": []string{text}}, "preference": {"key": text, "value": text, "source": text},
		"contact": {"name": text, "role": text, "notes": text, "emails": []string{text}},
	} {
		changes = append(changes, map[string]any{
			"id": what, "kind": "create", "what": what, "title": text, "where": map[string]any{"provider": text},
			"target": map[string]any{}, "before": nil, "after": after, "class": "R2", "dependsOn": []string{},
			"affects": []any{map[string]any{"name": text, "email": text}},
		})
	}
	return map[string]any{
		"id": "ch_1", "digest": "sha256:1", "status": "pending", "expiresAt": "2099-01-01T00:00:00Z", "changes": changes,
	}
}

// assistant is a server with a pending set for "clear", a question for "which", the same set applied for "yes", and a
// set that has changed meanwhile for its first cancellation. It writes down what it is told.
type assistant struct {
	url string

	mu      sync.Mutex
	lines   []string
	set     string
	cancels int
}

func newAssistant(t *testing.T) *assistant {
	t.Helper()
	a := &assistant{set: twoChanges}
	a.url = scripted(t, a.answer)
	return a
}

func (a *assistant) heard() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.lines)
}

func (a *assistant) answer(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodPost {
		a.lines = append(a.lines, r.URL.Path+" "+string(body))
	}
	w.Header().Set("Content-Type", "application/json")
	switch path := r.URL.Path; {
	case path == "/v1/turns":
		var said struct {
			Message string
			Answer  *struct{ Option string }
		}
		_ = json.Unmarshal(body, &said)
		if said.Answer != nil {
			said.Message = "answered"
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"turnId":%[1]q,"conversationId":"c1","eventsUrl":"/v1/turns/%[1]s/events"}`, said.Message)
	case strings.HasSuffix(path, "/events"):
		stream(w, a.turn(strings.Split(path, "/")[3])...)
	case strings.HasSuffix(path, "/confirm"):
		a.set = strings.Replace(a.set, `"pending"`, `"partly"`, 1)
		fmt.Fprintf(w, `{"applied":%s}`, theApplied)
	case strings.HasSuffix(path, "/undo"):
		a.set = strings.Replace(a.set, `"partly"`, `"undone"`, 1)
		fmt.Fprintf(w, `{"applied":{"changesId":"ch_1","outcome":"nothing","changes":[{"id":"1","outcome":"failed",`+
			`"reason":"It has changed since."}]},"changes":%s}`, a.set)
	case strings.HasSuffix(path, "/cancel"):
		if a.cancels++; a.cancels == 1 {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusConflict)
			fmt.Fprintf(w, `{"code":"changed","status":409,"detail":"The dentist has moved.","changes":%s}`,
				strings.ReplaceAll(a.set, "T16:00", "T16:30"))
			return
		}
		fmt.Fprintf(w, `{"changes":%s}`, strings.Replace(a.set, `"pending"`, `"cancelled"`, 1))
	default:
		fmt.Fprintf(w, `{"changes":%s}`, a.set)
	}
}

func (a *assistant) turn(id string) []string {
	switch id {
	case "clear":
		return []string{
			`{"type":"plan","planId":"pl_1","name":"Clear","steps":[{"id":"a","humanSummary":"Find what is ` +
				`on","status":"completed"},` +
				`{"id":"b","humanSummary":"Clear it","status":"waiting_for_user"}]}`,
			`{"type":"message","text":"Shall I?","composedBy":"code"}`, `{"type":"changes","changes":` + twoChanges + `}`, done,
		}
	case "yes":
		return []string{
			`{"type":"changes","changes":` + strings.Replace(twoChanges, `"pending"`, `"applying"`, 1) + `}`,
			`{"type":"applied",` + theApplied[1:], done,
		}
	case "which":
		return []string{`{"type":"choices","id":"q_1","question":"Which Sam do you ` +
			`mean?","options":[{"id":"x","label":"Sam Rivera",` +
			`"detail":"Sales"},{"id":"y","label":"Sam Ito"}],"free":true}`, done}
	default:
		return []string{`{"type":"message","text":"Thank you.","composedBy":"code"}`, done}
	}
}

// A person sees each change, ticks one off, confirms the rest and undoes it, with the keyboard's focus kept.
func TestChangesAreConfirmedByButtons(t *testing.T) {
	a := newAssistant(t)
	p := look(t, a.url, 800, 900)
	p.ask("clear")
	p.holds(`one("[part=plan]").innerText.includes("Clear it · Waiting for you")`)
	p.holds(`all("[part=change]").length === 2 && one("[part=changes] bdi").textContent === "Standup"`)
	p.holds(`all("[part=change] bdi")[0].textContent === "Dentist <b>now</b>"`) // text is never markup
	p.holds(`/2:00 – 3:00 PM/.test(one("del").textContent.replace(/\s/g, " ")) || ` +
		`/2:00.+3:00/.test(all("del")[0].textContent)`)
	p.holds(`/4:00.+5:00/.test(all("ins")[0].textContent) && all("ins")[1].textContent === "Main St 5"`)
	p.holds(`all("[part=change]")[0].innerText.includes("Al Chen will hear of it.")`)
	p.holds(`all("[part=change]")[1].innerText.includes("This cannot be undone.")`)
	p.shoot("changes-pending")
	p.audit("pending changes")
	p.text(`one("[data-change='2']").click()`)
	p.click("[part=confirm]", "Confirm")
	p.wait(`one("[part=changes] [part=status]").textContent === "Partly done"`)
	p.holds(`element().shadowRoot.activeElement === one("[part=changes]") && !one("[part=confirm]") && ` +
		`!one("input[type=checkbox]")`)
	p.holds(`one("[role=status]").textContent.includes("Partly done")`)
	p.holds(`all("[part=change]")[1].innerText.includes("Left out.")`)
	p.shoot("changes-applied")
	p.audit("applied changes")
	p.click("[part=undo]", "Undo")
	p.wait(`one("[part=changes] [part=status]").textContent === "Undone"`)
	p.holds(`!one("[part=changes] button") && ` +
		`all("[part=change]")[0].innerText.includes("Not done. It has changed since.")`)
	want := []string{
		`/v1/turns {"message":"clear","organizer":"me"}`,
		`/v1/changes/ch_1/confirm {"digest":"sha256:12","only":["1"]}`, `/v1/changes/ch_1/undo {}`,
	}
	if diff := cmp.Diff(want, a.heard()); diff != "" {
		t.Errorf("the server heard (-want +got):\n%s", diff)
	}
	p.reload()
	p.wait(`one("[part=changes]") && one("[part=changes] [part=status]").textContent === "Undone"`)
}

// A set that has changed meanwhile is shown afresh, with the reason; then it can be cancelled.
func TestChangedMeanwhileIsShownAfresh(t *testing.T) {
	a := newAssistant(t)
	p := look(t, a.url, 800, 900)
	p.ask("clear")
	p.click("[part=cancel]", "Cancel")
	p.wait(`one("[part=note]:not([hidden])")?.textContent === "The dentist has moved."`)
	p.holds(`/4:30/.test(all("ins")[0].textContent) && one("[part=confirm]:enabled")`)
	p.click("[part=cancel]", "Cancel")
	p.wait(`one("[part=changes] [part=status]").textContent === "Cancelled"`)
	p.holds(`!one("[part=changes] button")`)
}

// What a later turn did with a set shows on the list of the earlier turn too.
func TestChangesAreConfirmedInWords(t *testing.T) {
	p := look(t, newAssistant(t).url, 800, 900)
	p.ask("clear")
	p.ask("yes")
	p.holds(`all("[part=changes]").length === 2 && all("[part=confirm]").length === 0`)
	p.holds(`all("[part=changes] [part=status]").every((node) => node.textContent === "Partly done")`)
}

// A question has its answers as buttons; the one that was pressed goes as an answer, once, also after a reload.
func TestChoicesAreButtons(t *testing.T) {
	a := newAssistant(t)
	p := look(t, a.url, 800, 900)
	p.ask("which")
	p.holds(`one("legend").textContent === "Which Sam do you mean?" && all("[part=choice]").length === 2`)
	p.shoot("choices")
	p.audit("choices")
	p.click("[part=choice]", "Sam Rivera")
	p.wait("finished === 2")
	p.holds(`named("[part=choice]", "Sam Rivera").ariaPressed === "true" && named("[part=choice]", "Sam Ito").disabled`)
	p.holds(`all("[part=said]").at(-1).textContent === "Sam Rivera"`)
	want := []string{
		`/v1/turns {"message":"which","organizer":"me"}`,
		`/v1/turns {"answer":{"id":"q_1","option":"x"},"organizer":"me","conversationId":"c1"}`,
	}
	if diff := cmp.Diff(want, a.heard()); diff != "" {
		t.Errorf("the server heard (-want +got):\n%s", diff)
	}
	p.reload()
	p.wait(`all("[part=choice]").length === 2 && named("[part=choice]", "Sam Ito").disabled`)
}

// In another language everything is as if it had been in that language from the beginning, right to left in Hebrew.
func TestChangesInOtherLanguages(t *testing.T) {
	for locale, said := range map[string][3]string{
		"es": {"Cambios", "Confirmar", "Se avisará a Al Chen."}, "he": {"שינויים", "אישור", "תישלח הודעה אל Al Chen."},
	} {
		p := look(t, newAssistant(t).url, 500, 900)
		p.ask("clear")
		p.ask("which")
		p.text(fmt.Sprintf(`element().setAttribute("locale", %q)`, locale))
		shown := p.text(`all("[part=changes]")[0].innerText`)
		for _, words := range said {
			if !strings.Contains(shown, words) {
				t.Errorf("%s: %q is not in %q", locale, words, shown)
			}
		}
		p.shoot("changes-" + locale)
		p.audit("changes in " + locale)
	}
}
