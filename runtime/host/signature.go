package host

import (
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
		w := f.work
		if w.turn.Checked+w.Checked+s.weight > params.VerifyWeightPerBlock {
			return false, raise(Quota, "this block has checked as many signatures as one may")
		}
		w.Checked += s.weight
		return s.verify(key, message, signature), nil
	}
	return false, raise(InvalidArgument, "there is no signature scheme %.20q; ed25519, secp256k1 and bls are known", name)
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
