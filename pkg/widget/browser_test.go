package widget_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"convene/pkg/redisstore/redistest"
)

const shift = 8

// The way through: a wish, a change of what was understood, an alternative, the booking and its undoing.
func TestFromAWishToABookingAndBack(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.wait("document.querySelectorAll('.person').length > 5")
	p.shoot("demo-start")
	p.ask("Let's grab coffee with Al next week")
	p.holds(`one("[part=acknowledgment]").textContent.includes("coffee with Al")`)
	p.holds(`all("[part=chip]").map((chip) => chip.textContent).join() === "Coffee with Al,30 min,Nov 23 – 29,Al,café"`)
	p.holds(`one("[part=title]").textContent === "Coffee with Al" && one("[part=status]").textContent === "Proposed"`)
	p.holds(`one("[part=place] a").href.startsWith("https://www.google.com/maps/")`)
	p.holds(`document.querySelectorAll("#receipt rect").length === 4 && document.querySelectorAll("#updates ` +
		`summary").length > 8`)
	p.shoot("demo-proposed")

	p.click("[part=chip]", "30 min")
	p.holds(`one("textarea").value === "Make it 30 minutes" && getSelection().toString() === "30"`)
	p.shoot("demo-chip")
	p.write("45")
	p.press("Enter")
	p.wait(`finished === 2`)
	p.holds(`told.at(-1).event.end.includes(":45:00") && all("[data-status=replaced]").length === 1`)

	p.click("[part=choice][data-kind=slot]", "Tue, Nov 24")
	p.click("[part=choice][data-kind=place]", "Grand Coffee")
	p.holds(`one("[part=time]").textContent.includes("Tuesday, November 24") && ` +
		`one("[part=place]").textContent.includes("Grand Coffee")`)
	p.holds(`!one("[part=add]") && finished === 2`)
	p.shoot("demo-chosen")
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.holds(`told.at(-1).event.start.startsWith("2026-11-24") && told.at(-1).event.place.name === "Grand Coffee"`)
	p.holds(`one("[part=status]").textContent === "Confirmed" && !one("[part=confirm]") && ` +
		`element().shadowRoot.activeElement === one("[part=card]")`)
	p.holds(`/^I've scheduled Coffee with Al for Tuesday, November 24 .* at Grand ` +
		`Coffee/.test(all("[part=message]").at(-1).textContent)`)
	p.holds(`one("[part=message] a") && !/I suggest|When you/.test(all("[part=message]").at(-1).textContent)`)
	p.shoot("demo-confirmed")

	p.click("[part=undo]", "Undo")
	p.wait(`told.at(-1).type === "convene:cancelled"`)
	p.holds(`one("[part=status]").textContent === "Cancelled" && !one("[part=card] button")`)
	p.holds(`/^Cancelled: Coffee with Al on Tuesday, November 24 /.test(all("[part=message]").at(-1).textContent)`)
	p.shoot("demo-cancelled")
}

// An event that is booked in words keeps its one card, which moves to the turn that booked it.
func TestAnEventIsBookedInWords(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.ask("Coffee with Al next week")
	p.ask("book it")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.holds(`all("[part=card]").length === 1 && one("[part=status]").textContent === "Confirmed"`)
	p.holds(`!one("[part=confirm]")`)
	p.holds(`all("[part=turn]").at(-1).querySelector("[part=card]") && ` +
		`/^I've scheduled Coffee with Al/.test(all("[part=message]").at(-1).textContent)`)
	p.shoot("demo-booked-in-words")
}

// A question is answered: where there is nothing earlier, the event stays, and what is near can be taken with a tap.
func TestAQuestionChangesNothingByItself(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.ask("Coffee with Al on Tuesday at 8am")
	p.ask("any earlier times?")
	p.holds(`all("[part=card]").length === 1 && one("[data-status=proposed] [part=confirm]")`)
	p.holds(`named("[part=choice]:not([data-kind])", "Mon, Nov 23")`)
	p.shoot("question")
	p.click("[part=choice]:not([data-kind])", "Wed, Nov 25")
	p.wait("finished === 3")
	p.holds(`told.at(-1).event.start === "2026-11-25T08:00:00-08:00"`)
}

