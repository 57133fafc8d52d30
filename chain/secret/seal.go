package secret

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// sealDomain separates what receipts of SealRequests, and answers to them, are for.
const sealDomain = "cbss/stream-seal/v1"

// SealPrice is what a publisher's committee takes for a SealRequest: the fee of a receipt, and how many receipts it takes; 0 for one without a release key.
//
// Spec: secrets-cbss §6 (RELEASE_FEE_PER_RECEIPT), §11.
func (s *Service) SealPrice(publisher account.Address) (unit.Amount, uint64, error) {
	k, err := LoadKey(s.State, AccountScope(publisher))
	if err != nil || k == nil {
		return 0, 0, err
	}
	return s.Config.ReleaseFee, uint64(k.Threshold()), nil
}

// SealContext is what a proxy's answer to a SealRequest is sealed for, and its receipt is of: keccak256("cbss/stream-seal/v1" ‖ chain_id be8 ‖ number be8 ‖
// stream ‖ beneficiary ‖ from be8 ‖ to be8 ‖ account_key_id be8 ‖ generation be8 ‖ emitted be8 ‖ proxy), so that neither serves for another request or proxy.
//
// Spec: secrets-cbss §10 (1, 2).
func SealContext(chainID, number uint64, q *stream.Request, proxy digest.Hash) digest.Hash {
	dst := codec.AppendU64(codec.AppendU64([]byte(sealDomain), chainID), number)
	dst = append(append(dst, q.Stream[:]...), q.Beneficiary[:]...)
	for _, n := range [...]uint64{q.From, q.To, q.Key, q.Generation, uint64(q.Emitted)} {
		dst = codec.AppendU64(dst, n)
	}
	return digest.Keccak256(append(dst, proxy[:]...))
}

// SealTask is a SealRequest that a member of a committee may answer.
type SealTask struct {
	Number     uint64
	Request    *stream.Request
	Publisher  account.Address
	Public     [stream.KeySize]byte // X25519, the beneficiary's
	Generation *Generation          // that serves
	Master     cbss.Key
}

// sealed finds who answers a request, which is the publisher's committee of the present epoch. Rejects: ErrNoKey, ErrNotMember.
func (s *Service) sealed(n uint64, q *stream.Request, proxy digest.Hash) (*SealTask, error) {
	c, err := stream.LoadConfig(s.State, q.Stream)
	if err != nil {
		return nil, err
	}
	k, err := LoadKey(s.State, AccountScope(c.Owner))
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, ErrNoKey
	}
	if k.PlaceOf(proxy) == 0 {
		return nil, ErrNotMember
	}
	return &SealTask{Number: n, Request: q, Publisher: c.Owner, Generation: &k.Generation, Master: k.Master}, nil
}

// identity is what the receipt of a request is of: that of its first key epoch.
func (t *SealTask) identity(chainID uint64) *cbss.Identity {
	return cbss.StreamIdentity(chainID, t.Publisher, t.Master, t.Request.Stream, t.Request.From)
}

// SealReceipt takes a proxy's receipt of an open SealRequest, from its operator: a blinded partial of the first key epoch. The manager of streams pays for it.
// Rejects: ErrProxy for an operator without one, ErrSealRequest, ErrSealUnpaid, ErrNoKey, ErrNotMember, ErrStaleEpoch, ErrRecorded, ErrPartial.
//
// Spec: secrets-cbss §5 (the chain validates a receipt), §10 (1), §11.
func (s *Service) SealReceipt(m *stream.Manager, operator account.Address, n, epoch uint64, b *cbss.Blinded) error {
	id, err := ProxyOf(s.State, operator)
	if err != nil {
		return err
	}
	q, status, err := stream.LoadRequest(s.State, n, s.Height)
	switch {
	case err != nil:
		return err
	case q == nil || status != stream.Emitted:
		return ErrSealRequest
	case q.Quorum == 0:
		return ErrSealUnpaid
	}
	t, err := s.sealed(n, q, id)
	switch {
	case err != nil:
		return err
	case epoch != t.Generation.Epoch:
		return ErrStaleEpoch
	case slices.Contains(q.Receipts, id):
		return ErrRecorded
	}
	if b.Check(t.identity(s.ChainID), t.Generation.Commitments, t.Generation.PlaceOf(id), SealContext(s.ChainID, n, q, id)) != nil {
		return ErrPartial
	}
	if err := m.Answered(n, id, operator); err != nil {
		return err
	}
	s.emit(TopicSealReceipt, id[:], uints(n), uints(q.Fee))
	return nil
}

