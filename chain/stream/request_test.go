package stream

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// committee has each request cost two receipts of 5.
func (w *world) committee() { w.fee, w.quorum = 5, 2 }

// answered is a receipt of a member whose operator has the same number.
func (w *world) answered(n uint64, member byte) error {
	return w.as(account.System(account.SecretsManager), func(m *Manager) error {
		return m.Answered(n, digest.Hash{member}, account.Address{0: 0xee, 1: member})
	})
}

// committed are the coins of ann, of the till, of the operators of members 1 to 3, and those that are held.
func (w *world) committed(want ...unit.Amount) {
	w.t.Helper()
	got := []unit.Amount{w.balance(ann), w.balance(till)}
	for n := byte(1); n <= 3; n++ {
		got = append(got, w.balance(account.Address{0: 0xee, 1: n}))
	}
	held, err := Escrow(w.overlay)
	w.must(err)
	if got = append(got, held); !slices.Equal(got, want) {
		w.t.Errorf("coins %v, want %v", got, want)
	}
}

// A request is sealed by as many receipts as it takes, each of which is paid when it comes; it expires after one key epoch, or is void once the keys change;
// then it is raised again. The publisher pays of what it got for the epochs; whoever raises one again pays for work that was in vain, or is done twice.
//
// Spec: gateway-payments-streams §E.2 (SealRequest).
func TestSealRequests(t *testing.T) {
	w := newWorld(t)
	w.committee()
	id := w.stream()
	again := func(n uint64, by account.Address) error {
		return w.as(by, func(m *Manager) error { return m.Again(by, n) })
	}
	if _, err := w.acquire(id, ann, ann, 12); err != nil {
		t.Fatal(err)
	}
	if q, _ := w.request(0); q != nil {
		t.Fatalf("without a key: %+v", q)
	}
	w.committed(9_979, 21, 0, 0, 0, 0)
	if _, err := w.register(ann, 7); err != nil {
		t.Fatal(err)
	}
	if _, err := w.acquire(id, ann, ann, 15); err != nil {
		t.Fatal(err)
	}
	w.committed(9_958, 32, 0, 0, 0, 10) // of 21 the publisher has 11
	for _, c := range []struct {
		name  string
		now   unit.Height
		run   func() error
		want  error
		n     uint64
		is    Status
		coins []unit.Amount // of ann, of the publisher, of three operators, held
	}{
		{"it is open", 6_000, func() error { return again(0, ann) }, ErrRequest, 0, Emitted, []unit.Amount{9_958, 32, 0, 0, 0, 10}},
		{"answered", 6_000, func() error { return w.answered(0, 1) }, nil, 0, Emitted, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"twice by one", 6_000, func() error { return w.answered(0, 1) }, ErrRequest, 0, Emitted, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"in its last block", 6_600, func() error { return again(0, ann) }, ErrRequest, 0, Emitted, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"of another", 6_601, func() error { return again(0, ben) }, ErrOwner, 0, Expired, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"answered too late", 6_601, func() error { return w.answered(0, 2) }, ErrRequest, 0, Expired, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"again, for nothing", 6_601, func() error { return again(0, ann) }, nil, 1, Emitted, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"nobody works twice", 6_601, func() error { return w.answered(1, 1) }, ErrRequest, 1, Emitted, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"a new key", 6_602, func() error { _, err := w.register(ann, 8); return err }, nil, 1, Void, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"for old keys", 6_602, func() error { return w.answered(1, 2) }, ErrRequest, 1, Void, []unit.Amount{9_958, 32, 5, 0, 0, 5}},
		{"again for the newest", 6_602, func() error { return again(1, ann) }, nil, 2, Emitted, []unit.Amount{9_953, 32, 5, 0, 0, 10}},
		{"answered anew", 6_602, func() error { return w.answered(2, 1) }, nil, 2, Emitted, []unit.Amount{9_953, 32, 10, 0, 0, 5}},
		{"sealed", 6_602, func() error { return w.answered(2, 2) }, nil, 2, Sealed, []unit.Amount{9_953, 32, 10, 5, 0, 0}},
		{"one more", 6_602, func() error { return w.answered(2, 3) }, ErrRequest, 2, Sealed, []unit.Amount{9_953, 32, 10, 5, 0, 0}},
		{"sealed once more", 9_000, func() error { return again(2, ann) }, nil, 3, Emitted, []unit.Amount{9_943, 32, 10, 5, 0, 10}},
		{"one there is not", 9_000, func() error { return again(9, ann) }, ErrRequest, 3, Emitted, []unit.Amount{9_943, 32, 10, 5, 0, 10}},
		{"one that was raised again", 9_000, func() error { return again(2, ann) }, ErrRequest, 3, Emitted, []unit.Amount{9_943, 32, 10, 5, 0, 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.now, w.t = c.now, t
			if err := c.run(); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if q, status := w.request(c.n); q == nil || status != c.is {
				t.Errorf("%+v %v, want %v", q, status, c.is)
			}
			w.committed(c.coins...)
		})
	}
	if q, _ := w.request(3); q.Key != 2 || q.Generation != 2 || q.From != 13 || q.To != 15 || q.Until != 9_600 {
		t.Errorf("%+v", q)
	}
	if n := strings.Count(strings.Join(w.said, " "), TopicSealed); n != 1 {
		t.Errorf("%d are told of as sealed", n)
	}
}

