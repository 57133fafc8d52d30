package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The pace of a ceremony, as parts of an epoch. A node's own matter: others need not keep it.
const (
	retryPart = 120 // between repetitions of deals nobody answered
	postPart  = 4   // before the epoch's end: who is silent by then is opened
)

// Attendant is a validator's part in the resharings of its chain: it watches blocks become final and takes part with its voting key and its share.
// Values in, values out; it keeps nothing durable and sends nothing.
//
//   - upon a final block from the midpoint on: start the ceremony's Participant, with the deals stored for that epoch; now and then repeat deals, and the
//     log while it is not on chain; late in the epoch post the log with the silent opened.
//   - upon a deal or an answer of a peer: as Participant.
//   - upon the epoch's last block: the ceremony is over. What it left is Recover's to find.
//
// Spec: commonware §4.3.
type Attendant struct {
	Namespace sig.Namespace
	Calendar  params.Calendar
	Key       beacon.Key // voting key
	// Held gives this node's share of the key that holds from an epoch on; nil for none.
	Held func(sharing uint64) *bls.Share
	// Kept gives the deals stored for the ceremony of an epoch, by effect beacon.Keep.
	Kept func(epoch uint64) []beacon.Deal

	part  *beacon.Participant
	info  *beacon.Info
	next  uint64      // epoch the part is for
	log   *beacon.Log // posted in it
	again unit.Height // when deals are repeated
}

// Final takes the state after a final block; heights ascend, and some may be left out. The effects may be performed at any time, in their order. An
// error is a failing source, or keys that do not fit the chain.
// Spec: commonware §4.3.
func (a *Attendant) Final(height unit.Height, v state.Reader) ([]beacon.Effect, error) {
	epoch := a.Calendar.Epoch(height)
	switch {
	case height == a.Calendar.Last(epoch) || height < a.Calendar.Freeze(epoch):
		a.part, a.info, a.log = nil, nil, nil
		return nil, nil
	case a.part == nil || a.next != epoch+1:
		return a.begin(height, epoch, v)
	case height < a.again:
		return a.late(height, epoch), nil
	}
	a.again = a.after(height)
	effects := a.part.Retry()
	if a.log != nil {
		_, there, err := v.Lookup(logKey(a.log.Dealer))
		if err != nil {
			return nil, err
		}
		if !there {
			effects = append(effects, beacon.Post{Log: a.log})
		}
	}
	return a.note(append(effects, a.late(height, epoch)...)), nil
}

func (a *Attendant) after(height unit.Height) unit.Height {
	return height + unit.Height(max(a.Calendar.Blocks()/retryPart, 1))
}

// late posts the log with the silent in the open once the epoch's end is near.
func (a *Attendant) late(height unit.Height, epoch uint64) []beacon.Effect {
	if uint64(a.Calendar.Last(epoch)-height) > a.Calendar.Blocks()/postPart {
		return nil
	}
	return a.note(a.part.Deadline())
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
func (a *Attendant) begin(height unit.Height, epoch uint64, v state.Reader) ([]beacon.Effect, error) {
	a.part, a.info, a.log = nil, nil, nil
	rec, err := loadEpoch(v, epoch)
	if err != nil {
		return nil, err
	}
	info, _, ok, err := Ceremony(v, a.Namespace, epoch)
	if err != nil || !ok {
		return nil, err
	}
	part, effects, err := beacon.NewParticipant(info, a.Key, a.Held(rec.Sharing), a.Kept(epoch+1))
	if err != nil {
		return nil, err
	}
	a.part, a.info, a.next, a.again = part, info, epoch+1, a.after(height)
	a.note(effects) // of a set of one: all have answered already
	if rank, ok := info.Dealer(a.Key); ok {
		if _, posted, err := v.Lookup(logKey(rank)); err != nil {
			return nil, err
		} else if posted {
			part.Posted()
		}
	}
	return append(effects, a.late(height, epoch)...), nil
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

// Ceremony is the ceremony under way and the epoch it is for; nil if there is none.
func (a *Attendant) Ceremony() (info *beacon.Info, epoch uint64) { return a.info, a.next }

// Progress is beacon.Participant's; zero without a ceremony.
func (a *Attendant) Progress() (silent, held int) {
	if a.part == nil {
		return 0, 0
	}
	return a.part.Progress()
}

// Log is this node's dealer log of the ceremony under way, once it was posted.
func (a *Attendant) Log() *beacon.Log { return a.log }

// Recover derives the share of the key that an epoch holds, if the key was renewed for it and this voting key plays: from the deals stored for the
// ceremony and the dealer logs, which a state holds from the epoch before's last block to the epoch's midpoint. It gives nil where there is nothing to
// derive, and where what this node acknowledged is lost.
// Spec: commonware §4.3 (4, 5).
func Recover(v state.Reader, n sig.Namespace, key beacon.Key, epoch uint64, kept []beacon.Deal) (*bls.Share, error) {
	info, logs, ok, err := Concluded(v, n, epoch)
	if err != nil || !ok {
		return nil, err
	}
	_, share, err := beacon.Recover(info, key.PublicKey(), kept, logs)
	if err != nil {
		return nil, nil
	}
	return share, nil
}

// Posted reports whether the dealer log of a member is on chain.
func Posted(r state.Reader, rank uint32) (bool, error) {
	_, there, err := r.Lookup(logKey(rank))
	return there, err
}
