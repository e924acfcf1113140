package ics

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
)

// The first bytes of files, which tell their kind. Servers' content types are often wrong: calendars come as
// text/plain, and login pages with a successful status.
const (
	gzipped     = "\x1f\x8b"
	utf8Mark    = "\xef\xbb\xbf"
	utf16Big    = "\xfe\xff"
	utf16Little = "\xff\xfe"
	calendarHas = "BEGIN:VCALENDAR"
)

// parse parses a feed. Anything but a whole calendar is an error; a calendar without events is empty.
func parse(data []byte, contentType string) (*icalendar.Schedule, error) {
	text, err := plain(data)
	if err != nil {
		return nil, err
	}
	begin := bytes.TrimLeft(bytes.TrimPrefix(text, []byte(utf8Mark)), "\r\n\t ")
	switch {
	case len(begin) == 0:
		return nil, fault.New(fault.CalendarFailed, "the feed is empty, not even a calendar; check its address")
	case begin[0] == '<':
		return nil, fault.New(fault.CalendarFailed,
			"the feed's address shows a web page; add the calendar's own address, often called its iCal or secret address").
			Because(fmt.Errorf("got a page as %q", contentType))
	case len(begin) < len(calendarHas) || !bytes.EqualFold(begin[:len(calendarHas)], []byte(calendarHas)):
		return nil, fault.New(fault.CalendarFailed, "what is at the feed's address is not a calendar; check the address").
			Because(fmt.Errorf("got something else as %q", contentType))
	}
	schedule, err := icalendar.Parse(text)
	if err != nil {
		return nil, damaged(err)
	}
	return schedule, nil
}

func damaged(err error) error {
	return fault.New(fault.CalendarFailed, "the feed is damaged or came cut short; try again in a moment").
		Later(0).Because(err)
}

// plain is the data as UTF-8: it unpacks gzip files and decodes UTF-16 and Latin-1. Other supersets of ASCII stay as
// they are, because everything that counts in a calendar is ASCII.
func plain(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte(gzipped)) {
		unpacked, err := unpack(data)
		if err != nil {
			return nil, err
		}
		data = unpacked
	}
	switch {
	case bytes.HasPrefix(data, []byte(utf16Big)):
		return decode16(data[2:], binary.BigEndian), nil
	case bytes.HasPrefix(data, []byte(utf16Little)):
		return decode16(data[2:], binary.LittleEndian), nil
	case !utf8.Valid(data) && !folded(data):
		return decodeLatin(data), nil
	default:
		return data, nil
	}
}

func unpack(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = readAll(r)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge()
	case err != nil:
		return nil, damaged(err)
	}
	return data, nil
}

func decode16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// folded reports whether data is UTF-8 once its lines are unfolded: a fold may cut a character in two.
func folded(data []byte) bool {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\n "), nil)
	return utf8.Valid(bytes.ReplaceAll(data, []byte("\n\t"), nil))
}

func decodeLatin(data []byte) []byte {
	text := make([]byte, 0, len(data)+len(data)/8)
	for _, b := range data {
		text = utf8.AppendRune(text, rune(b))
	}
	return text
}
