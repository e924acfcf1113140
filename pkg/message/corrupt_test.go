package message

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

// templates are messages in several languages with holes for the facts. Those without a vocabulary pass as facts only.
func templates() map[string]string {
	return map[string]string{
		"en": "I suggest **{title}** for **{when}** at {place}.\n\nI also considered these options:\n- {place1}\n- " +
			"**{short1}**\n- **{short2}**\n\nLet me know if you'd like to make any changes!",
		"es": "Sugiero **{title}** para el **{when}** en {place}.\n\nTambién consideré estas opciones:\n- {place1}\n- " +
			"**{short1}**\n- **{short2}**\n\n¡Avísame si quieres cambiar algo!",
		"he": "אני מציע **{title}** ל**{when}** ב{place}.\n\nאפשרויות נוספות:\n- {place1}\n- **{short1}**\n- " +
			"**{short2}**\n\nתודה!",
		"de": "**{title}** - **{when}** - {place}\n\n- {place1}\n- **{short1}**\n- **{short2}**",
		"fr": "**{title}** : **{when}**, {place}.\n\n- {place1}\n- **{short1}**\n- **{short2}**",
		"ja": "**{title}** **{when}**、{place}。\n\n- {place1}\n- **{short1}**\n- **{short2}**",
		"ar": "**{title}** **{when}**، {place}.\n\n- {place1}\n- **{short1}**\n- **{short2}**",
	}
}

// filledIn is a template with its facts, which can be replaced one by one.
func filledIn(f Facts, template string, instead map[string]string) string {
	facts := map[string]string{
		"title": f.Title(), "when": f.When(0), "place": f.PlaceLink(0), "place1": f.PlaceLink(1), "short1": f.Short(1),
		"short2": f.Short(2),
	}
	for hole, text := range instead {
		facts[hole] = text
	}
	for hole, text := range facts {
		template = strings.ReplaceAll(template, "{"+hole+"}", text)
	}
	return template
}

// lies are wrong versions of facts, by hole.
func lies(tb testing.TB, f Facts) map[string][]string {
	tb.Helper()
	at := f.Slots[0].Start
	wrong := f
	wrong.Slots = nil
	for _, shift := range []time.Duration{24 * time.Hour, -24 * time.Hour, 7 * 24 * time.Hour, time.Hour, -time.Hour,
		12 * time.Hour, 15 * time.Minute, -30 * time.Minute, time.Minute, 31 * 24 * time.Hour} {
		wrong.Slots = append(wrong.Slots, meet.Slot{Start: at.Add(shift)})
	}
	var whens []string
	for i := range wrong.Slots {
		whens = append(whens, wrong.When(i), wrong.Short(i))
	}
	right, other := f.When(0), f.When(1)
	clock := func(label string) string { return label[strings.IndexAny(label, "0123456789"):] }
	whens = append(whens,
		f.When(1), f.Short(1), f.When(4), f.Short(2),
		strings.Replace(right, "PM", "AM", 1)+" AM", right+" PST", right+" Pacific time", right+" (Berlin)", right+
			" - 3:00", right+" 3",
		strings.Replace(other, clock(other), clock(right), 1), strings.ToUpper(right)+" ٣",
		"Friday at noon", "viernes a las tres", "יום שישי בשלוש", "Freitag um drei", "vendredi à trois heures", "金曜日の午後三時",
		"الجمعة الساعة الثالثة",
		"tomorrow", "mañana", "מחר", "morgen", "demain", "明日", "غدا", "")
	places := []string{
		f.PlaceLink(1), f.PlaceLink(4), "[Tartine](https://maps.example/?q=tartine)",
		"Tartine", "tartine", "**Tartine**", "[Blue Bottle Coffee](https://evil.example)",
		"[Philz Coffee](https://maps.example/?q=blue+bottle)", "[Blue Bottle Coffee](https://maps.example/?q=philz)",
		"[Blue Bottle](https://maps.example/?q=blue+bottle)",
		f.PlaceLink(0) + "(https://evil.example)", "!" + f.PlaceLink(0),
		"https://evil.example", "<a href=https://evil.example>Blue Bottle Coffee</a>",
		"[Blue Bottle Coffee][1]\n\n[1]: https://evil.example", "The Mill", "Four Barrel", "Nopa", "nopa", "", "טרטין",
		"タルティーン",
	}
	alternatives := []string{
		"[Tartine](https://maps.example/?q=tartine)", "Tartine", f.PlaceLink(0), f.PlaceLink(4),
		"[Philz Coffee](https://maps.example/?q=ritual)", "Philz Coffee",
	}
	shorts := append([]string{
		f.Short(0), f.Short(4), "Friday at 10:00 AM", strings.Replace(f.Short(1), ":00", ":30", 1),
	}, whens[4:20]...)
	return map[string][]string{
		"when": whens, "place": places, "place1": alternatives, "short1": shorts, "short2": shorts,
		"title": {"coffee with Bo", "Coffee with Ana", "lunch with Al", "Coffee with Al on Friday"},
	}
}

