package light

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Entry is what a node says about one key of a state: its value or its absence, and the encoded proof of it (state.KeyValueProof, or
// state.ExclusionProof).
// Spec: commonware §5.6.
type Entry struct {
	Present bool
	Value   []byte // empty for an absent key
	Proof   []byte
}

// Prove is a full node's answer about a key. An error is a failing source.
// Spec: commonware §5.6.
func Prove(c *state.Commit, key []byte) (*Entry, error) {
	var config state.Config
	value, ok, err := c.Lookup(key)
	if err != nil {
		return nil, err
	}
	if !ok {
		p, err := c.ProveAbsent(key)
		if err != nil {
			return nil, err
		}
		return &Entry{Proof: config.EncodeExclusionProof(&p)}, nil
	}
	p, err := c.ProveKey(key)
	if err != nil {
		return nil, err
	}
	return &Entry{Present: true, Value: value, Proof: config.EncodeKeyValueProof(&p)}, nil
}

// Lookup gives ErrProof unless the entry is what the state after the block holds under a key.
// Spec: commonware §5.6.
func (f Final) Lookup(key []byte, e *Entry) error {
	if f.header == nil {
		return ErrProof
	}
	var config state.Config
	var err error
	if e.Present {
		var p state.KeyValueProof
		if p, err = config.DecodeKeyValueProof(e.Proof); err == nil {
			err = config.VerifyKey(f.header.StateRoot, key, e.Value, &p)
		}
	} else {
		var p state.ExclusionProof
		if p, err = config.DecodeExclusionProof(e.Proof); err == nil {
			err = config.VerifyAbsent(f.header.StateRoot, key, &p)
		}
		if err == nil && len(e.Value) > 0 {
			err = errors.New("an absent key has a value")
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProof, err)
	}
	return nil
}

// Account verifies an entry about an account after the block; ok is false for one that does not exist. ErrProof otherwise.
func (f Final) Account(addr account.Address, e *Entry) (a account.Account, ok bool, err error) {
	if err := f.Lookup(addr.Key(), e); err != nil || !e.Present {
		return account.Account{}, false, err
	}
	if a, err = account.Decode(e.Value); err != nil {
		return account.Account{}, false, fmt.Errorf("%w: %w", ErrProof, err)
	}
	return a, true, nil
}

// Storage verifies an entry of an actor's storage after the block; ok is false for a key that is not set. ErrProof otherwise.
func (f Final) Storage(addr account.Address, key []byte, e *Entry) (value []byte, ok bool, err error) {
	if err := f.Lookup(account.Key(account.KindStorage, addr, key...), e); err != nil || !e.Present {
		return nil, false, err
	}
	return e.Value, true, nil
}

// Record verifies what a system actor keeps under a name, with what follows it, after the block; ok is false where it keeps nothing. ErrProof otherwise.
// Spec: commonware §5.6, §5.10.
func (f Final) Record(addr account.Address, name []byte, e *Entry) (value []byte, ok bool, err error) {
	if err := f.Lookup(account.Key(account.KindRecord, addr, name...), e); err != nil || !e.Present {
		return nil, false, err
	}
	return e.Value, true, nil
}

// Transaction gives ErrProof unless a transaction stands at a place of the block.
// Spec: WP §2.5; commonware §6.
func (f Final) Transaction(t *tx.Tx, index uint32, p digest.MerkleProof) error {
	return f.Includes(t.SigningHash(), index, p)
}

// Includes gives ErrProof unless the transaction with an identity stands at a place of the block.
// Spec: WP §2.5; commonware §6.
func (f Final) Includes(id digest.Hash, index uint32, p digest.MerkleProof) error {
	if f.header == nil || p.LeafCount != f.header.TxCount {
		return ErrProof
	}
	return member(p, f.header.TxRoot, index, id)
}

// Receipt gives ErrProof unless a receipt stands at a place among the block's.
// Spec: WP §2.5; commonware §6.
func (f Final) Receipt(r *block.Receipt, index uint32, p digest.MerkleProof) error {
	if f.header == nil {
		return ErrProof
	}
	return member(p, f.header.ReceiptRoot, index, digest.Keccak256(r.Encode()))
}

func member(p digest.MerkleProof, root digest.Hash, index uint32, leaf digest.Hash) error {
	if err := p.Verify(root, []uint32{index}, []digest.Hash{leaf}); err != nil {
		return fmt.Errorf("%w: %w", ErrProof, err)
	}
	return nil
}

// ProveTransaction is a full node's proof of the transaction at a place, of the identities of a block's transactions in its order. It gives
// digest.ErrMerklePosition.
func ProveTransaction(hashes []digest.Hash, index uint32) (digest.MerkleProof, error) {
	return digest.ProveMerkle(hashes, index)
}

// ProveReceipt is a full node's proof of the receipt at a place, of a block's receipts in its order. It gives digest.ErrMerklePosition.
func ProveReceipt(receipts []*block.Receipt, index uint32) (digest.MerkleProof, error) {
	leaves := make([]digest.Hash, len(receipts))
	for i, r := range receipts {
		leaves[i] = digest.Keccak256(r.Encode())
	}
	return digest.ProveMerkle(leaves, index)
}
