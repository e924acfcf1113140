package preference

import (
	"bytes"
	"encoding/json"

	"convene/pkg/meet"
)

// Deed is a change of one preference. As JSON it is the Deed of a change, which the digest of its set covers.
type Deed struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key  string `json:"key"`
	Name string `json:"name"`
	// From and To are the values in JSON; null is none.
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Setting is a preference as it is listed.
type Setting struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Change is the deed as its owner sees it, under a caption.
func (d Deed) Change(title string) (meet.Change, error) {
	d.From, d.To = compact(d.From), compact(d.To)
	c := meet.Change{
		Kind: meet.UpdateThing, What: meet.PreferenceThing, Title: title, Where: meet.ChangeWhere{Provider: "convene"},
		Target: meet.ChangeTarget{ID: d.Name}, Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	switch {
	case none(d.From):
		c.Kind = meet.CreateThing
	case none(d.To):
		c.Kind = meet.DeleteThing
	}
	var err error
	if c.Before, err = shown(d.Name, d.From); err != nil {
		return c, err
	}
	if c.After, err = shown(d.Name, d.To); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(d)
	return c, err
}

func shown(name string, value json.RawMessage) (json.RawMessage, error) {
	if none(value) {
		return json.RawMessage("null"), nil
	}
	return meet.MarshalLine(Setting{Key: name, Value: value})
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