func TestCalendarFileIsSaved(t *testing.T) {
	folder := t.TempDir()
	p := look(t, serve(t).url+"/", 1280, 900)
	p.downloadTo(folder)
	p.ask("Coffee with Al on Tuesday at 4pm")
	p.click("[part=file]", ".ics")
	file := waitForFile(t, filepath.Join(folder, p.text(`told.at(-1).event.id`)+".ics"))
	if !strings.HasPrefix(file, "BEGIN:VCALENDAR\r\n") || !strings.Contains(file, "SUMMARY:Coffee with Al") {
		t.Errorf("file = %.200q", file)
	}
}

func waitForFile(t *testing.T, path string) string {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); <-tick.C {
		if content, err := os.ReadFile(path); err == nil && len(content) > 0 {
			return string(content)
		}
	}
	t.Fatalf("there is no %s", path)
	return ""
}

// Another person was quicker: nothing is booked, other times are offered, and one of them can be confirmed.
func TestATimeThatHasGone(t *testing.T) {
	server := serve(t)
	p := look(t, server.url+"/", 1280, 900)
	p.ask("Coffee with Al on Tuesday at 4pm")
	taken := post(t, server.url+"/v1/turns", `{"message": "Coffee with Al on Tuesday at 4pm", "organizer": "grace"}`,
		"text/event-stream")
	_, rest, _ := strings.Cut(taken, `"event":{"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	post(t, server.url+"/v1/proposals/"+id+"/confirm", "{}", "application/json")

	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:error"`)
	p.holds(`told.at(-1).code === "slot_gone" && one("[part=note]").textContent.includes("no longer free")`)
	p.holds(`one("[part=confirm]").disabled && one("[data-kind=slot]").disabled === false && ` +
		`all("[data-kind=slot]")[0].disabled`)
	p.shoot("gone")
	p.text(`all("[data-kind=slot]")[1].click()`)
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.holds(`told.at(-1).event.start !== "2026-11-24T16:00:00-08:00"`)
}

func post(t *testing.T, url, body, accept string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(response.Body); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s = %d %v: %s", url, response.StatusCode, err, answer.String())
	}
	return answer.String()
}

func TestWhatShouldBeKnownIsSaid(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.ask("Coffee with Ines next week")
	p.holds(`one(".warning").textContent.includes("Inês") && all(".warning")[0].textContent.includes("damaged")`)
	p.shoot("unread")
	p.ask("Coffee with Al today at 10am")
	p.holds(`one("[part=card] .warning").textContent.includes("Al")`)
	p.shoot("conflict")
	p.ask("Call with Lena on Wednesday at 9am")
	p.holds(`one("[part=time]").textContent.includes("PST") && one(".theirs").textContent === "Lena Hoffmann: Wed, Nov ` +
		`25, 6:00 PM GMT+1"`)
	p.shoot("two-zones")
	p.text(`element().removeAttribute("conversation")`)
	p.ask("What's happening this weekend?")
	p.holds(`all(".activities li").length > 2 && all(".activities a").every(({ href }) => href.startsWith("https://"))`)
	p.holds(`all(".activities a").length > 0`)
	p.shoot("activities")
}

// What was wished of a place and where people live show in what is proposed.
func TestWishesAndDistances(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.ask("Coffee with Al next week, somewhere quiet with outdoor seating near my office")
	p.holds(`one("[part=message]").textContent.includes("from your office") && ` +
		`!one("[part=place]").textContent.includes("midpoint")`)
	p.shoot("wishes")
	p.text(`element().removeAttribute("conversation")`)
	p.ask("Coffee with Lena next week")
	p.holds(`one("[part=card] .where").textContent === "Video call" && one("[part=card] ` +
		`.theirs").textContent.includes("Lena")`)
	p.shoot("apart")
}

