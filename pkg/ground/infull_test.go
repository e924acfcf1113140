package ground

import "testing"

// What stands in the way is left out if a time follows.
func TestWithoutObstacle(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "oh wait, there's that concert. Then Thursday at 7:30", "Thursday at 7:30"},
		{"en", "oh no, I have lunch with the team that day. Tuesday then", "Tuesday then"},
		{"es", "ay, tengo clase ese día. Entonces el martes", "el martes"},
		{"he", "אוי, יש לי שיעור באותו יום. אז יום שלישי", "יום שלישי"},
		{"en", "I have to be done by 9 that day. Start at 7?", "I have to be done by 9 that day. Start at 7?"},
		{"en", "there's a table at Zuni. Thursday at 7:30", "there's a table at Zuni. Thursday at 7:30"},
		{"en", "I have a cold. Can Al bring soup?", "I have a cold. Can Al bring soup?"},
		{"en", "I have lunch on Tuesday", "I have lunch on Tuesday"},
	} {
		if got := withoutObstacle(Message{Text: c[1], Language: c[0], Now: now}); got != c[2] {
			t.Errorf("%q is %q, want %q", c[1], got, c[2])
		}
	}
}

// Several ways to say something are put in the plain one: that somebody cannot come, another event of a kind, whether
// somebody invited the user, and that the user will not go.
func TestSaidPlainly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dana just told me she's out, keep the rest":            "dana is out, keep the rest",
		"actually not tomorrow, on thursday, it rains tomorrow": "actually on thursday, it rains tomorrow",
		"no wait, friday not thursday":                          "actually friday",
		"mejor mañana no, el jueves":                            "mejor el jueves",
		"בעצם לא מחר, ביום חמישי":                               "בעצם ביום חמישי",
		"out of rice, put two bags on my list":                  "put two bags of rice on my list",
		"me he quedado sin té, ponme 2 cajas en la compra":      "ponme 2 cajas de té en la compra",
		"נגמר הקפה, תוסיף שתי חבילות לקניות":                    "תוסיף שתי חבילות קפה לקניות",
		"out of rice, put two eggs on my list":                  "out of rice, put two eggs on my list",
		"Sam Rivera says he can't make it":                      "Sam Rivera can't make it",
		"dana dice que no viene":                                "dana no viene",
		"דנה אמרה שהיא לא באה":                                  "דנה לא באה",
		"a chat with dana at 10 and another one with lena at 2": "a chat with dana at 10 and a chat with lena at 2",
		"una cena con dana el lunes y otra con lena el martes":  "una cena con dana el lunes y una cena con lena el martes",
		"un café con dana el lunes y luego otro con lena":       "un café con dana el lunes y luego un café con lena",
		"שיחה עם דנה ב-10 ועוד אחת עם לנה ב-2":                  "שיחה עם דנה ב-10 ושיחה עם לנה ב-2",
		"has dana invited me to anything lately?":               "show me the invitations from dana",
		"¿me ha invitado dana a algo?":                          "muéstrame las invitaciones de dana",
		"push the fencing to the evening instead, like 6":       "push the fencing to the evening at 6",
		"move it to around 3 instead":                           "move it to 3 instead",
		"mueve la esgrima a la tarde, digamos a las 6":          "mueve la esgrima a la tarde a las 6",
		"pasa la esgrima a eso de las 6":                        "pasa la esgrima a las 6",
		"תזיז את הסיף לערב, נגיד ב-18":                          "תזיז את הסיף לערב ב-18",
		"I don't want to go to that harbour walk on friday":     "decline the harbour walk on friday",
		"tea with dana tomorrow at 4, it's her birthday today":  "tea with dana tomorrow at 4, it's her birthday",
		"té con dana el jueves a las 4, que hoy es su cumple":   "té con dana el jueves a las 4, que es su cumple",
		"תה עם דנה מחר ב-4, יש לה היום יום הולדת":               "תה עם דנה מחר ב-4, יש לה יום הולדת",
		"tea with dana, it's her birthday today":                "tea with dana, it's her birthday today",
		// These mean something else.
		"dana said she's looking forward to it":  "dana said she's looking forward to it",
		"move the chat with dana to another day": "move the chat with dana to another day",
		"did dana invite lena to the gala":       "did dana invite lena to the gala",
		"I don't want to go to bed late":         "I don't want to go to bed late",
		"push the fencing by 1, say 2":           "push the fencing by 1, say 2",
		"move the fencing to 3, maybe 4":         "move the fencing to 3, maybe 4",
	} {
		if got := InFull(Message{Text: text, Language: "en", Now: now}, false); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"תורידי את דנה ותקצרי לשעה": "תוציא את דנה ותעשה את זה שעה",
		"תקצר לחצי שעה":             "תעשה את זה חצי שעה",
		"תוריד את המסעדה":           "תוריד את המסעדה",
	} {
		if got := InFull(Message{Text: text, Language: "he", Now: now}, true); got != want {
			t.Errorf("of an event that is being arranged, %q is %q, want %q", text, got, want)
		}
	}
	const place = "I don't want to go to that bar"
	if got := InFull(Message{Text: place, Language: "en", Now: now}, true); got != place {
		t.Errorf("of an event that is being arranged, %q is %q", place, got)
	}
}

