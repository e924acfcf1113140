package icalendar

import "slices"

// ObjectOf is the event with the UID as an object of its own (RFC 4791, 4.1): its newest versions, with the definitions
// of the calendar around them. It is nil if the file has none.
func ObjectOf(file []byte, uid string) ([]byte, error) {
	calendars, err := parseComponents(file)
	if err != nil || uid == "" {
		return nil, err
	}
	for _, calendar := range calendars {
		zones := newZones(calendar)
		var events []*event
		for _, c := range calendar.children {
			if p := c.first("UID"); c.name == "VEVENT" && p != nil {
				e, _ := parseEvent(c, zones) // a part that cannot be read stays as it is
				if e.uid == uid {
					events = append(events, e)
				}
			}
		}
		if len(events) == 0 {
			continue
		}
		newest := group(events)[0]
		calendar.children = slices.DeleteFunc(calendar.children, func(c *component) bool { return c.name != "VTIMEZONE" })
		calendar.drop("METHOD")
		for _, e := range append(newest.masters[:min(1, len(newest.masters))], newest.overrides...) {
			calendar.children = append(calendar.children, e.text)
		}
		return render(calendar), nil
	}
	return nil, nil
}

// Replace is the schedule with other objects in place of the events with these UIDs; an empty object removes the event.
func (s *Schedule) Replace(objects map[string]string) (*Schedule, error) {
	replaced := *s
	replaced.series = slices.DeleteFunc(slices.Clone(s.series), func(one series) bool {
		_, gone := objects[one.uid]
		return gone && one.uid != ""
	})
	for _, object := range objects {
		if object == "" {
			continue
		}
		parsed, err := Parse([]byte(object))
		if err != nil {
			return nil, err
		}
		replaced.series = append(replaced.series, parsed.series...)
	}
	return &replaced, nil
}
