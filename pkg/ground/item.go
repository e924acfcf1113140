package ground

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/agenda"
)

// withoutTail is what the first of the user's own words name without small words that lead on: "leche a la lista".
func (r *reading) withoutTail(text string) string {
	if strings.Trim(r.Text[r.own[0].to:], around) == "" {
		return text
	}
	return form("trailing").ReplaceAllString(text, "")
}

// addItems puts what is named, and the user's own words, on a list, if that is all that the message asks for.
func (r *reading) addItems() (string, arguments) {
	if at := captured("lacking", r.Text); at != nil && addsMore(r.Text[at[0]:at[1]]) {
		return "", nil
	}
	return r.putItems()
}

func (r *reading) putItems() (string, arguments) {
	items := []string{}
	if call, ok := r.ontoUsual(); ok {
		return "list_add", call
	}
	if list, text := r.framedItems(); text != "" {
		return "list_add", arguments{"items": []string{text}, "list": list}
	}
	_, ok := r.ownWords().(string)
	if ok {
		text, whole := r.listed(r.own[0])
		if !whole || r.stands(r.own[0].from, "joins") || r.cutShort(r.own[0].to) || r.ofItem(r.own[0]) ||
			form("points back").MatchString(text) || len(r.of(List)) == 0 && form("handles").MatchString(text) {
			return "", nil // it would be read only in part, or is no item: "… and order them"
		}
		items = append(items, r.withoutTail(text))
	}
	list := ""
	for _, m := range r.of(Item) {
		if !m.used {
			m.used, list = true, m.things[0].List
			items = append(items, m.things[0].Title)
		}
	}
	lists := r.ids(List)
	all := arguments{"items": items, "list": nil}
	if name := words()["shopping"].FindString(r.Text); len(lists) == 0 && name != "" {
		all["list"] = strings.Trim(name, " .,;!?") // it is made if there is none
		for i, text := range items {
			items[i] = form("onto list").ReplaceAllString(text, "")
		}
	} else if len(lists) == 0 && r.says("list") {
		return "", nil // a list that is not there is none of the user's
	}
	if len(items) == 0 || len(lists) > 1 {
		return "", nil
	}
	if len(lists) == 1 {
		all["list"] = lists[0]
	} else if !ok {
		all["list"] = list
	}
	return "list_add", all
}

// ontoUsual is the call that puts something on a list that has no name, or on none that is said ("we ran out of
// coffee"). Ok is false if a list is named, or if nothing plain is to go there.
func (r *reading) ontoUsual() (call arguments, ok bool) {
	at := captured("lacking", r.Text)
	if onto := form("onto the list").FindStringSubmatchIndex(r.Text); onto != nil {
		at = onto[2:]
	}
	if at == nil || len(r.of(List)) > 0 {
		return nil, false
	}
	text := r.Text[at[0]:at[1]]
	if onlyPoints(text) || onlySays(text, "nothing") || words()["clause"].MatchString(text) {
		return nil, false
	}
	r.useWithin(at[0], at[1])
	items := r.takeOwn(at)
	if strings.HasSuffix(r.Text[:at[0]], " ה") { // "the milk and the coffee"
		items = itsArticle.ReplaceAllString(items, "$1$2")
	}
	call = arguments{"items": []string{items}, "list": nil}
	if before := r.listBefore(); strings.HasPrefix(r.Before.Tool, "list_") && before != "" {
		call["list"] = before
	}
	return call, true
}

// itsArticle is the article of a Hebrew word behind another one in a list.
var itsArticle = regexp.MustCompile(`((?:,|\sו|,\s*ו)\s*)ה(?:-|(\p{L}{2}))`)

