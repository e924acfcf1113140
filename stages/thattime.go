package stages

import "convene/pkg/ground"

// nameTime puts the time of the event that was just shown in place of "then" in a question whether somebody is free:
// "am I free then?".
func (p *Pipeline) nameTime(r *run) error {
	search := r.conversation.Search
	if search == nil || search.Event == nil || r.meant != search.Event.ID || !p.alone(r) ||
		!ground.AsksThen(r.turn.Message) {
		return nil
	}
	if err := r.catchUp(); err != nil {
		return err
	}
	if e := r.conversation.Search.Event; e != nil {
		zone := r.now.Location()
		r.shown = true // the answer is about it
		r.turn.Message = ground.AtTime(r.turn.Message, e.Start.In(zone), e.End.In(zone))
	}
	return nil
}
