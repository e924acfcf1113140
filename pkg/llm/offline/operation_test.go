package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/llm"
)

// wednesday is when the messages of these tests are written.
var wednesday = time.Date(2026, time.March, 4, 8, 40, 0, 0, time.UTC)

func TestOperationsAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		book, err := readOperations(language)
		if err != nil {
			t.Fatal(err)
		}
		told := map[verb]bool{}
		for _, w := range book.ways {
			if _, known := duties[w.verb]; !known {
				t.Errorf("%s: no tool does %q", language, w.verb)
			}
			told[w.verb] = true
		}
		for v := range duties {
			if !told[v] {
				t.Errorf("%s has no way to say %q", language, v)
			}
		}
		if len(replyBooks()[language]) == 0 {
			t.Errorf("%s has no replies", language)
		}
		for _, m := range []missing{
			missesWhich, missesWhen, missesText, missesSpan, missesAll, missesForm, "tool", "unread",
		} {
			if tongueOf(language).Clarify[m] == "" {
				t.Errorf("%s does not ask for %q", language, m)
			}
		}
	}
}

func TestWaysThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"move", "move: ", "move: {nothing}", "move: NOCLASS {which}"} {
		if _, _, err := readWays(text, english); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// A verb, a selection and a change are each read by a rule of their own, so that any of them go together.
func TestOperation(t *testing.T) {
	t.Parallel()
	meant := known{contacts: []zoned{{Name: "Ines", Said: []string{"Ines"}}, {Name: "רותם", Said: []string{"רותם"}}}}
	for _, c := range []struct{ message, want string }{
		{"what's on today?", "view [2026-03-04T00:00 2026-03-05T00:00]"},
		{"show me everything with Ines next week", "view [2026-03-09T00:00 2026-03-16T00:00] with Ines"},
		{"how many events do I have tomorrow", "count [2026-03-05T00:00 2026-03-06T00:00]"},
		{"when is my next haircut", "when haircut start 1"},
		{"who's coming to the kickoff?", "who kickoff"},
		{"am I free tomorrow at 2?", "free 2026-03-05 14:00"},
		{"when am I free on friday", "gaps 2026-03-06"},
		{"how busy is friday?", "busy 2026-03-06"},
		{"move my 10am to 1pm", "move 10:00-10:00 13:00"},
		// What is said of a day off holds for the request that follows.
		{"friday is a holiday, remove the kickoff", "delete [2026-03-06T00:00 2026-03-07T00:00] kickoff"},
		{"I'm off on friday. Move the kickoff to 4pm", "move [2026-03-06T00:00 2026-03-07T00:00] kickoff 16:00"},
		{"clear friday and the rest of the week", "delete [2026-03-06T00:00 2026-03-09T00:00]"},
		{"make friday's kickoff 3 to 4", "move [2026-03-06T00:00 2026-03-07T00:00] kickoff 15:00"},
		{"scratch the kickoff", "delete kickoff"},
		{"cant make the kickoff, take it off my calendar", "delete kickoff"},
		{"delete all the standups for good, not just this week", "delete standup scope all"},
		{"cancel recurring events", "delete ?all"},
		{"push the haircut back by half an hour", "move haircut by 30m0s"},
		{"bring forward the haircut by 20 minutes", "earlier haircut by -20m0s"},
		{"rename the kickoff to Launch party", "rename kickoff \"Launch party\""},
		{"add Ines to the kickoff on friday", "add [2026-03-06T00:00 2026-03-07T00:00] kickoff who Ines"},
		{"clear friday except the focus block", "none"},
		{"clear friday except the haircut", "delete [2026-03-06T00:00 2026-03-07T00:00] except haircut"},
		{
			"cancel all calls tomorrow but not the one with Ines",
			"delete [2026-03-05T00:00 2026-03-06T00:00] call except Ines",
		},
		{"decline the kickoff", "decline kickoff"},
		{"block 2 to 4 tomorrow for sketching", "block 2026-03-05 14:00 \"sketching\""},
		{"what's the longest event i have tomorrow", "find [2026-03-05T00:00 2026-03-06T00:00] -duration 1"},
		{"תקצר את התספורת ל-20 דקות", "length התספורת by 20m0s"},
		{"make friday lighter", "lighten 2026-03-06"},
		{"delete everything", "delete ?all"},
		{"move the kickoff", "move kickoff ?when"},
		{"cancel it", "delete ?which"},
		{"cancel the kickoff if it snows", "delete ?none"},
		{"cancel a table for two", "none"},
		{"don't cancel the kickoff", "none"},
		{"is there anything after the seminar?", "none"},
		{"cancel the call after my seminar", "delete ?none"},
		{"¿qué hay durante el seminario?", "none"},
		{"מה יש לי אחרי הסמינר", "none"},
		{"what's on after lunch on friday", "view [2026-03-06T00:00 2026-03-07T00:00] 13:00-17:00"},
		{"swap the karate to 6:15", "move karate 18:15"},
		{"put the seminar half an hour earlier", "earlier seminar by -30m0s"},
		{"the seminar is in room 7 on friday", "place [2026-03-06T00:00 2026-03-07T00:00] seminar 2026-03-06 \"room 7\""},
		{"the kickoff will be on floor 3", "place kickoff \"floor 3\""},
		{"move the seminar to the Lima room", "place seminar \"Lima room\""},
		{"el seminario es en el aula 4", "place seminario \"aula 4\""},
		{"הסמינר בקומה 5", "place הסמינר \"קומה 5\""},
		{"mueve la llamada con Ines a las tres", "move llamada with Ines 15:00"},
		{"delete all my judo lessons", "delete judo lesson scope all"},
		{"borra todas las clases de judo", "delete clases de judo scope all"},
		{"delete all my judo lessons this week", "delete [2026-03-04T00:00 2026-03-09T00:00] judo lesson"},
		{"how many events do i have tomorrow, and list them", "find [2026-03-05T00:00 2026-03-06T00:00]"},
		{"when is the seminar and who is in it", "find seminar"},
		{"cuándo es el seminario y dónde", "find seminario"},
		{"מתי הסמינר ואיפה", "find הסמינר"},
		{"tell Ines i can't make the seminar", "decline seminar who Ines"},
		{"dile a Ines que no puedo ir al seminario", "decline seminario who Ines"},
		{"תגיד לרותם שאני לא יכול להגיע לסמינר", "decline סמינר who רותם"},
		{"let Ines know the seminar was great", "report who Ines \"the seminar was great\""},
		{"no meetings tomorrow", "avoid 2026-03-05 ?often"},
		{"can we do the seminar at 3 instead of 1", "move 13:00-13:00 seminar 15:00"},
		{"the seminar is now at 4", "move seminar 16:00"},
		{"put a nap on my calendar friday 2 to 3", "block 2026-03-06 14:00 \"nap\""},
		{"block friday 9 till noon, name it Taxes", "block 2026-03-06 09:00 \"Taxes\""},
		{"bloquea el viernes de 9 a mediodía, llámalo Impuestos", "block 2026-03-06 09:00 \"Impuestos\""},
		{"תחסום את יום שישי מ-9 עד 12, תקרא לזה מיסים", "block 2026-03-06 09:00 \"מיסים\""},
		{"scrap the 1:1 with Ines pls 🙏", "delete 1:1 with Ines"},
		{"Ines is ill. cancel tomorrow's call with her", "delete [2026-03-05T00:00 2026-03-06T00:00] call with Ines"},
		{"cancel the call with her", "delete call ?which"},
		{"רותם חולה. תבטל את הפגישה איתו מחר", "delete [2026-03-05T00:00 2026-03-06T00:00] with רותם"},
		{"how long is the seminar", "long seminar"},
		{"what are the notes on the seminar", "notes seminar"},
		{"list everything called retro", "view retro"},
		{"who is the seminar with", "who seminar"},
		{"¿con quién es el seminario?", "who seminario"},
		{"call the tooth thing 'Dentist' instead", "rename tooth \"Dentist\""},
		{"cambia el nombre del seminario a Curso", "rename seminario \"Curso\""},
		{"fold the seminar into the offsite", "none"},
		{
			"from April on the seminar with Ines starts at 5",
			"move [2026-04-01T00:00 2026-04-29T00:00] seminar with Ines 17:00 scope following",
		},
		{"skip the seminar, my back hurts", "delete seminar"},
		{"would you mind moving the seminar to 4pm", "move seminar 16:00"},
		{
			"move everything on friday afternoon an hour later",
			"move [2026-03-06T00:00 2026-03-07T00:00] 12:00-17:00 by 1h0m0s",
		},
		{"reserve two hours for taxes friday from 10", `block 2026-03-06 "taxes"`},
		{"block two hours for taxes friday afternoon", `block 2026-03-06 "taxes"`},
		{"make the seminar a 25 minute one", "length seminar by 25m0s"},
		{"pasame el seminario para el viernes a las 9", "move seminario 2026-03-06 09:00"},
		{"mové el seminario al viernes a las 11", "move seminario 2026-03-06 11:00"},
		{"muevan el seminario al viernes a las 11", "move seminario 2026-03-06 11:00"},
		{"quitá a Ines del seminario", "remove seminario who Ines"},
		{
			"desde abril el seminario dura 20 minutos",
			"length [2026-04-01T00:00 2026-04-29T00:00] seminario by 20m0s scope following",
		},
		{"cancelá el seminario, me duele la espalda", "delete seminario"},
		{"הקדימי את הסמינר בשעה", "earlier הסמינר by -1h0m0s"},
		{"תצרפו את רותם לסמינר", "add סמינר who רותם"},
		{"בטלי את הסמינר, אין לי כוח", "delete הסמינר"},
		{"move the seminar because it rains", "move seminar ?when"},
		{"מה יש לי היום", "view [2026-03-04T00:00 2026-03-05T00:00]"},
		{"תזיז את התספורת לשלוש", "move התספורת 15:00"},
		{"תדחה את התספורת ברבע שעה", "move התספורת by 15m0s"},
		{"תבטל את כל הפגישות מחר חוץ מהתספורת", "delete [2026-03-05T00:00 2026-03-06T00:00] except התספורת"},
		{"תוסיף את רותם לישיבת ההשקה", "add ההשקה who רותם"},
		{"qué tengo hoy", "view [2026-03-04T00:00 2026-03-05T00:00]"},
		{"mueve la peluquería a las tres", "move peluquería 15:00"},
		{"cancela todo lo del viernes menos la peluquería", "delete [2026-03-06T00:00 2026-03-07T00:00] except peluquería"},
		{"añade a Ines al lanzamiento", "add lanzamiento who Ines"},
	} {
		got := "none"
		if all := operations(c.message, Language(c.message, nil), wednesday, meant, pointing{}); len(all) == 1 {
			got = all[0].String()
		}
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.message, got, c.want)
		}
	}
}

