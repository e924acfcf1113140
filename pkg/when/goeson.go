package when

// goesOn lets a day go on to the end of the stretch in which it lies: "Wednesday and the rest of the week".
func (a *assembler) goesOn(w *wish, d days) bool {
	before := w.days[len(w.days)-1]
	if !one(before) || before.first().Before(d.first()) || d.last().Before(before.first()) {
		return false
	}
	w.days[len(w.days)-1] = stretch(before.first(), d.last())
	return true
}
