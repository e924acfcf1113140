package mail

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page walks an HTML document and writes what its reader would see as plain text.
type page struct {
	text  strings.Builder
	links []Link
	// quote is how deep the text stands in quotations, and blank how many line breaks are at its end. Space says that the
	// next word stands apart from the last one.
	quote, blank int
	space        bool
}

// readHTML is the text of a document with its links. What is hidden from a reader is left out.
func readHTML(document string) (text string, links []Link) {
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return "", nil
	}
	p := page{blank: mostBlank}
	p.walk(root)
	return p.text.String(), p.links
}

// mostBlank is how many line breaks follow each other at most.
const mostBlank = 2

// unseen are elements whose content is not shown as text.
var unseen = []atom.Atom{
	atom.Script, atom.Style, atom.Head, atom.Title, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Svg,
	atom.Select, atom.Textarea,
}

// blocks are elements that begin a line, and paragraphs those with an empty line around them.
var (
	blocks = []atom.Atom{
		atom.Div, atom.Tr, atom.Li, atom.Table, atom.Ul, atom.Ol, atom.Section, atom.Article, atom.Header, atom.Footer,
		atom.Pre, atom.Blockquote, atom.Hr, atom.Center, atom.Dt, atom.Dd,
	}
	paragraphs = []atom.Atom{atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
)

func (p *page) walk(n *html.Node) {
	if p.text.Len() > MostText {
		return
	}
	if n.Type == html.TextNode {
		p.write(n.Data)
		return
	}
	if n.Type == html.ElementNode && (slices.Contains(unseen, n.DataAtom) || isHidden(n)) {
		return
	}
	breaks := 0
	switch {
	case n.DataAtom == atom.Br:
		p.breakLine(min(p.blank+1, mostBlank))
	case slices.Contains(paragraphs, n.DataAtom):
		breaks = mostBlank
	case slices.Contains(blocks, n.DataAtom):
		breaks = 1
	case n.DataAtom == atom.Td, n.DataAtom == atom.Th:
		p.space = true
	}
	p.breakLine(breaks)
	if n.DataAtom == atom.A {
		p.link(n)
		return
	}
	if n.DataAtom == atom.Li {
		p.write("- ")
	}
	if n.DataAtom == atom.Img {
		p.write(attribute(n, "alt"))
	}
	if n.DataAtom == atom.Blockquote {
		p.quote++
		defer func() { p.quote-- }()
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		p.walk(child)
	}
	p.breakLine(breaks)
}

// link writes the text of a link, and keeps where it leads.
func (p *page) link(n *html.Node) {
	from := p.text.Len()
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		p.walk(child)
	}
	if to := attribute(n, "href"); to != "" {
		p.links = append(p.links, linkOf(p.text.String()[from:], to))
	}
}

// breakLine ends the line so that at least n breaks stand before the next text.
func (p *page) breakLine(n int) {
	for p.blank < n {
		p.text.WriteByte('\n')
		p.blank++
		p.space = false
	}
}

// write writes text with its spaces as one each.
func (p *page) write(s string) {
	for i, word := range strings.Fields(s) {
		p.space = p.space || i > 0 || strings.ContainsAny(s[:1], " \t\r\n\u00a0")
		switch {
		case p.blank > 0:
			p.text.WriteString(strings.Repeat("> ", p.quote))
		case p.space:
			p.text.WriteByte(' ')
		}
		p.text.WriteString(word)
		p.blank, p.space = 0, false
	}
	p.space = p.space || s != "" && strings.ContainsAny(s[len(s)-1:], " \t\r\n")
}

// hiding are the styles by which a text is hidden from a reader: it is not shown, without size or contrast.
var hiding = regexp.MustCompile(`display:none|visibility:hidden|opacity:0(\.0*)?(;|$)|font-size:0[a-z%.]*(;|$)|` +
	`(^|;)(max-)?(height|width):0(px)?(;|$)|(^|;)color:(#fff(fff)?|white|transparent|rgba?\(255,255,255[^)]*\))|` +
	`text-indent:-\d{3,}|left:-\d{3,}|top:-\d{3,}`)

// isHidden reports whether a reader does not see an element. White text on a ground of its own is seen.
func isHidden(n *html.Node) bool {
	style := strings.ToLower(strings.Join(strings.Fields(attribute(n, "style")), ""))
	if strings.EqualFold(attribute(n, "aria-hidden"), "true") || hasAttribute(n, "hidden") {
		return true
	}
	found := hiding.FindString(style)
	isColor := strings.Contains(found, "color:")
	if n.DataAtom == atom.Font && strings.Contains("#ffffff white", strings.ToLower(attribute(n, "color"))) {
		isColor, found = true, attribute(n, "color")
	}
	return found != "" && (!isColor || !onGround(n))
}

// onGround reports whether an element or one around it sets a ground for its text.
func onGround(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if hasAttribute(n, "bgcolor") || strings.Contains(strings.ToLower(attribute(n, "style")), "background") {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}
