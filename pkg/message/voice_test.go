package message

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// voiceNow is a Monday morning.
func voiceNow(t *testing.T) time.Time {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2028, time.March, 6, 9, 0, 0, 0, zone)
}

// clockAt is a time of the day that lies some days after voiceNow's.
func clockAt(now time.Time, days, hour int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+days, hour, 0, 0, 0, now.Location())
}

func spanOf(now time.Time, days, hour, minutes int) interval.Span {
	start := clockAt(now, days, hour)
	return interval.Span{Start: start, End: start.Add(time.Duration(minutes) * time.Minute)}
}

func TestADayIsNamedAsPeopleNameIt(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	for _, c := range []struct {
		days       int
		en, es, he string
	}{
		{-2, "Saturday, March 4", "sábado 4 de marzo", "יום שבת, 4 במרץ"},
		{-1, "yesterday", "ayer", "אתמול"},
		{0, "today", "hoy", "היום"},
		{1, "tomorrow", "mañana", "מחר"},
		{2, "Wednesday", "miércoles", "יום רביעי"},
		{6, "Sunday", "domingo", "יום ראשון"},
		{7, "Monday, March 13", "lunes 13 de marzo", "יום שני, 13 במרץ"},
		{301, "Monday, January 1, 2029", "lunes 1 de enero de 2029", "יום שני, 1 בינואר 2029"},
	} {
		for language, want := range map[string]string{"en": c.en, "es-MX": c.es, "he": c.he, "fr": c.en} {
			if got := NewVoice(language, now).Day(clockAt(now, c.days, 12)); got != want {
				t.Errorf("%s, %d days ahead: %q, want %q", language, c.days, got, want)
			}
		}
	}
	if got := NewVoice("en", now).Day(clockAt(now, 1, 3).UTC()); got != "tomorrow" {
		t.Errorf("a day is one of the zone of now: %q", got)
	}
}

func TestADayStandsInASentence(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	want := map[string][2]string{
		"en": {"today", "on Wednesday"}, "es": {"hoy", "el miércoles"}, "he": {"היום", "ביום רביעי"},
	}
	for language, said := range want {
		v := NewVoice(language, now)
		if got := [2]string{v.OnDay(now), v.OnDay(clockAt(now, 2, 8))}; got != said {
			t.Errorf("%s: %q, want %q", language, got, said)
		}
	}
}

func TestASpanSaysNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	for _, c := range []struct {
		name       string
		span       interval.Span
		allDay     bool
		en, es, he string
	}{
		{"within an afternoon", spanOf(now, 1, 14, 60), false,
			"tomorrow, 2:00–3:00 PM", "mañana, 14:00–15:00", "מחר, \u206814:00–15:00\u2069"},
		{"over noon", spanOf(now, 1, 11, 120), false,
			"tomorrow, 11:00 AM–1:00 PM", "mañana, 11:00–13:00", "מחר, \u206811:00–13:00\u2069"},
		{"over midnight", spanOf(now, 4, 22, 180), false,
			"Friday, 10:00 PM–1:00 AM", "viernes, 22:00–1:00", "יום שישי, \u206822:00–01:00\u2069"},
		{"for days", spanOf(now, 1, 14, 2*24*60), false, "tomorrow at 2:00 PM – Thursday at 2:00 PM",
			"mañana a las 14:00 – jueves a las 14:00", "מחר בשעה 14:00 – יום חמישי בשעה 14:00"},
		{"all day", spanOf(now, 1, 0, 24*60), true, "tomorrow, all day", "mañana, todo el día", "מחר, כל היום"},
		{"whole days", spanOf(now, 1, 0, 3*24*60), true,
			"tomorrow – Thursday", "mañana – jueves", "מחר – יום חמישי"},
	} {
		for language, want := range map[string]string{"en": c.en, "es": c.es, "he": c.he} {
			if got := NewVoice(language, now).Span(c.span, c.allDay); got != want {
				t.Errorf("%s in %s: %q, want %q", c.name, language, got, want)
			}
		}
	}
}

