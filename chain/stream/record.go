package stream

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds. Spec: gateway-payments-streams §E.1.
const (
	MaxName          = 64 // bytes of a stream's name
	MaxKeys          = 8  // active, of an account
	MaxAuthorized    = 64 // records of an account for a stream
	MaxBatch         = 10_000
	MaxWrapped       = 256 // bytes of a content key
	MaxFeeBPS        = 5_000
	KeySize          = 32      // X25519
	maxEpochsToBlock = 1 << 32 // of key_epoch_blocks
)

// Bounds of ours, of SealRequests.
const (
	MaxSealed = cbss.MaxSealed // key epochs of one
	MaxRaised = 8              // of one purchase
	MaxOpen   = 32             // of an account, that are paid for and open
	// LeastOpen is how many blocks one is open at least, however short the stream's key epochs are.
	LeastOpen = 100
)

// The rejects, by the names of the text. Spec: gateway-payments-streams §E.2.
var (
	ErrConfig     = errors.New("stream: a fee is above 0, protocol_fee_bps at most 5,000, key_epoch_blocks and min_purchase_epochs at least 1")
	ErrName       = errors.New("stream: a stream's name has 1 to 64 bytes")
	ErrManaged    = errors.New("stream: NOT_PLATFORM_MANAGED_STREAM: no stream of this identity is configured")
	ErrOwner      = errors.New("stream: UNAUTHORIZED: this is for the stream's publisher")
	ErrTarget     = errors.New("stream: INVALID_TARGET_KEY_EPOCH: the target is before the current epoch, or beyond what can be priced")
	ErrMinimum    = errors.New("stream: MIN_PURCHASE_NOT_MET: fewer epochs than can be bought at once")
	ErrFunds      = errors.New("stream: INSUFFICIENT_CBY_BALANCE: the payer's balance does not cover the price")
	ErrKey        = errors.New("stream: INVALID_ACCOUNT_KEY: an X25519 key has 32 bytes that are not all zero")
	ErrKeys       = errors.New("stream: ACCOUNT_KEY_LIMIT_REACHED: an account has at most 8 active keys")
	ErrRevoked    = errors.New("stream: KEY_REVOKED: the account has no active key of this number")
	ErrAuthorized = errors.New("stream: AUTHORIZATION_LIMIT_REACHED: an account keeps at most 64 authorizations for a stream")
	ErrBatch      = errors.New("stream: LIMIT_EXCEEDED: content keys come 1 to 10,000 at a time, of 1 to 256 bytes each, for epochs strictly ascending")
	ErrWritten    = errors.New("stream: a content key of this epoch is registered already")
	ErrRequest    = errors.New("stream: there is no open request of this number")
	ErrEntitled   = errors.New("stream: ENTITLEMENT_REQUIRED: the account has not bought all of these key epochs")
	ErrSpan       = errors.New("stream: LIMIT_EXCEEDED: a request covers 1 to 32 key epochs")
	ErrOpen       = errors.New("stream: LIMIT_EXCEEDED: an account has at most 32 requests that are paid for and open")
	ErrCommittee  = errors.New("stream: the stream's publisher has no release key, so no committee can seal for it")
)

// Config is how access to a stream is paid for (PaidStreamConfig). The content cipher is XCHACHA20_POLY1305 and the scope of keys an account.
//
// Spec: gateway-payments-streams §E.1.
type Config struct {
	Owner       account.Address // the actor that publishes
	Fee         unit.Amount     // per newly covered key epoch
	ProtocolBPS uint64          // on top
	Treasury    account.Address // the publisher's
	EpochBlocks uint64
	MinPurchase uint64 // epochs
}

// Check holds a configuration to its bounds. Reject: ErrConfig.
//
// Spec: gateway-payments-streams §E.1.
func (c *Config) Check() error {
	if c.Fee == 0 || c.ProtocolBPS > MaxFeeBPS || c.EpochBlocks == 0 || c.EpochBlocks > maxEpochsToBlock || c.MinPurchase == 0 {
		return ErrConfig
	}
	return nil
}

// Epoch is the key epoch of a block.
//
// Spec: gateway-payments-streams §E.1 (key_epoch).
func (c *Config) Epoch(at unit.Height) uint64 { return uint64(at) / c.EpochBlocks }

