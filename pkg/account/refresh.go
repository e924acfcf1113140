package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
)

const (
	// renewAhead is how long before its end a token is renewed, to allow for clock differences and slow calls.
	renewAhead = 5 * time.Minute
	// tooYoung is the age below which a refused token is not renewed: the next one would be refused as well.
	tooYoung = 30 * time.Second
	// renewWithin bounds one renewal, with storing its result. A lock outlasts it.
	renewWithin = 45 * time.Second
)

var (
	errRefused = errors.New("the provider refuses the account's credential")
	errYoung   = errors.New("a token that was just issued is refused")
)

// Credential is the account's valid credential. A token that is about to expire is renewed first: once for all
// concurrent callers on all replicas. If that fails temporarily, the old one is returned while it is valid. An account
// that needs its owner is a fault that says what to do.
func (s *Store) Credential(ctx context.Context, id ID) (Credential, error) {
	r, x, err := s.read(ctx, id)
	if err != nil {
		return Credential{}, err
	}
	now := s.cfg.Now()
	if r.Account.Problem != "" && r.Account.Provider != ICS {
		return Credential{}, broken(r.Account.Problem, nil)
	}
	if !x.due(now) {
		return x.Credential, nil
	}
	fresh, err := s.renewed(ctx, r.Account, x.AccessToken)
	if err != nil && fault.As(err).Retryable && now.Before(x.Expires) {
		zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(id)).
			Msg("a token could not be renewed and is used while it lasts")
		return x.Credential, nil
	}
	return fresh, err
}

// Refused says that the provider refused a credential. If there is or may be another one, the next Credential returns
// it, and the error is nil. Otherwise the account has a problem from now on, which is the error.
func (s *Store) Refused(ctx context.Context, id ID, used Credential) error {
	r, x, err := s.read(ctx, id)
	switch {
	case err != nil:
		return err
	case r.Account.Problem != "":
		return broken(r.Account.Problem, nil)
	case x.Credential != used:
		return nil
	case x.RefreshToken == "":
		return s.giveUp(ctx, r, x, errRefused)
	case s.cfg.Now().Sub(x.Issued).Abs() < tooYoung:
		return unreachable(r.Account.Provider, errYoung)
	}
	_, err = s.renewed(ctx, r.Account, used.AccessToken)
	return err
}

// Note stores what the owner of a feed must do before it can be read again; an empty problem says that it was read.
// Unlike an account whose token or password is refused, a feed may recover by itself, so it is still tried.
func (s *Store) Note(ctx context.Context, id ID, problem string) error {
	_, err := s.cfg.Records.Update(ctx, id, func(r *Record) error {
		r.Account.Problem = problem
		return nil
	})
	if err != nil {
		return fmt.Errorf("note how a feed was read: %w", err)
	}
	return nil
}

// due reports whether the token should be renewed. A short-lived one is used for three quarters of its life.
func (x secret) due(now time.Time) bool {
	if x.RefreshToken == "" || x.Expires.IsZero() {
		return false
	}
	return !now.Before(x.Expires.Add(-min(renewAhead, x.Expires.Sub(x.Issued)/4)))
}

// same reports whether two secrets have the same credential and refresh token.
func (x secret) same(y secret) bool {
	return x.Credential == y.Credential && x.RefreshToken == y.RefreshToken
}

// read reads the account and its secret, which is resealed if an older key sealed it.
func (s *Store) read(ctx context.Context, id ID) (Record, secret, error) {
	r, err := s.cfg.Records.Record(ctx, id)
	if err != nil {
		return r, secret{}, fmt.Errorf("read account: %w", err)
	}
	x, err := s.cfg.Secrets.openFor(r)
	if err != nil {
		return r, secret{}, broken(reconnect(r.Account), err)
	}
	if !s.cfg.Secrets.current(r.Sealed) {
		s.reseal(ctx, id)
	}
	return r, x, nil
}

// reseal may fail: the older key still opens the secret.
func (s *Store) reseal(ctx context.Context, id ID) {
	_, err := s.cfg.Records.Update(ctx, id, func(r *Record) error {
		x, err := s.cfg.Secrets.openFor(*r)
		if err != nil {
			return err
		}
		r.Sealed, err = s.cfg.Secrets.sealFor(r.Account, x)
		return err
	})
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(id)).Msg("an account could not be sealed with the new key")
	}
}

// renewed is the credential after the access token used, which is renewed once for all callers. The renewal continues
// without its caller: a refresh token that the provider has replaced must be stored.
func (s *Store) renewed(ctx context.Context, a Account, used string) (Credential, error) {
	v, err, _ := s.flights.Do(string(a.ID)+" "+used, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewWithin)
		defer cancel()
		return s.renew(ctx, a.ID, used)
	})
	if err != nil {
		return Credential{}, err
	}
	return v.(Credential), nil
}

// renew renews under the lock of all replicas, unless another one was faster.
func (s *Store) renew(ctx context.Context, id ID, used string) (c Credential, err error) {
	release, err := s.cfg.Locks.Lock(ctx, id)
	if err != nil {
		return c, fmt.Errorf("renew token: %w", err)
	}
	defer func() {
		if err := release(ctx); err != nil {
			zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(id)).Msg("the lock of a renewal was left to expire")
		}
	}()
	r, x, err := s.read(ctx, id)
	switch {
	case err != nil:
		return c, err
	case r.Account.Problem != "":
		return c, broken(r.Account.Problem, nil)
	case x.AccessToken != used:
		return x.Credential, nil
	}
	p, ok := s.providers[r.Account.Provider]
	if !ok {
		return c, notConfigured(r.Account.Provider)
	}
	token, err := p.refresh(ctx, x.RefreshToken)
	if final(err) {
		return c, s.giveUp(ctx, r, x, err)
	}
	if err != nil {
		return c, unreachable(r.Account.Provider, err)
	}
	next := secretOf(token, s.cfg.Now())
	next.RefreshToken = cmp.Or(next.RefreshToken, x.RefreshToken)
	return s.keep(ctx, id, x, next)
}

// keep replaces the secret old, unless the account was connected anew meanwhile.
func (s *Store) keep(ctx context.Context, id ID, old, next secret) (Credential, error) {
	_, err := s.cfg.Records.Update(ctx, id, func(r *Record) error {
		now, err := s.cfg.Secrets.openFor(*r)
		if err != nil {
			return err
		}
		if !now.same(old) {
			next = now
			return nil
		}
		r.Sealed, err = s.cfg.Secrets.sealFor(r.Account, next)
		return err
	})
	if err != nil {
		return Credential{}, fmt.Errorf("store token: %w", err)
	}
	return next.Credential, nil
}

// giveUp notes that the account needs its owner, unless the owner has connected it anew since its secret was old.
func (s *Store) giveUp(ctx context.Context, judged Record, old secret, cause error) error {
	problem := reconnect(judged.Account)
	_, err := s.cfg.Records.Update(ctx, judged.Account.ID, func(r *Record) error {
		now, err := s.cfg.Secrets.openFor(*r)
		if err == nil && now.same(old) {
			r.Account.Problem = problem
		}
		return err
	})
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(judged.Account.ID)).
			Msg("an account's problem could not be stored")
	}
	return broken(problem, cause)
}
