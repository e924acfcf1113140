package widget_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"convene/pkg/testenv"
)

// bench is what all browser tests share: the program under test and one browser.
type bench struct {
	binary  string
	browser context.Context //nolint:containedctx // chromedp keeps its browser in a context
	close   func()
}

// opened says whether there is anything to close.
var opened atomic.Bool

// shared is made by the first test that needs it, and closed by TestMain.
var shared = sync.OnceValues(open)

func TestMain(m *testing.M) {
	code := m.Run()
	if opened.Load() {
		b, _ := shared()
		b.close()
	}
	os.Exit(code)
}

// open builds the program and starts Chromium, which talks to nobody but the tests' servers.
func open() (b bench, err error) {
	opened.Store(true)
	folder, err := os.MkdirTemp("", "convene-widget")
	if err != nil {
		return bench{close: func() {}}, err
	}
	b = bench{binary: filepath.Join(folder, "convene"), close: func() { _ = os.RemoveAll(folder) }}
	if out, err := exec.Command("go", "build", "-o", b.binary, "convene/cmd/convene").CombinedOutput(); err != nil {
		return b, fmt.Errorf("build: %w\n%s", err, out)
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		return b, err
	}
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium), chromedp.UserDataDir(filepath.Join(folder, "profile")), chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.WindowSize(1280, 900),
	}
	for _, name := range []string{
		"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage",
	} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	flags = append(flags, chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo")) // computedName
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), flags...)
	browser, stopBrowser := chromedp.NewContext(allocator)
	b.browser = browser
	b.close = func() {
		stopBrowser()
		stopAllocator()
		_ = os.RemoveAll(folder)
	}
	return b, chromedp.Do(browser)
}

// lab is the shared bench; the test is skipped where there is no Chromium.
func lab(t *testing.T) bench {
	t.Helper()
	testenv.Require(t, "chromium")
	testenv.Require(t, "go")
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// clock is what the servers under test take for the present.
const clock = "2026-11-20T09:00:00-08:00"

// process is a server under test.
type process struct {
	url string
	cmd *exec.Cmd
}

// start runs the program and waits until it says where it listens.
func start(t *testing.T, args []string, env ...string) *process {
	t.Helper()
	cmd := exec.Command(lab(t).binary, args...)
	cmd.Env = append(os.Environ(), env...)
	errors, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd}
	t.Cleanup(func() { p.kill() })
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	said := new(bytes.Buffer)
	lines := bufio.NewScanner(errors)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if p.url = address.FindString(lines.Text()); p.url != "" {
			go func() { // what it says later must not block it
				for lines.Scan() {
				}
			}()
			return p
		}
	}
	t.Fatalf("%s ended before it listened:\n%s", strings.Join(args, " "), said)
	return nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	_ = p.cmd.Wait()
}

// serve is a server of its own, with the demo in it.
func serve(t *testing.T) *process {
	t.Helper()
	return start(t, []string{"serve", "--listen", "127.0.0.1:0", "--now", clock})
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// tab is a page in the browser, with no cookies or storage of another.
type tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps its tab in a context
}

// look opens an address in a new tab of the given size.
func look(t *testing.T, url string, width, height int64, before ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(lab(t).browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	p := &tab{t, ctx}
	p.do(chromedp.EmulateViewport(width, height))
	p.early(tools)
	p.do(before...)
	p.do(chromedp.Navigate(url))
	return p
}

// early has a script run in each document of the tab before any other.
func (p *tab) early(script string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// reload loads the page again, as a person does.
func (p *tab) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

// tools find things inside of the element.
const tools = `
window.element = () => document.querySelector("convene-scheduler");
window.all = (selector) => [...element().shadowRoot.querySelectorAll(selector)];
window.one = (selector) => all(selector).at(-1);
window.named = (selector, text) => all(selector).filter((node) => node.textContent.includes(text)).at(-1);
window.told = [];
window.finished = 0;
document.addEventListener("convene:update", ({ detail }) => { if (detail.update.type === "done") finished++; });
for (const name of ["turn", "event", "confirmed", "cancelled", "error"])
  document.addEventListener("convene:" + name, ({ type, detail }) => told.push({ type, ...detail }));
`

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// wait waits until the expression is true. It asks the page itself, under whatever policy that is.
func (p *tab) wait(expression string) {
	p.t.Helper()
	const patient = `new Promise((answer) => {
		const begun = performance.now();
		const look = () => (%s) ? answer(true) : performance.now() - begun > 25000 ? answer(false) : setTimeout(look, 25);
		look();
	})`
	came, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf(patient, expression), chromedp.EvalAwaitPromise))
	if err != nil || !came {
		p.t.Fatalf("%s never came true: %v; the element shows %q", expression, err,
			p.text(`element().shadowRoot.querySelector(".frame").innerText`))
	}
}

// text is the value of an expression as text.
func (p *tab) text(expression string) string {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// holds checks an expression.
func (p *tab) holds(expression string) {
	p.t.Helper()
	if got := p.text("Boolean(" + expression + ")"); got != "true" {
		p.t.Errorf("%s does not hold", expression)
	}
}

// write types text into whatever has the focus.
func (p *tab) write(text string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatalf("write %q: %v", text, err)
	}
}

// press presses a key as a keyboard does: what prevents the key prevents its text. Modifiers are as 8 for Shift.
func (p *tab) press(key string, modifiers ...int64) {
	p.t.Helper()
	held := int64(0)
	for _, m := range modifiers {
		held |= m
	}
	keys := map[string]struct {
		code int64
		text string
	}{"Enter": {13, "\r"}, "Tab": {9, ""}, "Space": {32, " "}}
	down := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyDown, Modifiers: held,
		Key: key, Code: key, Text: keys[key].text, WindowsVirtualKeyCode: keys[key].code,
	}
	up := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyUp, Modifiers: held, Key: key, Code: key, WindowsVirtualKeyCode: keys[key].code,
	}
	for _, event := range []input.DispatchKeyEventParams{down, up} {
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, event); err != nil {
			p.t.Fatalf("press %s: %v", key, err)
		}
	}
}

// ask types a message and waits until its turn is over.
func (p *tab) ask(message string) {
	p.t.Helper()
	before := p.text("finished")
	p.text("element().focus()")
	p.write(message)
	p.press("Enter")
	p.wait("finished > " + before)
}

// click clicks the last part whose text has the given words.
func (p *tab) click(selector, words string) {
	p.t.Helper()
	target := fmt.Sprintf("named(%q, %q)", selector, words)
	p.wait(target)
	p.text(target + ".click()")
}

// shoot takes a picture of the page where CONVENE_SHOTS names a folder for them.
func (p *tab) shoot(name string) {
	p.t.Helper()
	if os.Getenv("CONVENE_SHOTS") == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	p.save(picture, name)
}

// snap takes a picture of what of the page is in the window.
func (p *tab) snap(name string) {
	p.t.Helper()
	if os.Getenv("CONVENE_SHOTS") == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	p.save(picture, name)
}

func (p *tab) save(picture []byte, name string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(os.Getenv("CONVENE_SHOTS"), name+".png"), picture, 0o600); err != nil {
		p.t.Fatal(err)
	}
}
