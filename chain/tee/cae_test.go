package tee

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// octets are bytes in hexadecimal digits.
type octets []byte

func (o *octets) UnmarshalText(text []byte) (err error) {
	*o, err = hex.DecodeString(string(text))
	return err
}

// composed is an attestation that testdata/cae.py made, generated at block 1,000 and good until block 1,100.
type composed struct {
	Name, Type                                                                                            string
	CAE, Digest, Report, Job, Request, Seed, Result, Runner, Root, TCB, Revoked, Measured, Trusted, Vouch octets
}

func composites(t testing.TB) (list []composed) {
	t.Helper()
	data, err := os.ReadFile("testdata/cae.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 5 {
		t.Fatal(err, len(list))
	}
	return list
}

// submission reads a case; trust puts its key and collateral into a state.
func (c *composed) submission(t testing.TB) *Submission {
	t.Helper()
	cae, err := ParseCAE(c.CAE)
	if err != nil {
		t.Fatal(err)
	}
	kind, err := ParseType(c.Type)
	if err != nil {
		t.Fatal(err)
	}
	return &Submission{
		CAE: cae, Job: digest.Hash(c.Job), Runner: account.Address(c.Runner), Request: digest.Hash(c.Request), Seed: digest.Hash(c.Seed),
		Result: digest.Hash(c.Result), Root: digest.Hash(c.Root), TCB: TCB(c.TCB), Revoked: digest.Hash(c.Revoked), Vouch: c.Vouch,
		Binding: &Binding{Type: kind, Measurements: []digest.Hash{digest.Hash(c.Measured)}, declared: true},
	}
}

func (c *composed) trust(t testing.TB, s state.Store, change func(*Snapshot)) {
	t.Helper()
	kind, err := ParseType(c.Type)
	if err != nil {
		t.Fatal(err)
	}
	if err := RegisterKey(s, kind, digest.Hash(c.Measured), c.Trusted, 1); err != nil {
		t.Fatal(err)
	}
	one := Snapshot{Effective: 1, Roots: []digest.Hash{digest.Hash(c.Root)}, Least: TCB(c.TCB), Revoked: digest.Hash(c.Revoked)}
	if change != nil {
		change(&one)
	}
	s.Set(collateralKey(kind), Collateral{one}.Encode())
}

