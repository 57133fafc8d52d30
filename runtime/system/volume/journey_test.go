package volume_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const cby = unit.CBY

// town is a chain with relays. Its administrator sets parameters.
type town struct {
	*testkit.Chain
	t      *testing.T
	relays []*testkit.Account
}

func newTown(t *testing.T, relays int) *town {
	t.Helper()
	w := &town{Chain: testkit.NewChain(t), t: t}
	for n := range relays {
		a := w.account(fmt.Sprint("relay ", n))
		w.relays = append(w.relays, a)
		w.must(a, relay.Home(), systemrelay.HandlerRegister, 5_000*cby, cbor.Map{
			{Key: "node_id", Value: node(n)}, {Key: "public_key", Value: node(n)}, {Key: "endpoint", Value: "127.0.0.1:4433"},
			{Key: "capacity", Value: int64(1 << 40)},
		})
		w.must(a, relay.Home(), systemrelay.HandlerHeartbeat, 0, nil)
	}
	return w
}

func node(n int) []byte { return append(make([]byte, 31), byte(n+1)) }

func (w *town) account(name string) *testkit.Account {
	a := w.Account(name)
	w.SetBalance(a.Address(), 1_000_000*cby)
	return a
}

func (w *town) try(by *testkit.Account, to account.Address, handler string, coins unit.Amount, args cbor.Map) *block.Receipt {
	w.t.Helper()
	var raw []byte
	if args != nil {
		var err error
		if raw, err = cbor.Append(nil, args); err != nil {
			w.t.Fatal(err)
		}
	}
	return by.Do(&tx.Execute{To: to, Amount: coins, Handler: []byte(handler), Payload: raw}, 300_000, 50_000)
}