// Without a committee a request is raised unpaid, and again for nothing; no receipt of it counts. Once there is one, whoever raises it again pays.
//
// Spec: gateway-payments-streams §E.2 (SealRequest).
func TestUnpaidRequests(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	again := func(n uint64) error { return w.as(ann, func(m *Manager) error { return m.Again(ann, n) }) }
	if _, err := w.register(ann, 7); err != nil {
		t.Fatal(err)
	}
	if _, err := w.acquire(id, ann, ann, 12); err != nil {
		t.Fatal(err)
	}
	if err := again(0); !errors.Is(err, ErrRequest) {
		t.Errorf("open, and nobody to pay: %v", err)
	}
	if err := w.answered(0, 1); !errors.Is(err, ErrRequest) {
		t.Errorf("a receipt of it: %v", err)
	}
	w.now = 6_601
	w.must(again(0))
	w.committed(9_979, 21, 0, 0, 0, 0)
	if list, err := Open(w.overlay, w.now, 10); err != nil || len(list) != 0 {
		t.Errorf("proxies are asked for %v %v", list, err)
	}
	w.committee()
	w.must(again(1))
	w.committed(9_969, 21, 0, 0, 0, 10)
	if list, err := Open(w.overlay, w.now, 10); err != nil || !slices.Equal(list, []uint64{2}) {
		t.Errorf("proxies are asked for %v %v", list, err)
	}
	w.must(w.answered(2, 1))
	w.must(w.answered(2, 2))
	if list, err := Open(w.overlay, w.now, 10); err != nil || len(list) != 0 {
		t.Errorf("what is sealed is asked for: %v %v", list, err)
	}
}

