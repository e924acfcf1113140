package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// called is the first name if it is usable and unique in the event, otherwise the full name.
func (f *Facts) called(full string) string {
	if found, ok := f.calls[full]; ok {
		return found
	}
	full = oneLine(full, nameLimit)
	first := f.firstName(full)
	for _, other := range f.everyName() {
		if other = oneLine(other, nameLimit); other != full && strings.EqualFold(f.firstName(other), first) {
			return full
		}
	}
	return first
}

// everyName lists the names of all people that the message may mention.
func (f *Facts) everyName() []string {
	return slices.Concat([]string{f.Organizer.Name}, f.peopleNames(), f.Unread, f.Unknown)
}

// firstName is the first word of a name, or all of it if that word could be something other than a name: a title ("Dr.
// Ng"), a particle ("van Dam"), a month ("April Ng"), an initial.
func (f *Facts) firstName(full string) string {
	first, _, more := strings.Cut(full, " ")
	if !more || utf8.RuneCountInString(first) < 2 || statesTime(first, f.says().base) {
		return full
	}
	for i, r := range first {
		if i == 0 && unicode.IsLower(r) {
			return full
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' && r != '-' {
			return full
		}
	}
	return first
}