// framedItems is all that stands between a word for adding and the one list to which it goes: "add milk and two dozen
// eggs to shopping". Text is empty if the message is of another form, or has a reason in it.
func (r *reading) framedItems() (list, text string) {
	lists := r.of(List)
	if len(lists) != 1 || len(lists[0].words) == 0 || len(lists[0].things) != 1 {
		return "", ""
	}
	first, last := r.words[lists[0].words[0]], r.words[lists[0].words[len(lists[0].words)-1]]
	to := first.from + len(lists[0].before(first)) // with the Hebrew letter for "to"
	before, ends := form("framed").FindStringSubmatchIndex(r.Text[:to]), !wordForm.MatchString(r.Text[last.to:])
	if before == nil || !ends || !words()["adding"].MatchString(firstWord(r.Text[before[2]:])) {
		return "", ""
	}
	text = strings.TrimSpace(r.Text[before[4]:before[5]])
	if words()["clause"].MatchString(text) || words()["because"].MatchString(text) || words()["list"].MatchString(text) ||
		onlyPoints(text) {
		return "", ""
	}
	lists[0].used = true
	r.own = append(r.own, said{text: text, from: before[4], to: before[5], used: true})
	r.useWithin(before[4], before[5])
	return lists[0].things[0].ID, text
}

// listed is all that is listed from the user's own words on: up to the piece that is joined by "and", or else up to a
// piece that says why ("milk, eggs, the kids are coming"). Ok is false if it is not plain where that ends.
func (r *reading) listed(own said) (text string, ok bool) {
	end, joined := own.to, false
	for at := own.from; at < len(r.Text) && !joined; {
		to := at + commaIn(r.Text[at:])
		piece := r.Text[at:to]
		because := words()["because"].FindStringIndex(piece)
		if at > own.from && words()["clause"].MatchString(piece) {
			return r.extend(own, min(end, at))
		}
		if because != nil {
			return r.extend(own, at+because[0])
		}
		if at >= own.to {
			end = to
		}
		if joined = words()["joins"].MatchString(piece); joined {
			end = max(min(own.to, to), at)
			join := at + words()["joins"].FindStringIndex(piece)[0]
			if join >= own.to {
				end = to
			}
			if join < end && words()["clause"].MatchString(r.Text[join:end]) {
				return "", false // "and there's no bread either" is read only in part
			}
		}
		at = to + 1
	}
	return r.extend(own, end)
}

// cutShort reports whether a word stands right after the user's own words that tells something and is in no call.
func (r *reading) cutShort(end int) bool {
	i := slices.IndexFunc(r.words, func(w word) bool { return w.from >= end })
	if i < 0 || strings.TrimSpace(r.Text[end:r.words[i].from]) != "" {
		return false
	}
	w := r.words[i]
	return !w.taken && !w.timely && r.telling(i) && !r.inPeople(said{from: w.from, to: w.to})
}

// ofItem reports whether the user's own words say something of an item that is there: "frob the running shoes".
func (r *reading) ofItem(own said) bool {
	for _, m := range r.of(Item) {
		if len(m.words) == 0 || m.words[0] == 0 || r.words[m.words[0]].from < own.from || r.words[m.words[0]].from > own.to {
			continue
		}
		first := slices.IndexFunc(r.words, func(w word) bool { return w.from >= own.from })
		the := words()["determiner"].MatchString(r.words[m.words[0]-1].lower)
		if the && first < m.words[0]-1 && r.telling(first) && m.covered == 1 {
			return true
		}
	}
	return false
}

// commaIn is where the first comma stands that is not within a number; the end of the text if there is none.
func commaIn(text string) int {
	if at := comma.FindStringIndex(text); at != nil {
		return at[0]
	}
	return len(text)
}

var comma = regexp.MustCompile(`[,;،\n](?:\D|$)`)

// extend makes the user's own words end elsewhere. Ok is false if nothing is left of them, or if something that is
// named for itself would be among them.
func (r *reading) extend(own said, end int) (text string, ok bool) {
	for i := range r.found {
		m := &r.found[i]
		if len(m.words) == 0 {
			continue // it is pointed to
		}
		at := r.words[m.words[0]]
		if inside := own.from <= at.from && at.to <= end; inside && m.kind == List {
			return "", false
		} else if own.from <= at.from && at.to <= max(own.to, end) {
			m.used = inside
		}
	}
	for i := range r.words {
		if w := &r.words[i]; own.from <= w.from && w.to <= max(own.to, end) {
			w.taken = w.to <= end
		}
	}
	text = strings.Trim(r.Text[own.from:end], " ,;.")
	r.own[len(r.own)-1].to = own.from + len(strings.TrimRight(r.Text[own.from:end], " ,;."))
	for first, rest, more := strings.Cut(text, " "); more && words()["lead"].MatchString(first); {
		text = rest // "we still need" begins no item
		first, rest, more = strings.Cut(text, " ")
	}
	return text, text != ""
}

