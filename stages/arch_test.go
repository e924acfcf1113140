package stages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stageFiles are the files of each stage. What stands in other files is common to them.
var stageFiles = map[string][]string{
	"classify":   {"classify.go"},
	"route":      {"route.go"},
	"template":   {"template.go", "heard.go"},
	"candidates": {"candidates.go"},
	"select":     {"select.go", "preview.go", "rank.go", "propose.go"},
}

// Only pipeline.go and a stage's own files name the types of the stage: what one stage gives to the next is a word of
// pkg/meet, and shared code belongs to none of them.
func TestNoStageNamesAnothersType(t *testing.T) {
	t.Parallel()
	files := productionFiles(t)
	owner := map[string]string{}
	for stage, names := range stageFiles {
		for _, name := range names {
			if files[name] == nil {
				t.Fatalf("stage %s has no file %s", stage, name)
			}
			for _, declared := range typesOf(files[name]) {
				owner[declared] = stage
			}
		}
	}
	if len(owner) < 10 {
		t.Fatalf("the stages have only these types: %v", owner)
	}
	named := 0
	for name, file := range files {
		for _, used := range namesFromOtherFiles(file) {
			stage := owner[used]
			if stage == "" {
				continue
			}
			named++
			if name != "pipeline.go" && !slices.Contains(stageFiles[stage], name) {
				t.Errorf("%s names %s, a type of stage %s", name, used, stage)
			}
		}
	}
	if named == 0 {
		t.Error("not even the pipeline names a stage's type: the test does not see them")
	}
}

// Only code that knows the order has a run and its pipeline: a stage gets the parts that it needs.
func TestNoStageTakesTheWholeRun(t *testing.T) {
	t.Parallel()
	files := productionFiles(t)
	for _, stage := range []string{"classify.go", "template.go", "heard.go", "doubt.go", "people.go", "candidates.go",
		"select.go", "preview.go", "rank.go"} {
		if files[stage] == nil {
			t.Fatalf("there is no %s", stage)
		}
		for _, used := range namesFromOtherFiles(files[stage]) {
			if used == "run" || used == "Pipeline" {
				t.Errorf("%s names %s", stage, used)
			}
		}
	}
	if !slices.Contains(namesFromOtherFiles(files["propose.go"]), "run") {
		t.Error("propose.go does not name run: the test does not see it")
	}
}

func productionFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// typesOf are the types that a file declares at its top level.
func typesOf(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			if declared, ok := spec.(*ast.TypeSpec); ok {
				names = append(names, declared.Name.Name)
			}
		}
	}
	return names
}

// namesFromOtherFiles are the names in a file that it does not declare, without the keys of literals.
func namesFromOtherFiles(file *ast.File) (names []string) {
	keys := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			keys[pair.Key] = true
		}
		return true
	})
	for _, id := range file.Unresolved {
		if !keys[id] {
			names = append(names, id.Name)
		}
	}
	return names
}
