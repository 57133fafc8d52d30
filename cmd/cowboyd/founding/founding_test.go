package founding

import (
	"crypto/hpke"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func voteKey(t testing.TB, n byte) *bls.PrivateKey {
	t.Helper()
	raw := genesis.DevKey("vote", n)
	k, err := bls.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func entries(t testing.TB, n int) (list []*Entry, keys []*bls.PrivateKey) {
	t.Helper()
	for i := range n {
		k := voteKey(t, byte(i))
		own := account.Address{1, byte(i)}
		e, err := NewEntry(7, own, own, genesis.DevnetStake, k, strings.Repeat("0"+string(rune('1'+i)), 32)+"@node.example.org:4300")
		if err != nil {
			t.Fatal(err)
		}
		list, keys = append(list, e), append(keys, k)
	}
	return list, keys
}

var terms = Terms{ChainID: 7, TimestampMs: 5, Rest: account.Address{9}, Accounts: []genesis.Allocation{{Address: account.Address{8}, Balance: 3 * unit.CBY}}}

// Four operators who exchange two kinds of files can sign together: a quorum's partials make a seed of the genesis's key.
//
// Spec: commonware §4.3 (trusted dealer); WP §8.3.
func TestDeal(t *testing.T) {
	list, keys := entries(t, 4)
	d, err := New(terms, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if d, err = Parse(data); err != nil {
		t.Fatal(err)
	}
	sharing, err := bls.DecodeSharing(d.Genesis.Sharing)
	if err != nil {
		t.Fatal(err)
	}
	var partials []bls.Partial
	for _, k := range keys[:3] {
		share, err := d.Accept(k)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), hex.EncodeToString(share.Key.Bytes())) {
			t.Error("a share lies open")
		}
		partials = append(partials, share.Sign([]byte("round")))
	}
	seed, err := bls.Recover(sharing.Threshold(), partials)
	if err != nil || bls.Verify(sharing.GroupKey(), []byte("round"), seed) != nil {
		t.Errorf("the shares make no signature of the key: %v", err)
	}
	if len(d.Peers) != 4 || d.Genesis.Faucet != nil || d.Genesis.Accounts[1].Address != terms.Rest {
		t.Errorf("%+v", d)
	}
	if _, err := d.Accept(voteKey(t, 9)); !errors.Is(err, ErrNotDealt) {
		t.Errorf("a stranger's key: %v", err)
	}
}

// What a messenger changes is found; so is a dealer's share that is not of its key.
//
// Spec: commonware §4.1 (proof of possession), §4.3.
func TestTampering(t *testing.T) {
	list, keys := entries(t, 4)
	for name, edit := range map[string]func(*Entry){
		"stake":      func(e *Entry) { e.Stake++ },
		"sealing":    func(e *Entry) { e.Sealing = list[1].Sealing },
		"peer":       func(e *Entry) { e.Peer = list[1].Peer },
		"address":    func(e *Entry) { e.Address[3]++ },
		"chain":      func(e *Entry) { e.ChainID = 8 },
		"possession": func(e *Entry) { e.Possession = list[1].Possession },
		"key":        func(e *Entry) { e.PublicKey = list[1].PublicKey },
		"short":      func(e *Entry) { e.Signature = "00" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := *list[0]
			edit(&changed)
			if _, err := New(terms, []*Entry{&changed, list[1], list[2], list[3]}, rand.Reader); !errors.Is(err, ErrEntry) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := New(terms, []*Entry{list[0], list[0]}, rand.Reader); !errors.Is(err, ErrDeal) {
		t.Errorf("twice: %v", err)
	}
	if _, err := New(terms, nil, rand.Reader); !errors.Is(err, ErrDeal) {
		t.Errorf("none: %v", err)
	}
	d, err := New(terms, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a, b := list[0].PublicKey, list[1].PublicKey
	d.Shares[a], d.Shares[b] = d.Shares[b], d.Shares[a]
	if _, err := d.Accept(keys[0]); !errors.Is(err, ErrDeal) {
		t.Errorf("another's share: %v", err)
	}
	other, err := New(terms, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other.Genesis = d.Genesis
	if _, err := other.Accept(keys[0]); !errors.Is(err, ErrDeal) {
		t.Errorf("a share of another deal: %v", err)
	}
	liar, err := New(terms, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, shares, err := draw(4, rand.Reader) // of another polynomial
	if err != nil {
		t.Fatal(err)
	}
	sealing, err := sealingKey(keys[0])
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := hpke.Seal(sealing.PublicKey(), hpke.HKDFSHA256(), hpke.AES128GCM(), liar.info(keys[0].PublicKey().Bytes()), shares[0].Key.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	liar.Shares[a] = hex.EncodeToString(sealed)
	if _, err := liar.Accept(keys[0]); !errors.Is(err, ErrDeal) || !strings.Contains(err.Error(), "cheated") {
		t.Errorf("a lying dealer: %v", err)
	}
}

// A faucet and more than the supply.
func TestTerms(t *testing.T) {
	list, _ := entries(t, 1)
	faucet := terms
	faucet.Faucet = true
	d, err := New(faucet, list, rand.Reader)
	if err != nil || d.Genesis.Faucet == nil || *d.Genesis.Faucet != terms.Rest {
		t.Errorf("%+v, %v", d, err)
	}
	greedy := terms
	greedy.Accounts = []genesis.Allocation{{Address: account.Address{8}, Balance: d.Genesis.TotalSupply}}
	if _, err := New(greedy, list, rand.Reader); !errors.Is(err, ErrDeal) {
		t.Errorf("more than there is: %v", err)
	}
}

// Any bytes are an entry, a deal, or an error.
func FuzzFiles(f *testing.F) {
	list, _ := entries(f, 1)
	entry, _ := json.Marshal(list[0])
	d, err := New(terms, list, rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	deal, _ := json.Marshal(d)
	f.Add(entry)
	f.Add(deal)
	f.Add([]byte(`{"genesis":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := ParseEntry(data); err != nil && !errors.Is(err, ErrEntry) {
			t.Error(err)
		} else if err == nil {
			_, _ = e.check(e.ChainID)
		}
		if _, err := Parse(data); err != nil && !errors.Is(err, ErrDeal) {
			t.Error(err)
		}
	})
}

// Each validator's account begins with the same balance beside its stake, unless the dealer names another for it, and epochs are as long as the dealer says.
func TestEndowment(t *testing.T) {
	list, _ := entries(t, 3)
	given := terms
	given.Balance, given.EpochBlocks = 40*unit.CBY, 64
	given.Accounts = []genesis.Allocation{{Address: account.Address{1, 1}, Balance: 7 * unit.CBY}}
	d, err := New(given, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	want := map[account.Address]unit.Amount{{1, 0}: 40 * unit.CBY, {1, 1}: 7 * unit.CBY, {1, 2}: 40 * unit.CBY}
	for _, a := range d.Genesis.Accounts {
		if amount, ok := want[a.Address]; ok && amount != a.Balance {
			t.Errorf("%v begins with %s CBY", a.Address, a.Balance.CBY())
		}
		delete(want, a.Address)
	}
	if len(want) > 0 || d.Genesis.EpochBlocks != 64 {
		t.Errorf("missing %v; epochs of %d blocks", want, d.Genesis.EpochBlocks)
	}
}

// A genesis alone is a deal without shares and peers.
func TestPublic(t *testing.T) {
	list, keys := entries(t, 3)
	d, err := New(terms, list, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"deal": d, "genesis": d.Genesis} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Public(data)
			if err != nil || got.Genesis.ChainID != 7 || len(got.Genesis.Validators) != 3 {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := got.Accept(keys[0]); (err == nil) != (name == "deal") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for _, text := range []string{"", "[]", "{}", `{"genesis":null}`, `{"chain_id":7}`} {
		if _, err := Public([]byte(text)); !errors.Is(err, ErrDeal) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The stake is the owner's, the coins for duties are on the node's own account.
func TestDutiesAccount(t *testing.T) {
	list, keys := entries(t, 4)
	owner, duties := account.Address{1, 0xaa}, account.Address{2, 0xaa}
	e, err := NewEntry(7, owner, duties, genesis.DevnetStake, keys[0], "")
	if err != nil {
		t.Fatal(err)
	}
	list[0] = e
	c, err := e.check(7)
	if err != nil || c.validator.Address != owner || c.duties != duties {
		t.Fatalf("%+v, %v", c, err)
	}
	thief := account.Address{3}
	e.Duties = &thief
	if _, err := e.check(7); !errors.Is(err, ErrEntry) {
		t.Errorf("another account for duties: %v", err)
	}
}

// A proof verifies on its chain and nowhere else, and what is changed is found.
//
// Spec: commonware §4.1 (proof of possession).
func TestProof(t *testing.T) {
	key := voteKey(t, 1)
	good, err := json.Marshal(NewProof(7, key))
	if err != nil {
		t.Fatal(err)
	}
	public, possession, err := ParseProof(good, 7)
	if err != nil || public != key.PublicKey().Bytes() || possession != key.ProvePossession(sig.NewNamespace(7)) {
		t.Fatalf("%x, %v", public, err)
	}
	other, err := json.Marshal(&Proof{7, NewProof(7, voteKey(t, 2)).PublicKey, NewProof(7, key).Possession})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data  []byte
		chain uint64
		want  string
	}{
		"another chain":      {good, 8, "it is for chain 7, not 8"},
		"another's proof":    {other, 7, "does not verify"},
		"no JSON":            {[]byte("vote"), 7, "invalid character"},
		"too long":           {make([]byte, maxEntry+1), 7, "bytes"},
		"a key that is none": {[]byte(`{"chain_id":7,"public_key":"00"}`), 7, "public_key is not 48 bytes"},
		"an unknown field":   {[]byte(`{"chain_id":7,"secret":"00"}`), 7, "unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := ParseProof(c.data, c.chain); !errors.Is(err, ErrProof) || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		})
	}
}
