package when_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

func TestReadBoundsTurnedRound(t *testing.T) {
	t.Parallel()
	readWith(t, [][2]string{
		{"lunch tomorrow, can't go past 1:30", "Mar 5, 00:00-13:30"},
		{"make it friday, thursday is already a mess", "Mar 6, not Mar 5"},
		{"make it friday, thursday's already full", "Mar 6, not Mar 5"},
		{"mejor el viernes, el jueves ya está lleno", "Mar 6, not Mar 5"},
		{"עדיף בשישי, חמישי כבר עמוס", "Mar 6, not Mar 5"},
		{"יש לי תור ב15 במרץ ב11 וחצי ברחוב הגפן 5, תרשום. זה בערך חצי שעה", "Mar 15, at 11:30, for 30m"},
		{"tengo cita el 15 de marzo a las 11 y media, apúntala. dura media hora", "Mar 15, at 11:30, for 30m"},
		{"I'm useless before 10", "10:00-24:00"},
		{"sometime thursday, I'm no good before 11", "Mar 5, 11:00-24:00"},
		{"call with Dana next week, nothing after 4pm please", "Mar 9-Mar 15, 00:00-16:00"},
		{"has to be done by six", "00:00-18:00"},
		{"I have to leave by 4 on friday", "Mar 6, 00:00-16:00"},
		{"hard stop at 5", "00:00-17:00"},
		{"I'm only around until noon tomorrow", "Mar 5, 00:00-12:00"},
		{"monday, but I need to be out the door by 3:30", "Mar 9, 00:00-15:30"},
		{"not free until 2 on thursday", "Mar 5, 14:00-24:00"},
		{"don't want to start before 10", "10:00-24:00"},
		{"shouldn't run later than 8pm", "00:00-20:00"},
		{"can't stay beyond 7pm", "00:00-19:00"},
		{"we cannot meet later than 6", "00:00-18:00"},
		{"anytime but mornings", "not 08:00-12:00"},
		{"any day except tuesday next week", "Mar 9-Mar 15, no Tuesday"},
		{"anything but fridays", "no Friday"},
		{"every day but wednesday works", "no Wednesday"},
		{"thursday any time that's not before lunch", "Mar 5, not 09:00-12:00"},
		{"earliest I can do is 11", "11:00-24:00"},
		{"latest I can do is 3pm", "00:00-15:00"},
		{"the earliest that works for me is 9:30", "09:30-24:00"},
		{"no later than quarter past four", "00:00-16:15"},
		{"I can only do after 5", "17:00-24:00"},
		{"only mornings work for me", "08:00-12:00"},
		{"I won't make it before 11", "11:00-24:00"},
		{"I don't do calls after 5pm", "00:00-17:00"},
		{"not earlier than 10 and not later than 4", "10:00-16:00"},
		{"que no sea miércoles", "no Wednesday"},
		{"antes de las 10 imposible", "not 00:00-10:00"},
		{"la semana que viene pero no el lunes", "Mar 9-Mar 15, no Monday"},
		{"no puedo después de las 6", "00:00-18:00"},
		{"nada antes de las 9 de la mañana", "09:00-24:00"},
		{"tengo que irme a las 5", "00:00-17:00"},
		{"solo puedo hasta las 12", "00:00-12:00"},
		{"cualquier día menos el viernes", "no Friday"},
		{"no antes de las once", "11:00-24:00"},
		{"que termine antes de las 7", "00:00-19:00"},
		{"el jueves, pero no más tarde de las 4", "Mar 5, 00:00-16:00"},
		{"לא לפני תשע", "09:00-24:00"},
		{"לא אחרי שש בערב", "00:00-18:00"},
		{"רק עד 12 מחר", "Mar 5, 00:00-12:00"},
		{"אני לא יכול אחרי 4", "00:00-16:00"},
		{"לפני עשר זה בלתי אפשרי", "not 00:00-10:00"},
		{"כל יום חוץ מיום רביעי", "no Wednesday"},
		{"שלא יהיה ביום ראשון", "no Sunday"},
		{"חייב לסיים עד חמש", "00:00-17:00"},
		{"רק בבקרים", "08:00-12:00"},
		{"I can't be anywhere before 8:45", "08:45-24:00"},
		{"please keep it before noon", "00:00-12:00"},
		{"nope to anything past 7pm", "00:00-19:00"},
		{"won't be free until thursday", "Mar 5-Apr 1"},
		{"monday is fine as long as it's over by 4", "Mar 9, 00:00-16:00"},
		{"as long as it doesn't start before 11", "11:00-24:00"},
		{"I refuse to meet before 10am", "10:00-24:00"},
		{"not in the evening", "not 17:00-21:00"},
		{"no evenings please", "not 17:00-21:00"},
		{"avoid lunchtime", "not 11:30-14:00"},
		{"not on a weekend", "no Sunday, no Saturday"},
		{"except for monday morning, next week is wide open", "Mar 9-Mar 15, not Mon 08:00-12:00"},
		{"this week except today", "Mar 4-Mar 8, not Mar 4"},
		{"any afternoon except thursday", "12:00-17:00, no Thursday"},
		{"we need to wrap by 3", "00:00-15:00"},
		{"it has to end before 5:30", "00:00-17:30"},
		{"I'm available only from 2 to 4 on friday", "Mar 6, 14:00-16:00"},
		{"I can stay until 8", "00:00-20:00"},
		{"nothing earlier than 9:30 on tuesday", "Mar 10, 09:30-24:00"},
		{"doesn't matter when as long as it's not monday", "no Monday"},
		{"I don't want it on friday", "no Friday"},
		{"it can't be the 12th", "not Mar 12"},
		{"after 5 is impossible", "not 17:00-24:00"},
		{"before 9 won't work", "not 00:00-09:00"},
		{"past six is too late for me", "not 18:00-24:00"},
		{"no puedo quedarme más allá de las 8", "00:00-20:00"},
		{"el jueves no puedo hasta las 4", "Mar 5, 16:00-24:00"},
		{"los lunes no", "no Monday"},
		{"que no sea por la mañana", "not 08:00-12:00"},
		{"todo menos el martes", "no Tuesday"},
		{"a partir de las 3 imposible", "not 15:00-24:00"},
		{"cualquier tarde excepto la del viernes", "12:00-17:00, no Friday"},
		{"después de las 19 no", "not 19:00-24:00"},
		{"tiene que ser antes de las doce", "00:00-12:00"},
		{"no quiero madrugar, nada antes de las 10", "10:00-24:00"},
		{"אי אפשר אחרי 17:00", "00:00-17:00"},
		{"אני פנוי רק אחרי 3", "15:00-24:00"},
		{"בכל יום מלבד שלישי", "no Tuesday"},
		{"לא בבוקר", "not 08:00-12:00"},
		{"לא יאוחר מ-6", "00:00-18:00"},
		{"עד 5 אני לא יכולה", "not 00:00-17:00"},
		{"ימי שני לא מתאימים לי", "no Monday"},
		{"השבוע חוץ מהיום", "Mar 4-Mar 7, not Mar 4"},
		{"brunch sunday, nobody's up before 10:30", "Mar 8, 10:30-24:00"},
		{"pero nunca después de las 9", "00:00-21:00"},
		{"why not after lunch tomorrow", "Mar 5, 13:00-17:00"},
		{"I don't mind after 5", "17:00-24:00"},
		{
			"any weekday other than monday",
			"Mar 5-Mar 6 + Mar 9-Mar 13 + Mar 16-Mar 20 + Mar 23-Mar 27 + Mar 30-Apr 1, no Monday",
		},
	})
}

