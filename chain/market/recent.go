package market

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// KeyAffinity is the governance key of the blocks for which whoever did somebody's job is preferred for the next of its kind.
//
// Spec: WP §13.1; runner-marketplace §4.5, §11 (MRU TTL), §14 (8).
const KeyAffinity = params.KeyGenericPrefix + "mru_affinity"

const (
	affinityTimes = 4            // what the weight is multiplied by for the first place; Spec: runner-marketplace §11
	affinityMost  = RecordBlocks // so that what is noted is too old when the job's own record goes
)

// AffinityFor encodes the governed parameter: UInt, blocks; 0 is never.
func AffinityFor(blocks uint64) []byte { return codec.AppendUint(nil, blocks) }

// CheckAffinity gives an error for bytes that are no value of the governed parameter.
func CheckAffinity(value []byte) error {
	r := codec.NewReader(value)
	if n := r.Uint(); r.Finish() == nil && n > affinityMost {
		return fmt.Errorf("market: %d blocks of affinity, and at most %d may be", n, affinityMost)
	}
	return r.Finish()
}

// affinity is for how many blocks; 0 for never.
func (m *Market) affinity() (unit.Height, error) {
	value, ok, err := m.State.Lookup(params.StateKey(KeyAffinity))
	if err != nil || !ok {
		return 0, err
	}
	r := codec.NewReader(value)
	n := r.Uint()
	return unit.Height(n), r.Finish()
}

// Recent is the runner that did a submitter's last job of a kind.
//
// Spec: runner-marketplace §4.5 ({runner_address, set_at_block}).
type Recent struct {
	Runner account.Address
	Set    unit.Height
}

// Encode gives address ‖ UInt height.
func (r *Recent) Encode() []byte {
	return codec.AppendUint(codec.AppendFixed(nil, r.Runner[:]), uint64(r.Set))
}

// DecodeRecent reads what Encode wrote.
func DecodeRecent(data []byte) (*Recent, error) {
	in := codec.NewReader(data)
	r := new(Recent)
	in.Into(r.Runner[:])
	r.Set = unit.Height(in.Uint())
	return r, in.Finish()
}

func recentKey(submitter account.Address, kind job.Kind) []byte {
	return under(underRecent, submitter[:], []byte{byte(kind)})
}

// recent is the record of a submitter and a kind, nil for none.
func (m *Market) recent(submitter account.Address, kind job.Kind) (*Recent, error) {
	raw, ok, err := m.State.Lookup(recentKey(submitter, kind))
	if err != nil || !ok {
		return nil, err
	}
	return DecodeRecent(raw)
}

// choose draws the committee of an attempt. Where governance says so, the runner that did the submitter's last job of the kind, if that is not too long ago,
// has more of a chance to be the first.
//
// Spec: runner-marketplace §4.5.
func (m *Market) choose(t *Task, list candidates, seed digest.Hash) ([]job.Candidate, error) {
	members := int(t.Selection.Members)
	blocks, err := m.affinity()
	if err != nil || blocks == 0 {
		return job.Draw(list, seed, members), err
	}
	r, err := m.recent(t.Job.Submitter, t.Spec.Kind)
	if err != nil || r == nil || m.Height > r.Set+blocks {
		return job.Draw(list, seed, members), err
	}
	return job.Favour(list, seed, members, r.Runner, affinityTimes), nil
}

// remember notes who did a job: of a committee the aggregator, or the first of those who agreed where it did not.
//
// Spec: runner-marketplace §4.5 (the verifier writes it on success).
func (m *Market) remember(t *Task, result *Result) error {
	blocks, err := m.affinity()
	if err != nil || blocks == 0 || result.Outcome != verify.Success || len(result.Agreed) == 0 {
		return err
	}
	if _, second, err := m.rerunOf(t.ID); err != nil || second { // nobody's own job
		return err
	}
	r := &Recent{Runner: result.Agreed[0], Set: m.Height}
	for _, addr := range result.Agreed {
		if addr == t.Selection.Aggregator {
			r.Runner = addr
		}
	}
	m.State.Set(recentKey(t.Job.Submitter, t.Spec.Kind), r.Encode())
	return nil
}

// forget deletes what is noted of a submitter and is too old to matter. It comes with the end of each of its jobs' records.
func (m *Market) forget(submitter account.Address) error {
	blocks, err := m.affinity()
	if err != nil {
		return err
	}
	for kind := job.LLM; kind <= job.Container; kind++ {
		r, err := m.recent(submitter, kind)
		if err != nil {
			return err
		}
		if r != nil && (blocks == 0 || m.Height > r.Set+blocks) {
			m.State.Delete(recentKey(submitter, kind))
		}
	}
	return nil
}