// What is open is listed by its last block, and not once that is past.
//
// Spec: gateway-payments-streams §E.2 (SealRequest).
func TestOpenRequests(t *testing.T) {
	w := newWorld(t)
	w.committee()
	id := w.stream()
	for _, a := range []account.Address{ann, ben} {
		if _, err := w.register(a, a[0]); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range []account.Address{ann, ben, ann} {
		w.now = 6_000 + unit.Height(i)
		if _, err := w.acquire(id, a, a, uint64(12+10*i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		now   unit.Height
		limit int
		want  []uint64
	}{
		{6_002, 10, []uint64{0, 1, 2}}, {6_002, 2, []uint64{0, 1}}, {6_600, 10, []uint64{0, 1, 2}}, {6_601, 10, []uint64{1, 2}}, {6_602, 10, []uint64{2}},
		{6_603, 10, nil},
	} {
		t.Run(fmt.Sprint(c.now, " ", c.limit), func(t *testing.T) {
			if list, err := Open(w.overlay, c.now, c.limit); err != nil || !slices.Equal(list, c.want) {
				t.Errorf("%v %v, want %v", list, err, c.want)
			}
		})
	}
}

// Requests of an account are listed from a number on, in pages.
//
// Spec: gateway-payments-streams §E.1 (SealRequest).
func TestRequestsOfAnAccount(t *testing.T) {
	w := newWorld(t)
	w.committee()
	id := w.stream()
	for _, a := range []account.Address{ann, ben} {
		if _, err := w.register(a, a[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := w.acquire(id, a, a, 10+95); err != nil { // three each
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		of    account.Address
		from  uint64
		limit int
		want  []uint64
		next  uint64
	}{
		{ann, 0, 10, []uint64{0, 1, 2}, 0}, {ann, 0, 2, []uint64{0, 1}, 2}, {ann, 2, 2, []uint64{2}, 0}, {ben, 0, 3, []uint64{3, 4, 5}, 0},
		{ben, 4, 1, []uint64{4}, 5}, {ben, 6, 1, nil, 0}, {till, 0, 10, nil, 0},
	} {
		t.Run(fmt.Sprint(c.of[0], c.from, c.limit), func(t *testing.T) {
			if list, next, err := RequestsOf(w.overlay, c.of, c.from, c.limit); err != nil || !slices.Equal(list, c.want) || next != c.next {
				t.Errorf("%v %d %v, want %v %d", list, next, err, c.want, c.next)
			}
		})
	}
}

// A purchase raises a request for each 32 epochs, eight at most, and the publisher pays for those whose epochs bring as much as the committee takes.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func TestRequestsOfAPurchase(t *testing.T) {
	for _, c := range []struct {
		name     string
		fee      unit.Amount // of an epoch
		target   uint64      // from epoch 10 on
		requests [][3]uint64 // from, to, quorum
		till     unit.Amount
		held     unit.Amount
	}{
		{"one epoch that does not bring it", 9, 10, [][3]uint64{{10, 10, 0}}, 9, 0},
		{"one that does exactly", 10, 10, [][3]uint64{{10, 10, 2}}, 0, 10},
		{"as many as fit", 1, 41, [][3]uint64{{10, 41, 2}}, 22, 10},
		{"one more, which brings 1", 1, 42, [][3]uint64{{10, 41, 2}, {42, 42, 0}}, 23, 10},
		{"more than are raised", 1, 309, [][3]uint64{
			{10, 41, 2}, {42, 73, 2}, {74, 105, 2}, {106, 137, 2}, {138, 169, 2}, {170, 201, 2}, {202, 233, 2}, {234, 265, 2},
		}, 220, 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.committee()
			var id digest.Hash
			w.must(w.as(publisher, func(m *Manager) (err error) {
				id, err = m.Configure(publisher, []byte("news"), Config{Fee: c.fee, Treasury: till, EpochBlocks: 600, MinPurchase: 1})
				return err
			}))
			if _, err := w.register(ann, 7); err != nil {
				t.Fatal(err)
			}
			r, err := w.acquire(id, ann, ann, c.target)
			if err != nil || r.Raised != len(c.requests) || r.Publisher != c.fee*unit.Amount(c.target-9) {
				t.Fatalf("%+v %v", r, err)
			}
			for n, want := range c.requests {
				q, status := w.request(uint64(n))
				if q == nil || [3]uint64{q.From, q.To, q.Quorum} != want || status != Emitted {
					t.Errorf("request %d: %+v %v, want %v", n, q, status, want)
				}
			}
			w.committed(10_000-c.fee*unit.Amount(c.target-9), c.till, 0, 0, 0, c.held)
		})
	}
}

// Whoever has bought epochs may ask for them, and pays; nobody for others'.
//
// Spec: gateway-payments-streams §E.1 (SealRequest), §E.2 (ENTITLEMENT_REQUIRED).
func TestAskingForBoughtEpochs(t *testing.T) {
	w := newWorld(t)
	id := w.stream()
	if _, err := w.acquire(id, ann, ann, 100); err != nil { // 10 to 100
		t.Fatal(err)
	}
	keyed := func() { _, err := w.register(ann, 7); w.must(err) }
	for _, c := range []struct {
		name     string
		before   func()
		by       account.Address
		stream   digest.Hash
		from, to uint64
		want     error
	}{
		{"of nothing", nil, ann, digest.Hash{9}, 10, 10, ErrManaged},
		{"backwards", nil, ann, id, 11, 10, ErrSpan},
		{"33 epochs", nil, ann, id, 10, 42, ErrSpan},
		{"all numbers", nil, ann, id, 0, 1<<64 - 1, ErrSpan},
		{"before what was bought", nil, ann, id, 9, 20, ErrEntitled},
		{"behind it", nil, ann, id, 90, 101, ErrEntitled},
		{"by one who has bought nothing", nil, ben, id, 10, 10, ErrEntitled},
		{"the last number", nil, ann, id, 1<<64 - 1, 1<<64 - 1, ErrEntitled},
		{"without a key", nil, ann, id, 10, 41, ErrRevoked},
		{"without a committee", keyed, ann, id, 10, 41, ErrCommittee},
		{"32 epochs", w.committee, ann, id, 10, 41, nil},
		{"the same once more", nil, ann, id, 10, 41, nil},
		{"the last ones", nil, ann, id, 69, 100, nil},
		{"for more than there is", func() { w.fee = 4_657 }, ann, id, 10, 41, ErrFunds}, // 9,312 are left
		{"for more than all coins", func() { w.fee = 1 << 63 }, ann, id, 10, 41, ErrTarget},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.before != nil {
				c.before()
			}
			err := w.as(c.by, func(m *Manager) error { _, err := m.Seal(c.by, c.stream, c.from, c.to); return err })
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	w.committed(9_312, 637, 0, 0, 0, 30) // 637 and 21 on top for 91 epochs
	if q, status := w.request(2); q.From != 69 || q.To != 100 || q.Key != 1 || status != Emitted {
		t.Errorf("%+v %v", q, status)
	}
}
