package vcard_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/people/vcard"
)

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := vcard.Read(strings.NewReader(strings.ReplaceAll(`BEGIN:VCARD
VERSION:4.0
UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1
FN:Marta Ruiz
N:Ruiz;Marta;;;
EMAIL;TYPE=home:marta@home.example
EMAIL;PREF=1:marta@pipes.example
EMAIL:not an address
TEL;VALUE=uri:tel:+1-555-0117
TITLE:Plumber
ORG:Pipes & Co;Repairs
BDAY:--0229
NOTE:Rings twice.\nHas the key.
TZ:Europe/Madrid
END:VCARD
BEGIN:VCARD
VERSION:3.0
N:Cohen;Yael;;;
EMAIL;TYPE=INTERNET:yael@example.com
BDAY:1604-05-03
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Yael Cohen
EMAIL:YAEL@example.com
BDAY;VALUE=date:19870503
TEL:call the office
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:דנה לוי
END:VCARD
BEGIN:VCARD
VERSION:3.0
NOTE:a card without a name
END:VCARD
`, "\n", "\r\n")))
	want := []meet.Contact{
		{
			Person: meet.Person{
				ID: "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", Name: "Marta Ruiz", Email: "marta@pipes.example",
				Timezone: "Europe/Madrid",
			},
			Emails: []string{"marta@home.example"}, Phone: "+1-555-0117", Role: "Plumber, Pipes & Co Repairs",
			Notes: "Rings twice.\nHas the key.", Birthday: "--02-29",
		},
		{
			Person:   meet.Person{ID: "yael@example.com", Name: "Yael Cohen", Email: "yael@example.com"},
			Birthday: "--05-03", Emails: []string{},
		},
		{
			Person:   meet.Person{ID: "yael@example.com-2", Name: "Yael Cohen", Email: "YAEL@example.com"},
			Birthday: "1987-05-03", Emails: []string{},
		},
		{Person: meet.Person{ID: "card-", Name: "דנה לוי"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, c := range got {
		if field, problem := c.Check(); problem != "" {
			t.Errorf("%s: %s %s", c.Name, field, problem)
		}
	}
	if _, err := vcard.Read(strings.NewReader("BEGIN:VCARD\r\nFN:A\r\n")); err == nil ||
		!strings.Contains(err.Error(), "card 1") {
		t.Errorf("a card that is cut off: %v", err)
	}
}
