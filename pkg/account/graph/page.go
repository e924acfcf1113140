package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// mostPages ends a walk that Graph never ends; circular cursors have been seen.
const mostPages = 200

// Ask sends a request and decodes the answer. An answer that is not JSON, or is empty, is an error.
func Ask[T any](ctx context.Context, c *Client, from Opener, r Request) (*T, error) {
	var answer *T
	err := c.Call(ctx, from, r, &answer)
	if err == nil && answer == nil {
		err = errors.New("graph gave an empty answer")
	}
	return answer, err
}

// Page is a page of a collection.
type Page[T any] struct {
	Value     []*T   `json:"value"`
	NextLink  string `json:"@odata.nextLink"`
	DeltaLink string `json:"@odata.deltaLink"`
}

// AskPage is Ask for a page of a collection. An answer without a list is an error: an empty one is never assumed.
func AskPage[T any](ctx context.Context, c *Client, from Opener, r Request) (*Page[T], error) {
	p, err := Ask[Page[T]](ctx, c, from, r)
	switch {
	case err != nil:
		return nil, err
	case p.Value == nil:
		return nil, errors.New("graph gave a page without a list")
	case slices.Contains(p.Value, nil):
		return nil, errors.New("graph gave a list with something missing")
	}
	return p, nil
}

// Walk calls each with the items of all pages from first, and returns the delta link of the last one.
func Walk[T any](
	ctx context.Context, c *Client, from Opener, first Request, each func(*T) error,
) (deltaLink string, err error) {
	for next, seen := first, map[string]bool{}; len(seen) < mostPages; {
		p, err := AskPage[T](ctx, c, from, next)
		if err != nil {
			return "", err
		}
		for _, item := range p.Value {
			if err := each(item); err != nil {
				return "", err
			}
		}
		if p.NextLink == "" {
			return p.DeltaLink, nil
		}
		if seen[p.NextLink] {
			return "", errors.New("graph turns its pages in a circle")
		}
		seen[p.NextLink] = true
		if next, err = c.Follow(p.NextLink); err != nil {
			return "", fmt.Errorf("next page: %w", err)
		}
	}
	return "", fmt.Errorf("graph has more than %d pages", mostPages)
}

// Owner is the address of the account's owner.
func (c *Client) Owner(ctx context.Context, from Opener) (address string, err error) {
	me, err := Ask[struct{ Mail, UserPrincipalName string }](ctx, c, from,
		Get("/me", Query{}.With("$select", "mail,userPrincipalName")))
	if err != nil {
		return "", fmt.Errorf("read profile: %w", err)
	}
	if address = cmp.Or(me.Mail, me.UserPrincipalName); address == "" {
		return "", errors.New("read profile: it has no address")
	}
	return address, nil
}

// WithProperty is the filter for what has an extended property with that value.
func WithProperty(property, value string) string {
	return fmt.Sprintf("singleValueExtendedProperties/Any(ep: ep/id eq %s and ep/value eq %s)",
		Quoted(property), Quoted(value))
}
