package people_test

import (
	"testing"

	"convene/pkg/demo"
	"convene/pkg/people"
)

// What a turn asks of the contacts: whom the message mentions, and who is meant by the name in it.
func BenchmarkContacts(b *testing.B) {
	all, err := demo.People()
	if err != nil {
		b.Fatal(err)
	}
	contacts := people.Of(all)
	b.ReportAllocs()
	for b.Loop() {
		if len(contacts.Mentioned("Let's grab coffee with Al next week")) == 0 || len(contacts.Find("Al")) != 1 {
			b.Fatal("Al is not found")
		}
	}
}
