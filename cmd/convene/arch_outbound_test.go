package main

import (
	"go/ast"
	"slices"
	"testing"
)

// Others' servers are called through pkg/outbound: a client stands on a transport from there, and those of net/http are
// not used. The model's retries are pkg/llm/openai's own; replay calls any server as it is, and cmd calls Convene's.
func TestServersAreCalledThroughOutbound(t *testing.T) {
	t.Parallel()
	graph, global := production(t), []string{"DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"}
	for folder, files := range productionFiles(t) {
		if withinAny(folder, []string{"cmd", "pkg/outbound", "pkg/llm/openai", "pkg/replay"}) {
			continue
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				literal, made := n.(*ast.CompositeLit)
				if selector, ok := n.(*ast.SelectorExpr); ok && slices.Contains(global, ofHTTP(selector)) {
					t.Errorf("%s uses http.%s", folder, ofHTTP(selector))
				}
				if made && ofHTTP(literal.Type) == "Transport" {
					t.Errorf("%s makes an http.Transport", folder)
				}
				if made && ofHTTP(literal.Type) == "Client" && !slices.Contains(graph[folder], module+"pkg/outbound") {
					t.Errorf("%s makes an http.Client and does not use pkg/outbound", folder)
				}
				return true
			})
		}
	}
}

// ofHTTP is the name in net/http that an expression refers to, if any.
func ofHTTP(e ast.Expr) string {
	if selector, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == "http" {
			return selector.Sel.Name
		}
	}
	return ""
}
