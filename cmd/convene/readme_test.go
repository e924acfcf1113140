package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"convene/pkg/markup"
)

// maxReadme is what a newcomer reads in one sitting, in bytes.
const maxReadme = 8192

// README.md is short and names each update; the API's README describes them, and this folder's the commands. The table
// of settings has a test of its own.
func TestTheReadmesAreComplete(t *testing.T) {
	t.Parallel()
	front, stream := read(t, "README.md"), read(t, "pkg/api/README.md")
	if len(front) > maxReadme {
		t.Errorf("README.md has %d bytes, want %d at most", len(front), maxReadme)
	}
	updates := regexp.MustCompile(`updateType\(\) string\s*\{ return "(\w+)" \}`).
		FindAllStringSubmatch(read(t, "pkg/meet/update.go"), -1)
	for _, kind := range updates {
		if !strings.Contains(front, "`"+kind[1]+"`") || !strings.Contains(stream, "\n| `"+kind[1]+"` |") {
			t.Errorf("the update %q is not in README.md and in the API's table", kind[1])
		}
	}
	if len(updates) < 10 {
		t.Errorf("found %d updates; the test does not see them", len(updates))
	}
	var cli commands
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Leaves(false) {
		name, _, _ := strings.Cut(command.Path(), " ")
		described := readme
		if name == "replay" {
			described += read(t, "pkg/replay/README.md")
		}
		if !strings.Contains(readme, "`convene "+name+"`") ||
			!strings.Contains(described, "`"+command.Name) && !strings.Contains(described, " "+command.Name) {
			t.Errorf("the command %q is not in its README", command.Path())
		}
		for _, flag := range command.Flags {
			if flag.Name != "help" && !strings.Contains(described, "--"+flag.Name) {
				t.Errorf("the setting --%s of %q is not in its README", flag.Name, command.Path())
			}
		}
	}
}

// What the README calls the default is the default.
func TestTheReadmesFirstCommandIsTheDefault(t *testing.T) {
	t.Parallel()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Command() != "serve" || cli.Serve.Listen != "127.0.0.1:8080" {
		t.Errorf("without arguments it runs %q on %s", parsed.Command(), cli.Serve.Listen)
	}
}

// Each relative link in a document leads to a file that is there, and to a heading that it has.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	links := 0
	for _, file := range markdownFiles(t) {
		for _, to := range linksIn(t, file) {
			name, anchor, _ := strings.Cut(to, "#")
			if strings.Contains(name, ":") {
				continue
			}
			links++
			target := file
			if name != "" {
				target = path.Join(path.Dir(file), name)
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", file, to)
			} else if anchor != "" && !strings.Contains(rendered(t, target, nil), ` id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which has no such heading", file, to)
			}
		}
	}
	if links < 60 {
		t.Errorf("found %d links; the test does not see them", links)
	}
}

// At /docs each guide is a page by its own title, in a language and with one main part; links between guides lead to
// pages and headings that are there, and no link leads to a file of the repository.
func TestGuidesAreServed(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	pages, titles := map[string]string{}, map[string]bool{}
	page := func(name string) string {
		if _, asked := pages[name]; !asked {
			status, body, header := get(t, server+name)
			if policy := header.Get(
				"Content-Security-Policy",
			); status != 200 ||
				!strings.Contains(policy, "default-src 'none'") {
				t.Errorf("%s = %d, policy %q", name, status, policy)
			}
			pages[name] = string(body)
		}
		return pages[name]
	}
	all := []string{"/docs"}
	for _, g := range guides() {
		all = append(all, "/docs/"+g.Name)
		if g.Markdown != read(t, g.Source) {
			t.Errorf("the guide %s is not %s", g.Name, g.Source)
		}
	}
	for _, name := range all {
		body := page(name)
		title := regexp.MustCompile(`<title>(.+)</title>`).FindString(body)
		if titles[title] || title == "" || strings.Count(body, "<main") != 1 || strings.Count(body, "<h1") != 1 ||
			!strings.Contains(body, `<html lang="en">`) || !strings.Contains(body, `href="`+name+`" aria-current="page"`) {
			t.Errorf("%s: %s", name, body)
		}
		titles[title] = true
		for _, link := range regexp.MustCompile(`<a (?:class="mark" )?href="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			to, anchor, _ := strings.Cut(link[1], "#")
			if strings.HasPrefix(to, "https://") {
				continue
			}
			if to == "" {
				to = name
			}
			if !strings.HasPrefix(to, "/") {
				t.Errorf("%s links to %s, which is no page", name, link[1])
			} else if anchor != "" && !strings.Contains(page(to), `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which has no such heading", name, link[1])
			}
		}
		for _, to := range all {
			if !strings.Contains(body, `href="`+to+`"`) {
				t.Errorf("%s does not link to %s", name, to)
			}
		}
	}
	if status, _, _ := get(t, server+"/docs/nothing"); status != 404 {
		t.Errorf("a guide that is not there: %d", status)
	}
}

// markdownFiles are the Markdown files of the project.
func markdownFiles(t *testing.T) (files []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return fs.SkipDir
		}
		if filepath.Ext(file) == ".md" {
			name, err := filepath.Rel(root, file)
			files = append(files, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil || !slices.Contains(files, "README.md") || len(files) < 15 {
		t.Fatalf("%v: found %v", err, files)
	}
	return files
}

// rendered is a document as HTML; link hears of each link.
func rendered(t *testing.T, file string, link func(to string)) string {
	t.Helper()
	_, body, err := markup.Guide(read(t, file), func(to string) string {
		if link != nil {
			link(to)
		}
		return to
	})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return body
}

// linksIn are where a document's links and pictures lead.
func linksIn(t *testing.T, file string) (links []string) {
	t.Helper()
	body := rendered(t, file, func(to string) { links = append(links, to) })
	for _, picture := range regexp.MustCompile(`<img src="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		links = append(links, picture[1])
	}
	return links
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
