package paid

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const chainID = 7

var (
	runnerAt = account.Address{19: 0xaa}
	one      = digest.Hash{31: 1}
)

func keyOf(t testing.TB, name string) *sig.PrivateKey {
	t.Helper()
	secret := digest.SHA256([]byte(name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// ledger is a chain with one session, and its settlements.
type ledger struct {
	mu      sync.Mutex
	on      Session
	now     unit.Height
	settled []unit.Amount
	err     error
}

func newLedger(t testing.TB, deposit unit.Amount) *ledger {
	return &ledger{now: 100, on: Session{
		Payer: keyOf(t, "payer").Address(), Runner: runnerAt, Paid: voucher.Paid{Deposit: deposit}, Expires: 10_000, Status: session.Open,
	}}
}

func (l *ledger) Session(_ context.Context, id digest.Hash) (Session, unit.Height, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id != one {
		return Session{}, 0, session.ErrUnknown
	}
	return l.on, l.now, l.err
}

// Settle holds a voucher to what the chain holds it to.
func (l *ledger) Settle(_ context.Context, v *voucher.Voucher, s sig.Signature) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := v.Check(l.on.Paid, l.now); err != nil {
		return err
	}
	if !v.SignedBy(l.on.Payer, chainID, s) {
		return voucher.ErrSignature
	}
	l.on.Paid.Spent, l.on.Paid.Nonce = unit.Amount(v.Cumulative.Lo), v.Nonce
	l.settled = append(l.settled, l.on.Paid.Spent)
	return nil
}

// words answers with so many words; a failure comes after them.
type words struct {
	count int
	fail  error
	gate  chan struct{}
}

func (w words) Stream(ctx context.Context, _ Ask, each func(string) error) error {
	for i := range w.count {
		if err := each(fmt.Sprintf("w%d ", i)); err != nil {
			return err
		}
	}
	if w.gate != nil {
		select {
		case <-w.gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return w.fail
}

// shop is a seller on a port, with its book.
type shop struct {
	*httptest.Server
	ledger *ledger
	book   *Book
	disk   *disk.Memory
}

func open(t testing.TB, l *ledger, m Model, p Prices) *shop {
	t.Helper()
	d := disk.NewMemory()
	b, err := OpenBook(d, runnerAt)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{ledger: l, book: b, disk: d}
	s.Server = httptest.NewServer(NewSeller(Seller{Chain: l, Model: m, Book: b, Runner: runnerAt, ChainID: chainID, Prices: p}))
	t.Cleanup(s.Close)
	return s
}

// buyer is a purchase of the payer's that says what it got.
func (s *shop) buyer(t testing.TB, got *strings.Builder) *Purchase {
	on, _, err := s.ledger.Session(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	p := &Purchase{
		URL: s.URL, Session: one, On: on, Key: keyOf(t, "payer"), ChainID: chainID, Ask: Ask{Prompt: "?"}, Most: 1 << 40,
		Agreed: func(Prices) error { return nil }, Each: func(text string) { got.WriteString(text) },
	}
	p.Keep = func(v *Signed) error { p.Kept = v; return nil }
	return p
}

// owedNow is what the book says is owed, and what its newest voucher comes to.
func (s *shop) owedNow() (owed, paid unit.Amount) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	if r := s.book.list[one]; r != nil {
		owed = r.owed
		if r.newest != nil {
			paid = unit.Amount(r.newest.Cumulative.Lo)
		}
	}
	return owed, paid
}

// An answer of ten pieces costs the request and ten pieces, whatever comes ahead, and a second one as much again; settled they are what was signed.
//
// Spec: gateway-payments-streams §D (Voucher, 54).
func TestAnAnswerIsPaidByThePiece(t *testing.T) {
	for _, ahead := range []uint64{1, 4, 100} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			s := open(t, newLedger(t, 1_000_000), words{count: 10}, Prices{Request: 500, Piece: 30, Ahead: ahead})
			for i := range 2 {
				var got strings.Builder
				b, err := s.buyer(t, &got).Buy(t.Context())
				if err != nil || b != (Bought{Pieces: 10, Paid: 800}) || got.String() != "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 " {
					t.Fatalf("%d: %+v %v %q", i, b, err, got.String())
				}
			}
			if owed, paid := s.owedNow(); owed != 1_600 || paid != 1_600 {
				t.Errorf("owed %d, paid %d", owed, paid)
			}
		})
	}
}

// A buyer that goes away at any message owes at most what came ahead, and asks again after that is paid. What it signed is never above what it got.
//
// Spec: gateway-payments-streams §D.
func TestBuyersThatGoAway(t *testing.T) {
	p := Prices{Request: 500, Piece: 30, Ahead: 3}
	for signed := range 12 {
		t.Run(fmt.Sprint(signed), func(t *testing.T) {
			s := open(t, newLedger(t, 1_000_000), words{count: 10}, p)
			var got strings.Builder
			leaves := s.buyer(t, &got)
			n, gone := 0, errors.New("gone")
			leaves.Keep = func(v *Signed) error {
				if n == signed {
					return gone
				}
				n++
				leaves.Kept = v
				return nil
			}
			b, err := leaves.Buy(t.Context())
			if whole := signed == 11; whole != (err == nil) || !whole && !errors.Is(err, gone) {
				t.Fatalf("%+v %v", b, err)
			}
			next := s.buyer(t, &got)
			next.Kept = leaves.Kept
			again, err := retry(t, next)
			if err != nil || again.Pieces != 10 {
				t.Fatalf("%+v %v", again, err)
			}
			owed, paid := s.owedNow()
			if owed != paid {
				t.Errorf("owed %d, paid %d", owed, paid)
			}
			if most := unit.Amount(b.Pieces+p.Ahead+10)*p.Piece + 2*p.Request; paid > most {
				t.Errorf("paid %d for %d pieces and ten", paid, b.Pieces)
			}
		})
	}
}

// retry buys once the conversation before has ended at the runner.
func retry(t *testing.T, p *Purchase) (b Bought, err error) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 6_000 {
		var refused *Refused
		if b, err = p.Buy(t.Context()); !errors.As(err, &refused) || refused.Why != ErrTaken.Error() {
			return b, err
		}
		<-tick.C
	}
	return b, err
}

