// Package markup turns a message's Markdown into HTML that any page may show as it is. It trusts nothing, because
// people, calendars and venues wrote parts of it: raw HTML stays text, images become their descriptions, and a link
// that does not lead to an https page becomes text.
package markup

import (
	"bytes"
	"html"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxMarkdown and maxDepth bound what is read as Markdown, in bytes and in lists within lists; a message has a
// hundredth of the one and a tenth of the other. What is longer or deeper stays text: no browser need cope with it.
const (
	maxMarkdown = 64 << 10
	maxDepth    = 32
)

// Render is the message as HTML of only paragraphs, lists, quotations, emphasis, code and links. Links open in a new
// page, without
// a referrer. It never fails: what is not understood is shown as it was written.
func Render(markdown string) string {
	shown := visible(markdown)
	if len(shown) > maxMarkdown {
		return plain(shown)
	}
	source := []byte(shown)
	document := converter().Parser().Parse(text.NewReader(source))
	if depth(document) > maxDepth {
		return plain(shown)
	}
	var rendered bytes.Buffer
	var allowed strings.Builder
	rendered.Grow(2 * len(source))
	allowed.Grow(3 * len(source)) // what opens a link in a page of its own is as long as the link
	if err := converter().Renderer().Render(&rendered, source, document); err != nil {
		return plain(shown)
	}
	if err := policy().SanitizeReaderToWriter(&rendered, &allowed); err != nil {
		return plain(shown)
	}
	return allowed.String()
}

func plain(text string) string { return "<p>" + html.EscapeString(text) + "</p>\n" }

// depth is the maximum nesting of elements.
func depth(root ast.Node) (deepest int) {
	level := 0
	_ = ast.Walk(root, func(_ ast.Node, entering bool) (ast.WalkStatus, error) { // this function never fails
		if !entering {
			level--
			return ast.WalkContinue, nil
		}
		level++
		deepest = max(deepest, level)
		return ast.WalkContinue, nil
	})
	return deepest
}

// visible removes control characters, and those that force the direction of the text after them.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202d' || r == '\u202e':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// converter knows no raw HTML, so that "<b>" in an event's title is shown and has no effect.
var converter = sync.OnceValue(func() goldmark.Markdown {
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	inlines := []util.PrioritizedValue{
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	}
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(flat{}, 100))),
	)
})

// flat simplifies what messages do not need: a heading becomes an emphasized paragraph, a code block a paragraph, an
// image its description and a rule nothing.
type flat struct{}

// RegisterFuncs is for goldmark.
func (flat) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, around("<p><strong>", "</strong></p>\n"))
	r.Register(ast.KindFencedCodeBlock, code)
	r.Register(ast.KindThematicBreak, around("", ""))
	r.Register(ast.KindImage, around("", ""))
}

func around(before, after string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		mark := after
		if entering {
			mark = before
		}
		_, err := w.WriteString(mark)
		return ast.WalkContinue, err
	}
}

func code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString("<p><code>" + html.EscapeString(string(n.Lines().Value(source))) + "</code></p>\n")
	return ast.WalkSkipChildren, err
}

// policy lists everything that the HTML may contain.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "strong", "em", "ul", "ol", "li", "code", "blockquote")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(false)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
})
