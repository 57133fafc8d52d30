package receipt

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// step is an operation with what became of it, and with what each identity is answered with: a gateway's, or that of the transaction whose number is behind
// 100.
type step struct {
	name    string
	now     unit.Height
	args    []any
	outcome string
	reads   [][2]int
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.reads})
}

func (s *step) number(i int) int { return int(s.args[i].(float64)) }

// played is a registry while a life is played.
type played struct {
	t     *testing.T
	state *state.Overlay
}

func (p *played) tx(n int) (hash digest.Hash) {
	binary.BigEndian.PutUint32(hash[4:], uint32(n+1))
	return hash
}

// id is what an identity's number stands for.
func (p *played) id(n int) ID {
	if n >= 100 {
		return Derived(p.tx(n - 100))
	}
	id, _ := numbered(n)
	return id
}

// message is that of an identity's newest request.
func (p *played) message(id ID) (message digest.Hash) {
	copy(message[:], id[:])
	return message
}

func (p *played) envelope(how string) []byte {
	switch how {
	case "answer":
		return response(p.t, cbor.Map{{Key: "status", Value: 201}})
	case "accepted":
		return response(p.t, cbor.Map{{Key: "status", Value: 202}})
	}
	return []byte{0xf6}
}

// do does one step.
func (p *played) do(s *step) error {
	switch s.name {
	case "request":
		id, err := Choose(p.state, p.id(s.number(0)), p.tx(s.number(1)), s.now)
		if err == nil {
			Open(p.state, id, p.message(id), &Receipt{Target: account.Address{1}, Created: s.now, Expires: s.now + unit.Height(s.number(2))})
		}
		return err
	case "ends":
		id := p.id(s.number(0))
		how := s.args[1].(string)
		r, err := ParseResponse(p.envelope(how), 100)
		if (err == nil) == (how != "answer" && how != "accepted") {
			p.t.Fatal(how, err)
		}
		return Settle(p.state, id, p.message(id), how == "trap", r)
	}
	return Complete(p.state, p.id(s.number(0)), s.now, p.envelope(s.args[2].(string)), func(*Receipt) (bool, uint64, error) {
		return s.args[1] == "actor", 100, nil
	})
}

// read is the status that an identity is answered with.
func (p *played) read(id ID, now unit.Height) int {
	c, err := Load(p.state, id)
	switch {
	case errors.Is(err, ErrUnknown):
		return 404
	case err != nil:
		p.t.Fatal(err)
	case c.Expired(now):
		return 410
	}
	return map[Status]int{Pending: 202, Completed: 200, Failed: 500}[c.Status]
}

// Every step of sixteen random lives of a registry ends as a program has it that was written from the document alone: the reject, whose identity a request has,
// and what each identity is answered with. Heights are around the ends of receipts: one below, at and above.
//
// Spec: gateway-payments-streams §C (PENDING 202, COMPLETED 200, FAILED 500, absent 404, expired 410; never accept a reused pending id; 66).
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	var runs [][]step
	if golden.Recorded(t, "testdata/outcomes.json", &runs); len(runs) != 16 {
		t.Fatal(len(runs))
	}
	rejects := map[string]error{
		"": nil, "pending": ErrPending, "unknown": ErrUnknown, "actor": ErrActor, "expired": ErrExpired, "status": ErrStatus, "response": ErrResponse,
	}
	met := map[string]bool{}
	for i, steps := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := &played{t, newState()}
			for n, s := range steps {
				if _, err := Sweep(p.state, s.now, SweepPerBlock); err != nil {
					t.Fatal(err)
				}
				if err := p.do(&s); !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				met[s.name+" "+s.outcome] = true
				for _, x := range s.reads {
					if got := p.read(p.id(x[0]), s.now); got != x[1] {
						t.Fatalf("%d, %s %v at %d: %d is answered with %d, want %d", n, s.name, s.args, s.now, x[0], got, x[1])
					}
				}
			}
		})
	}
	for _, want := range []string{
		"request ", "request pending", "ends ", "complete ", "complete unknown", "complete actor", "complete expired", "complete status", "complete response",
	} {
		if !met[want] {
			t.Errorf("no step is %q", want)
		}
	}
}
