package api

import (
	"bytes"
	_ "embed"
	"html/template"
	"path"
	"strings"

	"convene/pkg/markup"
)

// Guide is a document for users, shown at /docs/{Name}.
type Guide struct {
	// Name is the last part of its address.
	Name string
	// Source is the path of its file in the repository, by which other guides link to it.
	Source string
	// Markdown is its text. The first heading is its title.
	Markdown string
}

//go:embed docs.html
var docsFile string

// docsPage shows the API or, if it has a Body, a guide.
type docsPage struct {
	Name, Title string
	Body        template.HTML
	Guides      []docsPage
}

// docsPages returns the pages by name: the API reference, whose name is empty, and the guides.
func docsPages(guides []Guide) (map[string]*asset, error) {
	all := []docsPage{{Title: "API reference"}}
	for _, g := range guides {
		title, body, err := markup.Guide(g.Markdown, func(to string) string { return inDocs(guides, g.Source, to) })
		if err != nil {
			return nil, err
		}
		all = append(all, docsPage{Name: g.Name, Title: title, Body: template.HTML(body)}) //nolint:gosec // a file of ours
	}
	page := template.Must(template.New("docs").Parse(docsFile))
	pages := map[string]*asset{}
	for _, p := range all {
		var b bytes.Buffer
		p.Guides = all
		if err := page.Execute(&b, p); err != nil {
			return nil, err
		}
		pages[p.Name] = newAsset("docs.html", b.Bytes)
	}
	return pages, nil
}

// inDocs translates a link of a guide to the server's pages; empty for a file that the server does not show.
func inDocs(guides []Guide, source, to string) string {
	file, section, _ := strings.Cut(to, "#")
	if file == "" || strings.Contains(file, "://") {
		return to
	}
	if section != "" {
		section = "#" + section
	}
	file = path.Join(path.Dir(source), file)
	for _, g := range guides {
		if g.Source == file {
			return "/docs/" + g.Name + section
		}
	}
	return ""
}
