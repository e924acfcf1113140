package task

import (
	"encoding/json"
	"time"

	"convene/pkg/meet"
)

// Amendment is one change of one task. As JSON it is the Deed of a change, which the digest of its set covers.
type Amendment struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key string `json:"key"`
	// From is the task as it was read; nil to create one. To is the task as it will be; nil to delete it.
	From *Task `json:"from"`
	To   *Task `json:"to"`
	// Asked is when the owner asked for the change, who is not told of a time that had passed by then. Zero if unknown.
	Asked time.Time `json:"asked,omitzero"`
}

// Task is the task of the amendment: as it will be, or as it was if it is deleted.
func (a Amendment) Task() Task {
	if a.To != nil {
		return *a.To
	}
	return *a.From
}

// Sets names the members that an update changes, in alphabetical order; none of a creation or a deletion.
func (a Amendment) Sets() []string {
	if a.From == nil || a.To == nil {
		return nil
	}
	return Differ(*a.From, *a.To)
}

// On is the amendment on the task as it stands now: the members that it does not change stay as they are. Clash says
// that one of those that it changes is no longer as it was read.
func (a Amendment) On(now Task) (onto Amendment, clash bool) {
	if a.To == nil {
		return Amendment{Key: a.Key, From: &now, Asked: a.Asked}, a.From == nil || !Same(*a.From, now)
	}
	if a.From == nil {
		return a, true
	}
	was, becomes, is := a.From.Members(), a.To.Members(), now.Members()
	for _, name := range a.Sets() {
		clash = clash || string(is[name]) != string(was[name]) && string(is[name]) != string(becomes[name])
		is[name] = becomes[name]
	}
	after := now.With(is)
	return Amendment{Key: a.Key, From: &now, To: &after, Asked: a.Asked}, clash
}

// Back is the amendment that takes this one back.
func (a Amendment) Back() Amendment { return Amendment{Key: a.Key + "-undo", From: a.To, To: a.From} }

// Change is the amendment as the owner sees it. Its id, class and dependencies belong to the set. Other people to whom
// the task is or was assigned hear of it.
func (a Amendment) Change(owner meet.Person) (meet.Change, error) {
	is := a.Task()
	c := meet.Change{
		Kind: meet.UpdateThing, What: meet.TaskThing, Title: is.Title, Where: meet.ChangeWhere{Provider: is.Provider},
		Target: meet.ChangeTarget{ID: is.ID}, Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	switch {
	case a.From == nil:
		c.Kind, c.Target.ID = meet.CreateThing, ""
	case a.To == nil:
		c.Kind = meet.DeleteThing
	default:
		c.Title = a.From.Title
	}
	for _, t := range []*Task{a.From, a.To} {
		if t == nil || t.OwnedBy(owner) {
			continue
		}
		if who := affected(t.Assignee); len(c.Affects) == 0 || c.Affects[0] != who {
			c.Affects = append(c.Affects, who)
		}
	}
	var err error
	if c.Before, err = shown(a.From); err != nil {
		return c, err
	}
	if c.After, err = shown(a.To); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(a)
	return c, err
}

// shown is a task as it is listed; null for none.
func shown(t *Task) (json.RawMessage, error) {
	if t == nil {
		return json.RawMessage("null"), nil
	}
	return meet.MarshalLine(t.Listed())
}

func affected(assignee string) meet.Affected {
	if address(assignee) {
		return meet.Affected{Name: assignee, Email: assignee}
	}
	return meet.Affected{Name: assignee}
}
