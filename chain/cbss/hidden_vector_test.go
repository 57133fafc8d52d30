package cbss

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// hiddenVectors are of testdata/hidden.mjs: groups, hashing to both groups, the pairing and secp256k1 by @noble/curves, the rest by Node.
type hiddenVectors struct {
	Chain                  uint64
	Account, Name, Context string
	Second                 string
	Coefficients, Blinds   [][]string
	Hidden                 [][]string
	All, Clear             []string
	Openings               []struct {
		Place                                             uint32
		Share, Blind, K1, K2, Public, Challenge, Response string
		SecondResponse                                    string `json:"second"`
	}
	Session, Dealer string
	Deal            struct{ Key, Body, Hash, Signed string }
	Lock            struct {
		Epoch                                                                uint64
		Round                                                                [2]uint64
		ID, AAD, Identity, R, Ephemeral, Sigma, Pairing, Nonce, Data, Sealed string
	}
}

func loadHidden(t *testing.T) *hiddenVectors {
	t.Helper()
	raw, err := os.ReadFile("testdata/hidden.json")
	if err != nil {
		t.Fatal(err)
	}
	v := new(hiddenVectors)
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func scalars(t *testing.T, list []string) (p Polynomial) {
	t.Helper()
	for _, text := range list {
		p = append(p, scalar(t, text))
	}
	return p
}

func sameKeys(t *testing.T, what string, got []Key, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d %ss, want %d", len(got), what, len(want))
	}
	for i := range got {
		same(t, what, got[i][:], want[i])
	}
}

// Pedersen's commitments of three dealers, their sums, and openings with their proofs; what openings give is the key of the summed polynomials.
//
// Spec: secrets-cbss §3 (making keys).
func TestVectorsOfHiddenKeys(t *testing.T) {
	v := loadHidden(t)
	same(t, "second generator", second().Compress(), v.Second)
	var hidden [][]Key
	shares, blinds := make([][]*Scalar, len(v.Openings)), make([][]*Scalar, len(v.Openings))
	for i := range v.Hidden {
		p, b := scalars(t, v.Coefficients[i]), scalars(t, v.Blinds[i])
		h, err := Hide(p, b)
		if err != nil {
			t.Fatal(err)
		}
		sameKeys(t, "hidden commitment", h, v.Hidden[i])
		hidden = append(hidden, h)
		for k, o := range v.Openings {
			s, _ := p.At(o.Place)
			r, _ := b.At(o.Place)
			if err := CheckHidden(h, o.Place, s, r); err != nil {
				t.Errorf("dealer %d, place %d: %v", i, o.Place, err)
			}
			shares[k], blinds[k] = append(shares[k], s), append(blinds[k], r)
		}
	}
	all, err := SumCommitments(hidden)
	if err != nil {
		t.Fatal(err)
	}
	sameKeys(t, "summed commitment", all, v.All)
	var list []Opening
	for k, w := range v.Openings {
		s, err := Sum(shares[k])
		if err != nil {
			t.Fatal(err)
		}
		b, err := Sum(blinds[k])
		if err != nil {
			t.Fatal(err)
		}
		same(t, "share", s.Bytes(), w.Share)
		same(t, "blind", b.Bytes(), w.Blind)
		o, err := Open(all, w.Place, s, b, scalar(t, w.K1), scalar(t, w.K2), digest.Hash(unhex(t, v.Context)))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "public share", o.Public[:], w.Public)
		same(t, "challenge", o.Challenge[:], w.Challenge)
		same(t, "response", o.Response[:], w.Response)
		same(t, "response of the blind", o.Second[:], w.SecondResponse)
		if err := o.Check(all, digest.Hash(unhex(t, v.Context))); err != nil {
			t.Errorf("place %d: %v", w.Place, err)
		}
		list = append(list, *o)
	}
	got, err := Interpolate([]Opening{list[3], list[0], list[2]})
	if err != nil {
		t.Fatal(err)
	}
	sameKeys(t, "commitment of the key", got, v.Clear)
}

// Spec: secrets-cbss §3 (making keys), §5 (DkgSabotage).
func TestVectorOfAHiddenDeal(t *testing.T) {
	v := loadHidden(t)
	key, err := sig.ParsePrivateKey(unhex(t, v.Deal.Key))
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := ParseHiddenDeal(unhex(t, v.Deal.Signed))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "session", d.Session[:], v.Session)
	same(t, "dealer", d.Dealer[:], v.Dealer)
	sameKeys(t, "commitment", d.Commitments, v.Hidden[0])
	if d.ChainID != v.Chain || d.Place != 2 || !d.Follows() {
		t.Errorf("%+v", d)
	}
	same(t, "encoding", d.bytes(), v.Deal.Body)
	hash := d.Hash()
	same(t, "hash", hash[:], v.Deal.Hash)
	same(t, "signed", d.Signed(key), v.Deal.Signed)
}

// A time lock is sealed to the lock, and to version 0.
//
// Spec: secrets-cbss §3, §4 (152).
func TestVectorsOfATimeLock(t *testing.T) {
	v := loadHidden(t)
	w := v.Lock
	owner := account.Address(unhex(t, v.Account))
	id := &Identity{ChainID: v.Chain, Secret: SecretID{owner, digest.Hash(unhex(t, w.ID))}, Epoch: w.Epoch, Master: Key(unhex(t, v.Clear[0]))}
	same(t, "associated data", id.Bytes(), w.AAD)
	p := id.Point()
	same(t, "identity", p[:], w.Identity)
	sigma, u := Point(unhex(t, w.Sigma)), Key(unhex(t, w.Ephemeral))
	a, err := sigma.decode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := u.decode()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "pairing", value(a, b), w.Pairing)
	e, err := Wrap(id, scalar(t, w.R), [NonceSize]byte(unhex(t, w.Nonce)), [DataKeySize]byte(unhex(t, w.Data)))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "envelope", e.Append(nil), w.Ephemeral+w.Sealed+w.Nonce+w.AAD)
}