func TestRightToLeft(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.text(`document.querySelector("#locale").value = "he", document.querySelector("#locale").onchange()`)
	p.ask("קפה עם אל ביום שלישי הבא")
	p.holds(`getComputedStyle(one(".frame")).direction === "rtl" && one("[part=confirm]").textContent === "אישור"`)
	p.holds(`one("[part=said]").getBoundingClientRect().left < one("[part=card]").getBoundingClientRect().left + 40`)
	p.holds(`one("[part=day], .day").textContent.includes("יום")`)
	p.shoot("hebrew")
	p.text(`document.querySelector("#locale").value = "es", document.querySelector("#locale").onchange()`)
	p.holds(`one("textarea").placeholder.startsWith("¿")`)
}

// dark makes the tab that of a person who prefers dark pages.
var dark = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	return err
})

func TestDarkAndNarrow(t *testing.T) {
	server := serve(t)
	for _, width := range []int64{320, 360} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			p := look(t, server.url+"/", width, 740, dark)
			p.ask("Call with Lena on Wednesday at 9am, and then coffee with Al next week")
			p.holds(`document.documentElement.scrollWidth <= innerWidth && one(".log").scrollWidth <= one(".log").clientWidth`)
			p.holds(`getComputedStyle(one(".frame")).backgroundColor === "rgb(27, 32, 38)"`)
			p.shoot(fmt.Sprintf("dark-%d", width))
			p.text(`element().setAttribute("theme", "light")`)
			p.holds(`getComputedStyle(one(".frame")).backgroundColor === "rgb(255, 255, 255)"`)
		})
	}
}

// A site that gives nothing but an accent has buttons that can be read, whatever theme its visitor prefers.
func TestWhatStandsOnAnAccentCanBeRead(t *testing.T) {
	p := look(t, serve(t).url+"/", 800, 700)
	p.text(`window.light = (color) => {
		const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		pen.fillStyle = color;
		pen.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((v) =>
			(v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b;
	}`)
	p.text(`window.contrast = ({ color, backgroundColor }) => {
		const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
		return (bright + .05) / (dark + .05);
	}`)
	for _, accent := range []string{"", "#7a3e9d", "#ffd54a", "#d32f2f", "#111", "#fff"} {
		for _, theme := range []string{"light", "dark"} {
			p.text(fmt.Sprintf(`element().setAttribute("theme", %q), element().style.setProperty("--convene-accent", %q)`,
				theme, accent))
			if p.text(`contrast(getComputedStyle(one("[part=send]"))) >= 4.5`) != "true" {
				t.Errorf("%q in the %s theme: Send cannot be read", accent, theme)
			}
		}
	}
	p.text(`element().style.setProperty("--convene-on-accent", "rgb(1, 2, 3)")`)
	p.holds(`getComputedStyle(one("[part=send]")).color === "rgb(1, 2, 3)"`)
}

// All can be done with Tab and Enter, and the focus is never lost.
func TestKeyboardOnly(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	focused := `element().shadowRoot.activeElement`
	reach := func(part string, modifiers ...int64) {
		t.Helper()
		for range 40 {
			if p.text(focused+`?.getAttribute("part") ?? ""`) == part {
				return
			}
			p.press("Tab", modifiers...)
		}
		t.Fatalf("%s cannot be reached", part)
	}
	reach("input")
	p.write("Coffee with Al on Tuesday at 4pm")
	p.press("Enter")
	p.wait("finished === 1")
	reach("confirm", shift)
	p.holds(`one("[part=confirm]").matches(":focus-visible")`)
	p.shoot("keyboard")
	p.press("Enter")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.wait(focused + ` === one("[part=card]")`)
	reach("undo")
	p.press("Enter")
	p.wait(`told.at(-1).type === "convene:cancelled"`)
	reach("input")
}

// listen notes what is read out.
const listen = `window.heard = [], new MutationObserver(() => ` +
	`heard.push(one("[role=status]").textContent)).observe(one("[role=status]"), { childList: true })`

