package digest

import (
	"bytes"
	"testing"
)

func hexHash(t testing.TB, s string) Hash {
	t.Helper()
	h, err := ParseHash(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The expected values are the published test vectors of each function: the
// empty and "abc" inputs of Keccak-256 and FIPS 180-4, and the first two cases
// of BLAKE3's test_vectors.json.
// Spec: WP §2.5; "Storage and State Persistence".
func TestPublishedVectors(t *testing.T) {
	for _, c := range []struct {
		name string
		got  Hash
		want string
	}{
		{"keccak empty", Keccak256(), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
		{"keccak abc", Keccak256([]byte("abc")), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"},
		{"sha256 empty", SHA256(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"sha256 abc", SHA256([]byte("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"blake3 empty", Blake3(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
		{"blake3 00", Blake3([]byte{0}), "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != hexHash(t, c.want) {
				t.Errorf("%s = %v, want %s", c.name, c.got, c.want)
			}
		})
	}
}

func TestPartsEqualConcatenation(t *testing.T) {
	data := make([]byte, 500)
	for i := range data {
		data[i] = byte(i * 7)
	}
	for _, cut := range []int{0, 1, 64, 135, 136, 137, 272, 500} {
		a, b := data[:cut], data[cut:]
		if Keccak256(a, b) != Keccak256(data) || Blake3(a, b) != Blake3(data) || SHA256(a, b) != SHA256(data) {
			t.Errorf("cut at %d changes a hash", cut)
		}
	}
	k, b := NewKeccak256(), NewBlake3()
	k.Write(data)
	b.Write(data)
	if want := Keccak256(data); !bytes.Equal(k.Sum(nil), want[:]) {
		t.Error("streaming keccak differs")
	}
	if want := Blake3(data); !bytes.Equal(b.Sum(nil), want[:]) {
		t.Error("streaming blake3 differs")
	}
}

func TestHashText(t *testing.T) {
	h := Keccak256([]byte("abc"))
	for _, s := range []string{h.String(), h.Hex()} {
		if got := hexHash(t, s); got != h {
			t.Errorf("ParseHash(%q) = %v", s, got)
		}
	}
	for _, s := range []string{"", "0x", h.Hex()[1:], h.Hex() + "00", "0x0x" + h.Hex(), "g" + h.Hex()[1:]} {
		if _, err := ParseHash(s); err == nil {
			t.Errorf("ParseHash(%q) accepted", s)
		}
	}
}

func TestOneShotAllocatesNothing(t *testing.T) {
	data := make([]byte, 200)
	if n := testing.AllocsPerRun(100, func() { Keccak256(data[:100], data[100:]) }); n != 0 {
		t.Errorf("Keccak256 allocates %v times", n)
	}
}

func BenchmarkKeccak256(b *testing.B) {
	for _, size := range []int{32, 136, 1024} {
		data := make([]byte, size)
		b.Run(map[int]string{32: "bytes=32", 136: "bytes=136", 1024: "bytes=1024"}[size], func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				Keccak256(data)
			}
		})
	}
}