func TestALengthIsSaidAsPeopleSayIt(t *testing.T) {
	t.Parallel()
	for minutes, want := range map[int][3]string{
		0:       {"0 minutes", "0 minutos", "0 דקות"},
		1:       {"1 minute", "1 minuto", "דקה אחת"},
		45:      {"45 minutes", "45 minutos", "45 דקות"},
		60:      {"an hour", "una hora", "שעה"},
		90:      {"an hour and a half", "una hora y media", "שעה וחצי"},
		120:     {"2 hours", "2 horas", "שעתיים"},
		150:     {"2.5 hours", "2 horas y media", "שעתיים וחצי"},
		195:     {"3 hours and 15 minutes", "3 horas y 15 minutos", "3 שעות ו־15 דקות"},
		24 * 60: {"a day", "un día", "יום"},
		48 * 60: {"2 days", "2 días", "יומיים"},
	} {
		for i, language := range []string{"en", "es", "he"} {
			if got := NewVoice(language, time.Now()).Length(minutes); got != want[i] {
				t.Errorf("%d minutes in %s: %q, want %q", minutes, language, got, want[i])
			}
		}
	}
}

func TestAListJoinsAllItsItems(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	for _, c := range []struct {
		language, want string
		items          []string
	}{
		{"en", "", nil},
		{"en", "A", []string{"A"}},
		{"en", "A, B, C, D, E, F, G and H", strings.Split("ABCDEFGH", "")},
		{"es", "Ana e Iris", []string{"Ana", "Iris"}},
		{"he", "דן ונועה", []string{"דן", "נועה"}},
		{"he", "דן ו־Al", []string{"דן", "Al"}},
	} {
		if got := NewVoice(c.language, now).List(c.items); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.language, c.items, got, c.want)
		}
	}
}

func TestTextsOfOthersStayTexts(t *testing.T) {
	t.Parallel()
	v := NewVoice("en", voiceNow(t))
	hostile := meet.Occurrence{
		Title:    "**Done** [here](https://evil.test) \u202e<b>x</b>",
		Location: "# Room\n\n1. https://evil.test/a",
		Span:     spanOf(v.now, 0, 10, 30),
		Attendees: []meet.Attendee{
			{Name: "_Al_", Email: "al@example.com"}, {Email: "b*o@example.com"}, {Self: true, Name: "Me"},
		},
	}
	got := v.Event(hostile)
	for _, raw := range []string{"](http", "<b>", "\u202e", "\n", "_Al_ ", "b*o@", "[here]", "https://"} {
		if strings.Contains(strings.ReplaceAll(strings.ReplaceAll(got, `\[`, ""), `\]`, ""), raw) {
			t.Errorf("%q stands in %q", raw, got)
		}
	}
	if got := v.Title("https://evil.test"); strings.Contains(got, "evil.test") {
		t.Errorf("a title that is an address: %q", got)
	}
	if got := v.Title(" "); got != "an event without a title" {
		t.Errorf("an empty title: %q", got)
	}
}

func TestAnEventIsOneLine(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	me := meet.Attendee{Name: "Me", Email: "me@example.com", Self: true, Answer: meet.Declined}
	for _, c := range []struct {
		event  meet.Occurrence
		en, he string
	}{
		{meet.Occurrence{Title: "Dentist", Span: spanOf(now, 1, 14, 60), Location: "Main St 5"},
			"2:00–3:00 PM **Dentist**, at Main St 5",
			"\u206814:00–15:00\u2069 **\u2068Dentist\u2069**, ב־\u2068Main St 5\u2069"},
		{meet.Occurrence{Title: "תכנון", Span: spanOf(now, 1, 9, 90), Tentative: true,
			Attendees: []meet.Attendee{me, {Name: "Al Chen", Email: "al@example.com"}, {Name: "נועה", Email: "n@example.com"}}},
			"9:00–10:30 AM **תכנון**, with Al Chen and נועה (tentative, declined)",
			"\u206809:00–10:30\u2069 **תכנון**, עם \u2068Al Chen\u2069 ונועה (לא סופי, נדחה)"},
		{meet.Occurrence{Title: "Writing", Kind: meet.WorkBlock, Span: spanOf(now, 1, 0, 24*60), AllDay: true},
			"all day **Writing** (work block)", "כל היום **\u2068Writing\u2069** (זמן עבודה)"},
	} {
		for language, want := range map[string]string{"en": c.en, "he": c.he} {
			if got := NewVoice(language, now).Event(c.event); got != want {
				t.Errorf("%s: %q, want %q", language, got, want)
			}
		}
	}
}

