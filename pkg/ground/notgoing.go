package ground

// asCancelling turns a message that tells to which event the user will not go, and then asks to take that off, into
// an order to cancel it: "I don't think I'll make it to pottery this week, my back hurts. Can you take it off" becomes
// "cancel pottery this week". Why is left aside; what asks for more, or names no event, stays as it is.
func asCancelling(m Message) string {
	for _, way := range ways("not going") {
		at := way.form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		what, why := m.Text[at[2]:at[3]], ""
		if at[4] >= 0 {
			why = m.Text[at[4]:at[5]]
		}
		said := (&reading{Message: m}).setting().Read(what, m.Now)
		if onlyTimes(what, said) || Joins(why) || form("saying it").MatchString(what) {
			return m.Text
		}
		return string(way.form.ExpandString(nil, way.becomes, m.Text, at))
	}
	return m.Text
}
