package digest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"
)

func sha(data []byte) Hash { return sha256.Sum256(data) }

// numbered gives n leaves H(be8 i).
func numbered(h Function, n int) []Hash {
	leaves := make([]Hash, n)
	for i := range leaves {
		leaves[i] = h(binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	return leaves
}

// Spec: commonware §6 (vectors).
func TestMerkleRootVectors(t *testing.T) {
	for i, c := range []struct {
		n              int
		keccak, sha256 string
	}{
		{0, "784a1ebc13dd1197cb82f60cccc7608f891abcef018f1a85e484ebcb61a31d73", "d4f280154cb1f1ecee668774e73759cdff911f869b36bb77a89b2e1d91166e63"},
		{1, "ca275194cce653251c1b0b646672a7498e9987f10eb4b5f966d0837d949cedc4", "49eb31cf6e99e84a30da2fe199a79b1ef9e8a8cc5061b358eac0f6822b1a582d"},
		{2, "c0384167481c80be4f7fc415510bd8aa989ec8b3efc960b8cfe82f4f99a50033", "78cdd53559a0d0822a5c4af3b143529e174e19967a4f579bde39dbc1f66d4420"},
		{3, "dfc8fd7be835fded86325b822f013abaa025c09a1efba2e630447c5462aaed70", "f61386f20c2b9e49a1d032a995294e5dfeb612fbe8773172738e6f6517c51f7f"},
		{5, "e00ef011c748174b832a77b88793de38a41337ab64c7cc3c75010250b88d2c34", "ec04f03f188991abaf76ffe24f638d3936207e64dcb190ff2b70a556688beaf7"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := MerkleRoot(numbered(Keccak, c.n)); got != hexHash(t, c.keccak) {
				t.Errorf("keccak n=%d: %v", c.n, got)
			}
			if got := MerkleRootWith(sha, numbered(sha, c.n)); got != hexHash(t, c.sha256) {
				t.Errorf("sha256 n=%d: %v", c.n, got)
			}
		})
	}
}

// The fixture hashes the roots of 200 trees, seed s having s leaves.
// Spec: commonware §6 (fixture).
func TestMerkleFixture(t *testing.T) {
	sum := sha256.New()
	for s := range 200 {
		root := MerkleRootWith(sha, numbered(sha, s))
		sum.Write(binary.LittleEndian.AppendUint64(nil, Size))
		sum.Write(root[:])
	}
	want := hexHash(t, "18b1108f18520078e2eb5bb29c6a4cdf3bded6b52d8efda19d45c0f10be27207")
	if got := Hash(sum.Sum(nil)); got != want {
		t.Errorf("fixture %v, want %v", got, want)
	}
}

// Every subset of every tree of up to six leaves proves itself and nothing else.
// Spec: commonware §6.
func TestMerkleProofs(t *testing.T) {
	for n := 1; n <= 6; n++ {
		leaves := numbered(Keccak, n)
		root := MerkleRoot(leaves)
		for set := 1; set < 1<<n; set++ {
			var at []uint32
			var chosen []Hash
			for i := range n {
				if set>>i&1 == 1 {
					at = append(at, uint32(i))
					chosen = append(chosen, leaves[i])
				}
			}
			proof, err := ProveMerkle(leaves, at...)
			if err != nil {
				t.Fatal(err)
			}
			if err := proof.Verify(root, at, chosen); err != nil {
				t.Fatalf("n=%d %v: %v", n, at, err)
			}
			tamper(t, proof, root, at, chosen)
		}
	}
}

func tamper(t *testing.T, proof MerkleProof, root Hash, at []uint32, chosen []Hash) {
	t.Helper()
	for i := range proof.Siblings {
		bad := proof
		bad.Siblings = append([]Hash(nil), proof.Siblings...)
		bad.Siblings[i][7] ^= 1
		if bad.Verify(root, at, chosen) == nil {
			t.Fatalf("%v: flipped sibling %d accepted", at, i)
		}
		bad.Siblings = append(append([]Hash(nil), proof.Siblings[:i]...), proof.Siblings[i+1:]...)
		if bad.Verify(root, at, chosen) == nil {
			t.Fatalf("%v: missing sibling %d accepted", at, i)
		}
	}
	longer := proof
	longer.Siblings = append(append([]Hash(nil), proof.Siblings...), Hash{})
	if longer.Verify(root, at, chosen) == nil {
		t.Fatalf("%v: extra sibling accepted", at)
	}
	other := append([]Hash(nil), chosen...)
	other[0][0] ^= 1
	if proof.Verify(root, at, other) == nil {
		t.Fatalf("%v: wrong leaf accepted", at)
	}
	for _, count := range []uint32{0, proof.LeafCount + 1, 1<<32 - 1} {
		bad := proof
		bad.LeafCount = count
		if bad.Verify(root, at, chosen) == nil {
			t.Fatalf("%v: leaf count %d accepted", at, count)
		}
	}
}

func TestMerklePositions(t *testing.T) {
	leaves := numbered(Keccak, 3)
	for _, at := range [][]uint32{nil, {3}, {1, 0}, {1, 1}} {
		if _, err := ProveMerkle(leaves, at...); err != ErrMerklePosition {
			t.Errorf("%v: %v", at, err)
		}
		if err := (MerkleProof{LeafCount: 3}).Verify(Hash{}, at, make([]Hash, len(at))); err != ErrMerklePosition {
			t.Errorf("verify %v: %v", at, err)
		}
	}
}

func BenchmarkMerkleRoot(b *testing.B) {
	leaves := numbered(Keccak, 1000)
	b.Run("leaves=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			MerkleRoot(leaves)
		}
	})
}

// Spec: commonware §6; WP §2.5.
func FuzzDecodeMerkleProof(f *testing.F) {
	proof, err := ProveMerkle(numbered(Keccak, 5), 1, 4)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(proof.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodeMerkleProof(data)
		if err != nil {
			return
		}
		if !bytes.Equal(p.Append(nil), data) {
			t.Errorf("%x encodes to %x", data, p.Append(nil))
		}
		if p.Verify(Hash{}, []uint32{0}, []Hash{{}}) == nil {
			t.Error("a proof of the zero root")
		}
	})
}