func TestAnAgendaIsGroupedByDaysAndCountsTheRest(t *testing.T) {
	t.Parallel()
	v := NewVoice("en", voiceNow(t))
	var events []meet.Occurrence
	for i := range 3 {
		events = append(events, meet.Occurrence{Title: string(rune('A' + i)), Span: spanOf(v.now, i/2, 10+i, 60)})
	}
	want := "**Today**\n- 10:00–11:00 AM **A**\n- 11:00 AM–12:00 PM **B**\n\n**Tomorrow**\n- 12:00–1:00 PM **C**"
	if diff := cmp.Diff(want, v.Agenda(events)); diff != "" {
		t.Error(diff)
	}
	if got := v.Agenda(events[:1]); got != "- 10:00–11:00 AM **A**" {
		t.Errorf("on one day: %q", got)
	}
	for range 50 {
		events = append(events, events[2])
	}
	if got := v.Agenda(events); !strings.HasSuffix(got, "\n\n… and 13 more") {
		t.Errorf("a long list: %q", got[len(got)-60:])
	}
}

func TestARepetitionIsSaidOrStandsAsItIs(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	for rule, want := range map[string]string{
		"FREQ=WEEKLY":                       "every week",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO":   "every 2 weeks on Monday",
		"FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4":   "every week on Tuesday and Thursday, 4 times",
		"FREQ=DAILY;UNTIL=20280401T030000Z": "every day until Friday, March 31",
		"FREQ=MONTHLY;BYDAY=2TU":            "FREQ=MONTHLY;BYDAY=2TU",
		"FREQ=MONTHLY;BYMONTHDAY=-1":        "FREQ=MONTHLY;BYMONTHDAY=-1",
		"FREQ=SECONDLY":                     "FREQ=SECONDLY",
		"":                                  "",
	} {
		if got := NewVoice("en", now).Repetition(rule); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// amended is the change of an amendment, with the number n of its set.
func amended(t *testing.T, now time.Time, n string, a agenda.Amendment) meet.Change {
	t.Helper()
	c, err := a.Change(now.Location())
	if err != nil {
		t.Fatal(err)
	}
	c.ID, c.Class = n, meet.R2
	return c
}

// dentist is an event of the afternoon of the next day.
func dentist(now time.Time) meet.Occurrence {
	return meet.Occurrence{
		Provider: "local", Calendar: "work", UID: "dentist", Title: "Dentist", Span: spanOf(now, 1, 14, 60),
		Attendees: []meet.Attendee{
			{Name: "Me", Email: "me@example.com", Self: true}, {Name: "Al Chen", Email: "al@example.com"},
		},
	}
}

func ptr[T any](v T) *T { return &v }

func TestEachChangeIsSaidInWords(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	alone := dentist(now)
	alone.Attendees = nil
	series := alone
	series.RecurrenceID = series.Span.Start
	guest := meet.Attendee{Name: "Ana", Email: "ana@example.com"}
	update := func(e meet.Occurrence, f agenda.Fields) agenda.Amendment {
		return agenda.Amendment{Kind: agenda.Update, Event: e, Set: f}
	}
	for _, c := range []struct {
		name       string
		amend      agenda.Amendment
		en, es, he string
	}{
		{"a move within its day", update(alone, agenda.Fields{Span: ptr(spanOf(now, 1, 16, 60))}),
			"Move **Dentist** from tomorrow, 2:00–3:00 PM to 4:00–5:00 PM",
			"Mover **Dentist**: mañana, 14:00–15:00 → 16:00–17:00",
			"להעביר את **\u2068Dentist\u2069** ממחר, \u206814:00–15:00\u2069 ל־\u206816:00–17:00\u2069"},
		{"a move of a guest's event", update(dentist(now), agenda.Fields{Span: ptr(spanOf(now, 2, 14, 60))}),
			"Move **Dentist** from tomorrow, 2:00–3:00 PM to Wednesday, 2:00–3:00 PM; Al Chen will hear of it",
			"Mover **Dentist**: mañana, 14:00–15:00 → miércoles, 14:00–15:00; se avisará a Al Chen",
			"להעביר את **\u2068Dentist\u2069** ממחר, \u206814:00–15:00\u2069 ליום רביעי, \u206814:00–15:00\u2069; תישלח הודעה " +
				"אל \u2068Al Chen\u2069"},
		{"a new title", update(alone, agenda.Fields{Title: ptr("Check-up")}),
			"Rename **Dentist** to **Check-up**", "Cambiar el título de **Dentist** a **Check-up**",
			"לשנות את השם **\u2068Dentist\u2069** לשם **\u2068Check-up\u2069**"},
		{"one of a series", agenda.Amendment{Kind: agenda.Delete, Event: series, Scope: meet.ThisOne},
			"Delete **Dentist**, tomorrow, 2:00–3:00 PM; only this one of the series",
			"Eliminar **Dentist**, mañana, 14:00–15:00; solo este de la serie",
			"למחוק את **\u2068Dentist\u2069**, מחר, \u206814:00–15:00\u2069; רק המופע הזה של הסדרה"},
		{"a new guest", update(alone, agenda.Fields{Invite: []meet.Attendee{guest}}),
			`Invite Ana (ana@example.com) to **Dentist**, tomorrow, 2:00–3:00 PM; Ana will hear of it`,
			`Invitar a Ana (ana@example.com) a **Dentist**, mañana, 14:00–15:00; se avisará a Ana`,
			"להזמין את \u2068Ana\u2069 (\u2068ana@example.com\u2069) אל **\u2068Dentist\u2069**, מחר, " +
				"\u206814:00–15:00\u2069; תישלח הודעה אל \u2068Ana\u2069"},
		{"several fields", update(alone, agenda.Fields{Location: ptr("Room 5"), Visibility: ptr(meet.Private)}),
			"Change **Dentist**, tomorrow, 2:00–3:00 PM: place none → Room 5; visibility none → private",
			"Cambiar **Dentist**, mañana, 14:00–15:00: lugar nada → Room 5; visibilidad nada → privado",
			"לשנות את **\u2068Dentist\u2069**, מחר, \u206814:00–15:00\u2069: מקום אין ← \u2068Room 5\u2069; חשיפה אין ← פרטי"},
		{"an answer", agenda.Amendment{Kind: agenda.Respond, Event: dentist(now), Answer: meet.Declined},
			"Decline **Dentist**, tomorrow, 2:00–3:00 PM; Al Chen will hear of it",
			"Rechazar **Dentist**, mañana, 14:00–15:00; se avisará a Al Chen",
			"לדחות את ההזמנה אל **\u2068Dentist\u2069**, מחר, \u206814:00–15:00\u2069; תישלח הודעה אל \u2068Al Chen\u2069"},
	} {
		change := amended(t, now, "1", c.amend)
		for language, want := range map[string]string{"en": c.en, "es": c.es, "he": c.he} {
			got := NewVoice(language, now).Changes(meet.ChangeSet{Changes: []meet.Change{change}}, nil)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s:\n%s", c.name, language, diff)
			}
		}
	}
}

func TestACreationShowsAllThatIsWritten(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	e := dentist(now)
	e.Title, e.Kind, e.Recurrence, e.Location = "Focus", meet.WorkBlock, "FREQ=WEEKLY;BYDAY=TU", "Library"
	e.Description = "see https://example.com/plan\nand bring it"
	change := amended(t, now, "1", agenda.Amendment{Kind: agenda.Create, Event: e})
	change.Undoable = false
	want := `Add **Focus**, tomorrow, 2:00–3:00 PM, at Library, with Al Chen (al@example.com) ` +
		"(work block, repeats every week on Tuesday, notes: see `https://example.com/plan` and bring it, calendar: work)" +
		"; Al Chen will hear of it; this cannot be undone"
	if diff := cmp.Diff(want, NewVoice("en", now).Change(change)); diff != "" {
		t.Error(diff)
	}
}

func TestAPreferenceIsSaidWithItsValue(t *testing.T) {
	t.Parallel()
	v := NewVoice("en", voiceNow(t))
	for after, want := range map[string]string{
		`{"start":"12:00","end":"13:00","days":["monday","friday"]}`: "Set **Lunch hours** to start 12:00, end 13:00, " +
			"days Monday and Friday",
		`true`: "Set **Lunch hours** to yes", `45`: "Set **Lunch hours** to 45", `[]`: "Set **Lunch hours** to none",
		`null`: "Forget **Lunch hours**", `{"startTime":null}`: "Set **Lunch hours** to start time none",
	} {
		c := meet.Change{What: meet.PreferenceThing, Title: "Lunch hours", After: json.RawMessage(after), Undoable: true}
		if got := v.Change(c); got != want {
			t.Errorf("%s: %q, want %q", after, got, want)
		}
	}
}

func TestWhatCameOfChangesIsToldOneByOne(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	alone := dentist(now)
	alone.Attendees = nil
	var set meet.ChangeSet
	for n := range strings.SplitSeq("1234", "") {
		alone.Title = "Visit " + n
		set.Changes = append(set.Changes, amended(t, now, n, agenda.Amendment{Kind: agenda.Delete, Event: alone}))
	}
	applied := &meet.Applied{Outcome: meet.PartlyApplied, Changes: []meet.ChangeResult{
		{ID: "1", Outcome: meet.ChangeDone}, {ID: "2", Outcome: meet.ChangeFailed, Reason: "The calendar did not answer."},
		{ID: "3", Outcome: meet.ChangeUnknown},
	}}
	want := "Not everything could be done:\n\n" +
		"1. Deleted **Visit 1**, tomorrow, 2:00–3:00 PM\n" +
		"2. **Not done:** Delete **Visit 2**, tomorrow, 2:00–3:00 PM. The calendar did not answer.\n" +
		"3. **Not certain:** Delete **Visit 3**, tomorrow, 2:00–3:00 PM. " +
		"It may or may not have been done; please look before you ask again.\n" +
		"4. **Left out:** Delete **Visit 4**, tomorrow, 2:00–3:00 PM."
	if diff := cmp.Diff(want, NewVoice("en", now).Changes(set, applied)); diff != "" {
		t.Error(diff)
	}
}

func TestAnUndoneSetIsNotToldAsDone(t *testing.T) {
	t.Parallel()
	now := voiceNow(t)
	set := meet.ChangeSet{Status: meet.ChangesUndone}
	for n := range strings.SplitSeq("123", "") { // the third was left out when the set was applied
		event := meet.Occurrence{UID: n, Title: "Visit " + n, Span: spanOf(now, 1, 14, 60)}
		set.Changes = append(set.Changes, amended(t, now, n, agenda.Amendment{Kind: agenda.Delete, Event: event}))
	}
	undo := &meet.Applied{Outcome: meet.PartlyApplied, Changes: []meet.ChangeResult{
		{ID: "1", Outcome: meet.ChangeDone}, {ID: "2", Outcome: meet.ChangeFailed, Reason: "It has changed since."},
	}}
	want := "Undone:\n\n1. Delete **Visit 1**, tomorrow, 2:00–3:00 PM\n" +
		"2. **Not undone:** Delete **Visit 2**, tomorrow, 2:00–3:00 PM. It has changed since."
	if diff := cmp.Diff(want, NewVoice("en", now).Changes(set, undo)); diff != "" {
		t.Error(diff)
	}
	undo.Changes = undo.Changes[:1]
	want = "Undone:\n\nDelete **Visit 1**, tomorrow, 2:00–3:00 PM"
	if diff := cmp.Diff(want, NewVoice("en", now).Changes(set, undo)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryLanguageHasEveryPhrase(t *testing.T) {
	t.Parallel()
	for language, phrases := range sayings() {
		for name, english := range sayings()["en"] {
			own, ok := phrases[name]
			if !ok {
				t.Errorf("%s lacks %q", language, name)
			}
			for _, hole := range strings.Split(english, "{")[1:] {
				hole, _, _ = strings.Cut(hole, "}")
				if !strings.Contains(own, "{"+hole+"}") {
					t.Errorf("%s: %q lacks {%s}", language, name, hole)
				}
			}
		}
	}
}

// What cannot be taken back is not offered to be.
func TestUndoIsOfferedForWhatCanBeUndone(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "es", "he"} {
		v := NewVoice(language, time.Now())
		all := v.Undo(meet.ChangeSet{Changes: []meet.Change{{Undoable: true}, {Undoable: true}}})
		rest := v.Undo(meet.ChangeSet{Changes: []meet.Change{{Undoable: true}, {Kind: "send", What: "email"}}})
		if all == "" || rest == "" || all == rest {
			t.Errorf("%s: %q where all can be undone, and %q where a mail was sent", language, all, rest)
		}
	}
}
