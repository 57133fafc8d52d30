package push

import (
	"bytes"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// trim forgets invitations of those who are validators no more.
func (s *state) trim() {
	for key := range s.invited { // order-free: each by itself
		if _, found := s.find(key); !found {
			delete(s.invited, key)
		}
	}
	if _, found := s.find(s.self); s.own != nil && found {
		s.invited[s.self] = s.own
	}
}

func (s *state) find(key sig.BLSPublicKey) (int, bool) {
	return slices.BinarySearchFunc(s.set, key, func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
}

// invite makes this validator's own invitation known.
func (s *state) invite(v *protocol.Invitation) {
	s.own = v
	if _, found := s.find(s.self); found {
		s.invited[s.self] = v
	}
	s.do(passing{frame: invitationFrame(v)})
}

// hear takes an invitation that a peer passes on.
func (s *state) hear(from link.Peer, frame []byte) {
	v, err := protocol.DecodeInvitation(frame[1:])
	if err != nil {
		s.do(reporting{from, "an invitation that is none"})
		return
	}
	_, found := s.find(v.Validator)
	known := s.invited[v.Validator]
	if !found || v.Validator == s.self || known != nil && known.Number >= v.Number {
		return
	}
	if v.Check(s.chain) != nil {
		s.do(reporting{from, "an invitation that nobody signed"})
		return
	}
	s.invited[v.Validator] = v
	s.do(passing{frame: frame})
}

// up tells a peer that connects of all invitations.
func (s *state) up(p link.Peer) {
	list := s.invitations()
	if s.own != nil && s.invited[s.self] == nil {
		list = append(list, s.own) // a validator to be
	}
	for _, v := range list[:min(len(list), invitationsMost)] {
		s.do(passing{p, invitationFrame(v)})
	}
}

func (s *state) invitations() (list []*protocol.Invitation) {
	for _, key := range s.set {
		if v := s.invited[key]; v != nil {
			list = append(list, v)
		}
	}
	return list
}
