package ground

import (
	"encoding/json"
	"testing"
)

// A mail that waits is changed by what is plainly said of it, and by nothing else.
func TestAMailThatWaitsIsAmended(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string
		want string // body, subject, to and cc; "refused" if code can't, empty if the message says nothing of the mail
	}{
		{"also tell him that I added two charts", "I will send the slides tomorrow. I added two charts||Omar Haddad|"},
		{"say wednesday instead", "I will send the slides wednesday||Omar Haddad|"},
		{"say the slides are done instead", "the slides are done||Omar Haddad|"},
		{"change slides to figures", "I will send the figures tomorrow||Omar Haddad|"},
		{"change charts to figures", "refused"},
		{"make the subject two charts", "I will send the slides tomorrow|two charts|Omar Haddad|"},
		{"send it to Yara too", "I will send the slides tomorrow||Omar Haddad,Yara Stone|"},
		{"send it to Yara instead", "I will send the slides tomorrow||Yara Stone|"},
		{"change it to say friday instead", "I will send the slides friday||Omar Haddad|"},
		{"change it to say the slides are done", "the slides are done||Omar Haddad|"},
		{"cc Yara", "I will send the slides tomorrow||Omar Haddad|Yara Stone"},
		{"cc jo@b.example please", "I will send the slides tomorrow||Omar Haddad|jo@b.example"},
		{"drop Yara", "refused"},
		{"drop Omar", "refused"},
		{"cc whoever needs it", ""},
		{"make it shorter", "refused"},
		{"don't mention the slides", "refused"},
		{"drop the subject", "refused"},
		{"add that I'm off on friday and send it", "refused"},
		{"add that I'm off on friday, and cc Yara", "refused"},
		{"add \"around noon\" to it", "I will send the slides tomorrow. Around noon||Omar Haddad|"},
		{"also ask him when he needs them by",
			"I will send the slides tomorrow. Could you tell me when you need them by?||Omar Haddad|"},
		{"no wait, don't promise the slides", "refused"},
		{"how does the mail read now?", "I will send the slides tomorrow||Omar Haddad|"},
		{"read me the whole draft", "I will send the slides tomorrow||Omar Haddad|"},
		{"show me my mail", ""},
		{"delete the job alert mails", ""},
		{"remove the part about friday", "refused"},
		{"and add the talk to my calendar", ""},
		{"put eggs on my shopping list", ""},
		{"add that it's on my calendar", "I will send the slides tomorrow. It's on my calendar||Omar Haddad|"},
		{"also write to Yara that the room is booked", ""},
		{"and write Yara that I'm sick", ""},
		{"say to Yara that I'm in on friday", ""},
		{"write a note that the boiler is broken", ""},
		{"add a meeting with Yara at 3", ""},
		{"y también escribe a Yara que está listo", ""},
		{"תגיד ליערה שהמצגת מוכנה", ""},
		{"say to him that I'm sorry", "I will send the slides tomorrow. I'm sorry||Omar Haddad|"},
		{"write Yara's number in it", "I will send the slides tomorrow. Yara's number||Omar Haddad|"},
		{"send it", ""},
		{"tell Yara I'm late", ""},
		{"archive the newsletters", ""},
	} {
		m := Message{
			Text: tc.text, Language: "en", Now: now, Waits: true, People: []Person{
				{Name: "Yara Stone", Said: "Yara", Address: "yara@stone.example"},
				{Name: "Omar Haddad", Said: "Omar", Address: "omar@haddad.example"},
			},
			Before: Call{"email_compose", json.RawMessage(
				`{"kind":"new","to":["Omar Haddad"],"cc":[],"subject":null,"body":"I will send the slides tomorrow","do":"send"}`)},
		}
		if got := amendedAs(t, m); got != tc.want {
			t.Errorf("%q: %s, want %s", tc.text, got, tc.want)
		}
		m.Waits = false
		if Amends(m) {
			t.Errorf("%q amends a mail that does not wait", tc.text)
		}
	}
}

func amendedAs(t *testing.T, m Message) string {
	t.Helper()
	read, ok := amend(m)
	switch {
	case !ok:
		return ""
	case read.Tool == "":
		return "refused"
	}
	var mail struct {
		Body    string
		Subject *string
		To, CC  []string
	}
	if err := json.Unmarshal(read.Arguments, &mail); err != nil {
		t.Fatal(err)
	}
	list := func(names []string) (all string) {
		for i, name := range names {
			if i > 0 {
				all += ","
			}
			all += name
		}
		return all
	}
	subject := ""
	if mail.Subject != nil {
		subject = *mail.Subject
	}
	return mail.Body + "|" + subject + "|" + list(mail.To) + "|" + list(mail.CC)
}

// What nobody here can do is told by its name, and not taken for it if it is only said in a text, asked or polite.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"if dana says yes, book the studio":                    Watch,
		"if it rains on saturday cancel the run":               Watch,
		"book a table for friday if dana agrees":               Watch,
		"wait with the reply to dana until she has signed it":  Watch,
		"si llueve el sábado cancela el club":                  Watch,
		"אם דנה תגיד כן תקבע פגישה":                            Watch,
		"unsubscribe me from all newsletters":                  Unsubscribe,
		"block every newsletter":                               Unsubscribe,
		"bloquea los boletines":                                Unsubscribe,
		"block an hour for mail":                               "",
		"do what the mail from the bank says":                  Obey,
		"write to dana that if it rains we meet at my place":   "",
		"tell al: when dana answers we go":                     "",
		"remind me to bring an umbrella if it rains":           "",
		"if you can, cancel the stand-up":                      "",
		"if i haven't met al lately, book a call with him":     "",
		"if dana doesn't have any overdue tasks, tell her so":  "",
		"when is the review":                                   "",
		"si puedes, cancela la clase":                          "",
		"am i free on friday? if so book a call with dana":     "",
		"if there are more than two meetings, cancel the last": "",
	} {
		if got, _ := Refuses(text); got != want {
			t.Errorf("%q is refused as %q, want %q", text, got, want)
		}
	}
}

// Words for the one who wrote a mail give way to a name if it is known which mail is meant.
func TestTheWriterIsNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		language, text string
		last           []string
		want           string
	}{
		{"en", "find a time with whoever wrote this", []string{"lunch"}, "find a time with Yara Stone"},
		{"en", "coffee with her on friday", []string{"lunch"}, "coffee with Yara Stone on friday"},
		{"en", "coffee with her on friday", nil, ""},
		{"en", "find a time with whoever wrote this", nil, ""},
		{"en", "find a time with whoever wrote about the rent", nil, "find a time with Gerald Whitcombe"},
		{"en", "find a time with the person who sent me the rent", nil, "find a time with Gerald Whitcombe"},
		{"en", "find a time with whoever wrote about the kiln", nil, ""}, // two did
		{"es", "busca un hueco con quien me escribió esto", []string{"lunch"}, "busca un hueco con Yara Stone"},
		{"he", "תמצא זמן עם מי שכתב את זה", []string{"lunch"}, "תמצא זמן עם Yara Stone"},
	} {
		m := Message{Text: tc.text, Language: tc.language, Now: now, Last: tc.last, Mails: post}
		if got := WriterIn(m).Text; got != tc.want {
			t.Errorf("%q after %v is %q, want %q", tc.text, tc.last, got, tc.want)
		}
	}
}