// Append appends the canonical encoding: owner(20) ‖ UInt fee ‖ UInt bps ‖ treasury(20) ‖ UInt blocks ‖ UInt least.
func (c *Config) Append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, c.Owner[:]), uint64(c.Fee)), c.ProtocolBPS)
	return codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, c.Treasury[:]), c.EpochBlocks), c.MinPurchase)
}

func decodeConfig(data []byte) (*Config, error) {
	r := codec.NewReader(data)
	var c Config
	r.Into(c.Owner[:])
	c.Fee, c.ProtocolBPS = unit.Amount(r.Uint()), r.Uint()
	r.Into(c.Treasury[:])
	c.EpochBlocks, c.MinPurchase = r.Uint(), r.Uint()
	return &c, r.Finish()
}

// Key is an active key of an account (AccountKeyRegistration).
//
// Spec: gateway-payments-streams §E.1.
type Key struct {
	Number     uint64
	Public     [KeySize]byte // X25519
	Registered unit.Height
}

// Append appends the canonical encoding: UInt number ‖ public(32) ‖ UInt registered.
func (k Key) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendFixed(codec.AppendUint(dst, k.Number), k.Public[:]), uint64(k.Registered))
}

// Keys are those of an account. Numbers are given once; of a revoked key the number alone is left, below Next.
type Keys struct {
	Next       uint64 // of the next key; the first is 1
	Generation uint64 // grows with every change
	Active     []Key  // ascending by number
	Open       []Opened
}

// Opened is a SealRequest of an account that is paid for and was not sealed yet. It may have expired.
type Opened struct {
	Number uint64
	Until  unit.Height
}

// Append appends the canonical encoding: UInt next ‖ UInt generation ‖ list of keys ‖ list of UInt number, UInt until.
func (k *Keys) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendUint(codec.AppendUint(dst, k.Next), k.Generation), len(k.Active))
	for _, one := range k.Active {
		dst = one.Append(dst)
	}
	dst = codec.AppendLen(dst, len(k.Open))
	for _, one := range k.Open {
		dst = codec.AppendUint(codec.AppendUint(dst, one.Number), uint64(one.Until))
	}
	return dst
}

func decodeKeys(data []byte) (*Keys, error) {
	r := codec.NewReader(data)
	k := &Keys{Next: r.Uint(), Generation: r.Uint()}
	k.Active = make([]Key, r.Len(0, MaxKeys, 34))
	for i := range k.Active {
		k.Active[i].Number = r.Uint()
		r.Into(k.Active[i].Public[:])
		k.Active[i].Registered = unit.Height(r.Uint())
	}
	k.Open = make([]Opened, r.Len(0, MaxOpen, 2))
	for i := range k.Open {
		k.Open[i] = Opened{r.Uint(), unit.Height(r.Uint())}
	}
	return k, r.Finish()
}

// find is the place of an active key.
func (k *Keys) find(number uint64) (int, bool) {
	at := slices.IndexFunc(k.Active, func(x Key) bool { return x.Number == number })
	return at, at >= 0
}

// Public is an active key; false where there is none of this number.
func (k *Keys) Public(number uint64) (public [KeySize]byte, ok bool) {
	if k == nil {
		return public, false
	}
	at, ok := k.find(number)
	if ok {
		public = k.Active[at].Public
	}
	return public, ok
}

// Status is the state of a SealRequest.
type Status uint8

// The states. Spec: gateway-payments-streams §E.2.
const (
	Emitted Status = iota
	Sealed
	Expired
	Void
)

// String names the status.
func (s Status) String() string {
	return [...]string{"emitted", "sealed", "expired", "void"}[min(s, Void)]
}

// Request asks the committee to seal the content keys of epochs for a key of an account (SealRequest).
//
// Spec: gateway-payments-streams §E.1.
type Request struct {
	Stream      digest.Hash
	Beneficiary account.Address
	From, To    uint64 // key epochs, both included
	Key         uint64 // account_key_id
	Generation  uint64 // of the account's keys
	Emitted     unit.Height
	Until       unit.Height // the last block before it expires
	Fee         unit.Amount // of each receipt
	Quorum      uint64      // receipts that it takes, whose fees are held until they come; 0 for a request that nobody pays for
	Receipts    []digest.Hash
}

