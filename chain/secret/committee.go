package secret

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// RequestKey asks for the release key of an account, for a bond of the requester. Rejects: ErrOwner, ErrHasKey, ErrInProgress, ErrCommittee, those of an
// account that has too little.
//
// Spec: secrets-cbss §4 (77).
func (s *Service) RequestKey(requester, owner account.Address) error {
	if err := s.Owns(requester, owner); err != nil {
		return err
	}
	of := AccountScope(owner)
	k, err := LoadKey(s.State, of)
	if err != nil {
		return err
	}
	if k != nil {
		return ErrHasKey
	}
	return s.request(of, requester, &Override{Members: DefaultMembers, Quorum: DefaultQuorum})
}

// request has a committee drawn that is to make a key.
//
// Spec: secrets-cbss §3 (n, t), §5.
func (s *Service) request(of Scope, requester account.Address, o *Override) error {
	if o.Members < MinMembers || o.Members > MaxMembers || o.Quorum < MinQuorum || o.Quorum > o.Members || len(o.Preferred) > int(o.Members) {
		return ErrForm
	}
	for i, p := range o.Preferred {
		if slices.Contains(o.Preferred[:i], p) {
			return ErrForm
		}
	}
	if err := s.idle(of); err != nil {
		return err
	}
	n, err := state.Number(s.State, under(keyProxies))
	if err != nil {
		return err
	}
	if n < uint64(o.Members) {
		return ErrCommittee
	}
	if err := s.take(requester, s.Config.DkgBond); err != nil {
		return err
	}
	s.enqueue(of, &Pending{
		Quorum: o.Quorum, Members: o.Members, Requested: s.Height, Requester: requester, Bond: s.Config.DkgBond, Preferred: o.Preferred,
	})
	return nil
}

func (s *Service) enqueue(of Scope, p *Pending) {
	s.savePending(of, p)
	s.State.Set(under(underDraw, be8(uint64(p.Requested)), of.Bytes()), []byte{})
	s.emit(TopicRequested, scoped(of), flag(p.Reshare), uints(p.Quorum), uints(p.Members))
}

// Reshare asks that a key is passed on to a committee that is drawn anew. Anybody may ask once the interval is over, or a member leaves, is suspended, or is
// gone; before that the owner may, for the bond of a new key. Rejects: ErrNoKey, ErrInProgress, ErrGrace, ErrNotDue, those of an account that has too little.
//
// Spec: secrets-cbss §4 (83), §5, §6.
func (s *Service) Reshare(of Scope, sender account.Address) error {
	k, err := LoadKey(s.State, of)
	if err != nil {
		return err
	}
	if k == nil {
		return ErrNoKey
	}
	if err := s.idle(of); err != nil {
		return err
	}
	if s.lasting(k) >= MaxPrior {
		return ErrGrace
	}
	due, err := s.worn(k)
	if err != nil {
		return err
	}
	bond := unit.Amount(0)
	if !due {
		if s.Owns(sender, of.Secret.Account) != nil {
			return ErrNotDue
		}
		bond = s.Config.DkgBond
		if err := s.take(sender, bond); err != nil {
			return err
		}
	}
	s.enqueue(of, &Pending{
		Reshare: true, Quorum: uint32(k.Threshold()), Members: uint32(len(k.Committee)), Requested: s.Height, Requester: sender, Bond: bond,
	})
	return nil
}

// worn reports whether a key's committee is due to be replaced, whoever asks.
func (s *Service) worn(k *ReleaseKey) (bool, error) {
	if s.Height >= k.Reshared+unit.Height(s.Config.ReshareInterval) {
		return true, nil
	}
	for _, id := range k.Committee {
		p, err := LoadProxy(s.State, id)
		if err != nil && !errors.Is(err, ErrProxy) {
			return false, err
		}
		if p == nil || p.Suspended || p.Unbonds > 0 {
			return true, nil
		}
	}
	return false, nil
}

// lasting is how many former committees still serve.
func (s *Service) lasting(k *ReleaseKey) (n int) {
	for i := range k.Prior {
		if s.Height < k.Prior[i].Expires {
			n++
		}
	}
	return n
}

