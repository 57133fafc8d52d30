package secret_test

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// call is a call of a system actor with arguments: names and values in turn.
func (w *town) call(to account.Address, handler string, coins unit.Amount, list ...any) *tx.Execute {
	w.t.Helper()
	var args cbor.Map
	for i := 0; i < len(list); i += 2 {
		args = append(args, cbor.Pair{Key: list[i], Value: list[i+1]})
	}
	raw, err := cbor.Append(nil, args)
	if err != nil {
		w.t.Fatal(err)
	}
	return &tx.Execute{To: to, Amount: coins, Handler: []byte(handler), Payload: raw}
}

// enrolAll registers the proxies and has one committee make ann's key.
func (w *town) enrolAll() *tx.RotateCommittee {
	w.t.Helper()
	for n, o := range w.operators {
		in := &tx.RegisterCbssProxy{PublicKey: w.keys[n].Compressed(), HPKE: [32]byte{1}, NetworkAddr: []byte("127.0.0.1:9601"), Stake: 10_000 * unit.CBY}
		w.ids = append(w.ids, digest.Hash(w.must(o, in)))
	}
	w.AdvanceTo(w.Height() + 100) // they have soaked
	w.must(w.ann, &tx.RequestAccountDkg{Account: w.ann.Address()})
	w.Mine()
	in := w.rotation(secret.AccountScope(w.ann.Address()))
	w.must(w.operators[0], in)
	return in
}

// A private volume on a whole chain: ann's key is not there at first; what wraps the volume's key for another volume, epoch or number is refused; bob, whom she
// lets read, has four receipts recorded and pays for them, writes nothing, and gets nothing in the block behind the one in which his token is revoked; the next
// wrap ends the first. In every block all coins are accounted for.
//
// Spec: secrets-cbss §5, §9, §11; storage-cbfs §2.5, §3.1.
func TestPrivateVolume(t *testing.T) {
	w := newTown(t)
	home, cby := volume.Home(), unit.CBY
	holder := w.Account("holder")
	w.SetBalance(holder.Address(), 6_000*cby)
	node := append(make([]byte, 31), 1)
	w.must(holder, w.call(relay.Home(), systemrelay.HandlerRegister, 5_000*cby, "node_id", node, "public_key", node, "endpoint", "127.0.0.1:4433",
		"capacity", int64(1<<40)))
	w.must(holder, &tx.Execute{To: relay.Home(), Handler: []byte(systemrelay.HandlerHeartbeat)})
	id := cbfs.VolumeID(w.ann.Address(), "docs")
	to := cbss.SecretID{Account: w.ann.Address(), KeyHash: cbss.VolumeKeyHash(id)}
	create := func(wrapped []byte, epoch int64) *tx.Execute {
		return w.call(home, systemvolume.HandlerCreate, 1_100*cby, "name", "docs", "private", true, "erasure_k", int64(1), "erasure_m", int64(0),
			"wrapped_dek", wrapped, "cbss_committee_epoch", epoch)
	}
	w.refused(w.ann, create(make([]byte, cbss.EnvelopeSize), 1), systemsecret.FaultNoKey)
	in := w.enrolAll()
	seal := func(to cbss.SecretID, version uint64) []byte {
		e, err := cbss.Wrap(&cbss.Identity{ChainID: chainID, Secret: to, Version: version, Epoch: 1, Master: in.Master}, w.number(), [12]byte{}, [32]byte{5})
		if err != nil {
			t.Fatal(err)
		}
		return e.Append(nil)
	}
	wrapped := seal(to, 1)
	w.refused(w.ann, create(wrapped, 2), systemsecret.FaultWrapEpoch)
	w.refused(w.ann, create(wrapped, 0), systemvolume.FaultCommittee)
	w.refused(w.ann, create(nil, 1), systemvolume.FaultCommittee)
	w.refused(w.ann, create(wrapped[1:], 1), systemsecret.FaultCorrupted)
	w.refused(w.ann, create(seal(to, 2), 1), systemsecret.FaultData)
	w.refused(w.ann, create(seal(cbss.SecretID{Account: to.Account}, 1), 1), systemsecret.FaultData)
	w.refused(w.bob, create(wrapped, 1), systemsecret.FaultNoKey)
	w.must(w.ann, create(wrapped, 1))
	if n := w.wraps(id); n != 1 {
		t.Errorf("%d wraps", n)
	}
	w.tells(id, wrapped, in)
	ask := func(nonce byte) *cbss.Request {
		return &cbss.Request{
			ChainID: chainID, Secret: to, Version: 1, Actor: w.bob.Address(), Runner: w.bob.Address(), Recipient: uint8(secret.OfVolume),
			Nonce: digest.Hash{nonce}, Block: uint64(w.Height()), Epoch: 1,
		}
	}
	operator, f := w.receiptOf(ask(0), in, 0)
	w.refused(operator, f, systemsecret.FaultAccess)
	until, bob := int64(w.Height())+1_000, w.bob.Address()
	token := w.value(w.must(w.ann, w.call(home, systemvolume.HandlerGrant, 0, "name", "docs", "grantee", bob[:], "access_mode", "RO", "valid_until", until)))
	for place := range 4 {
		before := w.balance(w.bob)
		operator, f := w.receiptOf(ask(0), in, place)
		w.must(operator, f)
		if paid := before - w.balance(w.bob); paid != cby {
			t.Errorf("bob has paid %d", paid)
		}
	}
	if w.told(secret.TopicReceipt) != 4 || w.told(secret.TopicReleased) != 1 {
		t.Errorf("%d receipts, %d releases", w.told(secret.TopicReceipt), w.told(secret.TopicReleased))
	}
	w.refused(w.bob, w.call(home, systemvolume.HandlerCommit, 0, "volume_id", id[:], "token_id", token, "manifest_root", node, "shard_root", node,
		"raw_size", int64(4), "objects", int64(1), "chunks", int64(1)), systemvolume.FaultToken)
	w.must(w.ann, w.call(home, systemvolume.HandlerRevoke, 0, "token_id", token))
	operator, f = w.receiptOf(ask(1), in, 1)
	w.refused(operator, f, systemsecret.FaultAccess)

	again := func(wrapped []byte) *tx.Execute {
		return w.call(home, systemvolume.HandlerWrap, 0, "name", "docs", "wrapped_dek", wrapped, "cbss_committee_epoch", int64(1))
	}
	w.refused(w.ann, again(wrapped), systemsecret.FaultData)
	w.refused(w.bob, again(seal(to, 2)), systemvolume.FaultNotFound)
	w.must(w.ann, again(seal(to, 2)))
	if n := w.wraps(id); n != 2 {
		t.Errorf("%d wraps", n)
	}
	w.must(w.ann, w.call(home, systemvolume.HandlerGrant, 0, "name", "docs", "grantee", bob[:], "access_mode", "WO", "valid_until", until))
	operator, f = w.receiptOf(ask(2), in, 2)
	w.refused(operator, f, systemsecret.FaultDeleted)
	second := ask(3)
	second.Version = 2
	operator, f = w.receiptOf(second, in, 2)
	w.must(operator, f)
}

