package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/eip712"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// scheme is a way of signing that an actor can check.
type scheme struct {
	name   string
	cost   func(c *params.Costs) (check, per unit.Cycles) // of a check, whatever comes of it, and of each unit of the message
	unit   int                                            // bytes
	weight uint32                                         // towards what a block may check
	verify func(key, message, signature []byte) bool
}

// schemes are those the whitepaper prices. Messages pay for the hash the scheme takes of them.
//
// Spec: WP §3.5, §17.3 (verify_signature).
var schemes = [...]scheme{
	{"ed25519", func(c *params.Costs) (check, per unit.Cycles) { return c.VerifyEd25519, c.SHA256PerBlock }, params.SHA256BlockBytes,
		params.VerifyWeightEd25519, sig.VerifyEd25519},
	{"secp256k1", func(c *params.Costs) (check, per unit.Cycles) { return c.VerifySecp256k1, c.Keccak256PerWord }, params.KeccakWordBytes,
		params.VerifyWeightSecp256k1, sig.VerifySecp256k1},
	{"bls", func(c *params.Costs) (check, per unit.Cycles) { return c.VerifyBLS, c.SHA256PerBlock }, params.SHA256BlockBytes, params.VerifyWeightBLS,
		bls.VerifyRaw},
}

// VerifySignature reports whether a key made a signature over a message. Bytes that are no key or no signature are false, for the same price. A block
// checks signatures worth params.VerifyWeightPerBlock and no more, since a pairing takes longer than its published price buys of anything else.
//
// Spec: WP §3.5, §17.3 (verify_signature).
func (f *Invocation) VerifySignature(name string, key, message, signature []byte) (bool, error) {
	for i := range schemes {
		s := &schemes[i]
		if s.name != name {
			continue
		}
		units := (uint64(len(message)) + uint64(s.unit) - 1) / uint64(s.unit)
		check, per := s.cost(f.costs())
		if err := f.charge(uint64(check)+uint64(per)*units, 0); err != nil {
			return false, err
		}
		if err := f.hashes(len(message)); err != nil {
			return false, err
		}
		if err := f.checks(s.weight); err != nil {
			return false, err
		}
		return s.verify(key, message, signature), nil
	}
	return false, raise(InvalidArgument, "there is no signature scheme %.20q; ed25519, secp256k1 and bls are known", name)
}

// checks counts a signature against those a block may check.
func (f *Invocation) checks(weight uint32) error {
	w := f.work
	if w.turn.Checked+w.Checked+weight > params.VerifyWeightPerBlock {
		return raise(Quota, "this block has checked as many signatures as one may")
	}
	w.Checked += weight
	return nil
}

// Bounds and prices of typed data, beside its encoding, the bytes that are hashed and the signature.
const (
	maxTypedBytes    = 64 << 10 // encoded
	typedFieldCycles = 60       // of a type or value
	typedHashCycles  = 120
	typedWordCycles  = 30 // 32 bytes hashed
)

// VerifyTypedData reports whether an address signed typed data, encoded as encode does: what wallets sign for eth_signTypedData_v4. The signature is
// r ‖ s ‖ v with v 0, 1, 27 or 28; any other is false, for the same price. Data that is no typed data is InvalidInputError.
//
// Spec: WP §16.1 (EIP-712 signed data against an Ethereum address).
func (f *Invocation) VerifyTypedData(data, signature []byte, signer account.Address) (bool, error) {
	if len(data) > maxTypedBytes {
		return false, raise(InvalidArgument, "typed data of %d bytes, more than %d", len(data), maxTypedBytes)
	}
	if err := f.charge(uint64(f.costs().VerifySecp256k1), 0); err != nil {
		return false, err
	}
	v, err := cbor.Parse(data)
	if err != nil {
		return false, raise(Codec, "%v", err)
	}
	hash, err := eip712.Digest(v, func(fields, hashes, bytes int) error {
		words := (bytes + params.KeccakWordBytes - 1) / params.KeccakWordBytes
		if err := f.charge(uint64(fields*typedFieldCycles+hashes*typedHashCycles+words*typedWordCycles), 0); err != nil {
			return err
		}
		return f.hashes(bytes)
	})
	if bad := (*eip712.Error)(nil); errors.As(err, &bad) {
		return false, raise(InvalidArgument, "%s", bad.Text)
	}
	if err != nil {
		return false, err
	}
	if err := f.checks(params.VerifyWeightSecp256k1); err != nil {
		return false, err
	}
	s, err := sig.FromEdge(signature)
	if err != nil {
		return false, nil
	}
	by, err := sig.Default().Recover(hash, s)
	return err == nil && by == signer, nil
}

func verifyTypedData(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	data, e := f.encode(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	signature, e := octets(m, a.Arg(1), "signature")
	if e != nil {
		return object.Value{}, e
	}
	signer, e := f.address(m, a.Arg(2), "address")
	if e != nil {
		return object.Value{}, e
	}
	ok, err := f.VerifyTypedData(data, signature, signer)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.Bool(ok), nil
}

func verifySignature(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	name, e := text(m, a.Arg(0), "scheme")
	if e != nil {
		return object.Value{}, e
	}
	var parts [3][]byte
	for i, what := range [...]string{"public_key", "message", "signature"} {
		if parts[i], e = octets(m, a.Arg(i+1), what); e != nil {
			return object.Value{}, e
		}
	}
	ok, err := f.VerifySignature(name, parts[0], parts[1], parts[2])
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.Bool(ok), nil
}
