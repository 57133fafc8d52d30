package sig

import (
	"crypto/hkdf"
	"crypto/sha256"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Randomness is HKDF(R, label): sub-randomness an actor or a rule derives from the
// execution-readable parent beacon. HKDF with SHA-256 (RFC 5869), input keying
// material beacon, no salt, info label, 32 bytes. beacon is the signature bytes of
// the parent round's seed, or the genesis hash in the first round of epoch 0; it
// is never the executing round's own seed.
// Spec: WP §3.4, "Randomness"; commonware §3.6, §4.4, §8 (10).
func Randomness(beacon []byte, label string) digest.Hash {
	out, err := hkdf.Key(sha256.New, beacon, nil, label, digest.Size)
	if err != nil {
		panic("sig: " + err.Error()) // only an output longer than 255 hashes fails
	}
	return digest.Hash(out)
}