// String is an operation for these tests.
func (op operation) String() string {
	s, parts := op.events, []string{string(op.verb)}
	say := func(some bool, format string, values ...any) {
		if some {
			parts = append(parts, fmt.Sprintf(format, values...))
		}
	}
	if s.Window != nil {
		say(true, "[%s %s]", s.Window.Start, s.Window.End)
	}
	if s.TimeOfDay != nil {
		say(true, "%s-%s", s.TimeOfDay.Start, s.TimeOfDay.End)
	}
	say(len(s.TitleHas) > 0, "%s", strings.Join(s.TitleHas, "|"))
	say(len(s.With) > 0, "with %s", strings.Join(s.With, "|"))
	for _, e := range s.Except {
		say(true, "except %s", strings.Join(append(e.TitleHas, e.With...), "|"))
	}
	if s.Order != nil {
		say(true, "%s %d", *s.Order, *s.First)
	}
	if first, _, ok := datesOf(op.time); ok {
		say(true, "%s", first)
	}
	if op.time.Exact != nil {
		say(true, "%s", op.time.Exact)
	}
	say(op.by != 0, "by %s", op.by)
	say(len(op.who) > 0, "who %s", strings.Join(op.who, "|"))
	say(len(op.texts) > 0, "%q", strings.Join(op.texts, "|"))
	say(op.scope != "", "scope %s", op.scope)
	say(op.missing != "", "?%s", op.missing)
	return strings.Join(parts, " ")
}