// AdmitSeal says whether a proxy may answer a SealRequest, to whoever asks: it is paid for and open, or sealed, and its key is active. Rejects: ErrSealRequest,
// ErrSealUnpaid, ErrNoKey, ErrNotMember.
//
// Spec: secrets-cbss §5 (proxy admission), §11; gateway-payments-streams §E.2.
func (s *Service) AdmitSeal(n uint64, proxy digest.Hash) (*SealTask, error) {
	q, status, err := stream.LoadRequest(s.State, n, s.Height)
	switch {
	case err != nil:
		return nil, err
	case q == nil || status != stream.Emitted && status != stream.Sealed:
		return nil, ErrSealRequest
	case q.Quorum == 0:
		return nil, ErrSealUnpaid
	}
	keys, err := stream.LoadKeys(s.State, q.Beneficiary)
	if err != nil {
		return nil, err
	}
	public, ok := keys.Public(q.Key)
	if !ok {
		return nil, ErrSealRequest
	}
	t, err := s.sealed(n, q, proxy)
	if err != nil {
		return nil, err
	}
	t.Public = public
	return t, nil
}

// SealRejected gives the text of a reject of AdmitSeal; false for nil and for errors that are of the machine.
func SealRejected(err error) (string, bool) {
	for _, reject := range [...]error{ErrSealRequest, ErrSealUnpaid, ErrNoKey, ErrNotMember} {
		if errors.Is(err, reject) {
			return reject.Error(), true
		}
	}
	return "", false
}

// DueSeal is a SealRequest that wants a proxy's receipt.
type DueSeal struct {
	Number  uint64
	Scope   Scope
	Data    []byte      // the associated data of the first key epoch
	Context digest.Hash // of the receipt
	Epoch   uint64      // of the committee that is asked

	Members, Quorum int // of that committee
}

// DueSeals lists the SealRequests that want a proxy's receipt, the first to expire first and at most limit, of the maxWork that expire first.
//
// Spec: secrets-cbss §11.
func (s *Service) DueSeals(proxy digest.Hash, limit int) (list []DueSeal, err error) {
	open, err := stream.Open(s.State, s.Height, maxWork)
	if err != nil {
		return nil, err
	}
	for _, n := range open {
		if len(list) == limit {
			break
		}
		q, status, err := stream.LoadRequest(s.State, n, s.Height)
		if err != nil {
			return nil, err
		}
		if q == nil || status != stream.Emitted || slices.Contains(q.Receipts, proxy) {
			continue
		}
		t, err := s.sealed(n, q, proxy)
		if errors.Is(err, ErrNoKey) || errors.Is(err, ErrNotMember) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, DueSeal{
			Number: n, Scope: AccountScope(t.Publisher), Data: t.identity(s.ChainID).Bytes(), Context: SealContext(s.ChainID, n, q, proxy),
			Epoch: t.Generation.Epoch, Members: len(t.Generation.Committee), Quorum: t.Generation.Threshold(),
		})
	}
	return list, nil
}

// wrongSealed wants an answer to a SealRequest, after the index of a partial in it that is not that of the proxy's share: index(1) ‖ answer. It
// gives what the proxy signed. Reject: ErrEvidence.
//
// Spec: secrets-cbss §5 (InvalidPartialReencrypt), §10 (1).
func (s *Service) wrongSealed(id digest.Hash, p *Proxy, evidence []byte) (of digest.Hash, err error) {
	if len(evidence) == 0 {
		return of, ErrEvidence
	}
	index := int(evidence[0])
	a, signature, err := cbss.ParseSealAnswer(evidence[1:])
	if err != nil || a.Proxy != id || a.ChainID != s.ChainID || index >= len(a.Partials) || !signedBy(p.Key, a.Hash(), signature) {
		return of, ErrEvidence
	}
	k, err := LoadKey(s.State, AccountScope(a.Publisher))
	if err != nil {
		return of, err
	}
	if k == nil {
		return of, ErrEvidence
	}
	g := k.kept(a.Epoch)
	if g == nil || g.PlaceOf(id) == 0 {
		return of, ErrEvidence
	}
	partial := cbss.Partial{Place: g.PlaceOf(id), Point: a.Partials[index]}
	if !errors.Is(cbss.CheckPartial(a.Identity(index, k.Master), g.Commitments, partial), cbss.ErrPartial) {
		return of, ErrEvidence
	}
	return a.Hash(), nil
}
