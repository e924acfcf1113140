package ground

// Unsettled are the words of a message that moves an event which say when by something that nobody knows: "after the
// run" of "move the gym to Saturday after the run". It is empty if there are none.
func Unsettled(m Message) string {
	if !form("beside what").MatchString(m.Text) {
		return ""
	}
	r := bestOf(newReading(m).ways())
	return r.unsettled()
}

// unsettled are such words; what is known stands there as a time.
func (r *reading) unsettled() string {
	if r.deed != "event_move" {
		return ""
	}
	at := form("beside what").FindStringSubmatchIndex(r.delexicalized())
	if at == nil {
		return ""
	}
	from, to := r.original(at[2], at[3])
	if said := r.Text[from:to]; !form("beside nothing").MatchString(said) {
		return said
	}
	return ""
}
