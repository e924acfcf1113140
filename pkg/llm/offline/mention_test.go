package offline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/when"
)

// knownPeople are contacts whose words of a message are given as the stages give them: those that occur in it.
func knownPeople(message string) (contacts []zoned) {
	for _, name := range []string{
		"Ruth Adler", "Omar Haddad", "Will Baker", "May Lindqvist", "Sol Ibarra", "Hugo Prieto", "רות אדלר", "גל שמיר",
	} {
		first, _, _ := strings.Cut(name, " ")
		p := zoned{Name: name}
		for _, words := range []string{name, strings.ToLower(name), first, strings.ToLower(first)} {
			if strings.Contains(message, words) && (p.Said == nil || !strings.Contains(p.Said[0], words)) {
				p.Said = append(p.Said, words)
			}
		}
		if p.Said != nil {
			contacts = append(contacts, p)
		}
	}
	return contacts
}

// A contact takes part, stays out, or is asked about, wherever and however the message mentions them.
func TestContactsInAMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, taking, undecided string }{
		{"ruth and i should get lunch on thursday", "Ruth", ""},
		{"me, omar and ruth, an hour on monday", "Omar, Ruth", ""},
		{"find out whether omar is free for a walk on sunday", "Omar", ""},
		{"omar would like to have breakfast on friday", "Omar", ""},
		{"get ruth on a call at 4 tomorrow", "Ruth", ""},
		{"lunch omar thursday", "Omar", ""},
		{"tea with ruth adler on monday", "Ruth Adler", ""},
		{"dinner with omar and my sister on saturday", "Omar, my sister", ""},
		{"call my mom on sunday at 5", "my mom", ""},
		// Names that are words as well.
		{"will you find an hour for lunch with ruth in may", "Ruth", ""},
		{"lunch with will and may on friday", "Will, May", ""},
		{"will and i need an hour on monday", "Will", ""},
		{"lunch with ruth, will that be possible on friday?", "Ruth", ""},
		// Who does not take part.
		{"dinner with ruth but not with omar on friday", "Ruth", ""},
		{"dinner with ruth without omar on friday", "Ruth", ""},
		{"lunch with ruth on friday, omar can't come", "Ruth", ""},
		{"omar told me to have lunch with ruth on friday", "Ruth", ""},
		{"coffee with ruth on monday about omar", "Ruth", ""},
		{"an hour with ruth on monday to plan omar's birthday", "Ruth", ""},
		{"shopping on saturday, a present for omar", "", ""},
		// Of whom nothing says whether they do.
		{"lunch with ruth on friday, it was omar's idea", "Ruth", "Omar"},
		{"dinner on saturday at omar's place", "", "Omar"},

		{"hugo y yo queremos comer el martes", "Hugo", ""},
		{"cena con sol y mi hermana el viernes", "Sol, mi hermana", ""},
		{"mira si hugo está libre para un café el lunes", "Hugo", ""},
		{"comida con hugo sin ruth el martes", "Hugo", ""},
		{"cena en casa de hugo el sábado", "", "Hugo"},

		{"רות ואני רוצות לאכול צהריים ביום רביעי", "רות", ""},
		{"לבדוק אם רות פנויה לקפה מחר", "רות", ""},
		{"קפה עם גל ביום שני", "גל", ""},
		{"ארוחת ערב עם גל בלי רות ביום ראשון", "גל", ""},
		{"ארוחת ערב אצל רות ביום ראשון", "", "רות"},
	} {
		d := templateData{Message: c.message, People: knownPeople(c.message)}
		s, own := d.wish(time.Date(2031, 3, 5, 9, 0, 0, 0, time.UTC), when.Setting{})
		got := newTemplate(d, &s, own)
		if taking := strings.Join(got.Participants, ", "); taking != c.taking {
			t.Errorf("%q: %q take part, want %q", c.message, taking, c.taking)
		}
		if asked := strings.Join(got.UndecidedPeople, ", "); asked != c.undecided {
			t.Errorf("%q: %q are asked about, want %q", c.message, asked, c.undecided)
		}
	}
}

