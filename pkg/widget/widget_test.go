package widget_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/widget"
)

// A page that embeds the element pays for it once, and little: 15 kB on the wire.
func TestScriptIsSmall(t *testing.T) {
	t.Parallel()
	const most = 15_000
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(widget.Script()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", len(widget.Script()), packed.Len())
	if packed.Len() > most {
		t.Errorf("the script is %d bytes compressed, want at most %d", packed.Len(), most)
	}
}

func sources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"static/element/*", "static/pages/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(content)
		}
	}
	if len(files) < 10 {
		t.Fatalf("found %d files", len(files))
	}
	return files
}

// Nothing that a strict policy or a hostile name would break, and nothing from elsewhere.
func TestSourcesKeepToThePolicy(t *testing.T) {
	t.Parallel()
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\sstyle="|cssText|@import|` +
		`\bon(click|load|error|submit)="|(src|href)="(https?:)?//|url\(`)
	for name, content := range sources(t) {
		if found := forbidden.FindAllString(content, -1); found != nil {
			t.Errorf("%s has %q", name, found)
		}
	}
}

// The script carries all of its parts, and leaves nothing behind in the page but the element.
func TestScriptIsWhole(t *testing.T) {
	t.Parallel()
	script := string(widget.Script())
	for _, want := range []string{`customElements.define("convene-scheduler"`, "class Follower", "class Card", "class TurnView", "class Voice", ".composer"} {
		if strings.Count(script, want) == 0 {
			t.Errorf("the script lacks %s", want)
		}
	}
	if !strings.Contains(script[:200], "(() => {\n") || !strings.HasSuffix(script, "})();\n") {
		t.Error("the script is not closed in itself")
	}
}

// Every language says everything, with the same places to fill in.
func TestLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	content := sources(t)[filepath.Join("static", "element", "words.js")]
	said := map[string][]string{}
	for _, block := range regexp.MustCompile(`(?s)\n  (\w\w): \{\n(.*?)\n  \},`).FindAllStringSubmatch(content, -1) {
		for _, word := range regexp.MustCompile(`(\w+): "((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(block[2], -1) {
			places := regexp.MustCompile(`\{\w+\}`).FindAllString(word[2], -1)
			slices.Sort(places)
			said[block[1]] = append(said[block[1]], word[1]+strings.Join(places, ""))
		}
		slices.Sort(said[block[1]])
	}
	if len(said["en"]) < 30 {
		t.Fatalf("English says %d things", len(said["en"]))
	}
	for _, language := range []string{"es", "he"} {
		if diff := cmp.Diff(said["en"], said[language]); diff != "" {
			t.Errorf("%s (-en +%s):\n%s", language, language, diff)
		}
	}
}

// What the element says is said somewhere, and nothing is kept that nobody says.
func TestEveryWordIsUsed(t *testing.T) {
	t.Parallel()
	files := sources(t)
	words := files[filepath.Join("static", "element", "words.js")]
	english, _, _ := strings.Cut(words[strings.Index(words, "en: {"):], "\n  },")
	var code strings.Builder
	for name, content := range files {
		if strings.HasPrefix(name, filepath.Join("static", "element")) && !strings.HasSuffix(name, "words.js") {
			code.WriteString(content)
		}
	}
	for _, word := range regexp.MustCompile(`(\w+): "`).FindAllStringSubmatch(english, -1) {
		if !strings.Contains(code.String(), `"`+word[1]+`"`) && !slices.Contains([]string{"confirmed", "cancelled", "proposed", "video", "phone"}, word[1]) {
			t.Errorf("nobody says %q", word[1])
		}
	}
}

func TestPagesAreThere(t *testing.T) {
	t.Parallel()
	for _, name := range append(widget.Pages(), "index.html", "docs.html") {
		if content, ok := widget.Page(name); !ok || len(content) == 0 {
			t.Errorf("Page(%q) = %d bytes, %t", name, len(content), ok)
		}
	}
	for _, name := range []string{"", ".", "..", "../element/element.js", `..\element`, "nothing.html"} {
		if _, ok := widget.Page(name); ok {
			t.Errorf("Page(%q) is there", name)
		}
	}
}