func TestReadCorrections(t *testing.T) {
	t.Parallel()
	readWith(t, [][2]string{
		{"friday at, no wait, saturday", "Mar 7"},
		{"at 3 - sorry, 4", "at 16:00"},
		{"dinner thursday, I mean friday, at 7", "Mar 6, at 19:00"},
		{"coffee tomorrow at 10, no make that 11", "Mar 5, at 11:00"},
		{"monday er tuesday at 2pm", "Mar 10, at 14:00"},
		{"let's say the 12th, oops, the 13th", "Mar 13"},
		{"next tuesday, scratch that, wednesday morning", "Mar 11, 08:00-12:00"},
		{"for 30 minutes, actually an hour", "for 60m"},
		{"friday at 5, actually 6", "Mar 6, at 18:00"},
		{"lunch on monday, hmm no, on tuesday at noon", "Mar 10, at 12:00"},
		{"at two, or rather half past two", "at 14:30"},
		{"thursday - correction: friday at 1pm", "Mar 6, at 13:00"},
		{"let's meet tomorrow. no wait, thursday next week", "Mar 12"},
		{"el miércoles, mejor el jueves", "Mar 5"},
		{"el viernes a las 5, no, a las 6", "Mar 6, at 18:00"},
		{"mañana a las 3, perdón, a las 4", "Mar 5, at 16:00"},
		{"el lunes, digo, el martes a las 10", "Mar 10, at 10:00"},
		{"ביום רביעי, לא, בעצם חמישי", "Mar 5"},
		{"מחר ב-3, סליחה, ב-4", "Mar 5, at 16:00"},
		{"ביום שני, רגע, ביום שלישי ב-10", "Mar 10, at 10:00"},
		{"נפגש בשישי, או בעצם בשבת", "Mar 7"},
		{"book it for 2, wait, 2:30", "at 14:30"},
		{"wednesday the 11th, sorry, thursday the 12th", "Mar 12"},
		{"this friday... no, next friday", "Mar 13"},
		{"a 30 minute, no, 45 minute call tomorrow", "Mar 5, for 45m"},
		{"tomorrow morning — actually afternoon is better", "Mar 5, 12:00-17:00"},
		{"5pm, oops I meant 6pm, on saturday", "Mar 7, at 18:00"},
		{"next monday at 9, on second thought make it tuesday", "Mar 10, at 09:00"},
		{"sunday, rather saturday, at ten", "Mar 7, at 10:00"},
		{"coffee at noon tomorrow, err, friday", "Mar 6, at 12:00"},
		{"let's do 3 o'clock... hmm, better 4", "at 16:00"},
		{"el 12 de abril, perdón, el 13", "Apr 13"},
		{"a las 8, mejor a las 9 de la noche", "at 21:00"},
		{"quedamos el sábado, no espera, el domingo por la tarde", "Mar 8, 12:00-17:00"},
		{"una hora, no, hora y media mañana", "Mar 5, for 90m"},
		{"ב-5, לא רגע, ב-6 בערב", "at 18:00"},
		{"מחר, בעצם מחרתיים בבוקר", "Mar 6, 08:00-12:00"},
		{"פגישה של חצי שעה, סליחה, שעה, ביום ראשון", "Mar 8, for 60m"},
		{"actually, friday works", "Mar 6"},
		{"sorry, can we do monday at 3?", "Mar 9, at 15:00"},
		{"no, tuesday is better", "Mar 10"},
		{"he says 4 is better", "at 16:00"},
		{"wait, is thursday free?", "Mar 5"},
		{"I'm sorry, tuesday or wednesday", "Mar 10-Mar 11"},
		{"either monday or actually tuesday", "Mar 10"},
		{"mañana, bueno no, pasado mañana a las 10", "Mar 6, at 10:00"},
		{"the 5th of may, sorry, 6th of may", "May 6"},
		{"wait until friday", "Mar 4-Mar 6"},
	})
}

