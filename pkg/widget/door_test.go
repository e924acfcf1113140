package widget_test

import (
	"fmt"
	"strings"
	"testing"
)

// The demo page of a server with keys says that one is needed, takes one, and works with it; with a browser's token
// too, which its address may bring along.
func TestTheDemoPageAsksForAKey(t *testing.T) {
	s := openSite(t, nil)
	p := look(t, s.convene+"/", 1280, 900)
	door := func(words string) {
		t.Helper()
		p.wait(fmt.Sprintf(`!document.querySelector("#door").hidden && `+
			`document.querySelector("#door-why").textContent.includes(%q)`, words))
		p.holds(`getComputedStyle(element()).display === "none" && !document.querySelector("#people").offsetHeight`)
	}
	knock := func(credential string) {
		t.Helper()
		p.text(`document.querySelector("#credential").focus()`)
		p.write(credential)
		p.press("Enter")
	}
	door("nothing to see yet")
	p.shoot("door")
	knock("convene_0123456789_0123456789")
	door("not known here")
	knock("not a key at all")
	door("neither spaces")
	knock(s.key)
	p.wait(`document.querySelectorAll(".person").length > 5 && document.querySelector("#door").hidden`)
	p.ask("Coffee with Al on Tuesday at 4pm")
	p.holds(`one("[part=confirm]") && !location.href.includes("convene_")`)
	p.reload()
	p.wait(`document.querySelectorAll(".person").length > 5`)
	p.shoot("door-open")
	p.text(`document.querySelector("#leave").click()`)
	door("nothing to see yet")

	own := strings.Replace(s.convene, "127.0.0.1", "localhost", 1)
	p = look(t, own+"/#token="+s.mustToken(own), 1280, 900)
	p.wait(`document.querySelectorAll(".person").length === 1`)
	p.ask("Coffee with Al on Tuesday at 4pm")
	p.holds(`one("[part=confirm]") && location.hash === "" && told.at(-1).type === "convene:event"`)
	p.shoot("door-token")
	docs := look(t, own+"/docs#startTurn", 800, 900)
	docs.wait(`document.querySelector("#startTurn")?.open`)
	docs.holds(`document.querySelector("#startTurn").textContent.includes("takes a key or a token") && ` +
		`document.querySelector(".door").textContent.includes("A server with keys")`)
	docs.shoot("docs-route")
	p.text(fmt.Sprintf(`element().setAttribute("token", %q)`, s.expired()))
	p.send("Can we do lunch instead?")
	p.wait(`document.querySelector("#door:not([hidden])") && ` +
		`document.querySelector("#door-why").textContent.includes("no longer valid")`)
	knock(s.mustToken(own))
	p.wait(`finished === 2 && document.querySelector("#door").hidden`)
	p.holds(`told.at(-1).event.title === "Lunch with Al" && all(".turn").length === 2`)
	p = look(t, own+"/#token="+s.expired(), 1280, 900)
	door("has expired")
}
