package host

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// freeDomain is how many bytes of a domain the price of randomness covers. What is longer pays for the hashing beside it.
const freeDomain = 1 << 10

// Randomness derives 32 bytes from the parent round's seed for a domain. Every actor of the block gets the same bytes for the same
// domain.
//
// Spec: WP "Randomness", §3.4, §17.3; sdk §16.
func (f *Invocation) Randomness(domain []byte) (digest.Hash, error) {
	if err := f.mutates("randomness"); err != nil {
		return digest.Hash{}, err
	}
	blocks := uint64(max(len(domain)-freeDomain, 0)+params.SHA256BlockBytes-1) / params.SHA256BlockBytes
	if err := f.charge(uint64(f.costs().Randomness)+blocks*uint64(f.costs().SHA256PerBlock), 0); err != nil {
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
	if err := f.hashes(len(data)); err != nil {
		return digest.Hash{}, err
	}
	return digest.Keccak256(data), nil
}

// hashes counts bytes that are about to be hashed against what a block may have hashed.
//
// Spec: WP §3.5, §17.3.
func (f *Invocation) hashes(bytes int) error {
	w := f.work
	if w.turn.Hashed+w.Hashed+uint64(bytes) > params.HashedPerBlock {
		return raise(Quota, "this block has hashed as many bytes as one may")
	}
	w.Hashed += uint64(bytes)
	return nil
}
