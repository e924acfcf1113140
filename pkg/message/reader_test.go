package message

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"convene/pkg/meet"
)

// honest are messages as a good model writes them: the labels copied, the rest in its own words.
func honest(tb testing.TB) []corrupted {
	tb.Helper()
	f := coffee(tb)
	placesOnly, timesOnly, neither := f, f, f
	placesOnly.Shown = meet.Shown{Places: true}
	timesOnly.Shown = meet.Shown{Times: true}
	neither.Shown = meet.Shown{}
	apart := berlin(timesOnly)
	moved := edit(tb, timesOnly)
	clash := taken(timesOnly, 0, "Robin Park", meet.ConflictBusy)
	clash.Shown.ConflictWarning = true
	unread := unchecked(neither, 0, "Al Rivera")
	spanish, hebrew := timesOnly, timesOnly
	spanish.Language, hebrew.Language = "es-MX", "he"
	spanishPlaces, hebrewPlaces := placesOnly, placesOnly
	spanishPlaces.Language, hebrewPlaces.Language = "es", "he-IL"
	hebrewPlaces.Template.Title = "קפה עם דן"
	hebrewPlaces.People = []meet.Person{{ID: "dan", Name: "דן", Email: "dan@example.com"}}
	none := edit(tb, f)
	none.NoCommonTime = true
	none = taken(taken(none, 0, "Al Rivera", meet.ConflictBusy), 1, "Al Rivera", meet.ConflictBusy)

	link := func(f Facts, i int) string { return f.PlaceLink(i) }
	return []corrupted{
		{"plain", placesOnly, PathProposal, lines(
			"I suggest **coffee with Al** for **"+f.When(0)+"** at "+link(f, 0)+
				". *I've included 30-minute travel buffers before and after.*",
			"", "I also considered these options:",
			"- "+link(f, 1)+" - closest to the midpoint at 0.4 km",
			"- "+link(f, 2)+" - well rated",
			"", f.Sentences(four()).Closing)},
		{"cheerful", placesOnly, PathProposal, lines(
			"Great! I found a nice time for it: **"+f.When(0)+"** at "+link(f, 0)+" ☕️", "",
			"Here are some other places you might like:",
			"- "+link(f, 1)+" – "+f.PlaceHint(1),
			"- "+link(f, 3), "",
			"Al will get an invite from your personal calendar once you create the event. Just let me know if you’d like to "+
				"change anything!")},
		{"short", neither, PathProposal, "How about Coffee with Al on " + f.When(0) + " at Blue Bottle Coffee? Enjoy!"},
		{"quoted title", neither, PathProposal, "I propose “Coffee with Al” on _" + f.When(0) + "_ at **" + link(f, 0) +
			"**, which is highly rated. It could be a nice chat."},
		{"curly apostrophes and narrow spaces", neither, PathProposal,
			"I suggest **coffee with Al** for **" + strings.ReplaceAll(f.When(0), " PM", "\u202fPM") + "** at " + link(f, 0) +
				". *I’ve included 30-minute travel buffers before and after.*"},
		{"times", timesOnly, PathProposal, lines(
			"I suggest **Coffee with Al** for **"+f.When(0)+"** at "+link(f, 0)+".", "",
			"If that doesn't work, there are other times:", "",
			"* **"+f.Short(1)+"** - Start of the day",
			"* "+f.Short(2)+" (public holiday)", "",
			"Would you like me to switch to one of these instead?")},
		{"nine hours apart", apart, PathProposal, "My suggestion: **Coffee with Al**, **" + apart.When(0) + "** at " +
			link(f, 0) + ". I hope that is a good time for everyone."},
		{"moved", moved, PathProposal, "I suggest moving **coffee with Al** from **" + moved.PreviousLabel() + "** to **" +
			moved.When(0) + "**, still at " + link(f, 0) + "."},
		{"moved, instead", moved, PathProposal, "How about **" + moved.When(0) + "** at " + link(f, 0) + " instead of " +
			moved.PreviousLabel() + "? Does that suit you better?"},
		{"conflict", clash, PathProposal, lines("I suggest **coffee with Al** for **"+f.When(0)+"** at "+link(f, 0)+".", "",
			clash.Sentences(four()).Conflict, "", "You may like these options:", "- **"+f.Short(1)+"** - start of the day")},
		{"conflict without emphasis", clash, PathProposal, "I suggest **" + f.When(0) + "** at " + link(f, 0) + ". " +
			strings.ReplaceAll(clash.Sentences(four()).Conflict, "**", "")},
		{"not checked", unread, PathProposal, "I picked **" + f.When(0) + "** at " + link(f, 0) + ". " +
			unread.Sentences(four()).Unread},
		{"nothing earlier", none, PathAlternatives, lines(none.Standing(), "",
			"I also considered these alternative times:",
			"- **"+f.Short(0)+"** (may have conflicts)", "- **"+none.Short(1)+"** - Al has another event",
			"- **"+none.Short(2)+"**", "",
			"Let me know if you'd like to try one of these instead!")},
		{"nothing earlier, kept", none, PathAlternatives, "Your original time, **" + none.PreviousLabel() + "**, at " +
			link(f, 0) + ", still stands."},
		{"Spanish", spanish, PathProposal, lines(
			"Sugiero **Coffee with Al** para el **"+spanish.When(0)+"** en "+link(f, 0)+".", "",
			"También consideré estas opciones:", "- **"+spanish.Short(1)+"**", "- **"+spanish.Short(2)+"**", "",
			"Cuando crees el evento, Al recibirá una invitación de tu calendario personal. ¡Avísame si quieres cambiar algo!")},
		{"Spanish places", spanishPlaces, PathProposal, lines(
			"He encontrado un buen horario: **"+spanish.When(0)+"**, en "+link(f, 0)+".", "",
			"Otros lugares que podrían ser mejores:", "- "+link(f, 1), "",
			"Dime si prefieres otro lugar.")},
		{"Hebrew", hebrew, PathProposal, lines(
			"אני מציע **Coffee with Al** ל**"+hebrew.When(0)+"** ב"+link(f, 0)+".", "",
			"אפשרויות נוספות:", "- **"+hebrew.Short(1)+"**", "- **"+hebrew.Short(2)+"**", "",
			"כאשר תיצור את האירוע, Al יקבל הזמנה מהיומן האישי שלך.")},
		{"Hebrew names and prefixes", hebrewPlaces, PathProposal, "אני מציע **קפה עם דן** ל" + hebrewPlaces.When(0) +
			" ב" + link(f, 0) + ". תישלח הזמנה לדן. תודה!"},
		{"English for a Hebrew speaker", hebrew, PathProposal, "I suggest **Coffee with Al** for **" + f.When(0) + "** at " +
			link(f, 0) + "."},
		{"facts only, Japanese", withLanguage(neither, "ja"), PathProposal,
			"**" + new(withLanguage(neither, "ja")).When(0) + "**、" + link(f, 0) + "。"},
		{"facts only, Arabic", withLanguage(neither, "ar"), PathProposal,
			"**" + new(withLanguage(neither, "ar")).When(0) + "** - " + link(f, 0)},
	}
}

