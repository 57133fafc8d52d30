package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The pace of a ceremony, in blocks. A node's own matter: others need not keep it.
const (
	retryBlocks = 30  // between repetitions of deals nobody answered
	postBlocks  = 900 // before the epoch's end: who is silent by then is opened
)

// View is a final state as an Attendant reads it; *state.Commit is one.
type View interface {
	Reader
	Scanner
}

// Attendant is a validator's part in the resharings of its chain: it watches blocks become final and takes part with its voting key and its share.
// Values in, values out; it keeps nothing durable and sends nothing.
//
//   - upon a final block from the midpoint on: start the ceremony's Participant, with the deals stored for that epoch; now and then repeat deals, and the
//     log while it is not on chain; late in the epoch post the log with the silent opened.
//   - upon a deal or an answer of a peer: as Participant.
//   - upon the epoch's last block: the share of the next epoch, if the key was renewed and this node plays; the same share if key and set were carried
//     forward.
//
// Spec: commonware §4.3.
type Attendant struct {
	Namespace sig.Namespace
	Key       *bls.PrivateKey // voting key
	// Share is of the present epoch's key; nil for one that holds none.
	Share *bls.Share
	// Kept gives the deals stored for the ceremony of an epoch, by effect beacon.Keep.
	Kept func(epoch uint64) []beacon.Deal

	part *beacon.Participant
	next uint64      // epoch the part is for
	log  *beacon.Log // posted in it
}

// Renewal is a change of what this node signs seeds with.
type Renewal struct {
	Epoch uint64
	Share *bls.Share // nil: this node holds none in the epoch
}

// Final takes the state after a final block, ascending and without gaps but for those before the first. Effects may be performed at any time; the renewal
// comes with an epoch's last block. An error is a failing source, or keys that do not fit the chain.
// Spec: commonware §4.3.
func (a *Attendant) Final(height unit.Height, v View) (effects []beacon.Effect, renewal *Renewal, err error) {
	epoch := block.EpochOf(height)
	switch {
	case height == LastHeight(epoch):
		renewal, err = a.renew(epoch+1, v)
		return nil, renewal, err
	case height < FirstHeight(epoch)+params.SetFreezeBlock:
		return nil, nil, nil
	case a.part == nil || a.next != epoch+1:
		if effects, err = a.begin(epoch, v); err != nil || a.part == nil {
			return effects, nil, err
		}
	case height%retryBlocks == 0:
		effects = a.part.Retry()
		if a.log != nil {
			_, there, err := v.Lookup(logKey(a.log.Dealer))
			if err != nil {
				return nil, nil, err
			}
			if !there {
				effects = append(effects, beacon.Post{Log: a.log})
			}
		}
	}
	if LastHeight(epoch)-height <= postBlocks {
		effects = append(effects, a.part.Deadline()...)
	}
	return a.note(effects), nil, nil
}

// note remembers a log that is to be posted.
func (a *Attendant) note(effects []beacon.Effect) []beacon.Effect {
	for _, e := range effects {
		if post, ok := e.(beacon.Post); ok {
			a.log = post.Log
		}
	}
	return effects
}

// begin starts the ceremony of the epoch after, if there is one.
func (a *Attendant) begin(epoch uint64, v View) ([]beacon.Effect, error) {
	info, _, ok, err := Ceremony(v, a.Namespace, epoch)
	if err != nil || !ok {
		return nil, err
	}
	part, effects, err := beacon.NewParticipant(info, a.Key, a.Share, a.Kept(epoch+1))
	if err != nil {
		return nil, err
	}
	a.part, a.next, a.log = part, epoch+1, nil
	if rank, ok := info.Dealer(a.Key); ok {
		if _, posted, err := v.Lookup(logKey(rank)); err != nil {
			return nil, err
		} else if posted {
			part.Posted()
		}
	}
	return effects, nil
}

// Deal takes a peer's deal for the ceremony of an epoch. Errors are the sender's: beacon.ErrInfo where no such ceremony is under way here, and those of
// Participant.Deal.
func (a *Attendant) Deal(epoch uint64, d beacon.Deal) ([]beacon.Effect, error) {
	if a.part == nil || a.next != epoch {
		return nil, beacon.ErrInfo
	}
	effects, err := a.part.Deal(d)
	return a.note(effects), err
}

// Ack takes a peer's answer likewise.
func (a *Attendant) Ack(epoch uint64, k beacon.Ack) ([]beacon.Effect, error) {
	if a.part == nil || a.next != epoch {
		return nil, beacon.ErrInfo
	}
	effects, err := a.part.Ack(k)
	return a.note(effects), err
}

// Epoch is the epoch the ceremony under way is for; ok is false if there is none.
func (a *Attendant) Epoch() (epoch uint64, ok bool) { return a.next, a.part != nil }

// renew gives what this node holds in an epoch, from the state after the last block before it. A node that was down asks again with any state up to the
// epoch's midpoint.
func (a *Attendant) renew(epoch uint64, v View) (*Renewal, error) {
	r, err := a.Recover(epoch, v)
	if err != nil {
		return nil, err
	}
	a.part, a.log, a.Share = nil, nil, r.Share
	return r, nil
}

// Recover derives what this node holds in an epoch from a state of its first half, the share of the epoch before, and the stored deals.
// Spec: commonware §4.3 (4, 5).
func (a *Attendant) Recover(epoch uint64, v View) (*Renewal, error) {
	rec, err := loadEpoch(v, epoch)
	if err != nil {
		return nil, err
	}
	if rec.Sharing != epoch { // carried forward with its holders
		return &Renewal{Epoch: epoch, Share: a.Share}, nil
	}
	info, logs, ok, err := Concluded(v, a.Namespace, epoch)
	if err != nil || !ok {
		return &Renewal{Epoch: epoch}, err
	}
	part, _, err := beacon.NewParticipant(info, a.Key, nil, a.Kept(epoch))
	if err != nil {
		return nil, err
	}
	_, share, err := part.Finish(logs)
	if err != nil { // what it acknowledged is lost: it holds no share in this epoch
		return &Renewal{Epoch: epoch}, nil
	}
	return &Renewal{Epoch: epoch, Share: share}, nil
}
