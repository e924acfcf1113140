package offline

import "slices"

// Asked is what a message asks for of the proposal before it, and the language of the message. It lists nothing if the
// message asks for no fact, or for anything else besides: "is it quiet there?" asks, "somewhere quieter?" wishes.
// Features of a place go by their own names.
func Asked(message string, earlier []Exchange) (aspects []string, language string) {
	r := understand(classifyData{Message: message, RecentTurns: earlier, HasEvent: true}, someDay)
	return r.asked(), r.Language
}

// longestQuestion is how many words a question for a fact has at most.
const longestQuestion = 12

// asked is what the message asks for of the proposal.
func (r *reading) asked() (aspects []string) {
	s := &r.wish
	if !r.data.HasEvent || r.unread != "" || r.said.size > longestQuestion ||
		s.says("instead", "earlier", "later", "another", "different", "can we", "could we", "how about", "what about") {
		return nil
	}
	book := cueBooks()[r.Language]
	m := r.meaning()
	for _, q := range book.questions {
		if !slices.ContainsFunc(q.ways, m.meets) {
			continue
		}
		if q.aspect == "feature" {
			aspects = append(aspects, s.venue.features...)
		} else if !slices.Contains(aspects, q.aspect) {
			aspects = append(aspects, q.aspect)
		}
	}
	return aspects
}
