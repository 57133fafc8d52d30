package tee

import (
	"bytes"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a binding.
const (
	MaxListed  = 8                                                          // measurements, and accelerators
	MaxBinding = 1 + 2*(1+MaxListed*digest.Size) + 1 + keyBytes + 2*maxUint // bytes of the stored form
	maxUint    = 10
)

// The rejects of bindings alone.
//
// Spec: tee §2.3, §6 (RegistryMismatch).
var (
	ErrBound       = errors.New("tee: a binding lists 1 to 8 measurements and at most 8 accelerators, each ascending, and a service's key of its scheme")
	ErrUnbound     = errors.New("tee: the runner has no binding")
	ErrAsked       = errors.New("tee: no nonce was asked for within 75 blocks, or it was used")
	ErrService     = errors.New("tee: the service's key is not the binding's")
	ErrAccelerator = errors.New("tee: the accelerator is not one of the binding's")
)

// Binding is what a runner may run its jobs in (MeasurementBinding): environments of a type, with the measurements and accelerators that it lists.
//
// Spec: tee §2.3; runner-marketplace §2.5 (measurement_binding).
type Binding struct {
	Type         Type
	Measurements []digest.Hash // as keys are registered by, strictly ascending; 1 to MaxListed
	Accelerators []digest.Hash // keccak256 of their measurements, strictly ascending; none: an attestation has no accelerator
	Scheme       Scheme
	Service      [keyBytes]byte // the service's key; zeros: the one that a quote binds
	Bound        unit.Height
	Expires      unit.Height // the first block it admits no new jobs in

	declared bool // it is what the runner declared: any accelerator
}

// form is what a runner chooses of a binding.
func (b *Binding) form() []byte {
	dst := codec.AppendU8(nil, uint8(b.Type))
	for _, list := range [...][]digest.Hash{b.Measurements, b.Accelerators} {
		dst = codec.AppendLen(dst, len(list))
		for i := range list {
			dst = codec.AppendFixed(dst, list[i][:])
		}
	}
	return codec.AppendFixed(codec.AppendU8(dst, uint8(b.Scheme)), b.Service[:])
}

// Hash is what the proof of a binding is of: keccak256 of type(1) ‖ list of measurements ‖ list of accelerators ‖ scheme(1) ‖ service's key(32).
//
// Spec: tee §2.3.
func (b *Binding) Hash() digest.Hash { return digest.Keccak256(b.form()) }

// Encode is the stored form: what Hash is of ‖ UInt bound_at ‖ UInt expires_at.
func (b *Binding) Encode() []byte {
	return codec.AppendUint(codec.AppendUint(b.form(), uint64(b.Bound)), uint64(b.Expires))
}

// DecodeBinding reads what Encode wrote.
func DecodeBinding(data []byte) (*Binding, error) {
	r := codec.NewReader(data)
	b := &Binding{Type: Type(r.U8())}
	for _, list := range [...]*[]digest.Hash{&b.Measurements, &b.Accelerators} {
		for range r.Len(0, MaxListed, digest.Size) {
			var one digest.Hash
			r.Into(one[:])
			*list = append(*list, one)
		}
	}
	b.Scheme = Scheme(r.U8())
	r.Into(b.Service[:])
	b.Bound, b.Expires = unit.Height(r.Uint()), unit.Height(r.Uint())
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return b, b.Check()
}

// Check holds a binding to its bounds. Rejects: ErrType, ErrBound.
//
// Spec: tee §2.3.
func (b *Binding) Check() error {
	if !b.Type.known() {
		return ErrType
	}
	unnamed := b.Service == [keyBytes]byte{}
	if len(b.Measurements) == 0 || !ascends(b.Measurements) || !ascends(b.Accelerators) || b.Scheme > EcdsaP256 || unnamed && b.Scheme != Ed25519 {
		return ErrBound
	}
	if b.Scheme == EcdsaP256 {
		if _, err := evenPoint(b.Service); err != nil {
			return ErrBound
		}
	}
	return nil
}

// ascends reports whether a list is no longer than a binding's may be, and strictly ascending.
func ascends(list []digest.Hash) bool {
	for i := range list {
		if i > 0 && bytes.Compare(list[i-1][:], list[i][:]) >= 0 {
			return false
		}
	}
	return len(list) <= MaxListed
}

func bindingKey(runner account.Address) []byte { return append(under(underBinding), runner[:]...) }

func askKey(runner account.Address) []byte { return append(under(underAsk), runner[:]...) }

// LoadBinding reads the binding that a runner has set; nil for none.
func LoadBinding(r state.Reader, runner account.Address) (*Binding, error) {
	data, ok, err := r.Lookup(bindingKey(runner))
	if err != nil || !ok {
		return nil, err
	}
	return DecodeBinding(data)
}

// BindingOf is what counts for a runner that has declared a type and a measurement: the binding it has set, which is of that type, or of one that has set none
// that measurement alone, with any accelerator and the service's key that a quote binds. Reject: ErrBinding.
//
// Spec: tee §2.3, §4 (declaration and binding).
func BindingOf(r state.Reader, runner account.Address, declared string, measurement digest.Hash) (*Binding, error) {
	t, err := ParseType(declared)
	if err != nil {
		return nil, ErrBinding
	}
	b, err := LoadBinding(r, runner)
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return &Binding{Type: t, Measurements: []digest.Hash{measurement}, declared: true}, nil
	case b.Type != t:
		return nil, ErrBinding
	}
	return b, nil
}

