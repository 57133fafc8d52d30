package cbor

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	fx "github.com/fxamacker/cbor/v2"
)

func fromHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func bigOf(s string) *big.Int {
	i, _ := new(big.Int).SetString(s, 10)
	return i
}

// Vectors of RFC 8949 appendix A that belong to the profile; 2 is the example of sdk.md §15.
//
// Spec: sdk §15; RFC 8949 appendix A.
func TestVectors(t *testing.T) {
	for i, c := range []struct {
		v    any
		want string
	}{
		{nil, "f6"}, {false, "f4"}, {true, "f5"},
		{int64(0), "00"}, {int64(2), "02"}, {int64(23), "17"}, {int64(24), "1818"}, {int64(255), "18ff"}, {int64(256), "190100"},
		{int64(65535), "19ffff"}, {int64(65536), "1a00010000"}, {int64(1000000000000), "1b000000e8d4a51000"},
		{int64(math.MaxInt64), "1b7fffffffffffffff"}, {bigOf("18446744073709551615"), "1bffffffffffffffff"},
		{bigOf("18446744073709551616"), "c249010000000000000000"},
		{int64(-1), "20"}, {int64(-24), "37"}, {int64(-25), "3818"}, {int64(-1000), "3903e7"}, {int64(math.MinInt64), "3b7fffffffffffffff"},
		{bigOf("-18446744073709551616"), "3bffffffffffffffff"}, {bigOf("-18446744073709551617"), "c349010000000000000000"},
		{Float(math.Float64bits(1.1)), "fb3ff199999999999a"}, {Float(math.Float64bits(1)), "fb3ff0000000000000"},
		{Float(1 << 63), "fb8000000000000000"}, {Float(NaN), "fb7ff8000000000000"}, {Float(0x7ff0000000000000), "fb7ff0000000000000"},
		{[]byte{}, "40"}, {[]byte{1, 2, 3, 4}, "4401020304"}, {"", "60"}, {"IETF", "6449455446"}, {"\u00fc", "62c3bc"}, {"\U00010151", "64f0908591"},
		{[]any{}, "80"}, {[]any{int64(1), []any{int64(2), int64(3)}}, "8201820203"}, {Map{}, "a0"},
		{Map{{int64(1), int64(2)}, {int64(3), int64(4)}}, "a201020304"},
		{Map{{"a", int64(1)}, {"b", []any{int64(2), int64(3)}}}, "a26161016162820203"},
		// RFC 8949 §4.2.1's order of keys, as far as the profile has them.
		{Map{{bigOf("18446744073709551616"), nil}, {bigOf("-18446744073709551617"), nil}}, "a2c249010000000000000000f6c349010000000000000000f6"},
		{Map{{int64(10), nil}, {int64(100), nil}, {int64(-1), nil}, {"z", nil}, {"aa", nil}}, "a50af61864f620f6617af6626161f6"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := Append(nil, c.v)
			if err != nil || hex.EncodeToString(got) != c.want {
				t.Errorf("Append(%v) = %x, %v; want %s", c.v, got, err, c.want)
			}
			back, err := Parse(fromHex(t, c.want))
			if err != nil || !reflect.DeepEqual(back, c.v) {
				t.Errorf("Parse(%s) = %#v, %v; want %#v", c.want, back, err, c.v)
			}
		})
	}
}