func TestReadWhatKeepsSomebody(t *testing.T) {
	t.Parallel()
	readWith(t, [][2]string{
		{"coffee with al this week, i have a thing at 11 on friday", "Mar 4-Mar 8, not Fri 11:00-12:00"},
		{
			"let's meet tuesday or wednesday next week. I've got a dentist appointment on tuesday at 10",
			"Mar 10-Mar 11, not Tue 10:00-11:00",
		},
		{"find time with Ben next week; on Tuesday I'm at a conference until 3", "Mar 9-Mar 15, not Tue 00:00-15:00"},
		{
			"I'm in meetings all morning tomorrow, so how about after 2 tomorrow",
			"Mar 5, 14:00-24:00, not 2026-03-05 08:00-12:00",
		},
		{"book a call with Sam, I'm busy thursday afternoon", "not Thu 12:00-17:00"},
		{"lunch next week, I'm travelling on wednesday", "Mar 9-Mar 15, no Wednesday"},
		{"lunch next week, I'm out of town monday and friday though", "Mar 9-Mar 15, no Monday, no Friday"},
		{"lunch next week, but monday and friday I'm away", "Mar 9-Mar 15, no Monday, no Friday"},
		{"we can do monday and friday I'm away", "Mar 9, not Mar 6"},
		{"I'm away monday and friday works", "Mar 6, not Mar 9"},
		{"la semana que viene, aunque el lunes y el viernes estoy fuera", "Mar 9-Mar 15, no Monday, no Friday"},
		{"בשבוע הבא, בשני ורביעי אני בנסיעה", "Mar 8-Mar 14, no Monday, no Wednesday"},
		{"friday doesn't suit me, how about the day before", "Mar 5, not Mar 6"},
		{"el viernes no puedo, mejor el día siguiente", "Mar 7, not Mar 6"},
		{"meet about q3 goals, tuesday morning", "Mar 10, 08:00-12:00"},
		{"talk about Q3, next week", "Mar 9-Mar 15"},
		{"how about Q3?", "Jul 1-Sep 30"},
		{"entre las 14 y las 16 del jueves", "Mar 5, 14:00-16:00"},
		{"next week works, except I have yoga on monday from 6 to 7pm", "Mar 9-Mar 15, not Mon 18:00-19:00"},
		{"can we meet thursday? I have a flight at 4pm", "Mar 5, not 16:00-17:00"},
		{"meet Ana next week, my mondays are full", "Mar 9-Mar 15, no Monday"},
		{"I'm out of office friday, find us an hour on thursday", "Mar 5, for 60m, not Mar 6"},
		{"i'm tied up from 1 to 3 tomorrow, any other time tomorrow is fine", "Mar 5, not 2026-03-05 13:00-15:00"},
		{
			"quiero un café con Ana la semana que viene, tengo dentista el martes a las 10",
			"Mar 9-Mar 15, not Tue 10:00-11:00",
		},
		{"reunión con Luis esta semana, el jueves estoy de viaje", "Mar 4-Mar 8, no Thursday"},
		{"comida el viernes, estoy ocupado hasta la una", "Mar 6, not 00:00-13:00"},
		{"קפה עם דנה השבוע, יש לי רופא ביום חמישי ב-10", "Mar 4-Mar 7, not Thu 10:00-11:00"},
		{"פגישה בשבוע הבא, ביום שלישי אני בכנס עד 3", "Mar 8-Mar 14, not Tue 00:00-15:00"},
		{"אני תפוס מחר עד 2, אפשר אחרי זה מחר", "Mar 5, not 2026-03-05 00:00-14:00"},
		{"I have a dentist appointment on tuesday at 10", "Mar 10, at 10:00"},
		{"i've got a meeting with Tom friday at 3, please add it", "Mar 6, at 15:00"},
		{"can we find a slot on thursday? I'm teaching from 10 to 12", "Mar 5, not 10:00-12:00"},
		{"drinks with Zoe this week. Wednesday I have choir at 7pm", "Mar 4-Mar 8, not Wed 19:00-20:00"},
		{"monday's a mess, tuesday or wednesday?", "Mar 10-Mar 11, not Mar 9"},
		{"I've meetings until noon tomorrow, lunch after that", "not 2026-03-05 00:00-12:00"},
		{"I have a lunch thing with clients on friday, so coffee with Lee on thursday", "Mar 5, not Mar 6"},
		{"coffee with Lee tomorrow, but I've got a doctor at 9:30", "Mar 5, not 09:30-10:30"},
		{"I'm in court all day tuesday, can we meet wednesday?", "Mar 11, not Mar 10"},
		{"find an hour next week with Ira. I'm away monday and tuesday", "Mar 9-Mar 15, for 60m, no Monday, no Tuesday"},
		{"I'm on a train until 11 on thursday, call me after that on thursday", "Mar 5, not Thu 00:00-11:00"},
		{"dinner with Kim friday, the babysitter has to leave by 10pm", "Mar 6, 00:00-22:00"},
		{"I have time on thursday after 3", "Mar 5, 15:00-24:00"},
		{"I have nothing on monday", "Mar 9"},
		{"I'm free friday afternoon", "Mar 6, 12:00-17:00"},
		{"I have to work until 6, so dinner after 7", "19:00-24:00, not 00:00-18:00"},
		{"un café con Leo mañana, pero tengo clase de 10 a 12", "Mar 5, not 10:00-12:00"},
		{"la semana que viene estoy fuera el lunes, busca un hueco con Eva el martes", "Mar 10, not Mar 9"},
		{"tengo médico mañana a las 9, ¿comemos el viernes?", "Mar 6, not 2026-03-05 09:00-10:00"},
		{"tengo libre el jueves por la tarde", "Mar 5, 12:00-17:00"},
		{"יש לי זמן ביום שלישי אחרי 4", "Mar 10, 16:00-24:00"},
		{"קבע קפה עם נועה השבוע, ביום חמישי אני בחופש", "Mar 4-Mar 7, no Thursday"},
		{"I have yoga on tuesday at 6pm", "Mar 10, at 18:00"},
		{"we have a meeting with finance on thursday at 2", "Mar 5, at 14:00"},
		{"lunch with Dana on friday, I have an hour", "Mar 6, for 60m"},
		{"I have lunch with Noa on thursday at 1, find a place nearby", "Mar 5, at 13:00"},
		{"lunch with Eli thursday, I have a call at 1", "Mar 5, not 13:00-14:00"},
		{"I have tuesday open", "Mar 10"},
		{"do you have time on monday at 3?", "Mar 9, at 15:00"},
	})
}

