package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// proofVersion is the form of every proof this node gives.
const proofVersion = 1

// proveState proves that a key has its value, or that it has none. Spec: commonware §5.6.
func proveState(commit *state.Commit, key []byte, height unit.Height) (wire.Proof, error) {
	proof := wire.Proof{ProofVersion: proofVersion, StateKey: wire.Hex(key), Root: wire.Hash(commit.Root()), Height: uint64(height)}
	value, ok, err := commit.Lookup(key)
	if err != nil {
		return proof, err
	}
	if ok {
		member, err := commit.ProveKey(key)
		if err != nil {
			return proof, err
		}
		proof.Kind, proof.Value = "membership", wire.Hex(value)
		proof.Encoded = wire.Hex(commit.Config().EncodeKeyValueProof(&member))
		return proof, nil
	}
	absent, err := commit.ProveAbsent(key)
	if err != nil {
		return proof, err
	}
	proof.Kind = "exclusion"
	proof.Encoded = wire.Hex(commit.Config().EncodeExclusionProof(&absent))
	return proof, nil
}

// ProveAccount implements Backend.
func (n *Node) ProveAccount(addr account.Address) (wire.Proof, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proof{}, err
	}
	return proveState(t.State, addr.Key(), t.Header.Height)
}

// ProveRecord implements Backend. Spec: commonware §5.6, §5.10.
func (n *Node) ProveRecord(addr account.Address, name []byte) (wire.Proof, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Proof{}, err
	}
	return proveState(t.State, account.Key(account.KindRecord, addr, name...), t.Header.Height)
}

// ProveTransaction implements Backend. Spec: commonware §6.
func (n *Node) ProveTransaction(hash digest.Hash) (wire.Proof, error) {
	place, err := n.Ledger.Transaction(hash)
	if err != nil {
		return wire.Proof{}, refusal(err)
	}
	b, err := n.Ledger.Block(place.Height)
	if err != nil {
		return wire.Proof{}, refusal(err)
	}
	leaves := make([]digest.Hash, len(b.Txs))
	at := -1
	for i, t := range b.Txs {
		leaves[i] = t.SigningHash()
		if leaves[i] == hash {
			at = i
		}
	}
	if at < 0 {
		return wire.Proof{}, errNotFound
	}
	return proveLeaf("transaction", leaves, at, b.Header.TxRoot, place.Height)
}

// ProveReceipt implements Backend. Spec: commonware §6.
func (n *Node) ProveReceipt(hash digest.Hash) (wire.Proof, error) {
	place, err := n.Ledger.Transaction(hash)
	if err != nil {
		return wire.Proof{}, refusal(err)
	}
	c, err := n.read(place.Height)
	if err != nil {
		return wire.Proof{}, err
	}
	leaves := make([]digest.Hash, len(c.receipts))
	for i, x := range c.receipts {
		leaves[i] = x.Hash()
	}
	proof, err := proveLeaf("receipt", leaves, int(place.Index), c.block.Header.ReceiptRoot, place.Height)
	proof.Value = wire.Hex(c.receipts[place.Index].Encode())
	return proof, err
}

func proveLeaf(kind string, leaves []digest.Hash, at int, root digest.Hash, height unit.Height) (wire.Proof, error) {
	proof, err := digest.ProveMerkle(leaves, uint32(at))
	if err != nil {
		return wire.Proof{}, err
	}
	return wire.Proof{
		ProofVersion: proofVersion, Kind: kind, Root: wire.Hash(root), Height: uint64(height), Index: uint64(at),
		Leaf: wire.Hash(leaves[at]), Encoded: wire.Hex(encodeMerkle(proof)),
	}, nil
}

// encodeMerkle is be4 leaf_count ‖ Vec<digest>. Spec: commonware §6.
func encodeMerkle(p digest.MerkleProof) []byte {
	out := codec.AppendLen(codec.AppendU32(nil, p.LeafCount), len(p.Siblings))
	for _, sibling := range p.Siblings {
		out = append(out, sibling[:]...)
	}
	return out
}