// What another program encoded, hashed and signed is read, written again byte for byte, and verified.
//
// Spec: tee §2.2, §3 (125), §4, §5 (MAX CAE on chain).
func TestCompositeAttestationsOfAnotherProgram(t *testing.T) {
	for _, c := range composites(t) {
		t.Run(c.Name, func(t *testing.T) {
			sub, s := c.submission(t), newState()
			c.trust(t, s, nil)
			bound := sub.CAE.Bound()
			switch {
			case !bytes.Equal(sub.CAE.Encode(), c.CAE):
				t.Errorf("%x", sub.CAE.Encode())
			case sub.CAE.Digest() != digest.Hash(c.Digest):
				t.Errorf("digest %x", sub.CAE.Digest())
			case !bytes.Equal(bound[:], c.Report):
				t.Errorf("report data %x", bound)
			case MeasurementHash(sub.CAE.CPU.Measurement) != digest.Hash(c.Measured):
				t.Error("measurement")
			}
			err := sub.Verify(s, 1_075)
			if c.Name == "an accelerator of another service" {
				if !errors.Is(err, ErrReport) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := sub.Binding.Verified(s, sub.Job, sub.Runner, 1, 1_100)
			if want := (Composite{sub.Binding.Type, sub.Binding.Measurements[0], digest.Hash(c.Digest), sub.Result, 1_101}); err != nil || got != want {
				t.Errorf("%+v %v, want %+v", got, err, want)
			}
			for at, want := range map[unit.Height]error{1_100: nil, 1_101: ErrExpired} {
				t.Run(fmt.Sprint("block ", at), func(t *testing.T) {
					if _, err := sub.Binding.Verified(s, sub.Job, sub.Runner, 1, at); !errors.Is(err, want) {
						t.Errorf("%v, want %v", err, want)
					}
				})
			}
			if err := RevokeKey(s, sub.Binding.Type, sub.Binding.Measurements[0], 1_080); err != nil {
				t.Fatal(err)
			}
			if _, err := sub.Binding.Verified(s, sub.Job, sub.Runner, 1, 1_080); !errors.Is(err, ErrRevoked) {
				t.Errorf("its key was revoked: %v", err)
			}
		})
	}
}

// Every check of the pipeline refuses what is wrong for it alone, in its order, and nothing is kept then.
//
// Spec: tee §4, §5, §6.
func TestThePipelineOfCompositeAttestations(t *testing.T) {
	flip := func(b []byte) []byte { b = bytes.Clone(b); b[len(b)-1] ^= 1; return b }
	for _, c := range []struct {
		name       string
		of         int // the case
		now        unit.Height
		change     func(s *Submission)
		collateral func(c *Snapshot)
		want       error
	}{
		{name: "as it is", now: 1_000},
		{name: "at its last block", now: 1_075},
		{name: "too old", now: 1_076, want: ErrLate},
		{name: "of a block to come", now: 999, want: ErrLate},
		{name: "over", now: 1_000, change: func(s *Submission) { s.CAE.Freshness.Deadline = 999 }, want: ErrLate},
		{name: "for ever", now: 1_000, change: func(s *Submission) { s.CAE.Freshness.Deadline = 1_001 + MaxLifetime }, want: ErrLate},
		{name: "another nonce", now: 1_000, change: func(s *Submission) { s.CAE.Freshness.Nonce[0] ^= 1 }, want: ErrNonce},
		{name: "another job", now: 1_000, change: func(s *Submission) { s.Job[0] ^= 1 }, want: ErrNonce},
		{name: "another request", now: 1_000, change: func(s *Submission) { s.Request[0] ^= 1 }, want: ErrNonce},
		{name: "another beacon", now: 1_000, change: func(s *Submission) { s.Seed[0] ^= 1 }, want: ErrNonce},
		{name: "no collateral yet", now: 1_000, collateral: func(c *Snapshot) { c.Effective = 1_001 }, want: ErrCollateral},
		{name: "another root", now: 1_000, change: func(s *Submission) { s.Root[0] ^= 1 }, want: ErrReport},
		{name: "other revocation lists", now: 1_000, change: func(s *Submission) { s.Revoked[31] ^= 1 }, want: ErrLists},
		{name: "no revocation lists", now: 1_000, change: func(s *Submission) { s.Revoked = digest.Hash{} }, want: ErrLists},
		{name: "lists that were replaced", now: 1_000, collateral: func(c *Snapshot) { c.Revoked[0] ^= 1 }, want: ErrLists},
		{name: "lists where none are listed", now: 1_000, collateral: func(c *Snapshot) { c.Revoked = digest.Hash{} }, want: ErrLists},
		{
			name: "lists that nobody vouches for", now: 1_000, want: ErrSignature,
			change: func(s *Submission) { s.Revoked = digest.Hash{} }, collateral: func(c *Snapshot) { c.Revoked = digest.Hash{} },
		},
		{name: "an old platform", now: 1_000, collateral: func(c *Snapshot) { c.Least[15]++ }, want: ErrTCB},
		{name: "a newer platform", now: 1_000, collateral: func(c *Snapshot) { c.Least = TCB{} }},
		{name: "no operator", now: 1_000, collateral: func(c *Snapshot) { c.Operators[0] = 1 }, want: ErrOperator},
		{name: "another declaration", now: 1_000, change: func(s *Submission) { s.Binding.Measurements[0][0] ^= 1 }, want: ErrBinding},
		{name: "a declared type", now: 1_000, change: func(s *Submission) { s.Binding.Type = SEV }, want: ErrBinding},
		{name: "another measurement", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Measurement[0] ^= 1 }, want: ErrBinding},
		{
			name: "a measurement nobody registered", now: 1_000, want: ErrKey,
			change: func(s *Submission) {
				s.CAE.CPU.Measurement[0] ^= 1
				s.Binding.Measurements[0] = MeasurementHash(s.CAE.CPU.Measurement)
			},
		},
		{name: "another service", now: 1_000, change: func(s *Submission) { s.CAE.Service.Key[0] ^= 1 }, want: ErrReport},
		{name: "another accelerator", now: 1_000, change: func(s *Submission) { s.CAE.GPU.Measurement[0] ^= 1 }, want: ErrReport},
		{name: "no accelerator", now: 1_000, change: func(s *Submission) { s.CAE.GPU = nil }, want: ErrReport},
		{name: "another report", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[568] ^= 1 }, want: ErrReport},
		{name: "a report with more in it", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[631] = 1 }, want: ErrReport},
		{name: "another quote's measurement", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[184] ^= 1 }, want: ErrReport},
		{name: "a cut quote", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote = s.CAE.CPU.Quote[:631] }, want: ErrReport},
		{name: "no TDX", now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[4] = 0 }, want: ErrReport},
		{name: "an enclave's quote of another version", of: 2, now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[0] = 5 }, want: ErrReport},
		{name: "a report of another version", of: 1, now: 1_000, change: func(s *Submission) { s.CAE.CPU.Quote[0] = 1 }, want: ErrReport},
		{name: "another result", now: 1_000, change: func(s *Submission) { s.Result[0] ^= 1 }, want: ErrSignature},
		{name: "another signature", now: 1_000, change: func(s *Submission) { s.CAE.Service.Signature = flip(s.CAE.Service.Signature) }, want: ErrSignature},
		{name: "another scheme", now: 1_000, change: func(s *Submission) { s.CAE.Service.Scheme = EcdsaP256 }, want: ErrSignature},
		{name: "no point", of: 3, now: 1_000, change: func(s *Submission) { s.CAE.Service.Key = [32]byte{31: 5} }, want: ErrSignature},
		{name: "another token", now: 1_000, change: func(s *Submission) { s.CAE.GPU.Token = nil }, want: ErrSignature},
		{name: "nobody vouches", now: 1_000, change: func(s *Submission) { s.Vouch = nil }, want: ErrSignature},
		{name: "for another runner", now: 1_000, change: func(s *Submission) { s.Runner[0] ^= 1 }, want: ErrSignature},
		{
			name: "for other versions", now: 1_000, want: ErrSignature,
			change: func(s *Submission) { s.TCB[0]++ }, collateral: func(c *Snapshot) { c.Least = TCB{} },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, s := composites(t)[c.of], newState()
			v.trust(t, s, c.collateral)
			sub := v.submission(t)
			if c.change != nil {
				c.change(sub)
			}
			if err := sub.Verify(s, c.now); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, err := sub.Binding.Verified(s, sub.Job, sub.Runner, 1, c.now); (err == nil) != (c.want == nil) {
				t.Errorf("kept: %v", err)
			}
		})
	}
}

