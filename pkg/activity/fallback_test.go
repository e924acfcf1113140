package activity_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/activity"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// finds is a finder that always answers the same.
type finds struct {
	titles []string
	err    error
}

func (f finds) Suggest(context.Context, meet.ActivityQuery) (list []meet.Suggestion, err error) {
	for _, title := range f.titles {
		list = append(list, meet.Suggestion{Title: title})
	}
	return list, f.err
}

func TestFallback(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for _, c := range []struct {
		name               string
		primary, secondary finds
		want, degraded     string
		err                error
	}{
		{"the first", finds{titles: []string{"web"}}, finds{titles: []string{"built in"}}, "web", "", nil},
		{"the second where the first is down", finds{err: down}, finds{titles: []string{"built in"}}, "built in",
			"the search for activities failed; the built-in catalogue answered", nil},
		{"the second where the first knows of nothing", finds{}, finds{titles: []string{"built in"}}, "built in",
			"the search for activities found nothing; the built-in catalogue answered", nil},
		{"neither knows of anything", finds{}, finds{}, "", "", nil},
		{"the first is down and the second knows of nothing", finds{err: down}, finds{}, "", "", down},
		{"the second where there is no search", finds{err: activity.Unavailable(activity.ErrNoSearch)}, finds{
			titles: []string{"built in"},
		}, "built in",
			"the model provider has no search for activities; the built-in catalogue answered", nil},
		{"there is no search and the second knows of nothing", finds{
			err: activity.Unavailable(activity.ErrNoSearch),
		}, finds{}, "",
			"the model provider has no search for activities; the built-in catalogue answered", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			degraded, told := "", error(nil)
			f := activity.Fallback{
				Primary: c.primary, Secondary: c.secondary, Notify: func(_ context.Context, err error) { told = err },
			}
			list, err := f.Suggest(t.Context(), meet.ActivityQuery{Degraded: func(why string) { degraded = why }})
			got := ""
			if len(list) > 0 {
				got = list[0].Title
			}
			if got != c.want || degraded != c.degraded || !errors.Is(err, c.err) || !errors.Is(told, c.primary.err) {
				t.Errorf("got %q, degraded %q, error %v, told %v", got, degraded, err, told)
			}
		})
	}
}

// waits answers when its time is over.
type waits struct{}

func (waits) Suggest(ctx context.Context, _ meet.ActivityQuery) ([]meet.Suggestion, error) {
	<-ctx.Done()
	return nil, activity.Unavailable(ctx.Err())
}

func TestASlowFinderLeavesTimeForTheOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := activity.Fallback{Primary: waits{}, Secondary: finds{titles: []string{"built in"}}}
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
		defer cancel()
		if list, err := f.Suggest(ctx, meet.ActivityQuery{}); err != nil || len(list) != 1 {
			t.Errorf("got %v and %v", list, err)
		}
	})
}

func TestWhoHasGoneIsNotAnswered(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := activity.Fallback{Primary: waits{}, Secondary: finds{titles: []string{"built in"}}}
	if list, err := f.Suggest(ctx, meet.ActivityQuery{}); !errors.Is(err, context.Canceled) || list != nil {
		t.Errorf("got %v and %v", list, err)
	}
}

func TestSuits(t *testing.T) {
	t.Parallel()
	date := func(day int) interval.Date { return interval.Date{Year: 2026, Month: time.November, Day: day} }
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	q := meet.ActivityQuery{
		Span:  interval.Span{Start: at(20, 9), End: at(29, 0)},
		Dates: []interval.DateRange{{Start: date(20), End: date(21)}, {Start: date(28), End: date(28)}},
		Hours: &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(8, 0), End: interval.At(20, 0)})},
	}
	for start, want := range map[time.Time]bool{
		at(20, 8): false, at(20, 9): true, at(21, 7): false, at(21, 8): true, at(21, 19): true, at(21, 20): false,
		at(22, 12): false, at(28, 12): true, at(29, 12): false,
	} {
		if got := activity.Suits(q, start); got != want {
			t.Errorf("%v suits: %t, want %t", start, got, want)
		}
	}
	if !activity.Suits(meet.ActivityQuery{Span: q.Span}, at(22, 3)) {
		t.Error("a query without days and hours is not for all of its span")
	}
}
