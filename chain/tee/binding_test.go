package tee

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// bound is a binding with its proof, that testdata/binding.py made.
type bound struct {
	Name, Type                 string
	Runner, Beacon             octets
	Measurements, Accelerators []octets
	Scheme                     Scheme
	Service, Hash, Nonce       octets
	Trusted, Proof             octets
}

func bounds(t testing.TB) (list []bound) {
	t.Helper()
	data, err := os.ReadFile("testdata/binding.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 4 {
		t.Fatal(err, len(list))
	}
	return list
}

// binding reads a case; trust registers a key for each of its measurements.
func (b *bound) binding(t testing.TB) (*Binding, *Evidence) {
	t.Helper()
	kind, err := ParseType(b.Type)
	if err != nil {
		t.Fatal(err)
	}
	out := &Binding{Type: kind, Scheme: b.Scheme, Service: [32]byte(b.Service)}
	for _, m := range b.Measurements {
		out.Measurements = append(out.Measurements, digest.Hash(m))
	}
	for _, a := range b.Accelerators {
		out.Accelerators = append(out.Accelerators, digest.Hash(a))
	}
	proof, err := DecodeEvidence(b.Proof)
	if err != nil {
		t.Fatal(err)
	}
	return out, &proof
}

func (b *bound) trust(t testing.TB, s state.Store, at unit.Height) {
	t.Helper()
	of, _ := b.binding(t)
	for _, m := range of.Measurements {
		if err := RegisterKey(s, of.Type, m, b.Trusted, at); err != nil {
			t.Fatal(err)
		}
	}
}

// What another program listed, hashed and signed is bound, and read back as it was.
//
// Spec: tee §2.2, §2.3.
func TestBindingsOfAnotherProgram(t *testing.T) {
	for _, c := range bounds(t) {
		t.Run(c.Name, func(t *testing.T) {
			s, who := newState(), account.Address(c.Runner)
			c.trust(t, s, 1)
			b, proof := c.binding(t)
			if b.Hash() != digest.Hash(c.Hash) {
				t.Errorf("hash %x", b.Hash())
			}
			if nonce := Ask(s, who, c.Beacon, 100); nonce != digest.Hash(c.Nonce) {
				t.Errorf("nonce %x", nonce)
			}
			if err := b.Bind(s, who, c.Type, proof, 175); err != nil {
				t.Fatal(err)
			}
			back, err := LoadBinding(s, who)
			if err != nil || back.Hash() != digest.Hash(c.Hash) || back.Bound != 175 || back.Expires != 175+604_800 {
				t.Errorf("%+v %v", back, err)
			}
			if size := len(b.Encode()); size > MaxBinding {
				t.Errorf("%d bytes, more than there may be", size)
			}
		})
	}
}

