package ground

// ofOneEvent reads messages that consist of nothing but the name of one event and what is told or asked of it: it is
// shown whole ("show me the dentist"), or is at another time from now on ("the call with the family is at 6 this
// Sunday, just this once").
func ofOneEvent(m Message) Reading {
	m.Text = form("this once").ReplaceAllString(m.Text, "")
	shows, moves := form("shows one").MatchString(m.Text), form("is then").MatchString(m.Text)
	if !shows && !moves {
		return Reading{}
	}
	for _, way := range newReading(m).ways() {
		if len(way.of(Event)) != 1 || len(way.found) != 1 || len(way.people)+len(way.quoted) > 0 {
			continue
		}
		text := way.delexicalized()
		switch {
		case shows && form("shows alone").MatchString(text):
			way.deed = "ask_agenda"
			return way.certainly(tell("details")(way))
		case moves && form("is alone").MatchString(text):
			way.deed = "event_move"
			if tool, call := way.move(); tool != "" && !way.left() {
				return way.certainly(tool, call)
			}
		}
	}
	return Reading{}
}

// certainly is the reading of a message that asks for a call and nothing else.
func (r *reading) certainly(tool string, call arguments) Reading {
	d := deeds[r.deed]
	if scope := r.scope(d); scope != "" {
		call["scope"] = scope
	}
	read := undoubted(r.deed, tool, call)
	if read.Tool != "" {
		read.Reads, read.Clear, read.Plain, read.Sure = d.reads, r.single(), !r.guessed, r.single() && d.reads
	}
	return read
}
