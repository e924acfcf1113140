package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"convene/pkg/account/graph"
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
	owned := graph.Get(s.path(), graph.Query{}.With("$select", "owner"))
	shared, err := graph.Ask[listed](ctx, c.graph, graph.By(s.account.ID), owned)
	if err != nil {
		return reading{}, fmt.Errorf("look up owner: %w", err)
	}
	if shared.Owner.Address == "" || strings.EqualFold(shared.Owner.Address, s.account.Address) {
		return reading{}, errors.New("the calendar is nobody else's")
	}
	var r reading
	for from := span.Start; from.Before(span.End); from = from.Add(longestSchedule) {
		part := interval.From(from, longestSchedule).Intersect(span)
		if err := c.schedulePart(ctx, s, shared.Owner.Address, part, &r); err != nil {
			return reading{}, err
		}
	}
	return r, nil
}

func (c *Calendar) schedulePart(
	ctx context.Context, s source, address string, part interval.Span, r *reading,
) error {
	answer, err := graph.AskPage[schedule](ctx, c.graph, graph.By(s.account.ID), graph.Request{
		Method: http.MethodPost, Target: "/me/calendar/getSchedule", Body: change{
			"schedules": []string{address}, "startTime": utcStamp(part.Start), "endTime": utcStamp(part.End),
		},
	})
	if err != nil {
		return fmt.Errorf("get schedule: %w", err)
	}
	if len(answer.Value) != 1 || answer.Value[0].Error != nil || answer.Value[0].ScheduleItems == nil {
		return errors.New("graph gave no schedule")
	}
	for _, item := range answer.Value[0].ScheduleItems {
		e := event{ShowAs: item.Status, Start: item.Start, End: item.End}
		if !e.takesTime() {
			continue
		}
		when, err := e.span(s.zone)
		if err != nil {
			return err
		}
		id := fmt.Sprintf("%d-%d", when.Start.Unix(), when.End.Unix())
		r.Blocks = append(r.Blocks, calendar.Block{Calendar: s.key(), ID: id, Span: when})
	}
	return nil
}

// schedule is one person's schedule.
type schedule struct {
	Error         *struct{} `json:"error"`
	ScheduleItems []struct {
		Status string `json:"status"`
		Start  stamp  `json:"start"`
		End    stamp  `json:"end"`
	} `json:"scheduleItems"`
}
