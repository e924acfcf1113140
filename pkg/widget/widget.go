// Package widget is what a browser gets: the element <convene-scheduler>, the page that shows it, and the styles and
// the script of the pages to read about the API. Nothing of it is built or fetched from elsewhere; all of it lives
// under a policy without inline code.
//
// The element is written as several short files that share one scope, and served as one small script. Its stylesheet
// travels within the script, because a shadow tree has no page to load it.
package widget

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

//go:embed static
var static embed.FS

const (
	elementFolder = "static/element"
	pageFolder    = "static/pages"
)

// Script is the element as one classic script, which works as a module too. It defines <convene-scheduler> once,
// however often it is loaded, and nothing else that a page could see. The caller must not change it.
func Script() []byte { return script() }

var script = sync.OnceValue(func() []byte {
	m := minify.New()
	m.AddFunc("css", css.Minify)
	m.AddFunc("js", js.Minify)
	style, _ := m.String("css", element("style.css")) // what cannot be read is left as it is, and shows in any test
	quoted, _ := json.Marshal(style)                  // a string always encodes
	whole := "(() => {\n\"use strict\";\nconst style = " + string(quoted) + ";\n"
	for _, name := range []string{"words.js", "vocabulary.js", "stream.js", "markup.js", "card.js", "turn.js", "frame.js",
		"memory.js", "element.js"} {
		whole += element(name)
	}
	small, _ := m.String("js", whole+"})();\n")
	return []byte("// <convene-scheduler>: its sources are in pkg/widget/static/element.\n" + small + "\n")
})

// element is a file of the element. All are embedded, so one that is missing shows in any test.
func element(name string) string {
	content, _ := static.ReadFile(path.Join(elementFolder, name))
	return string(content)
}

// Page is a file of the pages by its name alone, as "index.html". ok is false where there is none.
func Page(name string) (content []byte, ok bool) {
	if strings.ContainsAny(name, `/\`) {
		return nil, false
	}
	content, err := static.ReadFile(path.Join(pageFolder, name))
	return content, err == nil
}

// Pages are the names of all files of the pages.
func Pages() []string {
	entries, _ := fs.ReadDir(static, pageFolder)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
