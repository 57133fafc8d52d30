package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// ProxyBackend tells proxies of the secret service what is theirs to do after the newest block.
//
// Spec: secrets-cbss §5.
type ProxyBackend interface {
	ProxyWork(id digest.Hash) (wire.ProxyWork, error)
	// Admission says whether a signed request may be served by a proxy.
	Admission(id digest.Hash, request []byte) (wire.Admission, error)
	// SealAdmission says whether a SealRequest may be answered by a proxy.
	SealAdmission(id digest.Hash, number uint64) (wire.SealAdmission, error)
}

// mostWork bounds the keys and challenges of a proxy that are listed at a time.
const mostWork = 64

// proxyWork adds the calls of proxies.
//
// Spec: secrets-cbss §5.
func (s *server) proxyWork(mux *http.ServeMux) {
	mux.HandleFunc("GET /proxy-work/{hash}", s.byHash(func(h digest.Hash) (any, error) { return s.Backend.ProxyWork(h) }))
	mux.HandleFunc("GET /proxy-admission/{hash}/{request}", func(w http.ResponseWriter, r *http.Request) {
		id, err := hashIn(r.PathValue("hash"))
		var request []byte
		if err == nil {
			request, err = hex.DecodeString(trim0x(r.PathValue("request")))
		}
		if err != nil || len(request) != cbss.SignedRequestSize {
			s.fail(w, badRequest("an admission is asked for with the proxy's identity and a signed request, in hexadecimal"))
			return
		}
		v, err := s.Backend.Admission(id, request)
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /proxy-seal/{hash}/{number}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.ParseUint(r.PathValue("number"), 10, 64)
		if err != nil {
			s.fail(w, badRequest("a SealRequest has a decimal number"))
			return
		}
		s.byHash(func(id digest.Hash) (any, error) { return s.Backend.SealAdmission(id, n) })(w, r)
	})
}

func proxyCalls() []Call {
	return []Call{
		{"get", "/proxy-work/{hash}", "what a proxy has to do: keys made or passed on, open challenges, time locks, SealRequests", nil, "", wire.ProxyWork{}},
		{"get", "/proxy-admission/{hash}/{request}", "whether the state allows a signed request to a proxy, and of which committee", nil, "", wire.Admission{}},
		{"get", "/proxy-seal/{hash}/{number}", "whether the state lets a proxy answer a SealRequest, and what with", nil, "", wire.SealAdmission{}},
	}
}

// secretService is the service over the newest state, for questions.
func (n *Node) secretService() (*secret.Service, *ledger.Tip, error) {
	t, err := n.tip()
	if err != nil {
		return nil, nil, err
	}
	p, err := params.Load(t.State)
	if err != nil {
		return nil, nil, err
	}
	c, err := secret.LoadConfig(t.State, p)
	s := &secret.Service{State: t.State.Overlay(), Config: c, ChainID: n.ChainID, Height: t.Header.Height}
	if t.Header.ParentSeed != nil {
		s.Seed = *t.Header.ParentSeed
	}
	return s, t, err
}

// ProxyWork implements ProxyBackend.
func (n *Node) ProxyWork(id digest.Hash) (wire.ProxyWork, error) {
	s, t, err := n.secretService()
	if err != nil {
		return wire.ProxyWork{}, err
	}
	v := wire.ProxyWork{
		Height: uint64(t.Header.Height), ChainID: n.ChainID, Freshness: s.Config.Freshness, Keys: []wire.KeyWork{}, Peers: []wire.Proxy{},
		Challenges: []wire.ProxyChallenge{}, Locks: []wire.LockWork{}, Seals: []wire.SealWork{},
	}
	p, err := secret.LoadProxy(s.State, id)
	if errors.Is(err, secret.ErrProxy) {
		err = errNotFound
	}
	if err != nil {
		return v, err
	}
	v.Proxy = wire.ViewProxy(id, p, nil, t.Header.Height)
	work, err := secret.WorkOf(s.State, id, mostWork)
	if err != nil {
		return v, err
	}
	seen := map[digest.Hash]bool{}
	for i := range work {
		v.Keys = append(v.Keys, wire.ViewWork(&work[i]))
		all := work[i].Pending.Committee
		if k := work[i].Key; k != nil {
			all = append(all[:len(all):len(all)], k.Committee...)
		}
		for _, peer := range all {
			p, err := secret.LoadProxy(s.State, peer)
			if seen[peer] || errors.Is(err, secret.ErrProxy) {
				continue
			}
			if err != nil {
				return v, err
			}
			seen[peer] = true
			v.Peers = append(v.Peers, wire.ViewProxy(peer, p, nil, t.Header.Height))
		}
	}
	open, err := secret.ChallengesOf(s.State, id, mostWork)
	for _, c := range open {
		v.Challenges = append(v.Challenges, wire.ProxyChallenge{
			ID: wire.Hash(c.ID), Release: wire.Hash(c.Release), Runner: c.Runner.String(), Deadline: uint64(c.Deadline),
		})
	}
	if err != nil {
		return v, err
	}
	locks, err := s.DueLocks(id, mostWork)
	for i := range locks {
		v.Locks = append(v.Locks, wire.ViewLockWork(&locks[i]))
	}
	if err != nil {
		return v, err
	}
	seals, err := s.DueSeals(id, mostWork)
	for i := range seals {
		v.Seals = append(v.Seals, wire.ViewSealWork(&seals[i]))
	}
	return v, err
}

// SealAdmission implements ProxyBackend.
func (n *Node) SealAdmission(id digest.Hash, number uint64) (wire.SealAdmission, error) {
	s, t, err := n.secretService()
	if err != nil {
		return wire.SealAdmission{}, err
	}
	task, err := s.AdmitSeal(number, id)
	if why, ok := secret.SealRejected(err); ok {
		return wire.SealAdmission{Height: uint64(t.Header.Height), Refused: why, ChainID: n.ChainID}, nil
	}
	if err != nil {
		return wire.SealAdmission{}, err
	}
	return wire.ViewSealAdmission(uint64(t.Header.Height), n.ChainID, id, task), nil
}

// Admission implements ProxyBackend.
func (n *Node) Admission(id digest.Hash, request []byte) (wire.Admission, error) {
	s, t, err := n.secretService()
	if err != nil {
		return wire.Admission{}, err
	}
	a, err := s.Admit(request, id)
	if why, ok := secret.Rejected(err); ok {
		return wire.Admission{Height: uint64(t.Header.Height), Refused: why, Committee: []string{}, Commitments: []string{}}, nil
	}
	if err != nil {
		return wire.Admission{}, err
	}
	return wire.ViewAdmission(uint64(t.Header.Height), a), nil
}
