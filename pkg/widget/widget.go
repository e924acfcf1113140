// Package widget holds the browser's files: the element <convene-scheduler>, its demo page, and the styles and script
// of the API's guides. Nothing needs a build or another server, and all of it runs under a policy without inline code.
//
// The element's sources are several short files that share one scope; they are served as one small script, which
// contains the stylesheet.
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
	style, _ := m.String("css", element("style.css")) // invalid CSS stays as it is, and fails any test
	quoted, _ := json.Marshal(style)                  // a string always encodes
	whole := "(() => {\n\"use strict\";\nconst style = " + string(quoted) + ";\n"
	for _, name := range []string{"words.js", "vocabulary.js", "stream.js", "markup.js", "card.js", "changes.js",
		"turn.js", "frame.js", "memory.js", "element.js"} {
		whole += element(name)
	}
	small, _ := m.String("js", whole+"})();\n")
	return []byte("// <convene-scheduler>: its sources are in pkg/widget/static/element.\n" + small + "\n")
})

// element is a file of the element. All are embedded, so a missing one fails any test.
func element(name string) string {
	content, _ := static.ReadFile(path.Join(elementFolder, name))
	return string(content)
}

// Page is a file of the pages by its name, as "index.html"; ok is false if there is none.
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
