package mailbox

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var limits = Limits{
	Capacity: 1_000_000, Depth: 32, DedupBlocks: 10_000, FinalityBlocks: 2, DeferredActor: 64, DeferredList: 16_384, DeferredAge: 1_000,
}

func at(n byte) account.Address { return account.Address{0: 0xcc, 19: n} }

func newStore(t testing.TB) *state.Overlay {
	t.Helper()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for n := byte(1); n < 5; n++ {
		a := account.Account{Kind: account.Actor}
		o.Set(at(n).Key(), a.Encode())
	}
	return o
}

// By hand: the identity is keccak256 of sender, eight bytes of nonce and the hash of what was said, the coins included.
//
// Spec: WP §3.3.
func TestIdentity(t *testing.T) {
	m := Message{Target: at(2), Handler: "h", Payload: []byte("hi"), Structured: true, Value: 300}
	to := at(2)
	said := digest.Keccak256(to[:], []byte{1}, []byte("h"), []byte{1}, []byte{2}, []byte("hi"), []byte{0xac, 0x02})
	if m.Hash() != said {
		t.Fatal("hash of the content")
	}
	from := at(1)
	want := digest.Keccak256(from[:], []byte{0, 0, 0, 0, 0, 0, 1, 2}, said[:])
	if got := Identity(at(1), 0x102, said); got != want {
		t.Fatalf("%v, want %v", got, want)
	}
}

// What a message and a deferred call are said to take is what they leave in state, keys counted without namespace, kind and address.
//
// Spec: WP §3.3 (metered dedup set), §17.4 (state write); CIP-3 §2.2.
func TestWritten(t *testing.T) {
	for _, payload := range []string{"", "hello", strings.Repeat("x", 300)} {
		s := newStore(t)
		m, err := Enqueue(s, limits, 7, Message{Sender: at(1), Target: at(2), Handler: "h", Payload: []byte(payload), Depth: 1})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Defer(s, limits, 7, Deferred{Actor: at(1), Handler: "h", Payload: []byte(payload), Depth: 1})
		if err != nil {
			t.Fatal(err)
		}
		left := map[account.Kind]uint64{}
		s.Changes(func(c state.Change) bool {
			left[account.Kind(c.Key[1])] += uint64(len(c.Key) - account.KeyHeader + len(c.Value))
			return true
		})
		if got := left[account.KindMailbox] + left[account.KindDedup]; got != m.Written() {
			t.Errorf("a message of %d bytes is said to take %d, and takes %d", len(payload), m.Written(), got)
		}
		if got := left[account.KindDeferred]; got != d.Written() {
			t.Errorf("a deferred call of %d bytes is said to take %d, and takes %d", len(payload), d.Written(), got)
		}
	}
}

// Equal payloads are different messages, because the nonce counts.
//
// Spec: WP §3.3.
func TestEnqueue(t *testing.T) {
	s := newStore(t)
	var sent []Message
	for range 3 {
		m, err := Enqueue(s, limits, 7, Message{Sender: at(1), Target: at(2), Payload: []byte("same"), Origin: digest.Hash{9}, Depth: 1})
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, m)
	}
	if sent[0].ID == sent[1].ID || sent[2].Nonce != 2 || sent[2].Seq != 2 {
		t.Fatalf("%+v", sent)
	}
	entries, err := Pending(s, nil, 10)
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	if rest, err := Pending(s, &entries[0].Seq, 1); err != nil || len(rest) != 1 || rest[0] != entries[1] {
		t.Fatal(rest, err)
	}
	for i, e := range entries {
		m, ok, err := Load(s, e)
		if err != nil || !ok || m.ID != sent[i].ID || m.SentAt != 7 || string(m.Payload) != "same" {
			t.Fatal(m, ok, err)
		}
		if err := Remove(s, &m); err != nil {
			t.Fatal(err)
		}
		if _, ok, _ := Load(s, e); ok {
			t.Fatal("delivered message is still there")
		}
		if seen, err := Seen(s, at(2), m.ID); err != nil || !seen {
			t.Fatal("forgotten too early")
		}
	}
	a, err := account.Load(s, at(2))
	if err != nil || a.MailboxBytes != 0 || a.MailboxCount != 0 {
		t.Fatalf("%+v %v", a, err)
	}
	if a, _ = account.Load(s, at(1)); a.Nonce != 3 {
		t.Fatalf("sender's nonce %d", a.Nonce)
	}
}

// A message of the sender to itself counts once in one record.
func TestEnqueueToSelf(t *testing.T) {
	s := newStore(t)
	if _, err := Enqueue(s, limits, 1, Message{Sender: at(1), Target: at(1)}); err != nil {
		t.Fatal(err)
	}
	a, err := account.Load(s, at(1))
	if err != nil || a.Nonce != 1 || a.MailboxCount != 1 {
		t.Fatalf("%+v %v", a, err)
	}
}

