package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/fault"
)

// bodyOf reads the request's body as a T. An empty body is the zero T.
func bodyOf[T any](ctx context.Context) (v T, err error) {
	body := noteOf(ctx).body
	if len(body) == 0 {
		return v, nil
	}
	return decode[T](body, "")
}

// raw is a part of a body that is decoded later, with its path in the body.
type raw[T any] struct{ json.RawMessage }

// Schema describes the part as a T.
func (raw[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// given reports whether the part is present and not null.
func (r raw[T]) given() bool { return len(r.RawMessage) > 0 && string(r.RawMessage) != "null" }

func (r raw[T]) decode(path string) (T, error) { return decode[T](r.RawMessage, path) }

// decode reads one JSON object strictly: it refuses, by name, members that T does not have in exactly that spelling.
// All fields of T, also those of embedded structs, have a JSON name in their tag. path is the object's place in the
// body.
func decode[T any](data []byte, path string) (v T, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return v, malformed(err, path)
	}
	known := names(reflect.TypeFor[T]())
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, name) {
			return v, fault.Invalid(join(path, clip(name)), "is not known here; the known members are %s",
				strings.Join(known, ", "))
		}
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, malformed(err, path)
	}
	return v, nil
}

func names(t reflect.Type) []string {
	var list []string
	for f := range t.Fields() {
		if f.Anonymous {
			list = append(list, names(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// malformed says what is wrong with JSON, and where.
func malformed(err error, path string) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fault.Invalid(cmp.Or(path, "body"), "is not valid JSON: %s", err)
	}
	return fault.Invalid(cmp.Or(join(path, memberOf(wrong.Field)), "body"), "must be %s", kindName(wrong.Type))
}

// memberOf returns the member that encoding/json names by a path of fields. It drops the names of embedded structs,
// which begin with a capital, as no member does.
func memberOf(path string) string {
	members := strings.Split(path, ".")
	embedded := func(name string) bool { return name != "" && unicode.IsUpper(rune(name[0])) }
	return strings.Join(slices.DeleteFunc(members, embedded), ".")
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