// A proof is for one runner, nonce and binding, once, within 75 blocks, by the key of a measurement that is listed; whatever else comes changes nothing.
//
// Spec: tee §2.3, §6.
func TestProofsOfBindings(t *testing.T) {
	for _, c := range []struct {
		name   string
		of     int // the case
		now    unit.Height
		before func(s state.Store, who account.Address)
		change func(b *Binding, proof *Evidence)
		who    byte   // flipped in the runner
		kind   string // declared; "" is the case's
		want   error
	}{
		{name: "as it is", of: 1, now: 100},
		{name: "the last block", of: 1, now: 175},
		{name: "a block later", of: 1, now: 176, want: ErrLate},
		{name: "nothing was asked for", of: 1, now: 100, before: func(s state.Store, who account.Address) { s.Delete(askKey(who)) }, want: ErrAsked},
		{name: "another's", of: 1, now: 100, who: 1, want: ErrSignature},
		{
			name: "another nonce", of: 1, now: 100, want: ErrSignature,
			before: func(s state.Store, who account.Address) { Ask(s, who, []byte("another beacon"), 100) },
		},
		{name: "another declaration", of: 1, now: 100, kind: "sev", want: ErrBinding},
		{name: "no declaration", of: 1, now: 100, kind: "none", want: ErrBinding},
		{name: "one measurement less", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { b.Measurements = b.Measurements[1:] }, want: ErrSignature},
		{
			name: "a measurement that is not listed", of: 1, now: 100, want: ErrBinding,
			change: func(b *Binding, _ *Evidence) { b.Measurements = b.Measurements[:2] },
		},
		{name: "one accelerator less", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { b.Accelerators = b.Accelerators[:1] }, want: ErrSignature},
		{name: "another service", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { b.Service[0] ^= 1 }, want: ErrSignature},
		{
			name: "another service that is signed for", of: 1, now: 100, want: ErrSignature,
			change: func(b *Binding, p *Evidence) { b.Service[0] ^= 1; p.Data = b.Hash() },
		},
		{name: "another type's proof", of: 1, now: 100, change: func(_ *Binding, p *Evidence) { p.Type = SGX }, want: ErrBinding},
		{name: "another signature", of: 1, now: 100, change: func(_ *Binding, p *Evidence) { p.Signature = flipped(p.Signature) }, want: ErrSignature},
		{name: "no signature", of: 1, now: 100, change: func(_ *Binding, p *Evidence) { p.Signature = nil }, want: ErrSignature},
		{
			name: "a measurement whose key was revoked", of: 1, now: 100, want: ErrRevoked, before: func(s state.Store, _ account.Address) {
				b, _ := bounds(t)[1].binding(t)
				if err := RevokeKey(s, TDX, b.Measurements[0], 2); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name: "a measurement without a key", of: 1, now: 100, want: ErrKey,
			change: func(b *Binding, _ *Evidence) { b.Measurements[0] = digest.Hash{} },
		},
		{name: "no measurement", now: 100, change: func(b *Binding, _ *Evidence) { b.Measurements = nil }, want: ErrBound},
		{
			name: "the same twice", now: 100, want: ErrBound,
			change: func(b *Binding, _ *Evidence) { b.Measurements = append(b.Measurements, b.Measurements[0]) },
		},
		{name: "in another order", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { slices.Reverse(b.Measurements) }, want: ErrBound},
		{name: "accelerators in another order", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { slices.Reverse(b.Accelerators) }, want: ErrBound},
		{
			name: "nine measurements", of: 2, now: 100, want: ErrBound,
			change: func(b *Binding, _ *Evidence) { b.Measurements = append([]digest.Hash{{}}, b.Measurements...) },
		},
		{
			name: "nine accelerators", of: 2, now: 100, want: ErrBound,
			change: func(b *Binding, _ *Evidence) { b.Accelerators = append([]digest.Hash{{}}, b.Accelerators...) },
		},
		{name: "no point", of: 2, now: 100, change: func(b *Binding, _ *Evidence) { b.Service = [32]byte{31: 1} }, want: ErrBound},
		{name: "a scheme without a key", now: 100, change: func(b *Binding, _ *Evidence) { b.Scheme = EcdsaP256 }, want: ErrBound},
		{name: "a scheme nobody knows", of: 1, now: 100, change: func(b *Binding, _ *Evidence) { b.Scheme = 2 }, want: ErrBound},
		{name: "a type nobody knows", now: 100, change: func(b *Binding, _ *Evidence) { b.Type = 5 }, want: ErrType},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, s := bounds(t)[c.of], newState()
			v.trust(t, s, 1)
			b, proof := v.binding(t)
			who := account.Address(v.Runner)
			who[0] ^= c.who
			Ask(s, who, v.Beacon, 100)
			if c.before != nil {
				c.before(s, who)
			}
			if c.change != nil {
				c.change(b, proof)
			}
			if c.kind == "" {
				c.kind = v.Type
			}
			if err := b.Bind(s, who, c.kind, proof, c.now); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if kept, err := LoadBinding(s, who); err != nil || (kept != nil) != (c.want == nil) {
				t.Errorf("kept %+v %v", kept, err)
			}
			if err := b.Bind(s, who, c.kind, proof, c.now); err == nil {
				t.Error("the same proof counts again")
			}
		})
	}
}

