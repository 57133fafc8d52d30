package job_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// calls sends a call of a system actor with arguments by name.
func (w *town) calls(by *testkit.Account, to account.Address, handler string, coins unit.Amount, args cbor.Map) {
	w.t.Helper()
	raw, err := cbor.Append(nil, args)
	if err != nil {
		w.t.Fatal(err)
	}
	r := by.Do(&tx.Execute{To: to, Amount: coins, Handler: []byte(handler), Payload: raw}, 300_000, 20_000)
	if r.Status != block.Success {
		w.t.Fatalf("%s: %+v", handler, r.Fault)
	}
}

// newArchive is a town with three runners that mount volumes, a relay, and a volume of bob's.
func newArchive(t *testing.T) (w *town, bob *testkit.Account, id digest.Hash) {
	t.Helper()
	w = newTown(t)
	bob = w.Account("bob")
	keeper := w.Account("keeper")
	for _, one := range append(w.enrol("rita", "rolf", "rosa"), bob, keeper) {
		w.SetBalance(one.Address(), 30_000*unit.CBY)
		if one != bob && one != keeper {
			w.must(one, &tx.RunnerRegister{
				PublicKey: one.PublicKey(), RateCard: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
				Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2, VolumeMounts: true},
			})
		}
	}
	node := make([]byte, 32)
	node[0] = 1
	w.calls(keeper, relay.Home(), systemrelay.HandlerRegister, 5_000*unit.CBY, cbor.Map{
		{Key: "node_id", Value: node}, {Key: "public_key", Value: node}, {Key: "endpoint", Value: "a"}, {Key: "capacity", Value: int64(1 << 40)},
	})
	w.calls(keeper, relay.Home(), systemrelay.HandlerHeartbeat, 0, cbor.Map{})
	w.calls(bob, volume.Home(), systemvolume.HandlerCreate, 1_100*unit.CBY, cbor.Map{
		{Key: "name", Value: "docs"}, {Key: "erasure_k", Value: int64(1)}, {Key: "erasure_m", Value: int64(0)},
	})
	return w, bob, cbfs.VolumeID(bob.Address(), "docs")
}

// attaches is a job that writes up to ten bytes below a prefix of a volume.
func attaches(name, mode, prefix string) *tx.JobSubmit {
	return asked(func(s *chainjob.Spec) {
		s.Volumes = []chainjob.Volume{{Name: name, AccessMode: mode, PathPrefix: prefix, MaxBytes: 10, Mount: true, SyncInterval: 5}}
	})
}

// The runner of a job has a token for the volume that is attached, from its assignment on and until its attempt is over. The submitter pays 100 CBY for the
// attachment, and nothing where it is refused.
//
// Spec: storage-cbfs §2.5, §6, §11 (8); runner-marketplace §2.1 (volume_attachments).
func TestJobWithVolume(t *testing.T) {
	w, bob, id := newArchive(t)
	with := func(name, mode string) *tx.JobSubmit { return attaches(name, mode, "out") }
	before := w.Balance(bob.Address())
	for name, in := range map[string]*tx.JobSubmit{"another volume": with("dogs", "RW"), "no mode": with("docs", "all")} {
		t.Run(name, func(t *testing.T) {
			if r := bob.Do(in, 200_000, 5_000); r.Status != block.Faulted || w.held() != 0 {
				t.Errorf("%v %+v", r.Status, r.Fault)
			}
		})
	}
	if paid := before - w.Balance(bob.Address()); paid > unit.CBY {
		t.Errorf("refused jobs cost %d", paid)
	}
	before = w.Balance(bob.Address())
	r := bob.Do(with("docs", "RW"), 200_000, 5_000)
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	if paid := before - w.Balance(bob.Address()); paid < 106*unit.CBY || paid > 107*unit.CBY {
		t.Errorf("it cost %d", paid)
	}
	job := w.find(digest.Hash(r.ReturnData))
	tokens, err := volume.Tokens(w.State(), id)
	if err != nil || len(tokens) != 1 {
		t.Fatalf("%x %v", tokens, err)
	}
	kept, err := volume.LoadToken(w.State(), tokens[0])
	if err != nil {
		t.Fatal(err)
	}
	s, err := market.LoadSelection(w.State(), digest.Hash(r.ReturnData))
	if err != nil {
		t.Fatal(err)
	}
	body, err := cbfs.DecodeRunnerToken(kept.Body)
	if err != nil || body.Runner != s.Selected[0] || body.Mode != cbfs.ReadWrite || body.Prefix != "out" || !body.Mount ||
		body.Until != uint64(job.Deadline+params.ChallengeWindowBlocks) || kept.Job != digest.Hash(r.ReturnData) {
		t.Errorf("%+v %v", body, err)
	}
	if again := bob.Do(with("docs", "WO"), 200_000, 5_000); again.Status != block.Faulted || again.Fault.Code != systemvolume.FaultOverlap {
		t.Errorf("%+v", again.Fault)
	}
	w.AdvanceTo(job.Deadline)
	if job = w.find(digest.Hash(r.ReturnData)); job.Status != market.Failed {
		t.Errorf("%v", job.Status)
	}
	if tokens, err = volume.Tokens(w.State(), id); err != nil || len(tokens) != 0 {
		t.Errorf("%x %v", tokens, err)
	}
}

