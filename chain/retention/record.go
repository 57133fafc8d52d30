package retention

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds.
//
// Spec: storage-cbfs §7.
const (
	EpochBlocks      = 600
	GraceEpochs      = 10
	MaxBlobs         = 16
	MaxReplicas      = 16
	MaxEpochs        = params.BlocksPerYear / EpochBlocks // of a contract
	MaxAhead         = 30 * params.BlocksPerDay / EpochBlocks
	MaxCadence       = params.BlocksPerDay / EpochBlocks
	MaxSamples       = 4
	MaxStrikes       = 100
	MaxMetadataBytes = 256
	MaxEndpointBytes = 256
	MaxAnswerBytes   = 15_360
	// BlobBytes is the length of a blob in a call: its reference and the root over its pieces.
	BlobBytes = cbfs.BlobRefSize + digest.Size
)

// The rejects of this package, beside cbfs.ErrBlob, cbfs.ErrProofForm and those of package relay.
var (
	ErrNotFound = errors.New("retention: there is no contract of this identity")
	ErrAuth     = errors.New("retention: this is for the contract's operator, or for one of its providers")
	ErrTerms    = errors.New("retention: a term of the contract is outside its bounds")
	ErrEscrow   = errors.New("retention: the coins do not cover what the providers may earn")
	ErrSeat     = errors.New("retention: no seat is free, or the relay has one")
	ErrProvider = errors.New("retention: a provider is an active relay")
	ErrStake    = errors.New("retention: a provider stakes what the contract asks for, exactly")
	ErrAudit    = errors.New("retention: nothing is asked of the provider in this block")
	ErrOver     = errors.New("retention: the contract is over, or it is not yet")
	ErrTaken    = errors.New("retention: there is this contract already, or somebody provides for it")
)

// Sampling is what a sample is.
//
// Spec: storage-cbfs §7 (sampling).
type Sampling uint8

// The samplings.
const (
	ByIndex Sampling = iota // a piece
	ByRange                 // a range of bytes, answered by the pieces it lies in
	samplings
)

// String names the sampling as the documents do.
func (s Sampling) String() string {
	if s >= samplings {
		return "unknown"
	}
	return [...]string{"CHUNK_INDEX", "RANGE"}[s]
}

// Penalty is what a strike costs.
//
// Spec: storage-cbfs §7 (penalty_terms).
type Penalty uint8

// The penalties.
const (
	NoPay Penalty = iota
	Slash
	Both
	penalties
)

// String names the penalty as the documents do.
func (p Penalty) String() string {
	if p >= penalties {
		return "unknown"
	}
	return [...]string{"NO_PAY", "SLASH", "BOTH"}[p]
}

// Result is how an audit ended.
//
// Spec: storage-cbfs §7 (AvailabilityAttestation).
type Result uint8

// The results.
const (
	Success Result = iota
	Timeout
	InvalidBytes
)

// Blob is a blob of a contract: its reference, and the root over its pieces.
type Blob struct {
	Ref  cbfs.BlobRef
	Root digest.Hash
}

// Policy is what is agreed (RetentionPolicy). Epochs are of EpochBlocks blocks, counted from height 0.
//
// Spec: storage-cbfs §7.
type Policy struct {
	Start, End uint64 // epochs; End is the first that is not paid
	Replicas   uint8  // min_replica_count
	Cadence    uint64 // audit_cadence: epochs from one audit to the next
	Sampling   Sampling
	SampleSize uint32 // of a range, bytes
	Samples    uint8
	Rate       unit.Amount // rate_per_epoch, of each provider
	Penalty    Penalty
	Stake      unit.Amount // of each provider
	Slash      unit.Amount // a strike takes; or
	SlashBPS   uint64      // so many ten-thousandths of Stake
	Strikes    uint8       // max_strikes
}

// Contract is a contract (RetentionContract).
//
// Spec: storage-cbfs §7.
type Contract struct {
	Operator  account.Address
	Feed      digest.Hash // feed_id; zero: none
	Blobs     []Blob
	Policy    Policy
	Metadata  []byte
	Escrow    unit.Amount // at 0x0B
	Providers []account.Address
}

// Commitment is a provider's part in a contract (ProviderCommitment).
//
// Spec: storage-cbfs §7.
type Commitment struct {
	Stake    unit.Amount // what is left of it, at 0x0B
	Endpoint string      // service_endpoint; "": that of the relay
	Accepted uint64      // epoch
	From     uint64      // the first epoch it was not paid for yet
	Audit    uint64      // the epoch of its next audit; 0: none before the end
	Strikes  uint8
	Proven   uint64 // audits
}

// Seed is the randomness of an epoch.
type Seed struct {
	Epoch  uint64
	Random digest.Hash
}

func (p *Policy) append(dst []byte) []byte {
	dst = append(codec.AppendUint(codec.AppendUint(dst, p.Start), p.End), p.Replicas)
	dst = append(codec.AppendUint(dst, p.Cadence), byte(p.Sampling))
	dst = append(codec.AppendUint(dst, uint64(p.SampleSize)), p.Samples)
	dst = append(codec.AppendUint(dst, uint64(p.Rate)), byte(p.Penalty))
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(p.Stake)), uint64(p.Slash)), p.SlashBPS)
	return append(dst, p.Strikes)
}

func readPolicy(r *codec.Reader) (p Policy) {
	p.Start, p.End, p.Replicas = r.Uint(), r.Uint(), r.U8()
	p.Cadence, p.Sampling = r.Uint(), Sampling(r.Tag(uint8(samplings)))
	p.SampleSize, p.Samples = r.Uint32(), r.U8()
	p.Rate, p.Penalty = unit.Amount(r.Uint()), Penalty(r.Tag(uint8(penalties)))
	p.Stake, p.Slash, p.SlashBPS, p.Strikes = unit.Amount(r.Uint()), unit.Amount(r.Uint()), r.Uint(), r.U8()
	return p
}

