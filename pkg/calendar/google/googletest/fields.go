package googletest

import "strings"

// masked is what a partial answer holds of v, after Google's fields parameter: names with commas between them, a/b
// for one field of another, a(b,c) for several.
func masked(v object, fields string) object {
	if fields == "" {
		return v
	}
	tree, _ := parseFields(fields)
	return prune(v, tree).(object)
}

// mask is a tree of names; one without any below it stands for the whole field.
type mask map[string]mask

// parseFields reads up to a closing bracket, and returns the rest.
func parseFields(s string) (m mask, rest string) {
	m = mask{}
	for {
		end := strings.IndexAny(s, ",()/")
		if end < 0 {
			end = len(s)
		}
		name, after := s[:end], s[end:]
		below := mask{}
		switch {
		case strings.HasPrefix(after, "("):
			below, after = parseFields(after[1:])
		case strings.HasPrefix(after, "/"):
			var one mask
			cut := strings.IndexAny(after[1:], ",)")
			if cut < 0 {
				cut = len(after) - 1
			}
			one, _ = parseFields(after[1 : cut+1])
			below, after = one, after[cut+1:]
		}
		m[name] = below
		switch {
		case strings.HasPrefix(after, ","):
			s = after[1:]
		case strings.HasPrefix(after, ")"):
			return m, after[1:]
		default:
			return m, after
		}
	}
}

func prune(v any, m mask) any {
	if len(m) == 0 {
		return v
	}
	switch v := v.(type) {
	case object:
		out := object{}
		for name, below := range m {
			if field, ok := v[name]; ok {
				out[name] = prune(field, below)
			}
		}
		return out
	case []object:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = prune(one, m)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = prune(one, m)
		}
		return out
	default:
		return v
	}
}
