package microsoft

import (
	"context"
	"errors"

	"github.com/microsoft/kiota-abstractions-go/serialization"
)

// fields read the fields of an object, by name. Other fields are not read.
type fields = map[string]func(serialization.ParseNode) error

func text(into *string) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		value, err := n.GetStringValue()
		if err == nil && value != nil {
			*into = *value
		}
		return err
	}
}

func flag(into *bool) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		value, err := n.GetBoolValue()
		if err == nil && value != nil {
			*into = *value
		}
		return err
	}
}

// unset notes that a flag is there and is false.
func unset(into *bool) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		value, err := n.GetBoolValue()
		*into = value != nil && !*value
		return err
	}
}

func texts(into *[]string) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		values, err := n.GetCollectionOfPrimitiveValues("string")
		for _, value := range values {
			if one, ok := value.(*string); ok && one != nil {
				*into = append(*into, *one)
			}
		}
		return err
	}
}

func number(into *float64) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		value, err := n.GetFloat64Value()
		if err == nil && value != nil {
			*into = *value
		}
		return err
	}
}

// inside reads an object's fields.
func inside(f fields) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		_, err := n.GetObjectValue(func(serialization.ParseNode) (serialization.Parsable, error) { return object(f), nil })
		return err
	}
}

// present notes that an object is there.
func present(into *bool) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		value, err := n.GetObjectValue(func(serialization.ParseNode) (serialization.Parsable, error) {
			return object(nil), nil
		})
		*into = value != nil
		return err
	}
}

// list reads a collection; there is set if there is one, even if empty.
func list[T serialization.Parsable](into *[]T, there *bool, one func() T) func(serialization.ParseNode) error {
	return func(n serialization.ParseNode) error {
		values, err := n.GetCollectionOfObjectValues(func(serialization.ParseNode) (serialization.Parsable, error) {
			return one(), nil
		})
		if err != nil {
			return err
		}
		*there = values != nil
		for _, value := range values {
			item, ok := value.(T)
			if !ok {
				return errors.New("graph gave a list with something missing")
			}
			*into = append(*into, item)
		}
		return nil
	}
}

// page is a page of a collection.
type page[T serialization.Parsable] struct {
	object
	items               []T
	nextLink, deltaLink string
	// whole says that the page has a list, even if it is empty.
	whole bool
}

// askPage sends a request and reads a page of what factory makes. An answer without a list is an error: an empty
// calendar is never assumed.
func askPage[T serialization.Parsable](
	ctx context.Context, c *Calendar, from opener, r request, factory func() T,
) (*page[T], error) {
	p, err := ask(ctx, c, from, r, func() *page[T] {
		p := &page[T]{}
		p.object = object{
			"value":           list(&p.items, &p.whole, factory),
			"@odata.nextLink": text(&p.nextLink), "@odata.deltaLink": text(&p.deltaLink),
		}
		return p
	})
	if err == nil && !p.whole {
		err = errors.New("graph gave a page without a list")
	}
	return p, err
}

// object is an object that is read field by field.
type object fields

// GetFieldDeserializers returns the object's own.
func (o object) GetFieldDeserializers() map[string]func(serialization.ParseNode) error { return o }

// Serialize writes nothing: an object is only read.
func (object) Serialize(serialization.SerializationWriter) error { return nil }

// document is an object that is written field by field, in order.
type document []field

// field writes itself.
type field func(serialization.SerializationWriter) error

// GetFieldDeserializers returns none: a document is only written.
func (document) GetFieldDeserializers() map[string]func(serialization.ParseNode) error {
	return fields{}
}

// Serialize writes the fields in order, so that the same document has the same bytes.
func (d document) Serialize(w serialization.SerializationWriter) error {
	for _, write := range d {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

func putText(name, value string) field {
	return func(w serialization.SerializationWriter) error { return w.WriteStringValue(name, &value) }
}

func putTrue(name string) field {
	yes := true
	return func(w serialization.SerializationWriter) error { return w.WriteBoolValue(name, &yes) }
}

func putNumber(name string, value float64) field {
	return func(w serialization.SerializationWriter) error { return w.WriteFloat64Value(name, &value) }
}

func putObject(name string, value document) field {
	return func(w serialization.SerializationWriter) error { return w.WriteObjectValue(name, value) }
}

// putList also writes an empty list, which makes Graph remove its items.
func putList(name string, values []document) field {
	items := make([]serialization.Parsable, len(values))
	for i, value := range values {
		items[i] = value
	}
	return func(w serialization.SerializationWriter) error { return w.WriteCollectionOfObjectValues(name, items) }
}

// putRaw writes a value as it was read; nil as null.
func putRaw(name string, value any) field {
	return func(w serialization.SerializationWriter) error {
		if value == nil {
			return w.WriteNullValue(name)
		}
		return w.WriteAnyValue(name, value)
	}
}

func putTexts(name string, values ...string) field {
	return func(w serialization.SerializationWriter) error { return w.WriteCollectionOfStringValues(name, values) }
}
