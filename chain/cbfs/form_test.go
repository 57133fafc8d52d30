package cbfs

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// vectors are what testdata/vectors.py computed, with nothing of this program.
type vectors struct {
	VolumeID        string   `json:"volume_id"`
	ShardID         string   `json:"shard_id"`
	ManifestShardID string   `json:"manifest_shard_id"`
	Entries         []string `json:"entries"`
	ManifestRoots   []string `json:"manifest_roots"`
	TokenV0         string   `json:"token_v0"`
	TokenV1         string   `json:"token_v1_signed"`
	CertificateHash string   `json:"certificate_hash"`
	ChunkRoots      []string `json:"chunk_roots"`
	ShardRoots      []string `json:"shard_roots"`
	Randomness      string   `json:"randomness"`
	Pick            uint64   `json:"pick_of_1000"`
	ChallengeID     string   `json:"challenge_id"`
	Ordinal         uint64   `json:"ordinal_of_37"`
	Draw            string   `json:"draw"`
	BlobRef         string   `json:"blob_ref"`
}

func load(t *testing.T) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// count fills bytes with start, start+1 and so on, as the other program does.
func count[T ~[]byte](out T, start int) {
	for i := range out {
		out[i] = byte(start + i)
	}
}

func counted[T ~[32]byte](start int) (h T) {
	count(h[:], start)
	return h
}

func sampleOwner() (a account.Address) {
	count(a[:], 1)
	return a
}

const sampleName = "photos.2026"

func sampleEntries() []Entry {
	o := Object{Path: "a/b.txt", ContentHash: counted[digest.Hash](3), CiphertextHash: counted[digest.Hash](4), K: 4, M: 2}
	o.Size, o.CiphertextSize = 70_000, 70_016
	count(o.WriteID[:], 100)
	count(o.Nonce[:], 5)
	o.ShardID = ShardID(VolumeID(sampleOwner(), sampleName), o.Path, o.WriteID)
	o.ShardHashes = []digest.Hash{counted[digest.Hash](6), counted[digest.Hash](7)}
	return []Entry{{Path: "a", Kind: Directory}, {Path: "a/b.txt", Kind: File, Object: &o}, {Path: "a/link", Kind: Symlink, Target: "b.txt"}}
}

func sampleGrant() Grant {
	g := Grant{Volume: VolumeID(sampleOwner(), sampleName), Name: sampleName, Mode: ReadWrite, Prefix: "logs/", MaxBytes: 1 << 20}
	count(g.ID[:], 9)
	return g
}

func sampleRunnerToken() *RunnerToken {
	t := &RunnerToken{Grant: sampleGrant(), Secret: counted[digest.Hash](40), From: 500, Until: 700}
	count(t.Runner[:], 30)
	t.Mount, t.SyncSecs = true, 5
	return t
}

func sampleOwnerToken() *OwnerToken {
	t := &OwnerToken{Grant: sampleGrant(), Owner: sampleOwner(), FromMs: 1_799_999_990_000, UntilMs: 1_799_999_999_000}
	t.Certificate = Certificate{
		Wallet: sampleOwner(), Key: counted[[32]byte](60), Scope: Scope, ChainID: 1_337, Network: "devnet", Audience: Audience, ExpiresMs: 1_800_000_000_000,
	}
	count(t.Certificate.Signature[:], 70)
	return t
}

func equal(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if hex.EncodeToString(got) != want {
		t.Errorf("%s is %x, want %s", what, got, want)
	}
}

// Identities, manifests, tokens and references are those that another program computes from the documents.
//
// Spec: storage-cbfs §2.1, §2.4, §2.5, §7; WP §17.6.
func TestFormsOfAnotherProgram(t *testing.T) {
	v, entries := load(t), sampleEntries()
	id := VolumeID(sampleOwner(), sampleName)
	equal(t, "volume_id", id[:], v.VolumeID)
	equal(t, "shard_id", entries[1].Object.ShardID[:], v.ShardID)
	manifest := ManifestShardID(id)
	equal(t, "the manifest's shard_id", manifest[:], v.ManifestShardID)
	for i := range entries {
		equal(t, entries[i].Path, entries[i].Encode(), v.Entries[i])
	}
	for n, want := range v.ManifestRoots {
		root, err := ManifestRoot(entries[:n])
		if err != nil {
			t.Error(err)
		}
		equal(t, fmt.Sprint("the root of ", n), root[:], want)
	}
	equal(t, "token v0", sampleRunnerToken().Encode(), v.TokenV0)
	token := sampleOwnerToken()
	equal(t, "token v1", token.Signed(), v.TokenV1)
	hash := token.Certificate.Hash()
	equal(t, "the certificate's hash", hash[:], v.CertificateHash)
	blob := []byte("a blob")
	ref := &BlobRef{Digest: digest.SHA256(blob), Alg: SHA256, Size: uint64(len(blob)), ChunkSize: 4_096}
	equal(t, "the reference", ref.Encode(), v.BlobRef)
}

