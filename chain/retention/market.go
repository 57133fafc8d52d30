package retention

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Market is the market of retention during one turn, or at the end of one block. Methods that return a reject may have written before they found it: the
// caller undoes the turn.
type Market struct {
	State  state.Store
	Height unit.Height // of the block
	Relays *relay.Registry
	Emit   func(topic string, data []byte)
}

// Topics of the events of contracts. The data of each begins with the contract's identity; numbers are UInt.
const (
	TopicCreated  = "retention.created"  // operator(20) ‖ start_epoch ‖ end_epoch ‖ escrow
	TopicAccepted = "retention.accepted" // provider(20) ‖ stake
	TopicAudited  = "retention.audited"  // provider(20) ‖ epoch ‖ audit_id(32) ‖ result(1) ‖ blocks since the epoch began ‖ paid ‖ slashed
	TopicLeft     = "retention.left"     // provider(20) ‖ stake that it got back ‖ 1 after the last strike, else 0
	TopicRenewed  = "retention.renewed"  // end_epoch ‖ escrow
	TopicClosed   = "retention.closed"   // what the operator got back
)

func (m *Market) emit(topic string, id digest.Hash, parts ...[]byte) {
	data := append([]byte(nil), id[:]...)
	for _, p := range parts {
		data = append(data, p...)
	}
	m.Emit(topic, data)
}

func uvar[T ~uint64](n T) []byte { return codec.AppendUint(nil, uint64(n)) }

func (m *Market) save(id digest.Hash, c *Contract) {
	m.State.Set(under(underContract, id[:]), c.Encode())
}

func (m *Market) keep(id digest.Hash, who account.Address, c *Commitment) {
	m.State.Set(under(underProvider, id[:], who[:]), c.Encode())
}

// Request is what a new contract is to be.
type Request struct {
	Feed     digest.Hash
	Blobs    []byte // each BlobBytes: reference ‖ root over its pieces
	Policy   Policy
	Metadata []byte
}

// blobs reads the blobs of a request. Rejects: ErrTerms, cbfs.ErrBlob.
//
// Spec: storage-cbfs §7 (blob_refs, chunking).
func (r *Request) blobs() (list []Blob, err error) {
	if n := len(r.Blobs); n == 0 || n%BlobBytes != 0 || n > MaxBlobs*BlobBytes {
		return nil, ErrTerms
	}
	for raw := range slices.Chunk(r.Blobs, BlobBytes) {
		ref, err := cbfs.DecodeBlobRef(raw[:cbfs.BlobRefSize])
		if err != nil {
			return nil, err
		}
		size := ref.ChunkSize
		if size < cbfs.MinPieceBytes || size > cbfs.MaxPieceBytes || size&(size-1) != 0 || ref.Size == 0 || ref.Size > cbfs.MaxBlobBytes {
			return nil, cbfs.ErrBlob
		}
		list = append(list, Blob{*ref, digest.Hash(raw[cbfs.BlobRefSize:])})
	}
	return list, nil
}

// check holds a policy to its bounds. Reject: ErrTerms.
func (p *Policy) check(now uint64, blobs []Blob) error {
	slashes := p.Penalty != NoPay
	switch {
	case p.Start <= now || p.Start > now+MaxAhead || p.End <= p.Start || p.End-p.Start > MaxEpochs:
		return ErrTerms
	case p.Replicas == 0 || p.Replicas > MaxReplicas || p.Cadence == 0 || p.Cadence > MaxCadence:
		return ErrTerms
	case p.Samples == 0 || p.Samples > MaxSamples || p.Sampling >= samplings || p.Penalty >= penalties || (p.Sampling == ByRange) == (p.SampleSize == 0):
		return ErrTerms
	case p.Rate == 0 || p.Strikes == 0 || p.Strikes > MaxStrikes:
		return ErrTerms
	case slashes != (p.Slash > 0 || p.SlashBPS > 0) || p.Slash > 0 && p.SlashBPS > 0 || p.SlashBPS > params.BasisPoints:
		return ErrTerms
	case slashes && p.Stake == 0 || p.Slash > p.Stake:
		return ErrTerms
	}
	for i := range blobs {
		ref := &blobs[i].Ref
		each := uint64(1)
		if p.Sampling == ByRange {
			if p.SampleSize > ref.ChunkSize {
				return ErrTerms
			}
			each = 2
		}
		path := uint64(bits.Len64(ref.Pieces()-1)) * digest.Size
		if uint64(p.Samples)*each*(uint64(ref.ChunkSize)+path) > MaxAnswerBytes {
			return ErrTerms
		}
	}
	return nil
}

