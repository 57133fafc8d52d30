package job

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// volumes is the Storage Manager as the market sees it.
//
// Spec: storage-cbfs §2.5; WP §5.3.
type volumes struct {
	manager *volume.Manager
	env     *chapter.Env // of a turn; nil at the end of a block, which nobody pays for
}

// volumesOf is that of a turn; systemrelay.Close takes what it burned.
func volumesOf(e *chapter.Env) (*volumes, error) {
	m, err := systemvolume.Open(e)
	return &volumes{m, e}, err
}

// volumesAt is that of the end of a block.
func volumesAt(b *chapter.Boundary) (*volumes, error) {
	g, err := systemrelay.At(b)
	return &volumes{systemvolume.At(b, g), nil}, err
}

// attachments are those of a job.
func attachments(t *market.Task) []volume.Attachment {
	list := make([]volume.Attachment, len(t.Spec.Volumes))
	for i, v := range t.Spec.Volumes {
		list[i] = volume.Attachment{
			Name: v.Name, Mode: v.AccessMode, Prefix: v.PathPrefix, MaxBytes: v.MaxBytes, Mount: v.Mount, SyncSecs: v.SyncInterval,
		}
	}
	return list
}

// Attach implements market.Volumes. The submitter pays for all tokens that will be minted of an attempt.
//
// Spec: storage-cbfs §6 (base attachment fee), §10.
func (v *volumes) Attach(t *market.Task) error {
	list := attachments(t)
	many := unit.Cycles(len(list)) * unit.Cycles(t.Job.Members)
	looks := unit.Cycles(len(list)) * (volume.MaxTokens*params.CostVolumeToken + 5*params.CostVolumeEntry)
	if err := v.env.Charge(many*params.CostVolumeGrant+looks, unit.Cells(many)*params.CellsVolumeGrant); err != nil {
		return err
	}
	fees, err := v.manager.Relays.Terms.Rent.Attachment.Mul(uint64(len(list)))
	if err != nil {
		return err
	}
	a, err := account.Load(v.env.State, t.Job.Submitter)
	if err != nil {
		return err
	}
	if free := v.env.Block.Rent.Spendable(t.Job.Submitter, &a); free < fees {
		return chapter.Refuse(drain.FaultValue, "attached volumes take %d, and %d can be spent", fees, free)
	}
	return v.manager.Attach(t.Job.Submitter, list, t.Job.Members)
}

// Mint implements market.Volumes. The tokens end with the attempt's deadline and the challenge window.
//
// Spec: storage-cbfs §11 (8).
func (v *volumes) Mint(t *market.Task) error {
	return v.manager.Mint(t.Job.Submitter, t.ID, attachments(t), t.Selection.Selected, t.Job.Deadline+params.ChallengeWindowBlocks)
}

// Unmint implements market.Volumes.
func (v *volumes) Unmint(t *market.Task) error {
	return v.manager.Unmint(t.Job.Submitter, t.ID, attachments(t), t.Selection.Selected, t.Job.Assigned)
}
