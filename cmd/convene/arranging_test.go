package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"convene/pkg/sse"
)

// While an event is being arranged, words may also fit a task, a contact, a list or an event that stands. Nothing that
// stands is changed without being shown first.
func TestWhatIsSaidOfAnEventChangesNothingThatStands(t *testing.T) {
	t.Parallel()
	w := watch{t: t, server: wired(t, parseSettings(t, "--now=2026-11-23T08:00:00-08:00")).url()}
	before := w.stands("me")
	n := 0
	for event, words := range map[string][]string{
		"coffee with Al and Dana next week":         {"drop Al", "delete Al", "remove Dana"},
		"lunch with Dana on Tuesday":                {"call it Plan the launch party", "rename it to Shopping"},
		"meeting with Al tomorrow about the slides": {"make it the announcement"},
		"dinner with Grace on Friday":               {"move it to the library"},
		"coffee with Sam Rivera next week":          {"cancel it"},
		"coffee with Al next week": {
			"push the slides to Thursday", "clear Tuesday", "no meetings on Wednesday", "make it my standup",
			"delete the 1:1", "note the place",
		},
		"call with Al next week":                            {"not Al, Dana"},
		"call the insurance with Al on Tuesday at 4pm":      {"drop the insurance"},
		"meet Al on Tuesday to read the paper on batteries": {"push it by an hour"},
		"meet Al on Wednesday to choose the photos":         {"done", "finish the photos earlier"},
		"workshop with Dana on Monday":                      {"add eggs and bread"},
		"picnic with Al on Saturday":                        {"bring olive oil", "remove the tomatoes"},
		"flights planning with Al next week":                {"book flights to Boston instead"},
		"lunch with Al tomorrow":                            {"forget Al, take Grace", "make that high priority"},
		"café con Al y Dana la semana que viene":            {"quita a Al", "borra a Dana"},
		"comida con Dana el martes":                         {"elimina el martes"},
		"reunión con Al el miércoles sobre el anuncio":      {"cambia el anuncio al jueves"},
		"cena con Grace el viernes":                         {"cancélalo"},
		"קפה עם אל ודנה בשבוע הבא":                          {"תוריד את אל", "תמחק את דנה"},
		"ארוחת צהריים עם דנה ביום שלישי":                    {"תזיז את זה ליום רביעי"},
		"פגישה עם אל מחר על המצגת":                          {"בלי אל, עם גרייס"},
		"ארוחת ערב עם גרייס ביום שישי":                      {"תבטל"},
	} {
		for _, said := range words {
			n++
			for _, message := range []string{event, said} {
				body, err := json.Marshal(map[string]any{
					"message": message, "organizer": "me", "conversationId": fmt.Sprint("arranging", n),
				})
				if err != nil {
					t.Fatal(err)
				}
				status, answer := w.send(http.MethodPost, "/v1/turns", sse.ContentType, body)
				if status != http.StatusOK {
					t.Fatalf("%q: status %d: %s", message, status, answer)
				}
			}
			if after := w.stands("me"); after != before {
				t.Fatalf("%q after %q changes what stands:\n%s\nbefore\n%s", said, event, after, before)
			}
		}
	}
}
