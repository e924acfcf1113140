package caldav

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

	"convene/pkg/calendar"
)

const (
	// maxPages bounds the answers for a list of changes, and maxChanged its length. Beyond them reading anew is less work.
	maxPages   = 20
	maxChanged = 500
)

// The kinds of marks, from the most to the least useful.
const (
	byToken = "sync"
	byCTag  = "ctag"
	byETags = "etags"
)

// mark is where the next reading of a calendar continues.
type mark struct {
	kind string
	// viewpoint is the scan's; a mark from another one is not used.
	viewpoint string
	value     string
}

func (m mark) String() string {
	if m.value == "" {
		return ""
	}
	return m.kind + " " + m.viewpoint + " " + m.value
}

// lastMark is the calendar's mark in the last snapshot; the zero mark if there is no usable one.
func (sc *scan) lastMark() mark {
	parts := strings.SplitN(sc.last.Marks[sc.calendar.ID], " ", 3)
	if len(parts) < 3 || parts[1] != sc.viewpoint() {
		return mark{}
	}
	return mark{parts[0], parts[1], parts[2]}
}

// sync continues the last reading, or reads anew if that is not possible.
func (sc *scan) sync(ctx context.Context) (part, error) {
	last := sc.lastMark()
	if last.kind == byToken {
		p, err := sc.changes(ctx, last)
		if !forgotten(err) {
			return p, err
		}
	}
	// The mark is taken before the calendar is read: changes in between are read twice, not missed.
	now, err := sc.mark(ctx)
	if err != nil {
		return part{}, err
	}
	if last.value != "" && last == now {
		return part{Reading: calendar.Reading{Blocks: sc.kept(nil), Mark: now.String()}}, nil
	}
	p, err := sc.anew(ctx)
	p.Mark = now.String()
	return p, err
}

// forgotten reports whether the server no longer knows a mark, or has no list of changes.
func forgotten(err error) bool {
	status, ok := errors.AsType[*statusError](err)
	return unable(err) || ok && (status.status == http.StatusGone || status.status == http.StatusNotFound)
}

// mark asks for the calendar's current mark, which is empty if the server has none.
func (sc *scan) mark(ctx context.Context) (mark, error) {
	p, _, err := sc.props(ctx, sc.url, propToken, propCTag, propReports)
	m := mark{viewpoint: sc.viewpoint()}
	switch {
	case err != nil && !unable(err):
		return mark{}, err
	case p.Token != "" && p.Reports.offer("sync-collection"):
		m.kind, m.value = byToken, strings.TrimSpace(p.Token)
	case p.CTag != "":
		m.kind, m.value = byCTag, strings.TrimSpace(p.CTag)
	default:
		m.kind = byETags
		m.value, err = sc.etags(ctx)
		if err != nil && !unable(err) {
			return mark{}, err
		}
	}
	return m, nil
}

// etags is a digest of all objects and their ETags; empty if one has none, so that changes cannot be detected.
func (sc *scan) etags(ctx context.Context) (string, error) {
	objects, err := sc.list(ctx, sc.url)
	if err != nil {
		return "", err
	}
	lines := make([]string, len(objects))
	for i, o := range objects {
		if o.etag == "" {
			return "", nil
		}
		lines[i] = o.key + " " + o.etag
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:]), nil
}

// changes reads the changes since the mark.
func (sc *scan) changes(ctx context.Context, since mark) (part, error) {
	changed, next, err := sc.changed(ctx, since.value)
	if err != nil {
		return part{}, err
	}
	touched := map[string]bool{}
	var standing []object
	for _, o := range changed {
		touched[o.key] = true
		if !o.gone {
			standing = append(standing, o)
		}
	}
	fetched, err := sc.fetch(ctx, sc.url, standing)
	if err != nil {
		return part{}, err
	}
	p, err := sc.expand(ctx, fetched)
	since.value = next
	p.Blocks, p.Mark = append(sc.kept(touched), p.Blocks...), since.String()
	return p, err
}

// changed lists the objects that were changed or removed since the token, each in its last state, and the next token.
func (sc *scan) changed(ctx context.Context, token string) ([]object, string, error) {
	var all []object
	for range maxPages {
		m, from, err := sc.multi(ctx, request{method: "REPORT", url: sc.url, depth: "0", body: syncBody(token)})
		if err != nil {
			return nil, "", err
		}
		page, more, err := changesOf(m, from)
		if err != nil {
			return nil, "", err
		}
		next := strings.TrimSpace(m.SyncToken)
		if next == "" || more && next == token {
			return nil, "", errTruncated
		}
		for _, o := range page {
			all = slices.DeleteFunc(all, func(old object) bool { return old.key == o.key })
			all = append(all, o)
		}
		if len(all) > maxChanged {
			return nil, "", errTruncated
		}
		if !more {
			return all, next, nil
		}
		token = next
	}
	return nil, "", errTruncated
}

// kept are this calendar's blocks of the last reading whose objects were not touched.
func (sc *scan) kept(touched map[string]bool) []calendar.Block {
	return slices.DeleteFunc(sc.last.BlocksOf(sc.calendar.ID), func(b calendar.Block) bool { return touched[objectOf(b)] })
}