// most is what the providers of all seats earn in so many epochs.
func (p *Policy) most(epochs uint64) (unit.Amount, error) {
	each, err := p.Rate.Mul(epochs)
	if err != nil {
		return 0, err
	}
	return each.Mul(uint64(p.Replicas))
}

// ContractID is keccak256("cbfs:retention:v1" ‖ operator ‖ turn ‖ blobs ‖ policy): of one turn no two contracts are the same.
func ContractID(operator account.Address, turn digest.Hash, blobs []byte, p *Policy) digest.Hash {
	return digest.Keccak256([]byte("cbfs:retention:v1"), operator[:], turn[:], blobs, p.append(nil))
}

// Create makes a contract of the operator's. The coins, which lie at 0x0A, go into escrow. Rejects: ErrTerms, cbfs.ErrBlob, ErrEscrow, ErrTaken.
//
// Spec: storage-cbfs §7; WP §17.6 (in escrow).
func (m *Market) Create(operator account.Address, turn digest.Hash, r Request, coins unit.Amount) (digest.Hash, error) {
	blobs, err := r.blobs()
	if err != nil {
		return digest.Hash{}, err
	}
	p := &r.Policy
	if err := p.check(EpochOf(m.Height), blobs); err != nil || len(r.Metadata) > MaxMetadataBytes {
		return digest.Hash{}, ErrTerms
	}
	if least, err := p.most(p.End - p.Start); err != nil || coins < least {
		return digest.Hash{}, ErrEscrow
	}
	id := ContractID(operator, turn, r.Blobs, p)
	if _, err := Load(m.State, id); err == nil {
		return id, ErrTaken
	} else if err != ErrNotFound {
		return id, err
	}
	if err := account.Move(m.State, Home(), relay.Home(), coins); err != nil {
		return id, err
	}
	m.save(id, &Contract{Operator: operator, Feed: r.Feed, Blobs: blobs, Policy: *p, Metadata: r.Metadata, Escrow: coins})
	m.State.Set(dueKey(closing(p), id, account.Address{}), nil)
	m.emit(TopicCreated, id, operator[:], uvar(p.Start), uvar(p.End), uvar(coins))
	return id, nil
}

// closing is the block a contract is forgotten in: the last of its grace.
//
// Spec: storage-cbfs §7 (10 epochs of grace).
func closing(p *Policy) unit.Height { return lastOf(p.End + GraceEpochs - 1) }

// audit is the first epoch from at on whose audit a provider has to answer: each Cadence epochs from the start, and the last one; 0 where there is none.
//
// Spec: storage-cbfs §7 (audit_cadence).
func (p *Policy) audit(at uint64) uint64 {
	if at >= p.End {
		return 0
	}
	at = max(at, p.Start)
	return min(p.Start+((at-p.Start)/p.Cadence+1)*p.Cadence-1, p.End-1)
}

// Accept gives a relay a seat of the contract. The coins, which lie at 0x0A, are its stake. Rejects: ErrNotFound, ErrOver, ErrSeat, ErrTaken, ErrTerms,
// ErrProvider, ErrStake.
//
// Spec: storage-cbfs §7 (ProviderCommitment).
func (m *Market) Accept(by account.Address, id digest.Hash, endpoint string, coins unit.Amount) error {
	c, err := Load(m.State, id)
	if err != nil {
		return err
	}
	p, now := &c.Policy, EpochOf(m.Height)
	switch {
	case now+1 >= p.End:
		return ErrOver
	case len(endpoint) > MaxEndpointBytes || !utf8.ValidString(endpoint):
		return ErrTerms
	case slices.Contains(c.Providers, by):
		return ErrTaken
	case len(c.Providers) >= int(p.Replicas):
		return ErrSeat
	case coins != p.Stake:
		return ErrStake
	}
	r, err := relay.Load(m.State, by)
	switch {
	case err == relay.ErrUnknown || err == nil && r.Status != relay.Active:
		return ErrProvider
	case err != nil:
		return err
	}
	if err := account.Move(m.State, Home(), relay.Home(), coins); err != nil {
		return err
	}
	c.Providers = append(c.Providers, by)
	m.save(id, c)
	one := &Commitment{Stake: coins, Endpoint: endpoint, Accepted: now, From: max(now+1, p.Start)}
	m.schedule(id, by, p, one, one.From)
	m.keep(id, by, one)
	m.emit(TopicAccepted, id, by[:], uvar(coins))
	return nil
}

// schedule sets the audit a provider has to answer next, in the epoch at or after it.
func (m *Market) schedule(id digest.Hash, who account.Address, p *Policy, c *Commitment, at uint64) {
	if c.Audit > 0 {
		m.State.Delete(dueKey(lastOf(c.Audit), id, who))
	}
	if c.Audit = p.audit(at); c.Audit > 0 {
		m.State.Set(dueKey(lastOf(c.Audit), id, who), nil)
	}
}

