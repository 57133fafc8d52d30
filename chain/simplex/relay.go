package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// miss arms the deadline by which a proposal must be here that another validator has voted for already.
func (s *State) miss(r *round) {
	if s.cfg.Timeouts.Relay == 0 || r.missed || !s.lacks(r) || r.votes[sig.Notarization].empty() {
		return
	}
	r.missed = true
	s.emit(Arm{RelayTimer, r.view, s.cfg.Timeouts.Relay})
}

// lacks reports whether the current view's proposal is still worth having.
func (s *State) lacks(r *round) bool {
	return r.view == s.view && r.proposal == nil && r.block() == nil && s.leader != s.cfg.Self && s.validator() && !s.done() && !r.mine.nullify
}

// askAround asks the voters, in turn, for the proposal that its leader did not get through to here.
//
// Spec: WP "Network Layer" (blocks are relayed); commonware §3.4.
func (s *State) askAround() {
	if r := s.at(s.view); s.lacks(r) {
		r.wanted = true
		s.seek()
	}
}

// wants reports whether the current view's proposal is asked for.
func (s *State) wants(r *round) bool { return r.wanted && s.lacks(r) }

// relay gives a validator the proposal of a view without a certificate, once: that of another leader after its vote was verified, so that whoever asked
// can hold it against the leader alone.
//
// Spec: WP "Network Layer" (blocks are relayed); commonware §2.6.
func (s *State) relay(to uint32, r *round) {
	p := r.proposal
	if int(to) >= s.n || to == s.cfg.Self || p == nil || p.status != valid || r.block() != nil || r.nullified() || r.relayed.Has(int(to)) {
		return
	}
	v := &p.vote
	switch {
	case v.Signer == to || r.ignored[v.Signer]:
		return
	case v.Signer == s.cfg.Self:
		v = r.mine.notarized
	case !p.proven && s.cfg.Scheme.Verify(v.Signer, v.Preimage(s.cfg.Namespace), v.Signature) != nil:
		r.ignoreSigner(v.Signer)
		s.blame(v.Signer, BadSignature)
		return
	}
	if v == nil {
		return // it is being signed, and goes to everybody then
	}
	p.proven = true
	if r.relayed.Len() == 0 {
		r.relayed = sig.NewSigners(s.n)
	}
	r.relayed.Add(int(to))
	s.emit(Announce{Vote: v, Again: p.again(), To: []uint32{to}})
}
