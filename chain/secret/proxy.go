package secret

import (
	"bytes"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Terms are what a proxy registers with.
//
// Spec: secrets-cbss §4 (72).
type Terms struct {
	Key     sig.CompressedKey
	HPKE    [32]byte
	TLS     digest.Hash
	Address string
	Stake   unit.Amount
}

// ProxyID is the identity of a proxy: keccak256(operator ‖ key).
func ProxyID(operator account.Address, key sig.CompressedKey) digest.Hash {
	return digest.Keccak256(operator[:], key[:])
}

// Register makes an operator's proxy, and takes its stake. Rejects: ErrKey, ErrForm, ErrStake, ErrRegistered, ErrFull, those of an account that has too
// little.
//
// Spec: secrets-cbss §4 (72), §6.
func (s *Service) Register(operator account.Address, t Terms) (digest.Hash, error) {
	id := ProxyID(operator, t.Key)
	if _, err := t.Key.Address(); err != nil {
		return id, ErrKey
	}
	if t.HPKE == ([32]byte{}) || t.Address == "" || len(t.Address) > MaxAddressBytes {
		return id, ErrForm
	}
	if t.Stake < s.Config.MinStake {
		return id, ErrStake
	}
	if _, err := ProxyOf(s.State, operator); err == nil {
		return id, ErrRegistered
	} else if !errors.Is(err, ErrProxy) {
		return id, err
	}
	n, err := state.Number(s.State, under(keyProxies))
	if err != nil {
		return id, err
	}
	if n >= MaxProxies {
		return id, ErrFull
	}
	if err := s.take(operator, t.Stake); err != nil {
		return id, err
	}
	state.SetCount(s.State, under(keyProxies), n+1)
	s.State.Set(under(underOperator, operator[:]), id[:])
	s.saveProxy(id, &Proxy{
		Operator: operator, Key: t.Key, HPKE: t.HPKE, TLS: t.TLS, Address: t.Address, Stake: t.Stake, Registered: s.Height,
		Eligible: s.Height + unit.Height(s.Config.Soak), Health: HealthFull,
	})
	s.emit(TopicRegistered, id[:], operator[:], uints(t.Stake))
	return id, nil
}

// Deregister begins to unbond a proxy, and has its committees replaced. Rejects: ErrProxy, ErrLeaving.
//
// Spec: secrets-cbss §4 (73: starts unbond, forces reshare; 84).
func (s *Service) Deregister(id digest.Hash) error {
	p, err := LoadProxy(s.State, id)
	if err != nil {
		return err
	}
	if p.Unbonds > 0 {
		return ErrLeaving
	}
	p.Unbonds = s.Height + unit.Height(max(s.Config.Unbond, 1))
	s.saveProxy(id, p)
	s.State.Set(under(underUnbonding, be8(uint64(p.Unbonds)), id[:]), []byte{})
	s.replace(id)
	s.emit(TopicLeft, id[:], uints(p.Unbonds))
	return nil
}

// replace has the committees of a proxy replaced, at the ends of the blocks to come.
func (s *Service) replace(id digest.Hash) {
	s.State.Set(under(underLeaving, id[:]), []byte{})
}

// pay pays out the stakes that are due, at most paidPerBlock of them.
//
// Spec: secrets-cbss §6 (unbonding).
func (s *Service) pay() error {
	prefix := under(underUnbonding)
	due, err := s.due(prefix, paidPerBlock)
	if err != nil {
		return err
	}
	for _, key := range due {
		id := digest.Hash(key[len(prefix)+8:])
		p, err := LoadProxy(s.State, id)
		if err != nil {
			return err
		}
		n, err := state.Number(s.State, under(keyProxies))
		if err != nil {
			return err
		}
		if err := s.give(p.Operator, p.Stake); err != nil {
			return err
		}
		state.SetCount(s.State, under(keyProxies), n-1)
		s.State.Delete(key)
		s.State.Delete(proxyKey(id))
		s.State.Delete(under(underOperator, p.Operator[:]))
		s.emit(TopicPaidOut, id[:], p.Operator[:], uints(p.Stake))
	}
	return nil
}

// due lists the keys behind a prefix and a height of this block or before, at most limit.
func (s *Service) due(prefix []byte, limit int) (list [][]byte, err error) {
	end := append(bytes.Clone(prefix), be8(uint64(s.Height)+1)...)
	err = s.State.Scan(prefix, nil, limit, func(key, _ []byte) bool {
		if bytes.Compare(key, end) >= 0 {
			return false
		}
		list = append(list, bytes.Clone(key))
		return true
	})
	return list, err
}

// force asks for the resharing of committees of a proxy that leaves or is suspended, at most forcedPerBlock of them in a block.
//
// Spec: secrets-cbss §4 (73: forces reshare), §5.
func (s *Service) force() error {
	prefix := under(underLeaving)
	var key, last []byte
	err := s.State.Scan(prefix, nil, 1, func(k, v []byte) bool {
		key, last = bytes.Clone(k), bytes.Clone(v)
		return false
	})
	if err != nil || key == nil {
		return err
	}
	id := key[len(prefix):]
	members := under(underMembership, id)
	var after []byte
	if len(last) > 0 {
		after = append(bytes.Clone(members), last...)
	}
	var scopes [][]byte
	err = s.State.Scan(members, after, forcedPerBlock, func(k, _ []byte) bool {
		scopes = append(scopes, bytes.Clone(k[len(members):]))
		return true
	})
	if err != nil {
		return err
	}
	for _, raw := range scopes {
		of, err := ParseScope(raw)
		if err != nil {
			return err
		}
		if err := s.Reshare(of, account.Address{}); err != nil && !expected(err) {
			return err
		}
	}
	if len(scopes) < forcedPerBlock {
		s.State.Delete(key)
		return nil
	}
	s.State.Set(key, scopes[len(scopes)-1])
	return nil
}

// expected reports whether a resharing could not be asked for, for a reason that is no failure.
func expected(err error) bool {
	return errors.Is(err, ErrInProgress) || errors.Is(err, ErrGrace) || errors.Is(err, ErrNotDue) || errors.Is(err, ErrNoKey)
}