// What is heard: the acknowledgment and the result of a turn, and nothing in between.
func TestLiveRegionSaysWhatMatters(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.text(listen)
	p.ask("Coffee with Al on Tuesday at 4pm")
	p.wait(`heard.length >= 2`)
	p.holds(`heard.length === 2 && heard[0].startsWith("Let me find") && heard[1].includes("Proposed: Coffee with Al, ` +
		`Tuesday, November 24")`)
	p.holds(`all("[aria-live], [role=alert], [role=log]").length === 1`)
}

// The server is killed while it answers, and started again: the stream goes on where it was, and says so.
func TestReconnectsWhereItWas(t *testing.T) {
	redis := redistest.Start(t)
	model := start(t, []string{"model", "--listen", "127.0.0.1:0", "--latency", "500ms", "--tokens-per-second", "150"})
	address := freeAddress(t)
	arguments := []string{"serve", "--listen", address, "--now", clock}
	environment := []string{"REDIS_URL=" + redis, "OPENAI_BASE_URL=" + model.url + "/v1", "OPENAI_API_KEY="}
	server := start(t, arguments, environment...)
	p := look(t, server.url+"/", 1280, 900)
	p.text("window.ids = [], document.addEventListener('convene:update', ({ detail }) => ids.push(detail.id)), " +
		"element().focus()")
	p.text(listen)
	p.write("Coffee with Al on Tuesday at 4pm")
	p.press("Enter")
	p.wait("ids.length >= 2")
	p.shoot("progress")
	server.kill()
	p.wait(`!one("[part=connection]").hidden && one("[part=connection]").textContent.includes("Connection lost")`)
	p.shoot("lost")
	start(t, arguments, environment...)
	p.wait(`one("[part=connection]").dataset.kind === "back"`)
	p.wait("finished === 1")
	p.shoot("resumed")
	p.holds(`ids.every((id, i) => id === i + 1)`)
	p.holds(`one("[part=confirm]") && heard.slice(1, 3).join(" ") === "Connection lost. Trying again… Connected again."`)
	p.wait(`one("[part=connection]").hidden && all(".turn").length === 1`) // good news does not stay
}

// The page is in the language that was chosen, and says so; a reload leaves it, the person and the appearance as they
// were.
func TestTheDemoPageSpeaksThreeLanguages(t *testing.T) {
	p := look(t, serve(t).url+"/", 1280, 900)
	p.wait("document.querySelectorAll('.person').length > 5")
	p.ask("Coffee with Al on Tuesday at 4pm")
	said := `[...document.querySelectorAll("[data-say], #about, #examples button, .receipt figcaption")].map(({ ` +
		`textContent }) => textContent.trim())`
	p.text(`window.before = ` + said)
	for locale, want := range map[string]string{"es": "ltr", "he": "rtl"} {
		p.text(fmt.Sprintf(`document.querySelector("#locale").value = %q, document.querySelector("#locale").onchange()`,
			locale))
		p.holds(fmt.Sprintf(`document.documentElement.lang === %q && document.documentElement.dir === %q && `+
			`one(".frame").dir === %q`, locale, want, want))
		if same := p.text(said + `.filter((text) => before.includes(text) && text).join(", ")`); same != "" {
			t.Errorf("%s: still in English: %s", locale, same)
		}
		p.holds(`document.documentElement.scrollWidth <= innerWidth`)
		p.shoot("demo-" + locale)
		p.audit("demo in " + locale)
	}
	p.text(`document.querySelector("#locale").value = "he", document.querySelector("#locale").onchange()`)
	p.text(`document.querySelector("#theme").value = "dark", document.querySelector("#theme").onchange(), ` +
		`document.querySelector("[data-id=grace]").click()`)
	p.holds(`!one(".turn")`) // what one person asked is not for another
	p.ask("קפה עם אל ביום שלישי הבא")
	p.reload()
	p.wait(`document.querySelector("[data-id=grace]")?.ariaChecked === "true" && ` +
		`one("[part=confirm]:not([aria-disabled])")`)
	p.holds(`document.documentElement.lang === "he" && document.documentElement.dataset.theme === "dark" && ` +
		`one("[part=confirm]").textContent === "אישור"`)
	p.shoot("demo-reloaded")
}
