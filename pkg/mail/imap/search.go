package imap

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/emersion/go-imap/v2"

	"convene/pkg/mail"
)

// criteriaOf are what a server is asked for: at least the mails that the query means. What others have marked as
// deleted is left out everywhere.
func criteriaOf(q mail.Query) imap.SearchCriteria {
	all := imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}
	if !q.Since.IsZero() {
		all.Since = q.Since.Add(-day)
	}
	if q.After != nil {
		all.Before = q.After.Date.Add(2 * day)
	}
	if !q.Until.IsZero() {
		all.And(&imap.SearchCriteria{Before: q.Until.Add(2 * day)})
	}
	flagged := func(asked *bool, flag imap.Flag) {
		switch {
		case asked == nil:
		case *asked:
			all.Flag = append(all.Flag, flag)
		default:
			all.NotFlag = append(all.NotFlag, flag)
		}
	}
	flagged(not(q.Unread), imap.FlagSeen)
	flagged(q.Starred, imap.FlagFlagged)
	if q.Label != "" {
		flagged(new(true), keywordOf(q.Label))
	}
	all.And(new(either(q.From, func(who string) imap.SearchCriteria { return named(who, "From") })))
	all.And(new(either(q.To, func(who string) imap.SearchCriteria { return named(who, "To", "Cc", "Bcc") })))
	for _, phrase := range q.Subject {
		for word := range strings.FieldsSeq(phrase) {
			all.And(new(inHeader("Subject", word)))
		}
	}
	for _, phrase := range q.Words {
		all.Text = append(all.Text, strings.Fields(phrase)...)
	}
	if q.Thread != "" {
		all.And(new(either([]string{"Message-Id", "References", "In-Reply-To"}, func(field string) imap.SearchCriteria {
			return inHeader(field, q.Thread)
		})))
	}
	all.And(new(either(q.MessageIDs, func(id string) imap.SearchCriteria { return inHeader("Message-Id", id) })))
	return all
}

func not(b *bool) *bool {
	if b == nil {
		return nil
	}
	return new(!*b)
}

func inHeader(field, value string) imap.SearchCriteria {
	return imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: field, Value: value}}}
}

// named are mails with a whole address or all words of a name in one of the fields.
func named(who string, fields ...string) (all imap.SearchCriteria) {
	words := []string{who}
	if !strings.Contains(who, "@") {
		words = strings.FieldsFunc(who, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
		})
	}
	for _, word := range words {
		all.And(new(either(fields, func(field string) imap.SearchCriteria { return inHeader(field, word) })))
	}
	return all
}

// either is one of the criteria of each; without any it is everything.
func either[T any](each []T, criteria func(T) imap.SearchCriteria) (all imap.SearchCriteria) {
	switch half := len(each) / 2; len(each) {
	case 0:
		return all
	case 1:
		return criteria(each[0])
	default:
		parts := [2]imap.SearchCriteria{either(each[:half], criteria), either(each[half:], criteria)}
		return imap.SearchCriteria{Or: [][2]imap.SearchCriteria{parts}}
	}
}

// day is the unit of dates in a search. Which zone counts is the server's choice, so that bounds are a day wider.
const day = 24 * time.Hour

// mostFound bounds the mails of one folder.
const mostFound = 1_000_000

// search finds mails in the folder that is open, in the order in which they came into it.
func (s *session) search(c imap.SearchCriteria) (uids []imap.UID, err error) {
	var options *imap.SearchOptions
	if s.Caps().Has(imap.CapESearch) {
		options = &imap.SearchOptions{ReturnAll: true}
	}
	found, err := s.UIDSearch(&c, options).Wait()
	if err != nil {
		return nil, err
	}
	set, _ := found.All.(imap.UIDSet) // nil if nothing was found
	for _, r := range set {
		low, high := min(r.Start, r.Stop), max(r.Start, r.Stop)
		if low == 0 || int64(high-low) >= int64(mostFound-len(uids)) {
			return nil, errTooMuch
		}
		for i := range high - low + 1 {
			uids = append(uids, low+i)
		}
	}
	slices.Sort(uids)
	return uids, nil
}