// draw chooses the committees that were asked for before this block, at most drawsPerBlock of them.
//
// Spec: secrets-cbss §5 (selection of proxies).
func (s *Service) draw() error {
	prefix := under(underDraw)
	end := append(bytes.Clone(prefix), be8(uint64(s.Height))...)
	var due [][]byte
	err := s.State.Scan(prefix, nil, drawsPerBlock, func(key, _ []byte) bool {
		if bytes.Compare(key, end) >= 0 {
			return false
		}
		due = append(due, bytes.Clone(key))
		return true
	})
	if err != nil || len(due) == 0 {
		return err
	}
	pool, ids, err := s.pool()
	if err != nil {
		return err
	}
	for _, key := range due {
		s.State.Delete(key)
		of, err := ParseScope(key[len(prefix)+8:])
		if err != nil {
			return err
		}
		p, err := LoadPending(s.State, of)
		if err != nil {
			return err
		}
		if p == nil {
			return errUnexpected
		}
		if len(pool) < int(p.Members) {
			if err := s.abandon(of, p, 0, account.Address{}); err != nil {
				return err
			}
			continue
		}
		p.Committee = s.choose(of, p, pool, ids)
		p.Deadline = s.Height + unit.Height(s.Config.DkgBlocks)
		s.savePending(of, p)
		s.emit(TopicDrawn, scoped(of), uints(p.Deadline), appendHashes(nil, p.Committee))
	}
	return nil
}

