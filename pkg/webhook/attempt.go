package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

const (
	// userAgent is what receivers see.
	userAgent = "Convene-Webhooks/1"
	// maxDrained is how much of an answer's body is read, for the connection to be used again. Nothing of it is kept.
	maxDrained = 4 << 10
	// shortRest is how long a delivery waits that could not even be attempted.
	shortRest = 5 * time.Second
)

// result is what came of a job.
type result struct {
	attempt Attempt
	// asked is how long the endpoint wants to be left alone.
	asked time.Duration
	// put is true where there was no attempt to speak of: the job is put back, to be done after rest. attempt is what it
	// is taken for where it has been put back for too long.
	put  bool
	rest time.Duration
}

// deliver attempts a job once and keeps what came of it. What it cannot keep is attempted again when the claim has
// lapsed.
func (s *Sender) deliver(ctx context.Context, job Job) {
	ctx = meet.InTenant(ctx, job.Lane.Tenant)
	d := &job.Parcel.Delivery
	log := zerolog.Ctx(ctx).With().Str("delivery", string(d.ID)).Str("endpoint", string(d.Endpoint)).Logger()
	e, err := s.cfg.Endpoints.Endpoint(ctx, d.Endpoint)
	r := s.outcome(ctx, e, err, job.Parcel)
	now := s.moment()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if r.put && now.Before(d.Created.Add(Kept)) {
		d.Next = now.Add(r.rest)
	} else {
		d.attempted(r.attempt, now, rand.Float64(), r.asked)
		s.cfg.Attempted(d.State)
		if d.State == Failed {
			log.Warn().Str("problem", string(r.attempt.Problem)).Int("status", r.attempt.Status).Msg("a webhook was given up")
		}
		if err := s.learn(ctx, e, *d, r.attempt); err != nil {
			log.Warn().Err(err).Msg("how a webhook's endpoint does could not be noted")
		}
	}
	if err := s.cfg.Lanes.Settle(ctx, job, now); err != nil {
		log.Warn().Err(err).Msg("what came of a webhook could not be noted; it may be sent again")
	}
}

// outcome is what comes of sending the parcel to the endpoint, which could be read unless err says otherwise.
func (s *Sender) outcome(ctx context.Context, e Endpoint, err error, p Parcel) result {
	now := s.moment()
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return result{attempt: Attempt{At: now, Problem: ProblemRemoved}}
	case err != nil:
		return result{put: true, rest: shortRest, attempt: Attempt{At: now, Problem: ProblemConnection}}
	case e.Disabled != "":
		return result{attempt: Attempt{At: now, Problem: ProblemDisabled}}
	}
	signers, err := keys(ctx, s.cfg.Sealer, e, now)
	if err != nil || len(signers) == 0 {
		return result{attempt: Attempt{At: now, Problem: ProblemSecret}}
	}
	headers, err := sign(signers, p.Delivery.Message, now, p.Body)
	if err != nil {
		return result{attempt: Attempt{At: now, Problem: ProblemSecret}}
	}
	return s.send(ctx, e.URL, headers, p.Body)
}

// send makes the request. Its headers were made at its start.
func (s *Sender) send(ctx context.Context, url string, headers http.Header, body []byte) result {
	began := s.cfg.Now()
	bounded, cancel := context.WithTimeout(ctx, s.cfg.Deadline)
	defer cancel()
	status, asked, err := s.post(bounded, url, headers, body)
	a := Attempt{At: began.UTC().Truncate(time.Millisecond)}
	if open, ok := errors.AsType[*outbound.OpenError](err); ok {
		return result{put: true, rest: max(open.After, shortRest), attempt: Attempt{At: a.At, Problem: ProblemConnection}}
	}
	if ctx.Err() != nil && err != nil {
		return result{put: true, attempt: Attempt{At: a.At, Problem: ProblemConnection}} // this process ends
	}
	a.Took, a.Status = s.cfg.Now().Sub(began), status
	if err != nil {
		a.Problem = problemOf(err)
	} else {
		a.Problem = problemOfStatus(status)
	}
	return result{attempt: a, asked: asked}
}

// post sends the body and reads the answer's status. What comes behind it does not matter.
func (s *Sender) post(
	ctx context.Context, url string, headers http.Header, body []byte,
) (status int, asked time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	req.Header = headers
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", userAgent)
	res, err := s.http.Do(req)
	if err != nil {
		return 0, 0, err
	}
	_, _ = io.CopyN(io.Discard, res.Body, maxDrained)
	_ = res.Body.Close()
	return res.StatusCode, outbound.RetryAfter(res.Header), nil
}

func problemOfStatus(status int) Problem {
	switch status / 100 {
	case 2:
		return ""
	case 3:
		return ProblemRedirect
	default:
		return ProblemStatus
	}
}

// problemOf is the kind of an error, by what made it.
func problemOf(err error) Problem {
	var timeout net.Error
	switch {
	case errors.As(err, new(*outbound.NotPublicError)):
		return ProblemAddress
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return ProblemTimeout
	case errors.As(err, new(*net.DNSError)):
		return ProblemDNS
	case isTLS(err):
		return ProblemTLS
	case errors.As(err, new(*net.OpError)), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ProblemConnection
	default:
		return ProblemAnswer
	}
}

func isTLS(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(tls.RecordHeaderError)) ||
		errors.As(err, new(tls.AlertError)) || errors.As(err, new(x509.HostnameError)) ||
		errors.As(err, new(x509.UnknownAuthorityError)) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// learn keeps what an attempt says about its endpoint: that it is gone, that it fails, or that it is well again.
func (s *Sender) learn(ctx context.Context, e Endpoint, d Delivery, a Attempt) error {
	var change func(*Endpoint) error
	switch {
	case a.Problem == ProblemRemoved || a.Problem == ProblemDisabled:
		return nil
	case a.Status == http.StatusGone:
		change = func(e *Endpoint) error {
			e.Disabled = Gone
			return nil
		}
	case d.State == Failed && e.Failing.IsZero():
		change = func(e *Endpoint) error {
			e.Failing = a.At
			return nil
		}
	case d.State == Delivered && !e.Failing.IsZero():
		change = func(e *Endpoint) error {
			e.Failing = time.Time{}
			return nil
		}
	default:
		return nil
	}
	_, err := s.cfg.Endpoints.UpdateEndpoint(ctx, e.ID, change)
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}