// A nonce is one runner's once, for 75 blocks; the record goes with its deadline, and its space with both.
//
// Spec: tee §4 (2, 8), §5 (nonce GC window).
func TestNoncesAreUsedOnce(t *testing.T) {
	v, s := composites(t)[0], newState()
	v.trust(t, s, nil)
	sub := v.submission(t)
	verify := func(now unit.Height) error { return sub.Verify(s, now) }
	if err := verify(1_000); err != nil {
		t.Fatal(err)
	}
	forget := func(now unit.Height) {
		if err := Forget(s, now); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []unit.Height{1_000, 1_075} {
		if forget(at); !errors.Is(verify(at), ErrReplayed) {
			t.Errorf("block %d: the nonce counts again", at)
		}
	}
	forget(1_076)
	if _, used, err := s.Lookup(nonceKey(sub.CAE.Freshness.Nonce, sub.Runner)); used || err != nil {
		t.Errorf("the nonce is kept: %v", err)
	}
	sub.CAE.Freshness.Generated = 1_076 // the signatures are of the one before, so it is refused for them, and for no replay
	if err := verify(1_076); !errors.Is(err, ErrSignature) {
		t.Errorf("%v", err)
	}
	forget(1_100)
	if _, err := loadComposite(s, sub.Job, sub.Runner); err != nil {
		t.Error(err)
	}
	forget(1_101)
	if _, err := loadComposite(s, sub.Job, sub.Runner); !errors.Is(err, ErrAttestation) {
		t.Errorf("%v", err)
	}
	left := 0
	if err := s.Scan(under(underOver), nil, 9, func(_, _ []byte) bool { left++; return true }); err != nil || left != 0 {
		t.Errorf("%d entries are left: %v", left, err)
	}
}

// New roots wait 604,800 blocks and no others do; what waits is replaced by what waits later.
//
// Spec: tee §2.4, §3 (126), §5 (ROOT_UPDATE_DELAY).
func TestCollateralBySnapshots(t *testing.T) {
	s := newState()
	roots := func(names ...byte) (list []digest.Hash) {
		for _, n := range names {
			list = append(list, digest.Hash{n})
		}
		return list
	}
	for _, step := range []struct {
		name   string
		now    unit.Height
		roots  []digest.Hash
		least  byte
		from   unit.Height
		expect map[unit.Height][2]byte // at a block: the first root, and the least version
	}{
		{"the first waits too", 10, roots(1), 1, 604_810, map[unit.Height][2]byte{604_809: {}, 604_810: {1, 1}}},
		{"another in its place", 20, roots(1, 2), 2, 604_820, map[unit.Height][2]byte{604_819: {}, 604_820: {1, 2}}},
		{"other versions at once", 700_000, roots(1, 2), 3, 700_000, map[unit.Height][2]byte{700_000: {1, 3}}},
		{"a root less at once", 700_001, roots(2), 3, 700_001, map[unit.Height][2]byte{700_001: {2, 3}}},
		{"a new root", 700_002, roots(2, 3), 4, 1_304_802, map[unit.Height][2]byte{1_304_801: {2, 3}, 1_304_802: {2, 4}}},
		{"versions meanwhile", 700_003, roots(2), 9, 700_003, map[unit.Height][2]byte{700_003: {2, 9}, 1_304_801: {2, 9}, 1_304_802: {2, 4}}},
		{"another new root", 700_004, roots(5), 5, 1_304_804, map[unit.Height][2]byte{1_304_803: {2, 9}, 1_304_804: {5, 5}}},
		{"of which the last is in force", 2_000_000, roots(5), 6, 2_000_000, map[unit.Height][2]byte{2_000_000: {5, 6}}},
	} {
		t.Run(step.name, func(t *testing.T) {
			one := Snapshot{Roots: step.roots, Least: TCB{step.least}}
			if from, err := one.Update(s, TDX, step.now); err != nil || from != step.from {
				t.Errorf("from block %d, %v, want %d", from, err, step.from)
			}
			all, err := LoadCollateral(s, TDX)
			if err != nil {
				t.Fatal(err)
			}
			for at, want := range step.expect {
				t.Run(fmt.Sprint("block ", at), func(t *testing.T) {
					var got [2]byte
					if c := all.At(at); c != nil {
						got = [2]byte{c.Roots[0][0], c.Least[0]}
					}
					if got != want {
						t.Errorf("%v, want %v", got, want)
					}
				})
			}
		})
	}
	if other, err := LoadCollateral(s, SEV); err != nil || other.At(3_000_000) != nil {
		t.Errorf("another type has %v, %v", other, err)
	}
	if _, err := (&Snapshot{}).Update(s, 9, 1); !errors.Is(err, ErrType) {
		t.Error(err)
	}
}

// Spec: tee §2.4 (operator_root), §6 (OperatorRootFail).
func TestOperatorsAreProven(t *testing.T) {
	var leaves []digest.Hash
	for n := range byte(5) {
		leaves = append(leaves, digest.Keccak256([]byte{n, 19: 0}))
	}
	of := &Snapshot{Operators: digest.MerkleRoot(leaves)}
	proof := func(at uint32) []byte {
		p, err := digest.ProveMerkle(leaves, at)
		if err != nil {
			t.Fatal(err)
		}
		return p.Append([]byte{0, 0, 0, byte(at)})
	}
	for name, c := range map[string]struct {
		who   byte
		proof []byte
		ok    bool
	}{
		"the first": {0, proof(0), true}, "the last": {4, proof(4), true}, "another's": {1, proof(2), false}, "nobody": {9, proof(2), false},
		"none": {1, nil, false}, "half": {1, proof(1)[:20], false}, "a place": {1, []byte{0, 0, 0, 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if ok := of.holds(account.Address{c.who}, c.proof); ok != c.ok {
				t.Errorf("%v, want %v", ok, c.ok)
			}
		})
	}
}

// FuzzCAE: what is read is written again byte for byte, and nothing else is read.
//
// Spec: tee §2.2.
func FuzzCAE(f *testing.F) {
	for _, c := range composites(f) {
		f.Add([]byte(c.CAE))
		f.Add([]byte(c.CAE[:len(c.CAE)/2]))
	}
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCAE(data)
		if err != nil {
			return
		}
		if !bytes.Equal(c.Encode(), data) {
			t.Errorf("%x is written as %x", data, c.Encode())
		}
		_, _ = c.reported(), c.Service.vouched(data)
		if _, err := ReadReport(c.CPU.Type, c.CPU.Quote); err != nil && !errors.Is(err, ErrReport) {
			t.Error(err)
		}
	})
}

