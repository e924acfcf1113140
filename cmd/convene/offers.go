package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"convene/pkg/booking"
	"convene/pkg/meet"
)

// offers are what a proposal can be confirmed with instead, by the numbers under which they are shown: 1 and so on,
// times before places. What comes later counts on, so that a number on the screen keeps its meaning.
type offers []offer

type offer struct {
	// place says that it is another place, and not another time; index is its place among the proposal's.
	place bool
	index int
	start time.Time
	text  string
}

// add takes up what the proposal has on offer beyond what is known, and gives the lines that show it.
func (o *offers) add(all meet.AlternativeOffer) (lines []string) {
	known := len(*o)
	for i, s := range all.Slots {
		o.note(offer{index: i, start: s.Start, text: s.Start.Format("Mon 2 Jan, 15:04")})
	}
	for i, p := range all.Places {
		o.note(offer{place: true, index: i, text: apart(p.Name)})
	}
	return o.lines(known)
}

func (o *offers) note(new offer) {
	if !slices.ContainsFunc(*o, func(old offer) bool { return old.place == new.place && old.index == new.index }) {
		*o = append(*o, new)
	}
}

// renew puts other times in the place of those that were on offer, under new numbers.
func (o *offers) renew(slots []meet.Slot) (lines []string) {
	places := slices.DeleteFunc(slices.Clone(*o), func(old offer) bool { return !old.place })
	*o = nil
	o.add(meet.AlternativeOffer{Slots: slots})
	*o = append(*o, places...)
	return o.lines(0)
}

func (o offers) lines(from int) (lines []string) {
	for i, other := range o[from:] {
		lines = append(lines, fmt.Sprintf("%2d  %s", from+i+1, other.text))
	}
	return lines
}

// choice is what the numbers stand for: a time, a place, or one of each; without any, the proposal as it is.
func (o offers) choice(numbers []string) (c booking.Choice, err error) {
	for _, number := range numbers {
		n, err := strconv.Atoi(number)
		switch {
		case len(o) == 0:
			return c, errors.New("nothing else is on offer; /confirm alone books the proposal")
		case err != nil || n < 1 || n > len(o):
			return c, fmt.Errorf("%q is not on offer: choose a number from 1 to %d, as /confirm 1", number, len(o))
		}
		picked := &o[n-1]
		switch {
		case picked.place && c.Place == nil:
			c.Place = &picked.index
		case !picked.place && c.Slot == nil:
			c.Slot, c.Start = &picked.index, picked.start
		default:
			return c, errors.New("choose one time and one place at most")
		}
	}
	return c, nil
}
