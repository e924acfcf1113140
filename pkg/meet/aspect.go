package meet

// Aspect is what a question asks for of a proposed event. The name of a Feature is the aspect of whether the place has
// it.
type Aspect string

// The aspects beside features.
const (
	AspectWhen     Aspect = "when"
	AspectZone     Aspect = "zone"
	AspectLength   Aspect = "length"
	AspectPeople   Aspect = "people"
	AspectPlace    Aspect = "place"
	AspectHours    Aspect = "hours"
	AspectDistance Aspect = "distance"
	AspectPrice    Aspect = "price"
	AspectTitle    Aspect = "title"
	AspectReason   Aspect = "reason"
	// AspectStatus is whether it is booked, and who hears of that.
	AspectStatus Aspect = "status"
	// AspectChoice is what speaks for the place.
	AspectChoice Aspect = "choice"
)
