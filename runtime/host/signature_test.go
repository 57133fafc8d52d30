package host

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// signed is a key and its signature over message, one of each scheme.
func signed(t testing.TB, message []byte) map[string][2][]byte {
	t.Helper()
	seed := bytes.Repeat([]byte{7}, 32)
	one := ed25519.NewKeyFromSeed(seed)
	two, err := sig.ParsePrivateKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	three, err := bls.ParsePrivateKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	xy, rsv := two.PublicKey(), two.Sign(digest.Keccak256(message))
	public, made := three.PublicKey().Bytes(), three.Sign(message)
	return map[string][2][]byte{
		"ed25519":   {one.Public().(ed25519.PublicKey), ed25519.Sign(one, message)},
		"secp256k1": {append([]byte{4}, xy[:]...), rsv[:64]},
		"bls":       {public[:], made[:]},
	}
}

// The published price is the price of every answer; the message pays for its hash. What is no key or no signature is False, another scheme or another
// type an error.
//
// Spec: WP §3.5, §17.3 (verify_signature).
func TestVerifySignature(t *testing.T) {
	price := map[string]uint64{"ed25519": 5_000, "secp256k1": 10_000, "bls": 8_000}
	for _, message := range [][]byte{nil, []byte("m"), make([]byte, 64), make([]byte, 65), make([]byte, 10_000)} {
		for name, s := range signed(t, message) { // order-free: each has a machine of its own
			d := newCaller(t)
			units := uint64(len(message)+63) / 64 * 8
			if name == "secp256k1" {
				units = uint64(len(message)+31) / 32 * 6
			}
			d.want("True", "verify_signature", name, s[0], message, s[1])
			d.want("False", "verify_signature", name, s[0], append([]byte("x"), message...), s[1])
			d.want("False", "verify_signature", name, []byte{}, message, []byte{})
			d.want("False", "verify_signature", name, make([]byte, len(s[0])), message, make([]byte, len(s[1])))
			for _, bad := range [][2][]byte{s, {s[0], nil}, {nil, s[1]}, {make([]byte, len(s[0])), s[1]}, {s[0], make([]byte, 5_000)}} {
				d.wantCost(price[name]+units, 0, "verify_signature", name, bad[0], message, bad[1])
			}
		}
	}
	d := newCaller(t)
	d.want("InvalidInputError E1202", "verify_signature", "rsa", "", "", "")
	d.want("InvalidInputError E1202", "verify_signature", "Ed25519", "", "", "")
	d.want("TypeError", "verify_signature", 1, "", "", "")
	d.want("TypeError", "verify_signature", "bls", 1, "", "")
	d.want("TypeError", "verify_signature", "bls", "", nil, "")
	d.want("TypeError", "verify_signature", "bls", "", "")
	query := newCaller(t, func(f *Invocation) { f.work.readOnly = true })
	query.want("False", "verify_signature", "ed25519", "", "", "")
	poor := newCaller(t)
	poor.call("charge_gas", poor.meter.Left()-4_000)
	poor.want("out of cycles", "verify_signature", "ed25519", "", "", "")
	if poor.f.work.Checked != 0 {
		t.Error("checked before it was paid for")
	}
}

// A block checks signatures of a weight of 5,120: what turns before this one checked counts.
//
// Spec: WP "The State Transition Function".
func TestSignaturesPerBlock(t *testing.T) {
	for _, c := range []struct {
		before uint32
		name   string
		want   string
	}{
		{params.VerifyWeightPerBlock - 25, "bls", "False"}, {params.VerifyWeightPerBlock - 24, "bls", "QuotaError E1208"},
		{params.VerifyWeightPerBlock - 2, "ed25519", "False"}, {params.VerifyWeightPerBlock - 1, "ed25519", "QuotaError E1208"},
		{params.VerifyWeightPerBlock - 1, "secp256k1", "False"}, {params.VerifyWeightPerBlock, "secp256k1", "QuotaError E1208"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newCaller(t, func(f *Invocation) { f.work.turn.Checked = c.before })
			d.want(c.want, "verify_signature", c.name, "", "", "")
			again := d.call("verify_signature", "bls", "", "", "")
			if again != "QuotaError E1208" {
				t.Errorf("%s at %d: the next gives %s", c.name, c.before, again)
			}
		})
	}
}

// BenchmarkVerifySignature gives what a cycle of the published prices takes.
func BenchmarkVerifySignature(b *testing.B) {
	for name, s := range signed(b, []byte("m")) { // order-free: each is measured alone
		b.Run("scheme="+name, func(b *testing.B) {
			d := newCaller(b)
			before := d.meter.Used()
			if ok, err := d.f.VerifySignature(name, s[0], []byte("m"), s[1]); !ok || err != nil {
				b.Fatal(ok, err)
			}
			cycles := d.meter.Used() - before
			for b.Loop() {
				for i := range schemes {
					if schemes[i].name == name && !schemes[i].verify(s[0], []byte("m"), s[1]) {
						b.Fatal("refused")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cycles), "ns/cycle")
		})
	}
}
