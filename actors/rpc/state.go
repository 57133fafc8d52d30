package rpc

import (
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/time/rate"
)

const (
	// clientsMost bounds the clients that are told apart; those beyond share what one of them may ask for.
	clientsMost = 4_096
	// sweepEvery is how often those are forgotten that ask for nothing.
	sweepEvery = time.Second
)

// asking is what a client asks for.
type asking uint8

const (
	plainRequest  asking = iota // a request that is answered and over
	followRequest               // one that begins to follow the chain: what it holds is a stream's place
	openStream                  // an open event stream
)

// underway is what each client has under way.
type underway struct {
	limits ClientLimits
	of     map[netip.Addr]*client
	swept  time.Time
}

// client is what one asks for. rate is nil where there is no limit.
type client struct {
	rate              *rate.Limiter
	requests, streams int
}

// held is a place that a client holds; the zero value is none.
type held struct{ count *int }

// leave gives the place back.
func (h held) leave() {
	if h.count != nil {
		*h.count--
	}
}

func newUnderway(limits ClientLimits) *underway {
	return &underway{limits: limits, of: map[netip.Addr]*client{}}
}

// enter takes what a client asks for, or says why it may not have it.
func (s *underway) enter(from netip.Addr, kind asking, now time.Time) (place held, why string) {
	x := s.find(from, now)
	if kind != openStream && x.rate != nil && !x.rate.AllowN(now, 1) {
		return held{}, fmt.Sprintf("one address may ask %d times a second", s.limits.RequestsPerSecond)
	}
	switch kind {
	case plainRequest:
		return take(&x.requests, s.limits.Requests, "%d requests of one address are answered at the same time")
	case openStream:
		return take(&x.streams, s.limits.Streams, "one address may have %d event streams open")
	}
	return held{}, ""
}

// take takes one more place, of as many as there are; 0 is no bound.
func take(count *int, most int, why string) (held, string) {
	if most == 0 {
		return held{}, ""
	}
	if *count >= most {
		return held{}, fmt.Sprintf(why, most)
	}
	*count++
	return held{count}, ""
}

// find gives the count of a client; one that comes when there are too many shares that of others.
func (s *underway) find(from netip.Addr, now time.Time) *client {
	if x := s.of[from]; x != nil {
		return x
	}
	if len(s.of) >= clientsMost && now.Sub(s.swept) >= sweepEvery {
		s.swept = now
		for a, x := range s.of { // order-free: each is judged for itself
			if x.requests == 0 && x.streams == 0 && (x.rate == nil || x.rate.TokensAt(now) >= float64(x.rate.Burst())) {
				delete(s.of, a)
			}
		}
	}
	if len(s.of) >= clientsMost {
		from = netip.Addr{}
		if x := s.of[from]; x != nil {
			return x
		}
	}
	x := &client{}
	if n := s.limits.RequestsPerSecond; n > 0 {
		x.rate = newLimiter(n, time.Second)
	}
	s.of[from] = x
	return x
}
