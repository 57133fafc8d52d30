package rpc

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A contract is shown with its provider, and with what is asked while the audit is open: by the formula of the document, reckoned here once more.
//
// Spec: storage-cbfs §7 (audit_id, sampling).
func TestRetentionAsItIsShown(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	silent := func(string, []byte) {}
	beacon := []byte("beacon")
	g := &relay.Registry{State: o, Terms: relay.Genesis(), Height: 10, TimeMs: 10_000, Beacon: beacon, Emit: silent}
	m := &retention.Market{State: o, Relays: g, Height: 10, Emit: silent}
	ann, keeper := account.Address{1}, account.Address{2}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(errors.Join(account.Credit(o, retention.Home(), 90*unit.CBY), account.Credit(o, relay.Home(), 5_000*unit.CBY)))
	p := relay.Profile{Node: digest.Hash{1}, Key: digest.Hash{1}, Endpoint: "a", Capacity: 1 << 30}
	must(errors.Join(g.Register(keeper, p, 5_000*unit.CBY), g.Heartbeat(keeper)))
	data := make([]byte, 9_000)
	ref, root := cbfs.RefOf(cbfs.Blake3, data), cbfs.PieceRoot(data, 2_048)
	ref.ChunkSize = 2_048
	id, err := m.Create(ann, digest.Hash{1}, retention.Request{Blobs: append(ref.Encode(), root[:]...), Policy: retention.Policy{
		Start: 1, End: 3, Replicas: 1, Cadence: 1, Samples: 1, Rate: 20 * unit.CBY, Strikes: 1, Stake: 50 * unit.CBY,
	}}, 40*unit.CBY)
	must(err)
	must(m.Accept(keeper, id, "host:1", 50*unit.CBY))
	v, err := showRetention(o, id, 10)
	if err != nil || v.Operator != ann.String() || v.Escrow != 40e9 || v.Penalty != "NO_PAY" || v.Sampling != "CHUNK_INDEX" || len(v.Providers) != 1 ||
		v.Providers[0].Audit != 1 || v.Providers[0].Endpoint != "host:1" || v.Providers[0].Asked != nil || v.Blobs[0].Size != 9_000 {
		t.Errorf("%+v %v", v, err)
	}
	m.Height, g.Height = 600, 600
	must(m.End())
	random := cbfs.Randomness(beacon)
	audit := digest.Keccak256(random[:], id[:], keeper[:], []byte{0, 0, 0, 0, 0, 0, 0, 1})
	draw := digest.Blake3(audit[:], make([]byte, 4))
	want := wire.RetentionPlace{Piece: binary.BigEndian.Uint64(draw[:]) % 5}
	v, err = showRetention(o, id, 601)
	if err != nil || v.Providers[0].AuditID != wire.Hash(audit) || len(v.Providers[0].Asked) != 1 || v.Providers[0].Asked[0] != want {
		t.Errorf("%+v %v, want %+v", v.Providers, err, want)
	}
	var refusal *Refusal
	if _, err := showRetention(o, digest.Hash{9}, 601); !errors.As(err, &refusal) || refusal.Status != 404 {
		t.Error(err)
	}
}