// tools are two of the assistant's, with a part of their schemas.
var toolsOfTests = []llm.Tool{
	{Name: "calendar_moveEvents", Parameters: json.RawMessage(`{"type":"object","properties":{
		"selection":{"type":"object","properties":{"titleHas":{"type":"array","items":{"type":"string"}},
			"one":{"anyOf":[{"type":"boolean"},{"type":"null"}]},
			"window":
			{"anyOf":[{"type":"object","properties":{"start":{"type":"string"},"end":{"type":"string"}}},{"type":"null"}]}}},
		"to":{"type":"object","properties":{"date":{"anyOf":[{"type":"string"},{"type":"null"}]},
			"time":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}}`)},
	{Name: "clarify", Parameters: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"}}}`)},
}

// The arguments have the form of the schema in the request; what has no place there is asked, and never left out.
func TestAnOperationIsOneCall(t *testing.T) {
	t.Parallel()
	m := New(Options{Now: func() time.Time { return wednesday }})
	asks := func(question string) string { return `clarify {"question":"` + question + `"}` }
	for message, want := range map[string]string{
		"move the kickoff to friday at 4": `calendar_moveEvents {"selection":` +
			`{"one":true,"titleHas":["kickoff"],"window":null},"to":{"date":"2026-03-06","time":"16:00?"}}`,
		"move the kickoff by an hour":   asks("Could you say that in other words, one step at a time?"),
		"mueve la reunión":              asks("¿A qué evento te refieres?"),
		"cancel the kickoff":            asks("Could you say that in other words, one step at a time?"),
		"fold the kickoff into a plane": asks(englishTongue().Clarify["none"]),
	} {
		data, err := json.Marshal(templateData{Message: message, Now: wednesday.Format(time.RFC3339)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Complete(context.Background(), llm.Request{Data: string(data), Tools: toolsOfTests}, nil)
		if err != nil || len(r.Calls) != 1 {
			t.Fatal(r, err)
		}
		if got := r.Calls[0].Name + " " + r.Calls[0].Arguments; got != want {
			t.Errorf("%q:\n got %s\nwant %s", message, got, want)
		}
	}
}

// Stage 1 knows look and act only where its schema does.
func TestTheOwnDayIsLookedAtAndChanged(t *testing.T) {
	t.Parallel()
	m := New(Options{Now: func() time.Time { return wednesday }})
	schema := `{"properties":{"intent":{"enum":["handle_event","look","act","converse"]},"families":{},"requiresPlan":{}}}`
	classified := func(d classifyData, schema string) (out classifyArguments) {
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Complete(context.Background(), llm.Request{
			Data: string(data), Tools: []llm.Tool{{Name: classifyIntent, Parameters: json.RawMessage(schema)}},
		}, nil)
		if err == nil {
			err = json.Unmarshal([]byte(r.Calls[0].Arguments), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	proposal := []exchange{{User: "coffee with Ines on friday", Assistant: "How about Friday at 10? Coffee with Ines."}}
	for _, c := range []struct {
		data classifyData
		want string
	}{
		{classifyData{Message: "what's my week like?"}, "look [schedule] false"},
		{classifyData{Message: "cancel my haircut tomorrow"}, "act [calendar] false"},
		{classifyData{Message: "block 9 to 11 tomorrow for sketching"}, "act [schedule] false"},
		{classifyData{Message: "I never take meetings before nine"}, "act [preference] false"},
		{classifyData{Message: "Move my haircut to 4. Delete the kickoff on Friday."}, "act [calendar] true"},
		{classifyData{Message: "coffee with Ines tomorrow"}, "handle_event [] false"},
		{classifyData{Message: "I have a haircut on friday at 4"}, "handle_event [] false"},
		{classifyData{Message: "make an appointment for friday at 4"}, "handle_event [] false"},
		{classifyData{Message: "put the seminar half an hour earlier"}, "act [calendar] false"},
		{classifyData{Message: "the seminar is in room 7 on friday"}, "act [calendar] false"},
		{classifyData{Message: "move the seminar because it rains"}, "act [calendar] false"},
		{classifyData{Message: "how many events do i have tomorrow, and list them"}, "look [calendar] false"},
		{classifyData{Message: "move the email review to 4"}, "act [calendar] false"},
		{classifyData{Message: "tell everyone i'm late for the seminar"}, "converse [] false"},
		{classifyData{Message: "put tea with Ines on my calendar friday at 4"}, "handle_event [] false"},
		{classifyData{Message: "call with Ines on friday — sorry, I mean thursday"}, "handle_event [] false"},
		{classifyData{Message: "thank you!"}, "converse [] false"},
		{classifyData{Message: "move it to 4", HasEvent: true, RecentTurns: proposal}, "handle_event [] false"},
		{classifyData{Message: "move the coffee to 4", HasEvent: true, RecentTurns: proposal}, "handle_event [] false"},
		{classifyData{Message: "change the end time to 4", HasEvent: true, RecentTurns: proposal}, "handle_event [] false"},
		{classifyData{Message: "cancel my haircut tomorrow", HasEvent: true, RecentTurns: proposal}, "act [calendar] false"},
		{classifyData{Message: "thanks, anything else on tomorrow?", HasEvent: true, RecentTurns: proposal},
			"look [schedule] false"},
		{classifyData{Message: "¿y qué más tengo mañana?", HasEvent: true, RecentTurns: proposal}, "look [schedule] false"},
		{classifyData{Message: "ומה עוד יש לי מחר?", HasEvent: true, RecentTurns: proposal}, "look [schedule] false"},
	} {
		got := classified(c.data, schema)
		if text := fmt.Sprint(got.Intent, " ", *got.Families, " ", *got.RequiresPlan); text != c.want {
			t.Errorf("%q is %s; want %s", c.data.Message, text, c.want)
		}
	}
	got := classified(classifyData{Message: "what's my week like?"}, `{}`)
	if got.Intent != converse || got.Families != nil {
		t.Errorf("without look in the schema: %+v", got)
	}
}

// Of what stands, only what the message speaks of changes.
func TestPreferencesKeepWhatStands(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"i never take meetings before nine":       `[] "without":[{"start":"00:00","end":"09:00"}]`,
		"no meetings on fridays":                  `["friday"] "without":[{"start":"00:00","end":"24:00"}]`,
		"i prefer meetings in the afternoon":      `[] "without":[]`,
		"my working hours are 8 to 4 on mondays":  `["monday"] "without":[]`,
		"nunca tengo reuniones antes de las diez": `[] "without":[{"start":"00:00","end":"10:00"}]`,
		"אני לא עושה פגישות לפני תשע":             `[] "without":[{"start":"00:00","end":"09:00"}]`,
	} {
		all := operations(message, Language(message, nil), wednesday, known{}, pointing{})
		if len(all) != 1 {
			t.Fatalf("%q: %v", message, all)
		}
		got, err := json.Marshal(all[0].facts(wednesday).values["updates"])
		if days, without, _ := strings.Cut(want, " "); err != nil ||
			!strings.Contains(string(got), `"days":`+days+",") || !strings.Contains(string(got), without) {
			t.Errorf("%q:\n got %s\nwant %s (%v)", message, got, want, err)
		}
	}
}

// What a block is for takes in no other request, which is quoted instead.
func TestABlockTakesInNoOtherRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, aside string }{
		{"en", "block tomorrow 9 to 10 for sketching and delete the otter class", "delete the otter class"},
		{"es", "bloquea mañana de 9 a 10 para dibujar y borra la clase de nutrias", "borra la clase de nutrias"},
		{"en", "block tomorrow 9 to 10 for sketching and tea", ""},
	} {
		all := operations(c.text, c.language, wednesday, known{}, pointing{})
		if len(all) != 1 || all[0].aside != c.aside {
			t.Errorf("%q: %d operations, aside %q", c.text, len(all), all[0].aside)
		}
	}
}

// Words of the request, of a remark before it or of the reason behind it are no title.
func TestNoWordsOfTheRequestAreATitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text string }{
		{"en", "move the otter class to the evening instead, say 7"},
		{"en", "my aunt wants me on a call at 4 so move it an hour earlier pls"},
		{"en", "also do i have anything the morning after"},
		{"en", "cancel that, i'll be dead"},
		{"es", "mi tía me quiere en una llamada a las 4 así que adelántala una hora"},
		{"es", "y ponle de nombre nutrias a la del 27"},
		{"he", "תזיז את השיעור לערב נגיד"},
	} {
		for _, op := range operations(c.text, c.language, wednesday, known{}, pointing{}) {
			for _, title := range op.events.TitleHas {
				if !strings.Contains("the otter class", title) && !strings.Contains(title, "שיעור") {
					t.Errorf("%q names %q", c.text, title)
				}
			}
		}
	}
}

// A message that names only days, and no events, moves nothing by a length.
func TestALengthMovesNoDays(t *testing.T) {
	t.Parallel()
	for text, moves := range map[string]bool{
		"starting in january i've got physio on tuesdays for 6 weeks, 45 mins each, put it in": false,
		"starting in january, 45 minutes each":                                                 false,
		"push all my meetings in january by 45 minutes":                                        true,
		"push the stand-up by 45 minutes":                                                      true,
	} {
		all := operations(text, english, wednesday, known{}, pointing{})
		if got := slices.ContainsFunc(all, func(op operation) bool { return op.verb == verbMove }); got != moves {
			t.Errorf("%q moves something: %t", text, got)
		}
	}
}
