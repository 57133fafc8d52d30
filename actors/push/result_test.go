package push

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

func resultOf(t *testing.T, key *sig.PrivateKey, id digest.Hash, nonce uint64) []byte {
	t.Helper()
	x := &tx.Tx{ChainID: 7, Nonce: nonce, From: key.Address(), Instruction: &tx.JobResultCommit{JobID: id}, CyclesLimit: 1, CellsLimit: 1}
	x.Signature = key.Sign(x.SigningHash())
	return x.Encode()
}

// A runner's transaction goes into the pool at once, and again two blocks later. One of somebody else, or about another job, ends the connection.
//
// Spec: runner-marketplace §9.3 (JobResult), §9.4 (grace).
func TestResults(t *testing.T) {
	s := begin(t)
	s.join(1)
	raw := resultOf(t, s.key, jobOf(1), 0)
	s.say(1, &protocol.Result{ID: jobOf(1), Transaction: raw})
	s.say(1, &protocol.Result{ID: jobOf(1), Transaction: raw})
	want := fmt.Sprintf("submit %d", len(raw))
	s.want(want + ", " + want)
	s.block(1)
	s.want("")
	s.block(1)
	s.want(want)
	s.block(1)
	s.want("")
	for n := range uint64(carriedOfRunner + 4) {
		s.say(1, &protocol.Result{ID: jobOf(1), Transaction: resultOf(t, s.key, jobOf(1), n)})
	}
	s.acts()
	if n := len(s.state.runners[1].carried); n != carriedOfRunner {
		t.Errorf("%d are carried", n)
	}
	s.say(1, &protocol.Result{ID: jobOf(2), Transaction: raw})
	s.want("end 1 bad frame")
	if s.state.holding != 0 {
		t.Errorf("%d bytes are held for nobody", s.state.holding)
	}
	s.join(2)
	s.say(2, &protocol.Result{ID: jobOf(1), Transaction: resultOf(t, RunnerKey(t, 2), jobOf(1), 0)})
	s.want("end 2 bad frame")
}

// Of an invitation only a newer one of a validator is passed on; one that nobody signed is reported, and none at all.
func TestPassing(t *testing.T) {
	s := begin(t)
	s.chain.set = []sig.BLSPublicKey{keyOf(1), keyOf(2)}
	s.block(1)
	peer := link.Peer{9}
	frame := func(n byte, number uint64) []byte {
		return invitationFrame(&protocol.Invitation{Validator: keyOf(n), Endpoint: "127.0.0.1:1", Number: number})
	}
	for _, c := range []struct {
		what  string
		frame []byte
		want  string
	}{
		{"nobody's", frame(3, 1), ""}, {"its own", frame(1, 1), ""}, {"unsigned", frame(2, 1), "report an invitation that nobody signed"},
		{"none", frame(2, 1)[:50], "report an invitation that is none"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s.t = t
			s.state.hear(peer, c.frame)
			s.want(c.want)
		})
	}
	s.t = t
	s.state.invited[keyOf(2)] = &protocol.Invitation{Validator: keyOf(2), Number: 5}
	s.state.hear(peer, frame(2, 5))
	s.want("")
	s.state.invite(&protocol.Invitation{Validator: keyOf(1), Number: 7})
	s.want("pass 00")
	s.state.up(peer)
	s.want("pass 09, pass 09")
	s.chain.set = []sig.BLSPublicKey{keyOf(1)}
	s.block(1)
	if v := s.state.status("").Invitations; len(v) != 1 || v[0].Validator != keyOf(1) {
		t.Errorf("%+v", v)
	}
}