// corrupted is a message, honest or not.
type corrupted struct {
	name  string
	facts Facts
	path  Path
	text  string
}

func withLanguage(f Facts, tag string) Facts {
	f.Language = tag
	return f
}

func TestReaderPassesHonestMessages(t *testing.T) {
	t.Parallel()
	for _, m := range honest(t) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			got, preview, err := check(m.facts, four(), m.path, m.text)
			if err != nil {
				t.Fatalf("refused: %v\n%s", err, at(m.text, err))
			}
			if got != strings.TrimSpace(m.text) {
				t.Errorf("message = %q, want it as written", got)
			}
			if strings.Contains(preview, "**") || strings.Contains(preview, "](") {
				t.Errorf("preview is not plain text: %q", preview)
			}
		})
	}
}

// at shows where a message was refused.
func at(text string, err error) string {
	problem, ok := errors.AsType[*Problem](err)
	runes := []rune(text)
	if !ok || problem.Offset > len(runes) {
		return text
	}
	return string(runes[:problem.Offset]) + " ⟦here⟧ " + string(runes[problem.Offset:])
}

func TestReaderPreviewsPlainText(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	_, got, err := check(f, four(), PathProposal, "I suggest **coffee with Al** for **"+f.When(0)+"** at "+f.PlaceLink(0)+
		".\n\n- "+f.PlaceLink(2)+" - well rated\n")
	want := "I suggest coffee with Al for Tuesday, November 24 at 2:00 PM at Blue Bottle Coffee.\n\n- Sightglass (SoMa) " +
		"- well rated\n"
	if err != nil || got != want {
		t.Errorf("preview = %q, %v, want %q", got, err, want)
	}
}