// Encode is the record in state: the fields in their order.
func (c *Contract) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, c.Operator[:]), c.Feed[:])
	dst = codec.AppendLen(dst, len(c.Blobs))
	for i := range c.Blobs {
		dst = codec.AppendFixed(codec.AppendFixed(dst, c.Blobs[i].Ref.Encode()), c.Blobs[i].Root[:])
	}
	dst = codec.AppendUint(codec.AppendBytes(c.Policy.append(dst), c.Metadata), uint64(c.Escrow))
	dst = codec.AppendLen(dst, len(c.Providers))
	for i := range c.Providers {
		dst = codec.AppendFixed(dst, c.Providers[i][:])
	}
	return dst
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Contract, error) {
	r, c := codec.NewReader(data), new(Contract)
	r.Into(c.Operator[:])
	r.Into(c.Feed[:])
	for range r.Len(0, MaxBlobs, BlobBytes) {
		ref, err := cbfs.DecodeBlobRef(r.Fixed(cbfs.BlobRefSize))
		if err != nil {
			return nil, err
		}
		b := Blob{Ref: *ref}
		r.Into(b.Root[:])
		c.Blobs = append(c.Blobs, b)
	}
	c.Policy = readPolicy(r)
	c.Metadata, c.Escrow = r.Bytes(MaxMetadataBytes), unit.Amount(r.Uint())
	for range r.Len(0, MaxReplicas, account.AddressSize) {
		var a account.Address
		r.Into(a[:])
		c.Providers = append(c.Providers, a)
	}
	return c, r.Finish()
}

// Encode is the record in state: the fields in their order.
func (c *Commitment) Encode() []byte {
	dst := codec.AppendBytes(codec.AppendUint(nil, uint64(c.Stake)), []byte(c.Endpoint))
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, c.Accepted), c.From), c.Audit)
	return codec.AppendUint(append(dst, c.Strikes), c.Proven)
}

// DecodeCommitment reads what Encode wrote.
func DecodeCommitment(data []byte) (*Commitment, error) {
	r := codec.NewReader(data)
	c := &Commitment{Stake: unit.Amount(r.Uint()), Endpoint: string(r.Bytes(MaxEndpointBytes)), Accepted: r.Uint(), From: r.Uint(), Audit: r.Uint()}
	c.Strikes, c.Proven = r.U8(), r.Uint()
	return c, r.Finish()
}

// Encode is the record in state: UInt epoch ‖ random(32).
func (s *Seed) Encode() []byte { return codec.AppendFixed(codec.AppendUint(nil, s.Epoch), s.Random[:]) }

// DecodeSeed reads what Encode wrote.
func DecodeSeed(data []byte) (*Seed, error) {
	r := codec.NewReader(data)
	s := &Seed{Epoch: r.Uint()}
	r.Into(s.Random[:])
	return s, r.Finish()
}

// What the keys begin with, after the address of the manager.
const (
	underContract = "ret:contract:"
	underProvider = "ret:provider:"
	underDue      = "ret:due:"
	keySeed       = "ret:seed"
)

// Home is where contracts lie. Their coins are at relay.Home.
func Home() account.Address { return account.System(account.StorageManager) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func dueKey(at unit.Height, id digest.Hash, who account.Address) []byte {
	return under(underDue, binary.BigEndian.AppendUint64(nil, uint64(at)), id[:], who[:])
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...]struct{ suffix, holds string }{
		{underContract, "retention contracts"}, {underProvider, "providers of retention contracts"},
		{underDue, "audits and ends of retention contracts, by their block"}, {keySeed, "the randomness of the epoch's audits"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c.suffix, c.holds, c.suffix == keySeed))
	}
	return list
}

// Load reads a contract. Reject: ErrNotFound.
func Load(r state.Reader, id digest.Hash) (*Contract, error) {
	return state.Require(r, under(underContract, id[:]), Decode, ErrNotFound)
}

// LoadCommitment reads a provider's part in a contract. Reject: ErrAuth.
func LoadCommitment(r state.Reader, id digest.Hash, who account.Address) (*Commitment, error) {
	return state.Require(r, under(underProvider, id[:], who[:]), DecodeCommitment, ErrAuth)
}

// LoadSeed reads the randomness of the newest epoch that had one. Reject: ErrAudit.
func LoadSeed(r state.Reader) (*Seed, error) {
	return state.Require(r, under(keySeed), DecodeSeed, ErrAudit)
}

// List lists at most limit contracts with identities above after (zero: from the first), ascending.
func List(r state.Reader, after digest.Hash, limit int) (ids []digest.Hash, list []*Contract, err error) {
	prefix := under(underContract)
	var above []byte
	if !after.IsZero() {
		above = under(underContract, after[:])
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var c *Contract
		if c, err = Decode(value); err != nil {
			return false
		}
		ids, list = append(ids, digest.Hash(key[len(prefix):])), append(list, c)
		return true
	})
	if failed != nil {
		err = failed
	}
	return ids, list, err
}

// EpochOf is the epoch a block is in.
//
// Spec: storage-cbfs §7 (an epoch has 600 blocks).
func EpochOf(h unit.Height) uint64 { return uint64(h) / EpochBlocks }

// lastOf is the last block of an epoch.
func lastOf(epoch uint64) unit.Height { return unit.Height((epoch+1)*EpochBlocks - 1) }
