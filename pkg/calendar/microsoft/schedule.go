package microsoft

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	abstractions "github.com/microsoft/kiota-abstractions-go"

	"convene/pkg/calendar"
	"convene/pkg/interval"
)

// longestSchedule is the span of one getSchedule request; Exchange answers for at most 62 days.
const longestSchedule = 42 * 24 * time.Hour

// schedule reads another person's calendar that is shared with the account as free and busy times only. Exchange
// publishes only the owner's main calendar in this way.
func (c *Calendar) schedule(ctx context.Context, s source, span interval.Span) (reading, error) {
	if s.ownOnly {
		return reading{}, errors.New("a calendar shared as free and busy does not tell what was booked here")
	}
	owner, err := ask(ctx, c, by(s.account.ID), get(s.path(), query{}.with("$select", "owner")), newOwner)
	if err != nil {
		return reading{}, fmt.Errorf("look up owner: %w", err)
	}
	if owner.address == "" || strings.EqualFold(owner.address, s.account.Address) {
		return reading{}, errors.New("the calendar is nobody else's")
	}
	var r reading
	for from := span.Start; from.Before(span.End); from = from.Add(longestSchedule) {
		part := interval.From(from, longestSchedule).Intersect(span)
		if err := c.schedulePart(ctx, s, owner.address, part, &r); err != nil {
			return reading{}, err
		}
	}
	return r, nil
}

func (c *Calendar) schedulePart(
	ctx context.Context, s source, address string, part interval.Span, r *reading,
) error {
	answer, err := askPage(ctx, c, by(s.account.ID), request{
		method: abstractions.POST, target: "/me/calendar/getSchedule", body: document{
			putTexts("schedules", address),
			putObject("startTime", utcStamp(part.Start)), putObject("endTime", utcStamp(part.End)),
		},
	}, newSchedule)
	if err != nil {
		return fmt.Errorf("get schedule: %w", err)
	}
	if len(answer.items) != 1 || answer.items[0].failed || !answer.items[0].given {
		return errors.New("graph gave no schedule")
	}
	for _, e := range answer.items[0].items {
		if !e.takesTime() {
			continue
		}
		when, err := e.span(s.zone)
		if err != nil {
			return err
		}
		id := fmt.Sprintf("%d-%d", when.Start.Unix(), when.End.Unix())
		r.blocks = append(r.blocks, calendar.Block{Calendar: s.key(), ID: id, Span: when})
	}
	return nil
}

func utcStamp(t time.Time) document {
	return document{putText("dateTime", t.UTC().Format("2006-01-02T15:04:05")), putText("timeZone", "UTC")}
}

// owner is a calendar's owner.
type owner struct {
	object
	address string
}

func newOwner() *owner {
	o := &owner{}
	o.object = object{"owner": inside(fields{"address": text(&o.address)})}
	return o
}

// schedule is one person's schedule.
type schedule struct {
	object
	items         []*event
	given, failed bool
}

func newSchedule() *schedule {
	s := &schedule{}
	s.object = object{"scheduleItems": list(&s.items, &s.given, newScheduleItem), "error": present(&s.failed)}
	return s
}

// newScheduleItem is an event with its time and status only.
func newScheduleItem() *event {
	e := &event{}
	e.object = object{
		"status": text(&e.showAs), "start": inside(e.start.fields()), "end": inside(e.end.fields()),
	}
	return e
}
