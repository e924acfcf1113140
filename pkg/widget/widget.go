// Package widget is what a browser gets: the element <convene-scheduler>, the page that shows it, and the page to read
// the API with. Nothing of it is built or fetched from elsewhere; all of it lives under a policy without inline code.
//
// The element is written as several short files that share one scope, and served as one script, without spaces to spare. Its stylesheet travels
// within the script, because a shadow tree has no page to load it.
package widget

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"
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
	var s bytes.Buffer
	s.WriteString("// <convene-scheduler>: schedule by talking. Comments are in pkg/widget/static/element.\n(() => {\n\"use strict\";\n")
	style, _ := json.Marshal(strings.ReplaceAll(element("style.css"), "\n", "")) // a string always encodes
	s.WriteString("const style = " + string(style) + ";\n")
	for _, name := range []string{"words.js", "stream.js", "markup.js", "card.js", "turn.js", "element.js"} {
		s.WriteString(element(name))
	}
	s.WriteString("})();\n")
	return s.Bytes()
})

// element is a file of the element, without the lines that are only a comment and the spaces that only people need. All
// files are embedded, so one that is missing shows in any test.
func element(name string) string {
	content, _ := static.ReadFile(path.Join(elementFolder, name))
	var kept strings.Builder
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			kept.WriteString(line + "\n")
		}
	}
	return tight(kept.String())
}

// tight is code, of a script or a stylesheet, without the spaces around its marks. What is quoted stays as it is.
func tight(code string) string {
	spaces := strings.NewReplacer(
		" {\n", "{", " { ", "{", "{\n", "{", "(\n", "(", ",\n", ",", ";\n", ";", "\n}", "}", " {", "{", "{ ", "{", "; }", "}", " }", "}", "},\n", "},", "; ", ";", ", ", ",", ": ", ":",
		" = ", "=", " => ", "=>", " ? ", "?", " && ", "&&", " || ", "||", " ?? ", "??", " === ", "===", " > ", ">", " < ", "<", " + ", "+",
	)
	var out strings.Builder
	for {
		at := strings.IndexAny(code, "\"'`")
		if at < 0 {
			return out.String() + spaces.Replace(code)
		}
		length := strings.IndexByte(code[at+1:], code[at]) + 2
		out.WriteString(spaces.Replace(code[:at]) + code[at:at+length])
		code = code[at+length:]
	}
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
