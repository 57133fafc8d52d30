package receipt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

func numbered(n int) (id ID, message digest.Hash) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	binary.BigEndian.PutUint32(message[:], uint32(n))
	return id, message
}

func response(t testing.TB, fields cbor.Map) []byte {
	t.Helper()
	data, err := cbor.Append(nil, fields)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func answer(t testing.TB, status int, body string, private bool) *Response {
	t.Helper()
	r, err := ParseResponse(response(t, cbor.Map{{Key: "status", Value: status}, {Key: "body", Value: body}, {Key: "private", Value: private}}), 100)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What a receipt is after its request ended in every way there is, and after the actor completed it.
//
// Spec: gateway-payments-streams §C.
func TestLifeOfReceipt(t *testing.T) {
	id, message := numbered(1)
	final := response(t, cbor.Map{{Key: "status", Value: 201}})
	self := func(*Receipt) (bool, uint64, error) { return true, 100, nil }
	settle := func(failed bool, r *Response) func(s state.Store) error {
		return func(s state.Store) error { return Settle(s, id, message, failed, r) }
	}
	complete := func(at unit.Height, data []byte) func(s state.Store) error {
		return func(s state.Store) error { return Complete(s, id, at, data, self) }
	}
	for name, c := range map[string]struct {
		do       []func(s state.Store) error
		status   Status
		envelope bool
		private  bool
		err      error // of the last one
	}{
		"opened":                       {nil, Pending, false, false, nil},
		"answered":                     {[]func(state.Store) error{settle(false, answer(t, 200, "x", false))}, Completed, true, false, nil},
		"answered privately":           {[]func(state.Store) error{settle(false, answer(t, 404, "x", true))}, Completed, true, true, nil},
		"failed":                       {[]func(state.Store) error{settle(true, nil)}, Failed, false, false, nil},
		"answered with something else": {[]func(state.Store) error{settle(false, nil)}, Completed, false, false, nil},
		"accepted":                     {[]func(state.Store) error{settle(false, answer(t, 202, "", true))}, Pending, false, true, nil},
		"accepted, then completed":     {[]func(state.Store) error{settle(false, answer(t, 202, "", true)), complete(99, final)}, Completed, true, true, nil},
		"completed before it ended": {
			[]func(state.Store) error{complete(2, final), settle(true, nil)}, Completed, true, false, nil,
		},
		"completed in its last block": {[]func(state.Store) error{complete(99, final)}, Completed, true, false, nil},
		"completed too late":          {[]func(state.Store) error{complete(100, final)}, Pending, false, false, ErrExpired},
		"completed twice":             {[]func(state.Store) error{complete(9, final), complete(9, final)}, Completed, true, false, ErrStatus},
		"completed after it failed":   {[]func(state.Store) error{settle(true, nil), complete(9, final)}, Failed, false, false, ErrStatus},
		"completed with 202":          {[]func(state.Store) error{complete(9, answer(t, 202, "", false).Envelope)}, Pending, false, false, ErrResponse},
		"completed with nonsense":     {[]func(state.Store) error{complete(9, []byte{0xf6})}, Pending, false, false, ErrResponse},
		"completed by another": {[]func(state.Store) error{func(s state.Store) error {
			return Complete(s, id, 9, final, func(*Receipt) (bool, uint64, error) { return false, 0, nil })
		}}, Pending, false, false, ErrActor},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState()
			Open(s, id, message, &Receipt{Target: account.Address{1}, Gateway: account.Address{2}, Created: 1, Expires: 100})
			if found, ok, err := Of(s, message); err != nil || !ok || found != id {
				t.Fatal(found, ok, err)
			}
			var err error
			for i, f := range c.do {
				if err = f(s); err != nil && i < len(c.do)-1 {
					t.Fatal(err)
				}
			}
			got, loaded := Load(s, id)
			if loaded != nil || got.Status != c.status || (got.Envelope != nil) != c.envelope || got.Private != c.private || !errors.Is(err, c.err) ||
				(err == nil) != (c.err == nil) {
				t.Errorf("%+v %v %v, want %+v", got, loaded, err, c)
			}
		})
	}
	if err := complete(1, final)(newState()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// Whose identity a request gets: the gateway's own, unless that is in use.
//
// Spec: gateway-payments-streams §C (derived from the transaction's hash; never accept a reused pending id).
func TestIdentities(t *testing.T) {
	id, message := numbered(1)
	hash := digest.Hash{9}
	for name, c := range map[string]struct {
		open []ID
		end  bool
		at   unit.Height
		want ID
		err  error
	}{
		"fresh":                         {nil, false, 5, id, nil},
		"pending":                       {[]ID{id}, false, 99, ID{}, ErrPending},
		"pending and expired":           {[]ID{id}, false, 100, Derived(hash), nil},
		"completed":                     {[]ID{id}, true, 5, Derived(hash), nil},
		"both in use":                   {[]ID{id, Derived(hash)}, true, 5, ID{}, ErrPending},
		"only the transaction's in use": {[]ID{Derived(hash)}, true, 5, id, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState()
			for _, one := range c.open {
				Open(s, one, message, &Receipt{Expires: 100})
				if c.end {
					if err := Settle(s, one, message, true, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, err := Choose(s, id, hash, c.at); got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%v %v, want %v %v", got, err, c.want, c.err)
			}
		})
	}
	if got := Derived(hash).String(); got[14] != '4' || strings.IndexByte("89ab", got[19]) < 0 || Derived(digest.Hash{8}) == Derived(hash) {
		t.Errorf("%s is no UUID of version 4", got)
	}
}

// A UUID's text forms.
//
// Spec: gateway-payments-streams §C; RFC 9562 §4.
func TestIdentityText(t *testing.T) {
	// python3: uuid.UUID("919b108d-52d1-4320-9bac-f847db4148a8").bytes
	want := ID{0x91, 0x9b, 0x10, 0x8d, 0x52, 0xd1, 0x43, 0x20, 0x9b, 0xac, 0xf8, 0x47, 0xdb, 0x41, 0x48, 0xa8}
	for text, ok := range map[string]bool{
		"919b108d-52d1-4320-9bac-f847db4148a8": true, "919b108d52d143209bacf847db4148a8": true, "919B108d-52d1-4320-9bac-f847db4148a8": false,
		"919b108d-52d1-4320-9bacf847db4148a8": false, "919b108d-52d1-4320-9bac-f847db4148a": false, "": false, "919b108d-52d1-4320-9bac-f847db4148ag": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got, fits := ParseID(text); fits != ok || ok && (got != want || got.String() != "919b108d-52d1-4320-9bac-f847db4148a8") {
				t.Errorf("%v %v", got, fits)
			}
		})
	}
}

// The envelope of a response: what it may hold, and its bounds.
//
// Spec: gateway-payments-streams §B (HttpResponseEnvelope).
func TestResponses(t *testing.T) {
	status := cbor.Pair{Key: "status", Value: 200}
	headers := func(name string, v any) cbor.Map {
		return cbor.Map{status, {Key: "headers", Value: cbor.Map{{Key: name, Value: v}}}}
	}
	body := func(v any) cbor.Map { return cbor.Map{status, {Key: "body", Value: v}} }
	for name, c := range map[string]struct {
		fields cbor.Map
		ok     bool
	}{
		"a status alone": {cbor.Map{status}, true}, "no status": {cbor.Map{{Key: "body", Value: "x"}}, false},
		"199": {cbor.Map{{Key: "status", Value: 199}}, false}, "599": {cbor.Map{{Key: "status", Value: 599}}, true}, "600": {cbor.Map{{Key: "status",
			Value: 600}}, false},
		"a status as text": {cbor.Map{{Key: "status", Value: "200"}}, false}, "a negative status": {cbor.Map{{Key: "status", Value: -200}}, false},
		"100 bytes": {body(make([]byte, 100)), true}, "101 bytes": {body(make([]byte, 101)), false}, "100 characters": {body(strings.Repeat("a", 100)), true},
		"no body": {body(nil), true}, "a number for a body": {body(7), false}, "another field": {cbor.Map{status, {Key: "x", Value: 1}}, false},
		"a header": {headers("X-A", "b"), true}, "a list": {headers("x-a", []any{"b", "c"}), true}, "a number": {headers("x-a", 1), false},
		"a line break": {headers("x-a", "b\r\nSet-Cookie: c"), false}, "a tab": {headers("x-a", "b\tc"), true}, "a colon in a name": {headers("x:",
			"b"), false},
		"no name": {headers("", "b"), false}, "a space in a name": {headers("x a", "b"), false},
		"private": {cbor.Map{status, {Key: "private", Value: true}}, true}, "private as a number": {cbor.Map{status, {Key: "private", Value: 1}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := ParseResponse(response(t, c.fields), 100); (err == nil) != c.ok {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
	for n, ok := range map[int]bool{MaxEnvelope: true, MaxEnvelope + 1: false} {
		t.Run(fmt.Sprint(n, " bytes"), func(t *testing.T) {
			rest := len(response(t, body(make([]byte, 40_000)))) - 40_000
			if _, err := ParseStored(response(t, body(make([]byte, n-rest))), 1<<20); (err == nil) != ok {
				t.Error(err)
			}
		})
	}
}

// A response that no chain keeps has as large a body as its actor's limit lets it, of 10 MiB at most, and 64 KiB beside.
//
// Spec: gateway-payments-streams §B (responses of 1 MiB, 10 MiB at most).
func TestLargeResponses(t *testing.T) {
	for _, most := range []int{1 << 20, 10 << 20} {
		for size, ok := range map[int]bool{most - 1: true, most: true, most + 1: false} {
			t.Run(fmt.Sprint("a body of ", size, " of ", most), func(t *testing.T) {
				fields := cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: make([]byte, size)}}
				if r, err := ParseResponse(response(t, fields), uint64(most)); (err == nil) != ok || ok && len(r.Body) != size {
					t.Error(err)
				}
			})
		}
	}
	headers := func(text int) []byte {
		return response(t, cbor.Map{{Key: "status", Value: 200}, {Key: "headers", Value: cbor.Map{{Key: "x", Value: strings.Repeat("a", text)}}}})
	}
	beside := len(headers(1_000)) - 1_000
	for size, ok := range map[int]bool{65_636: true, 65_637: false} { // 64 KiB and a body of 100 bytes
		t.Run(fmt.Sprint("an envelope of ", size), func(t *testing.T) {
			data := headers(size - beside - 2) // a length of more than 65,535 has two bytes more (RFC 8949 §3)
			if _, err := ParseResponse(data, 100); len(data) != size || (err == nil) != ok {
				t.Errorf("%d bytes: %v", len(data), err)
			}
		})
	}
}

// counter is a state that counts what is read and written.
type counter struct {
	state.Store
	n int
}

func (c *counter) Lookup(key []byte) ([]byte, bool, error) { c.n++; return c.Store.Lookup(key) }

func (c *counter) Set(key, value []byte) { c.n++; c.Store.Set(key, value) }

func (c *counter) Delete(key []byte) { c.n++; c.Store.Delete(key) }

func (c *counter) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Store.Scan(prefix, after, limit, func(key, value []byte) bool { c.n++; return fn(key, value) })
}

// With 100,000 receipts a block's sweep costs what it removes and no more: four operations each, at most so many, oldest first, and none are left over.
//
// Spec: gateway-payments-streams §C (one sweep of the registry a block).
func TestSweepIsFlat(t *testing.T) {
	const all = 100_000
	s, r := newState(), rand.New(rand.NewPCG(5, 6))
	ends := map[unit.Height]int{}
	for i := range all {
		id, message := numbered(i)
		end := unit.Height(1_000 + r.IntN(80))
		ends[end+KeptBlocks]++
		Open(s, id, message, &Receipt{Expires: end})
	}
	work, gone, most := &counter{Store: s}, 0, 0
	due := 0
	for now := unit.Height(1_000 + KeptBlocks - 5); now < 1_000+KeptBlocks+160; now++ {
		due += ends[now]
		work.n = 0
		n, err := Sweep(work, now, SweepPerBlock)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(due, SweepPerBlock); n != want || work.n > 4*n+1 {
			t.Fatalf("block %d removes %d of %d with %d operations", now, n, due, work.n)
		}
		due, gone, most = due-n, gone+n, max(most, n)
	}
	if gone != all || most != SweepPerBlock {
		t.Errorf("%d removed, at most %d at once", gone, most)
	}
	left := 0
	if err := s.Scan(account.KindPrefix(account.KindRecord), nil, 0, func([]byte, []byte) bool { left++; return true }); err != nil || left != 0 {
		t.Errorf("%d entries are left, %v", left, err)
	}
}
