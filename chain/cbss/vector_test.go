package cbss

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// vectors are of testdata/vectors.py: pairings, HKDF, keccak256 and every encoding in whole numbers of Python's, in pair.py and vectors.py itself; hashing to
// the curve and multiplication by github.com/cloudflare/circl v1.6.5 (testdata/circl.go.txt, built as "vec"); AES-256-GCM by Node. `python3 vectors.py`
// beside that program makes them again.
type vectors struct {
	Chain        uint64
	Account      string
	Name         string
	KeyHash      string `json:"key_hash"`
	Version      uint64
	Epoch        uint64
	Coefficients []string
	Commitments  []string
	AAD          string
	Identity     string
	R            string
	Ephemeral    string
	Sigma        string
	Pairing      string
	DataKey      string `json:"data_key"`
	Nonce        string
	Sealed       string
	Shares       []string
	PublicShares []string `json:"public_shares"`
	Partials     []string
	Blind        struct {
		Place                                              uint32
		Context, Rho, K, Sigma, Share, Challenge, Response string
	}
	Request                         struct{ Body, Hash, Release string }
	Answer, Receipt, Rotation, Deal string
}

func load(t *testing.T) *vectors {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	v := new(vectors)
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func scalar(t *testing.T, text string) *Scalar {
	t.Helper()
	s, err := ParseScalar(unhex(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (v *vectors) identity(t *testing.T) *Identity {
	owner := account.Address(unhex(t, v.Account))
	return &Identity{
		ChainID: v.Chain, Secret: SecretID{owner, KeyHash(owner, v.Name)}, Version: v.Version, Epoch: v.Epoch, Master: Key(unhex(t, v.Commitments[0])),
	}
}

func (v *vectors) commitments(t *testing.T) (list []Key) {
	for _, c := range v.Commitments {
		list = append(list, Key(unhex(t, c)))
	}
	return list
}

func same(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if hex.EncodeToString(got) != want {
		t.Errorf("%s is %x, want %s", what, got, want)
	}
}

// Spec: secrets-cbss §2 (key_hash), §3.
func TestVectorsOfAnEnvelope(t *testing.T) {
	v := load(t)
	id := v.identity(t)
	same(t, "key hash", id.Secret.KeyHash[:], v.KeyHash)
	same(t, "associated data", id.Bytes(), v.AAD)
	p := id.Point()
	same(t, "identity", p[:], v.Identity)
	sigma, ephemeral := Point(unhex(t, v.Sigma)), Key(unhex(t, v.Ephemeral))
	a, err := sigma.decode()
	if err != nil {
		t.Fatal(err)
	}
	u, err := ephemeral.decode()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "pairing", value(a, u), v.Pairing)
	key := [DataKeySize]byte(unhex(t, v.DataKey))
	e, err := Wrap(id, scalar(t, v.R), [NonceSize]byte(unhex(t, v.Nonce)), key)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "envelope", e.Append(nil), v.Ephemeral+v.Sealed+v.Nonce+v.AAD)
	back, err := ParseEnvelope(e.Append(nil))
	if err != nil || *back != *e {
		t.Fatalf("%v", err)
	}
	if opened, err := back.Open(sigma); err != nil || opened != key {
		t.Errorf("%x %v", opened, err)
	}
}

// Spec: secrets-cbss §3 (public share, partial, check, combine).
func TestVectorsOfShares(t *testing.T) {
	v := load(t)
	id, commitments := v.identity(t), v.commitments(t)
	var poly Polynomial
	for _, c := range v.Coefficients {
		poly = append(poly, scalar(t, c))
	}
	for i, c := range poly.Commitments() {
		same(t, "commitment", c[:], v.Commitments[i])
	}
	var partials []Partial
	for i := range v.Shares {
		place := uint32(i + 1)
		share, err := poly.At(place)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "share", share.Bytes(), v.Shares[i])
		public, err := PublicShare(commitments, place)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "public share", public[:], v.PublicShares[i])
		p := Partial{place, Sign(share, id)}
		same(t, "partial", p.Point[:], v.Partials[i])
		if err := CheckPartial(id, commitments, p); err != nil {
			t.Errorf("place %d: %v", place, err)
		}
		partials = append(partials, p)
	}
	for _, quorum := range [][]int{{0, 1, 2, 3}, {14, 3, 8, 1}, {0, 4, 9, 12, 13}} {
		var chosen []Partial
		for _, i := range quorum {
			chosen = append(chosen, partials[i])
		}
		sigma, err := Combine(chosen)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "combined", sigma[:], v.Sigma)
	}
}

