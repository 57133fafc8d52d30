package tee

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// vector is what OpenSSL signed over the bytes that the package's documentation describes, put together by a program of its own. Its expiry is block 3,601.
type vector struct {
	Type                       string
	PublicKey                  string `json:"public_key"`
	Job, Runner, Measurement   string
	Expires                    uint64
	Result                     string
	RecordSignature            string `json:"record_signature"`
	ResultSignature            string `json:"result_signature"`
	statement                  Statement
	public, ofRecord, ofResult []byte
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/signatures.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 3 {
		t.Fatal(err, len(list))
	}
	raw := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for i := range list {
		v := &list[i]
		kind, err := ParseType(v.Type)
		if err != nil {
			t.Fatal(err)
		}
		v.statement = Statement{kind, digest.Hash(raw(v.Measurement)), digest.Hash(raw(v.Job)), account.Address(raw(v.Runner))}
		v.public, v.ofRecord, v.ofResult = raw(v.PublicKey), raw(v.RecordSignature), raw(v.ResultSignature)
	}
	return list
}

func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

// What OpenSSL signed is believed for a registered key, and nothing that differs in a bit.
//
// Spec: tee §2.1, §3 (60, 62), §4.
func TestSignaturesOfAnotherProgram(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Type, func(t *testing.T) {
			s, say := newState(), v.statement
			record := func(say Statement, expires unit.Height, signature []byte) error {
				return say.Record(s, expires, signature, 1)
			}
			said := func(say Statement, result string, signature []byte) error {
				e := Evidence{Type: say.Type, Measurement: say.Measurement, Data: sha256.Sum256([]byte(result)), Signature: signature}
				return e.Check(s, say.Job, say.Runner, []byte(result))
			}
			if err := record(say, 3_601, v.ofRecord); !errors.Is(err, ErrKey) {
				t.Fatalf("without a key: %v", err)
			}
			if err := RegisterKey(s, say.Type, say.Measurement, v.public, 1); err != nil {
				t.Fatal(err)
			}
			if err := record(say, 3_601, v.ofRecord); err != nil {
				t.Fatal(err)
			}
			if err := said(say, v.Result, v.ofResult); err != nil {
				t.Fatal(err)
			}
			other := func(change func(*Statement)) Statement { o := say; change(&o); return o }
			for name, err := range map[string]error{
				"another job":         said(other(func(o *Statement) { o.Job[0] ^= 1 }), v.Result, v.ofResult),
				"another runner":      said(other(func(o *Statement) { o.Runner[0] ^= 1 }), v.Result, v.ofResult),
				"another result":      said(say, v.Result+" ", v.ofResult),
				"a record's":          said(say, v.Result, v.ofRecord),
				"a result's":          record(say, 3_601, v.ofResult),
				"a block more":        record(say, 3_602, v.ofRecord),
				"a byte less":         record(say, 3_601, v.ofRecord[1:]),
				"a byte more":         record(say, 3_601, append([]byte{0}, v.ofRecord...)),
				"nothing":             record(say, 3_601, nil),
				"zeros":               record(say, 3_601, make([]byte, len(v.ofRecord))),
				"a flipped last byte": record(say, 3_601, flipped(v.ofRecord)),
			} {
				t.Run(name, func(t *testing.T) {
					if !errors.Is(err, ErrSignature) {
						t.Errorf("%v", err)
					}
				})
			}
			of := Evidence{Type: say.Type, Measurement: say.Measurement, Data: sha256.Sum256([]byte(v.Result)), Signature: v.ofResult}
			if err := of.Check(s, say.Job, say.Runner, []byte(v.Result+" ")); !errors.Is(err, ErrResult) {
				t.Errorf("the data of another result: %v", err)
			}
			if err := said(other(func(o *Statement) { o.Measurement[0] ^= 1 }), v.Result, v.ofResult); !errors.Is(err, ErrKey) {
				t.Errorf("another measurement: %v", err)
			}
		})
	}
}

// trusts reports whether a runner that declares the environment of a statement, and has set no binding, gets jobs that require one.
func trusts(s state.Reader, say *Statement, now unit.Height) (bool, error) {
	b, err := BindingOf(s, say.Runner, say.Type.String(), say.Measurement)
	if err != nil {
		return false, err
	}
	return b.Admits(s, now, now+1_000)
}

