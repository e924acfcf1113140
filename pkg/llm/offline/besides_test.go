package offline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMovesWithProvisos: what is said besides a move reaches the call, or is said as not read.
func TestMovesWithProvisos(t *testing.T) {
	t.Parallel()
	morning, noon := &window{"08:00", "12:00"}, &window{"12:00", "17:00"}
	nextWeek := &window{"2026-03-09T00:00", "2026-03-16T00:00"}
	others := []string{"tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	monday := []exception{{Weekdays: []string{"monday"}}}
	type facing struct {
		Except            []exception
		Window, TimeOfDay any
		Weekdays, Avoid   any
		Aside             string
	}
	for _, c := range []struct {
		language, message string
		want              facing
	}{
		{"en", "move my afternoon classes this month to mornings, but don't touch the ones on Mondays and keep lunch",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"lunch"}}},
		{"en", "shift my afternoon lectures this month to the morning. Not the ones on Monday, and leave my gym alone.",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"my gym"}}},
		{"en", "move Tuesday's meetings to any time next week that works for everyone, but not on Mondays",
			facing{Window: nextWeek, Weekdays: others}},
		{"en", "please move my Tuesday meetings to next week without touching the standup",
			facing{Window: nextWeek, Avoid: []string{"standup"}}},
		{"en", "move the dentist to 3pm tomorrow and leave time for lunch", facing{Aside: "and leave time for lunch"}},
		{"en", "move the dentist to the afternoon", facing{TimeOfDay: noon}},
		{"en", "push my Tuesday meetings to next week, any slot that works for all the guests, and the gym stays",
			facing{Window: nextWeek, Avoid: []string{"the gym"}}},
		{"en", "shift my afternoon lectures this month into the morning. The Monday ones stay put, nothing over lunch",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"lunch"}}},
		{"es", "Las citas del martes pásalas a la próxima semana cuando puedan todos, y el gimnasio se queda",
			facing{Window: nextWeek, Avoid: []string{"el gimnasio"}}},
		{"he", "תעביר את הפגישות של אחר הצהריים החודש לשעות הבוקר, ימי שני נשארים, ואל תקבע כלום על הצהריים",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"הצהריים"}}},
		{"he", "תעביר את כל הפגישות של אחר הצהריים החודש לבוקר, אבל אל תיגע באלה של יום שני ותשאיר זמן לארוחת צהריים",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"ארוחת צהריים"}}},
		{"he", "תעביר את הפגישות של יום שלישי לזמן שבו כולם פנויים בשבוע הבא",
			facing{Window: &window{"2026-03-08T00:00", "2026-03-15T00:00"}}},
		{"es", "Cambia mis clases de la tarde de este mes a la mañana, menos las de los lunes, y deja tiempo para comer",
			facing{Except: monday, TimeOfDay: morning, Avoid: []string{"comer"}}},
		{"es", "Mueve las citas del martes a una hora en que todos estén libres la próxima semana, sin tocar mi gimnasio",
			facing{Window: nextWeek, Avoid: []string{"mi gimnasio"}}},
	} {
		all := operations(c.message, c.language, wednesday, known{}, pointing{})
		if len(all) != 1 || all[0].verb != "move" || all[0].missing != "" {
			t.Errorf("%s is read as %+v", c.message, all)
			continue
		}
		op := all[0]
		got := facing{Except: op.events.Except, Aside: op.aside}
		if op.aside == "" {
			f := op.facts(wednesday)
			for name, to := range map[string]*any{
				"window": &got.Window, "weekdays": &got.Weekdays, "avoid": &got.Avoid, "timeOfDay": &got.TimeOfDay,
			} {
				*to = f.values[name]
			}
			if w, is := got.TimeOfDay.(window); is {
				got.TimeOfDay = &w
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.message, diff)
		}
	}
}
