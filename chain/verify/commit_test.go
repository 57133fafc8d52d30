package verify

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

type vector struct{ Key, Runner, Job, Output, Signed, Proof, Salt, Commitment string }

func vectors(t *testing.T) (list []vector) {
	t.Helper()
	raw, err := os.ReadFile("testdata/commitments.json")
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil || len(list) != 6 {
		t.Fatal(err)
	}
	return list
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The vectors were made by testdata/commitments.py, which has its own Keccak and secp256k1.
// Spec: WP §5.3; runner-marketplace §5.
func TestCommitmentsAreThoseOfAnotherProgram(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Runner[:8], func(t *testing.T) {
			key, err := sig.ParsePrivateKey(unhex(t, v.Key))
			if err != nil {
				t.Fatal(err)
			}
			id, output := digest.Hash(unhex(t, v.Job)), unhex(t, v.Output)
			r := Sign(key, id, output)
			if got := SignedHash(id, output); got.Hex() != v.Signed {
				t.Errorf("signed %s, want %s", got.Hex(), v.Signed)
			}
			if hex.EncodeToString(r.Proof[:]) != v.Proof || r.Salt.Hex() != v.Salt || r.Runner != account.Address(unhex(t, v.Runner)) {
				t.Errorf("%+v, want %+v", r, v)
			}
			if got := Commitment(output, r.Salt); got.Hex() != v.Commitment {
				t.Errorf("commitment %s, want %s", got.Hex(), v.Commitment)
			}
			o, err := r.Open(sig.Default(), id, digest.Hash(unhex(t, v.Commitment)))
			if err != nil || o.Usage != (Usage{5, 7, 2, 64}) || o.Timestamp != 9 {
				t.Errorf("opened: %+v %v", o, err)
			}
		})
	}
}

// Spec: WP §5.3; runner-marketplace §5 (verifier recomputes the hash, verifies runner_sig), §12.
func TestAnythingElseThanWasCommittedIsRefused(t *testing.T) {
	v := vectors(t)[2]
	key, _ := sig.ParsePrivateKey(unhex(t, v.Key))
	other, _ := sig.ParsePrivateKey(unhex(t, vectors(t)[3].Key))
	id, output := digest.Hash(unhex(t, v.Job)), unhex(t, v.Output)
	commitment := digest.Hash(unhex(t, v.Commitment))
	junk := Sign(key, id, []byte{9})
	copied := Sign(other, id, output)
	for name, c := range map[string]struct {
		change func(r *Reveal, job, commitment *digest.Hash)
		want   error
	}{
		"another output":     {func(r *Reveal, _, _ *digest.Hash) { r.Output = append([]byte{}, r.Output...); r.Output[4] ^= 1 }, ErrMismatch},
		"another salt":       {func(r *Reveal, _, _ *digest.Hash) { r.Salt[0] ^= 1 }, ErrMismatch},
		"another proof":      {func(r *Reveal, _, _ *digest.Hash) { r.Proof[1] ^= 1 }, ErrMismatch},
		"another commitment": {func(_ *Reveal, _, c *digest.Hash) { c[31] ^= 1 }, ErrMismatch},
		"another job":        {func(_ *Reveal, j, _ *digest.Hash) { j[0] ^= 1 }, ErrSignature},
		"another runner":     {func(r *Reveal, _, _ *digest.Hash) { r.Runner[0] ^= 1 }, ErrSignature},
		"a salt that is no signature's": {func(r *Reveal, _, c *digest.Hash) {
			r.Salt[0] ^= 1
			*c = Commitment(r.Output, r.Salt)
		}, ErrMismatch},
		"another's result under one's own name": {func(r *Reveal, _, c *digest.Hash) {
			r.Salt, r.Proof = copied.Salt, copied.Proof
			*c = Commitment(r.Output, r.Salt)
		}, ErrSignature},
		"no output": {func(r *Reveal, _, c *digest.Hash) { *r, *c = junk, Commitment(junk.Output, junk.Salt) }, ErrOutput},
	} {
		t.Run(name, func(t *testing.T) {
			r, id, commitment := Sign(key, id, output), id, commitment
			c.change(&r, &id, &commitment)
			if _, err := r.Open(sig.Default(), id, commitment); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
