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

// offers are a proposal's alternatives, by the numbers under which they are shown: from 1, times before places. Later
// ones get higher numbers, so that a number on the screen keeps its meaning.
type offers []offer

type offer struct {
	// place says that it is another place, not another time; index is its index in the proposal.
	place bool
	index int
	start time.Time
	text  string
}

// add adds the proposal's alternatives that are new and returns the lines that show them.
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

// renew replaces the times that were on offer, under new numbers.
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

// choice is the choice with these numbers: a time, a place, or one of each; without numbers, the proposal unchanged.
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
