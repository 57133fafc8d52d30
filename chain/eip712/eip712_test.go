package eip712

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// vector is a case of testdata/vectors.json, which ethers made.
type vector struct {
	Typed                     any
	Signer, Digest, Signature string
}

// plain is a value of JSON as package cbor has it.
func plain(t testing.TB, v any) any {
	t.Helper()
	switch x := v.(type) {
	case map[string]any:
		m := cbor.Map{}
		for k, one := range x { // order-free: maps are encoded in the order of their keys
			m = append(m, cbor.Pair{Key: k, Value: plain(t, one)})
		}
		return m
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = plain(t, x[i])
		}
		return list
	case float64:
		return int64(x)
	}
	return v
}

// typed is JSON text as typed data, through its encoding.
func typed(t testing.TB, v any) any {
	t.Helper()
	if text, ok := v.(string); ok {
		var parsed any
		if err := json.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatal(err)
		}
		v = parsed
	}
	data, err := cbor.Append(nil, plain(t, v))
	if err != nil {
		t.Fatal(err)
	}
	out, err := cbor.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func free(int, int, int) error { return nil }

// Digests and signers are those of ethers for types of every kind: structs within structs and arrays of arrays of them, numbers of all widths at their borders,
// domains of each selection of fields, with their type and without.
//
// Spec: WP §16.1 (EIP-712 signed data).
func TestDigestsOfEthers(t *testing.T) {
	var list []vector
	if golden.Recorded(t, "testdata/vectors.json", &list); len(list) != 80 {
		t.Fatal(len(list))
	}
	for _, v := range list {
		t.Run(v.Digest[2:10], func(t *testing.T) {
			hash, err := Digest(typed(t, v.Typed), free)
			if err != nil || "0x"+hex.EncodeToString(hash[:]) != v.Digest {
				t.Fatalf("%v %v, want %s", hash, err, v.Digest)
			}
			raw, err := hex.DecodeString(v.Signature[2:])
			if err != nil {
				t.Fatal(err)
			}
			s, err := sig.FromEdge(raw)
			if err != nil {
				t.Fatal(err)
			}
			if by, err := sig.Default().Recover(hash, s); err != nil || !strings.EqualFold(by.String(), v.Signer) {
				t.Errorf("signed by %v, %v, want %s", by, err, v.Signer)
			}
		})
	}
}

// mail is the example of the standard.
//
// Source: EIP-712, "Example".
const mail = `{"types":{
	"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},
		{"name":"verifyingContract","type":"address"}],
	"Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],
	"Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},
	"primaryType":"Mail",
	"domain":{"name":"Ether Mail","version":"1","chainId":1,"verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
	"message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
		"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}`

// Spec: WP §16.1 (EIP-712 signed data).
func TestExampleOfTheStandard(t *testing.T) {
	hash, err := Digest(typed(t, mail), free)
	if want := "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"; err != nil || hex.EncodeToString(hash[:]) != want {
		t.Errorf("%v %v, want %s", hash, err, want)
	}
}

