package microsofttest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// listMessages lists those of a folder, or of all, as they are filtered and sorted, or searched for.
func (s *Server) listMessages(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	q := r.URL.Query()
	if q.Has("$skiptoken") {
		return s.page(r, nil, "")
	}
	b := m.open()
	within := b.folder(r.PathValue("folder"))
	if within == nil && r.PathValue("folder") != "" {
		return 0, nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
	}
	means, err := meansOf(q.Get("$filter"), q.Get("$search"), q.Get("$orderby"))
	if err != nil {
		return 0, nil, err
	}
	var found []*letter
	for _, l := range b.letters {
		if means(l) && (within == nil || l.fields["parentFolderId"] == within.id) {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b *letter) int { return b.at.Compare(a.at) })
	items := []map[string]any{}
	for _, l := range found {
		items = append(items, l.selected(r))
	}
	return s.page(r, items, "")
}

type means func(*letter) bool

func meansOf(filter, search, order string) (means, error) {
	switch {
	case search != "" && (filter != "" || order != ""):
		return nil, failure{http.StatusBadRequest, "SearchWithFilter"}
	case search != "":
		if len(search) < 2 || search[0] != '"' || search[len(search)-1] != '"' {
			return nil, failure{http.StatusBadRequest, "BadRequest"}
		}
		p := &kql{rest: search[1 : len(search)-1]}
		all, ok := p.either()
		if !ok || p.rest != "" {
			return nil, failure{http.StatusBadRequest, "BadRequest"}
		}
		return all, nil
	case order != "" && (order != "receivedDateTime desc" || !strings.HasPrefix(filter, "receivedDateTime ")):
		return nil, failure{http.StatusBadRequest, "InefficientFilter"}
	}
	return filtered(filter)
}

var (
	extended = regexp.MustCompile(`^singleValueExtendedProperties/Any\(ep: ep/id eq '([^']+)' and ` +
		`(?:(startswith)\(ep/value, '((?:[^']|'')*)'\)|ep/value eq '((?:[^']|'')*)')\)$`)
	compared = regexp.MustCompile(`^([A-Za-z/]+|categories/any\(c:c) (eq|ge|le) (?:'((?:[^']|'')*)'|([^' ]+?))\)?$`)
)

// filtered is a filter: comparisons that all fit, or of which one does.
func filtered(filter string) (means, error) {
	if filter == "" {
		return func(*letter) bool { return true }, nil
	}
	if m := extended.FindStringSubmatch(filter); m != nil {
		want := strings.ToLower(strings.ReplaceAll(m[3]+m[4], "''", "'"))
		return func(l *letter) bool {
			is := strings.ToLower(l.properties[m[1]])
			return is == want || m[2] != "" && strings.HasPrefix(is, want)
		}, nil
	}
	some := strings.Contains(filter, " or ")
	var all []means
	for term := range strings.SplitSeq(strings.ReplaceAll(filter, " or ", " and "), " and ") {
		m := compared.FindStringSubmatch(term)
		if m == nil {
			return nil, failure{http.StatusBadRequest, "ErrorInvalidUrlQueryFilter"}
		}
		all = append(all, func(l *letter) bool { return l.is(m[1], m[2], strings.ReplaceAll(m[3], "''", "'")+m[4]) })
	}
	return func(l *letter) bool {
		if some {
			return slices.ContainsFunc(all, func(f means) bool { return f(l) })
		}
		return !slices.ContainsFunc(all, func(f means) bool { return !f(l) })
	}, nil
}

// is reports whether a field compares so.
func (l *letter) is(field, how, value string) bool {
	switch field {
	case "receivedDateTime":
		at, err := time.Parse(time.RFC3339, value)
		return err == nil && (how == "ge" && !l.at.Before(at) || how == "le" && !l.at.After(at))
	case "isRead":
		return l.fields["isRead"] == (value == "true")
	case "flag/flagStatus":
		f, _ := l.fields["flag"].(map[string]any)
		return f["flagStatus"] == value
	case "categories/any(c:c":
		list, _ := l.fields["categories"].([]any)
		return slices.ContainsFunc(list, func(c any) bool { return c == value })
	}
	return l.fields[field] == value
}

// kql is Exchange's search language: words and beginnings of words, in a field or in the usual ones, AND, OR and
// brackets.
type kql struct{ rest string }

func (p *kql) either() (means, bool) {
	return p.joined(" OR ", (*kql).every, func(a, b means) means { return func(l *letter) bool { return a(l) || b(l) } })
}

func (p *kql) every() (means, bool) {
	return p.joined(" AND ", (*kql).term, func(a, b means) means { return func(l *letter) bool { return a(l) && b(l) } })
}

func (p *kql) joined(sign string, part func(*kql) (means, bool), join func(a, b means) means) (means, bool) {
	all, ok := part(p)
	for ok && strings.HasPrefix(p.rest, sign) {
		p.rest = strings.TrimPrefix(p.rest, sign)
		var next means
		if next, ok = part(p); ok {
			all = join(all, next)
		}
	}
	return all, ok
}

var kqlTerm = regexp.MustCompile(`^(?:([a-zA-Z]+)(:|>=|<=))?([^\s()":]+)`)

func (p *kql) term() (means, bool) {
	if strings.HasPrefix(p.rest, "(") {
		p.rest = p.rest[1:]
		all, ok := p.either()
		if !ok || !strings.HasPrefix(p.rest, ")") {
			return nil, false
		}
		p.rest = p.rest[1:]
		return all, true
	}
	m := kqlTerm.FindStringSubmatch(p.rest)
	if m == nil {
		return nil, false
	}
	p.rest = p.rest[len(m[0]):]
	switch field, value := m[1], m[3]; field {
	case "hasAttachments":
		return func(l *letter) bool { return l.fields["hasAttachments"] == (value == "true") }, true
	case "received":
		return func(l *letter) bool {
			day := l.at.UTC().Format(time.DateOnly)
			return m[2] == ">=" && day >= value || m[2] == "<=" && day <= value
		}, true
	default:
		_, known := fieldsOf[field]
		return func(l *letter) bool { return l.says(fieldsOf[field], value) }, known
	}
}

// fieldsOf are where Exchange looks for a word.
var fieldsOf = map[string][]string{
	"": {"from", "subject", "body"}, "subject": {"subject"}, "from": {"from"}, "to": {"toRecipients"},
	"cc": {"ccRecipients"}, "bcc": {"bccRecipients"},
	"participants": {"from", "toRecipients", "ccRecipients", "bccRecipients"},
}

// says reports whether a word is in one of the fields.
func (l *letter) says(fields []string, word string) bool {
	begins, whole := strings.CutSuffix(word, "*")
	for _, field := range fields {
		var text strings.Builder
		values(l.fields[field], &text)
		for _, one := range strings.FieldsFunc(strings.ToLower(text.String()), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
		}) {
			if one == word || whole && strings.HasPrefix(one, begins) {
				return true
			}
		}
	}
	return false
}

// values are the texts in a value.
func values(v any, into *strings.Builder) {
	text, _ := json.Marshal(v)
	var is any
	_ = json.Unmarshal(text, &is)
	switch is := is.(type) {
	case string:
		into.WriteString(is + " ")
	case []any:
		for _, one := range is {
			values(one, into)
		}
	case map[string]any:
		for name, one := range is {
			if name != "contentType" {
				values(one, into)
			}
		}
	}
}
