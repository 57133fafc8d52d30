package codec

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math/bits"
	"slices"
	"testing"
)

// The published fixtures hash 65,536 generated encodings per type. The generator
// is rebuilt here from its description: 4,096 bytes of ChaCha8 keyed by PCG32 from
// the seed, read with the conventions of the "arbitrary" format.

// chacha8 gives n bytes of the ChaCha keystream with 8 rounds, a zero nonce and a
// 64-bit block counter from zero.
func chacha8(key [32]byte, n int) []byte {
	var in [16]uint32
	copy(in[:], []uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574})
	for i := range 8 {
		in[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	out := make([]byte, 0, n+64)
	for counter := uint64(0); len(out) < n; counter++ {
		in[12], in[13] = uint32(counter), uint32(counter>>32)
		x := in
		quarter := func(a, b, c, d int) {
			x[a] += x[b]
			x[d] = bits.RotateLeft32(x[d]^x[a], 16)
			x[c] += x[d]
			x[b] = bits.RotateLeft32(x[b]^x[c], 12)
			x[a] += x[b]
			x[d] = bits.RotateLeft32(x[d]^x[a], 8)
			x[c] += x[d]
			x[b] = bits.RotateLeft32(x[b]^x[c], 7)
		}
		for range 4 {
			quarter(0, 4, 8, 12)
			quarter(1, 5, 9, 13)
			quarter(2, 6, 10, 14)
			quarter(3, 7, 11, 15)
			quarter(0, 5, 10, 15)
			quarter(1, 6, 11, 12)
			quarter(2, 7, 8, 13)
			quarter(3, 4, 9, 14)
		}
		for i := range x {
			out = binary.LittleEndian.AppendUint32(out, x[i]+in[i])
		}
	}
	return out[:n]
}

// seeded is the input of seed s.
func seeded(s uint64) *source {
	var key [32]byte
	state := s
	for i := range 8 {
		state = state*6364136223846793005 + 11634580027462260723
		word := bits.RotateLeft32(uint32(((state>>18)^state)>>27), -int(state>>59))
		binary.LittleEndian.PutUint32(key[4*i:], word)
	}
	return &source{chacha8(key, 4096)}
}

// source is read from the front; missing bytes are zero.
type source struct{ rest []byte }

func (s *source) uint(bytes int) uint64 {
	var b [8]byte
	n := copy(b[:bytes], s.rest)
	s.rest = s.rest[n:]
	return binary.LittleEndian.Uint64(b[:])
}

func (s *source) bool() bool { return s.uint(1)&1 == 1 }

// more decides whether a generated collection has another element; an exhausted
// source ends it.
func (s *source) more() bool { return len(s.rest) > 0 && s.bool() }

func (s *source) fixed(n int) []byte {
	out := make([]byte, n)
	k := copy(out, s.rest)
	s.rest = s.rest[k:]
	return out
}

type fixture struct {
	name, want string
	encode     func(*source) []byte
	decode     func(*Reader) []byte // reads and encodes again
}

func uvec(s *source) []byte {
	var values []uint64
	for s.more() {
		values = append(values, s.uint(8))
	}
	out := AppendLen(nil, len(values))
	for _, v := range values {
		out = AppendUint(out, v)
	}
	return out
}

func readUvec(r *Reader, dst []byte) []byte {
	n := r.Len(0, 4096, 1)
	dst = AppendLen(dst, n)
	for range n {
		dst = AppendUint(dst, r.Uint())
	}
	return dst
}

func fixtures() []fixture { return slices.Concat(fixturesOfScalars(), fixturesOfSequences()) }

func fixturesOfScalars() []fixture {
	return []fixture{
		{"UInt u16", "aa339ca7dadc09fed8de62561dfad318b44d0c43a7348d5f73dd0db286ec6658",
			func(s *source) []byte { return AppendUint(nil, s.uint(2)) },
			func(r *Reader) []byte { return AppendUint(nil, uint64(r.Uint16())) }},
		{"UInt u32", "f0b66ee345e9e295c50b522d9cf3501d95cd70cecfe7bfd315c970ffa78ede40",
			func(s *source) []byte { return AppendUint(nil, s.uint(4)) },
			func(r *Reader) []byte { return AppendUint(nil, uint64(r.Uint32())) }},
		{"UInt u64", "56ab85978136cb50f12ea89c8d25ce24451788172fe9d3d3c063f7ae6342d279",
			func(s *source) []byte { return AppendUint(nil, s.uint(8)) },
			func(r *Reader) []byte { return AppendUint(nil, r.Uint()) }},
		{"SInt i16", "c2e6da214e9447b09327dfe6356eb765d753c4faa5430920b01ee0dab6870514",
			func(s *source) []byte { return AppendInt(nil, int64(int16(s.uint(2)))) },
			func(r *Reader) []byte { return AppendInt(nil, int64(r.Int16())) }},
		{"SInt i64", "2f24c93ed0351071f864d22d2f5782f7395569da09eabc42341807dbd5422d72",
			func(s *source) []byte { return AppendInt(nil, int64(s.uint(8))) },
			func(r *Reader) []byte { return AppendInt(nil, r.Int()) }},
		{"Round", "d8ccba2653a5a2e5e317f0f365edbfc4845e3dc4325daefe0b43ca75920a654c",
			func(s *source) []byte { return AppendUint(AppendUint(nil, s.uint(8)), s.uint(8)) },
			func(r *Reader) []byte { return AppendUint(AppendUint(nil, r.Uint()), r.Uint()) }},
		{"bool", "c5bcd1910d08e48db3680f38884d5ba0e86836ea68edb1d4fb4aac4f9ecbd063",
			func(s *source) []byte { return AppendBool(nil, s.bool()) },
			func(r *Reader) []byte { return AppendBool(nil, r.Bool()) }},
		{"Option<u64>", "56298a7f298dfae99947dbdb5691aea48e3a183733d93964b53de858d448ecd2",
			func(s *source) []byte {
				if !s.bool() {
					return AppendBool(nil, false)
				}
				return AppendU64(AppendBool(nil, true), s.uint(8))
			},
			func(r *Reader) []byte {
				if !r.Option() {
					return AppendBool(nil, false)
				}
				return AppendU64(AppendBool(nil, true), r.U64())
			}},
		{"[u8;32]", "c0501d4a691d1fccec7c5906e8608228569d24164150edd215838593e3b77512",
			func(s *source) []byte { return AppendFixed(nil, s.fixed(32)) },
			func(r *Reader) []byte { return AppendFixed(nil, r.Fixed(32)) }},
		{"(u32,u32)", "9f3fbde186c4164d91b0b3cabba62b5bdbcb6113a2c8dd836dccb730f116066e",
			func(s *source) []byte { return AppendU32(AppendU32(nil, uint32(s.uint(4))), uint32(s.uint(4))) },
			func(r *Reader) []byte { return AppendU32(AppendU32(nil, r.U32()), r.U32()) }},
	}
}

func fixturesOfSequences() []fixture {
	return []fixture{
		{"Vec<u16>", "1b3fceee1effb6a3d71edbb3cc2ad69b318b2edec7eb0e1d6822211959abdb50",
			func(s *source) []byte {
				var values []uint16
				for s.more() {
					values = append(values, uint16(s.uint(2)))
				}
				out := AppendLen(nil, len(values))
				for _, v := range values {
					out = AppendU16(out, v)
				}
				return out
			},
			func(r *Reader) []byte {
				n := r.Len(0, 4096, 2)
				out := AppendLen(nil, n)
				for range n {
					out = AppendU16(out, r.U16())
				}
				return out
			}},
		{"map<u32,u32>", "058879e68cef3db01b165d2577e8b10688acf878cb2c8d76b11d6c31311c86fa",
			func(s *source) []byte {
				m := map[uint32]uint32{}
				for s.more() {
					k := uint32(s.uint(4))
					m[k] = uint32(s.uint(4))
				}
				var keys []uint32
				for k := range m {
					keys = append(keys, k)
				}
				slices.Sort(keys)
				out := AppendLen(nil, len(keys))
				for _, k := range keys {
					out = AppendU32(AppendU32(out, k), m[k])
				}
				return out
			},
			func(r *Reader) []byte {
				n := r.Len(0, 4096, 8)
				out := AppendLen(nil, n)
				for range n {
					out = AppendU32(AppendU32(out, r.U32()), r.U32())
				}
				return out
			}},
		{"byte string", "7f034c22d0f258e8bf599ba629b66476a608566941eace272901021013b5b72c",
			func(s *source) []byte {
				max := int(s.uint(1))
				var b []byte
				for len(b) < max && s.more() {
					b = append(b, byte(s.uint(1)))
				}
				return AppendBytes(nil, b)
			},
			func(r *Reader) []byte { return AppendBytes(nil, r.Bytes(4096)) }},
		{"Request", "6f852b6ad6e5dd77804d80781b03c808e186e7e7c5611752f124c625c5c3ee17",
			func(s *source) []byte {
				id := AppendUint(nil, s.uint(8))
				return append(append(id, uvec(s)...), uvec(s)...)
			},
			func(r *Reader) []byte {
				out := AppendUint(nil, r.Uint())
				out = readUvec(r, out)
				return readUvec(r, out)
			}},
	}
}

// Spec: commonware §1.5.
func TestPublishedFixtures(t *testing.T) {
	list := fixtures()
	sums := make([]hash.Hash, len(list))
	for i := range sums {
		sums[i] = sha256.New()
	}
	for s := range uint64(65536) {
		input := seeded(s).rest
		for i, f := range list {
			data := f.encode(&source{input})
			sums[i].Write(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))
			sums[i].Write(data)
			r := NewReader(data)
			if again := f.decode(r); r.Finish() != nil || !bytes.Equal(again, data) {
				t.Fatalf("%s seed %d: %x decodes to %x, %v", f.name, s, data, again, r.Err())
			}
		}
	}
	for i, f := range list {
		if got := hex.EncodeToString(sums[i].Sum(nil)); got != f.want {
			t.Errorf("%s: %s, want %s", f.name, got, f.want)
		}
	}
}

// The keystream of eight rounds with a zero key starts like this in the published
// ChaCha test vectors (Strombergsson, TC1, 256-bit key, 8 rounds).
func TestChaChaVector(t *testing.T) {
	got := fmt.Sprintf("%x", chacha8([32]byte{}, 16))
	if got != "3e00ef2f895f40d67f5bb8e81f09a5a1" {
		t.Errorf("keystream %s", got)
	}
}
