package simplex

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// fetch is the one request that is outstanding.
type fetch struct {
	id   uint64
	peer uint32
	open bool
}

// missing lists, ascending, the views this node must learn about to vote or propose: what the current proposal's parent rule lacks, every
// nullification between the highest certified and the current view, and the current view itself if its proposal is asked for. At most MaxRequestViews,
// the highest ones.
// Spec: commonware §3.4 (resolver).
func (s *State) missing() []uint64 {
	floor := s.finalized.Round.View
	pending := false // a proposal names a parent: everything down to there is wanted
	again := false   // one names none: some view in between certified it
	var out []uint64
	if s.wants(s.at(s.view)) {
		out = append(out, s.view)
	}
	if p := s.at(s.view).proposal; p != nil && p.status == waiting && p.again() {
		again = true
	} else if p != nil && p.status == waiting {
		pending = true
		if u := s.cfg.parentView(&p.link); u > floor && u < s.view {
			if r := s.rounds[u]; r == nil || r.block() == nil {
				out = append(out, u)
			}
			floor = u
		}
	}
	for w := s.view - 1; w > floor && len(out) < MaxRequestViews; w-- {
		r := s.rounds[w]
		if !pending && r != nil && r.certified() {
			break
		}
		if r == nil || !r.nullified() || again && r.block() == nil {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// seek sends a request if something is missing and none is outstanding: to the leader that proposed on what is unknown, else to each validator
// in turn.
// Spec: commonware §3.4.
func (s *State) seek() {
	if s.fetch.open || s.halted || s.done() {
		return
	}
	if views := s.missing(); len(views) > 0 {
		s.request(views)
	}
}

// poll asks what follows the last final view. An observer does so where a validator would give the view up: nobody would notice it otherwise.
func (s *State) poll() {
	s.fetch.open = false
	s.request([]uint64{s.finalized.Round.View + 1})
	s.emit(Arm{CertificationTimer, s.view, s.cfg.Timeouts.Certification})
}

func (s *State) request(views []uint64) {
	peer, ok := s.server()
	if !ok {
		return
	}
	s.fetch = fetch{id: s.fetch.id + 1, peer: peer, open: true}
	s.emit(
		Send{peer, &Request{ID: s.fetch.id, Views: views}},
		Arm{FetchTimer, s.fetch.id, s.cfg.Timeouts.Fetch},
	)
}

// server picks who is asked next: for the current proposal one that voted for it.
func (s *State) server() (uint32, bool) {
	r := s.at(s.view)
	wants := s.wants(r)
	if p := r.proposal; p != nil && p.status == waiting && s.fetch.peer != s.leader && s.leader != s.cfg.Self {
		return s.leader, true
	}
	for i := 1; i <= s.n; i++ {
		peer := uint32((uint64(s.fetch.peer) + uint64(i)) % uint64(s.n))
		if peer != s.cfg.Self && (!wants || r.votes[sig.Notarization].of(peer) != nil) {
			return peer, true
		}
	}
	return 0, false
}

// response takes the answer to the outstanding request. One that teaches something is followed by the next request at once, one that does not
// waits for the deadline, so that a peer cannot make this node spin.
func (s *State) response(from uint32, m *Response) {
	if !s.fetch.open || m.ID != s.fetch.id || from != s.fetch.peer {
		return
	}
	before := s.adopted
	for _, c := range m.Certificates {
		if s.halted || !s.certificate(from, c) {
			return
		}
	}
	if s.adopted > before {
		s.fetch.open = false
		s.seek()
	}
}

func (s *State) fetchExpired(id uint64) {
	if s.fetch.open && id == s.fetch.id {
		s.fetch.open = false
		s.seek()
	}
}

// serve answers a request: for views up to the last final one its finalization, else what is held of the view, its proposal while there is no certificate.
// Spec: commonware §3.4.
func (s *State) serve(to uint32, m *Request) {
	var out []*sig.Certificate
	if len(m.Views) > 0 && m.Views[0] <= s.finalized.Round.View && s.proof != nil {
		out = append(out, s.proof)
	}
	for _, v := range m.Views {
		r := s.rounds[v]
		if r == nil || v <= s.finalized.Round.View || len(out)+2 > MaxResponseCertificates {
			continue
		}
		if b := r.block(); b != nil {
			out = append(out, b)
		}
		if r.nullified() {
			out = append(out, r.certificates[sig.Nullification])
		}
		s.relay(to, r)
	}
	s.emit(Send{to, &Response{ID: m.ID, Certificates: out}})
}
