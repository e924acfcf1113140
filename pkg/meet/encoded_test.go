package meet

import (
	"testing"
)

func TestAppendWith(t *testing.T) {
	t.Parallel()
	type some struct {
		A int   `json:"a,omitempty"`
		B []int `json:"b,omitempty"`
	}
	b, c := Member{"b", []byte("[1,2]")}, Member{"c", []byte(`"<"`)}
	for _, tt := range []struct {
		v    some
		more []Member
		want string
	}{
		{some{}, nil, `1:{}`},
		{some{A: 1}, nil, `1:{"a":1}`},
		{some{}, []Member{b}, `1:{"b":[1,2]}`},
		{some{A: 1}, []Member{b, c}, `1:{"a":1,"b":[1,2],"c":"<"}`},
	} {
		got, err := AppendWith([]byte("1:"), tt.v, tt.more...)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s, %v, want %s", got, err, tt.want)
		}
	}
}