// sampleChunks are the leaves of the other program, with their bytes.
func sampleChunks() (chunks []Chunk, bytes [][]byte, asks []Ask) {
	for _, c := range []struct {
		slot          uint8
		ordinal, size uint64
	}{{0, 0, 1}, {0, 1, 1_024}, {1, 0, 1_025}, {1, 1, 5_000}, {5, 7, 3_072}} {
		data := make([]byte, c.size)
		for i := range data {
			data[i] = byte((uint64(i)*uint64(i) + uint64(c.slot)*16 + c.ordinal) % 251)
		}
		chunks = append(chunks, Chunk{Key: ShardKey(c.slot, c.ordinal), Root: ChunkRoot(data), Size: c.size})
		bytes, asks = append(bytes, data), append(asks, Ask{Slot: c.slot, Ordinal: c.ordinal})
	}
	return chunks, bytes, asks
}

// Roots of chunks and shards, and what challenges draw, are those of the other program.
//
// Spec: storage-cbfs §2.2, §2.7, §6.
func TestTreesOfAnotherProgram(t *testing.T) {
	v := load(t)
	chunks, _, _ := sampleChunks()
	for i, want := range v.ChunkRoots {
		equal(t, fmt.Sprint("chunk ", i), chunks[i].Root[:], want)
	}
	for n, want := range v.ShardRoots {
		root := ShardRoot(slices.Clone(chunks[:n]))
		equal(t, fmt.Sprint("the root of shards ", n), root[:], want)
	}
	var beacon [96]byte
	var relay account.Address
	count(beacon[:], 11)
	count(relay[:], 80)
	random := Randomness(beacon[:])
	equal(t, "randomness", random[:], v.Randomness)
	if got := Pick(random, relay, 7_200, 1_000); got != v.Pick {
		t.Errorf("picked %d, want %d", got, v.Pick)
	}
	id := ChallengeID(relay, VolumeID(sampleOwner(), sampleName), 5, 7_200, account.Address{})
	equal(t, "challenge_id", id[:], v.ChallengeID)
	if ordinal, draw := Range(random, id, 37); ordinal != v.Ordinal || fmt.Sprint(draw) != v.Draw {
		t.Errorf("%d %d, want %d %s", ordinal, draw, v.Ordinal, v.Draw)
	}
}

// Every block of every chunk is proven; no proof answers for another block, chunk or slot, nor with a bit changed.
//
// Spec: storage-cbfs §6.
func TestProofs(t *testing.T) {
	chunks, data, asks := sampleChunks()
	root := ShardRoot(slices.Clone(chunks))
	for i, a := range asks {
		a.Root = root
		for block := range Blocks(chunks[i].Size) {
			a.Draw = block + 4*Blocks(chunks[i].Size)
			p, err := Prove(slices.Clone(chunks), data[i], a)
			if err != nil {
				t.Fatal(err)
			}
			raw := p.Append(nil)
			back, err := DecodeProof(raw)
			if err != nil || back.Verify(a) != nil {
				t.Fatalf("chunk %d block %d: %v", i, block, err)
			}
			for _, wrong := range []Ask{
				{Root: root, Slot: a.Slot + 1, Ordinal: a.Ordinal, Draw: a.Draw}, {Root: root, Slot: a.Slot, Ordinal: a.Ordinal + 1, Draw: a.Draw},
				{Root: digest.Hash{1}, Slot: a.Slot, Ordinal: a.Ordinal, Draw: a.Draw},
			} {
				if back.Verify(wrong) == nil {
					t.Errorf("chunk %d block %d answers %+v", i, block, wrong)
				}
			}
			if n := Blocks(chunks[i].Size); n > 1 {
				other := a
				if other.Draw++; back.Verify(other) == nil {
					t.Errorf("chunk %d block %d answers for the next", i, block)
				}
			}
			for bit := 0; bit < len(raw)*8; bit += 61 {
				raw[bit/8] ^= 1 << (bit % 8)
				if bad, err := DecodeProof(raw); err == nil && bad.Verify(a) == nil {
					t.Fatalf("chunk %d block %d: it verifies with bit %d changed", i, block, bit)
				}
				raw[bit/8] ^= 1 << (bit % 8)
			}
		}
	}
}