// Renew pays for the epochs up to another end. In the grace, whose epochs are not paid, the contract begins anew with the next epoch. Rejects: ErrNotFound,
// ErrAuth, ErrOver, ErrTerms, ErrEscrow.
//
// Spec: storage-cbfs §7 (10 epochs of grace).
func (m *Market) Renew(by account.Address, id digest.Hash, end uint64, coins unit.Amount) error {
	c, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case c.Operator != by:
		return ErrAuth
	}
	p, now := &c.Policy, EpochOf(m.Height)
	before := p.End
	m.State.Delete(dueKey(closing(p), id, account.Address{}))
	switch {
	case now >= p.End+GraceEpochs:
		return ErrOver
	case now >= p.End:
		p.Start, before = now+1, now+1
	}
	if end <= before || end > now+MaxEpochs {
		return ErrTerms
	}
	least, err := p.most(end - before)
	if err != nil || coins < least {
		return ErrEscrow
	}
	if err := account.Move(m.State, Home(), relay.Home(), coins); err != nil {
		return err
	}
	p.End = end
	c.Escrow += coins // of a balance, which together fit
	m.save(id, c)
	m.State.Set(dueKey(closing(p), id, account.Address{}), nil)
	for _, who := range c.Providers {
		one, err := LoadCommitment(m.State, id, who)
		if err != nil {
			return err
		}
		// What a provider was not paid for by the old end it is not paid for afterwards.
		if p.Start == before {
			one.From = p.Start
		}
		if one.Audit == 0 || p.audit(one.Audit) != one.Audit {
			m.schedule(id, who, p, one, max(one.From, now+1, p.Start))
		}
		m.keep(id, who, one)
	}
	m.emit(TopicRenewed, id, uvar(end), uvar(c.Escrow))
	return nil
}

// Leave gives a provider its stake back after the end. Rejects: ErrNotFound, ErrAuth, ErrOver.
func (m *Market) Leave(by account.Address, id digest.Hash) error {
	c, err := Load(m.State, id)
	if err != nil {
		return err
	}
	one, err := LoadCommitment(m.State, id, by)
	switch {
	case err != nil:
		return err
	case EpochOf(m.Height) < c.Policy.End || one.Audit > 0:
		return ErrOver
	}
	if err := m.vacate(id, c, by, one, false); err != nil {
		return err
	}
	m.save(id, c)
	return nil
}

// Cancel ends a contract that nobody provides for, and gives the operator its coins back. Rejects: ErrNotFound, ErrAuth, ErrTaken.
func (m *Market) Cancel(by account.Address, id digest.Hash) error {
	c, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case c.Operator != by:
		return ErrAuth
	case len(c.Providers) > 0:
		return ErrTaken
	}
	m.State.Delete(dueKey(closing(&c.Policy), id, account.Address{}))
	return m.close(id, c)
}

// vacate frees a provider's seat and pays what is left of its stake. The caller saves c.
func (m *Market) vacate(id digest.Hash, c *Contract, who account.Address, one *Commitment, struck bool) error {
	if one.Audit > 0 {
		m.State.Delete(dueKey(lastOf(one.Audit), id, who))
	}
	m.State.Delete(under(underProvider, id[:], who[:]))
	c.Providers = slices.DeleteFunc(c.Providers, func(a account.Address) bool { return a == who })
	m.emit(TopicLeft, id, who[:], uvar(one.Stake), codec.AppendBool(nil, struck))
	return m.Relays.Pay(who, one.Stake)
}

// close forgets a contract: its providers get their stakes, its operator the rest.
func (m *Market) close(id digest.Hash, c *Contract) error {
	for _, who := range slices.Clone(c.Providers) {
		one, err := LoadCommitment(m.State, id, who)
		if err != nil {
			return err
		}
		if err := m.vacate(id, c, who, one, false); err != nil {
			return err
		}
	}
	m.State.Delete(under(underContract, id[:]))
	m.emit(TopicClosed, id, uvar(c.Escrow))
	return m.Relays.Pay(c.Operator, c.Escrow)
}

// AuditID is keccak256(epoch_randomness ‖ contract ‖ provider ‖ epoch as be8).
//
// Spec: storage-cbfs §7 (audit_id).
func AuditID(random, contract digest.Hash, provider account.Address, epoch uint64) digest.Hash {
	return digest.Keccak256(random[:], contract[:], provider[:], binary.BigEndian.AppendUint64(nil, epoch))
}
