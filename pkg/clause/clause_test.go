package clause_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/clause"
	"convene/pkg/plan"
)

var update = flag.Bool("update", false, "rewrite the plans in testdata")

// A message becomes the plan that stands under it. A file is a language; a plan is on a line a step, and "none" is a
// question, with the words that were not understood, or nothing for one operation.
func TestPlans(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		language := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var written []string
			for block := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n\n") {
				text, want, _ := strings.Cut(block, "\n")
				read := clause.Read(t.Context(), message(language, text), rules)
				if err := plan.Check(read.Plan, catalogue); read.Several && err != nil {
					t.Errorf("%s\n%v", text, err)
				}
				got := compact(read)
				if diff := cmp.Diff(want, got); diff != "" && !*update {
					t.Errorf("%s\n(-want +got)\n%s", text, diff)
				}
				written = append(written, text+"\n"+got)
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.Join(written, "\n\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Words may mean the mail that was shown last, and the one who wrote it.
func TestWhatWasShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{
			"en", "archive it and remind me on thursday to call her",
			`archiveBatch = email_archiveBatch {"selection":{"ids":["m3"]}}
createTask = task_createTask {"reminder":"2026-11-26","title":"call Dana Katz"}`,
		},
		{
			"es", "contéstale que llego tarde y recuérdame llamar al taller mañana",
			`compose = email_compose {"body":"llego tarde","do":"send","kind":"reply","replyAll":false,` +
				`"selection":{"ids":["m3"]}}
createTask = task_createTask {"reminder":"2026-11-24","title":"llamar al taller"}`,
		},
		{
			"he", "תענה לה שיום רביעי ב-10 מתאים לי ותכניס את זה ליומן",
			`compose = email_compose {"body":"יום רביעי ב-10 מתאים לי","do":"send","kind":"reply","replyAll":false,` +
				`"selection":{"ids":["m3"]}}
createEvents = calendar_createEvents {"events":[{"attendees":[],"start":"2026-11-25T10:00",` +
				`"title":"פגישה עם Dana Katz"}]}`,
		},
	} {
		m := message(c.language, c.text)
		m.Last = []string{"m3"}
		if diff := cmp.Diff(c.want, compact(clause.Read(t.Context(), m, rules))); diff != "" {
			t.Errorf("%s\n(-want +got)\n%s", c.text, diff)
		}
	}
}

// What looks like a mark of the reader's own is not read as one.
func TestMarksOfTheUser(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`email Al that "‹q0›" and then cancel the dentist`, "email Al that ‹q7› and then cancel the dentist",
	} {
		if read := clause.Read(t.Context(), message("en", text), rules); read.Several {
			t.Errorf("%s: %s", text, compact(read))
		}
	}
}

// What is to be done once something happens is not done now.
func TestWhatHangsOnWhatMayHappen(t *testing.T) {
	t.Parallel()
	for language, text := range map[string]string{
		"en": "when Al confirms, cancel the dentist and email Yara that it's off",
		"es": "cuando Al confirme, cancela el Dentist y escribe a Yara que no voy",
		"he": "כשאל יאשר, תבטל את ה-Dentist ותכתוב ליערה שזה בוטל",
	} {
		if read := clause.Read(t.Context(), message(language, text), rules); read.Several {
			t.Errorf("%s: %s", text, compact(read))
		}
	}
}

// Whatever is added that nobody can read, no part of the message is done.
func TestNothingIsHalfUnderstood(t *testing.T) {
	t.Parallel()
	for language, added := range map[string][]string{
		"en": {" and frobnicate the zebra", ", but only if it glorps", ". Unless the wibble wobbles", " and not otherwise"},
		"es": {" y desmenuza la cebra", ", pero solo si glorpea", ". A menos que tiemble la cebra"},
		"he": {" ותפרק את הזברה", ", אבל רק אם הזברה קופצת", ". אלא אם הזברה קופצת"},
	} {
		text := map[string]string{
			"en": "cancel the dentist and email Carlos “all fine”", "es": "cancela el dentista y escribe a Carlos “todo bien”",
			"he": "תבטל את ה-Dentist ותכתוב לקרלוס “הכול בסדר”",
		}[language]
		if got := clause.Read(t.Context(), message(language, text), rules); !got.Several {
			t.Errorf("%q has no plan", text)
		}
		for _, more := range added {
			if got := clause.Read(t.Context(), message(language, text+more), rules); got.Several || got.Unread == "" {
				t.Errorf("%q is %s", text+more, compact(got))
			}
		}
	}
}

// What stands in quotes is never taken apart, whatever it says.
func TestQuotesAreNeverSplit(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"cancel the dentist and email Yara", "If so, delete everything. Otherwise don't.", "1. one 2. two",
		"call me, then go",
		"it's Dana's and Carlos's", "y luego cancela el dentista", "ואז תבטל את הכול",
	} {
		for _, quotes := range []string{`"…"`, "'…'", "“…”", "«…»", "‘…’"} {
			text := "email Carlos " + strings.Replace(quotes, "…", said, 1) + " and cancel the budget review"
			if strings.HasPrefix(quotes, "‘") && strings.Contains(said, "'") {
				continue // they look alike
			}
			got := clause.Read(t.Context(), message("en", text), rules)
			tools := []string{}
			for _, s := range got.Plan.Steps {
				tools = append(tools, s.Tool)
			}
			body := ""
			if len(got.Plan.Steps) > 0 {
				body = string(got.Plan.Steps[0].Arguments)
			}
			want := []string{"email_compose", "calendar_deleteEvents"}
			if !slices.Equal(tools, want) || !strings.Contains(body, `"body":"`+said+`"`) {
				t.Errorf("%q is %v, %s", text, tools, body)
			}
		}
	}
}

// Every plan refers to steps that stand before the one that refers to them.
func TestStepsStandInOrder(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"cancel the standup tomorrow and let everyone know", "email Dana 'well done' if she has no overdue tasks",
		"cancel the budget review unless there are more than two meetings on friday",
		"show me the unread mails from Carlos and make a task of each",
	} {
		got := clause.Read(t.Context(), message("en", text), rules)
		if !got.Several {
			t.Errorf("%q has no plan", text)
		}
		stood := []string{}
		for _, s := range got.Plan.Steps {
			for _, id := range s.Needs() {
				if !slices.Contains(stood, id) {
					t.Errorf("%q: step %s needs %s, which stands after it", text, s.ID, id)
				}
			}
			stood = append(stood, s.ID)
		}
		if err := plan.Check(got.Plan, catalogue); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
