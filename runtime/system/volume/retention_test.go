package volume_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// A contract from its making to its end by transactions: provided for, audited, proven, renewed and left; each wrong call with its fault and nothing else.
// Every block's coins add up, which the kit checks.
//
// Spec: storage-cbfs §7, §9; WP §7.2, §17.6.
func TestRetentionJourney(t *testing.T) {
	w := newTown(t, 2)
	alice, home := w.account("alice"), volume.Home()
	data := []byte("what is kept")
	ref := cbfs.RefOf(cbfs.SHA256, data)
	ref.ChunkSize = 1_024
	root := cbfs.PieceRoot(data, 1_024)
	blob := append(ref.Encode(), root[:]...)
	terms := func(change ...any) cbor.Map {
		m := named("blobs", blob, "start_epoch", int64(1), "end_epoch", int64(3), "min_replica_count", int64(1), "audit_cadence", int64(1), "sampling",
			"CHUNK_INDEX", "sample_num", int64(1), "rate_per_epoch", int64(5*cby), "penalty", "BOTH", "stake", int64(100*cby), "slash_bps", int64(2_500),
			"max_strikes", int64(2))
		for _, p := range named(change...) {
			for i := range m {
				if m[i].Key == p.Key {
					m[i].Value = p.Value
				}
			}
		}
		return m
	}
	w.refused(alice, home, systemvolume.HandlerRetain, 10*cby-1, terms(), systemvolume.FaultEscrow)
	w.refused(alice, home, systemvolume.HandlerRetain, 10*cby, terms("sampling", "SOME"), systemvolume.FaultTerms)
	w.refused(alice, home, systemvolume.HandlerRetain, 10*cby, terms("penalty", "DEATH"), systemvolume.FaultTerms)
	w.refused(alice, home, systemvolume.HandlerRetain, 10*cby, terms("blobs", make([]byte, 96)), systemvolume.FaultBlob)
	w.refused(alice, home, systemvolume.HandlerRetain, 10*cby, named("blob", blob), drain.FaultInput)
	id := w.must(alice, home, systemvolume.HandlerRetain, 10*cby, terms()).([]byte)
	contract := func(more ...any) cbor.Map { return append(named("contract_id", id), named(more...)...) }
	w.refused(w.relays[0], home, systemvolume.HandlerProvide, 99*cby, contract(), systemvolume.FaultRetained)
	w.refused(alice, home, systemvolume.HandlerProvide, 100*cby, contract(), systemvolume.FaultProvider)
	w.refused(w.relays[0], home, systemvolume.HandlerProvide, 100*cby, named("contract_id", node(9)), systemvolume.FaultNoContract)
	w.must(w.relays[0], home, systemvolume.HandlerProvide, 100*cby, contract("service_endpoint", "127.0.0.1:1"))
	w.refused(w.relays[0], home, systemvolume.HandlerProvide, 100*cby, contract(), systemvolume.FaultTaken)
	w.refused(w.relays[1], home, systemvolume.HandlerProvide, 100*cby, contract(), systemvolume.FaultSeat)
	w.refused(alice, home, systemvolume.HandlerCancel, 0, contract(), systemvolume.FaultTaken)
	w.refused(w.relays[0], home, systemvolume.HandlerLeaveContract, 0, contract(), systemvolume.FaultOver)

	proof := cbfs.AppendPieces(nil, []cbfs.Piece{cbfs.ProvePiece(data, 1_024, 0)})
	wrong := cbfs.AppendPieces(nil, []cbfs.Piece{cbfs.ProvePiece([]byte("what is lost"), 1_024, 0)})
	w.refused(w.relays[0], home, systemvolume.HandlerProvePieces, 0, contract("proof", proof), systemvolume.FaultAudit)
	w.AdvanceTo(600)
	before := w.Balance(w.relays[0].Address())
	w.refused(w.relays[1], home, systemvolume.HandlerProvePieces, 0, contract("proof", proof), systemvolume.FaultParty)
	w.refused(w.relays[0], home, systemvolume.HandlerProvePieces, 0, contract("proof", proof[1:]), 1845)
	if right := w.must(w.relays[0], home, systemvolume.HandlerProvePieces, 0, contract("proof", proof)); right != true {
		t.Error("the proof is refused")
	}
	if got := w.Balance(w.relays[0].Address()) + cby - before; got < 5*cby || got > 6*cby { // less the fees of three calls
		t.Errorf("paid %d", got)
	}
	w.must(alice, home, systemvolume.HandlerRenew, 5*cby, contract("end_epoch", int64(4)))
	w.AdvanceTo(1_200)
	if right := w.must(w.relays[0], home, systemvolume.HandlerProvePieces, 0, contract("proof", wrong)); right != false {
		t.Error("a wrong proof passes")
	}
	c, err := retention.Load(w.State(), digest.Hash(id))
	if err != nil || c.Escrow != 10*cby {
		t.Fatalf("%+v %v", c, err)
	}
	if one, err := retention.LoadCommitment(w.State(), digest.Hash(id), w.relays[0].Address()); err != nil || one.Stake != 75*cby || one.Strikes != 1 {
		t.Errorf("%+v %v", one, err)
	}
	if got := w.must(alice, home, systemvolume.HandlerContract, 0, contract()).(cbor.Map); len(got) != 10 {
		t.Errorf("%v", got)
	}
	if got := w.must(alice, home, systemvolume.HandlerContract, 0, named("contract_id", node(9))); got != nil {
		t.Errorf("%v", got)
	}
	// Nobody answers in epoch 3: the second strike, and the rest of the stake comes back.
	before = w.Balance(w.relays[0].Address())
	w.AdvanceTo(2_400)
	if got := w.Balance(w.relays[0].Address()) - before; got != 50*cby {
		t.Errorf("%d of the stake came back", got)
	}
	kept := w.Balance(alice.Address())
	w.must(alice, home, systemvolume.HandlerCancel, 0, contract())
	if got := w.Balance(alice.Address()) - kept; got < unit.Amount(9*cby) || got > 10*cby {
		t.Errorf("%d of the escrow came back", got)
	}
}
