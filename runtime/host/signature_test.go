package host

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/eip712"
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

// mail is the example of EIP-712 with its signature by 0xCD2a…D826, v 28.
func mail() (typed map[string]any, signature []byte, signer string) {
	field := func(name, kind string) any { return map[string]any{"name": name, "type": kind} }
	person := func(name, wallet string) any { return map[string]any{"name": name, "wallet": wallet} }
	signature, _ = hex.DecodeString("4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d" +
		"07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562" + "1c")
	return map[string]any{
		"types": map[string]any{
			"EIP712Domain": []any{field("name", "string"), field("version", "string"), field("chainId", "uint256"), field("verifyingContract", "address")},
			"Person":       []any{field("name", "string"), field("wallet", "address")},
			"Mail":         []any{field("from", "Person"), field("to", "Person"), field("contents", "string")},
		},
		"primaryType": "Mail",
		"domain": map[string]any{
			"name": "Ether Mail", "version": "1", "chainId": 1, "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
		},
		"message": map[string]any{
			"from": person("Cow", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"), "to": person("Bob", "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"),
			"contents": "Hello, Bob!",
		},
	}, signature, "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"
}

// An address is held to what it signed by its wallet, for one price whatever comes of it; what is no typed data is an error.
//
// Spec: WP §16.1 (EIP-712 signed data against an Ethereum address).
func TestVerifyTypedData(t *testing.T) {
	typed, signature, signer := mail()
	d := newCaller(t)
	d.want("True", "verify_typed_data", typed, signature, signer)
	flat := append(append([]byte(nil), signature[:64]...), signature[64]-27)
	d.want("True", "verify_typed_data", typed, flat, signer)
	for name, args := range map[string][2]any{
		"another address": {signature, "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD827"}, "another parity": {append(flat[:64:64], flat[64]^1), signer},
		"no signature": {[]byte{}, signer}, "a byte less": {signature[:64], signer}, "zeros": {make([]byte, 65), signer},
		"another v": {append(flat[:64:64], 29), signer},
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t)
			d.want("False", "verify_typed_data", typed, args[0], args[1])
		})
	}
	// 4 members of the whole, 9 fields of types by name and type, 15 fields and structs for the types' texts, 11 members and 9 elementary values of structs,
	// 13 hashes of 31 words of 32 bytes.
	encoding, _ := d.cost("cbor_encode", typed)
	for _, s := range [][]byte{signature, flat, nil} {
		d.wantCost(encoding+10_000+60*(4+2*9+15+11+9)+120*13+30*31, 0, "verify_typed_data", typed, s, signer)
	}
	typed["message"].(map[string]any)["contents"] = "Hello, Eve!"
	d.want("False", "verify_typed_data", typed, signature, signer)
	typed["message"].(map[string]any)["copies"] = 2
	d.want("InvalidInputError E1202", "verify_typed_data", typed, signature, signer)
	d.want("InvalidInputError E1202", "verify_typed_data", nil, signature, signer)
	d.want("InvalidInputError E1202", "verify_typed_data", make([]byte, 64<<10), signature, signer)
	d.want("TypeError", "verify_typed_data", typed, 1, signer)
	d.want("AddressError E1202", "verify_typed_data", typed, signature, "0x12")
	again, signature, _ := mail()
	full := newCaller(t, func(f *Invocation) { f.work.turn.Checked = params.VerifyWeightPerBlock })
	full.want("QuotaError E1208", "verify_typed_data", again, signature, signer)
	hashed := newCaller(t, func(f *Invocation) { f.work.turn.Hashed = params.HashedPerBlock - 700 })
	hashed.want("QuotaError E1208", "verify_typed_data", again, signature, signer)
	query := newCaller(t, func(f *Invocation) { f.work.readOnly = true })
	query.want("True", "verify_typed_data", again, signature, signer)
}

// BenchmarkVerifyTypedData gives what a cycle takes of typed data that is dear: as many empty lists, structs without fields, types that refer to each other
// and small texts as 64 KiB hold.
func BenchmarkVerifyTypedData(b *testing.B) {
	field := func(name, kind string) any { return map[string]any{"name": name, "type": kind} }
	many := func(n int, v any) any {
		list := make([]any, n)
		for i := range list {
			list[i] = v
		}
		return list
	}
	chained := map[string]any{}
	for i := range 30 {
		var fields []any
		for j := range 30 {
			fields = append(fields, field(fmt.Sprint("f", j), fmt.Sprintf("T%d[]", j)))
		}
		chained[fmt.Sprint("T", i)] = fields
	}
	empty := map[string]any{}
	for j := range 30 {
		empty[fmt.Sprint("f", j)] = []any{}
	}
	chained["M"] = []any{field("x", "T0[]")}
	for name, c := range map[string][2]any{ // order-free: each is measured alone
		"lists":   {map[string]any{"M": []any{field("x", "uint8[][]")}}, many(30_000, []any{})},
		"structs": {map[string]any{"M": []any{field("x", "E[]")}, "E": []any{}}, many(30_000, map[string]any{})},
		"texts":   {map[string]any{"M": []any{field("x", "string[]")}}, many(30_000, "")},
		"numbers": {map[string]any{"M": []any{field("x", "int8[]")}}, many(60_000, -1)},
		"types":   {chained, many(100, empty)},
	} {
		b.Run(name, func(b *testing.B) {
			d := newCaller(b)
			typed := d.value(map[string]any{
				"types": c[0], "primaryType": "M", "domain": map[string]any{"name": "x"}, "message": map[string]any{"x": c[1]},
			})
			data, e := d.f.encode(d.m, typed)
			if e != nil {
				b.Fatal(e)
			}
			before := d.meter.Used()
			if _, err := d.f.VerifyTypedData(data, nil, account.Address{}); err != nil {
				b.Fatal(err)
			}
			cycles := d.meter.Used() - before - uint64(params.CostVerifySecp256k1)
			for b.Loop() {
				v, err := cbor.Parse(data)
				if err == nil {
					_, err = eip712.Digest(v, func(int, int, int) error { return nil })
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cycles), "ns/cycle")
		})
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
