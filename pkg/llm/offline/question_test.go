package offline

import (
	"slices"
	"testing"
)

func TestQuestionsAboutAProposal(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"is it noisy there?": "", "is it quiet?": "quiet", "does the place have wifi?": "wifi",
		"how long will it take?": "length",
		"where are we meeting?":  "place", "who else is invited?": "people",
		"what time zone is that?": "zone", "what time would it be for her?": "zone", "when is that in Lisbon?": "zone",
		"what was the time again?": "when", "put it in my calendar": "",
		"is it in my calendar?": "status", "did she get an invite?": "status", "have you booked it?": "status",
		"¿ya está reservado?": "status", "זה כבר ביומן?": "status",
		"why so early?": "reason", "how far away is it?": "distance", "are they open then?": "hours",
		"somewhere with wifi?": "", "is there another place with parking?": "", "can we meet somewhere quiet?": "",
		"how about Tuesday?": "", "make it longer": "", "why don't we just have lunch instead?": "",
		"¿hay aparcamiento allí?": "parking", "¿a qué hora termina?": "length", "¿quién más viene?": "people",
		"¿dónde quedamos?": "place",
		"¿está lejos?":     "distance", "mejor otro sitio": "",
		"יש שם חניה?": "parking", "כמה זמן זה נמשך?": "length", "מי עוד מגיע?": "people",
		"איפה נפגשים?": "place", "אולי מחר?": "",
	} {
		got, _ := Asked(message, nil)
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q asks for %q, want %q", message, got, want)
		}
	}
}

// Who says yes to a proposal wants no other event.
func TestYesIsNoNewEvent(t *testing.T) {
	t.Parallel()
	before := []exchange{{User: "tea with Sam", Assistant: "I suggest tea."}}
	for _, message := range []string{
		"yes", "book it", "ok do that", "confirm it", "sí, resérvalo", "sí, confírmalo", "כן, תקבע", "כן בבקשה", "תקבעי",
	} {
		d := classifyData{Message: message, HasEvent: true, RecentTurns: before}
		if got := understand(d, someDay); !isAgreement(got) {
			t.Errorf("%q is %s", message, got.Intent)
		}
	}
}

func isAgreement(r *reading) bool {
	intent, topic := r.intent()
	return intent == converse && topic == agreement
}