var digits = regexp.MustCompile(`\d+`)

// spelling are the numbers below mostSpelt in words, one language after the other from 0, and amounts are others.
var (
	spelling = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve " +
		"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce " +
		"אפס אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר אחתעשרה תריסר " +
		"אפס אחד שניים שלושה ארבעה חמישה שישה שבעה שמונה תשעה עשרה אחדעשר תריסר")
	amounts = strings.Fields("dozen twenty thirty half couple docena veinte treinta medio שני שתי עשרים שלושים חצי")
)

const mostSpelt = 13

// numeral reports whether a word is a number above one, or some amount.
func numeral(w word) bool {
	return digits.MatchString(w.lower) || slices.Index(spelling, w.lower)%mostSpelt > 1 ||
		slices.Contains(amounts, w.lower)
}

// inTodos reports whether a word is the end of "to-dos", and no Spanish number.
func (r *reading) inTodos(w word) bool {
	return w.lower == "dos" && strings.HasSuffix(r.Text[:w.from], "-")
}

// changeItem changes how many of an item there are to be, or what it is called.
func (r *reading) changeItem() (string, arguments) {
	items := r.of(Item)
	if len(items) != 1 || len(items[0].meant) != 1 {
		return "", nil
	}
	m := items[0]
	thing := m.meant[0]
	for _, l := range r.of(List) {
		l.used = l.things[0].ID == thing.List
	}
	if m.used = true; r.counted() {
		amount := r.amount(m)
		if amount == "" {
			return "", nil
		}
		return "list_setItem", arguments{"items": []string{amount + " " + thing.Title}, "list": thing.List}
	}
	text, ok := r.newName().(string)
	if !ok || form("changes it").MatchString(r.Text) && !r.pointed {
		return "", nil // "change that to soy milk" names the new thing
	}
	return "list_setItem", arguments{"items": r.ids(Item), "text": text}
}

// counted reports whether a number is said outside the name.
func (r *reading) counted() bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return !w.taken && numeral(w) })
}

// amount is how many of an item are said to be: a number before its name with what it is measured in, or the one number
// that is said elsewhere. What is not so any more ("not two") is none; neither are two numbers ("four or five").
func (r *reading) amount(m *mention) string {
	first, amount := -1, "" // no word names what is pointed to
	if len(m.words) > 0 {
		first = m.words[0]
	}
	for i := range r.words {
		w := &r.words[i]
		if w.taken || !numeral(*w) {
			continue
		}
		w.taken = true
		if denied := words()["instead"].FindAllStringIndex(r.Text[:w.from], -1); i > 0 && len(denied) > 0 &&
			denied[len(denied)-1][1] == w.from {
			continue
		}
		if amount != "" {
			return ""
		}
		if amount = r.Text[w.from:w.to]; i < first && first-i <= farthest {
			if amount = r.measure(i, first); amount == "" {
				return ""
			}
		}
	}
	return amount
}

// measure takes the words from a number to the name of an item: "a dozen", "four bags of"; none if there is another
// number among them.
func (r *reading) measure(from, first int) string {
	if slices.ContainsFunc(r.words[from+1:first], numeral) {
		return ""
	}
	if from > 0 && words()["one"].MatchString(r.words[from-1].lower) {
		from--
	}
	for k := from; k < first; k++ {
		r.words[k].taken = true
	}
	return strings.TrimSpace(r.Text[r.words[from].from:r.words[first].from])
}

func (r *reading) renameList() (string, arguments) {
	name, lists := r.newName(), r.ids(List)
	if name == nil || len(lists) != 1 {
		return "", nil
	}
	return "list_rename", arguments{"list": lists[0], "name": name}
}

