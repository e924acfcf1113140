package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"convene/pkg/sse"
)

const turnsPath = "/v1/turns"

// caller makes requests of a server.
type caller struct {
	http   *http.Client
	server string
	// key, if not empty, is sent to the server.
	key string
}

// newCaller keeps idle connections for each client, and follows no redirects.
func newCaller(server string, clients int) caller {
	return caller{
		http: &http.Client{
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 2 * clients, DisableCompression: true,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		server: strings.TrimRight(server, "/"),
	}
}

func (c caller) close() { c.http.CloseIdleConnections() }

func (c caller) post(ctx context.Context, path, accept string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	return c.do(req)
}

// events opens the turn's stream after the update numbered after.
func (c caller) events(ctx context.Context, path string, after int) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", sse.ContentType)
	if after > 0 {
		req.Header.Set("Last-Event-ID", strconv.Itoa(after))
	}
	return c.do(req)
}

func (c caller) do(req *http.Request) (*http.Response, error) {
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	return c.http.Do(req)
}

func isStream(resp *http.Response) bool {
	return resp.StatusCode == http.StatusOK && strings.HasPrefix(resp.Header.Get("Content-Type"), sse.ContentType)
}

// refusal is a response without success, in the server's own words.
func refusal(resp *http.Response) *Failure {
	var problem struct{ Code, Detail string }
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil || json.Unmarshal(raw, &problem) != nil || problem.Code == "" {
		return failure(Refused, "%s", resp.Status)
	}
	return failure(Refused, "%d %s: %s", resp.StatusCode, problem.Code, problem.Detail)
}

// within adds the conversation to the body, unless it names one itself.
func within(body json.RawMessage, conversation string) (json.RawMessage, error) {
	var named struct{ ConversationID string }
	if err := json.Unmarshal(body, &named); err != nil {
		return nil, fmt.Errorf("the request is not a JSON object: %w", err)
	}
	if conversation == "" || named.ConversationID != "" {
		return body, nil
	}
	id, err := json.Marshal(conversation)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	open := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSpace(body), []byte("}")), " \t\r\n")
	if !bytes.HasSuffix(open, []byte("{")) {
		open = append(bytes.Clone(open), ',')
	}
	return append(append(append(bytes.Clone(open), `"conversationId":`...), id...), '}'), nil
}

// CheckLocal refuses a server that is not on this machine: load is for one's own server.
func CheckLocal(server string) error {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not a URL such as http://127.0.0.1:8080", server)
	}
	if !Loopback(u.Hostname()) {
		return fmt.Errorf("%s is not on this machine; use a server on a loopback address", u.Host)
	}
	return nil
}

// Loopback reports whether host, without a port, names this machine and no other.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
