package mail

import (
	"encoding/json"
	"slices"

	"convene/pkg/meet"
)

// Amendment is one change of one mail. As JSON it is the Deed of a change, which the digest of its set covers.
type Amendment struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key string `json:"key"`
	// ID is the mail's, and Provider who keeps it.
	ID       string `json:"id"`
	Provider string `json:"provider"`
	// From is the state as it was read, and To as it will be. The change sets the members in which they differ.
	From State `json:"from"`
	To   State `json:"to"`
}

// On is the amendment on the state as it stands now: what it does not set stays as it is. Clash says that something
// that it sets is neither as it was read nor as it will be.
func (a Amendment) On(now State) (onto Amendment, clash bool) {
	onto = a
	onto.From, onto.To = now, now
	if a.From.Folder != a.To.Folder {
		clash = now.Folder != a.From.Folder && now.Folder != a.To.Folder
		onto.To.Folder = a.To.Folder
	}
	if a.From.Read != a.To.Read {
		onto.To.Read = a.To.Read
	}
	if a.From.Starred != a.To.Starred {
		onto.To.Starred = a.To.Starred
	}
	onto.To.Labels = slices.DeleteFunc(slices.Clone(now.Labels), func(l string) bool {
		return slices.Contains(a.From.Labels, l) && !slices.Contains(a.To.Labels, l)
	})
	for _, l := range a.To.Labels {
		if !slices.Contains(a.From.Labels, l) && !slices.Contains(onto.To.Labels, l) {
			onto.To.Labels = append(onto.To.Labels, l)
		}
	}
	return onto, clash
}

// Back is the amendment that takes this one back.
func (a Amendment) Back() Amendment {
	a.Key, a.From, a.To = a.Key+"-undo", a.To, a.From
	return a
}

// Change is the amendment of a mail as its owner sees it. Its id, class and dependencies belong to the set.
func (a Amendment) Change(m Mail) (meet.Change, error) {
	c := meet.Change{
		Kind: meet.UpdateThing, What: meet.EmailThing, Title: m.Subject, Where: meet.ChangeWhere{Provider: m.Provider},
		Target: meet.ChangeTarget{ID: m.ID}, Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	switch moved := a.From.Folder != a.To.Folder; {
	case moved && a.To.Folder == Trash:
		c.Kind = meet.DeleteThing
	case moved && a.To.Folder == Archive:
		c.Kind = meet.ArchiveThing
	}
	var err error
	if c.Before, err = shown(m, a.From); err != nil {
		return c, err
	}
	if c.After, err = shown(m, a.To); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(a)
	return c, err
}

// shown is a mail in a state, as it is listed.
func shown(m Mail, s State) (json.RawMessage, error) {
	m.State = s
	return meet.MarshalLine(m.Listed())
}