// Spec: storage-cbfs §2.1.
func TestNamesAndPaths(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "A-b_c.9": true, "": false, ".a": false, "a.": false, "-a": false, "a-": false, "_a_": true, "a..b": true, "a/b": false, "ä": false,
		strings.Repeat("x", 63): true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false,
	} {
		t.Run("name "+name, func(t *testing.T) {
			if err := CheckName(name); (err == nil) != ok || err != nil && !errors.Is(err, ErrName) {
				t.Error(err)
			}
		})
	}
	for path, ok := range map[string]bool{
		"a": true, "a/b.c/d": true, "": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "a/../b": false, "a/./b": false,
		"...": true, ".a": true, "a\x00": false, "\xff": false,
		strings.Repeat("x", 511): true, strings.Repeat("x", 512): true, strings.Repeat("x", 513): false,
	} {
		t.Run("path "+path, func(t *testing.T) {
			if err := CheckPath(path); (err == nil) != ok || err != nil && !errors.Is(err, ErrPath) {
				t.Error(err)
			}
		})
	}
}

// Spec: storage-cbfs §2.5.
func TestPrefixesOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a", "a", true}, {"a", "a/", true}, {"a", "a/b", true}, {"a/b", "a", true}, {"a", "ab", false}, {"a/b", "a/c", false},
		{"", "x", true}, {"x", "", true},
	} {
		t.Run(c.a+" and "+c.b, func(t *testing.T) {
			if Overlap(c.a, c.b) != c.want {
				t.Error(!c.want)
			}
		})
	}
	if !Within("a/b", "a") || Within("a", "a/b") || !Within("x", "") || Within("ab", "a") {
		t.Error("what lies within what")
	}
	for _, c := range []struct {
		narrow, wide Mode
		want         bool
	}{{ReadOnly, ReadWrite, true}, {WriteOnly, ReadWrite, true}, {ReadWrite, ReadOnly, false}, {ReadOnly, WriteOnly, false}, {ReadOnly, ReadOnly, true}} {
		t.Run(c.narrow.String()+" of "+c.wide.String(), func(t *testing.T) {
			if c.narrow.Narrows(c.wide) != c.want {
				t.Error(!c.want)
			}
		})
	}
}

