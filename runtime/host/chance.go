package host

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Randomness derives 32 bytes from the parent round's seed for a domain. Every actor of the block gets the same bytes for the same
// domain.
//
// Spec: WP "Randomness", §3.4; sdk §16.
func (f *Invocation) Randomness(domain []byte) (digest.Hash, error) {
	if err := f.mutates("randomness"); err != nil {
		return digest.Hash{}, err
	}
	if err := f.charge(uint64(f.costs().Randomness), 0); err != nil {
		return digest.Hash{}, err
	}
	return sig.Randomness(f.work.turn.Block.Beacon, string(domain)), nil
}

// Keccak256 hashes data.
//
// Spec: WP §3.5, §17.3.
func (f *Invocation) Keccak256(data []byte) (digest.Hash, error) {
	words := (uint64(len(data)) + params.KeccakWordBytes - 1) / params.KeccakWordBytes
	if err := f.charge(uint64(f.costs().Keccak256PerWord)*words, 0); err != nil {
		return digest.Hash{}, err
	}
	return digest.Keccak256(data), nil
}