// A binding goes from Active to Deprecated to Revoked as the best of its measurements does, is Deprecated once it has to be renewed, and is renewed by a proof.
//
// Spec: tee §2.3, §3 (61, 124), §4, §5 (binding renewal).
func TestStatesOfABinding(t *testing.T) {
	v, s := bounds(t)[1], newState()
	v.trust(t, s, 1)
	b, proof := v.binding(t)
	who := account.Address(v.Runner)
	if _, err := Renew(s, who, proof, 100); !errors.Is(err, ErrUnbound) {
		t.Errorf("nothing is renewed: %v", err)
	}
	Ask(s, who, v.Beacon, 100)
	if err := b.Bind(s, who, v.Type, proof, 100); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name string
		do   func()
		want map[unit.Height]Status
	}{
		{"at first", func() {}, map[unit.Height]Status{100: Active, 604_899: Active, 604_900: Deprecated, 9_000_000: Deprecated}},
		{"it is renewed", func() {
			Ask(s, who, v.Beacon, 604_850)
			_, err := Renew(s, who, proof, 604_901) // late, and in time for what is new
			must(err)
		}, map[unit.Height]Status{604_901: Active, 1_209_700: Active, 1_209_701: Deprecated}},
		{"one measurement is deprecated", func() { must(Deprecate(s, TDX, b.Measurements[0], 604_910)) }, map[unit.Height]Status{604_910: Active}},
		{"another is revoked", func() { must(RevokeKey(s, TDX, b.Measurements[1], 604_911)) }, map[unit.Height]Status{604_911: Active}},
		{"the last is deprecated", func() { must(Deprecate(s, TDX, b.Measurements[2], 604_912)) }, map[unit.Height]Status{604_912: Deprecated}},
		{"and revoked", func() { must(RevokeKey(s, TDX, b.Measurements[2], 604_913)) }, map[unit.Height]Status{604_913: Deprecated}},
		{"the first is revoked", func() { must(RevokeKey(s, TDX, b.Measurements[0], 604_914)) }, map[unit.Height]Status{604_914: Revoked, 9_000_000: Revoked}},
		{"a key is registered anew", func() { must(RegisterKey(s, TDX, b.Measurements[1], v.Trusted, 604_915)) }, map[unit.Height]Status{604_915: Active}},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.do()
			now, err := LoadBinding(s, who)
			if err != nil || now.Bound != 100 {
				t.Fatal(now, err)
			}
			for at, want := range step.want {
				if got, err := now.Status(s, at); err != nil || got != want {
					t.Errorf("at %d it is %v, want %v; %v", at, got, want, err)
				}
				if ok, err := now.Admits(s, 1, at); err != nil || ok != (want == Active) {
					t.Errorf("for a job until %d: %v %v", at, ok, err)
				}
			}
		})
	}
	Ask(s, who, v.Beacon, 604_920)
	if ok, err := Unbind(s, who); err != nil || !ok {
		t.Errorf("%v %v", ok, err)
	}
	if ok, err := Unbind(s, who); err != nil || ok {
		t.Errorf("again: %v %v", ok, err)
	}
	left := 0
	for _, prefix := range []string{underBinding, underAsk} {
		must(s.Scan(under(prefix), nil, 9, func(_, _ []byte) bool { left++; return true }))
	}
	if left != 0 {
		t.Errorf("%d entries are left", left)
	}
}

// Of a runner that has set a binding each step of the pipeline holds the attestation to what is listed, and each refuses what is wrong for it alone.
//
// Spec: tee §2.3, §4 (4, 6, 7), §6 (RegistryMismatch).
func TestThePipelineHoldsToTheBinding(t *testing.T) {
	for _, c := range []struct {
		name   string
		of     int // the case of an attestation; 0 has an accelerator, 1 has none
		change func(b *Binding, s state.Store, m digest.Hash)
		want   error
	}{
		{name: "as it is"},
		{name: "without an accelerator", of: 1},
		{name: "none is listed, and there is none", of: 1, change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Accelerators = nil }},
		{name: "none is listed, and there is one", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Accelerators = nil }, want: ErrAccelerator},
		{name: "another is listed", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Accelerators = []digest.Hash{{1}} }, want: ErrAccelerator},
		{name: "no service is named", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Scheme, b.Service = 0, [32]byte{} }},
		{name: "another service", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Service[0] ^= 1 }, want: ErrService},
		{name: "another scheme", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Scheme ^= 1 }, want: ErrService},
		{name: "its measurement is not listed", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Measurements[1][0] ^= 1 }, want: ErrBinding},
		{name: "another type", change: func(b *Binding, _ state.Store, _ digest.Hash) { b.Type = SGX }, want: ErrBinding},
		{name: "its key was revoked", change: func(_ *Binding, s state.Store, m digest.Hash) { _ = RevokeKey(s, TDX, m, 2) }, want: ErrRevoked},
		{name: "deprecated before the job", change: func(_ *Binding, s state.Store, m digest.Hash) { _ = Deprecate(s, TDX, m, 899) }, want: ErrDeprecated},
		{name: "deprecated with the job", change: func(_ *Binding, s state.Store, m digest.Hash) { _ = Deprecate(s, TDX, m, 900) }},
		{name: "deprecated after it", change: func(_ *Binding, s state.Store, m digest.Hash) { _ = Deprecate(s, TDX, m, 950) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, s := composites(t)[c.of], newState()
			v.trust(t, s, nil)
			sub := v.submission(t)
			m := digest.Hash(v.Measured)
			sub.Assigned = 900
			sub.Binding = &Binding{
				Type: sub.CAE.CPU.Type, Measurements: []digest.Hash{{}, m}, Accelerators: []digest.Hash{{}}, Scheme: sub.CAE.Service.Scheme,
				Service: sub.CAE.Service.Key, Bound: 1, Expires: 2, // it has to be renewed, and the job runs already
			}
			if g := sub.CAE.GPU; g != nil {
				sub.Binding.Accelerators = append(sub.Binding.Accelerators, MeasurementHash(g.Measurement))
			}
			if c.change != nil {
				c.change(sub.Binding, s, m)
			}
			if err := sub.Verify(s, 1_000); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, err := loadComposite(s, sub.Job, sub.Runner); (err == nil) != (c.want == nil) {
				t.Errorf("kept: %v", err)
			}
		})
	}
}

