package ground

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"convene/pkg/testenv"
)

// Whatever a message asks for and names, and whatever was seen last, it is read without a panic.
func TestEverySentenceIsRead(t *testing.T) {
	t.Parallel()
	every := testenv.Count(80, 1) // of so many sentences, one
	files, err := filepath.Glob("train/??*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	named := strings.NewReplacer(
		"{event}", "fencing", "{task}", "the gutters", "{item}", "lentils", "{list}", "shopping", "{mail}", "the invoice",
		"{note}", "the wifi", "{person}", "Yara", "{place}", "the park", "{time}", "friday at 4", "{length}", "two hours",
		"{text}", "call the plumber, then rest", "{number}", "3")
	n := 0
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			_, said, _ := strings.Cut(lines.Text(), "\t")
			if n++; n%every != 0 {
				continue
			}
			last := []string{"osteopath", "lentils", "gutters"}[:n/every%4]
			Read(Message{
				Text: named.Replace(said), Language: filepath.Base(name)[:2], Now: now, Things: home(), Mails: post,
				People: []Person{{Name: "Yara Stone", Said: "Yara"}}, Last: last, Listed: last,
			})
		}
	}
}