// The job of an account that a volume was granted to: it pays for the attachment, its runner has a token that ends with the grant, and what the runner commits
// counts against both. A volume's owner takes all of it back by one call.
//
// Spec: storage-cbfs §2.1 (public address), §2.5, §6, §11 (8); secrets-cbss §11.
func TestJobWithLentVolume(t *testing.T) {
	w, bob, id := newArchive(t)
	carol := w.Account("carol")
	w.SetBalance(carol.Address(), 1_000*unit.CBY)
	to, until := carol.Address(), w.Height()+200
	address := cbfs.PublicAddress(bob.Address(), "docs")
	refused := func(in *tx.JobSubmit, code uint16) {
		t.Helper()
		if r := carol.Do(in, 200_000, 5_000); r.Status != block.Faulted || r.Fault.Code != code {
			t.Errorf("%v %+v, want %d", r.Status, r.Fault, code)
		}
	}
	refused(attaches(address, "RW", "in"), systemvolume.FaultAuth)
	w.calls(bob, volume.Home(), systemvolume.HandlerGrant, 0, cbor.Map{
		{Key: "name", Value: "docs"}, {Key: "grantee", Value: to[:]}, {Key: "access_mode", Value: "RW"}, {Key: "path_prefix", Value: "in"},
		{Key: "max_bytes", Value: int64(15)}, {Key: "valid_until", Value: int64(until)},
	})
	for name, c := range map[string]struct {
		in   *tx.JobSubmit
		code uint16
	}{
		"elsewhere":         {attaches(address, "RW", "out"), systemvolume.FaultToken},
		"by its name":       {attaches("docs", "RW", "in"), systemvolume.FaultNotFound},
		"no address":        {attaches("/"+bob.Address().Hex()+"/docs", "RW", "in"), systemvolume.FaultName},
		"another volume's":  {attaches(cbfs.PublicAddress(bob.Address(), "dogs"), "RW", "in"), systemvolume.FaultNotFound},
		"another account's": {attaches(cbfs.PublicAddress(to, "docs"), "RW", "in"), systemvolume.FaultNotFound},
	} {
		t.Run(name, func(t *testing.T) { refused(c.in, c.code) })
	}
	before := w.Balance(to)
	r := carol.Do(attaches(address, "RW", "in"), 200_000, 5_000)
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	if paid := before - w.Balance(to); paid < 106*unit.CBY || paid > 107*unit.CBY {
		t.Errorf("it cost %d", paid)
	}
	job := digest.Hash(r.ReturnData)
	s, err := market.LoadSelection(w.State(), job)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := volume.Tokens(w.State(), id)
	if err != nil || len(ids) != 2 {
		t.Fatalf("%x %v", ids, err)
	}
	minted := -1
	for i := range ids {
		kept, err := volume.LoadToken(w.State(), ids[i])
		if err != nil {
			t.Fatal(err)
		}
		if kept.Job.IsZero() {
			continue
		}
		minted = i
		body, err := cbfs.DecodeRunnerToken(kept.Body)
		if err != nil || kept.Job != job || kept.Grant != ids[1-i] || body.Runner != s.Selected[0] || body.Prefix != "in" || body.MaxBytes != 10 ||
			body.Until != uint64(until) {
			t.Errorf("%+v %+v %v", kept, body, err)
		}
	}
	if minted < 0 {
		t.Fatal("the runner has no token")
	}
	lets := func() bool {
		v, err := volume.Load(w.State(), id)
		if err != nil {
			t.Fatal(err)
		}
		ok, err := volume.Grants(w.State(), id, v, s.Selected[0], job, w.Height())
		return ok && err == nil
	}
	if !lets() {
		t.Error("the runner may not have the key")
	}
	w.calls(bob, volume.Home(), systemvolume.HandlerRevoke, 0, cbor.Map{{Key: "token_id", Value: ids[1-minted][:]}})
	if left, err := volume.Tokens(w.State(), id); err != nil || len(left) != 0 || lets() {
		t.Errorf("%x %v", left, err)
	}
	refused(attaches(address, "RW", "in"), systemvolume.FaultAuth)
	w.AdvanceTo(w.find(job).Deadline)
	if w.find(job).Status != market.Failed {
		t.Error("the job is not over")
	}
}