// A name that is a month as well is no time where it is a name.
func TestANameIsNoMonth(t *testing.T) {
	t.Parallel()
	message := "lunch with may on friday"
	d := templateData{Message: message, People: knownPeople(message)}
	s, own := d.wish(time.Date(2031, 3, 5, 9, 0, 0, 0, time.UTC), when.Setting{})
	if got := newTemplate(d, &s, own).PreferredSchedulableDates; len(got) != 1 || got[0].Start != "2031-03-07" {
		t.Errorf("%q is on %v", message, got)
	}
}

// A place that the stages know is found in any case and language; one word alone only where a place can stand.
func TestPlacesInAMessage(t *testing.T) {
	t.Parallel()
	places := []namedPlace{
		{Said: "quince", Name: "Quince", Kind: "venue"}, {Said: "mill valley park", Name: "Mill Valley Park", Kind: "venue"},
		{Said: "north beach", Kind: "area"}, {Said: "ferry pier", Name: "Ferry Pier", Kind: "landmark"},
	}
	for message, want := range map[string]string{
		"a walk through mill valley park with ruth on sunday": "Mill Valley Park||",
		"let's try quince on friday night":                    "Quince||",
		"quince jam tasting with ruth on friday":              "||",
		"drinks, north beach, friday at 7":                    "|north beach|",
		"coffee by the ferry pier on monday":                  "||the ferry pier",
		"dinner with ruth on friday but not at quince":        "||",
		"cena en quince el viernes":                           "Quince||",
		"un paseo por mill valley park el domingo":            "Mill Valley Park||",
		"ארוחת ערב ב-quince ביום שישי":                        "Quince||",
		"ארוחת ערב ביום שישי, אבל לא ב-quince":                "||",
		"drinks in north beach Oakland on friday":             "|north beach Oakland|",
		"lunch on friday at 1, that thai place on elm":        "|elm|",
		"dinner at an italian restaurant on Elm at 7":         "|Elm|",
		"coffee on friday, some place on cedar street":        "|cedar street|",
		"lunch on friday at 1, that thai place on monday":     "||",
	} {
		d := templateData{Message: message}
		for _, p := range places {
			if strings.Contains(message, p.Said) {
				d.Places = append(d.Places, p)
			}
		}
		s, own := d.wish(time.Date(2031, 3, 5, 9, 0, 0, 0, time.UTC), when.Setting{})
		got := newTemplate(d, &s, own)
		where := whereArguments{}
		if got.Where != nil {
			where = *got.Where
		}
		if said := got.PlaceName + "|" + where.Area + "|" + where.Landmark; said != want {
			t.Errorf("%q is at %q, want %q", message, said, want)
		}
	}
}

// Someone elsewhere by whose clock a time is told takes part, and the time is theirs.
func TestAClockIsSomebodys(t *testing.T) {
	t.Parallel()
	pacific := time.FixedZone("America/Los_Angeles", -8*3600)
	for _, message := range []string{"call at 6pm for lena on thursday", "6pm for Lena on thursday, quick call"} {
		d := templateData{Message: message, Timezone: "America/Los_Angeles", People: []zoned{
			{Name: "Lena Vogt", Timezone: "Europe/Berlin", Said: []string{"lena", "Lena"}},
		}}
		s, own := d.wish(time.Date(2031, 3, 5, 9, 0, 0, 0, pacific), when.Setting{})
		got := newTemplate(d, &s, own)
		if hours := got.PreferredSchedulableHours; !slices.Equal(got.Participants, []string{"Lena"}) || hours == nil ||
			hours.Thu[0].Start != "09:00" {
			t.Errorf("%q is with %v in %+v, want Lena at 09:00", message, got.Participants, hours)
		}
	}
}

// The Spanish "al" before a day is no part of the name before it.
func TestANameIsNoArticle(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"cena con Al la semana que viene", "café con al el martes", "comida con al el jueves a las 2",
	} {
		d := templateData{Message: message, Timezone: "America/Los_Angeles", People: []zoned{
			{Name: "Al Chen", Timezone: "America/Los_Angeles", Said: []string{"Al", "al"}},
		}}
		s, own := d.wish(time.Date(2031, 3, 5, 9, 0, 0, 0, time.UTC), when.Setting{})
		if got := newTemplate(d, &s, own); !slices.Equal(got.Participants, []string{"Al"}) {
			t.Errorf("%q is with %v, want Al", message, got.Participants)
		}
	}
}
