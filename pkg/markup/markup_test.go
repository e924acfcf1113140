package markup_test

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"convene/pkg/markup"
)

const rel = ` rel="nofollow noreferrer noopener" target="_blank"`

func TestRender(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, markdown, want string }{
		{"nothing", "", ""},
		{"a sentence", "See you then.", "<p>See you then.</p>\n"},
		{"emphasis", "**Coffee** is *soon*", "<p><strong>Coffee</strong> is <em>soon</em></p>\n"},
		{"a link", "[Grand Coffee](https://maps.example/?q=a&b=c)",
			`<p><a href="https://maps.example/?q=a&amp;b=c"` + rel + `>Grand Coffee</a></p>` + "\n"},
		{"a bare address in brackets", "<https://maps.example/>",
			`<p><a href="https://maps.example/"` + rel + ">https://maps.example/</a></p>\n"},
		{"a list behind a line", "Or:\n- one\n- **two**",
			"<p>Or:</p>\n<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>\n"},
		{"numbers", "1. one\n2. two", "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n"},
		{"paragraphs", "one\n\ntwo", "<p>one</p>\n<p>two</p>\n"},
		{"code", "`a < b`", "<p><code>a &lt; b</code></p>\n"},
		{"a heading", "# Options", "<p><strong>Options</strong></p>\n"},
		{"a block of code", "```\na <b>\n```", "<p><code>a &lt;b&gt;\n</code></p>\n"},
		{"a rule", "a\n\n---\n\nb", "<p>a</p>\n<p>b</p>\n"},
		{"an image is its description", "![the map](https://evil.example/x.png)", "<p>the map</p>\n"},
		{"raw HTML is text", "<Board> & <b>co</b>", "<p>&lt;Board&gt; &amp; &lt;b&gt;co&lt;/b&gt;</p>\n"},
		{"a link without encryption is text", "[x](http://example.com)", "<p>x</p>\n"},
		{"Hebrew", "**קפה** ביום שני", "<p><strong>קפה</strong> ביום שני</p>\n"},
		{"a quotation", "> one\n> <b>two", "<blockquote>\n<p>one\n&lt;b&gt;two</p>\n</blockquote>\n"},
		{"a list that goes on", "3. three\n4. four", "<ol start=\"3\">\n<li>three</li>\n<li>four</li>\n</ol>\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, markup.Render(tt.markdown)); diff != "" {
				t.Errorf("Render (-want +got):\n%s", diff)
			}
		})
	}
}

// hostile are texts that an attacker may put into a message, a title, a name or a venue.
func hostile() []string {
	return []string{
		`<script>alert(1)</script>`,
		`<img src=x onerror=alert(1)>`,
		`<svg onload=alert(1)>`,
		`<svg><script>alert(1)</script></svg>`,
		`<math><mi xlink:href="javascript:alert(1)">x</mi></math>`,
		`<iframe src="https://evil.example"></iframe>`,
		`<object data="https://evil.example"></object>`,
		`<embed src="https://evil.example">`,
		`<form action="https://evil.example"><input name=a></form>`,
		`<base href="https://evil.example/">`,
		`<meta http-equiv="refresh" content="0;url=https://evil.example">`,
		`<link rel=stylesheet href="https://evil.example/x.css">`,
		`<style>*{background:url(https://evil.example)}</style>`,
		`<a href="javascript:alert(1)">x</a>`,
		`<p onclick="alert(1)">x</p>`,
		`<b style="position:fixed;inset:0">x</b>`,
		`[x](javascript:alert(1))`,
		`[x](JaVaScRiPt:alert(1))`,
		`[x](java&#x0A;script:alert(1))`,
		`[x](&#106;avascript:alert(1))`,
		"[x](<java\tscript:alert(1)>)",
		`[x](data:text/html,<script>alert(1)</script>)`,
		`[x](data:text/html;base64,PHNjcmlwdD4=)`,
		`[x](vbscript:msgbox(1))`,
		`[x](file:///etc/passwd)`,
		`[x](blob:https://evil.example/1)`,
		`[x](//evil.example/path)`,
		`[x](/v1/people)`,
		`[x](../../v1/people)`,
		`[x](https://good.example" onclick="alert(1))`,
		`[x](https://good.example "t\" onmouseover=\"alert(1)")`,
		`[x](<https://good.example" onfocus=alert(1) autofocus x=">)`,
		`![x](javascript:alert(1))`,
		`![x](https://evil.example/pixel.gif)`,
		`![" onerror="alert(1)](https://evil.example/pixel.gif)`,
		`[![x](https://evil.example/p.gif)](javascript:alert(1))`,
		"[x][a]\n\n[a]: javascript:alert(1)",
		"[x][a]\n\n[a]: https://good.example 'a\" onclick=\"alert(1)'",
		`<javascript:alert(1)>`,
		`<https://good.example/"onclick="alert(1)>`,
		"`</code><script>alert(1)</script>`",
		"```html\n</code></p><script>alert(1)</script>\n```",
		"```\"><script>alert(1)</script>\nx\n```",
		"    <script>alert(1)</script>",
		`<!--><script>alert(1)</script>-->`,
		`<![CDATA[<script>alert(1)</script>]]>`,
		`<?xml version="1.0"?><script>alert(1)</script>`,
		`**<img src=x onerror=alert(1)>**`,
		`- <img src=x onerror=alert(1)>`,
		`# <img src=x onerror=alert(1)>`,
		"\\<script\\>alert(1)\\</script\\>",
		`&lt;script&gt;alert(1)&lt;/script&gt;`,
		"<scr\x00ipt>alert(1)</scr\x00ipt>",
		"\u202e[x](https://good.example)\u202d",
		"\xff\xfe<script>",
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
		`<template><script>alert(1)</script></template>`,
		`<details open ontoggle=alert(1)>`,
		`<a href="https://good.example" target="_self" rel="opener">x</a>`,
		`[x](https://user:pass@good.example@evil.example/)`,
	}
}