// Spec: WP §3.3, §12.1; scheduler-timers §3, §11.
func TestEnqueueRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		m    Message
		want error
	}{
		"nobody there":      {Message{Target: account.Address{7}}, ErrTarget},
		"depth 33":          {Message{Target: at(2), Depth: 33}, ErrDepth},
		"long handler":      {Message{Target: at(2), Handler: string(make([]byte, 257))}, ErrSize},
		"long payload":      {Message{Target: at(2), Payload: make([]byte, PayloadMax+1)}, ErrSize},
		"coins it has not":  {Message{Target: at(2), Value: 1}, ErrValue},
		"more than mailbox": {Message{Target: at(2), Payload: make([]byte, 1_000_000)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			c.m.Sender = at(1)
			_, err := Enqueue(s, limits, 1, c.m)
			var full *Full
			if c.want == nil && !errors.As(err, &full) || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			changed := 0
			s.Changes(func(state.Change) bool { changed++; return true })
			if changed != 4 { // the four accounts
				t.Errorf("%s: left something behind", name)
			}
		})
	}
}

// Coins leave the sender with the message, and are found in its record and nowhere else until it is taken out.
//
// Spec: WP "Transactions and Message Passing"; README "Value".
func TestEnqueueValue(t *testing.T) {
	s := newStore(t)
	account.Save(s, at(1), &account.Account{Kind: account.Actor, Balance: 100})
	inFlight := func() (sum unit.Amount) {
		if err := EachValue(s, func(v unit.Amount) bool { sum += v; return true }); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	for i, c := range []struct {
		target account.Address
		value  unit.Amount
		want   error
		left   unit.Amount
	}{{at(2), 60, nil, 40}, {at(2), 41, ErrValue, 40}, {account.Address{7}, 40, ErrTarget, 40}, {at(1), 40, nil, 0}, {at(2), 1, ErrValue, 0}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, err := Enqueue(s, limits, 1, Message{Sender: at(1), Target: c.target, Value: c.value})
			if a, _ := account.Load(s, at(1)); !errors.Is(err, c.want) || a.Balance != c.left || inFlight() != 100-c.left {
				t.Fatalf("%d to %v: %v, %d left, %d in flight", c.value, c.target, err, a.Balance, inFlight())
			}
		})
	}
	entries, err := Pending(s, nil, 10)
	if err != nil || len(entries) != 2 {
		t.Fatal(entries, err)
	}
	m, _, err := Load(s, entries[0])
	if err != nil || m.Value != 60 {
		t.Fatalf("%+v %v", m, err)
	}
	if err := Remove(s, &m); err != nil || inFlight() != 40 {
		t.Fatalf("%v, %d in flight", err, inFlight())
	}
}

// The mailbox holds exactly its capacity.
//
// Spec: WP §3.3 (1,000,000 bytes).
func TestCapacity(t *testing.T) {
	probe := Message{Sender: at(1), Target: at(2), Payload: make([]byte, 900_000)}
	size := uint64(len((&probe).Encode()))
	for _, spare := range []uint64{0, 1} {
		s := newStore(t)
		l := limits
		l.Capacity = size - spare
		_, err := Enqueue(s, l, 0, probe)
		var full *Full
		if (spare == 0) != (err == nil) || spare == 1 && (!errors.As(err, &full) || full.Size != size) {
			t.Errorf("spare %d: %v", spare, err)
		}
	}
}

// An identity is remembered through 10,000 blocks after its block is final and forgotten with the next, a bounded number a block.
//
// Spec: WP §3.3, §13 (dedup_window).
func TestPrune(t *testing.T) {
	s := newStore(t)
	var ids []digest.Hash
	for height := unit.Height(5); height < 8; height++ {
		for range 3 {
			m, err := Enqueue(s, limits, height, Message{Sender: at(1), Target: at(2)})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, m.ID)
		}
	}
	count := func() (n int) {
		for _, id := range ids {
			if seen, _ := Seen(s, at(2), id); seen {
				n++
			}
		}
		return n
	}
	for i, c := range []struct {
		now         unit.Height
		limit, want int
	}{
		{5, 100, 9}, {10_007, 100, 9}, {10_008, 100, 6}, {10_008, 100, 6}, {20_000, 2, 4}, {20_001, 2, 2}, {20_002, 100, 0}, {20_003, 100, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := Prune(s, limits, c.now, c.limit); err != nil {
				t.Fatal(err)
			}
			if got := count(); got != c.want {
				t.Fatalf("at %d: %d remembered, want %d", c.now, got, c.want)
			}
		})
	}
}