// A token is read as it was written, and nothing that is cut off, longer or of another version is one.
//
// Spec: storage-cbfs §2.5.
func TestTokensAreReadAsTheyWereWritten(t *testing.T) {
	v0, v1 := sampleRunnerToken(), sampleOwnerToken()
	if back, err := DecodeRunnerToken(v0.Encode()); err != nil || *back != *v0 {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodeOwnerToken(v1.Encode()); err != nil || *back != *v1 {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodeCertificate(v1.Certificate.Encode()); err != nil || *back != v1.Certificate {
		t.Errorf("%+v %v", back, err)
	}
	for version, raw := range [][]byte{v0.Encode(), v1.Encode()} {
		read := func(b []byte) error {
			if version == 0 {
				_, err := DecodeRunnerToken(b)
				return err
			}
			_, err := DecodeOwnerToken(b)
			return err
		}
		for cut := range raw {
			if err := read(raw[:cut]); !errors.Is(err, ErrForm) {
				t.Fatalf("version %d cut at %d: %v", version, cut, err)
			}
		}
		if err := read(append(slices.Clone(raw), 0)); !errors.Is(err, ErrForm) {
			t.Error(err)
		}
		other := slices.Clone(raw)
		if other[0] ^= 1; read(other) == nil {
			t.Errorf("version %d is read as the other", version)
		}
	}
}

// An owner's token holds where its certificate, its times and both signatures do.
//
// Spec: storage-cbfs §2.5, §8.
func TestOwnerToken(t *testing.T) {
	wallet, err := sig.ParsePrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32))
	const now = 1_000_000_000_000
	type made struct {
		token *OwnerToken
		where Network
		owner account.Address
	}
	for name, c := range map[string]struct {
		before, after func(m *made)
		err           error
	}{
		"good":                     {},
		"five minutes":             {before: func(m *made) { m.token.UntilMs = m.token.FromMs + MaxTokenLifeMs }},
		"a moment more":            {before: func(m *made) { m.token.UntilMs = m.token.FromMs + MaxTokenLifeMs + 1 }, err: ErrExpired},
		"a mount, four hours":      {before: func(m *made) { m.token.Mount, m.token.UntilMs = true, m.token.FromMs+MaxMountLifeMs }},
		"a mount, a moment more":   {before: func(m *made) { m.token.Mount, m.token.UntilMs = true, m.token.FromMs+MaxMountLifeMs+1 }, err: ErrExpired},
		"just not over":            {before: func(m *made) { m.where.NowMs = m.token.UntilMs + SkewMs - 1 }},
		"over":                     {before: func(m *made) { m.where.NowMs = m.token.UntilMs + SkewMs }, err: ErrExpired},
		"within the skew":          {before: func(m *made) { m.where.NowMs = m.token.FromMs - SkewMs }},
		"too early":                {before: func(m *made) { m.where.NowMs = m.token.FromMs - SkewMs - 1 }, err: ErrExpired},
		"no life":                  {before: func(m *made) { m.token.UntilMs = m.token.FromMs }, err: ErrExpired},
		"thirty days":              {before: func(m *made) { m.token.Certificate.ExpiresMs = now + MaxCertLifeMs }},
		"more than thirty days":    {before: func(m *made) { m.token.Certificate.ExpiresMs = now + MaxCertLifeMs + 1 }, err: ErrExpired},
		"an expired certificate":   {before: func(m *made) { m.token.Certificate.ExpiresMs = now }, err: ErrExpired},
		"another chain":            {before: func(m *made) { m.where.ChainID++ }, err: ErrMismatch},
		"another network":          {before: func(m *made) { m.where.Name = "mainnet" }, err: ErrMismatch},
		"another scope":            {before: func(m *made) { m.token.Certificate.Scope = "all" }, err: ErrMismatch},
		"another audience":         {before: func(m *made) { m.token.Certificate.Audience = "cowboy:all" }, err: ErrMismatch},
		"another owner":            {before: func(m *made) { m.owner[0]++ }, err: ErrMismatch},
		"a wallet of nobody":       {after: func(m *made) { m.token.Certificate.Signature[3]++ }, err: ErrSignature},
		"a changed prefix":         {after: func(m *made) { m.token.Prefix = "" }, err: ErrSignature},
		"a changed version's byte": {after: func(m *made) { m.token.Signature[0]++ }, err: ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			m := &made{sampleOwnerToken(), Network{1_337, "devnet", now}, wallet.Address()}
			m.token.Owner, m.token.Certificate.Wallet, m.token.FromMs, m.token.UntilMs = m.owner, m.owner, now-1_000, now+60_000
			m.token.Certificate.ExpiresMs = now + 3_600_000
			m.token.Certificate.Key = [32]byte(key.Public().(ed25519.PublicKey))
			if c.before != nil {
				c.before(m)
			}
			m.token.Certificate.Signature = wallet.Sign(m.token.Certificate.Hash())
			m.token.Signature = [64]byte(ed25519.Sign(key, m.token.Signed()))
			if c.after != nil {
				c.after(m)
			}
			err := m.token.Holds(m.where, m.owner)
			if err == nil {
				err = m.token.Proven()
			}
			if !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
}

// An entry is read as it was written, and nothing that is cut off, goes on or says lengths that it does not have is one.
//
// Spec: storage-cbfs §2.4.
func TestEntriesAreReadAsTheyWereWritten(t *testing.T) {
	for _, e := range sampleEntries() {
		t.Run(e.Path, func(t *testing.T) {
			raw := e.Encode()
			if back, err := DecodeEntry(raw); err != nil || !bytes.Equal(back.Encode(), raw) || !reflect.DeepEqual(back, e) {
				t.Errorf("%+v %v", back, err)
			}
			for cut := range raw {
				if _, err := DecodeEntry(raw[:cut]); !errors.Is(err, ErrForm) {
					t.Fatalf("cut at %d: %v", cut, err)
				}
			}
			for _, other := range [][]byte{append(raw, 0), append(append(bytes.Clone(raw[:7]), 0xff), raw[8:]...)} {
				if _, err := DecodeEntry(other); !errors.Is(err, ErrForm) {
					t.Error(err)
				}
			}
		})
	}
}

// Spec: storage-cbfs §2.4.
func TestManifestsThatAreNone(t *testing.T) {
	for name, change := range map[string]func(list []Entry) []Entry{
		"twice the same":     func(l []Entry) []Entry { return append(l, l[2]) },
		"descending":         func(l []Entry) []Entry { l[0], l[2] = l[2], l[0]; return l },
		"no path":            func(l []Entry) []Entry { l[0].Path = "/a"; return l },
		"no object":          func(l []Entry) []Entry { l[1].Object = nil; return l },
		"another one's path": func(l []Entry) []Entry { l[1].Path = "a/c"; return l },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ManifestRoot(change(sampleEntries())); !errors.Is(err, ErrManifest) {
				t.Error(err)
			}
		})
	}
}

