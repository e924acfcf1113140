package people_test

import (
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/people"
)

// An answer tells which of several contacts is meant by what is known of them.
func TestWhoIsDescribed(t *testing.T) {
	t.Parallel()
	among := []meet.Contact{
		{
			Person: meet.Person{
				ID: "okafor", Name: "Sam Okafor", Email: "sam@okaforlaw.example",
				Location: &meet.Location{Label: "SoMa, San Francisco"},
			},
			Role: "lawyer",
		},
		{
			Person: meet.Person{
				ID: "rivera", Name: "Sam Rivera", Email: "sam@example.com",
				Location: &meet.Location{Label: "Noe Valley, San Francisco"},
			},
			Role: "running partner", Notes: "Met at Acme",
		},
	}
	for answer, want := range map[string]string{
		"the lawyer": "okafor", "I mean the one who is a lawyer": "okafor", "the attorney, please": "okafor",
		"el abogado": "okafor", "la que es abogada": "okafor", "עורך הדין": "okafor", "עורכת דין": "okafor",
		"the one in Noe Valley": "rivera", "el de Noe Valley": "rivera", "my running partner": "rivera", "rivera": "rivera",
		"the one from acme": "rivera", "okaforlaw": "okafor", "sam@example.com": "rivera",
		"the one in San Francisco": "okafor rivera", "Sam": "okafor rivera",
		"the plumber": "", "the lawyer at 11": "", "not the lawyer": "", "the one": "",
		"ask the lawyer about the lease": "", "": "",
	} {
		var got []string
		for _, c := range people.Described(answer, among) {
			got = append(got, string(c.ID))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", answer, got, want)
		}
	}
}