// Spec: sdk §15 (strict decode).
func TestDecodeRefuses(t *testing.T) {
	deep := strings.Repeat("81", MaxDepth)
	for i, c := range []struct {
		in   string
		want error
	}{
		{"", ErrTruncated}, {"18", ErrTruncated}, {"1900", ErrTruncated}, {"41", ErrTruncated}, {"6261", ErrTruncated}, {"8201", ErrTruncated},
		{"a101", ErrTruncated}, {"a1", ErrTruncated}, {"9bffffffffffffffff", ErrTruncated}, {"bbffffffffffffffff", ErrTruncated}, {"c2", ErrTruncated},
		{"5bffffffffffffffff", ErrTruncated}, {"fb00", ErrTruncated}, {"a20102", ErrTruncated},
		{"0000", ErrTrailing}, {"f6f6", ErrTrailing},
		{"1c", ErrHead}, {"fc", ErrHead}, {"5e", ErrHead},
		{"5fff", ErrIndefinite}, {"9fff", ErrIndefinite}, {"bfff", ErrIndefinite}, {"ff", ErrIndefinite}, {"7fff", ErrIndefinite},
		{"1817", ErrShortest}, {"1900ff", ErrShortest}, {"1a0000ffff", ErrShortest}, {"1b00000000ffffffff", ErrShortest}, {"3817", ErrShortest},
		{"5801aa", ErrShortest}, {"780161", ErrShortest}, {"980100", ErrShortest}, {"b8010000", ErrShortest},
		{"c240", ErrShortest}, {"c24101", ErrShortest}, {"c248ffffffffffffffff", ErrShortest}, {"c24900ffffffffffffffff", ErrShortest},
		{"c349000000000000000001", ErrShortest},
		{"c001", ErrTag}, {"c482000a", ErrTag}, {"c201", ErrTag}, {"d81800", ErrTag}, {"d9d9f700", ErrTag}, {"c26161", ErrTag},
		{"d80249010000000000000000", ErrShortest},
		{"f7", ErrSimple}, {"e0", ErrSimple}, {"f3", ErrSimple}, {"f818", ErrSimple}, {"f8ff", ErrSimple}, {"f0", ErrSimple},
		{"f93c00", ErrFloat}, {"fa47c35000", ErrFloat}, {"fb7ff8000000000001", ErrFloat}, {"fbfff8000000000000", ErrFloat}, {"fb7ff0000000000001", ErrFloat},
		{"61ff", ErrText}, {"63eda080", ErrText}, {"62c080", ErrText},
		{deep + "80", ErrDepth}, {strings.Repeat("81", 100000), ErrDepth}, {strings.Repeat("a101", MaxDepth) + "a0", ErrDepth},
		{"a1f600", ErrKey}, {"a1f500", ErrKey}, {"a18000", ErrKey}, {"a1a000", ErrKey}, {"a1fb000000000000000000", ErrKey}, {"a1c00000", ErrKey},
		{"a202000100", ErrOrder}, {"a2616200616100", ErrOrder}, {"a2616100186400", ErrOrder}, {"a262616100617a00", ErrOrder},
		{"a201000100", ErrDuplicate}, {"a2616100616101", ErrDuplicate},
		{"c2590201" + strings.Repeat("ff", 513), ErrIntSize}, {"c3590200" + strings.Repeat("ff", 512), ErrIntSize},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if v, err := Parse(fromHex(t, c.in)); !errors.Is(err, c.want) {
				t.Errorf("Parse(%.40s) = %v, %v; want %v", c.in, v, err, c.want)
			}
		})
	}
	if _, err := Parse(fromHex(t, deep[:2*MaxDepth-2]+"80")); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	nested := func(n int) any {
		v := any([]any{})
		for range n - 1 {
			v = []any{v}
		}
		return v
	}
	limit := new(big.Int).Lsh(big.NewInt(1), MaxIntBits)
	below := new(big.Int).Sub(limit, big.NewInt(1))
	for i, c := range []struct {
		v    any
		want error
	}{
		{nested(MaxDepth), nil}, {nested(MaxDepth + 1), ErrDepth}, {"\xff", ErrText}, {"\xed\xa0\x80", ErrText},
		{below, nil}, {new(big.Int).Neg(below), nil}, {limit, ErrIntSize}, {new(big.Int).Neg(limit), ErrIntSize},
		{Map{{nil, nil}}, ErrKey}, {Map{{true, nil}}, ErrKey}, {Map{{[]any{}, nil}}, ErrKey}, {Map{{Float(0), nil}}, ErrKey},
		{Map{{"a", nil}, {"b", nil}, {"a", nil}}, ErrDuplicate}, {Map{{int64(1), nil}, {bigOf("1"), nil}}, ErrDuplicate}, {3.5, ErrGoType},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := Append(nil, c.v); !errors.Is(err, c.want) {
				t.Errorf("Append(%.40v): %v, want %v", c.v, err, c.want)
			}
		})
	}
	widest := append([]byte{0xc2, 0x59, 0x02, 0x00}, bytes.Repeat([]byte{0xff}, MaxIntBits/8)...) // tag 2, 512 bytes: 2^4096 − 1
	if back, err := Parse(widest); err != nil || !reflect.DeepEqual(back, below) {
		t.Errorf("the widest integer: %v, %v", back, err)
	}
	if got, _ := Append(nil, Float(0xfff0000000000001)); hex.EncodeToString(got) != "fb7ff8000000000000" {
		t.Errorf("a signalling NaN becomes %x", got)
	}
}

func TestEncoderLimit(t *testing.T) {
	v := []any{"text", []byte("bytes"), int64(100000), bigOf("18446744073709551616"), Float(0), nil, Map{{"k", true}}}
	want, _ := Append(nil, v)
	for limit := 1; limit <= len(want); limit++ {
		e := NewEncoder([]byte("before"), limit)
		err := e.plain(v)
		if limit < len(want) && !errors.Is(err, ErrLimit) || len(e.Bytes()) > limit+6 {
			t.Errorf("limit %d: %v after %d bytes", limit, err, len(e.Bytes()))
		}
		if limit == len(want) && (err != nil || string(e.Bytes()) != "before"+string(want)) {
			t.Errorf("limit %d: %v, %x", limit, err, e.Bytes())
		}
	}
}

