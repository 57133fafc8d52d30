package proxy

import (
	"context"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Peer is another proxy, as the chain has it.
type Peer struct {
	ID      digest.Hash
	Key     sig.CompressedKey
	HPKE    [32]byte
	TLS     digest.Hash
	Address string
}

// Task is a key that is made, or passed on from the committee before.
//
// Spec: secrets-cbss §2 (DkgPending), §3.
type Task struct {
	Scope     secret.Scope
	Quorum    int
	Requested uint64
	Deadline  uint64
	Committee []digest.Hash
	Before    *secret.Generation // nil: a new key
	Master    cbss.Key           // of the key before
}

// Epoch is the epoch of the committee that is made.
func (t *Task) Epoch() uint64 {
	if t.Before != nil {
		return t.Before.Epoch + 1
	}
	return 1
}

// dealers are those that give shares: the committee before, or the new one's members of a new key.
func (t *Task) dealers() []digest.Hash {
	if t.Before != nil {
		return t.Before.Committee
	}
	return t.Committee
}

// session names what its members do together.
func (t *Task) session(chain uint64) digest.Hash {
	raw := codec.AppendU64(codec.AppendU64(codec.AppendU64(nil, chain), t.Epoch()), t.Requested)
	raw = append(raw, t.Scope.Bytes()...)
	for _, list := range [...][]digest.Hash{t.Committee, t.dealers()} {
		raw = codec.AppendU8(raw, uint8(len(list)))
		for _, id := range list {
			raw = append(raw, id[:]...)
		}
	}
	return digest.Keccak256([]byte(domainSession), codec.AppendU8(raw, uint8(t.Quorum)))
}

// placeOf counts from 1; 0 is none.
func placeOf(list []digest.Hash, id digest.Hash) uint32 { return uint32(slices.Index(list, id) + 1) }

// Key is what the chain says of a release key.
type Key struct {
	Scope secret.Scope
	Found bool
	secret.Generation
	Prior []secret.Prior // their commitments are not told
}

// Challenge is an open one of this proxy.
type Challenge struct {
	ID, Release digest.Hash
	Deadline    uint64
}

// Lock is a time lock that waits for this proxy's partial.
type Lock struct {
	ID    digest.Hash
	Scope secret.Scope
	Data  []byte // the identity's associated data
	Epoch uint64 // of the committee that is asked

	Members, Quorum int // of that committee
}

// View is what one poll gives.
type View struct {
	Height     uint64
	Freshness  uint64 // blocks a request is taken for
	Tasks      []Task
	Peers      []Peer
	Challenges []Challenge
	Locks      []Lock
	Seals      []Seal
	Keys       []Key // those that were asked for
}

// Admission is what the chain says of a request.
type Admission struct {
	Height  uint64
	Refused string // why not; the rest is empty
	Pending bool
	Scope   secret.Scope
	Data    []byte // the identity's associated data
	secret.Generation
}

// Node is what a proxy wants of the chain. What Send gives is whether a node took the transaction.
//
// Spec: secrets-cbss §4, §5.
type Node interface {
	// Look tells what there is to do, and of the keys of scopes.
	Look(ctx context.Context, scopes []secret.Scope) (View, error)
	Admit(ctx context.Context, request []byte) (Admission, error)
	// AdmitSeal tells of the SealRequest of a number.
	AdmitSeal(ctx context.Context, number uint64) (SealAdmission, error)
	// Recorded reports whether this proxy's receipt of a release is on the chain.
	Recorded(ctx context.Context, release digest.Hash) (bool, error)
	Send(ctx context.Context, in tx.Instruction) error
}

// Peers asks other proxies.
type Peers interface {
	Ask(ctx context.Context, to *Peer, kind byte, body []byte) (status byte, answer []byte, err error)
}
