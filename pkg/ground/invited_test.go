package ground

import "testing"

// Who asks whether there are invitations sees those among the mails.
func TestInvited(t *testing.T) {
	t.Parallel()
	for text, is := range map[string]bool{
		"Did I get invited to anything?": true, "any new invitations?": true, "¿me han invitado a algo?": true,
		"¿tengo invitaciones pendientes?": true, "הזמינו אותי למשהו?": true, "יש לי הזמנות חדשות?": true,
		"did I invite anyone?": false, "who did I invite to the party?": false, "send invites": false,
	} {
		got := invited(Message{Text: text, Now: now, Mails: func() []Thing { return nil }})
		if want := "email_search"; (got.Tool == want) != is {
			t.Errorf("%q is %q", text, got.Tool)
		}
		if got := invited(Message{Text: text, Now: now}); got.Tool != "" {
			t.Errorf("%q is %s without a mailbox", text, got.Tool)
		}
	}
}
