package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// habit sets the hours that a message states as a habit, with no word that orders anything: "on Fridays I finish at 2",
// "I have lunch from 12:30 to 1:15 every day". What else it says is read elsewhere.
func habit(m Message) Reading {
	for _, key := range []string{"lunch_hours", "working_hours"} {
		at := habits[key].FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		r := newReading(m)
		r.readTimes()
		for i := range r.times {
			if t := &r.times[i]; at[0] <= t.from && t.to <= at[1] {
				t.used = true // its name: "working hours"
			}
		}
		update := arguments{"key": key, "days": []string{}, "without": []string{}}
		if r.saysMore(at[0], at[1]) || !r.isHabit(key, m.Text[at[0]:at[1]]) || onlyOnce.MatchString(m.Text) {
			continue
		}
		r.habitual = true
		if r.setHours(update); len(update) == 3 || r.left() {
			continue
		}
		call := arguments{"updates": []arguments{update}}
		return undoubted("preference_set", "preference_updatePreferences", call).doubted(r.guessed)
	}
	return Reading{}
}

// saysMore reports whether a message says anything beside times and what stands from one byte to another.
func (r *reading) saysMore(from, to int) bool {
	daily := everyDay.FindAllStringIndex(r.Text, -1)
	for _, w := range r.words {
		within := func(at []int) bool { return at[0] <= w.from && w.to <= at[1] }
		said := within([]int{from, to}) || slices.ContainsFunc(daily, within) ||
			slices.ContainsFunc(r.times, func(t timed) bool { return t.from < w.to && w.from < t.to })
		if !said && !onlySays(w.lower, "idle", "small", "not") && !forbidding.MatchString(w.lower) {
			return true
		}
	}
	return len(r.people)+len(r.quoted) > 0
}

// forbidding are words by which hours are kept free: "nothing between 1 and 2".
var forbidding = regexp.MustCompile(`(?i)^(?:don['’]?t|nothing|anything|book|put|schedule|plan|from|to|now|me|i|` +
	`that|and|also|but|` +
	`nada|pongas|agendes|reserves|a|partir|ahora|también|pero|תקבעי?|תשימי?|לי|כלום|מ|שום|דבר|וגם|גם|אבל)$`)

// isHabit reports whether what a message says of time comes again and again: on days of the week, or every day. Lunch
// that is called one's usual one, or hours that a message forbids, need no days.
func (r *reading) isHabit(key, said string) bool {
	for _, t := range r.times {
		for _, e := range t.Entities {
			if e.Every {
				return true
			}
		}
	}
	weekly := len(r.ofEachWeek()) > 0 || daysTo.MatchString(r.Text)
	return weekly || everyDay.MatchString(r.Text) || key == "lunch_hours" && usually.MatchString(said)
}

var (
	// daysTo joins the first and the last day of a part of the week, and onlyOnce is of single days, or leaves some out.
	daysTo = regexp.MustCompile(`(?i)(?:days?|lunes|martes|miércoles|jueves|viernes|sábado|domingo|` +
		`ראשון|שני|שלישי|רביעי|חמישי|שישי) ?(?:to|through|thru|till|until|-|–|a|hasta|עד) ?` +
		`(?:mon|tues|wednes|thurs|fri|satur|sun|lunes|martes|miércoles|jueves|viernes|sábado|domingo|` +
		`(?:יום )?(?:ראשון|שני|שלישי|רביעי|חמישי|שישי))`)
	onlyOnce = regexp.MustCompile(`(?i)\b(?:next|this|today|tomorrow|tonight|but not|except|próxim[oa]|este|esta|` +
		`hoy|mañana|` +
		`pero no|menos|excepto)\b|(?:^|\s)(?:מחר|היום|הקרובה?|אבל לא|חוץ)`)
	weekdayNames = regexp.MustCompile(`(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|` +
		`\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b|` +
		`(?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)(?:\s|[,.]|$)`)
	everyDay = regexp.MustCompile(`(?i)\b(?:every ?day|each day|daily|weekdays|always|todos los días|cada día|a diario|` +
		`siempre)\b|(?:^|\s)(?:כל יום|תמיד)`)
	usually = regexp.MustCompile(`(?i)\b(?:my|that['’]?s|usually|always|mi|siempre)\b|שלי`)
)

// habits are words by which people tell when they work or have lunch, by preference.
var habits = map[string]*regexp.Regexp{
	"working_hours": regexp.MustCompile(`(?i)(?:^|[\s,])(?:i(?:['’]m| am)? (?:(?:only|just|always|usually|normally) )*` +
		`(?:work|start(?: work(?:ing)?)?|begin|finish(?: work(?:ing)?)?|stop(?: work(?:ing)?)?|leave(?: work)?|` +
		`get off(?: work)?|off(?: work)?|done)|` +
		`(?:my )?(?:work(?:ing)? hours|work ?day) (?:are|is|starts?|ends?)|` +
		`(?:yo )?(?:(?:solo|sólo|siempre) )?(?:trabajo|(?:empiezo|entro|termino|acabo|salgo)(?: (?:a|de) trabajar)?)|` +
		`mi (?:horario|jornada)(?: laboral| de trabajo)?(?: (?:es|empieza|termina))?|` +
		`ו?אני (?:(?:רק|תמיד) )*(?:עובדת?|(?:מתחילה?|מסיי(?:ם|מת)|גומרת?|יוצאת?)(?: (?:לעבוד|מהעבודה|את העבודה))?)|` +
		`שעות העבודה שלי(?: הן)?)(?:$|[\s,.])`),
	"lunch_hours": regexp.MustCompile(`(?i)(?:^|[\s,])(?:i (?:(?:usually|always|normally) )*(?:have|take|eat|do)` +
		`(?: my| a)? lunch(?: break)?|my lunch(?: break| hour)? is|(?:that['’]?s|it['’]?s) (?:when i (?:eat|have lunch)|` +
		`my lunch(?: break| hour| time)?)|(?:siempre |yo )(?:como|almuerzo)|como (?:de|a|entre|todos)|almuerzo|` +
		`es mi hora de (?:comer|almorzar|la comida)|` +
		`mi (?:hora de comer|almuerzo|comida) es|` +
		`אני אוכלת? (?:ארוחת )?צהריים|(?:הפסקת|ארוחת) ה?צהריים שלי(?: היא)?|זו? (?:הפסקת|ארוחת) הצהריים שלי)(?:$|[\s,.])`),
}

// offThen says that hours are free.
var offThen = regexp.MustCompile(`(?i)\b(?:off|libro|libre)\b|(?:^|\s)(?:פנוי|חופשי)`)

// wholeWeek are the only working hours of a week, if so many of its days are named with both ends that no other day is
// meant, or "only" is said: "I work 9 to 6 Monday to Thursday".
func (r *reading) wholeWeek(days []string, from, to *interval.Clock) (week interval.Week, whole bool) {
	const most = 3
	if !r.habitual || from == nil || to == nil || len(days) == 0 || len(days) < most && !onlyThen.MatchString(r.Text) {
		return week, false
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		for _, name := range days {
			if strings.EqualFold(name, day.String()) {
				week[day] = []interval.Window{{Start: *from, End: *to}}
			}
		}
	}
	return week, true
}
