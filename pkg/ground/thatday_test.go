package ground

import (
	"testing"
	"time"

	"convene/pkg/interval"
)

// After a look at another day, what keeps time free or asks for free time is about that day, unless it names one.
func TestOnThatDay(t *testing.T) {
	t.Parallel()
	const checks = "calendar_checkAvailability"
	saturday := interval.DateOf(now).AddDays(5)
	for _, c := range []struct{ language, before, text, want string }{
		{"en", "schedule_viewSchedule", "am I free at 3?", "am I free at 3 on 2026-11-28?"},
		{"en", "schedule_findGaps", "block 2 hours for kites in the morning",
			"block 2 hours for kites in the morning on 2026-11-28"},
		{"en", "schedule_viewSchedule", "block an hour at 3 for kites", "block an hour at 3 on 2026-11-28 for kites"},
		{"en", "schedule_viewSchedule", "clear the morning", "clear the morning on 2026-11-28"},
		{"en", "schedule_findGaps", "block an hour of that for kites", "block an hour of that for kites"},
		{"es", "calendar_findEvents", "resérvame de 5 a 7 para volar", "resérvame de 5 a 7 el 2026-11-28 para volar"},
		{"he", "schedule_viewSchedule", "תשריין לי שעה ב-10 לקניות", "תשריין לי שעה ב-10 ב-2026-11-28 לקניות"},
		{"en", "schedule_viewSchedule", "am I free at 3 tomorrow?", "am I free at 3 tomorrow?"},
		{"en", "schedule_viewSchedule", "block an hour every day at 3", "block an hour every day at 3"},
		{"en", "schedule_viewSchedule", "remind me at 3 to mend the kite", "remind me at 3 to mend the kite"},
		{"en", "list_view", "block an hour at 3", "block an hour at 3"},
		{"en", "schedule_viewSchedule", "block 3 to 4 for kites", "block 3 to 4 on 2026-11-28 for kites"},
		{"he", "schedule_viewSchedule", "תחסום לי שעה ב-10 לקניות", "תחסום לי שעה ב-10 ב-2026-11-28 לקניות"},
		{"en", checks, "ok block an hour then for kites", "ok block an hour on 2026-11-28 at 13:00 for kites"},
		{"es", checks, "pues resérvame una hora", "pues resérvame una hora el 2026-11-28 a las 13:00"},
		{"he", checks, "אז תשריין לי שעה", "אז תשריין לי שעה ב-2026-11-28 בשעה 13:00"},
		{"en", checks, "block an hour at 3", "block an hour at 3 on 2026-11-28"},
	} {
		m := Message{Text: c.text, Language: c.language, Now: now, Day: saturday, Before: Call{Tool: c.before}}
		if c.before == checks {
			m.Offered = []interval.Span{interval.From(saturday.Start(now.Location()).Add(13*time.Hour), time.Hour)}
		}
		if got := OnThatDay(m); got != c.want {
			t.Errorf("%q after %s is %q, want %q", c.text, c.before, got, c.want)
		}
	}
}
