package ground

import (
	"slices"
	"strings"
)

// withoutOpening is a message without what people say before a request: "when you get a chance, …".
func withoutOpening(text string) string {
	for at := words()["interjection"].FindStringIndex(text); at != nil && wordForm.MatchString(text[at[1]:]); {
		text = strings.TrimLeft(text[at[1]:], around+"…")
		at = words()["interjection"].FindStringIndex(text)
	}
	if at := words()["aside"].FindStringIndex(text); at != nil && at[0] == 0 && wordForm.MatchString(text[at[1]:]) {
		return strings.TrimLeft(text[at[1]:], around)
	}
	return text
}

// AfterAssent is the request of a message that first says yes or thanks: "yes, and buy milk"; empty if it has none.
func AfterAssent(text string) string {
	at := words()["assent"].FindStringIndex(text)
	if at == nil {
		return ""
	}
	request, ok := requested(text[at[1]:])
	if !ok || len(conceptsOf(firstWord(request))) == 0 {
		return ""
	}
	return request
}

// Assent is a way to take a message apart into what may be a yes, and a request.
type Assent struct{ Yes, Request string }

// Assents are the ways to take a message apart so, the longest yes first: "ok, send it and buy milk". There is none if
// the request may hold the yes back: "yes, but show me tomorrow first".
func Assents(text string) (ways []Assent) {
	if words()["holds back"].MatchString(text) {
		return nil
	}
	for _, at := range slices.Backward(form("joins requests").FindAllStringIndex(text, -1)) {
		yes := strings.TrimRight(text[:at[0]], around)
		rest := strings.TrimLeft(text[at[0]:], around)
		adds := form("besides a yes").MatchString(rest)
		if request, ok := requested(rest); ok && adds && yes != "" && len(strings.Fields(yes)) <= longestYes {
			ways = append(ways, Assent{yes, request})
		}
	}
	return ways
}

// longestYes is how many words a yes has at most.
const longestYes = 8

// requested is what begins with a verb or asks, without the words that join it to what stands before.
func requested(text string) (request string, ok bool) {
	request = strings.TrimLeft(text, around)
	if at := form("joins before").FindStringIndex(request); at != nil {
		request = strings.TrimLeft(request[at[1]:], around)
	}
	if bare, joined := strings.CutPrefix(request, "ו"); joined && isRequest(bare) {
		request = bare
	}
	return request, isRequest(request)
}

// isRequest reports whether a text begins with a word that a request begins with.
func isRequest(text string) bool {
	first := strings.TrimLeft(firstWord(text), "¿")
	return len(conceptsOf(first)) > 0 || form("request first").MatchString(text)
}

// PointsBack reports whether a request is of what was spoken of before: "make it later".
func PointsBack(text string) bool { return form("points back").MatchString(text) }

// exceptLast is a message with what it leaves out at its end: "except the gym, clear my week".
func exceptLast(text string) string {
	if at := words()["all but some"].FindStringSubmatch(text); at != nil {
		return at[1] + " " + at[3] + ", except " + at[2] // "delete all but the two newest mails from al"
	}
	at := words()["except first"].FindStringSubmatch(text)
	if at == nil {
		return text
	}
	return at[2] + " " + strings.Trim(at[1], " ,")
}

// around is what may stand around what is said beside a request.
const around = " ,.;:!–-"

// beforeAside is what stands before an aside of a name at the end of a text; the whole text if there is none. Some are
// told from the words of a request only by a mark before them: "say thanks".
func beforeAside(text, name string) string {
	trimmed := strings.TrimRight(text, around)
	for _, at := range words()[name].FindAllStringIndex(trimmed, -1) {
		before := strings.TrimRight(trimmed[:min(at[0]+1, at[1])], " ")
		marked := before != "" && strings.ContainsAny(before[len(before)-1:], ",.;:-")
		if at[0] > 0 && at[1] == len(trimmed) && (marked || name != "aside marked") {
			return strings.TrimRight(trimmed[:at[0]], around)
		}
	}
	return text
}

// withoutRank is a title without what is said at its end beside it and of how much it matters, and the priority that it
// says: "…, no rush".
func (r *reading) withoutRank(title string) (rest string, priority any) {
	ranks := map[string]any{"aside": nil, "aside marked": nil, "aside high": "high", "aside low": "low"}
	rest = title
	for last := ""; rest != last; {
		last = rest
		for name, means := range ranks {
			if shorter := beforeAside(rest, name); shorter != rest {
				rest = shorter
				if means != nil {
					priority = means
				}
			}
		}
	}
	if own := &r.own[len(r.own)-1]; own.from+len(rest) < own.to {
		own.to = own.from + len(rest)
	}
	return rest, priority
}

// Tells reports whether a message asks a question, or has a word that may name something: "make it later" has none.
func Tells(m Message) bool {
	r := newReading(m)
	if len(r.words) == 0 || Amends(m) {
		return len(r.words) > 0
	}
	r.markTimes()
	asks := strings.HasSuffix(strings.TrimSpace(r.Text), "?") || onlySays(r.words[0].lower, "asks")
	return asks || slices.ContainsFunc(r.words, func(w word) bool { return !w.timely && tells(w.lower) > telling })
}

// Joins reports whether a message has words that join requests.
func Joins(text string) bool { return form("joins requests").MatchString(text) }
