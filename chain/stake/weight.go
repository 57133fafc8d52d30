package stake

import (
	"cmp"
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Weight is what an account counts for in a vote of governance: in the house of stake all that the registry holds in its name, bonded, joining and
// unbonding; in the house of validators one vote if it is Active.
// Spec: governance-staking B2, B5 (weight).
type Weight struct {
	Stake  unit.Amount
	Active bool
}

// Weights are the sums of all Weights.
type Weights struct {
	Stake      unit.Amount
	Validators uint64 // Active
}

// WeightAt is the weight of an account after the block at a height that is at most params.GovernanceLongest back and not the present block's, which may
// still change it. It takes one step whatever happened since.
// Spec: governance-staking B4 (snapshots).
func WeightAt(r state.Reader, addr account.Address, height unit.Height) (w Weight, err error) {
	err = newest(r, weightPrefix(addr), height, func(c *codec.Reader) { w = Weight{unit.Amount(c.Uint()), c.Bool()} })
	return w, err
}

// WeightsAt are the sums after the block at a height, with the limits of WeightAt.
// Spec: governance-staking B4 (snapshots).
func WeightsAt(r state.Reader, height unit.Height) (w Weights, err error) {
	err = newest(r, recordKey(keyWeights), height, func(c *codec.Reader) { w = Weights{unit.Amount(c.Uint()), c.Uint()} })
	return w, err
}

// weight is the record's weight. Its parts are coins of one account, so the sum cannot overflow.
func (v *Validator) weight() Weight {
	w := Weight{Stake: v.Stake + v.Joining, Active: v.Status == Active}
	for _, r := range v.Releases {
		w.Stake += r.Amount
	}
	return w
}

func (w Weight) encode() []byte {
	return codec.AppendBool(codec.AppendUint(nil, uint64(w.Stake)), w.Active)
}

func (w Weights) encode() []byte {
	return codec.AppendUint(codec.AppendUint(nil, uint64(w.Stake)), w.Validators)
}

// change takes a validator from one weight to another.
func (w *Weights) change(from, to Weight) {
	w.Stake = w.Stake - from.Stake + to.Stake
	if from.Active {
		w.Validators--
	}
	if to.Active {
		w.Validators++
	}
}

// checkpoint writes down the weight an account has from this block on, and the sums, if it is another than before.
func (g *Registry) checkpoint(addr account.Address, now Weight) error {
	was, err := WeightAt(g.State, addr, g.Height)
	if err != nil || was == now {
		return err
	}
	sums, err := WeightsAt(g.State, g.Height)
	if err != nil {
		return err
	}
	sums.change(was, now)
	g.State.Set(checkpointKey(weightPrefix(addr), g.Height), now.encode())
	g.State.Set(checkpointKey(recordKey(keyWeights), g.Height), sums.encode())
	if err := g.outdate(weightPrefix(addr)); err != nil {
		return err
	}
	return g.outdate(recordKey(keyWeights))
}

// outdate forgets checkpoints that no vote can ask for: those before the newest one that was written params.GovernanceLongest ago or earlier. A checkpoint is
// written one at a time, so that two deletions keep up.
func (g *Registry) outdate(prefix []byte) error {
	if g.Height <= params.GovernanceLongest {
		return nil
	}
	var list [][]byte
	err := g.State.Scan(prefix, checkpointKey(prefix, g.Height-params.GovernanceLongest+1), 3, func(key, _ []byte) bool {
		list = append(list, append([]byte(nil), key...))
		return true
	})
	for i := 1; i < len(list); i++ {
		g.State.Delete(list[i])
	}
	return err
}

// newest reads the newest checkpoint of a height or before.
func newest(r state.Reader, prefix []byte, height unit.Height, read func(c *codec.Reader)) (err error) {
	failure := r.Scan(prefix, checkpointKey(prefix, height+1), 1, func(_, value []byte) bool {
		c := codec.NewReader(value)
		read(c)
		err = c.Finish()
		return false
	})
	return cmp.Or(failure, err)
}

// checkpointKey inverts the height, so that what follows a key is older.
func checkpointKey(prefix []byte, height unit.Height) []byte {
	return binary.BigEndian.AppendUint64(prefix[:len(prefix):len(prefix)], ^uint64(height))
}

func weightPrefix(addr account.Address) []byte { return append(recordKey(keyWeight), addr[:]...) }
