package typescript

import (
	"maps"
	"slices"
	"strings"
)

// operations writes the parameters, body and responses of each operation, by its id.
func (w *writer) operations(paths map[string]map[string]operation) {
	w.line("")
	w.comment("The operations by id. Answers are by status, as 200 or 4XX; default is every " +
		"other one.")
	w.line("export interface Operations {")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range slices.Sorted(maps.Keys(paths[path])) {
			w.operation(method, path, paths[path][method])
		}
	}
	w.line("}")
}

func (w *writer) operation(method, path string, op operation) {
	if op.ID == "" {
		return
	}
	w.comment(op.Summary)
	w.line("%s: {", property(op.ID, true))
	w.line("method: %s;", quote(strings.ToUpper(method)))
	w.line("path: %s;", quote(path))
	for _, place := range []string{"path", "query", "header"} {
		w.parameters(place, op.Parameters)
	}
	if op.RequestBody != nil {
		w.line("%s: %s;", property("body", op.RequestBody.Required), op.RequestBody.typed())
	}
	w.line("answers: {")
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		answer := op.Responses[status]
		if strings.HasSuffix(status, "XX") {
			status = quote(status)
		}
		w.line("%s: %s;", status, answer.typed())
	}
	w.line("};")
	w.line("};")
}

// parameters writes the parameters in one place of the request, if any. Path parameters are called parameters, because
// path is the template.
func (w *writer) parameters(place string, all []parameter) {
	here := slices.DeleteFunc(slices.Clone(all), func(p parameter) bool { return p.In != place })
	if len(here) == 0 {
		return
	}
	names := map[string]string{"path": "parameters", "query": "query", "header": "headers"}
	needed := slices.ContainsFunc(here, func(p parameter) bool { return p.Required })
	w.line("%s: {", property(names[place], needed))
	for _, p := range here {
		w.comment(p.Description)
		w.line("%s: %s;", property(p.Name, p.Required), typeOf(p.Schema))
	}
	w.line("};")
}

// typed returns the type of the body: its schema for JSON, string for any other media type, and undefined without a
// body.
func (c *content) typed() string {
	for _, kind := range slices.Sorted(maps.Keys(c.Content)) {
		if kind == "application/json" || strings.HasSuffix(kind, "+json") {
			return typeOf(c.Content[kind].Schema)
		}
	}
	if len(c.Content) > 0 {
		return "string"
	}
	return "undefined"
}
