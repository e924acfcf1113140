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
	// renewAhead is how long before its end a token is renewed, so that clocks may differ and calls take their time.
	renewAhead = 5 * time.Minute
	// tooYoung is the age under which a refused token is not renewed: the next one would be refused as well.
	tooYoung = 30 * time.Second
	// renewWithin bounds one renewal, with the storing of what came of it. A lock outlasts it.
	renewWithin = 45 * time.Second
)

var (
	errRefused = errors.New("the provider does not take what opens the account")
	errYoung   = errors.New("a token that was just issued is refused")
)

// Credential is what opens the account now. A token that is about to end is renewed first: once, however many ask, here
// or on other replicas. Where that fails for the moment, the old one is given while it is valid. An account that needs
// its owner is a fault that says what to do.
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

// Refused says that the provider did not take a credential. Where there may be another one, the next Credential is
// that, and the error is nil; a newer one that is there already is left alone. Otherwise the account has a problem from
// now on, which the error tells.
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

// Note stores what the owner of a feed has to do before it can be read again, or with no problem that it could be read.
// Unlike an account whose token or password is refused, a feed can come back by itself, so it stays open to be tried.
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

// due reports whether the token should be renewed. One that lives briefly is used for most of its life.
func (x secret) due(now time.Time) bool {
	if x.RefreshToken == "" || x.Expires.IsZero() {
		return false
	}
	return !now.Before(x.Expires.Add(-min(renewAhead, x.Expires.Sub(x.Issued)/4)))
}

// same reports whether two secrets open the same in the same way.
func (x secret) same(y secret) bool {
	return x.Credential == y.Credential && x.RefreshToken == y.RefreshToken
}

// read is the account with its secret, which is sealed anew where it was sealed with an older key.
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

// reseal may fail: what was sealed with an older key opens all the same.
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

// renewed is what opens the account after the access token used, of which there is one renewal for all callers. It goes
// on where a caller leaves: a refresh token that the provider has replaced must be stored.
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

// renew is alone with the account on all replicas, and looks first whether another one was faster.
func (s *Store) renew(ctx context.Context, id ID, used string) (c Credential, err error) {
	release, err := s.cfg.Locks.Lock(ctx, id)
	if err != nil {
		return c, fmt.Errorf("renew token: %w", err)
	}
	defer func() {
		if err := release(ctx); err != nil {
			zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(id)).Msg("the lock of a renewal was left to end by itself")
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

// keep stores what takes the place of the secret old, unless the account was connected anew meanwhile.
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

// giveUp notes that the account needs its owner, unless they have connected it anew since its secret was old.
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
