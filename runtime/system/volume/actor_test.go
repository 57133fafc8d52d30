package volume_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// keeper is an actor with a volume of its own.
const keeper = `from pvm_host import call, send_message

STORE = b"\x00" * 19 + b"\x0a"

def make(p):
    return call(STORE, "create_volume", {"name": "notes", "erasure_k": 1, "erasure_m": 0}, value=1100000000000)

def drop(p):
    send_message(STORE, {"handler": "delete_volume", "name": "notes"})

def look(p):
    v = call(STORE, "get_volume", {"name": "notes"})
    return "none" if v is None else "%s %d %s" % (v["name"], v["reserve"], v["status"])

def again(p):
    try:
        call(STORE, "create_volume", {"name": "notes", "erasure_k": 1, "erasure_m": 0}, value=1100000000000)
    except Exception as e:
        return type(e).__name__ + " " + str(e)
`

// An actor makes a volume by a call with coins, reads it by another, and deletes it by a message; what is refused gives its coins back.
//
// Spec: storage-cbfs §3.1; sdk §7.
func TestVolumeOfAnActor(t *testing.T) {
	w := newTown(t, 1)
	rich := w.account("rich")
	actor := rich.Deploy(keeper, nil)
	rich.Fund(actor, 3_000*cby)
	id := cbfs.VolumeID(actor, "notes")
	if said := rich.Call(actor, "look", ""); !strings.HasSuffix(said, "none") {
		t.Errorf("before: %s", said)
	}
	rich.Call(actor, "make", "")
	v := w.volume(id)
	if v.Owner != actor || v.Reserve != 100*cby {
		t.Errorf("%+v", v)
	}
	if said := rich.Call(actor, "look", ""); !strings.HasSuffix(said, "notes 100000000000 ACTIVE") {
		t.Errorf("then: %s", said)
	}
	rich.Call(actor, "drop", "")
	w.Mine()
	if v := w.volume(id); v.Status != volume.Deleted || len(w.Events(volume.Home(), volume.TopicStatus)) != 1 {
		t.Errorf("%v", v.Status)
	}
	before := w.Balance(actor)
	if said := rich.Call(actor, "again", ""); !strings.Contains(said, "the name is taken") || w.Balance(actor) != before {
		t.Errorf("%s, and %d are gone", said, before-w.Balance(actor))
	}
	w.refused(rich, volume.Home(), systemvolume.HandlerUndelete, 0, named("volume_id", id[:]), systemvolume.FaultAuth)
}

// A wallet revokes a key that spoke for it, in a transaction that pays for an entry which stays; an actor may too. What is no key is refused.
//
// Spec: storage-cbfs §3.4 (auth/revoke).
func TestRevokedKeys(t *testing.T) {
	w := newTown(t, 0)
	alice, key := w.account("alice"), digest.Hash{7}
	home := volume.Home()
	w.refused(alice, home, systemvolume.HandlerRevokeKey, 0, named("cbfs_public_key", key[:31]), drain.FaultInput)
	w.refused(alice, home, systemvolume.HandlerRevokeKey, 0, named("cbfs_public_key", make([]byte, 32)), systemvolume.FaultInvalid)
	w.refused(alice, home, systemvolume.HandlerRevokeKey, 1, named("cbfs_public_key", key[:]), drain.FaultUnavailable) // it takes no coins
	r := w.try(alice, home, systemvolume.HandlerRevokeKey, 0, named("cbfs_public_key", key[:]))
	address := alice.Address()
	if want := append(address[:], key[:]...); r.Status != block.Success || len(r.Events) != 1 || !bytes.Equal(r.Events[0].Data, want) {
		t.Fatalf("%+v", r)
	}
	known, err := volume.LoadRevocation(w.State(), alice.Address(), key)
	if err != nil || known == nil || known.At != w.Height() {
		t.Errorf("%+v %v", known, err)
	}
	again := w.try(alice, home, systemvolume.HandlerRevokeKey, 0, named("cbfs_public_key", key[:]))
	if again.Status != block.Success || len(again.Events) != 0 || again.CellsUsed < 150 {
		t.Errorf("%+v", again)
	}
}