// pool is the proxies that may be chosen, ascending by operator, with their weights and identities.
//
// Spec: secrets-cbss §5 (soaked, not suspended; stake × max(0.05, health)).
func (s *Service) pool() (list []job.Candidate, ids map[account.Address]digest.Hash, err error) {
	prefix := under(underOperator)
	ids = map[account.Address]digest.Hash{}
	var operators []account.Address
	err = s.State.Scan(prefix, nil, MaxProxies, func(key, value []byte) bool {
		operator := account.Address(key[len(prefix):])
		operators, ids[operator] = append(operators, operator), digest.Hash(value)
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	for _, operator := range operators {
		p, err := LoadProxy(s.State, ids[operator])
		if err != nil {
			return nil, nil, err
		}
		if p.Serves(s.Height) && p.Stake > 0 {
			hi, lo := bits.Mul64(uint64(p.Stake), max(healthFloor, p.Health))
			list = append(list, job.Candidate{Address: operator, Weight: unit.Uint128{Hi: hi, Lo: lo}})
		}
	}
	return list, ids, nil
}

// choose draws a committee: the preferred ones that serve first, then by weight.
//
//	seed = keccak256("cbss/committee/v1" ‖ epoch be8 ‖ view be8 ‖ seed signature ‖ scope ‖ requested be8)
//
// Spec: secrets-cbss §5 (selection of proxies: by VRF).
func (s *Service) choose(of Scope, p *Pending, pool []job.Candidate, ids map[account.Address]digest.Hash) []digest.Hash {
	var committee []digest.Hash
	rest := slices.Clone(pool)
	for _, id := range p.Preferred {
		if at := slices.IndexFunc(rest, func(c job.Candidate) bool { return ids[c.Address] == id }); at >= 0 {
			committee, rest = append(committee, id), slices.Delete(rest, at, at+1)
		}
	}
	round := binary.BigEndian.AppendUint64(be8(s.Seed.Round.Epoch), s.Seed.Round.View)
	seed := digest.Keccak256([]byte(committeeDomain), round, s.Seed.Signature[:], of.Bytes(), be8(uint64(p.Requested)))
	for _, c := range job.Draw(rest, seed, int(p.Members)-len(committee)) {
		committee = append(committee, ids[c.Address])
	}
	return committee
}

// abandon ends a key that was not made: taken of the bond is lost, of it the reward goes to who says so.
func (s *Service) abandon(of Scope, p *Pending, taken unit.Amount, by account.Address) error {
	taken = min(taken, p.Bond)
	reward := min(s.Config.ExpireReward, taken)
	if err := s.give(by, reward); err != nil {
		return err
	}
	s.burn(taken - reward)
	if err := s.give(p.Requester, p.Bond-taken); err != nil {
		return err
	}
	s.State.Delete(under(underPending, of.Bytes()))
	if !p.Reshare && of.Version > 0 {
		m, err := LoadSecret(s.State, of.Secret)
		if err != nil {
			return err
		}
		s.bury(of.Secret, of.Version)
		if err := s.left(of.Secret, m, slices.DeleteFunc(m.Active, func(v uint64) bool { return v == of.Version })); err != nil {
			return err
		}
	}
	s.emit(TopicExpired, scoped(of), uints(p.Bond-taken))
	return nil
}

// Expire ends a key that was not made in time; anybody may say so. Rejects: ErrNoKey where none is being made, ErrNotDue.
//
// Spec: secrets-cbss §4 (81), §6 (DKG_TIMEOUT_SLASH, EXPIRE_DKG_REWARD).
func (s *Service) Expire(of Scope, by account.Address) error {
	p, err := LoadPending(s.State, of)
	switch {
	case err != nil:
		return err
	case p == nil:
		return ErrNoKey
	case p.Deadline == 0 || s.Height <= p.Deadline:
		return ErrNotDue
	}
	return s.abandon(of, p, s.Config.DkgSlash, by)
}

// Signed is the signature of a member of a committee.
type Signed struct {
	Place     uint8 // from 0
	Signature sig.Signature
}

// Rotate takes the commitments of a key that was made, or passed on. Rejects: ErrNoKey where neither was asked for, ErrEpoch, ErrRotation, ErrGrace,
// ErrSignatures.
//
// Spec: secrets-cbss §4 (74), §5 (RotateCommittee), §10 (3).
func (s *Service) Rotate(of Scope, next Generation, master cbss.Key, signed, prior []Signed) error {
	p, err := LoadPending(s.State, of)
	if err != nil {
		return err
	}
	if p == nil || p.Committee == nil || s.Height > p.Deadline {
		return ErrNoKey
	}
	k, err := LoadKey(s.State, of)
	if err != nil {
		return err
	}
	if (k != nil) != p.Reshare {
		return errUnexpected
	}
	if err := follows(k, p, &next, master); err != nil {
		return err
	}
	rotation := cbss.Rotation{
		ChainID: s.ChainID, Scope: of.Bytes(), Epoch: next.Epoch, Committee: next.Committee, Master: master, Commitments: next.Commitments,
	}
	hash := rotation.Hash()
	if err := s.quorum(next.Committee, next.Threshold(), hash, signed); err != nil {
		return err
	}
	if k == nil {
		k = new(ReleaseKey)
	} else if err := s.retire(of, k, hash, prior); err != nil {
		return err
	}
	for _, id := range next.Committee {
		s.State.Set(membershipKey(id, of), []byte{})
	}
	k.Generation, k.Master, k.Reshared = next, master, s.Height
	s.State.Set(of.key(), k.Encode())
	s.State.Delete(under(underPending, of.Bytes()))
	s.emit(TopicRotated, scoped(of), uints(next.Epoch))
	return s.give(p.Requester, p.Bond)
}

// follows holds a committee to the one that was drawn, and its commitments to the key before.
//
// Spec: secrets-cbss §5 (RotateCommittee), §10 (3).
func follows(k *ReleaseKey, p *Pending, next *Generation, master cbss.Key) error {
	epoch := uint64(1)
	if k != nil {
		if epoch = k.Epoch + 1; master != k.Master {
			return ErrRotation
		}
	}
	switch {
	case next.Epoch != epoch:
		return ErrEpoch
	case !slices.Equal(next.Committee, p.Committee), next.Threshold() != int(p.Quorum), next.Commitments[0] != master:
		return ErrRotation
	}
	for _, c := range next.Commitments {
		if c.Check() != nil {
			return ErrRotation
		}
	}
	return nil
}

// quorum gives ErrSignatures unless at least so many members signed, each once, in the order of their places.
func (s *Service) quorum(committee []digest.Hash, least int, hash digest.Hash, signed []Signed) error {
	if len(signed) < least || len(signed) > len(committee) {
		return ErrSignatures
	}
	for i, one := range signed {
		if int(one.Place) >= len(committee) || i > 0 && one.Place <= signed[i-1].Place {
			return ErrSignatures
		}
		p, err := LoadProxy(s.State, committee[one.Place])
		if errors.Is(err, ErrProxy) {
			return ErrSignatures
		}
		if err != nil {
			return err
		}
		if !signedBy(p.Key, hash, one.Signature) {
			return ErrSignatures
		}
	}
	return nil
}

// retire makes the present committee a former one, which agreed.
//
// Spec: secrets-cbss §2 (PriorCommitteeEpoch), §5, §6 (grace, at most four).
func (s *Service) retire(of Scope, k *ReleaseKey, hash digest.Hash, prior []Signed) error {
	if err := s.quorum(k.Committee, k.Threshold(), hash, prior); err != nil {
		return err
	}
	k.Prior = slices.DeleteFunc(k.Prior, func(g Prior) bool { return s.Height >= g.Expires })
	if len(k.Prior) >= MaxPrior {
		return ErrGrace
	}
	expires := s.Height + unit.Height(s.Config.ReshareGrace)
	k.Prior = append(k.Prior, Prior{k.Generation, expires})
	for _, id := range k.Committee {
		s.State.Delete(membershipKey(id, of))
	}
	s.emit(TopicZeroize, scoped(of), uints(k.Epoch), uints(expires))
	return nil
}

// ReadSigned reads the signature of a member: place(1) ‖ signature(65). Errors stay in r.
func ReadSigned(r *codec.Reader) (g Signed) {
	g.Place = r.U8()
	r.Into(g.Signature[:])
	return g
}

// Append appends what ReadSigned reads.
func (g Signed) Append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(dst, g.Place), g.Signature[:])
}