// Spec: secrets-cbss §10 (1).
func TestVectorOfAReceipt(t *testing.T) {
	v := load(t)
	w := v.Blind
	partial, public := Point(unhex(t, v.Partials[w.Place-1])), Key(unhex(t, v.PublicShares[w.Place-1]))
	b, err := Blind(partial, public, scalar(t, w.Rho), scalar(t, w.K), digest.Hash(unhex(t, w.Context)))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "sigma", b.Sigma[:], w.Sigma)
	same(t, "share", b.Share[:], w.Share)
	same(t, "challenge", b.Challenge[:], w.Challenge)
	same(t, "response", b.Response[:], w.Response)
	if err := b.Check(v.identity(t), v.commitments(t), w.Place, digest.Hash(unhex(t, w.Context))); err != nil {
		t.Error(err)
	}
}

func fill(n byte) (h digest.Hash) {
	for i := range h {
		h[i] = n
	}
	return h
}

func (v *vectors) request(t *testing.T) *Request {
	q := &Request{
		ChainID: v.Chain, Secret: v.identity(t).Secret, Version: v.Version, Job: fill(1), Nonce: fill(2), Block: 900, Epoch: 8,
		RunnerKey: fill(3), Proxy: fill(4),
	}
	for i := range q.Actor {
		q.Actor[i], q.Runner[i] = 0xa0, 0xb0
	}
	return q
}

// Spec: secrets-cbss §4, §5 (RotateCommittee), §10 (1, 2).
func TestVectorsOfMessages(t *testing.T) {
	v := load(t)
	q := v.request(t)
	same(t, "request", q.Bytes(), v.Request.Body)
	hash, release := q.Hash(), q.Release()
	same(t, "request hash", hash[:], v.Request.Hash)
	same(t, "release", release[:], v.Request.Release)
	a := Answer{Request: hash, Proxy: fill(4), Epoch: 8, Served: 901, Partial: Point(unhex(t, v.Partials[1]))}
	answered := a.Hash()
	same(t, "answer", answered[:], v.Answer)
	b := Blinded{
		Sigma: Point(unhex(t, v.Blind.Sigma)), Share: Key(unhex(t, v.Blind.Share)),
		Challenge: [32]byte(unhex(t, v.Blind.Challenge)), Response: [32]byte(unhex(t, v.Blind.Response)),
	}
	receipt := ReceiptHash(hash, fill(4), 8, 901, &b)
	same(t, "receipt", receipt[:], v.Receipt)
	scope := append([]byte{0}, unhex(t, v.Account)...)
	r := Rotation{
		ChainID: v.Chain, Scope: scope, Epoch: 9, Committee: []digest.Hash{fill(1), fill(2), fill(3), fill(4), fill(5)},
		Master: v.commitments(t)[0], Commitments: v.commitments(t),
	}
	rotated := r.Hash()
	same(t, "rotation", rotated[:], v.Rotation)
	d := Deal{
		ChainID: v.Chain, Scope: scope, Epoch: 9, Dealer: fill(4), Place: 2, Commitments: v.commitments(t), Share: [32]byte(unhex(t, v.Shares[1])),
	}
	dealt := d.Hash()
	same(t, "deal", dealt[:], v.Deal)
}

// TestVectorsOfAVolumesKey: what the key of a private volume is sealed to, by a program in Python (testdata/volume.py).
//
// Spec: secrets-cbss §11.
func TestVectorsOfAVolumesKey(t *testing.T) {
	raw, err := os.ReadFile("testdata/volume.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Account               string
		Chain, Version, Epoch uint64
		VolumeID              string `json:"volume_id"`
		KeyHash               string `json:"key_hash"`
		AAD                   string
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) != 2 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		id := Identity{
			ChainID: c.Chain, Version: c.Version, Epoch: c.Epoch, Master: Key(unhex(t, load(t).Commitments[0])),
			Secret: SecretID{account.Address(unhex(t, c.Account)), VolumeKeyHash(digest.Hash(unhex(t, c.VolumeID)))},
		}
		same(t, "key hash", id.Secret.KeyHash[:], c.KeyHash)
		same(t, "associated data", id.Bytes(), c.AAD)
	}
}