// The end of a message that only says what stays is left out; what takes a part from a whole is not.
func TestWithoutKept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I won't be at the gym this Friday, but I will on Wednesday": "I won't be at the gym this Friday",
		"cancel the kite club on Saturday, but keep the one after":   "cancel the kite club on Saturday",
		"skip gym on Wednesday, I'll still go on Friday":             "skip gym on Wednesday",
		"cancel fencing this Friday, but not the week after":         "cancel fencing this Friday",
		"skip fencing on Friday but not on Tuesday":                  "skip fencing on Friday",
		"este viernes no voy a esgrima, pero el miércoles sí":        "este viernes no voy a esgrima",
		"תבטל את הסיף של מחר אבל לא של חמישי":                        "תבטל את הסיף של מחר",
		"cancel everything this week but not on Thursday":            "cancel everything this week but not on Thursday",
		"move the gym to Friday but not on Thursday's slot":          "move the gym to Friday but not on Thursday's slot",
		"book the gym on Friday, but I will on Wednesday":            "book the gym on Friday, but I will on Wednesday",
		"don't cancel the gym, but I will call Al on Friday":         "don't cancel the gym, but I will call Al on Friday",
	} {
		if got := withoutKept(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Who tells to which event they will not go, and then asks to take it off, cancels that event.
func TestAsCancelling(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "i dont think im gonna make it to pottery this week, my back is killing me. can you take it off",
			"cancel pottery this week"},
		{"en", "I can't make it to the kite club on thursday. cancel it please", "cancel the kite club on thursday"},
		{"en", "I'm not going to be able to get to fencing tomorrow because my kid is sick, so remove it from my calendar",
			"cancel fencing tomorrow"},
		{"en", "we won't be able to attend the gala - drop it", "cancel the gala"},
		{"es", "no voy a poder ir a la clase de kite del jueves, cancélala", "cancela la clase de kite del jueves"},
		{"es", "al final no puedo ir al kite mañana, me duele la espalda. quítalo por favor", "cancela kite mañana"},
		{"es", "no creo que llegue al dentista, lo puedes borrar?", "cancela dentista"},
		{"he", "לא אצליח להגיע לסיף ביום חמישי, תבטל אותו", "תבטל את סיף ביום חמישי"},
		{"he", "אני לא חושבת שאוכל ללכת לפילאטיס מחר, כואב לי הגב. תורידי את זה בבקשה", "תבטל את פילאטיס מחר"},
		{"en", "I can't make it tomorrow. cancel it", "I can't make it tomorrow. cancel it"},
		{"en", "I can't make it to the bank today, take it off my list",
			"I can't make it to the bank today, take it off my list"},
		{"en", "I can't make it to fencing, my car broke and tell Al. cancel it",
			"I can't make it to fencing, my car broke and tell Al. cancel it"},
		{"en", "I can't make it to fencing tomorrow", "I can't make it to fencing tomorrow"},
	} {
		if got := asCancelling(Message{Text: c[1], Language: c[0], Now: now}); got != c[2] {
			t.Errorf("%q is %q, want %q", c[1], got, c[2])
		}
	}
}