func flipped(b []byte) []byte {
	c := append([]byte(nil), b...)
	c[len(c)-1] ^= 1
	return c
}

// Spec: tee §2.1, §6; WP §2.5.
func TestKeysAreHeldToTheirForm(t *testing.T) {
	list := vectors(t)
	p256, p384 := list[0].public, list[2].public
	off := flipped(p256)
	compressed := append([]byte{2}, p256[1:33]...)
	for name, c := range map[string]struct {
		kind Type
		key  []byte
		want error
	}{
		"P-256 for sgx":       {SGX, p256, nil},
		"P-256 for tdx":       {TDX, p256, nil},
		"P-384 for sev":       {SEV, p384, nil},
		"P-256 for sev":       {SEV, p256, ErrKeyForm},
		"P-384 for sgx":       {SGX, p384, ErrKeyForm},
		"off the curve":       {SGX, off, ErrKeyForm},
		"compressed":          {SGX, compressed, ErrKeyForm},
		"a byte more":         {SGX, append(append([]byte(nil), p256...), 0), ErrKeyForm},
		"the point of nobody": {SGX, []byte{0}, ErrKeyForm},
		"nothing":             {SGX, nil, ErrKeyForm},
		"no type":             {0, p256, ErrType},
		"a type too many":     {Nitro + 1, p256, ErrType},
	} {
		t.Run(name, func(t *testing.T) {
			if err := CheckKey(c.kind, c.key); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	for _, name := range []string{"", "SGX", "sev-snp", "Nitro", "unknown", "sgx "} {
		t.Run("type "+name, func(t *testing.T) {
			if _, err := ParseType(name); !errors.Is(err, ErrType) {
				t.Errorf("%v", err)
			}
		})
	}
}

// recorded is a state with the key of a vector and the record that it signed, of block 7.
func recorded(t *testing.T, v *vector) *state.Overlay {
	t.Helper()
	s := newState()
	if err := errors.Join(RegisterKey(s, v.statement.Type, v.statement.Measurement, v.public, 1), v.statement.Record(s, 3_601, v.ofRecord, 7)); err != nil {
		t.Fatal(err)
	}
	return s
}

// bound is a runner's that has declared the vector's environment.
func (v *vector) bound() *Binding {
	return &Binding{Type: v.statement.Type, Measurements: []digest.Hash{v.statement.Measurement}, declared: true}
}

// valid says whether the record of a vector counts.
func (v *vector) valid(s state.Reader, now unit.Height) error {
	_, err := v.bound().Valid(s, v.statement.Job, v.statement.Runner, 1, now)
	return err
}

// A record counts up to the block before it expires, as long as nobody revoked it or its key; then it is forgotten.
//
// Spec: tee §2.1, §3 (61, 63), §5, §6.
func TestLifeOfARecord(t *testing.T) {
	v := vectors(t)[0]
	begin := func(t *testing.T) (*state.Overlay, *Statement) { return recorded(t, &v), &v.statement }
	valid := func(s state.Reader, now unit.Height) error { return v.valid(s, now) }
	t.Run("expires", func(t *testing.T) {
		s, say := begin(t)
		if a, err := v.bound().Valid(s, say.Job, say.Runner, 1, 3_600); err != nil || a.Attested != 7 || a.Measurement != say.Measurement {
			t.Errorf("%+v %v", a, err)
		}
		if err := valid(s, 3_601); !errors.Is(err, ErrExpired) {
			t.Errorf("%v", err)
		}
		if err := Forget(s, 3_600); err != nil || valid(s, 3_600) != nil {
			t.Errorf("it is forgotten too soon: %v", err)
		}
		if err := Forget(s, 3_601); err != nil || !errors.Is(valid(s, 3_600), ErrAttestation) {
			t.Errorf("it is not forgotten: %v", err)
		}
	})
	t.Run("revoked by a stranger", func(t *testing.T) {
		s, say := begin(t)
		if err := Revoke(s, say.Job, say.Runner, account.Address{9}, false); !errors.Is(err, ErrOwner) || valid(s, 9) != nil {
			t.Errorf("%v", err)
		}
	})
	t.Run("revoked by its runner", func(t *testing.T) {
		s, say := begin(t)
		if err := Revoke(s, say.Job, say.Runner, say.Runner, false); err != nil || !errors.Is(valid(s, 9), ErrRevoked) {
			t.Errorf("%v", err)
		}
		if err := Revoke(s, say.Job, say.Runner, say.Runner, false); !errors.Is(err, ErrRevoked) {
			t.Errorf("twice: %v", err)
		}
	})
	t.Run("revoked by governance", func(t *testing.T) {
		s, say := begin(t)
		if err := Revoke(s, say.Job, say.Runner, account.Address{9}, true); err != nil || !errors.Is(valid(s, 9), ErrRevoked) {
			t.Errorf("%v", err)
		}
	})
	t.Run("key revoked", func(t *testing.T) {
		s, say := begin(t)
		if ok, err := trusts(s, say, 3); err != nil || !ok {
			t.Errorf("%v %v", ok, err)
		}
		if err := RevokeKey(s, SGX, say.Measurement, 8); err != nil || !errors.Is(valid(s, 9), ErrRevoked) {
			t.Errorf("%v", err)
		}
		if ok, err := trusts(s, say, 3); err != nil || ok {
			t.Errorf("%v %v", ok, err)
		}
		if err := RevokeKey(s, SGX, say.Measurement, 8); !errors.Is(err, ErrRevoked) {
			t.Errorf("twice: %v", err)
		}
		if err := say.Record(s, 3_601, v.ofRecord, 9); !errors.Is(err, ErrRevoked) {
			t.Errorf("recorded all the same: %v", err)
		}
		if err := RegisterKey(s, SGX, say.Measurement, v.public, 10); err != nil || valid(s, 11) != nil {
			t.Errorf("registered again: %v", err)
		}
	})
	t.Run("a week old", func(t *testing.T) { // the key of block 1 admits new jobs until it is renewed; those that run may be attested
		s, say := begin(t)
		k, err := LoadKey(s, SGX, say.Measurement)
		if err != nil {
			t.Fatal(err)
		}
		for age, want := range map[unit.Height]bool{604_799: true, 604_800: false} {
			t.Run(fmt.Sprint(age, " blocks"), func(t *testing.T) {
				if ok, err := trusts(s, say, k.Registered+age); err != nil || ok != want {
					t.Errorf("%v %v", ok, err)
				}
			})
		}
		if err := RegisterKey(s, SGX, say.Measurement, v.public, 604_801); err != nil {
			t.Fatal(err)
		}
		if ok, err := trusts(s, say, 604_801); err != nil || !ok {
			t.Errorf("renewed: %v %v", ok, err)
		}
	})
	t.Run("replaced", func(t *testing.T) {
		s, say := begin(t)
		if err := say.Record(s, 3_601, v.ofRecord, 9); err != nil {
			t.Fatal(err)
		}
		if a, err := LoadAttestation(s, say.Job, say.Runner); err != nil || a.Attested != 9 {
			t.Errorf("%+v %v", a, err)
		}
	})
}

// A statement that was revoked does not count again by being brought again; one that counts longer, which has to be signed anew, does.
//
// Spec: tee §2.1, §3 (62, 63).
func TestRevokedStatementsStayRevoked(t *testing.T) {
	v := vectors(t)[0]
	s, say := recorded(t, &v), &v.statement
	if err := Revoke(s, say.Job, say.Runner, account.Address{9}, true); err != nil {
		t.Fatal(err)
	}
	if err := say.Record(s, 3_601, v.ofRecord, 9); !errors.Is(err, ErrRevoked) || !errors.Is(v.valid(s, 9), ErrRevoked) {
		t.Errorf("the same statement again: %v", err)
	}
	a, err := LoadAttestation(s, say.Job, say.Runner) // one that was revoked counts a block less than the statement that comes
	if err != nil {
		t.Fatal(err)
	}
	s.Delete(expiryKey(a.Expires, say.Job, say.Runner))
	a.Expires = 3_600
	s.Set(recordKey(say.Job, say.Runner), a.Encode())
	s.Set(expiryKey(a.Expires, say.Job, say.Runner), []byte{})
	if err := say.Record(s, 3_601, v.ofRecord, 9); err != nil || v.valid(s, 9) != nil {
		t.Errorf("a statement that counts longer: %v", err)
	}
	if err := Forget(s, 3_600); err != nil || v.valid(s, 3_600) != nil {
		t.Errorf("it goes with the one before: %v", err)
	}
}

// A binding that is deprecated admits no new jobs; what runs is attested all the same, until it is registered anew.
//
// Spec: tee §3 (124), §4.
func TestDeprecatedBindings(t *testing.T) {
	v := vectors(t)[0]
	s, say := recorded(t, &v), &v.statement
	if err := Deprecate(s, SGX, say.Measurement, 8); err != nil || v.valid(s, 9) != nil {
		t.Errorf("%v", err)
	}
	if ok, err := trusts(s, say, 9); err != nil || ok {
		t.Errorf("it admits new jobs: %v", err)
	}
	if err := Deprecate(s, SGX, say.Measurement, 9); !errors.Is(err, ErrDeprecated) {
		t.Errorf("twice: %v", err)
	}
	if err := say.Record(s, 3_601, v.ofRecord, 10); err != nil {
		t.Errorf("attested meanwhile: %v", err)
	}
	if err := RegisterKey(s, SGX, say.Measurement, v.public, 11); err != nil {
		t.Fatal(err)
	}
	if ok, err := trusts(s, say, 11); err != nil || !ok {
		t.Errorf("registered anew: %v %v", ok, err)
	}
}

// The lifetime has its bounds, and the registry of keys.
//
// Spec: tee §5.
func TestBounds(t *testing.T) {
	v := vectors(t)[0]
	s := newState()
	if err := RegisterKey(s, SGX, v.statement.Measurement, v.public, 1); err != nil {
		t.Fatal(err)
	}
	for now, want := range map[unit.Height]error{3_601: ErrLifetime, 4_000: ErrLifetime, 3_600: nil, 1: nil} {
		t.Run(fmt.Sprint("recorded in block ", now), func(t *testing.T) {
			if err := v.statement.Record(s, 3_601, v.ofRecord, now); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
	// The signature is looked at only where the lifetime is one: a wrong one at the bound is refused for itself, a block beyond for the lifetime.
	for ahead, want := range map[unit.Height]error{MaxLifetime: ErrSignature, MaxLifetime + 1: ErrLifetime} {
		t.Run(fmt.Sprint("for blocks ", ahead), func(t *testing.T) {
			if err := v.statement.Record(s, 5+ahead, v.ofRecord, 5); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
	for n := 1; n < MaxKeys; n++ {
		if err := RegisterKey(s, TDX, digest.Hash{byte(n), byte(n >> 8), 1}, v.public, 1); err != nil {
			t.Fatal(n, err)
		}
	}
	if err := RegisterKey(s, TDX, digest.Hash{2, 2, 2}, v.public, 1); !errors.Is(err, ErrFull) {
		t.Errorf("one key more: %v", err)
	}
	if err := RegisterKey(s, SGX, v.statement.Measurement, v.public, 2); err != nil {
		t.Errorf("a key that is there: %v", err)
	}
	if !strings.HasPrefix(string(v.statement.ResultPayload(nil)), "cowboy/tee-verifier/") {
		t.Error("the domain is not in front")
	}
}

// Expired records are forgotten the oldest first, so many in a block.
//
// Spec: tee §5.
func TestForgettingIsBounded(t *testing.T) {
	s := newState()
	for n := range MaxForgotten + 6 {
		job := digest.Hash{byte(n)}
		a := Attestation{Type: SGX, Expires: unit.Height(100 - n)}
		s.Set(recordKey(job, account.Address{}), a.Encode())
		s.Set(expiryKey(a.Expires, job, account.Address{}), []byte{})
	}
	left := func() (n int) {
		for i := range MaxForgotten + 6 {
			if _, err := LoadAttestation(s, digest.Hash{byte(i)}, account.Address{}); err == nil {
				n++
			}
		}
		return n
	}
	if err := Forget(s, 100); err != nil || left() != 6 {
		t.Fatalf("%v, %d are left", err, left())
	}
	if _, err := LoadAttestation(s, digest.Hash{0}, account.Address{}); err != nil {
		t.Error("the newest went first")
	}
	if err := Forget(s, 100); err != nil || left() != 0 {
		t.Errorf("%v, %d are left", err, left())
	}
}
