package rpc

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// A volume under its public address is served while it is active or in grace, is unavailable while it is deleted, and gone when its shards go.
//
// Spec: storage-cbfs §4 (over HTTP), §9.
func TestVolumesAsTheyAreServed(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	silent := func(string, []byte) {}
	g := &relay.Registry{State: o, Terms: relay.Genesis(), Height: 10, TimeMs: 10_000, Beacon: []byte{1}, Emit: silent}
	m := &volume.Manager{State: o, Relays: g, Height: 10, Development: true, Emit: silent}
	ann, keeper := account.Address{1}, account.Address{2}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(account.Credit(o, volume.Home(), 1_010*unit.CBY))
	must(account.Credit(o, relay.Home(), 5_000*unit.CBY))
	p := relay.Profile{Node: digest.Hash{1}, Key: digest.Hash{1}, Endpoint: "a", Capacity: 1 << 30}
	must(errors.Join(g.Register(keeper, p, 5_000*unit.CBY), g.Heartbeat(keeper)))
	id, err := m.Create(ann, volume.Request{Name: "docs", K: 1}, 1_010*unit.CBY)
	must(err)
	token, err := m.Grant(ann, id, digest.Hash{1}, volume.Permission{Grantee: keeper, Mode: cbfs.ReadWrite, Prefix: "a", Until: 99})
	must(err)
	slots, err := relaySlots(o, keeper, 0, 1)
	if err != nil || len(slots.Slots) != 1 || slots.Slots[0] != (wire.RelaySlot{VolumeID: wire.Hash(id)}) || slots.NextCursor != "1" {
		t.Errorf("%+v %v", slots, err)
	}
	if slots, err := relaySlots(o, keeper, 1, 1); err != nil || len(slots.Slots) != 0 || slots.NextCursor != "" {
		t.Errorf("%+v %v", slots, err)
	}
	v, err := servedVolume(o, ann, "docs", 10)
	if err != nil || v.Status != "ACTIVE" || v.Reserve != uint64(10*unit.CBY) || len(v.Slots) != 1 || v.Slots[0].Relay != keeper.String() ||
		v.Slots[0].Degraded || v.Degraded != 0 || len(v.Tokens) != 1 || v.Tokens[0].Prefix != "a" || v.Tokens[0].TokenID != wire.Hex(token[:]) {
		t.Errorf("%+v %v", v, err)
	}
	must(account.Credit(o, ann, 7))
	if a, err := storageAccount(o, ann, 10); err != nil || a.Height != 10 || a.Balance != 7 || a.TotalVolumes != 1 ||
		a.Reserved != uint64(10*unit.CBY) || len(a.Volumes) != 1 || a.Volumes[0].VolumeID != wire.Hash(id) {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := storageAccount(o, account.Address{3}, 10); err != nil || a.Balance != 0 || a.TotalVolumes != 0 || len(a.Volumes) != 0 {
		t.Errorf("an account without anything: %+v %v", a, err)
	}
	must(m.RevokeKey(ann, digest.Hash{5}))
	for key, want := range map[byte]bool{5: true, 6: false} {
		t.Run(fmt.Sprint("key ", key), func(t *testing.T) {
			if k, err := storageKey(o, ann, digest.Hash{key}, 12); err != nil || k.Revoked != want || (k.RevokedAt == 10) != want || k.Height != 12 {
				t.Errorf("%+v %v", k, err)
			}
		})
	}
	if v.Slots[0].Challenged {
		t.Error("nobody challenged it")
	}
	must(g.Confirm(keeper, id, 0, digest.Hash{8}, relay.Offer{Root: digest.Hash{8}, Bytes: 1, Chunks: 1}))
	_, err = g.Challenge(ann, id, 0, g.Terms.Proof.Bond+g.Terms.Proof.Fee)
	must(errors.Join(err, g.Drain(keeper)))
	if v, err = servedVolume(o, ann, "docs", 10); err != nil || v.Degraded != 1 || !v.Slots[0].Degraded || !v.Slots[0].Challenged {
		t.Errorf("%+v %v", v, err)
	}
	is := func(name string, status int) {
		t.Helper()
		var refusal *Refusal
		if _, err := servedVolume(o, ann, name, 10); !errors.As(err, &refusal) || refusal.Status != status {
			t.Errorf("%s: %v, want %d", name, err, status)
		}
	}
	is("dogs", http.StatusNotFound)
	is(".docs", http.StatusNotFound)
	must(m.Delete(ann, id))
	is("docs", http.StatusServiceUnavailable)
	m.Height += unit.Height(g.Terms.Rent.GraceBlocks)
	must(m.End())
	is("docs", http.StatusGone)
}

// Spec: storage-cbfs §4 (X-Cowboy-Storage-Status).
func TestVolumeInGraceSaysSo(t *testing.T) {
	mux := http.NewServeMux()
	(&server{Config: Config{Backend: &fake{}}}).volumes(mux)
	for name, want := range map[string]string{"grace": "grace", "other": ""} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/volumes/"+account.Address{1}.String()+"/"+name, nil))
			if got := w.Header().Get("X-Cowboy-Storage-Status"); got != want || (w.Code == http.StatusOK) != (want != "") {
				t.Errorf("%d %q", w.Code, got)
			}
		})
	}
}
