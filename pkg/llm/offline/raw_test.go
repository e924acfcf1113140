package offline

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRawMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, object string
		want         map[string]string
	}{
		{"of every kind", `{"a":1,"b":"x","c":[1,{"d":"]"}],"e":{"f":"}"},"g":null,"h":true}`,
			map[string]string{"a": "1", "b": `"x"`, "c": `[1,{"d":"]"}]`, "e": `{"f":"}"}`, "g": "null", "h": "true"}},
		{"with white space", "{ \"a\" :\t[ 1 , 2 ] ,\r\n\"b\" : -1.5e3 }", map[string]string{"a": "[ 1 , 2 ]", "b": "-1.5e3"}},
		{"with escapes", `{"a":"\"","b":"\\","c":"\\\"\\\\","d":"{\"e\":\"]\"}"}`,
			map[string]string{"a": `"\""`, "b": `"\\"`, "c": `"\\\"\\\\"`, "d": `"{\"e\":\"]\"}"`}},
		{"of which the last one counts", `{"a":1,"a":2}`, map[string]string{"a": "2"}},
		{"of an empty object", `{}`, map[string]string{}},
		{"of an array", `["a",1]`, map[string]string{}},
		{"of nothing", ``, map[string]string{}},
		{"that do not end", `{"a":1,"b":["`, map[string]string{"a": "1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, membersOf(raw(c.object))); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func membersOf(object raw) map[string]string {
	all := map[string]string{}
	for key, value := range object.members() {
		all[key] = string(value)
	}
	return all
}

// Whatever JSON there is, its members are what the standard library makes of it.
func FuzzRaw(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":"x","c":[1,{"d":"]"}]}`, `{"a":"\\\"","b":{}}`, `{ "a" : null }`, `{}`, `{"":""}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var members map[string]json.RawMessage
		text = bytes.TrimSpace(text)
		if json.Unmarshal(text, &members) != nil {
			_ = membersOf(text) // which must come to an end
			return
		}
		want, got := map[string]string{}, membersOf(text)
		for key, value := range members {
			want[key] = string(value)
		}
		for key := range got {
			if strings.Contains(key, `\`) || strings.ToValidUTF8(key, "") != key {
				return // keys are compared as they are written
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	})
}
