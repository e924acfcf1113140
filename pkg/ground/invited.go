package ground

import "regexp"

// invited shows the invitations among the mails: "did I get invited to anything?". Without a mailbox it says nothing.
func invited(m Message) Reading {
	if m.Mails == nil || !asksInvitations.MatchString(m.Text) {
		return Reading{}
	}
	r := newReading(m)
	r.deed = "mail_ask"
	return r.certainly("email_search", arguments{
		"query": nil, "limit": nil, "selection": arguments{"folder": "inbox", "invitation": true},
	})
}

// asksInvitations is all of such a question.
var asksInvitations = regexp.MustCompile(`(?i)^\s*¿?(?:(?:hey|so|and|oye|y)[, ]+)*(?:` +
	`(?:(?:did|have|was|were|am|has|is|are) (?:i|anyone|anybody|someone|there)(?: (?:get|got|been|being))?|` +
	`(?:did|has) (?:anyone|anybody|someone)) invited?(?: me)?(?: (?:to|for))?(?: (?:anything|something|any \S+))?|` +
	`(?:do i have |are there |have i got |show me |what are |list )?(?:any |my |the |all )?(?:new |open |pending |` +
	`unanswered )?` +
	`invit(?:ation|e)s?(?: (?:waiting|pending|to answer|for me|in my mail|that i (?:have|need)[^,;]*))?|` +
	`(?:me (?:ha|han) invitado|me invitaron)(?: a (?:algo|alguna cosa))?|` +
	`(?:tengo |hay |muéstrame )?(?:(?:alguna|mis|las) )?(?:nuevas )?invitaci(?:ón|ones)(?: (?:nuevas|pendientes|` +
	`sin responder))*|` +
	`(?:הזמינו|מישהו הזמין|הוזמנתי) ?(?:אותי)?(?: ל?(?:משהו|אירוע|פגישה))?|` +
	`(?:יש(?: לי)? |מה |תראה לי את )?ה?הזמנות(?: (?:חדשות|פתוחות|שלי|שמחכות לי))*)[\s.?!]*$`)
