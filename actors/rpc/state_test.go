package rpc

import (
	"net/netip"
	"testing"
	"time"
)

// What a client asks for, a step a line: what, who, after how long, and why it is refused. A place that a step was given is left where a later one says so.
//
// Spec: node-rpc-cli §1 (rate limits).
func TestState(t *testing.T) {
	type step struct {
		kind  asking
		from  byte
		after time.Duration
		leave int // the step whose place is left before this one, counted from 1; 0: none
		why   string
	}
	const (
		tooOften = "one address may ask 2 times a second"
		tooMany  = "2 requests of one address are answered at the same time"
		streams  = "one address may have 1 event streams open"
	)
	for name, c := range map[string]struct {
		limits ClientLimits
		steps  []step
	}{
		"a rate": {ClientLimits{RequestsPerSecond: 2}, []step{
			{plainRequest, 1, 0, 0, ""}, {plainRequest, 1, 0, 0, ""}, {plainRequest, 1, 0, 0, tooOften}, {plainRequest, 2, 0, 0, ""},
			{plainRequest, 1, 499 * time.Millisecond, 0, tooOften}, {plainRequest, 1, time.Millisecond, 0, ""}, {followRequest, 1, 0, 0, tooOften},
			{openStream, 1, 0, 0, ""}, // what follows was counted when it asked
		}},
		"at the same time": {ClientLimits{Requests: 2}, []step{
			{plainRequest, 1, 0, 0, ""}, {plainRequest, 1, 0, 0, ""}, {plainRequest, 1, time.Hour, 0, tooMany}, {plainRequest, 2, 0, 0, ""},
			{followRequest, 1, 0, 0, ""}, // its place is a stream's
			{plainRequest, 1, 0, 1, ""}, {plainRequest, 1, 0, 0, tooMany},
		}},
		"streams": {ClientLimits{Streams: 1}, []step{
			{openStream, 1, 0, 0, ""}, {openStream, 1, time.Hour, 0, streams}, {openStream, 2, 0, 0, ""}, {openStream, 1, 0, 1, ""},
		}},
		"no limits": {ClientLimits{}, []step{
			{plainRequest, 1, 0, 0, ""}, {plainRequest, 1, 0, 0, ""}, {openStream, 1, 0, 0, ""}, {openStream, 1, 0, 1, ""}, {openStream, 1, 0, 4, ""},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := newUnderway(c.limits), time.Unix(100, 0)
			var places []held
			for i, x := range c.steps {
				now = now.Add(x.after)
				if x.leave > 0 {
					places[x.leave-1].leave()
				}
				place, why := s.enter(netip.AddrFrom4([4]byte{203, 0, 113, x.from}), x.kind, now)
				if why != x.why {
					t.Errorf("step %d: %q, want %q", i+1, why, x.why)
				}
				places = append(places, place)
			}
		})
	}
}

// However many clients come, so many are told apart: the others share one count, and those that ask for nothing are forgotten.
func TestClientsAreBounded(t *testing.T) {
	s, now := newUnderway(ClientLimits{RequestsPerSecond: 1, Requests: 1}), time.Unix(100, 0)
	ask := func(i int) (held, string) {
		return s.enter(netip.AddrFrom4([4]byte{203, byte(i >> 16), byte(i >> 8), byte(i)}), plainRequest, now)
	}
	for i := range clientsMost {
		place, why := ask(i)
		if why != "" {
			t.Fatal(i, why)
		}
		place.leave()
	}
	if _, why := ask(clientsMost); why != "" {
		t.Fatal(why) // the first of the crowd
	}
	if _, why := ask(clientsMost + 1); why == "" || len(s.of) > clientsMost+1 {
		t.Errorf("%d clients are told apart; the crowd's second: %q", len(s.of), why)
	}
	now = now.Add(2 * sweepEvery)
	if _, why := ask(clientsMost + 2); why != "" || len(s.of) > 2 {
		t.Errorf("%d clients after those who ask for nothing were forgotten: %q", len(s.of), why)
	}
}