func TestReaderNeverPreviewsAnythingUnverified(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	r := NewReader(&f, four(), PathProposal)
	preview := ""
	for _, piece := range []string{"I suggest **coffee with Al** for **Tue", "sday, November 24 at 2:0", "0 P", "M"} {
		p, err := r.Write(piece)
		if err != nil {
			t.Fatal(err)
		}
		preview += p
	}
	if want := "I suggest coffee with Al for "; preview != want {
		t.Errorf("preview = %q, want %q until the label is whole", preview, want)
	}
	if p, _ := r.Write("** at Philz"); strings.Contains(p, "Philz") || !strings.Contains(p, "2:00 PM") {
		t.Errorf("preview = %q, want the label and nothing of the venue", p)
	}
}

// result is all that a caller sees of a message.
type result struct{ message, preview, kind string }

func read(r *Reader, pieces ...string) (got result) {
	for _, piece := range pieces {
		preview, err := r.Write(piece)
		got.preview += preview
		if err != nil {
			got.kind = kindOf(err)
			return got
		}
	}
	message, err := r.Close()
	got.message, got.kind = message, kindOf(err)
	return got
}

func TestReaderGivesTheSameHoweverAMessageIsSplit(t *testing.T) {
	t.Parallel()
	messages := honest(t)
	for i, m := range corruptions(t) {
		if i%29 == 0 {
			messages = append(messages, m)
		}
	}
	for _, m := range messages {
		unused := NewReader(&m.facts, four(), m.path)
		fresh := func() *Reader { r := *unused; return &r }
		want := read(fresh(), m.text)
		for i := range len(m.text) {
			if got := read(fresh(), m.text[:i], m.text[i:]); got.message != want.message || got.kind != want.kind {
				t.Fatalf("%s, split at %d: got %+v, want %+v", m.name, i, got, want)
			}
		}
		byByte := read(fresh(), strings.Split(m.text, "")...)
		if want.kind == "" && (byByte.message != want.message || byByte.preview != want.preview) {
			t.Errorf("%s, by character: got %+v, want %+v", m.name, byByte, want)
		}
	}
}

