package ground

// invited shows the invitations among the mails: "did I get invited to anything?". Without a mailbox it says nothing.
func invited(m Message) Reading {
	if m.Mails == nil || !form("asks invitations").MatchString(m.Text) {
		return Reading{}
	}
	r := newReading(m)
	r.deed = "mail_ask"
	return r.certainly("email_search", arguments{
		"query": nil, "limit": nil, "selection": arguments{"folder": "inbox", "invitation": true},
	})
}