// A conversation is refused, or ends, by its reason.
//
// Spec: gateway-payments-streams §D (Session).
func TestConversationsThatAreRefused(t *testing.T) {
	prices := Prices{Request: 500, Piece: 30, Ahead: 3}
	for name, c := range map[string]struct {
		chain  func(l *ledger)
		buys   func(p *Purchase)
		status int // 0: it begins
		says   string
	}{
		"unknown":           {func(*ledger) {}, func(p *Purchase) { p.Session = digest.Hash{9} }, 404, "no session"},
		"another runner":    {func(l *ledger) { l.on.Runner = account.Address{1} }, nil, 403, "another runner"},
		"closing":           {func(l *ledger) { l.on.Status = session.Closing }, nil, 410, "closing"},
		"600 blocks left":   {func(l *ledger) { l.on.Expires = l.now + KeepBlocks }, nil, 0, ""},
		"599 blocks left":   {func(l *ledger) { l.on.Expires = l.now + KeepBlocks - 1 }, nil, 410, "too soon"},
		"other prices":      {func(l *ledger) { l.on.Advert = digest.Hash{1} }, nil, 409, "other prices"},
		"these prices":      {func(l *ledger) { l.on.Advert = prices.Advert(chainID, runnerAt) }, func(p *Purchase) { p.Agreed = nil }, 0, ""},
		"not agreed on":     {func(*ledger) {}, func(p *Purchase) { p.Agreed = func(Prices) error { return errors.New("dear") } }, 1, "dear"},
		"another chain":     {func(*ledger) {}, func(p *Purchase) { p.ChainID = 8 }, 1, "other prices"},
		"too dear in all":   {func(*ledger) {}, func(p *Purchase) { p.Most = 799 }, 1, "more than"},
		"as dear as it may": {func(*ledger) {}, func(p *Purchase) { p.Most = 800 }, 0, ""},
		"the node is away":  {func(l *ledger) { l.err = errors.New("away") }, nil, 503, "away"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger(t, 1_000_000)
			s := open(t, l, words{count: 10}, prices)
			var got strings.Builder
			p := s.buyer(t, &got)
			c.chain(l)
			if l.err == nil {
				p.On = l.on
				p.On.Runner = runnerAt
			}
			if c.buys != nil {
				c.buys(p)
			}
			_, err := p.Buy(t.Context())
			var refused *Refused
			switch {
			case c.status == 0 && err != nil, c.status != 0 && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v", err)
			case c.status > 1 && (!errors.As(err, &refused) || refused.Status != c.status):
				t.Errorf("%v", err)
			}
		})
	}
}

// The answer ends where the deposit does: at the last piece that it covers.
func TestTheDepositEndsAnAnswer(t *testing.T) {
	for deposit, pieces := range map[unit.Amount]uint64{500: 0, 529: 0, 530: 1, 559: 1, 560: 2, 799: 9, 800: 10} {
		t.Run(fmt.Sprint(deposit), func(t *testing.T) {
			s := open(t, newLedger(t, deposit), words{count: 10}, Prices{Request: 500, Piece: 30, Ahead: 2})
			var got strings.Builder
			b, err := s.buyer(t, &got).Buy(t.Context())
			why := "the deposit is used up"
			if deposit == 800 {
				why = ""
			}
			if err != nil || b != (Bought{Pieces: pieces, Paid: 500 + unit.Amount(pieces)*30, Why: why}) {
				t.Errorf("%+v %v", b, err)
			}
		})
	}
}

// What a model does not give is not paid: its failure ends the answer, and what came before is paid.
func TestAModelThatFails(t *testing.T) {
	s := open(t, newLedger(t, 1_000_000), words{count: 4, fail: errors.New("out of memory")}, Prices{Piece: 30, Ahead: 2})
	var got strings.Builder
	b, err := s.buyer(t, &got).Buy(t.Context())
	if err != nil || b != (Bought{Pieces: 4, Paid: 120, Why: "out of memory"}) {
		t.Errorf("%+v %v", b, err)
	}
}

