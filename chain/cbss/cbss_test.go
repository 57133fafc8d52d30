package cbss

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

func draw(t testing.TB) *Scalar {
	t.Helper()
	for {
		raw := make([]byte, ScalarSize)
		rand.Read(raw)
		raw[0] &= 0x3f
		if s, err := ParseScalar(raw); err == nil {
			return s
		}
	}
}

func deal(t testing.TB, threshold, n int) (Polynomial, []*Scalar) {
	t.Helper()
	var poly Polynomial
	for range threshold {
		poly = append(poly, draw(t))
	}
	var shares []*Scalar
	for i := range n {
		s, err := poly.At(uint32(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		shares = append(shares, s)
	}
	return poly, shares
}

func identityOf(poly Polynomial) *Identity {
	owner := account.Address{1}
	return &Identity{ChainID: 1, Secret: SecretID{owner, KeyHash(owner, "KEY")}, Version: 1, Epoch: 1, Master: poly[0].Public()}
}

// Points that are infinity, off the curve, or of the curve and not of the subgroup are refused wherever they come in.
//
// Spec: secrets-cbss §5 (no identity points), §10 (3).
func TestWrongPoints(t *testing.T) {
	for name, c := range map[string]string{
		"infinity":           "c0" + strings.Repeat("00", KeySize-1),
		"infinity, signed":   "e0" + strings.Repeat("00", KeySize-1),
		"infinity and more":  "c0" + strings.Repeat("00", KeySize-2) + "01",
		"not compressed":     "00" + strings.Repeat("00", KeySize-1),
		"off the curve":      "80" + strings.Repeat("00", KeySize-2) + "01",
		"no subgroup":        "80" + strings.Repeat("00", KeySize-2) + "02", // 2³ + 4(1+u) is a square
		"no subgroup, other": "a0" + strings.Repeat("00", KeySize-2) + "02",
		"x above modulus":    "9f" + strings.Repeat("ff", KeySize-1),
	} {
		t.Run("key, "+name, func(t *testing.T) {
			raw, err := hex.DecodeString(c)
			if err != nil {
				t.Fatal(err)
			}
			k := Key(raw)
			if k.Check() != ErrPoint {
				t.Error("it is taken")
			}
			if _, err := PublicShare([]Key{k}, 1); err != ErrPoint {
				t.Errorf("as a commitment: %v", err)
			}
			if _, err := ParseEnvelope((&Envelope{Ephemeral: k}).Append(nil)); err != ErrPoint {
				t.Errorf("in an envelope: %v", err)
			}
		})
	}
	for name, c := range map[string]string{
		"infinity":          "c0" + strings.Repeat("00", PointSize-1),
		"infinity, signed":  "e0" + strings.Repeat("00", PointSize-1),
		"infinity and more": "c0" + strings.Repeat("00", PointSize-2) + "01",
		"not compressed":    strings.Repeat("00", PointSize),
		"off the curve":     "80" + strings.Repeat("00", PointSize-2) + "01",
		"no subgroup":       "80" + strings.Repeat("00", PointSize-1), // (0, ±2), of order three
		"x above modulus":   "9f" + strings.Repeat("ff", PointSize-1),
	} {
		t.Run("point, "+name, func(t *testing.T) {
			raw, err := hex.DecodeString(c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Combine([]Partial{{1, Point(raw)}}); err != ErrPoint {
				t.Errorf("%v", err)
			}
		})
	}
}

// Spec: secrets-cbss §3.
func TestScalars(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"zero": {strings.Repeat("00", 32), false}, "one": {strings.Repeat("00", 31) + "01", true},
		"order − 1": {order[:62] + "00", true}, "order": {order, false}, "order + 1": {order[:62] + "02", false}, "short": {"01", false},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := hex.DecodeString(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseScalar(raw); (err == nil) != c.ok {
				t.Errorf("%v", err)
			}
		})
	}
	s := draw(t)
	s.Erase()
	if s.Bytes()[0] != 0 || s.s.Valid() {
		t.Error("an erased share is still there")
	}
}

// Fewer partials than the threshold open nothing, nor do t of them with a wrong one among them, nor partials for another identity.
//
// Spec: secrets-cbss §3, §10.
func TestOpening(t *testing.T) {
	poly, shares := deal(t, 4, 5)
	id := identityOf(poly)
	key := [DataKeySize]byte{1, 2, 3}
	e, err := Wrap(id, draw(t), [NonceSize]byte{9}, key)
	if err != nil {
		t.Fatal(err)
	}
	other := *id
	other.Version++
	partials := func(to *Identity, places ...uint32) (list []Partial) {
		for _, p := range places {
			list = append(list, Partial{p, Sign(shares[p-1], to)})
		}
		return list
	}
	swapped := partials(id, 1, 2, 3, 4)
	swapped[0].Place, swapped[1].Place = 2, 1
	for name, c := range map[string]struct {
		partials []Partial
		ok       bool
	}{
		"four":             {partials(id, 1, 2, 3, 4), true},
		"four others":      {partials(id, 5, 3, 2, 1), true},
		"five":             {partials(id, 1, 2, 3, 4, 5), true},
		"three":            {partials(id, 1, 2, 3), false},
		"one":              {partials(id, 1), false},
		"another version":  {partials(&other, 1, 2, 3, 4), false},
		"one of another":   {append(partials(id, 1, 2, 3), partials(&other, 4)...), false},
		"places exchanged": {swapped, false},
	} {
		t.Run(name, func(t *testing.T) {
			sigma, err := Combine(c.partials)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Open(sigma)
			if c.ok && (err != nil || got != key) || !c.ok && (err != ErrOpen || got == key) {
				t.Errorf("%x %v", got, err)
			}
		})
	}
	for name, places := range map[string][]uint32{"none": {}, "twice": {1, 1}, "zero": {0, 1}, "too many": make([]uint32, MaxCommittee+1)} {
		t.Run(name, func(t *testing.T) {
			if _, err := Weights(places); err != ErrQuorum {
				t.Errorf("%v", err)
			}
		})
	}
	for at := range e.Append(nil) {
		raw := e.Append(nil)
		raw[at] ^= 1
		sigma, err := Combine(partials(id, 1, 2, 3, 4))
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := ParseEnvelope(raw); err == nil {
			if _, err = changed.Open(sigma); err == nil {
				t.Fatalf("with byte %d changed it opens", at)
			}
		}
	}
}

// Two wraps of one key to one identity share nothing: r is drawn anew, so nobody computes the key from public data.
//
// Spec: secrets-cbss §3 (encapsulation, corrected: that form must never be built).
func TestWrapsDiffer(t *testing.T) {
	poly, _ := deal(t, 3, 5)
	id := identityOf(poly)
	a, err := Wrap(id, draw(t), [NonceSize]byte{}, [DataKeySize]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Wrap(id, draw(t), [NonceSize]byte{}, [DataKeySize]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	if a.Ephemeral == b.Ephemeral || a.Sealed == b.Sealed {
		t.Error("two envelopes are alike")
	}
	// What everybody can compute: e(I, MPK), the key without r.
	master, err := id.Master.decode()
	if err != nil {
		t.Fatal(err)
	}
	aead, err := a.aead(value(id.hashed(), master))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := aead.Open(nil, a.Nonce[:], a.Sealed[:], a.Data[:]); err == nil {
		t.Error("everybody opens it")
	}
}

// A resharing keeps the master key and opens what was sealed before; shares of both committees do not combine.
//
// Spec: secrets-cbss §3 (resharing).
func TestResharing(t *testing.T) {
	poly, shares := deal(t, 3, 5)
	id := identityOf(poly)
	old := poly.Commitments()
	dealers := []uint32{1, 4, 5}
	weights, err := Weights(dealers)
	if err != nil {
		t.Fatal(err)
	}
	var dealt [][]Key
	got := make([][]*Scalar, 7)
	for i, d := range dealers {
		first, err := shares[d-1].Times(weights[i])
		if err != nil {
			t.Fatal(err)
		}
		public, err := PublicShare(old, d)
		if err != nil {
			t.Fatal(err)
		}
		p := Polynomial{first, draw(t), draw(t)}
		c := p.Commitments()
		if want, err := public.Scaled(weights[i]); err != nil || c[0] != want {
			t.Fatalf("dealer %d begins with another commitment: %v", d, err)
		}
		dealt = append(dealt, c)
		for place := range got {
			s, err := p.At(uint32(place + 1))
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckShare(c, uint32(place+1), s); err != nil {
				t.Fatal(err)
			}
			if err := CheckShare(c, uint32(place+2), s); err != ErrShare {
				t.Errorf("another place's share: %v", err)
			}
			got[place] = append(got[place], s)
		}
	}
	commitments, err := SumCommitments(dealt)
	if err != nil || commitments[0] != id.Master {
		t.Fatalf("the key has changed: %v", err)
	}
	e, err := Wrap(id, draw(t), [NonceSize]byte{}, [DataKeySize]byte{7})
	if err != nil {
		t.Fatal(err)
	}
	var fresh []Partial
	for place, parts := range got {
		s, err := Sum(parts)
		if err != nil {
			t.Fatal(err)
		}
		p := Partial{uint32(place + 1), Sign(s, id)}
		if err := CheckPartial(id, commitments, p); err != nil {
			t.Fatal(err)
		}
		if CheckPartial(id, old, p) != ErrPartial {
			t.Error("it is the old share")
		}
		fresh = append(fresh, p)
	}
	for name, c := range map[string]struct {
		partials []Partial
		err      error
	}{
		"three new ones": {fresh[4:], nil},
		"mixed":          {[]Partial{fresh[0], fresh[1], {3, Sign(shares[2], id)}}, ErrOpen},
	} {
		t.Run(name, func(t *testing.T) {
			sigma, err := Combine(c.partials)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Open(sigma); !errors.Is(err, c.err) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Receipts show the right partial and combine to nothing; whatever is changed of one is refused.
//
// Spec: secrets-cbss §10 (1).
func TestReceipts(t *testing.T) {
	poly, shares := deal(t, 3, 5)
	id, commitments, context := identityOf(poly), poly.Commitments(), digest.Hash{7}
	e, err := Wrap(id, draw(t), [NonceSize]byte{}, [DataKeySize]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	blind := func(share *Scalar, place uint32, to *Identity) *Blinded {
		public, err := PublicShare(commitments, place)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Blind(Sign(share, to), public, draw(t), draw(t), context)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var captured []Partial
	for i, s := range shares {
		b := blind(s, uint32(i+1), id)
		if err := b.Check(id, commitments, uint32(i+1), context); err != nil {
			t.Fatal(err)
		}
		captured = append(captured, Partial{uint32(i + 1), b.Sigma})
	}
	sigma, err := Combine(captured)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Open(sigma); err != ErrOpen {
		t.Errorf("receipts open the envelope: %v", err)
	}
	other := *id
	other.Epoch++
	good := blind(shares[1], 2, id)
	changed := func(change func(*Blinded)) *Blinded {
		b := *good
		change(&b)
		return &b
	}
	for name, c := range map[string]struct {
		b       *Blinded
		place   uint32
		context digest.Hash
		err     error
	}{
		"right":              {good, 2, context, nil},
		"another place":      {good, 3, context, ErrProof},
		"another context":    {good, 2, digest.Hash{8}, ErrProof},
		"another share":      {blind(shares[2], 2, id), 2, context, ErrPartial},
		"another identity":   {blind(shares[1], 2, &other), 2, context, ErrPartial},
		"sigma of another":   {changed(func(b *Blinded) { b.Sigma = captured[0].Point }), 2, context, ErrProof},
		"share of another":   {changed(func(b *Blinded) { b.Share = commitments[0] }), 2, context, ErrProof},
		"no sigma":           {changed(func(b *Blinded) { b.Sigma = Point{0xc0} }), 2, context, ErrProof},
		"no share":           {changed(func(b *Blinded) { b.Share = Key{0xc0} }), 2, context, ErrProof},
		"share, no subgroup": {changed(func(b *Blinded) { b.Share = Key{0: 0x80, KeySize - 1: 2} }), 2, context, ErrProof},
		"no challenge":       {changed(func(b *Blinded) { b.Challenge = [32]byte{} }), 2, context, ErrProof},
		"no response":        {changed(func(b *Blinded) { b.Response = [32]byte{} }), 2, context, ErrProof},
		"response one more":  {changed(func(b *Blinded) { b.Response[31] ^= 1 }), 2, context, ErrProof},
		"place of nobody":    {good, 0, context, ErrPoint},
		"place beyond all":   {good, MaxCommittee + 1, context, ErrPoint},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.b.Check(id, commitments, c.place, c.context); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
}

// Spec: secrets-cbss §2 (pattern of names).
func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"A": true, "API_KEY_2": true, strings.Repeat("A", 128): true, strings.Repeat("A", 129): false, "": false, "a": false,
		"_A": false, "2A": false, "A-B": false,
		"AÄ": false,
	} {
		t.Run(name, func(t *testing.T) {
			if CheckName(name) != ok {
				t.Errorf("want %v", ok)
			}
		})
	}
}

// Spec: secrets-cbss §4, §12 (7).
func TestMessagesAreReadAsTheyWereSigned(t *testing.T) {
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 7))
	if err != nil {
		t.Fatal(err)
	}
	signer := func(hash digest.Hash, s sig.Signature) {
		t.Helper()
		if by, err := (sig.Pure{}).Recover(hash, s); err != nil || by != key.Address() {
			t.Errorf("%v %v", by, err)
		}
	}
	v := load(t)
	q := v.request(t)
	raw := q.Signed(key)
	back, s, err := ParseRequest(raw)
	if err != nil || *back != *q || len(raw) != SignedRequestSize {
		t.Fatalf("%+v %v", back, err)
	}
	signer(q.Hash(), s)
	a := &Answer{Request: q.Hash(), Proxy: digest.Hash{1}, Epoch: 2, Served: 3, Partial: Point{4}}
	r := codec.NewReader(a.Signed(key))
	answer, s := ReadAnswer(r)
	if r.Finish() != nil || *answer != *a {
		t.Fatalf("%+v", answer)
	}
	signer(a.Hash(), s)
	d := &Deal{ChainID: 1, Scope: []byte{0, 1}, Epoch: 2, Dealer: digest.Hash{3}, Place: 4, Commitments: []Key{{5}, {6}}, Share: [32]byte{7}}
	dealt := d.Signed(key)
	read, s, err := ParseDeal(dealt)
	if err != nil || !reflect.DeepEqual(read, d) {
		t.Fatalf("%+v %v", read, err)
	}
	signer(d.Hash(), s)
	for cut := range dealt {
		if _, _, err := ParseDeal(dealt[:cut]); err == nil {
			t.Errorf("cut at %d a deal is read", cut)
		}
	}
	for cut := range raw {
		if _, _, err := ParseRequest(raw[:cut]); err == nil {
			t.Errorf("cut at %d a request is read", cut)
		}
	}
}

// A payload opens under its key and associated data alone. The expected bytes are those of the third test case with 256 bits of "The Galois/Counter Mode of
// Operation" (McGrew and Viega, test case 15), as Node's crypto gives them too.
//
// Spec: secrets-cbss §1 (AES).
func TestPayloads(t *testing.T) {
	un := func(text string) []byte {
		raw, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	key := [DataKeySize]byte(un("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
	plain := un("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
		"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255")
	sealed, err := SealPayload(key, [NonceSize]byte(un("cafebabefacedbaddecaf888")), nil, plain)
	if err != nil {
		t.Fatal(err)
	}
	const want = "cafebabefacedbaddecaf888" +
		"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" +
		"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad" +
		"b094dac5d93471bdec1a502270e3cc6c"
	if got := hex.EncodeToString(sealed); got != want {
		t.Errorf("%s", got)
	}
	if back, err := OpenPayload(key, nil, sealed); err != nil || string(back) != string(plain) {
		t.Errorf("%x %v", back, err)
	}
	for at := range sealed {
		changed := append([]byte{}, sealed...)
		changed[at] ^= 1
		if _, err := OpenPayload(key, nil, changed); err != ErrOpen {
			t.Fatalf("with byte %d changed: %v", at, err)
		}
	}
	for name, c := range map[string]struct{ data, sealed []byte }{"other data": {[]byte{1}, sealed}, "short": {nil, sealed[:27]}} {
		t.Run(name, func(t *testing.T) {
			if _, err := OpenPayload(key, c.data, c.sealed); err != ErrOpen {
				t.Errorf("%v", err)
			}
		})
	}
}