func TestNothingHostileGetsThrough(t *testing.T) {
	t.Parallel()
	for _, text := range hostile() {
		for _, markdown := range []string{text, "**" + text + "**", "- " + text, "Coffee with " + text + " on Monday",
			"[" + text + "](https://good.example)"} {
			checkSafe(t, markdown)
		}
	}
}

// TestAnyMixtureIsSafe puts pieces of hostile texts together at random.
func TestAnyMixtureIsSafe(t *testing.T) {
	t.Parallel()
	pieces := strings.Fields(strings.Join(hostile(), " "))
	pieces = append(pieces, "\n", "\n\n", "- ", "1. ", "**", "_", "`", "```\n", "[", "](", ")", "<", ">", `"`, "'",
		"\\", "&#", "\t", "\x00", "\u202e")
	random := rand.New(rand.NewPCG(1, 2))
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); {
		var markdown strings.Builder
		for range 1 + random.IntN(20) {
			markdown.WriteString(pieces[random.IntN(len(pieces))])
		}
		checkSafe(t, markdown.String())
	}
}

// checkSafe reads the HTML with a browser's parser, which sees what a browser would.
func checkSafe(t *testing.T, markdown string) {
	t.Helper()
	got := markup.Render(markdown)
	root, err := html.Parse(strings.NewReader(got))
	if err != nil {
		t.Fatalf("Render(%.300q) = %.300q: %v", markdown, got, err)
	}
	allowed := []string{"html", "head", "body", "p", "br", "strong", "em", "ul", "ol", "li", "code", "blockquote", "a"}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && !slices.Contains(allowed, n.Data) {
			t.Errorf("Render(%.300q) = %.300q, which has a %q", markdown, got, n.Data)
		}
		for _, a := range n.Attr {
			if problem := wrong(n.Data, a); problem != "" {
				t.Errorf("Render(%.300q) = %.300q: %s", markdown, got, problem)
			}
		}
	}
	if regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x{202d}\x{202e}]`).MatchString(got) {
		t.Errorf("Render(%.300q) = %.300q, which has characters that hide or turn text", markdown, got)
	}
}

// wrong says what is wrong with an attribute: links have three, lists the number at which they start.
func wrong(element string, a html.Attribute) string {
	want := map[string]string{"rel": "nofollow noreferrer noopener", "target": "_blank"}
	switch {
	case element == "ol" && a.Key == "start" && regexp.MustCompile(`^\d+$`).MatchString(a.Val):
		return ""
	case element != "a":
		return element + " has the attribute " + a.Key
	case a.Key == "href":
		if u, err := url.Parse(a.Val); err != nil || u.Scheme != "https" || u.Host == "" {
			return "a link to " + a.Val
		}
	case want[a.Key] != a.Val || a.Val == "":
		return a.Key + " = " + a.Val
	}
	return ""
}

// Every link carries all three attributes: one without rel would hand this page to the other.
func TestLinksAreComplete(t *testing.T) {
	t.Parallel()
	got := markup.Render("[a](https://a.example) and <https://b.example>")
	if n := strings.Count(got, rel+">"); n != 2 {
		t.Errorf("Render = %q: %d complete links, want 2", got, n)
	}
}

// Texts that make parsers slow or deep must neither hang nor overflow.
func TestPathologicalTexts(t *testing.T) {
	t.Parallel()
	for name, piece := range map[string]string{
		"stars": "*a **a ", "brackets": "[", "brackets both": "[a](", "backticks": "`a``b```", "lists": "- ",
		"underscores": "_a__b",
		"entities":    "&", "angles": "<", "images": "![", "nested lists": "1. - ", "paragraphs": "a\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{8 << 10, 200 << 10} {
				begun := time.Now()
				checkSafe(t, strings.Repeat(piece, size/len(piece)))
				if took := time.Since(begun); took > time.Minute {
					t.Errorf("%d bytes took %s", size, took)
				}
			}
		})
	}
}

func TestLongTextIsKept(t *testing.T) {
	t.Parallel()
	got := markup.Render(strings.Repeat("**a** <b> ", 10_000))
	if !strings.HasPrefix(got, "<p>**a** &lt;b&gt;") || len(got) < 100_000 {
		t.Errorf("Render = %d bytes that begin %.40q", len(got), got)
	}
}

func BenchmarkRender(b *testing.B) {
	message := "I've scheduled **Coffee with Al** for **Monday, November 23 at 3:00 PM** at " +
		"[Dandelion Chocolate](https://www.google.com/maps/search/?api=1&query=Dandelion+Chocolate).\n\nI also " +
		"considered:\n" +
		strings.Repeat("- [Grand Coffee](https://www.google.com/maps/search/?api=1&query=Grand) - highly rated, 1.5 "+
			"km away\n", 3)
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		markup.Render(message)
	}
}