// A second connection of a session waits until the first is over.
func TestOneAnswerAtATime(t *testing.T) {
	gate := make(chan struct{})
	s := open(t, newLedger(t, 1_000_000), words{count: 1, gate: gate}, Prices{Piece: 30, Ahead: 2})
	s.refusesASecond(t, gate)
}

// refusesASecond has one buy an answer, which waits at a gate behind its first piece, and another ask for the same session meanwhile.
func (s *shop) refusesASecond(t *testing.T, gate chan struct{}) {
	t.Helper()
	came, done := make(chan struct{}), make(chan error)
	var got, other strings.Builder
	first := s.buyer(t, &got)
	first.Each = func(string) { close(came) }
	go func() {
		_, err := first.Buy(t.Context())
		done <- err
	}()
	<-came
	_, err := s.buyer(t, &other).Buy(t.Context())
	var refused *Refused
	if !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		t.Errorf("%v", err)
	}
	close(gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A runner that bills what did not come, claims debts, sends pieces out of order or other terms gets nothing beyond what it was due.
func TestRunnersThatLie(t *testing.T) {
	base := Terms{ChainID: chainID, Runner: runnerAt.String(), Prices: Prices{Piece: 30, Ahead: 2}}
	foreign := *Sign(voucher.Voucher{Session: one, Cumulative: unit.Wide(900_000), Nonce: 9, Expires: 10_000}, sig.Signature{})
	for name, c := range map[string]struct {
		terms  func(t *Terms)
		pieces []piece
		most   unit.Amount // that may be signed
	}{
		"a bill too high":       {nil, []piece{{1, "a", 30}, {2, "b", 61}}, 30},
		"a piece left out":      {nil, []piece{{1, "a", 30}, {3, "b", 90}}, 30},
		"a piece twice":         {nil, []piece{{1, "a", 30}, {1, "a", 30}}, 30},
		"an old debt":           {func(t *Terms) { t.Owed = 61 }, nil, 0},
		"a debt that may be":    {func(t *Terms) { t.Owed = 60 }, []piece{{1, "a", 91}}, 60},
		"a price of everything": {func(t *Terms) { t.Prices.Request = 1 << 63; t.Owed = 1 << 63 }, nil, 0},
		"another runner":        {func(t *Terms) { t.Runner = account.Address{}.String() }, nil, 0},
		"a forged voucher":      {func(t *Terms) { t.Newest = &foreign }, []piece{{1, "a", 31}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			terms := base
			if c.terms != nil {
				c.terms(&terms)
			}
			s := liar(t, &terms, c.pieces)
			l := newLedger(t, 1_000_000)
			signed := unit.Amount(0)
			p := &Purchase{
				URL: s.URL, Session: one, On: l.on, Key: keyOf(t, "payer"), ChainID: chainID, Most: 1 << 40, Agreed: func(Prices) error { return nil },
				Each: func(string) {}, Keep: func(v *Signed) error { signed = unit.Amount(v.Cumulative.Lo); return nil },
			}
			if _, err := p.Buy(t.Context()); err == nil {
				t.Error("it was believed")
			}
			if signed > c.most {
				t.Errorf("%d was signed", signed)
			}
		})
	}
}

// liar is a runner that says what it is told to say.
func liar(t *testing.T, terms *Terms, pieces []piece) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		x := &talk{conn: conn}
		if x.send(r.Context(), message{Terms: terms}) != nil {
			return
		}
		if _, _, err := x.receive(r.Context(), askWithin); err != nil {
			return
		}
		for i := range pieces {
			if x.send(r.Context(), message{Piece: &pieces[i]}) != nil {
				return
			}
		}
		for err == nil {
			_, _, err = x.receive(r.Context(), askWithin)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// The digest of prices, by hand: keccak256 of the text and the numbers.
func TestThePriceAdvert(t *testing.T) {
	raw, err := hex.DecodeString(hex.EncodeToString([]byte("cowboy-session-prices")) + "0000000000000007" + "00000000000000000000000000000000000000aa" +
		"00000000000001f4" + "000000000000001e")
	if err != nil {
		t.Fatal(err)
	}
	if got := (Prices{Request: 500, Piece: 30, Ahead: 9}).Advert(chainID, runnerAt); got != digest.Keccak256(raw) {
		t.Errorf("%s", got)
	}
}

// BenchmarkVouchers is a whole conversation over loopback with a voucher for each piece, both sides in one process: signed, sent, held to the answer and to its
// signer, and kept.
func BenchmarkVouchers(b *testing.B) {
	s := open(b, newLedger(b, 1<<60), words{count: b.N}, Prices{Piece: 1, Ahead: 8})
	var got strings.Builder
	p := s.buyer(b, &got)
	b.ResetTimer()
	bought, err := p.Buy(b.Context())
	if err != nil || bought.Pieces != uint64(b.N) {
		b.Fatal(err, bought)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "vouchers/s")
}
