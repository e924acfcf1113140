package workflow_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/workflow"
)

func TestRead(t *testing.T) {
	t.Parallel()
	wish := func(deed workflow.Deed, name, to string, plain bool, language string) workflow.Wish {
		return workflow.Wish{Deed: deed, Name: name, To: to, Plain: plain, Language: language}
	}
	saves := func(words, name, language string) workflow.Wish {
		return workflow.Wish{Deed: workflow.Save, Name: name, Words: words, Plain: true, Language: language}
	}
	for message, want := range map[string]workflow.Wish{
		"save “what is on today?” as my morning":               saves("what is on today?", "morning", "en"),
		"create a workflow called Month end: file the papers.": saves("file the papers", "Month end", "en"),
		"guarda «¿qué hay hoy?» como la rutina Mañanas":        saves("¿qué hay hoy?", "Mañanas", "es"),
		"שמור את ״מה יש היום״ בשם בוקר":                        saves("מה יש היום", "בוקר", "he"),
		"save “buy rice” as a note":                            {},

		"Save this as Friday clean-up, please.":        wish(workflow.Save, "Friday clean-up", "", false, "en"),
		"save that plan as “Month end”":                wish(workflow.Save, "Month end", "", true, "en"),
		"can you keep this under the name Month end?":  wish(workflow.Save, "Month end", "", true, "en"),
		"remember this as a routine: Month end":        wish(workflow.Save, "Month end", "", true, "en"),
		"turn this into a workflow":                    wish(workflow.Save, "", "", true, "en"),
		"run my month end again":                       wish(workflow.Start, "month end", "", false, "en"),
		"start the month end workflow":                 wish(workflow.Start, "month end", "", true, "en"),
		"which saved plans do I have?":                 wish(workflow.List, "", "", true, "en"),
		"what does Month end do?":                      wish(workflow.Show, "Month end", "", false, "en"),
		"rename Month end to Books closed":             wish(workflow.Rename, "Month end", "Books closed", false, "en"),
		"delete the workflow Month end":                wish(workflow.Delete, "Month end", "", true, "en"),
		"is anything still waiting for me?":            wish(workflow.History, "", "", true, "en"),
		"show me my workflow history":                  wish(workflow.History, "", "", true, "en"),
		"go on with the plan":                          wish(workflow.Resume, "", "", false, "en"),
		"Guarda este plan como Cierre":                 wish(workflow.Save, "Cierre", "", true, "es"),
		"guárdalo como cierre de mes, gracias":         wish(workflow.Save, "cierre de mes", "", false, "es"),
		"ejecuta el cierre de mes":                     wish(workflow.Start, "cierre de mes", "", false, "es"),
		"¿qué flujos de trabajo tengo?":                wish(workflow.List, "", "", true, "es"),
		"cambia el nombre de cierre de mes a Balance":  wish(workflow.Rename, "cierre de mes", "Balance", false, "es"),
		"borra la rutina cierre de mes":                wish(workflow.Delete, "cierre de mes", "", false, "es"),
		"¿qué peticiones siguen pendientes?":           wish(workflow.History, "", "", true, "es"),
		"retoma el plan":                               wish(workflow.Resume, "", "", false, "es"),
		"שמור את זה בשם סוף חודש":                      wish(workflow.Save, "סוף חודש", "", true, "he"),
		"תשמרי את זה כסוף חודש":                        wish(workflow.Save, "סוף חודש", "", false, "he"),
		"תריץ את סוף חודש בבקשה":                       wish(workflow.Start, "סוף חודש", "", false, "he"),
		"אילו תהליכים שמרתי?":                          wish(workflow.List, "", "", true, "he"),
		"שנה את השם של סוף חודש לסגירה":                wish(workflow.Rename, "סוף חודש", "סגירה", false, "he"),
		"מחק את התהליך סוף חודש":                       wish(workflow.Delete, "סוף חודש", "", true, "he"),
		"מה מחכה לי?":                                  wish(workflow.History, "", "", true, "he"),
		"תמשיך עם התוכנית":                             wish(workflow.Resume, "", "", false, "he"),
		"save this as a note":                          {},
		"guárdalo como borrador":                       {},
		"שמור את זה כטיוטה":                            {},
		"I ran the workflow of the whole office today": {},
		"move the dentist to Friday":                   {},
	} {
		got, _ := workflow.Read(message, func(workflow.Wish) bool { return true })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", message, diff)
		}
	}
}

// Words that may mean something else are no wish unless something has the name.
func TestWordsThatMayMeanSomethingElse(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"delete the dentist": false, "show my week": false, "do the dishes": false, "delete the workflow dentist": true,
		"borra el dentista": false, "מחק את התור לרופא": false, "what workflows do I have?": true,
	} {
		if _, got := workflow.Read(message, func(workflow.Wish) bool { return false }); got != want {
			t.Errorf("%s: %t, want %t", message, got, want)
		}
	}
}
