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
	// userAgent is the User-Agent of requests.
	userAgent = "Convene-Webhooks/1"
	// maxDrained is how much of a response's body is read and dropped, so that the connection can be used again.
	maxDrained = 4 << 10
	// shortRest is the wait of a delivery that could not be attempted.
	shortRest = 5 * time.Second
)

type result struct {
	attempt Attempt
	// asked is the endpoint's Retry-After.
	asked time.Duration
	// put is true if no real attempt was made: the job is put back for rest. attempt is recorded if it has been put back
	// for too long.
	put  bool
	rest time.Duration
}

// deliver attempts a job once and records the result. If it cannot, the job is attempted again when the claim has
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
			log.Warn().Err(err).Msg("the state of a webhook endpoint could not be stored")
		}
	}
	if err := s.cfg.Lanes.Settle(ctx, job, now); err != nil {
		log.Warn().Err(err).Msg("the result of a webhook could not be stored; it may be sent again")
	}
}

// outcome sends the parcel to the endpoint; err is the error of reading the endpoint.
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

// send makes the request and classifies its result.
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

// post sends the body and returns the response's status and Retry-After.
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

// problemOf classifies an error of a request.
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

// learn stores what an attempt shows of its endpoint: that it is gone, fails, or works again.
func (s *Sender) learn(ctx context.Context, e Endpoint, d Delivery, a Attempt) error {
	var change func(*Endpoint)
	switch {
	case a.Problem == ProblemRemoved || a.Problem == ProblemDisabled:
		return nil
	case a.Status == http.StatusGone:
		change = func(e *Endpoint) { e.Disabled = Gone }
	case d.State == Failed && e.Failing.IsZero():
		change = func(e *Endpoint) { e.Failing = a.At }
	case d.State == Delivered && !e.Failing.IsZero():
		change = func(e *Endpoint) { e.Failing = time.Time{} }
	default:
		return nil
	}
	_, err := s.cfg.Endpoints.UpdateEndpoint(ctx, e.ID, func(e *Endpoint) error { change(e); return nil })
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}