// tells holds what the chain tells of a private volume to what the rotation of its release key was sent with: keccak256 of the key, and of the committee with
// its commitments.
func (w *town) tells(id digest.Hash, wrapped []byte, in *tx.RotateCommittee) {
	w.t.Helper()
	got, _ := w.value(w.must(w.bob, w.call(volume.Home(), systemvolume.HandlerVolume, 0, "volume_id", id[:]))).(cbor.Map)
	material := append([]byte{1, byte(len(in.Committee) / digest.Size)}, in.Committee...)
	material = append(append(material, byte(len(in.Commitments)/cbss.KeySize)), in.Commitments...)
	key, hash := digest.Keccak256(in.Master[:]), digest.Keccak256(material)
	for name, want := range map[string]any{
		"wrapped_dek": wrapped, "wrapping_key_hash": key[:], "cbss_committee_epoch": int64(1), "cbss_release_key_material_hash": hash[:],
	} {
		if v, _ := got.Lookup(name); !reflect.DeepEqual(v, want) {
			w.t.Errorf("%s is %x, want %x", name, v, want)
		}
	}
}

// value is what a handler returned.
func (w *town) value(raw []byte) any {
	w.t.Helper()
	v, err := cbor.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// wraps is how many wraps of a volume's key there were.
func (w *town) wraps(id digest.Hash) uint64 {
	w.t.Helper()
	known, err := volume.LoadWrapped(w.State(), cbss.VolumeKeyHash(id))
	if err != nil || known == nil {
		w.t.Fatal(err)
	}
	return known.Wraps
}