func TestReaderRefuses(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	start := "I suggest **coffee with Al** for **" + f.When(0) + "** at " + f.PlaceLink(0) + ". "
	tests := []struct {
		name, text, want string
	}{
		{"another weekday", start + "See you on Friday!", KindWeekday},
		{"another weekday in Spanish", start + "viernes", KindWeekday},
		{"another weekday in Hebrew", start + "שישי", KindTime},
		{"another weekday in Russian", start + "пятница", KindWeekday},
		{"a month", start + "in December", KindWeekday},
		{"the month of May", start + "May works best.", KindWeekday},
		{"a digit", start + "at 5", KindTime},
		{"an Arabic digit", start + "at ٥", KindTime},
		{"a full-width digit", start + "at ５", KindTime},
		{"a circled digit", start + "at ⑤", KindTime},
		{"a Roman numeral", start + "at Ⅴ", KindTime},
		{"a number word", start + "at three", KindTime},
		{"a clock", start + "🕐", KindMarkup},
		{"noon", start + "at noon", KindTime},
		{"tomorrow", start + "See you tomorrow!", KindTime},
		{"a part of the day", start + "in the morning", KindTime},
		{"a zone", start + "That is PST.", KindZone},
		{"a zone in words", start + "Pacific time", KindZone},
		{"somebody's time", start + "Al's time", KindZone},
		{"somebody's place", start + "See you at Al's place.", KindVenue},
		{"the reader's place", start + "See you at your place.", KindTime},
		{"a venue", start + "or at Tartine", KindName},
		{"a venue at the beginning of a sentence", start + "Tartine is nice.", KindName},
		{"a venue in small letters", start + "or at tartine", KindWord},
		{"a venue of ordinary words", start + "or at The Good Place", KindName},
		{"a candidate that is not offered", start + "or at The Mill", KindVenue},
		{"an alternative outside a list", start + "or at " + f.PlaceLink(1), KindOrder},
		{"an alternative time outside a list", start + "or on " + f.Short(1), KindOrder},
		{"a candidate time that is not offered", start + "or on " + f.Short(4), KindTime},
		{"a link", start + "[map](https://evil.example)", KindLink},
		{"a bare link", start + "https://evil.example", KindWord},
		{"www", start + "www.evil.example", KindWord},
		{"a domain of ordinary words", start + "see.you", KindLink},
		{"an address", start + "me@you", KindLink},
		{"the place with another link", start + "[Blue Bottle Coffee](https://maps.example/?q=philz)", KindLink},
		{"the link of the place with another name", start + "[Philz Coffee](https://maps.example/?q=blue+bottle)", KindLink},
		{"an image of the place", start + "!" + f.PlaceLink(0), KindMarkup},
		{"HTML", start + "<b>", KindMarkup},
		{"an entity", start + "&#51;", KindMarkup},
		{"code", start + "`here`", KindMarkup},
		{"a code block", start + "\n\n    here", KindMarkup},
		{"a heading", "# Here", KindMarkup},
		{"emphasis on words", start + "**great**", KindMarkup},
		{"emphasis on more than the fact", "**" + f.When(0) + " at the latest**", KindMarkup},
		{"a direction override", start + "\u202e", KindControl},
		{"a zero-width space", start + "a\u200bb", KindControl},
		{"a null", start + "\x00", KindControl},
		{"broken UTF-8", start + "\xff", KindControl},
		{"somebody else", start + "Bo will join.", KindName},
		{"two languages", start + "See you gracias", KindWord},
		{"a look-alike letter", start + "See yоu", KindWord},
		{"a hint of another option", start + "\n- " + f.PlaceLink(3) + " - outdoor seating", KindHint},
		{"a list line of the chosen time", start + "\n- " + f.Short(0), KindOrder},
		{"a list line without an option", start + "\n- See you", KindOrder},
		{"two options in one line", start + "\n- " + f.Short(1) + " at " + f.PlaceLink(1), KindOrder},
		{"the alternative first", "- " + f.Short(1) + "\n\n" + start, KindOrder},
		{"no time", "I suggest **coffee with Al** at " + f.PlaceLink(0), KindMissing},
		{"no place", "I suggest **coffee with Al** for **" + f.When(0) + "**", KindMissing},
		{"nothing", "", KindMissing},
		{"too long", start + strings.Repeat("and ", 1100), KindLength},
		{"an endless word", start + strings.Repeat("a", 5000), KindWord},
		{"half of the label", "I suggest it for **" + strings.TrimSuffix(f.When(0), " at 2:00 PM") + "** at " +
			f.PlaceLink(0), KindWeekday},
		{"more than the label", "I suggest it for " + f.When(0) + ":30", KindLink},
		{"a label within a word", "I suggest it forTuesday, November 24 at 2:00 PM", KindWord},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := check(f, four(), PathProposal, test.text)
			if got := kindOf(err); got != test.want {
				t.Errorf("problem = %q, want %q for\n%s", got, test.want, at(test.text, err))
			}
		})
	}
}