// onItems calls a tool for items of one list, or of several if their ids tell the lists; for all open items if a list
// is named and none of its items.
func onItems(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		all := arguments{"items": r.ids(Item)}
		if named := r.of(Item); len(named) == 1 {
			if other := r.otherItem(named[0]); other != "" {
				all["items"], all["list"], r.guessed = []string{other}, named[0].things[0].List, true
			}
		}
		lists := r.ids(List)
		if len(lists) == 1 {
			all["list"] = lists[0]
		}
		if len(r.of(Item)) == 0 {
			if len(lists) != 1 || !r.says("everything") || tool != "list_setItem" {
				return "", nil
			}
			all["items"], all["which"] = []string{}, "open"
		}
		for name, value := range more {
			all[name] = value
		}
		return tool, all
	}
}

// tickItems ticks items off, or takes the tick away.
func (r *reading) tickItems() (string, arguments) {
	return r.itemsBut("list_setItem", arguments{"done": !r.says("unticking")})
}

// perhapsTask reports whether what is ticked off as done may be an open task as well, whose title has the same words:
// "mark the passport as done".
func (r *reading) perhapsTask() bool {
	return r.deed == "item_done" && r.says("as done") && len(r.of(List)) == 0 &&
		slices.ContainsFunc(r.of(Item), func(m *mention) bool {
			return slices.ContainsFunc(r.Things, func(t Thing) bool {
				return t.Kind == Task && !t.Done && !slices.ContainsFunc(m.words, func(i int) bool { return !r.titled(t, i) })
			})
		})
}

// showList shows the list that is named, or those with the items that are.
func (r *reading) showList() (string, arguments) {
	lists := r.ids(List)
	for _, m := range r.of(Item) {
		if m.used = true; !slices.Contains(lists, m.things[0].List) {
			lists = append(lists, m.things[0].List)
		}
	}
	all := arguments{"list": nil}
	switch {
	case len(lists) > 1:
		return "", nil
	case len(lists) == 1:
		all["list"] = lists[0]
	case r.says("left"):
		if all["list"] = "shopping"; r.says("packing") {
			all["list"] = "packing"
		}
	case !r.says("plainly ask_list"):
		return "", nil
	}
	if r.says("left") {
		all["which"] = "open"
	}
	if onIt := r.onList(); onIt != "" {
		all["has"] = []string{onIt}
	}
	return "list_view", all
}

// onList is what is asked to be on a list: "is there any butter on it?". Empty if all that is on it is asked for.
func (r *reading) onList() string {
	at := words()["is there"].FindStringIndex(r.delexicalized())
	if at == nil {
		return ""
	}
	var said []string
	for i, w := range r.words {
		if w.from >= at[1]-1 && (!w.taken || r.isItem(i)) && !agenda.Idle(w.lower) && !words()["list"].MatchString(w.lower) {
			said = append(said, r.Text[w.from:w.to])
		}
	}
	for n := len(said); n > 1 && words()["small"].MatchString(said[n-1]); n-- {
		said = said[:n-1]
	}
	return strings.Join(said, " ")
}

// isItem reports whether a word names an item.
func (r *reading) isItem(i int) bool {
	return slices.ContainsFunc(r.of(Item), func(m *mention) bool { return slices.Contains(m.words, i) })
}

// moveItems moves items to the list that is named last.
func (r *reading) moveItems() (string, arguments) {
	lists := r.ids(List)
	there := func(m *mention) bool { return len(lists) > 0 && m.things[0].List == lists[len(lists)-1] }
	if len(lists) == 0 || len(lists) > 2 || slices.ContainsFunc(r.of(Item), there) {
		return "", nil
	}
	return "list_setItem", arguments{"items": r.ids(Item), "moveTo": lists[len(lists)-1]}
}

// withKind are the words of a name with the word beside them that says what kind of thing it is.
func (r *reading) withKind(m mention) []int {
	if m.kind == Event {
		return r.withNoun(m.words)
	}
	if m.kind == List {
		return r.withList(m.words)
	}
	return m.words
}

// withList are the words of a list's name with the word for a list that stands beside them.
func (r *reading) withList(at []int) []int {
	if n := at[len(at)-1] + 1; n < len(r.words) && words()["list"].MatchString(r.words[n].lower) {
		return append(slices.Clone(at), n)
	}
	if n := at[0] - 1; n >= 0 && words()["list"].MatchString(r.words[n].lower) {
		return append([]int{n}, at...)
	}
	return at
}
