package websearch

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// refusal is an answer with a status other than 200. It omits the provider's message, which may repeat the key or the
// user's text.
type refusal struct {
	status int
	// code and parameter name what the provider rejected.
	code, parameter string
	schema          bool
}

// refusalOf reads the body of a rejection.
func refusalOf(status int, raw []byte) *refusal {
	var body struct {
		Error struct {
			Message string `json:"message"`
			Param   string `json:"param"`
			Code    string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(raw, &body) // a page of a proxy says nothing more than its status
	said := strings.ToLower(body.Error.Message)
	names := func(what string) bool { return strings.Contains(said, what) }
	return &refusal{
		status: status, code: plain(body.Error.Code, maxCode), parameter: plain(body.Error.Param, maxCode),
		schema: strings.HasPrefix(body.Error.Param, "text") || names("json mode") || names("json_schema") ||
			names("text.format") || names("structured output") || names("response format"),
	}
}

// maxCode bounds the provider's own words in the log.
const maxCode = 60

func (r *refusal) Error() string {
	return fmt.Sprintf("status %d, code %q, parameter %q", r.status, r.code, r.parameter)
}

// ofSchema reports whether the same request without a schema may succeed.
func (r *refusal) ofSchema() bool {
	return r.schema && (r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity)
}

// ofRoute reports whether the server has no Responses API. An unknown model, by contrast, has a code.
func (r *refusal) ofRoute() bool {
	absent := r.status == http.StatusNotFound || r.status == http.StatusMethodNotAllowed ||
		r.status == http.StatusNotImplemented
	return absent && r.code == ""
}

// answer is the unchecked result of a search.
type answer struct {
	activities []item
	// met are the pages that the search visited, by pageKey.
	met map[string]bool
}

// item is an activity as the model wrote it.
type item struct {
	Title    string  `json:"title"`
	Venue    string  `json:"venue"`
	Address  string  `json:"address"`
	Timezone string  `json:"timezone"`
	Start    string  `json:"start"`
	End      *string `json:"end"`
	URL      string  `json:"url"`
	Source   string  `json:"source"`
	Kind     string  `json:"kind"`
	Free     bool    `json:"free"`
}

// response is the part of a Responses API answer that we read.
type response struct {
	Status     string `json:"status"`
	Incomplete *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []struct {
		Type   string `json:"type"`
		Action struct {
			URL     string `json:"url"`
			Sources []struct {
				URL string `json:"url"`
			} `json:"sources"`
		} `json:"action"`
		Content []struct {
			Type        string `json:"type"`
			Text        string `json:"text"`
			Annotations []struct {
				Type string `json:"type"`
				URL  string `json:"url"`
			} `json:"annotations"`
		} `json:"content"`
	} `json:"output"`
}

var (
	errNotUnderstood = errors.New("the answer is not as documented")
	errDeclined      = errors.New("the model declined to answer")
	errNotJSON       = errors.New("the model's text is not the JSON that was asked for")
)

// readAnswer decodes the answer. An incomplete one is an error, because the lost part may matter.
func readAnswer(raw []byte) (answer, error) {
	var r response
	if err := json.Unmarshal(raw, &r); err != nil || r.Output == nil {
		return answer{}, errNotUnderstood // the decoder's own words would quote the body
	}
	if r.Status != "" && r.Status != "completed" {
		reason := ""
		if r.Incomplete != nil {
			reason = plain(r.Incomplete.Reason, maxCode)
		}
		return answer{}, fmt.Errorf("the answer is %s: %s", plain(r.Status, maxCode), reason)
	}
	a := answer{met: map[string]bool{}}
	said := ""
	for _, o := range r.Output {
		a.meet(o.Action.URL)
		for _, s := range o.Action.Sources {
			a.meet(s.URL)
		}
		for _, c := range o.Content {
			if c.Type == "refusal" {
				return answer{}, errDeclined
			}
			for _, n := range c.Annotations {
				a.meet(n.URL)
			}
			if o.Type == "message" {
				said += c.Text
			}
		}
	}
	var err error
	a.activities, err = readItems(said)
	return a, err
}

// meet records a page that the provider says the search visited.
func (a *answer) meet(page string) {
	if key, ok := pageKey(page); ok {
		a.met[key] = true
	}
}

// readItems decodes the model's text. Without a schema models write a sentence before the object, or a fence around it.
func readItems(said string) ([]item, error) {
	begin, end := strings.IndexByte(said, '{'), strings.LastIndexByte(said, '}')
	if begin < 0 || end < begin {
		return nil, errNotJSON
	}
	var list struct {
		Activities *[]json.RawMessage `json:"activities"`
	}
	if json.Unmarshal([]byte(said[begin:end+1]), &list) != nil || list.Activities == nil {
		return nil, errNotJSON
	}
	var items []item
	for _, raw := range *list.Activities {
		var one item
		if json.Unmarshal(raw, &one) == nil {
			items = append(items, one)
		}
	}
	if len(items) == 0 && len(*list.Activities) > 0 {
		return nil, errNotJSON
	}
	return items, nil
}