func TestReaderRefusesByState(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	start := "I suggest **coffee with Al** for **" + f.When(0) + "** at " + f.PlaceLink(0) + ". "
	clash := taken(f, 0, "Al Rivera", meet.ConflictBusy)
	tests := []struct {
		name  string
		facts Facts
		path  Path
		text  string
		want  string
	}{
		{"alternative times where none may be shown", with(f, meet.Shown{Places: true}), PathProposal,
			start + "\n- " + f.Short(1), KindTime},
		{"alternative places where none may be shown", with(f, meet.Shown{Times: true}), PathProposal,
			start + "\n- " + f.PlaceLink(1), KindVenue},
		{"a conflict passed over", clash, PathProposal, start, KindMissing},
		{"an unread calendar passed over", unchecked(f, 0, "Al Rivera"), PathProposal, start, KindMissing},
		{"an alternative's conflict passed over", taken(f, 1, "Al Rivera", meet.ConflictBusy), PathProposal,
			start + "\n- " + f.Short(1) + "\n", KindMissing},
		{"a conflict where there is none", f, PathProposal, start + "\n- " + f.Short(1) + " (may have conflicts)", KindHint},
		{"other clocks passed over", berlin(f), PathProposal, "It's on " + new(berlin(f)).Short(0) + " at " + f.PlaceLink(0),
			KindMissing},
		{"a wrong zone", berlin(f), PathProposal, "It's on " + strings.ReplaceAll(new(berlin(f)).When(0), "CET", "EET"),
			KindTime},
		{"the earlier time as the new one", edit(t, f), PathProposal,
			"I suggest moving it to " + new(edit(t, f)).PreviousLabel(), KindOrder},
		{"the earlier time as the new one, again", edit(t, f), PathProposal,
			start + "See you on " + new(edit(t, f)).PreviousLabel(), KindOrder},
		{"at the earlier time", edit(t, f), PathProposal, start + "It's at the time of " + new(edit(t, f)).PreviousLabel(),
			KindOrder},
		{"a title that reads as a time, without emphasis", titled(f, "Friday"), PathProposal,
			"I suggest Friday for " + f.When(0), KindTime},
		{"a title that reads as a time, behind the time", titled(f, "Friday"), PathProposal,
			"I suggest it for " + f.When(0) + ". See you on **Friday**", KindTime},
		{"a Japanese title that reads as a time", titled(withLanguage(f, "ja"), "金曜日の会議"), PathProposal, "金曜日の会議", KindTime},
		{"scheduled where nothing is", edit(t, f), PathAlternatives, "I've scheduled it", KindMissing},
		{"what stands is missing", edit(t, f), PathAlternatives, "Nothing else fits.", KindMissing},
		{"an alternative as what stands", edit(t, f), PathAlternatives, "Your original time, " + f.Short(1) + ", stands.",
			KindOrder},
		{"English words in a Hebrew message", withLanguage(f, "he"), PathProposal, "הנה האפשרות at", KindLanguage},
		{"a language without words", withLanguage(f, "de"), PathProposal, "Ich habe es geplant", KindName},
		{"a weekday as a Hebrew letter", withLanguage(f, "he"), PathProposal, "קבעתי ב-ה'", KindTime},
		{"one o'clock in Spanish", withLanguage(f, "es"), PathProposal, "para la una", KindTime},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := check(test.facts, four(), test.path, test.text)
			if got := kindOf(err); got != test.want {
				t.Errorf("problem = %q, want %q for\n%s", got, test.want, at(test.text, err))
			}
		})
	}
}

func titled(f Facts, title string) Facts {
	f.Template.Title = title
	return f
}

func with(f Facts, shown meet.Shown) Facts {
	f.Shown = shown
	return f
}

func TestReaderStaysRefused(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	r := NewReader(&f, four(), PathProposal)
	_, first := r.Write("See you tomorrow. ")
	if first == nil {
		t.Fatal("no problem found")
	}
	if _, err := r.Write("It's on " + f.When(0)); !errors.Is(err, first) {
		t.Errorf("later Write = %v, want the first problem %v", err, first)
	}
	if message, err := r.Close(); !errors.Is(err, first) || message != "" {
		t.Errorf("Close = %q, %v, want no message and the first problem", message, err)
	}
}

func TestReaderIsLinear(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	begin := time.Now()
	for _, hostile := range []string{strings.Repeat("*", 1<<20), strings.Repeat("Tuesday, ", 1<<17),
		strings.Repeat("a", 1<<20), strings.Repeat(" ", 1<<20), strings.Repeat("and ", 1<<18)} {
		if _, _, err := check(f, four(), PathProposal, hostile); err == nil {
			t.Errorf("a megabyte of %.9q passed", hostile)
		}
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("five megabytes took %v", took)
	}
}

func TestProblemTellsNothingOfTheMessage(t *testing.T) {
	t.Parallel()
	_, _, err := check(coffee(t), four(), PathProposal, "Meet Grace")
	if err == nil || strings.Contains(err.Error(), "Grace") || !utf8.ValidString(err.Error()) {
		t.Errorf("error = %v, want one without the message's words", err)
	}
}
