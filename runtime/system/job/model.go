package job

import (
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// marks are the models that governance has flagged or banned.
//
// Spec: governance-staking B3 (registries), B9 (model flags); WP §5.1.
var marks = chapter.Param{Key: model.KeyMarks, Default: model.Marks(nil).Encode(), Tier: 1, Check: model.CheckMarks}

// catalog is the model registry as a turn sees it. Its events are in the price of what causes them.
func catalog(e *chapter.Env) *model.Registry {
	return &model.Registry{State: e.State, Height: e.Block.Height, Emit: func(topic string, data []byte) {
		e.Effects.Events = append(e.Effects.Events, event(topic, data))
	}}
}

// models are the instructions of the model registry. Marking one model writes all that are marked, and is paid by the byte.
//
// Spec: WP §5.1, §17.4.
func models() []chapter.Instruction {
	return []chapter.Instruction{
		chapter.On(func(e *chapter.Env, in *tx.ModelPublish) ([]byte, error) {
			id, err := catalog(e).Publish(e.Sender, in.Revision())
			return id[:], err
		}),
		on(func(e *chapter.Env, in *tx.ModelWithdraw) error { return catalog(e).Withdraw(e.Sender, in.Model) }),
		on(func(e *chapter.Env, in *tx.ModelMark) error {
			all, err := model.LoadMarks(e.State)
			if err != nil {
				return err
			}
			if all, err = all.With(in.Model, model.Mark(in.Mark)); err != nil {
				return err
			}
			value := all.Encode()
			if err := e.Charge(0, unit.Cells(len(value))*e.Costs().CellsPerByteWritten); err != nil {
				return err
			}
			return e.Configure(model.KeyMarks, value, model.TopicMarks)
		}),
	}
}