// Spec: scheduler-timers §10.
func TestDefer(t *testing.T) {
	s := newStore(t)
	for i := range 65 {
		d, err := Defer(s, limits, 3, Deferred{Actor: at(1), Handler: "step", Payload: []byte{byte(i)}})
		if (i == 64) != errors.Is(err, ErrDeferredFull) {
			t.Fatalf("call %d: %v", i, err)
		}
		if err == nil && (d.Seq != uint64(i) || d.CreatedAt != 3) {
			t.Fatalf("%+v", d)
		}
	}
	l := limits
	l.DeferredList = 64
	if _, err := Defer(s, l, 3, Deferred{Actor: at(2), Handler: "step"}); !errors.Is(err, ErrListFull) {
		t.Fatalf("full list: %v", err)
	}
	if _, err := Defer(s, limits, 3, Deferred{Actor: at(2)}); !errors.Is(err, ErrSize) {
		t.Fatalf("no handler: %v", err)
	}
	if _, err := Defer(s, limits, 3, Deferred{Actor: account.Address{7}, Handler: "x"}); !errors.Is(err, ErrTarget) {
		t.Fatalf("no actor: %v", err)
	}
	entries, err := PendingDeferred(s, nil, 0)
	if err != nil || len(entries) != 64 {
		t.Fatal(len(entries), err)
	}
	ids := map[digest.Hash]bool{}
	for _, e := range entries {
		d, ok, err := LoadDeferred(s, e)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		ids[d.ID()] = true
		if d.Expired(limits, 1_003) || !d.Expired(limits, 1_004) {
			t.Fatal("age")
		}
		if err := RemoveDeferred(s, &d); err != nil {
			t.Fatal(err)
		}
	}
	if a, _ := account.Load(s, at(1)); a.Deferred != 0 || len(ids) != 64 {
		t.Fatalf("%d pending, %d identities", a.Deferred, len(ids))
	}
}

func TestPool(t *testing.T) {
	s := newStore(t)
	p := Pool{
		Origin: digest.Hash{1}, Payer: at(9), Left: fee.Use{Cycles: 100, Cells: 20}, Pending: 2, Fanout: 3, Since: 4,
		Bid: fee.Bid{Max: fee.Rates{Cycle: 10, Cell: 7}, Tip: fee.Rates{Cycle: 1}},
	}
	if escrow, err := p.Escrow(); err != nil || escrow != 1_140 {
		t.Fatal(escrow, err)
	}
	p.Save(s)
	back, ok, err := LoadPool(s, p.Origin)
	if err != nil || !ok || back != p {
		t.Fatalf("%+v %v %v", back, ok, err)
	}
	n := 0
	if err := EachPool(s, func(q Pool) bool { n++; return q == p }); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	p.Close(s)
	if _, ok, _ := LoadPool(s, p.Origin); ok {
		t.Fatal("closed pool is there")
	}
}

// Any bytes: what decodes encodes to the same bytes.
func FuzzDecode(f *testing.F) {
	m := Message{Sender: at(1), Payload: []byte("x"), Handler: "h"}
	d := Deferred{Handler: "h", Payload: []byte("x")}
	f.Add((&m).Encode())
	f.Add((&d).Encode())
	f.Add((&Pool{}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := DecodeMessage(at(2), 1, data); err == nil && !bytes.Equal(m.Encode(), data) {
			t.Fatal("message")
		}
		if d, err := DecodeDeferred(at(2), 1, data); err == nil && !bytes.Equal(d.Encode(), data) {
			t.Fatal("deferred call")
		}
		if p, err := DecodePool(digest.Hash{}, data); err == nil && !bytes.Equal(p.Encode(), data) {
			t.Fatal("pool")
		}
	})
}

// An identity that the target remembers is refused, also after the first message was delivered, and nothing changes. Only a nonce that went back could make one
// twice, so the test sets it back.
//
// Spec: WP §3.3 (exactly once).
func TestDuplicateIdentity(t *testing.T) {
	s := newStore(t)
	m := Message{Sender: at(1), Target: at(2), Handler: "h", Payload: []byte("once")}
	rewind := func() {
		sender, err := account.Load(s, at(1))
		if err != nil {
			t.Fatal(err)
		}
		sender.Nonce = 0
		account.Save(s, at(1), &sender)
	}
	first, err := Enqueue(s, limits, 7, m)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(when string, held uint64) {
		t.Helper()
		rewind()
		if _, err := Enqueue(s, limits, 8, m); !errors.Is(err, ErrDuplicate) {
			t.Errorf("%s: %v, want ErrDuplicate", when, err)
		}
		sender, err := account.Load(s, at(1))
		if err != nil || sender.Nonce != 0 {
			t.Errorf("%s: the sender's nonce is %d (%v)", when, sender.Nonce, err)
		}
		target, err := account.Load(s, at(2))
		if err != nil || target.MailboxCount != held {
			t.Errorf("%s: %d messages are held (%v), want %d", when, target.MailboxCount, err, held)
		}
	}
	refused("pending", 1)
	if err := Remove(s, &first); err != nil {
		t.Fatal(err)
	}
	refused("delivered", 0)
	rewind()
	m.Payload = []byte("another")
	if _, err := Enqueue(s, limits, 8, m); err != nil {
		t.Errorf("another message with the same nonce: %v", err)
	}
}
