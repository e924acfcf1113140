// Package google is what Google's APIs have in common: access tokens in requests, and what a refusal says.
package google

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Bearer is a transport that adds an account's access token to each request. If Google refuses the token, it makes the
// request once more with a fresh one.
type Bearer struct {
	Accounts account.Opener
	ID       account.ID
	Next     *http.Client

	mu   sync.Mutex
	held account.Credential
}

// ErrNotJSON is an answer of another server than Google's: a proxy or a login portal.
var ErrNotJSON = errors.New("the answer is not JSON")

// ErrAccount is a failure of our own account store, not of Google.
var ErrAccount = errors.New("open account")

// RoundTrip makes the request. A successful answer is JSON.
func (b *Bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	credential, err := b.credential(req.Context())
	if err != nil {
		closeBody(req.Body)
		return nil, err
	}
	answer, err := b.send(req, req.Body, credential)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusUnauthorized {
		return onlyJSON(answer)
	}
	discard(answer)
	if credential, err = b.another(req.Context(), credential); err != nil {
		return nil, err
	}
	body := io.ReadCloser(http.NoBody)
	if req.GetBody != nil {
		if body, err = req.GetBody(); err != nil {
			return nil, fmt.Errorf("repeat the request: %w", err)
		}
	}
	if answer, err = b.send(req, body, credential); err != nil {
		return nil, err
	}
	return onlyJSON(answer)
}

func (b *Bearer) send(req *http.Request, body io.ReadCloser, credential account.Credential) (*http.Response, error) {
	signed := req.Clone(req.Context())
	signed.Body = body
	signed.Header.Set("Authorization", "Bearer "+credential.AccessToken)
	return b.Next.Do(signed)
}

// credential is fetched once for all calls of a reading.
func (b *Bearer) credential(ctx context.Context) (account.Credential, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held.AccessToken != "" {
		return b.held, nil
	}
	return b.fetch(ctx)
}

// another is a credential after used, which was refused. If several calls were refused at once, only the first renews
// it.
func (b *Bearer) another(ctx context.Context, used account.Credential) (account.Credential, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held != used {
		return b.held, nil
	}
	if err := b.Accounts.Refused(ctx, b.ID, used); err != nil {
		return account.Credential{}, fmt.Errorf("%w: %w", ErrAccount, err)
	}
	return b.fetch(ctx)
}

func (b *Bearer) fetch(ctx context.Context) (credential account.Credential, err error) {
	if credential, err = b.Accounts.Credential(ctx, b.ID); err != nil {
		return credential, fmt.Errorf("%w: %w", ErrAccount, err)
	}
	b.held = credential
	return credential, nil
}

// onlyJSON refuses a success of any other type; a deletion has no content.
func onlyJSON(answer *http.Response) (*http.Response, error) {
	if answer.StatusCode >= http.StatusMultipleChoices || answer.StatusCode == http.StatusNoContent {
		return answer, nil
	}
	kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		discard(answer)
		return nil, ErrNotJSON
	}
	return answer, nil
}

// discard reads the rest of a short answer, so that its connection is reused.
func discard(answer *http.Response) {
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10)
	_ = answer.Body.Close()
}

func closeBody(body io.Closer) {
	if body != nil {
		_ = body.Close()
	}
}

// Fresh opens an account that is not stored yet with its one credential. Again is the fault of a credential that is
// refused.
type Fresh struct {
	Given account.Credential
	Again *fault.Error
}

// Accounts are none.
func (Fresh) Accounts(context.Context, meet.PersonID, account.Provider) ([]account.Account, error) {
	return nil, nil
}

// Credential is the one that was given.
func (f Fresh) Credential(context.Context, account.ID) (account.Credential, error) {
	return f.Given, nil
}

// Refused is the fault.
func (f Fresh) Refused(context.Context, account.ID, account.Credential) error { return f.Again }
