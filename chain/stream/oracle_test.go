package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// bought is a purchase with what became of it.
type bought struct {
	now                 unit.Height
	who                 string
	target              uint64
	outcome             string
	charged             uint64
	publisher, protocol unit.Amount
	coins               [3]unit.Amount // of the payer, the publisher's till, the Treasury
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *bought) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&b.now, &b.who, &b.target, &b.outcome, &b.charged, &b.publisher, &b.protocol, &b.coins})
}

// Every purchase of forty random lives costs what a program has it at that was written from the document alone: epochs, the publisher's part, the protocol's,
// and where each coin is. Targets are around what is covered, the present epoch and the least purchase.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func TestPurchasesAsTheDocumentHasThem(t *testing.T) {
	var runs [][2]json.RawMessage
	if golden.Recorded(t, "testdata/outcomes.json", &runs); len(runs) != 40 {
		t.Fatal(len(runs))
	}
	rejects, met := map[string]error{"": nil, "target": ErrTarget, "minimum": ErrMinimum, "funds": ErrFunds}, map[string]int{}
	for i, run := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var terms [4]uint64
			var steps []bought
			if err := errors.Join(json.Unmarshal(run[0], &terms), json.Unmarshal(run[1], &steps)); err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			var id digest.Hash
			w.must(w.as(publisher, func(m *Manager) (err error) {
				id, err = m.Configure(publisher, []byte("news"), Config{
					Fee: unit.Amount(terms[0]), ProtocolBPS: terms[1], Treasury: till, EpochBlocks: terms[2], MinPurchase: terms[3],
				})
				return err
			}))
			for n, s := range steps {
				w.now = s.now
				r, err := w.acquire(id, ann, map[string]account.Address{"ann": ann, "ben": ben}[s.who], s.target)
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d: %+v: %v", n, s, err)
				}
				met[s.outcome]++
				if err == nil && (r.Charged != s.charged || r.Publisher != s.publisher || r.Protocol != s.protocol) {
					t.Fatalf("%d: %+v: %+v", n, s, r)
				}
				w.holds(s.coins[0], s.coins[1], s.coins[2])
			}
		})
	}
	for name := range rejects {
		if met[name] == 0 {
			t.Errorf("no purchase ends with %q", name)
		}
	}
}

// life is a step of a life of SealRequests, with what became of it.
type life struct {
	now      unit.Height
	what     string
	args     []uint64
	outcome  string
	requests [][6]any // number, state, from, to, key, receipts
	coins    []unit.Amount
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *life) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&l.now, &l.what, &l.args, &l.outcome, &l.requests, &l.coins})
}

// does takes one step of ann's, or of a member of the committee.
func (l *life) does(w *world, id digest.Hash) (err error) {
	switch l.what {
	case "buy":
		_, err = w.acquire(id, ann, ann, l.args[0])
	case "register":
		_, err = w.register(ann, 7)
	case "revoke":
		err = w.as(ann, func(m *Manager) error { return m.Revoke(ann, l.args[0]) })
	case "answer":
		err = w.answered(l.args[0], byte(l.args[1]))
	case "again":
		err = w.as(ann, func(m *Manager) error { return m.Again(ann, l.args[0]) })
	case "seal":
		err = w.as(ann, func(m *Manager) error { _, err := m.Seal(ann, id, l.args[0], l.args[1]); return err })
	default:
		w.t.Fatal(l.what)
	}
	return err
}

// is holds requests and coins to what they are to be.
func (l *life) is(w *world) {
	w.t.Helper()
	list, next, err := Requests(w.overlay, 0, 1_000)
	w.must(err)
	if len(list) != len(l.requests) || next != 0 {
		w.t.Fatalf("%+v: %d requests", l, len(list))
	}
	if own, _, err := RequestsOf(w.overlay, ann, 0, 1_000); err != nil || !slices.Equal(own, list) {
		w.t.Fatalf("%+v: ann's are %v %v", l, own, err)
	}
	for i, n := range list {
		q, status := w.request(n)
		got := fmt.Sprintln(n, status, q.From, q.To, q.Key, len(q.Receipts))
		if want := fmt.Sprintln(l.requests[i][:]...); got != want {
			w.t.Fatalf("%+v: request %s, want %s", l, got, want)
		}
	}
	got := []unit.Amount{w.balance(ann), w.balance(till)}
	for n := byte(1); n <= 4; n++ {
		got = append(got, w.balance(account.Address{0: 0xee, 1: n}))
	}
	held, err := Escrow(w.overlay)
	w.must(err)
	if got = append(got, held); !slices.Equal(got, l.coins) {
		w.t.Fatalf("%+v: coins %v", l, got)
	}
}

// Requests of twenty-three random lives, and of one that asks for too much, are where a program has them that was written from the rules alone: their states,
// who answered, and every coin.
//
// Spec: gateway-payments-streams §E.2 (SealRequest).
func TestRequestsAsTheRulesHaveThem(t *testing.T) {
	var runs [][2]json.RawMessage
	if golden.Recorded(t, "testdata/requests.json", &runs); len(runs) != 24 {
		t.Fatal(len(runs))
	}
	rejects := map[string]error{
		"": nil, "target": ErrTarget, "funds": ErrFunds, "keys": ErrKeys, "revoked": ErrRevoked, "request": ErrRequest, "span": ErrSpan,
		"entitled": ErrEntitled, "committee": ErrCommittee, "open": ErrOpen,
	}
	met := map[string]int{}
	for i, run := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var terms [4]uint64
			var steps []life
			if err := errors.Join(json.Unmarshal(run[0], &terms), json.Unmarshal(run[1], &steps)); err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			w.fee, w.quorum = unit.Amount(terms[2]), terms[3]
			var id digest.Hash
			w.must(w.as(publisher, func(m *Manager) (err error) {
				id, err = m.Configure(publisher, []byte("news"), Config{Fee: unit.Amount(terms[0]), Treasury: till, EpochBlocks: terms[1], MinPurchase: 1})
				return err
			}))
			for _, s := range steps {
				w.now = s.now
				if err := s.does(w, id); !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%+v: %v", s, err)
				}
				met[s.what+" "+s.outcome]++
				s.is(w)
				for _, q := range s.requests {
					met[q[1].(string)]++
				}
			}
		})
	}
	for _, name := range []string{
		"buy ", "buy target", "buy funds", "revoke revoked", "answer ", "answer request", "again ", "again request", "again revoked", "seal ", "seal span",
		"seal entitled", "seal revoked", "seal committee", "seal open", "emitted", "sealed", "expired", "void",
	} {
		if met[name] == 0 {
			t.Errorf("no life has %q", name)
		}
	}
}
