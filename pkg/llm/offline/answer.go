package offline

// The functions that the model knows.
const (
	classifyIntent        = "classifyIntent"
	generateEventTemplate = "generateEventTemplate"
	editEventTemplate     = "editEventTemplate"
	navigateToBookingLink = "navigateToBookingLink"
	generateEvent         = "generateEvent"
	provideAlternatives   = "provideAlternatives"
)

var functionNames = []string{
	classifyIntent, generateEventTemplate, editEventTemplate, navigateToBookingLink, generateEvent, provideAlternatives,
}

func write(req completionRequest) written { return written{text: req.lastUser()} }