func TestReadZonesOfPlacesAndPeople(t *testing.T) {
	t.Parallel()
	readWith(t, [][2]string{
		{"tomorrow at 3pm london time", "Mar 5, at 07:00"},
		{"call on friday, afternoons are better for Dana", "Mar 6, 07:00-09:00"},
		{"call on friday, she prefers afternoons", "Mar 6, 07:00-09:00"},
		{"call on friday, mornings are better for Dana", "Mar 6"}, // it is night here
		{"call on friday, mornings are better for me", "Mar 6, 08:00-12:00"},
		{"call on friday, I prefer mornings", "Mar 6, 08:00-12:00"},
		{"llamada el viernes, Dana prefiere por la tarde", "Mar 6, 07:00-09:00"},
		{"שיחה ביום שישי, היא מעדיפה אחר הצהריים", "Mar 6, 07:00-09:00"},
		{"call at 9 in the morning in Tokyo on friday", "Mar 5, at 16:00"},
		{"monday 6pm her time", "Mar 9, at 11:00"},
		{"tomorrow 6pm for her", "Mar 5, at 10:00"},
		{"thursday at 4pm Dana's time", "Mar 5, at 08:00"},
		{"a las 5 de la tarde hora de Madrid mañana", "Mar 5, at 08:00"},
		{"mañana a las 10 hora de Londres", "Mar 5, at 02:00"},
		{"el lunes a las 18 hora suya", "Mar 9, at 11:00"},
		{"מחר בשעה 5 אחר הצהריים שעון לונדון", "Mar 5, at 09:00"},
		{"ביום שני ב-18:00 שעון ניו יורק", "Mar 9, at 15:00"},
		{"מחר ב-18:00 שעון שלה", "Mar 5, at 10:00"},
		{"3pm New York time on thursday", "Mar 5, at 12:00"},
		{"between 9 and 11am Berlin time tomorrow", "Mar 5, 00:00-02:00"},
		{"tomorrow 10am sydney", "Mar 4, at 15:00"},
		{"friday 2pm in Chicago", "Mar 6, at 12:00"},
		{"11am (Paris time) on thursday", "Mar 5, at 02:00"},
		{"tomorrow at 5pm Mumbai time", "Mar 5, at 03:30"},
		{"at 8am buenos aires time tomorrow", "Mar 5, at 03:00"},
		{"tomorrow noon my time", "Mar 5, at 12:00"},
		{"tomorrow at 16:00 CET", "Mar 5, at 07:00"},
		{"set it for 14:30 Singapore time on monday", "Mar 8, at 23:30"},
		{"thursday 8pm in London", "Mar 5, at 12:00"},
		{"8am his time on friday", "Mar 6, at 00:00"},
		{"5pm his time on friday, he's in tokyo", "Mar 6, at 00:00"},
		{"noon Ben's time tomorrow", "Mar 5, at 04:00"},
		{"what about 4pm tomorrow, Amsterdam time", "Mar 5, at 07:00"},
		{"tomorrow 9am-11am Toronto time", "Mar 5, at 06:00, for 120m"},
		{"friday at 3 pm (her time)", "Mar 6, at 07:00"},
		{"7pm Lisbon on thursday", "Mar 5, at 11:00"},
		{"tomorrow after 2pm UK time", "Mar 5, 06:00-16:00"},
		{"el jueves a las 20:00 hora de Buenos Aires", "Mar 5, at 15:00"},
		{"mañana a las 7 de la tarde en Londres", "Mar 5, at 11:00"},
		{"el viernes a las 12 (hora española)", "Mar 6, at 03:00"},
		{"a las 9 de la mañana para ella mañana", "Mar 5, at 01:00"},
		{"מחר ב-9 בבוקר בברלין", "Mar 5, at 00:00"},
		{"ביום חמישי ב-20:00 זמן לונדון", "Mar 5, at 12:00"},
		{"3pm Israel time thursday", "Mar 5, at 05:00"},
		{"10 a.m. Pacific tomorrow", "Mar 5, at 10:00"},
		{"dinner in Paris tomorrow at 8", "Mar 5, at 20:00"},
		{"lunch with Paris tomorrow at 1", "Mar 5, at 13:00"},
		{"call Sydney at 3pm tomorrow", "Mar 5, at 15:00"},
	})
}

