package widget_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// longCard is a proposal with all that a card can have, and a message as long as they get.
const longCard = `{"type": "event", "event": {"id": "p1", "conversationId": "c1", "status": "proposed",
	"title": "Coffee with Al and everybody else who was at the conference",
	"eventType": "in-person", "start": "2026-11-24T16:00:00-08:00", "end": "2026-11-24T16:30:00-08:00",
		"timezone": "America/Los_Angeles",
	"participants": [{"name": "Mia"}, {"name": "Al"}, {"name": "Lena Hoffmann", "timezone": "Europe/Berlin"}],
	"place": {"name": "Four Barrel Coffee", "address": "375 Valencia St, San Francisco, CA 94103", "rating": 4.5,
		"distanceFromMidpointKm": 1.2,
		"mapsUrl": "https://maps.example/1", "credit": "Powered by Maps", "pageUrl": "https://cafe.example/1"},
	"travelBuffer": {"beforeMinutes": 15, "afterMinutes": 20}, "unknown": ["Inês"],
	"conflicts": [{"name": "Al", "text": "Al has another event at that time."}, {"name": "Lena",
		"text": "It is outside of Lena's working hours."}],
	"alternatives": {"slots": [{"start": "2026-11-24T17:00:00-08:00", "end": "2026-11-24T17:30:00-08:00"},
		{"start": "2026-11-25T09:00:00-08:00", "end": "2026-11-25T09:30:00-08:00"},
		{"start": "2026-11-26T10:00:00-08:00", "end": "2026-11-26T10:30:00-08:00"}], "places": [{"name": "Grand Coffee"},
			{"name": "A place with a very long name, on the corner"}]},
	"links": {"ics": "/v1/proposals/p1.ics", "google": "https://calendar.google.com/1",
		"outlook": "https://outlook.live.com/1"}}}`

// inSight reports whether a part can be seen and tapped: whole, within the window, and with nothing over it.
const inSight = `window.inSight = (selector) => {
	const part = one(selector);
	return [...part.getClientRects()].every((box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 &&
		box.right <= innerWidth &&
		part.contains(element().shadowRoot.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)));
}`

// phone makes the tab that of a phone of this size.
func phone(width, height int64) chromedp.Action[chromedp.Void] {
	return chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch)
}

// On a phone, on the narrowest screens and in a window at twice the size, a proposal can be confirmed as soon as it is
// there, without a search for the button.
func TestConfirmIsInSightOnAPhone(t *testing.T) {
	server := serve(t)
	for _, size := range [][2]int64{{375, 667}, {320, 568}, {640, 360}} {
		for locale, message := range map[string]string{
			"en": "Let's grab coffee with Al next week, somewhere quiet with outdoor seating", "he": "קפה עם אל ביום שלישי הבא",
			"es": "Café con Al el martes",
		} {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], locale), func(t *testing.T) {
				p := look(t, server.url+"/", size[0], size[1], phone(size[0], size[1]))
				p.text(fmt.Sprintf(`document.querySelector("#locale").value = %[1]q, document.querySelector("#locale").onchange()`,
					locale))
				p.text(inSight)
				p.ask(message)
				p.snap(fmt.Sprintf("phone-%d-%s", size[0], locale))
				p.holds(`inSight("[part=confirm]")`)
				p.holds(`document.documentElement.scrollWidth <= innerWidth`)
			})
		}
	}
}

// So it is for the longest card, whether the page gives the element a height or scrolls by itself; with a keyboard on
// the screen too; and what has the focus is not under the pinned button.
func TestALongCardOnAPhone(t *testing.T) {
	address := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			accept(w)
		case r.URL.Path == "/v1/turns/t1/events":
			stream(w, `{"type": "acknowledgment", "text": "One moment."}`,
				`{"type": "message", "text": "`+strings.Repeat("A long message that says why. ", 30)+`"}`,
				strings.ReplaceAll(longCard, "\n", ""), done)
		}
	})
	for name, height := range map[string]string{"a page that scrolls": "none", "an element that scrolls": "90vh"} {
		t.Run(name, func(t *testing.T) {
			p := look(t, address, 375, 667, phone(375, 667))
			p.text(fmt.Sprintf(`element().style.setProperty("--convene-max-height", %q), document.body.style.paddingTop = `+
				`"300px"`, height))
			p.text(inSight)
			p.ask("hello")
			p.snap("long-card-" + height)
			p.holds(`inSight("[part=confirm]")`)
			for _, part := range []string{"[part=place] a", "[data-kind=slot]", "[data-kind=place]", "[part=file]",
				"[part=confirm]"} {
				p.text(fmt.Sprintf(`one(%q).focus()`, part))
				p.holds(fmt.Sprintf(`inSight(%q) && inSight("[part=confirm]")`, part))
			}
			// Nothing in headless Chromium opens a keyboard, so the window is told that there is one.
			p.text(`Object.defineProperty(visualViewport, "height", { value: 400 }),
				visualViewport.dispatchEvent(new Event("resize")),
				one("[data-kind=slot]").scrollIntoView({ block: "center" })`)
			p.text(`scrollBy(0, one("[data-kind=slot]").getBoundingClientRect().top - 200), visualViewport.dispatchEvent(new ` +
				`Event("scroll"))`)
			p.wait(`one("[part=confirm]").getBoundingClientRect().bottom <= 400 && inSight("[part=confirm]")`)
			p.snap("keyboard-" + height)
		})
	}
}