// theirs configures an independent implementation for the same profile.
func theirs(t testing.TB) (fx.EncMode, fx.DecMode) {
	t.Helper()
	opts := fx.CoreDetEncOptions()
	opts.ShortestFloat = fx.ShortestFloatNone
	opts.NaNConvert = fx.NaNConvertNone
	opts.InfConvert = fx.InfConvertNone
	enc, err := opts.EncMode()
	if err != nil {
		t.Fatal(err)
	}
	dec, err := fx.DecOptions{
		DupMapKey: fx.DupMapKeyEnforcedAPF, IndefLength: fx.IndefLengthForbidden, MaxNestedLevels: MaxDepth, UTF8: fx.UTF8RejectInvalid,
		IntDec: fx.IntDecConvertSignedOrBigInt, BigIntDec: fx.BigIntDecodePointer, DefaultByteStringType: reflect.TypeFor[fx.ByteString](),
	}.DecMode()
	if err != nil {
		t.Fatal(err)
	}
	return enc, dec
}

func random(rng *rand.Rand, depth int) any {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch rng.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return rng.IntN(2) == 0
	case 2:
		return rng.Int64() >> rng.IntN(64) * (1 - 2*int64(rng.IntN(2)))
	case 3:
		i := new(big.Int).Lsh(big.NewInt(1+rng.Int64N(1000)), uint(rng.IntN(600)))
		if rng.IntN(2) == 0 {
			i.Neg(i)
		}
		if i.IsInt64() {
			return i.Int64()
		}
		return i
	case 4:
		return Float(math.Float64bits(rng.NormFloat64()))
	case 5, 6:
		return key(rng)
	case 7:
		return []byte(strings.Repeat("x", rng.IntN(300)))
	case 8:
		out := []any{}
		for range rng.IntN(30) {
			out = append(out, random(rng, depth-1))
		}
		return out
	default:
		m, seen := Map{}, map[any]bool{}
		for range rng.IntN(30) {
			k := key(rng)
			id := k
			if b, ok := k.([]byte); ok {
				id = fx.ByteString(b)
			}
			if !seen[id] {
				m = append(m, Pair{k, random(rng, depth-1)})
			}
			seen[id] = true
		}
		return m
	}
}

func key(rng *rand.Rand) any {
	switch rng.IntN(3) {
	case 0:
		return rng.Int64N(2000) - 1000
	case 1:
		return []byte(strings.Repeat("k", rng.IntN(30)))
	default:
		return strings.Repeat("\u00e9", rng.IntN(30)) + string(rune('a'+rng.IntN(26)))
	}
}

// native turns a plain value into what the independent implementation encodes.
func native(v any) any {
	switch v := v.(type) {
	case Float:
		return math.Float64frombits(uint64(v))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = native(v[i])
		}
		return out
	case Map:
		out := map[any]any{}
		for _, p := range v {
			if b, ok := p.Key.([]byte); ok {
				out[fx.ByteString(b)] = native(p.Value)
			} else {
				out[p.Key] = native(p.Value)
			}
		}
		return out
	default:
		return v
	}
}

// Spec: sdk §15.
func TestAgreesWithAnIndependentImplementation(t *testing.T) {
	enc, dec := theirs(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		v := random(rng, 4)
		got, err := Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := enc.Marshal(native(v))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%v:\n got %x\nwant %x", v, got, want)
		}
		back, err := Parse(got)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Append(nil, back)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%x decodes and encodes to %x, %v", got, again, err)
		}
		var out any
		if err := dec.Unmarshal(got, &out); err != nil {
			t.Fatalf("the independent decoder refuses %x: %v", got, err)
		}
	}
}

// What is accepted has one encoding: encoding it again gives the input; and the independent decoder accepts it too.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a26161016162820203", "c249010000000000000000", "fb3ff199999999999a", "83f4f5f6", "9f01ff", "a201020102"} {
		f.Add(fromHex(f, s))
	}
	_, dec := theirs(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			return
		}
		again, err := Append(nil, v)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%x decodes and encodes to %x, %v", data, again, err)
		}
		var out any
		if err := dec.Unmarshal(data, &out); err != nil {
			t.Fatalf("the independent decoder refuses %x: %v", data, err)
		}
	})
}

func BenchmarkCodec(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	v := make([]any, 100)
	for i := range v {
		v[i] = Map{{"id", int64(i)}, {"name", "somebody"}, {"balance", rng.Int64()}, {"tags", []any{"a", "b"}}}
	}
	data, _ := Append(nil, v)
	b.Run("op=encode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			_, _ = Append(nil, v)
		}
	})
	b.Run("op=decode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			_, _ = Parse(data)
		}
	})
}
