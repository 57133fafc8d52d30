package stream

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
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
}

// Append appends the canonical encoding: UInt next ‖ UInt generation ‖ list of keys.
func (k *Keys) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendUint(codec.AppendUint(dst, k.Next), k.Generation), len(k.Active))
	for _, one := range k.Active {
		dst = one.Append(dst)
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
	return k, r.Finish()
}

// find is the place of an active key.
func (k *Keys) find(number uint64) (int, bool) {
	at := slices.IndexFunc(k.Active, func(x Key) bool { return x.Number == number })
	return at, at >= 0
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
	Sealed      bool
}

// Append appends the canonical encoding: stream(32) ‖ beneficiary(20) ‖ UInt from, to, key, generation, emitted, until ‖ Bool sealed.
func (q *Request) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(dst, q.Stream[:]), q.Beneficiary[:])
	for _, n := range [...]uint64{q.From, q.To, q.Key, q.Generation, uint64(q.Emitted), uint64(q.Until)} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendBool(dst, q.Sealed)
}

func decodeRequest(data []byte) (*Request, error) {
	r := codec.NewReader(data)
	var q Request
	r.Into(q.Stream[:])
	r.Into(q.Beneficiary[:])
	q.From, q.To, q.Key, q.Generation = r.Uint(), r.Uint(), r.Uint(), r.Uint()
	q.Emitted, q.Until, q.Sealed = unit.Height(r.Uint()), unit.Height(r.Uint()), r.Bool()
	return &q, r.Finish()
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

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for i, holds := range []string{"paid streams", "keys of accounts", "authorizations of actors", "access to streams", "content keys", "seal requests"} {
		list = append(list, account.Claim{
			Chapter: chapter, Holds: holds, Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: string([]byte{mark, byte(i) + 1}),
		})
	}
	return list
}
