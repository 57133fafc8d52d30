package state

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// VerifyOperation checks that the encoded operation is active at the proof's
// location under the state root. The answer is nil or ErrProof.
//
// Spec: commonware §5.6.
func (c Config) VerifyOperation(root digest.Hash, operation []byte, p *OperationProof) error {
	h := mmr.NewHasher(c.withDefaults().Hash)
	r := &p.Range
	if p.Location >= r.Leaves || p.Chunk[p.Location%ChunkBits/8]>>(p.Location%8)&1 == 0 {
		return ErrProof
	}
	if (r.Partial != nil) != (r.Leaves%ChunkBits != 0) {
		return ErrProof
	}
	chunk := p.Location / ChunkBits
	complete := chunk < r.Leaves/ChunkBits
	if !complete && h.Sum(p.Chunk[:]) != *r.Partial {
		return ErrProof
	}
	grafted, err := h.Reconstruct(&r.Proof, p.Location, [][]byte{operation}, func(n mmr.Node, d digest.Hash) digest.Hash {
		if n.Height == ChunkHeight {
			return graftLeaf(h, &p.Chunk, &d)
		}
		return d
	})
	if err != nil {
		return err
	}
	if stateRoot(h, &r.OpsRoot, &grafted, r.Leaves, r.Partial) != root {
		return ErrProof
	}
	return nil
}

// VerifyKey checks that key has value under the state root. The answer is nil or
// ErrProof.
//
// Spec: commonware §5.6.
func (c Config) VerifyKey(root digest.Hash, key, value []byte, p *KeyValueProof) error {
	op := Operation{Kind: Update, Key: key, Value: value, Next: p.Next}
	return c.VerifyOperation(root, c.AppendOperation(nil, &op), &p.Operation)
}

// VerifyAbsent checks that key has no value under the state root. The answer is
// nil or ErrProof.
//
// Spec: commonware §5.6.
func (c Config) VerifyAbsent(root digest.Hash, key []byte, p *ExclusionProof) error {
	op := Operation{Kind: Update, Key: p.Key, Value: p.Value, Next: p.Next}
	if p.Empty {
		op = Operation{Kind: CommitFloor, Metadata: p.Metadata, Floor: p.Operation.Location}
	} else if !inside(key, p.Key, p.Next) {
		return ErrProof
	}
	return c.VerifyOperation(root, c.AppendOperation(nil, &op), &p.Operation)
}

// inside reports whether key lies strictly between a key and the one that
// follows it, cyclically; a lone key, which follows itself, leaves all others.
//
// Spec: commonware §5.6.
func inside(key, low, high []byte) bool {
	above, below := bytes.Compare(key, low) > 0, bytes.Compare(key, high) < 0
	switch bytes.Compare(low, high) {
	case -1:
		return above && below
	case 0:
		return !bytes.Equal(key, low)
	}
	return above || below
}

// VerifyRange checks that the encoded operations stand at [from, from+len) of
// the log with the given ops root. The answer is nil or ErrProof.
//
// Spec: commonware §5.6.
func (c Config) VerifyRange(opsRoot digest.Hash, from uint64, operations [][]byte, p *mmr.Proof) error {
	h := mmr.NewHasher(c.withDefaults().Hash)
	got, err := h.Reconstruct(p, from, operations, nil)
	if err == nil && got != opsRoot {
		err = ErrProof
	}
	return err
}

// OpsWitness links an ops root to a state root.
//
// Spec: commonware §5.6, §5.7.
type OpsWitness struct {
	Grafted digest.Hash
	Length  uint64       // operations in the log
	Partial *digest.Hash // digest of the incomplete last chunk, if there is one
}

// Witness gives the link from the ops root to the state root.
func (c *Commit) Witness() OpsWitness {
	return OpsWitness{Grafted: c.roots.Grafted, Length: c.length, Partial: c.partial}
}

// VerifyWitness checks that the witness leads from the ops root to the state
// root. The answer is nil or ErrProof.
//
// Spec: commonware §5.6.
func (c Config) VerifyWitness(root, opsRoot digest.Hash, w *OpsWitness) error {
	if (w.Partial != nil) != (w.Length%ChunkBits != 0) {
		return ErrProof
	}
	h := mmr.NewHasher(c.withDefaults().Hash)
	if stateRoot(h, &opsRoot, &w.Grafted, w.Length, w.Partial) != root {
		return ErrProof
	}
	return nil
}
