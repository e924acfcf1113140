package record

import (
	"bytes"
	"encoding/json"

	"convene/pkg/meet"
)

// Deed is a change of one record. As JSON it is the Deed of a change, which the digest of its set covers.
type Deed struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key string `json:"key"`
	// ID is the record's.
	ID string `json:"id"`
	// From and To are the values in JSON; null is none.
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Change is the deed as its owner sees it, under a caption.
func (k Kind) Change(d Deed, title string) (meet.Change, error) {
	d.From, d.To = compact(d.From), compact(d.To)
	c := meet.Change{
		Kind: meet.UpdateThing, What: k.What, Title: title, Where: meet.ChangeWhere{Provider: "convene"},
		Target: meet.ChangeTarget{ID: d.ID}, Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	switch {
	case none(d.From):
		c.Kind = meet.CreateThing
	case none(d.To):
		c.Kind = meet.DeleteThing
	}
	var err error
	if c.Before, err = k.shown(d.ID, d.From); err != nil {
		return c, err
	}
	if c.After, err = k.shown(d.ID, d.To); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(d)
	return c, err
}

func (k Kind) shown(id string, value json.RawMessage) (json.RawMessage, error) {
	if none(value) || k.Show == nil {
		return value, nil
	}
	return k.Show(id, value)
}

func none(value []byte) bool { return len(value) == 0 || string(value) == "null" }

// compact is a value without spaces, and null for none.
func compact(value []byte) json.RawMessage {
	var b bytes.Buffer
	if none(value) || json.Compact(&b, value) != nil {
		return json.RawMessage("null")
	}
	return b.Bytes()
}

// Same reports whether two values in JSON differ in nothing but spaces.
func Same(a, b []byte) bool { return bytes.Equal(compact(a), compact(b)) }

// On is the deed on the record as it stands now. Members of objects that the deed does not change stay as they are now.
// Clash says that what it changes is no longer as it was.
func (d Deed) On(now []byte) (_ Deed, clash bool) {
	to, clash := merge(compact(d.From), compact(d.To), compact(now))
	return Deed{Key: d.Key, ID: d.ID, From: compact(now), To: to}, clash
}

// Back is the deed that takes this one back.
func (d Deed) Back() Deed { return Deed{Key: d.Key + "-undo", ID: d.ID, From: d.To, To: d.From} }

// merge makes the change from one value to another on a third. Members of objects are merged one by one; of a clash the
// change wins.
func merge(from, to, now json.RawMessage) (merged json.RawMessage, clash bool) {
	switch {
	case Same(from, to):
		return now, false
	case Same(from, now), Same(to, now):
		return to, false
	}
	var was, becomes, is map[string]json.RawMessage
	if !object(from, &was) || !object(to, &becomes) || !object(now, &is) {
		return to, true
	}
	for name := range union(was, becomes) {
		value, clashes := merge(was[name], becomes[name], is[name])
		clash = clash || clashes
		if is[name] = value; becomes[name] == nil && none(value) || value == nil {
			delete(is, name)
		}
	}
	merged, err := json.Marshal(is)
	if err != nil {
		return to, true
	}
	return merged, clash
}

func object(value json.RawMessage, into *map[string]json.RawMessage) bool {
	return json.Unmarshal(value, into) == nil && *into != nil
}

func union(a, b map[string]json.RawMessage) map[string]bool {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return names
}