// Spec: storage-cbfs §7; WP §7.1, §7.2, §17.6.
func TestBlobReferences(t *testing.T) {
	blob := []byte("a blob")
	for alg, hash := range map[HashAlg]func(...[]byte) digest.Hash{SHA256: digest.SHA256, Keccak: digest.Keccak256, Blake3: digest.Blake3} {
		t.Run(fmt.Sprint(alg), func(t *testing.T) {
			ref := BlobRef{Digest: hash(blob), Alg: alg, Size: 6}
			back, err := DecodeBlobRef(ref.Encode())
			if err != nil || *back != ref || back.Check(blob) != nil || back.Check([]byte("a blot")) == nil || back.Check(blob[:5]) == nil {
				t.Errorf("%+v %v", back, err)
			}
		})
	}
	// "hello world" as the documentation of multihash and IPFS has it.
	if got := hex.EncodeToString(RefOf(SHA256, []byte("hello world")).Multihash()); got !=
		"1220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9" {
		t.Error(got)
	}
	raw := (&BlobRef{Alg: SHA256}).Encode()
	for at, bad := range map[int]byte{32: 0x11, 46: 1, 63: 1} {
		t.Run(fmt.Sprint("byte ", at), func(t *testing.T) {
			other := slices.Clone(raw)
			other[at] = bad
			if _, err := DecodeBlobRef(other); !errors.Is(err, ErrBlob) {
				t.Error(err)
			}
		})
	}
	if _, err := DecodeBlobRef(raw[:63]); !errors.Is(err, ErrBlob) {
		t.Error(err)
	}
}

// Spec: storage-cbfs §2.5, §6.
func FuzzDecoders(f *testing.F) {
	chunks, data, asks := sampleChunks()
	f.Add(sampleEntries()[1].Encode())
	f.Add(sampleRunnerToken().Encode())
	f.Add(sampleOwnerToken().Encode())
	f.Add(sampleOwnerToken().Certificate.Encode())
	proof, err := Prove(chunks, data[3], asks[3])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(proof.Append(nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if v, err := DecodeRunnerToken(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("a token has two forms")
		}
		if v, err := DecodeOwnerToken(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("a token has two forms")
		}
		if v, err := DecodeCertificate(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("a certificate has two forms")
		}
		if v, err := DecodeEntry(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("an entry has two forms")
		}
		if v, err := DecodeProof(raw); err == nil && !bytes.Equal(v.Append(nil), raw) {
			t.Error("a proof has two forms")
		}
	})
}

// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"RunnerToken": golden.Fill(&RunnerToken{}).Encode(), "OwnerToken": golden.Fill(&OwnerToken{}).Encode(), "BlobRef": golden.Fill(&BlobRef{}).Encode(),
		"Proof": golden.Fill(&Proof{}).Append(nil), "Certificate": golden.Fill(&Certificate{}).Encode(),
		"Entry": golden.Fill(&Entry{Object: golden.Fill(&Object{})}).Encode(), "Partial": samplePartial().Append(nil),
	})
}