// Sealed reports whether as many members of the committee have answered as it takes.
//
// Spec: gateway-payments-streams §E.2.
func (q *Request) Sealed() bool { return q.Quorum > 0 && uint64(len(q.Receipts)) >= q.Quorum }

// Held is what is held for the receipts that are missing, in base units.
func (q *Request) Held() unit.Amount {
	return q.Fee * unit.Amount(q.Quorum-min(q.Quorum, uint64(len(q.Receipts)))) // a part of what was taken
}

// Append appends the canonical encoding: stream(32) ‖ beneficiary(20) ‖ UInt from, to, key, generation, emitted, until, fee, quorum ‖ list of proxy(32).
func (q *Request) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(dst, q.Stream[:]), q.Beneficiary[:])
	for _, n := range [...]uint64{q.From, q.To, q.Key, q.Generation, uint64(q.Emitted), uint64(q.Until), uint64(q.Fee), q.Quorum} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendLen(dst, len(q.Receipts))
	for i := range q.Receipts {
		dst = codec.AppendFixed(dst, q.Receipts[i][:])
	}
	return dst
}

func decodeRequest(data []byte) (*Request, error) {
	r := codec.NewReader(data)
	var q Request
	r.Into(q.Stream[:])
	r.Into(q.Beneficiary[:])
	q.From, q.To, q.Key, q.Generation = r.Uint(), r.Uint(), r.Uint(), r.Uint()
	q.Emitted, q.Until, q.Fee, q.Quorum = unit.Height(r.Uint()), unit.Height(r.Uint()), unit.Amount(r.Uint()), r.Uint()
	q.Receipts = make([]digest.Hash, r.Len(0, cbss.MaxCommittee, digest.Size))
	for i := range q.Receipts {
		r.Into(q.Receipts[i][:])
	}
	return &q, r.Finish()
}

// Access is which key epochs an account has bought of a stream (StreamEntitlement): from First on, and none from End on. Both are 0 for one that never had any.
//
// Spec: gateway-payments-streams §E.1.
type Access struct{ First, End uint64 }

// Append appends the canonical encoding: UInt first ‖ UInt end.
func (a *Access) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendUint(dst, a.First), a.End)
}

func decodeAccess(data []byte) (*Access, error) {
	r := codec.NewReader(data)
	a := &Access{r.Uint(), r.Uint()}
	return a, r.Finish()
}

// The tags of records, after mark. Spec: gateway-payments-streams §E.1.
const (
	mark         = 0x0d
	tagConfig    = 0x01
	tagKeys      = 0x02
	tagAuthorize = 0x03
	tagEntitled  = 0x04
	tagContent   = 0x05
	tagRequest   = 0x06
	tagEscrow    = 0x07
	tagOpen      = 0x08
	tagAsked     = 0x09
)

// Home is the manager's address.
func Home() account.Address { return account.System(account.StreamKeys) }

func at(tag byte, parts ...[]byte) []byte {
	key := account.Key(account.KindRecord, Home(), mark, tag)
	for _, p := range parts {
		h := digest.Keccak256(p)
		key = append(key, h[:]...)
	}
	return key
}

func contentKey(stream digest.Hash, epoch uint64) []byte {
	return binary.BigEndian.AppendUint64(at(tagContent, stream[:]), epoch)
}

func requestKey(n uint64) []byte { return binary.BigEndian.AppendUint64(at(tagRequest), n) }

// askedKey is the place of a request among those of its account.
func askedKey(of account.Address, n uint64) []byte {
	return binary.BigEndian.AppendUint64(at(tagAsked, of[:]), n)
}

// openKey is the place of a request that is paid for, until it is sealed or raised again.
func openKey(until unit.Height, n uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(at(tagOpen), uint64(until)), n)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for i, holds := range []string{
		"paid streams", "keys of accounts", "authorizations of actors", "access to streams", "content keys", "seal requests", "fees of seal requests",
		"seal requests that are paid for and open, by the last block", "seal requests by their accounts",
	} {
		list = append(list, account.Claim{
			Chapter: chapter, Holds: holds, Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: string([]byte{mark, byte(i) + 1}),
		})
	}
	return list
}