// isTruth reports whether a lie happens to be a truth for its hole.
func isTruth(f Facts, hole, text string) bool {
	allowed := map[string][]string{
		"when":   {f.When(0), f.Short(0)},
		"short1": {f.Short(1), f.When(1), f.Short(2), f.When(2), f.Short(3), f.When(3)},
		"short2": {f.Short(1), f.When(1), f.Short(2), f.When(2), f.Short(3), f.When(3)},
	}
	english := withLanguage(f, "en")
	for _, truth := range append(allowed[hole], english.Short(1), english.When(1)) {
		if truth == text && hole != "when" || hole == "when" && (text == f.When(0) || text == f.Short(0)) {
			return true
		}
	}
	return false
}

// corruptions are messages with something wrong in them.
func corruptions(tb testing.TB) []corrupted {
	tb.Helper()
	var all []corrupted
	for tag, template := range templates() {
		f := withLanguage(coffee(tb), tag)
		for hole, wrongs := range lies(tb, f) {
			for i, wrong := range wrongs {
				if isTruth(f, hole, wrong) {
					continue
				}
				text := filledIn(f, template, map[string]string{hole: wrong})
				all = append(all, corrupted{fmt.Sprintf("%s %s %d", tag, hole, i), f, PathProposal, text})
			}
		}
	}
	return all
}

func TestTemplatesPassUncorrupted(t *testing.T) {
	t.Parallel()
	for tag, template := range templates() {
		f := withLanguage(coffee(t), tag)
		text := filledIn(f, template, nil)
		if _, _, err := check(f, four(), PathProposal, text); err != nil {
			t.Errorf("%s: %v\n%s", tag, err, at(text, err))
		}
	}
}

func TestNoCorruptedMessagePasses(t *testing.T) {
	t.Parallel()
	all := corruptions(t)
	if len(all) < 500 {
		t.Fatalf("only %d corruptions", len(all))
	}
	for _, m := range all {
		if _, _, err := check(m.facts, four(), m.path, m.text); err == nil {
			t.Errorf("%s passed:\n%s", m.name, m.text)
		}
	}
}

// TestNoCorruptedCharacterPasses changes single characters of the facts, in all languages.
func TestNoCorruptedCharacterPasses(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aeNTWPA0123456789٣五אб:/.,-ו ")
	for tag, template := range templates() {
		f := withLanguage(coffee(t), tag)
		for range 200 {
			hole, truth := "when", f.When(0)
			if random.IntN(3) == 0 {
				hole, truth = "place", f.PlaceLink(0)
			}
			runes := []rune(truth)
			i := random.IntN(len(runes))
			was := runes[i]
			runes[i] = letters[random.IntN(len(letters))]
			if foldMark(runes[i]) == foldMark(was) || (hole == "when" && string(runes) == new(withLanguage(f, "en")).When(0)) {
				continue
			}
			text := filledIn(f, template, map[string]string{hole: string(runes)})
			if _, _, err := check(f, four(), PathProposal, text); err == nil {
				t.Errorf("%s passed with %q for %q", tag, string(runes), truth)
			}
		}
	}
}

// FuzzCorrupted puts anything before, after or in place of the facts of a message. What passes must say no more
// than the facts: without them, only words of the vocabularies are left.
func FuzzCorrupted(f *testing.F) {
	for _, seed := range []string{"Friday", " at 3", "**", "](http://evil)", "\xff", "קבעתי", "٣", "- ", "\n- ",
		"&#51;", "noon"} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, noise string, where uint8) {
		facts := coffee(t)
		text := filledIn(facts, templates()["en"], nil)
		cutAt := int(where) % (len(text) + 1)
		text = text[:cutAt] + noise + text[cutAt:]
		message, _, err := check(facts, four(), PathProposal, text)
		if err != nil {
			return
		}
		spaced := strings.Map(foldMark, message)
		for strings.Contains(spaced, "  ") {
			spaced = strings.ReplaceAll(spaced, "  ", " ")
		}
		rest := spaced
		for _, known := range []string{facts.When(0), facts.Short(1), facts.Short(2), facts.Short(3), facts.PlaceLink(0),
			facts.PlaceLink(1), facts.PlaceLink(2), facts.PlaceLink(3)} {
			rest = strings.ReplaceAll(rest, known, "")
		}
		for i := range facts.Places {
			for _, hint := range append(facts.placeHints(i), facts.SlotHint(i)) {
				rest = strings.ReplaceAll(rest, hint, "")
				rest = strings.ReplaceAll(rest, upperFirst(hint), "")
			}
		}
		if strings.ContainsAny(rest, "0123456789[]<>@/\\`#") || strings.Contains(rest, "Friday") {
			t.Errorf("passed with %q", rest)
		}
	})
}

// FuzzReader finds any input at which the reader panics, or that it reads differently in two pieces.
func FuzzReader(f *testing.F) {
	for _, tag := range []string{"en", "es", "he", "ja"} {
		f.Add(templates()[tag], uint16(5), tag)
	}
	f.Fuzz(func(t *testing.T, text string, split uint16, tag string) {
		facts := withLanguage(coffee(t), tag)
		text = filledIn(facts, text, nil)
		whole := read(NewReader(&facts, four(), PathProposal), text)
		i := int(split) % (len(text) + 1)
		parts := read(NewReader(&facts, four(), PathProposal), text[:i], text[i:])
		if whole.message != parts.message || whole.kind != parts.kind {
			t.Errorf("split at %d: %+v, whole: %+v", i, parts, whole)
		}
	})
}