// What asks for several things in one sentence has each of them said in full.
func TestSeveralInOneSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"add a few tasks: mend the kite tomorrow, buy rope and call al": "add a task to mend the kite tomorrow. " +
			"add a task to buy rope. add a task to call al",
		"add a task to mend the kite and add a task to buy rope": "add a task to mend the kite. add a task to buy rope",
		"apunta dos tareas: comprar cuerda y llamar a Al": "añade una tarea para comprar cuerda. " +
			"añade una tarea para llamar a Al",
		"תוסיף שתי משימות: לתקן את העפיפון ולקנות חבל": "תוסיף משימה לתקן את העפיפון. תוסיף משימה לקנות חבל",
		"remind me on monday to mend the kite and on friday at 3 to fly it.": "remind me on monday to mend the kite, " +
			"and remind me on friday at 3 to fly it",
		"recuérdame hoy comprar cuerda y mañana a las 9 llamar a Al": "recuérdame hoy comprar cuerda, " +
			"y recuérdame mañana a las 9 llamar a Al",
		"תזכיר לי היום לקנות חבל ומחר ב-9 להתקשר לאל":          "תזכיר לי היום לקנות חבל, ותזכיר לי מחר ב-9 להתקשר לאל",
		"the kite club wants the money in may, note that down": "make a note: the kite club wants the money in may",
		"el club quiere el dinero en mayo, apúntamelo":         "apunta una nota: el club quiere el dinero en mayo",
		"give me three solid hours on friday for the kite":     "block three hours on friday for the kite",
		"dame dos horas el viernes para la cometa":             "resérvame dos horas el viernes para la cometa",
		"תן לי שעתיים ביום שישי לעפיפון":                       "תשריין לי שעתיים ביום שישי לעפיפון",
		"give me two more hours for the kite":                  "give me two more hours for the kite",
		"of the mails about the kite keep only the newest one, the rest can be deleted": "delete all " +
			"the mails about the kite except the newest one",
		"keep the latest mail from Al and archive the others":              "archive all the mail from Al except the latest",
		"archive every mail on kites but the oldest":                       "archive every mail on kites except the oldest",
		"de los correos de Al quédate solo con el último y borra el resto": "borra todos los correos de Al menos el último",
		"מכל המיילים של אל תשאיר רק את האחרון ותמחק את השאר":               "תמחק את כל המיילים של אל חוץ מהאחרון",
		"Is anything on for me on May 27, apart from what was cancelled?":  "Is anything on for me on May 27?",
		"Remove the kite classes that are still ahead of me this month.":   "Remove the kite classes this month.",
		"book an hour with Al at 2, title Handover":                        `book an hour with Al at 2, titled "Handover"`,
		"ponme una hora con Al el lunes, título Traspaso": "" +
			`ponme una hora con Al el lunes, con el título "Traspaso"`,
		"תקבע שעה עם אל ביום שני ב-14:00, כותרת מסירה": `תקבע שעה עם אל ביום שני ב-14:00, בשם "מסירה"`,
		"mueve el dentista y no pongas nada a la hora de comer": "" +
			"mueve el dentista y no pongas nada a la hora de comer",
		"תזיז את הפגישה לזמן שבו כולם פנויים":                        "תזיז את הפגישה לזמן שבו כולם פנויים",
		"push the review to the first one-hour gap I have on Monday": "push the review to a free slot on Monday",
		"give me a minute": "give me a minute",
		"remind me to shift the kite to the free slot":       "remind me to shift the kite to the free slot",
		"add a task: move the kite to the first gap":         "add a task: move the kite to the first gap",
		"email al that we push the kite to a free hour":      "email al that we push the kite to a free hour",
		"cambia la cometa a una hora más tarde":              "cambia la cometa a una hora más tarde",
		"mueve la cometa a primera hora del viernes":         "mueve la cometa a primera hora del viernes",
		"תזכירי לי להעביר את העפיפון לחלון":                  "תזכירי לי להעביר את העפיפון לחלון",
		"note that the kite club moved, title: no idea":      "note that the kite club moved, title: no idea",
		"add a note: flew the kite, title is in the drawer":  "add a note: flew the kite, title is in the drawer",
		"remind me to remove the kites that are to come":     "remind me to remove the kites that are to come",
		"delete the kite tasks that are left":                "delete the kite tasks that are left",
		"remind me to buy bread and butter":                  "remind me to buy bread and butter",
		"add a task: buy rope, tape and glue":                "add a task: buy rope, tape and glue",
		"remind me to buy rope and at the pier to call al":   "remind me to buy rope and at the pier to call al",
		"remind me to call al and write that down":           "remind me to call al and write that down",
		"Al dice que nos veamos el jueves a las 9, apúntalo": "quedar con Al el jueves a las 9, apúntalo",
		"book lunch with al on friday, note that down":       "book lunch with al on friday, note that down",
		"what did al say, can you write that down?":          "what did al say, can you write that down?",
	} {
		if got := InFull(Message{Text: text, Language: "en", Now: now}, false); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What only puts things on one list is no plan.
func TestOneList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"put rope, 2 boxes of nails and a lamp on the boat list":     true,
		"añade cuerda, dos cajas de clavos y pan a la lista de casa": true,
		"תוסיף חבל, שתי קופסאות מסמרים ולחם לרשימת הקניות":           true,
		"add rope to the boat list and remind me of it":              false,
		"add rope, and put tape on the boat list":                    false,
	} {
		if got := IsOneList(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// A time that owns what is behind it has its apostrophe, also if that is left out; a plural has none.
func TestWithApostrophes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"next weeks weekly review, do it a day earlier": "next week's weekly review, do it a day earlier",
		"push tomorrows planning back half an hour":     "push tomorrow's planning back half an hour",
		"cancel fridays gym":                            "cancel friday's gym",
		"show me todays and tomorrows meetings":         "show me todays and tomorrow's meetings",
		"what is in next weeks board meeting":           "what is in next week's board meeting",
		"move thursdays call to saturdays at 5":         "move thursday's call to saturdays at 5",
		"gym mondays at 7":                              "gym mondays at 7",
		"keep mondays free":                             "keep mondays free",
		"plan the next weeks with me":                   "plan the next weeks with me",
		"swimming tuesdays and thursdays before work":   "swimming tuesdays and thursdays before work",
		"on mondays fencing is at 7":                    "on mondays fencing is at 7",
		"i never work fridays":                          "i never work fridays",
		`add a task "fridays child"`:                    `add a task "fridays child"`,
	} {
		if got := withApostrophes(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
