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

// A page that embeds the element pays for it once, and little: 20 kB on the wire.
func TestScriptIsSmall(t *testing.T) {
	t.Parallel()
	const most = 20_000
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
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new ` +
		`Function|\sstyle="|cssText|@import|` +
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
	for _, want := range []string{`customElements.define("convene-scheduler"`, "/v1/turns", "/v1/proposals/",
		"¿Qué te gustaría organizar?", "|cafetería|", ".composer"} {
		if strings.Count(script, want) == 0 {
			t.Errorf("the script lacks %s", want)
		}
	}
	if !strings.Contains(script[:200], "\n(()=>{") || !strings.HasSuffix(script, "})()\n") {
		t.Error("the script is not closed in itself")
	}
}

// table are the rows of a file of words: each has a name, and what that is in English, Spanish and Hebrew.
func table(t *testing.T, file string) map[string][]string {
	t.Helper()
	content := sources(t)[filepath.Join("static", "element", file)]
	_, rest, _ := strings.Cut(content, "table(`\n")
	text, _, found := strings.Cut(rest, "\n`);")
	if !found {
		t.Fatalf("%s has no table", file)
	}
	rows := map[string][]string{}
	for _, row := range strings.Split(strings.ReplaceAll(text, "\n|", "|"), "\n") {
		columns := strings.Split(row, "|")
		if rows[columns[0]] != nil || len(columns) != 4 {
			t.Errorf("%s: %q has %d columns or is there twice", file, row, len(columns))
		}
		rows[columns[0]] = columns[1:]
	}
	return rows
}

// Every language says everything, with the same places to fill in, and in its own letters.
func TestLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	words := table(t, "words.js")
	if len(words) < 40 || len(table(t, "vocabulary.js")) < 70 {
		t.Fatalf("there are %d words", len(words))
	}
	hebrew := regexp.MustCompile(`\p{Hebrew}`)
	for name, said := range words {
		want := places(said[0])
		for i, text := range said {
			if text == "" || hebrew.MatchString(text) != (i == 2) {
				t.Errorf("%s: %q is not in its language", name, text)
			}
			if diff := cmp.Diff(want, places(text)); diff != "" {
				t.Errorf("%s (-en +other):\n%s", name, diff)
			}
		}
	}
}

func places(text string) []string {
	found := regexp.MustCompile(`\{\w+\}`).FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// What the element says is said somewhere, and nothing is kept that nobody says.
func TestEveryWordIsUsed(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for name, content := range sources(t) {
		if strings.HasPrefix(name, filepath.Join("static", "element")) && !strings.HasSuffix(name, "words.js") {
			code.WriteString(content)
		}
	}
	for word := range table(t, "words.js") {
		if !strings.Contains(code.String(), `"`+word+`"`) &&
			!slices.Contains([]string{"confirmed", "cancelled", "proposed"}, word) {
			t.Errorf("nobody says %q", word)
		}
	}
}

func TestPagesAreThere(t *testing.T) {
	t.Parallel()
	for _, name := range append(widget.Pages(), "index.html") {
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