func (w *town) must(by *testkit.Account, to account.Address, handler string, coins unit.Amount, args cbor.Map) any {
	w.t.Helper()
	r := w.try(by, to, handler, coins, args)
	if r.Status != block.Success {
		w.t.Fatalf("%s: %+v", handler, r.Fault)
	}
	v, err := cbor.Parse(r.ReturnData)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

func (w *town) refused(by *testkit.Account, to account.Address, handler string, coins unit.Amount, args cbor.Map, code uint16) {
	w.t.Helper()
	before := w.Balance(to)
	if r := w.try(by, to, handler, coins, args); r.Status != block.Faulted || r.Fault.Code != code || len(r.Events) != 0 || w.Balance(to) != before {
		w.t.Errorf("%s: %v %+v, want fault %d", handler, r.Status, r.Fault, code)
	}
}

// named are arguments: names and values in turn.
func named(list ...any) (m cbor.Map) {
	for i := 0; i < len(list); i += 2 {
		m = append(m, cbor.Pair{Key: list[i], Value: list[i+1]})
	}
	return m
}

// content is one chunk for each of six slots.
func content() (chunks []cbfs.Chunk, data [][]byte, root digest.Hash) {
	for slot := range uint8(6) {
		one := fmt.Appendf(nil, "shard %d", slot)
		chunks = append(chunks, cbfs.Chunk{Key: cbfs.ShardKey(slot, 0), Root: cbfs.ChunkRoot(one), Size: uint64(len(one))})
		data = append(data, one)
	}
	return chunks, data, cbfs.ShardRoot(slices.Clone(chunks))
}

// A volume from its making to its end by transactions: created, written by its owner and by whom a token lets, challenged and proven, handed on, deleted and
// taken back. Every block's coins add up, which the kit checks.
//
// Spec: storage-cbfs §2, §3.1, §4, §6, §10.
func TestJourney(t *testing.T) {
	w := newTown(t, 6)
	alice, bob := w.account("alice"), w.account("bob")
	home := volume.Home()
	docs := named("name", "docs")
	w.refused(alice, home, systemvolume.HandlerCreate, 1_000*cby-1, docs, systemvolume.FaultReserve)
	w.refused(alice, home, systemvolume.HandlerCreate, 1_000*cby, named("name", ".docs"), systemvolume.FaultName)
	w.refused(alice, home, systemvolume.HandlerCreate, 1_000*cby, named("nom", "docs"), drain.FaultInput)
	wide := named("name", "docs", "erasure_k", int64(16), "erasure_m", int64(1))
	w.refused(alice, home, systemvolume.HandlerCreate, 1_000*cby, wide, systemrelay.FaultCapacity)
	w.refused(alice, home, systemvolume.HandlerDelete, 1, docs, drain.FaultUnavailable) // it takes no coins
	id := digest.Hash(w.must(alice, home, systemvolume.HandlerCreate, 1_010*cby, docs).([]byte))
	if id != cbfs.VolumeID(alice.Address(), "docs") {
		t.Errorf("%v", id)
	}
	w.refused(alice, home, systemvolume.HandlerCreate, 1_000*cby, docs, systemvolume.FaultConflict)

	chunks, data, root := content()
	commit := named("name", "docs", "manifest_root", node(7), "shard_root", root[:], "raw_size", int64(4), "objects", int64(1), "chunks", int64(1))
	w.refused(bob, home, systemvolume.HandlerCommit, 0, append(commit[1:], named("volume_id", id[:])...), systemvolume.FaultAuth)
	w.must(alice, home, systemvolume.HandlerCommit, 0, commit)
	w.refused(alice, home, systemvolume.HandlerCommit, 0, commit, systemvolume.FaultConflict)
	if v := w.volume(id); v.Reserve != 10*cby-10_000 || v.Raw != 4 {
		t.Errorf("%+v", v)
	}
	p, err := relay.LoadPlacement(w.State(), id)
	if err != nil {
		t.Fatal(err)
	}
	for slot, s := range p.Slots {
		w.must(w.of(s.Relay), home, systemvolume.HandlerConfirm, 0, named("volume_id", id[:], "slot", int64(slot), "shard_root", root[:]))
	}
	foreign := named("volume_id", id[:], "slot", int64(0), "shard_root", root[:])
	w.refused(w.of(p.Slots[1].Relay), home, systemvolume.HandlerConfirm, 0, foreign, systemrelay.FaultAuth)

	asked := digest.Hash(w.must(bob, relay.Home(), systemrelay.HandlerChallenge, 11*cby, named("volume_id", id[:], "slot", int64(3))).([]byte))
	w.Mine() // at whose end it is drawn
	c, err := relay.LoadChallenge(w.State(), asked)
	if err != nil || !c.Drawn {
		t.Fatal(c, err)
	}
	made, err := cbfs.Prove(chunks, data[3], cbfs.Ask{Slot: 3, Ordinal: c.Ordinal, Draw: c.Draw})
	if err != nil {
		t.Fatal(err)
	}
	proof := made.Append(nil)
	answer := named("challenge_id", asked[:], "proof", proof)
	w.refused(w.of(c.Relay), relay.Home(), systemrelay.HandlerProve, 0, named("challenge_id", asked[:], "proof", proof[1:]), systemrelay.FaultProof)
	w.refused(bob, relay.Home(), systemrelay.HandlerProve, 0, answer, systemrelay.FaultAuth)
	if right := w.must(w.of(c.Relay), relay.Home(), systemrelay.HandlerProve, 0, answer); right != true {
		t.Error("the proof is refused")
	}
	w.refused(w.of(c.Relay), relay.Home(), systemrelay.HandlerProve, 0, answer, systemrelay.FaultChallenge)

	bobs := bob.Address()
	grant := named("name", "docs", "grantee", bobs[:], "access_mode", "RW", "path_prefix", "b", "max_bytes", int64(1), "valid_until", int64(5_000))
	token := w.must(alice, home, systemvolume.HandlerGrant, 0, grant).([]byte)
	w.refused(alice, home, systemvolume.HandlerGrant, 0, grant, systemvolume.FaultOverlap)
	shown := w.must(bob, home, systemvolume.HandlerToken, 0, named("token_id", token)).(cbor.Map)
	raw, _ := shown.Lookup("token")
	if body, err := cbfs.DecodeRunnerToken(raw.([]byte)); err != nil || body.Runner != bobs || body.Prefix != "b" {
		t.Errorf("%+v %v", body, err)
	}
	more := named("token_id", token, "volume_id", id[:], "base_root", node(7), "manifest_root", node(8), "shard_root", root[:], "raw_size", int64(5), "objects",
		int64(1), "chunks", int64(1))
	w.must(bob, home, systemvolume.HandlerCommit, 0, more)
	w.must(alice, home, systemvolume.HandlerRevoke, 0, named("token_id", token))
	w.refused(bob, home, systemvolume.HandlerCommit, 0, more, systemvolume.FaultNotFound)

	w.must(alice, home, systemvolume.HandlerTransfer, 0, named("name", "docs", "to", bobs[:]))
	w.must(bob, home, systemvolume.HandlerAccept, 0, named("volume_id", id[:]))
	w.refused(alice, home, systemvolume.HandlerDelete, 0, named("volume_id", id[:]), systemvolume.FaultAuth)
	w.must(bob, home, systemvolume.HandlerDelete, 0, named("volume_id", id[:]))
	w.refused(bob, home, systemvolume.HandlerExpiry, 0, named("volume_id", id[:], "expires_at", int64(9_999)), systemvolume.FaultDeleted)
	w.must(bob, home, systemvolume.HandlerUndelete, 0, named("volume_id", id[:]))
	w.must(alice, home, systemvolume.HandlerTopUp, 5*cby, named("volume_id", id[:]))
	if got := w.must(bob, home, systemvolume.HandlerVolume, 0, named("volume_id", node(99))); got != nil {
		t.Errorf("%v", got)
	}
	if got := fmt.Sprint(w.must(bob, home, systemvolume.HandlerVolume, 0, named("volume_id", id[:]))); !strings.Contains(got, "ACTIVE") {
		t.Error(got)
	}
	w.refused(w.relays[0], relay.Home(), systemrelay.HandlerUnstake, 0, nil, systemrelay.FaultSlots)
}

func (w *town) volume(id digest.Hash) *volume.Volume {
	w.t.Helper()
	v, err := volume.Load(w.State(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// of is the account of a relay's owner.
func (w *town) of(owner account.Address) *testkit.Account {
	w.t.Helper()
	at := slices.IndexFunc(w.relays, func(a *testkit.Account) bool { return a.Address() == owner })
	if at < 0 {
		w.t.Fatal("no relay of the town")
	}
	return w.relays[at]
}

// A vote drains a relay, and sets when relays drain by themselves. It lasts as long as the tier says at least.
//
// Spec: storage-cbfs §3.2 (85, 86), §4 (relay); governance-staking B4.
func TestVotesOnRelays(t *testing.T) {
	w := newTown(t, 1)
	rich := w.Impersonate(genesis.DevFaucet().Address())
	set, _, err := genesis.DevValidators(1)
	if err != nil {
		t.Fatal(err)
	}
	validator := w.Impersonate(set[0].Account.Address())
	pass := func(in tx.Instruction, tier int) {
		t.Helper()
		before := w.Balance(rich.Address())
		x := rich.Do(in, 500_000, 100_000)
		if x.Status != block.Success || before-w.Balance(rich.Address()) < params.Genesis().Governance.Tiers[tier].Deposit {
			t.Fatalf("%+v", x.Fault)
		}
		id := binary.BigEndian.Uint64(x.ReturnData)
		for range 100 {
			p, err := govern.Load(w.State(), id)
			if err != nil {
				t.Fatal(err)
			}
			switch p.Status {
			case govern.TempCheck, govern.Voting:
				validator.Do(&tx.CastVote{Proposal: id}, 500_000, 100_000)
				w.AdvanceTo(p.Deadline)
			case govern.Queued:
				w.AdvanceTo(p.ExecutableAt - 1)
				rich.Do(&tx.ExecuteProposal{Proposal: id}, 500_000, 100_000)
			case govern.Executed:
				return
			default:
				t.Fatalf("%v %v", p.Status, p.Reason)
			}
		}
		t.Fatal("it is not executed")
	}
	unknown := &tx.SubmitDrainRelayProposal{VotingBlocks: 5, Node: digest.Hash{9}}
	if x := rich.Do(unknown, 500_000, 100_000); x.Status == block.Success {
		t.Error("a proposal about a node that nobody has")
	}
	pass(&tx.SubmitDrainRelayProposal{VotingBlocks: 5, Node: digest.Hash(node(0))}, 1)
	r, err := relay.Load(w.State(), w.relays[0].Address())
	if err != nil || r.Status != relay.Draining || r.Cause != relay.Voted {
		t.Errorf("%+v %v", r, err)
	}
	bad := &tx.SubmitAutoDrainPolicyProposal{VotingBlocks: 5, HighWaterBPS: 10_001, OverEpochs: 1, StaleEpochs: 1, StaleMs: 1}
	if x := rich.Do(bad, 500_000, 100_000); x.Status == block.Success {
		t.Error("a policy outside its range")
	}
	pass(&tx.SubmitAutoDrainPolicyProposal{VotingBlocks: 5, Enabled: true, HighWaterBPS: 7_000, OverEpochs: 1, StaleEpochs: 1, StaleMs: 1, WindowMs: 9}, 0)
	terms, err := relay.LoadTerms(w.State())
	if want := (relay.Policy{Enabled: true, HighWaterBPS: 7_000, OverEpochs: 1, StaleEpochs: 1, StaleMs: 1, WindowMs: 9}); err != nil || terms.Policy != want {
		t.Errorf("%+v %v", terms.Policy, err)
	}
}