// What was recorded and verified counts as long as its environment is one of those that its runner is bound to at the time.
//
// Spec: tee §4 (checked again with each reveal, and when a receipt arrives).
func TestWhatWasAttestedIsHeldToTheBindingOfNow(t *testing.T) {
	v := vectors(t)[0]
	say := v.statement
	for _, c := range []struct {
		name     string
		declared digest.Hash
		b        *Binding
		want     error
	}{
		{"none is set", say.Measurement, nil, nil},
		{"none is set, and another declared", digest.Hash{1}, nil, ErrBinding},
		{"listed", digest.Hash{1}, &Binding{Type: SGX, Measurements: []digest.Hash{{}, say.Measurement}}, nil},
		{"not listed", say.Measurement, &Binding{Type: SGX, Measurements: []digest.Hash{{}}}, ErrBinding},
		{"of another type", say.Measurement, &Binding{Type: TDX, Measurements: []digest.Hash{say.Measurement}}, ErrBinding},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := recorded(t, &v)
			one := Composite{Type: say.Type, Measurement: say.Measurement, Expires: 3_601}
			s.Set(caeKey(say.Job, say.Runner), one.Encode())
			if c.b != nil {
				s.Set(bindingKey(say.Runner), c.b.Encode())
			}
			valid := func(assigned, now unit.Height) (recorded, verified error) {
				b, err := BindingOf(s, say.Runner, "sgx", c.declared)
				if err != nil {
					return err, err
				}
				_, recorded = b.Valid(s, say.Job, say.Runner, assigned, now)
				_, verified = b.Verified(s, say.Job, say.Runner, assigned, now)
				return recorded, verified
			}
			if recorded, verified := valid(9, 9); !errors.Is(recorded, c.want) || !errors.Is(verified, c.want) {
				t.Errorf("recorded: %v, verified: %v, want %v", recorded, verified, c.want)
			}
			if err := Deprecate(s, SGX, say.Measurement, 10); err != nil {
				t.Fatal(err)
			}
			for assigned, deprecated := range map[unit.Height]bool{10: false, 11: c.b != nil} {
				t.Run(fmt.Sprint("given out in block ", assigned), func(t *testing.T) {
					want := c.want
					if want == nil && deprecated {
						want = ErrDeprecated
					}
					if recorded, verified := valid(assigned, 12); !errors.Is(recorded, want) || !errors.Is(verified, want) {
						t.Errorf("recorded: %v, verified: %v, want %v", recorded, verified, want)
					}
				})
			}
		})
	}
}

// FuzzBinding: what is read is written again byte for byte, and nothing else is read.
//
// Spec: WP §2.5; tee §2.3.
func FuzzBinding(f *testing.F) {
	for _, c := range bounds(f) {
		b, _ := c.binding(f)
		f.Add(b.Encode())
		f.Add(b.Encode()[:40])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeBinding(data)
		if err == nil && (!bytes.Equal(b.Encode(), data) || len(data) > MaxBinding || b.Check() != nil) {
			t.Errorf("%x is written as %x", data, b.Encode())
		}
	})
}