// A row is changed in one place each: left out, of another type, too long, not the only way to write it, or one too many.
//
// Spec: tee §2.2.
func TestOtherBytesAreNoCompositeAttestation(t *testing.T) {
	good := []byte(composites(t)[0].CAE)
	swap := func(old, with string) []byte {
		if !bytes.Contains(good, []byte(old)) {
			t.Fatalf("%q is not there", old)
		}
		return bytes.Replace(bytes.Clone(good), []byte(old), []byte(with), 1)
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "no map": {1}, "an empty map": {0xa0}, "a byte more": append(bytes.Clone(good), 0), "a byte less": good[:len(good)-1],
		"another version": swap("gversion\x01", "gversion\x02"), "a version as text": swap("gversion\x01", "gversion\x60"),
		"another type": swap("cTdx", "cTdX"), "no type": swap("cTdx", "\x60"), "another accelerator": swap("NvidiaNcc", "NvidiaNcd"),
		"another name": swap("gversion", "gversioo"), "another scheme": swap("Ed25519", "Ed25518"), "a key as text": swap("fpubkey\x58", "fpubkey\x78"),
		"a wide number": swap("hdeadline\x19\x04\x4c", "hdeadline\x1a\x00\x00\x04\x4c"), "a negative block": swap("hdeadline\x19", "hdeadline\x39"),
		"nothing extra": swap("eextra\x44more", "eextra\xf6"), "too long": append(bytes.Clone(good), make([]byte, MaxCAE)...),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseCAE(data); !errors.Is(err, ErrForm) {
				t.Errorf("%v", err)
			}
		})
	}
}