// Asked is the nonce that a runner asked for, and in which block.
type Asked struct {
	At    unit.Height
	Nonce digest.Hash
}

// Encode is the stored form: UInt block ‖ nonce(32).
func (a *Asked) Encode() []byte {
	return codec.AppendFixed(codec.AppendUint(nil, uint64(a.At)), a.Nonce[:])
}

// LoadAsked reads the nonce that a runner asked for and has not used; nil for none.
func LoadAsked(r state.Reader, runner account.Address) (*Asked, error) {
	data, ok, err := r.Lookup(askKey(runner))
	if err != nil || !ok {
		return nil, err
	}
	in := codec.NewReader(data)
	a := &Asked{At: unit.Height(in.Uint())}
	in.Into(a.Nonce[:])
	return a, in.Finish()
}

// BindingNonce is the nonce of a binding's proof: keccak256(runner ‖ beacon), where the beacon is the one that the block reads in which the runner asks for it.
//
// Spec: tee §2.2 (the parent beacon in the place of a block's hash), §2.3.
func BindingNonce(runner account.Address, beacon []byte) digest.Hash {
	return digest.Keccak256(runner[:], beacon)
}

// Ask gives a runner the nonce that the proof of its binding, or of the renewal, has to carry. It is for one proof, within MaxQuoteAge blocks.
//
// Spec: tee §2.3.
func Ask(s state.Store, runner account.Address, beacon []byte, now unit.Height) digest.Hash {
	a := Asked{At: now, Nonce: BindingNonce(runner, beacon)}
	s.Set(askKey(runner), a.Encode())
	return a.Nonce
}

// Bind makes a binding the runner's, in the place of the one before, for Renewal blocks. The key of one of its measurements has signed the proof, and each of
// them has a key that counts. Rejects: ErrType, ErrBound; ErrBinding for another type than the declared one; ErrKey, ErrRevoked; and those of a proof:
// ErrAsked, ErrLate, ErrBinding, ErrSignature.
//
// Spec: tee §2.3, §5 (binding renewal).
func (b *Binding) Bind(s state.Store, runner account.Address, declared string, proof *Evidence, now unit.Height) error {
	if err := b.Check(); err != nil {
		return err
	}
	if b.Type.String() != declared {
		return ErrBinding
	}
	for _, m := range b.Measurements {
		if _, err := live(s, b.Type, m); err != nil {
			return err
		}
	}
	b.Bound = now
	return b.prove(s, runner, proof, now)
}

// Renew has the binding of a runner count for Renewal blocks from now on. Rejects: ErrUnbound; ErrKey, ErrRevoked, and those of a proof.
//
// Spec: tee §2.3, §5 (binding renewal).
func Renew(s state.Store, runner account.Address, proof *Evidence, now unit.Height) (*Binding, error) {
	b, err := LoadBinding(s, runner)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, ErrUnbound
	}
	return b, b.prove(s, runner, proof, now)
}

// Unbind ends what a runner has set and asked for, and reports whether it had set anything: what it declared counts again.
func Unbind(s state.Store, runner account.Address) (bool, error) {
	_, ok, err := s.Lookup(bindingKey(runner))
	if err != nil {
		return false, err
	}
	s.Delete(bindingKey(runner))
	s.Delete(askKey(runner))
	return ok, nil
}

// BindingPayload is what is signed for a binding: what the payloads of results begin with, the nonce in the place of a job, and the binding's hash.
//
// Spec: tee §2.3.
func (s *Statement) BindingPayload(binding digest.Hash) []byte {
	return append(s.payload(bindingDomain), binding[:]...)
}

// prove takes the proof of a binding, uses the nonce up and keeps the binding.
func (b *Binding) prove(s state.Store, runner account.Address, proof *Evidence, now unit.Height) error {
	a, err := LoadAsked(s, runner)
	switch {
	case err != nil:
		return err
	case a == nil:
		return ErrAsked
	case now-a.At > MaxQuoteAge:
		return ErrLate
	case proof.Type != b.Type || !slices.Contains(b.Measurements, proof.Measurement):
		return ErrBinding
	case proof.Data != b.Hash():
		return ErrSignature
	}
	say := Statement{Type: proof.Type, Measurement: proof.Measurement, Job: a.Nonce, Runner: runner}
	if err := say.check(s, say.BindingPayload(proof.Data), proof.Signature); err != nil {
		return err
	}
	b.Expires = now + Renewal
	s.Delete(askKey(runner))
	s.Set(bindingKey(runner), b.Encode())
	return nil
}
