package hebrew_test

import (
	"fmt"

	"convene/pkg/holiday/hebrew"
)

// The first day of Passover, in the Gregorian calendar.
func ExamplePassover() {
	fmt.Println(hebrew.Passover(2026))
	// Output: 2026-04-02
}
