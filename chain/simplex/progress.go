package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// lagViews is for how many views a validator that lacked a certificate counts as lagging: it is sent certificates at once.
const lagViews = 64

// peerProgress is what is known of how far the other validators are. Votes go to everybody, so nearly always all make the same certificates of them, and what a
// validator sends next says that it has: a certificate is sent to those who stay behind, and at once to those who lately did.
//
// Each fact about a validator is its own word, so that it can keep certificates from nobody but itself.
type peerProgress struct {
	left         []uint64 // by validator: the highest view it is known to have left
	told         []uint64 // by validator: the highest view it is known to hold a finalization of
	laggingUntil []uint64 // by validator: below which view it counts as lagging

	armed      bool
	view       uint64 // when armed: of the newest certificate
	final      uint64 // when armed: the last final view
	finalsTold uint64 // the last final view that everybody was told of
}

func newPeerProgress(n int) peerProgress {
	return peerProgress{left: make([]uint64, n), told: make([]uint64, n), laggingUntil: make([]uint64, n)}
}

// forget forgets a validator that may have lost what it had.
func (k *peerProgress) forget(i uint32) { k.left[i], k.told[i] = 0, 0 }

// learn takes what a validator's message says about the validator: one that votes to commit has left the view, and one that votes otherwise the view before.
func (s *State) learn(from uint32, m Message) {
	if from == Observer {
		return
	}
	switch m := m.(type) {
	case *Propose:
		if m.Vote.Signer == from {
			s.learnVote(from, &m.Vote)
		}
	case *Vote:
		s.learnVote(from, m)
	case *NewView:
		s.entered(from, m.Round)
	case *Certificate:
		s.holdsCertificate(from, m.Certificate)
		if m.Under != nil {
			s.holdsCertificate(from, m.Under)
		}
	case *Response:
		for _, c := range m.Certificates {
			s.holdsCertificate(from, c)
		}
	}
}

func (s *State) learnVote(from uint32, v *Vote) {
	s.entered(from, v.Subject.Round)
	if v.Kind == sig.Finalization {
		s.hasLeft(from, v.Subject.Round)
	}
}

func (s *State) holdsCertificate(from uint32, c *sig.Certificate) {
	s.hasLeft(from, c.Subject.Round)
	if c.Kind == sig.Finalization && c.Subject.Round.Epoch == s.cfg.Epoch {
		s.progress.told[from] = max(s.progress.told[from], c.Subject.Round.View)
	}
}

func (s *State) entered(from uint32, r sig.Round) {
	s.hasLeft(from, sig.Round{Epoch: r.Epoch, View: floorSub(r.View, 1)})
}

func (s *State) hasLeft(from uint32, r sig.Round) {
	if r.Epoch == s.cfg.Epoch {
		s.progress.left[from] = max(s.progress.left[from], r.View)
	}
}

// tell sends a certificate that is news. Where all goes well the leader of its view does at once, for those who have no quorum of votes yet, and others wait
// for everybody to have it; where a view is being given up, or the epoch ends, they do not.
//
// Spec: WP §6.1; commonware §3.3.
func (s *State) tell(r *round, m *Certificate) {
	led := r.proposal != nil && r.proposal.vote.Signer == s.cfg.Self
	last := s.cfg.LastHeight != 0 && m.Subject.Height >= s.cfg.LastHeight
	if s.cfg.Timeouts.Tell == 0 || !s.validator() || m.Kind == sig.Nullification || led || last || s.troubled(r) {
		s.emit(Broadcast{Message: m})
		return
	}
	k, has := &s.progress, s.progress.left
	if m.Kind == sig.Finalization {
		has = k.told
	}
	var except []uint32
	for i := range uint32(s.n) {
		if i != s.cfg.Self && (k.laggingUntil[i] <= r.view || has[i] >= r.view) {
			except = append(except, i)
		}
	}
	s.emit(Broadcast{Message: m, Except: except})
	if k.armed {
		return
	}
	k.view, k.final = r.view, s.finalized.Round.View
	if m.Kind == sig.Finalization {
		k.final = r.view
	}
	s.armTell()
}

// armTell sets the time by which the others are to have left a view. Each view another validator is the first to look, so that one speaks for all.
func (s *State) armTell() {
	s.progress.armed = true
	tell, n := s.cfg.Timeouts.Tell, uint64(s.n)
	place := (uint64(s.cfg.Self) + s.progress.view) % n
	s.emit(Arm{TellTimer, s.progress.view, tell + tell*Millis(place)/Millis(n)})
}

// behind sends what opened the current view to those who have not shown to be past the one that was looked at, and the latest finalization to everybody
// unless more than f validators have told of it: then an honest one has told all.
func (s *State) behind() {
	k := &s.progress
	if !k.armed || s.done() {
		return
	}
	k.armed = false
	tellFinal := k.final > k.finalsTold && s.proof != nil && !s.generallyTold(k.final)
	k.finalsTold = max(k.finalsTold, k.final)
	if tellFinal {
		k.finalsTold = s.finalized.Round.View
	}
	for i := range uint32(s.n) {
		if i == s.cfg.Self {
			continue
		}
		lags := k.left[i] < k.view
		if lags {
			k.laggingUntil[i] = s.view + lagViews
		}
		if lags && s.entry != nil {
			s.emit(Send{i, &Certificate{Certificate: s.entry}})
		}
		if tellFinal && k.told[i] < k.final && !(lags && s.entry == s.proof) {
			s.emit(Send{i, &Certificate{Certificate: s.proof}})
		}
	}
	if newest := s.view - 1; newest > k.view || s.finalized.Round.View > k.final {
		k.view, k.final = newest, s.finalized.Round.View
		s.armTell()
	}
}

// generallyTold reports whether more than f validators have told of a finalization of the view or a later one.
func (s *State) generallyTold(view uint64) bool {
	tellers := 0
	for _, told := range s.progress.told {
		if told >= view {
			tellers++
		}
	}
	return tellers > sig.Faulty(s.n)
}
