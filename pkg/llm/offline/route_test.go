package offline

import "testing"

func TestRoute(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][2]string{
		"tea with Sam on Thursday":                                           {"event", "calendar"},
		"cancel my meeting with Sam on Thursday":                             {"tool", "calendar"},
		"put eggs on my shopping list":                                       {"tool", "tasks"},
		"any new mails from Sam?":                                            {"tool", "email"},
		"what is the phone number of my aunt":                                {"tool", "contacts"},
		"will it rain in Oslo":                                               {"converse", "none"},
		"cancel my meeting with Sam and send an email to Noor about it":      {"workflow", "none"},
		"borra la reunión con Ana, luego envía un correo a Luis con la hora": {"workflow", "none"},
	} {
		if got := Route(message, Talk{}); got.Route != want[0] || got.Family != want[1] {
			t.Errorf("%q is %+v, want %v", message, got, want)
		}
	}
}