func TestReadLengthsOfBlocks(t *testing.T) {
	t.Parallel()
	readWith(t, [][2]string{
		{"block Friday afternoon", "Mar 6, at 12:00, for 300m"},
		{"hold tomorrow morning for writing", "Mar 5, at 08:00, for 240m"},
		{"block out monday", "Mar 9, all day"},
		{"block an hour friday afternoon", "Mar 6, 12:00-17:00, for 60m"},
		{"a quick 15 with Ben tomorrow", "Mar 5, for 15m"},
		{"quick 20 min chat", "for 20m"},
		{"an hour and a half on friday", "Mar 6, for 90m"},
		{"hora y media el viernes", "Mar 6, for 90m"},
		{"שעה וחצי מחר", "Mar 5, for 90m"},
		{"from 2 till quarter past 3 tomorrow", "Mar 5, at 14:00, for 75m"},
		{"2 to half 4? no, 2 to 3:30", "at 14:00, for 90m"},
		{"thursday 10:15-11", "Mar 5, at 10:15, for 45m"},
		{"45min thurs", "Mar 5, for 45m"},
		{"bloquea el viernes por la tarde", "Mar 6, at 12:00, for 300m"},
		{"media horita mañana", "Mar 5, for 30m"},
		{"תחסום את יום חמישי בבוקר", "Mar 5, at 08:00, for 240m"},
		{"three quarters of an hour", "for 45m"},
		{"a half-hour call", "for 30m"},
		{"twenty five minutes", "for 25m"},
		{"for about two and a half hours", "for 150m"},
		{"dos horas y media", "for 150m"},
		{"a couple of hours on saturday", "Mar 7, for 120m"},
		{"reserve tuesday morning for planning", "Mar 10, at 08:00, for 240m"},
		{"block off 2 to 5 tomorrow", "Mar 5, at 14:00, for 180m"},
		{"hold the whole afternoon on thursday", "Mar 5, at 12:00, for 300m"},
		{"block my calendar all day friday", "Mar 6, all day"},
		{"quick 30 with Jo on friday", "Mar 6, for 30m"},
		{"ninety minutes tomorrow", "Mar 5, for 90m"},
		{"1.5h on thursday", "Mar 5, for 90m"},
		{"1h15", "for 75m"},
		{"an hour and twenty minutes", "for 80m"},
		{"tres cuartos de hora", "for 45m"},
		{"de 2 a 3 y cuarto mañana", "Mar 5, at 14:00, for 75m"},
		{"un rato de 20 minutos", "for 20m"},
		{"ארבעים דקות מחר", "Mar 5, for 40m"},
		{"חצי שעה עם יעל", "for 30m"},
		{"משתיים עד שלוש ורבע", "at 14:00, for 75m"},
		{"block two hours on monday", "Mar 9, for 120m"},
		{"a half day workshop on friday", "Mar 6, for 720m"},
		{"noon to 1:30 thursday", "Mar 5, at 12:00, for 90m"},
		{"between 2 and 4 for 45 mins", "14:00-16:00, for 45m"},
		{"make it 20 mins shorter", "for 20m"},
	})
}

