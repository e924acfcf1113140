package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/interval"
)

// ownWords are the user's own words that the deed needs: what is quoted, or what stands at their place.
func (r *reading) ownWords() any {
	if len(r.quoted) == 1 {
		r.quoted[0].used = true
		r.takeWords(r.quoted[0].from, r.quoted[0].to)
		return strings.TrimSpace(r.quoted[0].text)
	}
	message := r.delexicalized()
	i, j := Own(r.deed, message, r.deed == "note_save")
	if j == 0 {
		return nil
	}
	tokens := Tokens(message)
	from, to := r.original(tokens[i][0], tokens[j-1][1])
	inside := func(s *said) {
		s.used = s.used || from <= s.from && s.to <= to
	}
	for k := range r.people {
		inside(&r.people[k])
	}
	for k := range r.times {
		inside(&r.times[k].said)
	}
	for k := range r.found {
		m := &r.found[k]
		m.used = m.used || len(m.words) > 0 && from <= r.words[m.words[0]].from && r.words[m.words[len(m.words)-1]].to <= to
	}
	r.takeWords(from, to)
	return strings.TrimSpace(r.Text[from:to])
}

// takeWords says that the words from byte from to byte to are in the call.
func (r *reading) takeWords(from, to int) {
	for i := range r.words {
		w := &r.words[i]
		w.taken = w.taken || from <= w.from && w.to <= to
	}
}

// saveNote keeps the user's own words as a note.
func (r *reading) saveNote() (string, arguments) {
	text := r.ownWords()
	if text == nil {
		return "", nil
	}
	return "note_save", arguments{"text": text, "tags": []string{}}
}

// addItems puts what is named, and the user's own words, on a list.
func (r *reading) addItems() (string, arguments) {
	items := []string{}
	for _, m := range r.of(Item) {
		m.used = true
		items = append(items, m.things[0].Title)
	}
	text, ok := r.ownWords().(string)
	if ok {
		items = append(items, text)
	}
	if ok && !strings.Contains(text, ",") && strings.Contains(r.Text, ",") {
		return "", nil // it may be a part of what is listed
	}
	lists := r.ids(List)
	if len(items) == 0 || len(lists) > 1 {
		return "", nil
	}
	all := arguments{"items": items}
	if len(lists) == 1 {
		all["list"] = lists[0]
	}
	return "list_add", all
}

func (r *reading) newList() (string, arguments) {
	name, ok := r.ownWords().(string)
	if !ok || strings.ContainsAny(name, ",:;") {
		return "", nil // what is to be on it would be lost
	}
	return "list_add", arguments{"list": name, "items": []string{}}
}

var digits = regexp.MustCompile(`\d+`)

// countItems changes how many of an item there are to be.
func (r *reading) countItems() (string, arguments) {
	var numbers []float64
	for i, w := range r.words {
		n, err := strconv.ParseFloat(digits.FindString(w.lower), 64)
		if spelt := slices.Index(spelling, w.lower) % mostSpelt; err != nil && spelt > 0 {
			n, err = float64(spelt), nil
		}
		if err == nil && !r.words[i].taken {
			r.words[i].taken = true
			numbers = append(numbers, n)
		}
	}
	ids := r.ids(Item)
	if len(ids) != 1 || len(numbers) != 1 || numbers[0] <= 0 {
		return "", nil
	}
	return "list_setItem", arguments{"items": ids, "quantity": numbers[0]}
}

// spelling are the numbers to mostSpelt, less one, in words: a language after the other, from 0.
var spelling = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve " +
	"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce " +
	"אפס אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר אחתעשרה תריסר " +
	"אפס אחד שניים שלושה ארבעה חמישה שישה שבעה שמונה תשעה עשרה אחדעשר תריסר")

const mostSpelt = 13

func (r *reading) renameList() (string, arguments) {
	name, lists := r.ownWords(), r.ids(List)
	if name == nil || len(lists) != 1 {
		return "", nil
	}
	return "list_rename", arguments{"list": lists[0], "name": name}
}

// newTask makes a task of the user's own words, with the time at which it is due or told of.
func (r *reading) newTask() (string, arguments) {
	title := r.ownWords()
	if title == nil {
		return "", nil
	}
	all := arguments{"title": title, "tags": []string{}, "dependencies": []string{}}
	if at := r.moment(); at != nil && r.says("remind") {
		all["reminder"] = at
	} else if at != nil {
		all["dueDate"] = at
	}
	return "task_createTask", all
}

// showTasks shows what there is to do, or what fits into a length.
func (r *reading) showTasks() (string, arguments) {
	if n := r.length(); n > 0 {
		return "task_suggestForDuration", arguments{"duration": n}
	}
	selection := arguments{}
	if points := r.points(); len(points) == 1 && len(points[0].Dates) == 1 {
		points[0].used = true
		selection["dueFrom"], selection["dueTo"] = points[0].Dates[0].Start.String(), points[0].Dates[0].End.String()
	}
	if r.says("overdue") {
		selection["overdue"] = true
	}
	return "task_viewTasks", arguments{"selection": selection}
}

// days are the days that a question is about: today, if it names none. Ok is false if it names several.
func (r *reading) days() (d interval.DateRange, ok bool) {
	points := r.points()
	switch {
	case len(points) == 0:
		today := interval.DateOf(r.Now)
		return interval.DateRange{Start: today, End: today}, true
	case len(points) > 1 || len(points[0].Dates) != 1:
		return d, false
	}
	points[0].used = true
	return points[0].Dates[0], true
}

func (r *reading) showDays() (string, arguments) {
	d, ok := r.days()
	if !ok {
		return "", nil
	}
	return "schedule_viewSchedule", arguments{"from": d.Start.String(), "to": d.End.String()}
}

func (r *reading) findGaps() (string, arguments) {
	length := r.length()
	d, ok := r.days()
	if !ok || d.Start != d.End || len(r.people) > 0 {
		return "", nil
	}
	all := arguments{"date": d.Start.String()}
	if length > 0 {
		all["minDuration"] = length
	}
	return "schedule_findGaps", all
}

func (r *reading) howBusy() (string, arguments) {
	d, ok := r.days()
	if !ok || d.Start != d.End || len(r.found) > 0 {
		return "", nil
	}
	return "schedule_analyzeUtilization", arguments{"date": d.Start.String()}
}

func (r *reading) deleteNote() (string, arguments) {
	_, query := r.searchNotes()
	if query == nil {
		return "", nil
	}
	for i := range r.found {
		r.found[i].used = true
	}
	return "note_delete", arguments{"notes": []any{query["query"]}}
}

// searchNotes looks for the words that are not of the question itself.
func (r *reading) searchNotes() (string, arguments) {
	var about []string
	for _, w := range r.words {
		if often := learned().Usual[w.lower]; often < 1 || w.taken {
			about = append(about, r.Text[w.from:w.to])
		}
	}
	if len(about) == 0 {
		return "", nil
	}
	for i := range r.people {
		r.people[i].used = true
	}
	return "note_search", arguments{"query": strings.Join(about, " "), "tags": []string{}}
}

func (r *reading) findContact() (string, arguments) {
	who := r.somebody()
	if who == nil {
		return "", nil
	}
	return "contact_find", arguments{"query": who, "aspect": r.oneOf("birthday", "email", "role", "notes", "phone")}
}

func (r *reading) deleteContact() (string, arguments) {
	who := r.somebody()
	if who == nil {
		return "", nil
	}
	return "contact_delete", arguments{"contact": who}
}
