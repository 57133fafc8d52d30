package retention

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the end of one block does at most; the rest is the next one's. The end of a contract pays up to 16 providers.
const (
	StepsPerBlock = 32
	closeSteps    = 8 // steps that the end of a contract counts for
)

// Place is a piece of a contract's blob.
type Place struct {
	Blob  int // of the contract's
	Piece uint64
}

// Asked is what an audit asks for, in order. Of BLAKE3(audit_id ‖ be4 sample) the first eight bytes, big-endian, modulo the pieces or the bytes of all blobs
// one after another are the piece, or where the range begins, which ends with its blob.
//
// Spec: storage-cbfs §7 (sampling).
func (c *Contract) Asked(audit digest.Hash) (list []Place) {
	var whole uint64
	for i := range c.Blobs {
		whole += c.extent(i)
	}
	for n := range uint32(c.Policy.Samples) {
		h := digest.Blake3(audit[:], binary.BigEndian.AppendUint32(nil, n))
		at, i := binary.BigEndian.Uint64(h[:])%whole, 0
		for ; at >= c.extent(i); i++ {
			at -= c.extent(i)
		}
		if c.Policy.Sampling == ByIndex {
			list = append(list, Place{i, at})
			continue
		}
		ref := &c.Blobs[i].Ref
		end := min(at+uint64(c.Policy.SampleSize), ref.Size)
		for piece := at / uint64(ref.ChunkSize); piece <= (end-1)/uint64(ref.ChunkSize); piece++ {
			list = append(list, Place{i, piece})
		}
	}
	return list
}

// extent is how many pieces or bytes of a blob can be drawn.
func (c *Contract) extent(i int) uint64 {
	if c.Policy.Sampling == ByIndex {
		return c.Blobs[i].Ref.Pieces()
	}
	return c.Blobs[i].Ref.Size
}

// Prove answers the audit of this epoch. Pieces that are not the blob's are a strike, and no reject: right tells. Rejects: ErrNotFound, ErrAuth, ErrAudit,
// cbfs.ErrProofForm.
//
// Spec: storage-cbfs §7 (every sample must pass).
func (m *Market) Prove(by account.Address, id digest.Hash, pieces []cbfs.Piece) (right bool, err error) {
	c, err := Load(m.State, id)
	if err != nil {
		return false, err
	}
	one, err := LoadCommitment(m.State, id, by)
	if err != nil {
		return false, err
	}
	seed, err := LoadSeed(m.State)
	if err != nil {
		return false, err
	}
	if now := EpochOf(m.Height); one.Audit != now || seed.Epoch != now || now == 0 {
		return false, ErrAudit
	}
	asked := c.Asked(AuditID(seed.Random, id, by, seed.Epoch))
	if len(pieces) != len(asked) {
		return false, cbfs.ErrProofForm
	}
	result := Success
	for i, at := range asked {
		b := &c.Blobs[at.Blob]
		if pieces[i].Verify(&b.Ref, b.Root, at.Piece) != nil {
			result = InvalidBytes
			break
		}
	}
	if err := m.judge(id, c, by, one, result); err != nil {
		return false, err
	}
	m.save(id, c)
	return result == Success, nil
}

// judge ends a provider's audit: what it earned is paid, what it loses is shared out, and its next audit is set, unless this was its last strike. The caller
// saves c.
//
// Spec: storage-cbfs §7 (payment_terms, penalty_terms), §6 (10/2/88).
func (m *Market) judge(id digest.Hash, c *Contract, who account.Address, one *Commitment, result Result) error {
	p, epoch := &c.Policy, one.Audit
	var pay, slashed unit.Amount
	var err error
	if result == Success || p.Penalty == Slash {
		if pay, err = p.Rate.Mul(epoch + 1 - one.From); err != nil {
			return err
		}
	}
	one.From = epoch + 1
	if result == Success {
		one.Proven++
	} else {
		one.Strikes++
		if slashed, err = p.loss(); err != nil {
			return err
		}
		slashed = min(slashed, one.Stake)
	}
	var audit digest.Hash
	if seed, err := LoadSeed(m.State); err == nil && seed.Epoch == epoch {
		audit = AuditID(seed.Random, id, who, epoch)
	} else if err != nil && err != ErrAudit {
		return err
	}
	since := uint64(m.Height) - epoch*EpochBlocks
	m.emit(TopicAudited, id, who[:], uvar(epoch), audit[:], []byte{byte(result)}, uvar(since), uvar(pay), uvar(slashed))
	c.Escrow -= pay
	if err := m.Relays.Pay(who, pay); err != nil {
		return err
	}
	if slashed > 0 {
		one.Stake -= slashed
		if err := m.Relays.Forfeit(who, slashed); err != nil {
			return err
		}
	}
	if one.Strikes >= p.Strikes {
		return m.vacate(id, c, who, one, true)
	}
	m.schedule(id, who, p, one, max(one.From, EpochOf(m.Height)+1))
	m.keep(id, who, one)
	return nil
}

// loss is what a strike takes of a stake.
func (p *Policy) loss() (unit.Amount, error) {
	if p.SlashBPS > 0 {
		return p.Stake.MulDiv(p.SlashBPS, params.BasisPoints)
	}
	return p.Slash, nil
}

// End is the market's part of a block's end: the randomness of an epoch that begins, audits that were not answered, and contracts that end.
//
// Spec: storage-cbfs §7.
func (m *Market) End() error {
	k, err := relay.LoadClock(m.State)
	if err != nil || k.Epoch == 0 {
		return err
	}
	if uint64(m.Height)%EpochBlocks == 0 {
		s := Seed{EpochOf(m.Height), cbfs.Randomness(m.Relays.Beacon)}
		m.State.Set(under(keySeed), s.Encode())
	}
	prefix := under(underDue)
	var keys [][]byte
	err = m.State.Scan(prefix, nil, StepsPerBlock, func(key, _ []byte) bool {
		if unit.Height(binary.BigEndian.Uint64(key[len(prefix):])) > m.Height {
			return false
		}
		keys = append(keys, append([]byte(nil), key[len(prefix)+8:]...))
		return true
	})
	for i, work := 0, 0; err == nil && i < len(keys) && work < StepsPerBlock; i++ {
		id, who := digest.Hash(keys[i][:digest.Size]), account.Address(keys[i][digest.Size:])
		if who.IsZero() {
			work += closeSteps
			err = m.expire(id)
			continue
		}
		work++
		err = m.miss(id, who)
	}
	return err
}

// expire ends a contract whose grace is over.
func (m *Market) expire(id digest.Hash) error {
	c, err := Load(m.State, id)
	if err != nil {
		return err
	}
	m.State.Delete(dueKey(closing(&c.Policy), id, account.Address{}))
	return m.close(id, c)
}

// miss is an audit that was not answered in its epoch, whenever the chain comes to it.
func (m *Market) miss(id digest.Hash, who account.Address) error {
	c, err := Load(m.State, id)
	if err != nil {
		return err
	}
	one, err := LoadCommitment(m.State, id, who)
	if err != nil {
		return err
	}
	if err := m.judge(id, c, who, one, Timeout); err != nil {
		return err
	}
	m.save(id, c)
	return nil
}