// readWith reads each text where everybody lives in London.
func readWith(t *testing.T, cases [][2]string) {
	t.Helper()
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	s := when.Setting{Zone: func(string) *time.Location { return london }}
	for _, c := range cases {
		if got := described(s.Read(c[0], wednesday(t))); got != c[1] {
			t.Errorf("Read(%q)\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// What a text says of time is in entities, with the words that turn it round or take it back.
func TestEntitiesCoverWhatTurnsThemRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"can't go past 9:30", "time: can't go past 9:30"},
		{"que no sea miércoles", "exclusion: que no sea miércoles"},
		{"antes de las 10 imposible", "exclusion: antes de las 10 | exclusion: imposible"},
		{"friday at, no wait, saturday", "withdrawn: friday | withdrawn: at, no wait | date: saturday"},
		{"lunch monday, I have yoga at 3 on tuesday", "date: monday | exclusion: I have yoga at 3 on tuesday"},
		{"a las 5 hora de Madrid", "time: a las 5 hora de Madrid"},
		{"at 3pm Springfield time", "time: at 3pm | unexpressed: Springfield time"},
		{"at 3pm her time", "time: at 3pm | unexpressed: her time"},
	} {
		var got []string
		for _, e := range when.Read(c.text, wednesday(t)).Entities {
			got = append(got, string(e.Kind)+": "+c.text[e.Start:e.End])
		}
		if got := strings.Join(got, " | "); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestThatDayIsTheOneAtHand(t *testing.T) {
	t.Parallel()
	day := interval.Date{Year: 2026, Month: time.March, Day: 12}
	for _, c := range [][3]string{
		{"en", "am I free at noon that day", "Mar 12, at 12:00"},
		{"en", "the same day after four", "Mar 12, 16:00-24:00"},
		{"es", "qué más tengo ese día", "Mar 12"},
		{"he", "מה עוד יש לי באותו יום", "Mar 12"},
	} {
		s := when.Setting{Language: c[0], Day: day}
		if got := described(s.Read(c[1], wednesday(t))); got != c[2] {
			t.Errorf("Read(%q)\n got %s\nwant %s", c[1], got, c[2])
		}
		s.Day = interval.Date{}
		if got := s.Read(c[1], wednesday(t)); len(got.Dates) > 0 {
			t.Errorf("Read(%q) without a day at hand names %v", c[1], got.Dates)
		}
	}
}