// What is no typed data is refused, each for one fault of the example.
//
// Spec: WP §16.1 (EIP-712 signed data).
func TestWhatIsNoTypedData(t *testing.T) {
	for name, change := range map[string][2]string{
		"a field more than its type":       {`"contents":"Hello, Bob!"`, `"contents":"Hello, Bob!","amount":1`},
		"a field less":                     {`,"contents":"Hello, Bob!"`, ``},
		"another field":                    {`"contents":"Hello, Bob!"`, `"content":"Hello, Bob!"`},
		"null for a struct":                {`"to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"}`, `"to":null`},
		"a number for a text":              {`"Hello, Bob!"`, `1`},
		"an address of other digits":       {`0xbBbB`, `0xgBbB`},
		"a short address":                  {`0xbBbB`, `0xbBb`},
		"a primary type that is not there": {`"primaryType":"Mail"`, `"primaryType":"Letter"`},
		"the domain as the primary type":   {`"primaryType":"Mail"`, `"primaryType":"EIP712Domain"`},
		"no primary type":                  {`"primaryType":"Mail",`, ``},
		"something beside the four":        {`"primaryType":"Mail",`, `"primaryType":"Mail","nonce":1,`},
		"a type that is not there":         {`"to","type":"Person"`, `"to","type":"Human"`},
		"an alias":                         {`"chainId","type":"uint256"`, `"chainId","type":"uint"`},
		"two types in one":                 {`"contents","type":"string"`, `"contents","type":"string a,string"`},
		"a name that is two":               {`"name":"contents"`, `"name":"contents,string x"`},
		"a name that is none":              {`"name":"contents"`, `"name":""`},
		"a name that begins with a digit":  {`"name":"contents"`, `"name":"1"`},
		"a field twice":                    {`"name":"to","type"`, `"name":"from","type"`},
		"a field without a type":           {`,"type":"string"}]},`, `}]},`},
		"a type named as one there is":     {`"Person":[`, `"uint8":[`},
		"a type with no name":              {`"Person":[`, `"Per son":[`},
		"a domain that lacks a field":      {`"version":"1",`, ``},
		"a domain with a field more":       {`"version":"1",`, `"version":"1","salt":"0x00",`},
		"a domain in another order": {`{"name":"name","type":"string"},{"name":"version","type":"string"},{"n`,
			`{"name":"version","type":"string"},{"name":"name","type":"string"},{"n`},
		"a domain of other fields":         {`"name":"version","type":"string"},{"name":"chainId"`, `"name":"title","type":"string"},{"name":"chainId"`},
		"a chain below zero":               {`"chainId":1`, `"chainId":-1`},
		"a chain beyond its type":          {`"chainId":1`, `"chainId":"0x1` + strings.Repeat("0", 64) + `"`},
		"a chain that is no number":        {`"chainId":1`, `"chainId":"one"`},
		"a chain with a sign":              {`"chainId":1`, `"chainId":"+1"`},
		"a chain with a second sign":       {`"chainId":1`, `"chainId":"0x-1"`},
		"a chain of too many digits":       {`"chainId":1`, `"chainId":"` + strings.Repeat("0", 80) + `1"`},
		"an array without an end":          {`"contents","type":"string"`, `"contents","type":"string["`},
		"an array with two ends":           {`"contents","type":"string"`, `"contents","type":"string[]]"`},
		"an array of a length with a zero": {`"contents","type":"string"`, `"contents","type":"string[01]"`},
		"an array where there is none":     {`"contents","type":"string"`, `"contents","type":"string[]"`},
		"an array of another length":       {`"Hello, Bob!"`, `["Hello, Bob!"]`},
		"bytes without a prefix":           {`"contents","type":"string"`, `"contents","type":"bytes"`},
		"types that are no object":         {`"types":{`, `"types":1,"x":{`},
		"a list of fields that is none":    {`"Mail":[{"name":"from","type":"Person"},`, `"Letter":1,"Mail":[{"name":"from","type":"Person"},`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(mail, change[0], change[1], 1)
			if text == mail {
				t.Fatal("nothing is changed")
			}
			var bad *Error
			if hash, err := Digest(typed(t, text), free); !errors.As(err, &bad) {
				t.Errorf("%v %v", hash, err)
			}
		})
	}
	for name, v := range map[string]any{"nothing": nil, "a list": []any{}, "a number": int64(1), "an empty map": cbor.Map{}} {
		t.Run(name, func(t *testing.T) {
			var bad *Error
			if hash, err := Digest(v, free); !errors.As(err, &bad) {
				t.Errorf("%v %v", hash, err)
			}
		})
	}
}

