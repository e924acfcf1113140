package ground

import (
	"slices"
	"strings"

	"convene/pkg/agenda"
)

// pick are the mails that are meant by all that is said outside the user's own words. Senders are who of the people
// sent them or, if the user wrote them, got them; of says which marks of mails count.
func (r *reading) pick(senders []*said, of ...string) *pick {
	spared, p := r.rest, r.pickAll(senders, of...)
	if spared == nil {
		return p
	}
	out := spared.pickAll(spared.outside(), append(of, "unread", "starred", "newsletter", "hasAttachment")...)
	ofSender := spared.namesSender(p.left)
	out.named = out.named || len(ofSender) > 0
	out.left = keep(p.left, func(t Thing) bool {
		same := func(o Thing) bool { return o.ID == t.ID }
		return slices.ContainsFunc(out.left, same) || slices.ContainsFunc(ofSender, same)
	})
	switch n := max(out.count(), 1); {
	case n > len(p.left):
	case out.says("newest"):
		out.left, out.named = p.left[:n], true
	case out.says("oldest"):
		out.left, out.named = p.left[len(p.left)-n:], true
	}
	p.lost = p.lost || out.lost || !out.named || len(out.left) == 0 || spared.left() || len(out.left) == len(p.left)
	p.left = keep(p.left, func(t Thing) bool {
		return !slices.ContainsFunc(out.left, func(o Thing) bool { return o.ID == t.ID })
	})
	p.sparing = true
	return p
}

// namesSender are the mails whose sender is called by what is left out: "leave city paper alone".
func (r *reading) namesSender(mails []Thing) []Thing {
	var said []string
	for i, w := range r.words {
		if strings.TrimSpace(r.Text[w.from:w.to]) != "" && !w.timely && r.telling(i) {
			said = append(said, agenda.Fold(w.lower))
		}
	}
	return keep(mails, func(t Thing) bool { return len(said) > 1 && t.Letter.hasAll(said) })
}

// hasAll reports whether some words have the first two of the sender's name.
func (l *Letter) hasAll(words []string) bool {
	names := l.names()
	return len(names) > 1 && !slices.ContainsFunc(names[:2], func(n string) bool { return !slices.Contains(words, n) })
}

// spare takes from a message about mails what it leaves out of what it asks for, as a reading of its own: "…, except
// the ones from grace".
func (r *reading) spare() {
	at := words()["sparing"].FindStringIndex(r.Text)
	if at == nil || !r.isMail() || deeds[r.deed].dictated || strings.TrimSpace(r.Text[:at[0]]) == "" {
		return
	}
	rest, main := *r, *r
	rest.only(at[1]-1, len(r.Text))
	main.only(0, at[0])
	if main.judge(); main.deed != r.deed {
		r.unspared = true // and nothing is done to what may be left out
	} else {
		main.probability = max(main.probability, r.probability)
		main.rest = &rest
		*r = main
	}
}

// bestSparing is the way to read a message of which all but what it leaves out plainly asks for something of mails; nil
// if there is none.
func (r *reading) bestSparing() (best *reading) {
	at := words()["sparing"].FindStringIndex(r.Text)
	if at == nil {
		return nil
	}
	for _, way := range r.ways() {
		main := *way
		main.only(0, at[0])
		main.judge()
		plain := main.isMail() && !deeds[main.deed].dictated && main.probability >= plainlyOfEvent
		if plain && (best == nil || main.probability > best.probability) {
			way.deed, way.probability, best = main.deed, main.probability, way
		}
	}
	return best
}

// only makes a reading one of what stands from byte from to byte to. The words outside are blank.
func (r *reading) only(from, to int) {
	blank := func(n int) string { return strings.Repeat(" ", n) }
	r.Text = blank(from) + r.Text[from:to] + blank(len(r.Text)-to)
	outside := func(s said) bool { return s.from < from || to < s.to }
	r.words = slices.Clone(r.words)
	for i := range r.words {
		w := &r.words[i]
		w.taken = w.taken || outside(said{from: w.from, to: w.to})
	}
	r.found = slices.DeleteFunc(slices.Clone(r.found), func(m mention) bool {
		return len(m.words) > 0 && outside(said{from: r.words[m.words[0]].from, to: r.words[m.words[0]].to})
	})
	r.people = slices.DeleteFunc(slices.Clone(r.people), outside)
	r.quoted = slices.DeleteFunc(slices.Clone(r.quoted), outside)
	r.times = slices.DeleteFunc(slices.Clone(r.times), func(t timed) bool { return outside(t.said) })
}
