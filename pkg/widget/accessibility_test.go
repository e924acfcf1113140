package widget_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"convene/pkg/testenv"
)

// audit looks for findings of axe-core that it calls serious or critical, and for links and buttons whose name lacks
// the words that can be seen on them (WCAG 2.5.3), by which people who speak to their computer call them.
func (p *tab) audit(state string) {
	p.t.Helper()
	source, err := os.ReadFile("../../testdata/widget/node_modules/axe-core/axe.min.js")
	if err != nil {
		missing(p.t, "axe-core (npm ci --prefix testdata/widget)")
	}
	p.do(chromedp.Evaluate[chromedp.Void](string(source)))
	p.text(`window.found = undefined, axe.run(document, { resultTypes: ["violations"],
		rules: { "label-content-name-mismatch": { enabled: true } } })
		.then(({ violations }) => { window.found = violations; })`)
	p.wait("window.found")
	found := p.text(`found.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id, nodes }) => id + " " + ` +
		`nodes.map(({ target, any }) => target.join(" ") + " " + any.map(({ message }) => message)).join("; ")).join("\n")`)
	if found != "" {
		p.t.Errorf("%s:\n%s", state, found)
	}
	if nameless := p.text(misnamed); nameless != "" {
		p.t.Errorf("%s: the words that can be seen are not in the name:\n%s", state, nameless)
	}
}

// misnamed lists what can be operated under a name, as the browser computes it, that lacks its visible words.
const misnamed = `(() => {
	const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
	const roots = [document, ...[...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot).filter(Boolean)];
	const controls = "a[href], button, summary, input, select, textarea, [role=radio], [role=button]";
	const nodes = roots.flatMap((root) => [...root.querySelectorAll(controls)]);
	const seen = (node) => {
		const label = node.labels?.[0] && [...node.labels[0].childNodes].filter((child) => !child.contains(node))
			.map((child) => child.innerText ?? child.data).join(" ");
		const hidden = [...node.querySelectorAll("[aria-hidden=true]")].map(({ innerText }) => innerText).join(" ");
		return plain(label ?? node.innerText ?? "").replace(plain(hidden), "").trim();
	};
	if (nodes.some(({ computedName }) => computedName === undefined)) return "this browser tells no names";
	return nodes.filter((node) => node.checkVisibility() && 
		(!node.computedName || !plain(node.computedName).includes(seen(node))))
		.map((node) => node.outerHTML.slice(0, 200) + " is named " + JSON.stringify(node.computedName)).join("\n");
})()`

// Nothing is found in any state of the pages.
func TestAccessibility(t *testing.T) {
	server := serve(t)
	p := look(t, server.url+"/", 1280, 900)
	p.wait("document.querySelectorAll('.person').length > 5")
	p.audit("empty")
	p.ask("Coffee with Ines next week")
	p.audit("proposed")
	p.text(`document.querySelector("#theme").value = "dark", document.querySelector("#theme").onchange()`)
	p.audit("dark")
	p.click("[part=confirm]", "Confirm")
	p.wait(`told.at(-1).type === "convene:confirmed"`)
	p.audit("confirmed")
	p.click("[part=undo]", "Undo")
	p.wait(`told.at(-1).type === "convene:cancelled"`)
	p.text(`document.querySelector("#locale").value = "he", document.querySelector("#locale").onchange()`)
	p.audit("cancelled, in Hebrew")
	small := look(t, server.url+"/", 320, 568, phone(320, 568))
	small.ask("What's happening this weekend?")
	small.audit("activities, on a phone")
	door := look(t, openSite(t, nil).convene+"/", 1280, 900)
	door.wait(`!document.querySelector("#door").hidden`)
	door.audit("door")
	for _, language := range []string{"en", "he"} {
		landing := look(t, server.url+"/healthz", 375, 667, phone(375, 667), reading(language), dark)
		landing.do(chromedp.Navigate(server.url + "/v1/oauth/callback?error=access_denied&state=unknown"))
		landing.holds(`document.documentElement.lang === "` + language +
			`" && getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 28)"`)
		landing.snap("landing-" + language)
		landing.audit("where a provider sends people back to, in " + language)
	}
	docs := look(t, server.url+"/docs", 1280, 900)
	docs.wait("document.querySelectorAll('#schemas details').length > 5")
	docs.holds(`document.querySelector("#Slot").textContent.includes("free, unknown, conflict, or what may be added.")`)
	docs.shoot("docs")
	docs.audit("docs")
	for _, size := range [][2]int64{{1280, 900}, {375, 667}} {
		docs.do(chromedp.EmulateViewport(size[0], size[1]))
		for _, name := range []string{"stream", "widget", "settings"} {
			docs.do(chromedp.Navigate(server.url + "/docs/" + name))
			docs.holds(`document.querySelector("main h1") && document.querySelector(".guides [aria-current]") && ` +
				`document.documentElement.scrollWidth <= innerWidth`)
			docs.shoot(fmt.Sprintf("guide-%s-%d", name, size[0]))
			docs.audit(fmt.Sprintf("guide %s, %d wide", name, size[0]))
		}
	}
}

// reading makes the tab that of a person who reads a language.
func reading(language string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: "Chromium", AcceptLanguage: language,
		})
		return err
	})
}

func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv(testenv.StrictVariable) == "1" {
		t.Fatalf("%s is not installed", what)
	}
	t.Skipf("%s is not installed", what)
}
