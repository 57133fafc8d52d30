package pyhash

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// testdata/digests.txt was recorded from CPython 3.11 by testdata/record.py:
// lines "algorithm length digest" over the data 0, 1, 2 … mod 251. Keccak-256 is
// not in hashlib; its lines come from the reference vectors of its designers.
func TestDigestsRecordedFromCPython(t *testing.T) {
	file, err := os.Open("testdata/digests.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(i % 251)
	}
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		fields := strings.Fields(scanner.Text())
		al := algorithmNamed(fields[0])
		if al == nil {
			t.Fatalf("unknown %s", fields[0])
		}
		n := 0
		for _, c := range fields[1] {
			n = n*10 + int(c-'0')
		}
		want := fields[2]
		for _, cut := range []int{0, 1, 64, 128, 129} { // however the data is cut
			s := al.create()
			s.write(data[:min(cut, n)])
			other := s.clone()
			s.write([]byte("the copy is independent"))
			other.write(data[min(cut, n):n])
			if got := hex.EncodeToString(other.sum(len(want) / 2)); got != want {
				t.Errorf("%s of %d bytes, cut at %d: %s, want %s", al.name, n, cut, got, want)
			}
		}
	}
}

func TestKeccakVectors(t *testing.T) {
	for text, want := range map[string]string{
		"":    "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
	} {
		t.Run(text, func(t *testing.T) {
			s := algorithmNamed("keccak256").create()
			s.write([]byte(text))
			if got := hex.EncodeToString(s.clone().sum(0)); got != want {
				t.Errorf("keccak256(%q) = %s", text, got)
			}
		})
	}
}

func TestBlake2Parameters(t *testing.T) {
	// Recorded from CPython 3.11: hashlib.blake2b(b"data", digest_size=20,
	// salt=b"salt", person=b"me", fanout=2, depth=3, leaf_size=4, node_offset=5,
	// node_depth=1, inner_size=32, last_node=True).
	p := blakeParameters{size: 20, fanout: 2, depth: 3, leaf: 4, offset: 5, nodeDepth: 1, inner: 32, last: true,
		salt: []byte("salt"), personal: []byte("me")}
	b := blake2bOf(p)
	b.write([]byte("data"))
	if got := hex.EncodeToString(b.sum(0)); got != recordedBlake2b {
		t.Errorf("blake2b: %s", got)
	}
	s := blake2sOf(p)
	s.write([]byte("data"))
	if got := hex.EncodeToString(s.sum(0)); got != recordedBlake2s {
		t.Errorf("blake2s: %s", got)
	}
}

// The price depends on the bytes alone, not on how they were cut.
// Spec: sdk §17.4.
func TestPrice(t *testing.T) {
	sha := algorithmNamed("sha256")
	if got := sha.base + sha.price(0, 1000); got != 500+8*16 {
		t.Errorf("sha256 of 1000 bytes: %d", got)
	}
	keccak := algorithmNamed("keccak256")
	if got := keccak.base + keccak.price(0, 64); got != 12 {
		t.Errorf("keccak256 of 64 bytes: %d", got)
	}
	total, count := 0, uint64(0)
	for n := range 60 {
		total += sha.price(count, n)
		count += uint64(n)
	}
	if want := sha.price(0, int(count)); total != want {
		t.Errorf("cut: %d, want %d", total, want)
	}
}