// Each width of number takes what fits, and refuses one more at both ends.
//
// Spec: WP §16.1 (EIP-712 signed data).
func TestNumbersFitTheirTypes(t *testing.T) {
	one := big.NewInt(1)
	for bits := uint(8); bits <= 256; bits += 8 {
		for _, c := range []struct {
			kind      string
			low, high *big.Int
		}{
			{"uint", new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)},
			{"int", new(big.Int).Neg(new(big.Int).Lsh(one, bits-1)), new(big.Int).Sub(new(big.Int).Lsh(one, bits-1), one)},
		} {
			name := c.kind + big.NewInt(int64(bits)).String()
			t.Run(name, func(t *testing.T) {
				k, ok := elementary(name)
				if !ok {
					t.Fatal("no such type")
				}
				for _, n := range []*big.Int{c.low, c.high} {
					w, ok := k.atomic(n)
					got := new(big.Int).SetBytes(w[:])
					if n.Sign() < 0 {
						got.Sub(got, new(big.Int).Lsh(one, 256))
					}
					if !ok || got.Cmp(n) != 0 {
						t.Errorf("%v: %v %v", n, got, ok)
					}
					if n.IsInt64() {
						if same, ok := k.atomic(n.Int64()); !ok || same != w {
							t.Errorf("%v as a small number: %v %v", n, same, ok)
						}
					}
					if same, ok := k.atomic(n.String()); !ok || same != w {
						t.Errorf("the text of %v: %v %v", n, same, ok)
					}
				}
				for _, n := range []*big.Int{new(big.Int).Sub(c.low, one), new(big.Int).Add(c.high, one)} {
					if w, ok := k.atomic(n); ok {
						t.Errorf("%v is %v", n, w)
					}
					if w, ok := k.atomic(n.Int64()); ok && n.IsInt64() {
						t.Errorf("%v as a small number is %v", n, w)
					}
				}
			})
		}
	}
	for _, kind := range []string{"uint", "int", "uint0", "uint7", "uint264", "int08", "bytes0", "bytes33", "bytes032", "uint-8", "float8", ""} {
		t.Run("no "+kind, func(t *testing.T) {
			if k, ok := elementary(kind); ok {
				t.Errorf("%v", k)
			}
		})
	}
}

// Work is told before it is done, and a refusal to pay ends it: whatever is allowed, no hash is made beyond it.
//
// Spec: WP §3.5 (work is paid for before it is done).
func TestWorkIsPaidFor(t *testing.T) {
	v := typed(t, mail)
	fields, hashes, bytes := 0, 0, 0
	want, err := Digest(v, func(f, h, b int) error {
		fields, hashes, bytes = fields+f, hashes+h, bytes+b
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Three types, five texts, four structs and the whole are hashed. The structs have 5, 3, 3 and 4 words, with those of their types; the last hash has 66
	// bytes.
	const person = "Person(string name,address wallet)"
	texts := "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)" + person +
		"Mail(Person from,Person to,string contents)" + person + "Ether Mail" + "1" + "Cow" + "Bob" + "Hello, Bob!"
	if sum := len(texts) + 32*(5+3+3+4) + 66; bytes != sum || hashes != 3+5+4+1 {
		t.Errorf("%d bytes are hashed, paid are %d in %d hashes", sum, bytes, hashes)
	}
	broke := errors.New("broke")
	for most := range fields {
		left := most
		hash, err := Digest(v, func(f, _, _ int) error {
			if left -= f; left < 0 {
				return broke
			}
			return nil
		})
		if !errors.Is(err, broke) || hash != (digest.Hash{}) {
			t.Fatalf("with %d of %d: %v %v", most, fields, hash, err)
		}
	}
	if hash, err := Digest(v, free); err != nil || hash != want {
		t.Error(hash, err)
	}
}

// FuzzDigest holds what strangers may give to an end, and to one answer.
func FuzzDigest(f *testing.F) {
	data, err := cbor.Append(nil, typed(f, mail))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := cbor.Parse(data)
		if err != nil {
			return
		}
		first, err := Digest(v, free)
		again, twice := Digest(v, free)
		if first != again || (err == nil) != (twice == nil) || err != nil && err.Error() != twice.Error() {
			t.Errorf("%v %v, then %v %v", first, err, again, twice)
		}
	})
}
