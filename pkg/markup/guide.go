package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Guide renders a document of this project: its title, which is the first heading, and its body as HTML with tables and
// with headings that can be linked to. link says where a link leads in the page; a link without a destination becomes
// plain text. The document is trusted, unlike that of Render, but raw HTML in it is left out.
func Guide(markdown string, link func(to string) string) (title, body string, err error) {
	m := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	source := []byte(markdown)
	document := m.Parser().Parse(text.NewReader(source))
	if heading, ok := document.FirstChild().(*ast.Heading); ok {
		title = string(heading.Lines().Value(source))
	}
	for _, found := range linksOf(document) {
		if to := link(string(found.Destination)); to != "" {
			found.Destination = []byte(to)
			continue
		}
		for child := found.FirstChild(); child != nil; child = found.FirstChild() {
			found.Parent().InsertBefore(found.Parent(), found, child)
		}
		found.Parent().RemoveChild(found.Parent(), found)
	}
	var rendered bytes.Buffer
	err = m.Renderer().Render(&rendered, source, document)
	// What may be wider than the page scrolls by itself, with the keyboard too.
	return title, strings.NewReplacer(
		"<pre>", `<pre tabindex="0">`, "<table>", `<div class="wide" tabindex="0"><table>`, "</table>", "</table></div>",
	).Replace(rendered.String()), err
}

func linksOf(document ast.Node) (links []*ast.Link) {
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // this function never fails
		if found, ok := n.(*ast.Link); ok && entering {
			links = append(links, found)
		}
		return ast.WalkContinue, nil
	})
	return links
}
