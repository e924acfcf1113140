package stages

import (
	"context"
	"time"

	"convene/pkg/meet"
	"convene/stages/candidates"
)

// Slots are the best times for a draft, by the calendars as they are now: at most limit, as stage 4 ranks them. If no
// time suits everyone, they are those with conflicts and the nearest others, and reasons say what would help. The event
// Draft.Previous is being moved, and does not block itself. It uses no model. A tool reaches it as world.Scheduler.
func (p *Pipeline) Slots(
	ctx context.Context, owner meet.Person, now time.Time, draft meet.Draft, limit int,
) (slots []meet.Slot, reasons []meet.Reason, err error) {
	prefers, err := p.notebook.prefers(ctx, owner.ID)
	if err != nil {
		return nil, nil, err
	}
	turn := meet.Turn{Organizer: prefers.For(owner), Timezone: now.Location().String()}
	q := preferring(candidates.Query{Turn: turn, Draft: draft, Now: now}, prefers)
	read := meet.BusyQuery{People: draft.Everyone(owner), Span: candidates.Soon(now), Fresh: true}
	if draft.Previous != nil {
		read.Except = draft.Previous.UID
	}
	q.Schedules = p.candidates.finder.Read(ctx, turn, read)
	defer q.Schedules.Close()
	found, err := p.candidates.finder.Slots(ctx, q, nil)
	if err != nil {
		return nil, nil, err
	}
	return found.Slots[:min(limit, len(found.Slots))], found.Reasons, nil
}
