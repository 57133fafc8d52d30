package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Effect is what a Participant wants done. A Keep must be durable before the effects after it are performed.
type Effect interface{ effect() }

type (
	// Keep asks to store a deal, which is secret; a restarted Participant is given it again. It can be dropped when the epoch the ceremony is for has
	// begun.
	Keep struct{ Deal Deal }
	// SendDeal asks to send a deal to the player of a rank, over a channel nobody else reads.
	SendDeal struct {
		To   uint32
		Deal Deal
	}
	// SendAck asks to send an answer to the dealer of a rank.
	SendAck struct {
		To  uint32
		Ack Ack
	}
	// Post asks to put a log on chain. It comes once.
	Post struct{ Log *Log }
)

func (Keep) effect()     {}
func (SendDeal) effect() {}
func (SendAck) effect()  {}
func (Post) effect()     {}

// Participant is one node's part in a ceremony: dealer, player, both or neither, by its voting key.
//
//   - upon the start and every Retry: send its deal to each player that has not answered.
//   - upon a deal: keep it, then answer.
//   - upon the last answer, or on Deadline with few enough silent: post the log.
//   - upon the end of the ceremony: Finish gives the outcome and this node's share.
//
// Spec: commonware §4.3.
type Participant struct {
	info   *Info
	dealer *Dealer // nil: deals nothing
	player *Player // nil: plays no part in the next epoch
	rank   uint32  // of player
	posted bool
}

// NewParticipant starts a node's part. share is its share of the present key, nil if it has none; kept are the deals stored before a restart. Errors:
// those of NewDealer, and sig.ErrUnsigned when nobody signs at present.
// Spec: commonware §4.3.
func NewParticipant(info *Info, key Key, share *bls.Share, kept []Deal) (*Participant, []Effect, error) {
	p := &Participant{info: info}
	var effects []Effect
	var err error
	if rank, ok := find(info.Players, key.PublicKey()); ok {
		p.rank = rank
		if p.player, err = NewPlayer(info, rank, key); err != nil {
			return nil, nil, err
		}
		for _, d := range p.player.hold(kept) {
			ack, err := p.player.answer(d)
			if err != nil {
				return nil, nil, err
			}
			effects = append(effects, SendAck{d.Dealer, ack})
		}
	}
	if rank, ok := find(info.Dealers, key.PublicKey()); ok && share != nil {
		if p.dealer, err = NewDealer(info, rank, key, share.Key); err != nil {
			return nil, nil, err
		}
		effects = append(effects, p.Retry()...)
	}
	return p, effects, nil
}

func find(keys []*bls.PublicKey, public *bls.PublicKey) (uint32, bool) {
	own := public.Bytes()
	for i, k := range keys {
		if k.Bytes() == own {
			return uint32(i), true
		}
	}
	return 0, false
}

// Retry sends this dealer's deal to everybody who has not answered. To itself it deals in place.
func (p *Participant) Retry() (effects []Effect) {
	if p.dealer == nil || p.posted {
		return nil
	}
	for to := range uint32(len(p.info.Players)) {
		if p.dealer.Acknowledged(to) {
			continue
		}
		d, err := p.dealer.Deal(to)
		if err != nil {
			continue // a value of zero cannot be sent; it will be opened
		}
		if p.player == nil || to != p.rank {
			effects = append(effects, SendDeal{to, d})
			continue
		}
		if own, err := p.Deal(d); err == nil {
			effects = append(effects, own...)
		}
	}
	return effects
}

// Deal takes a deal. Errors, of whoever sent it: those of Player.Receive.
// Spec: commonware §4.3 (2).
func (p *Participant) Deal(d Deal) ([]Effect, error) {
	if p.player == nil {
		return nil, ErrRank
	}
	_, had := p.player.deals[d.Dealer]
	ack, err := p.player.Receive(d)
	if err != nil {
		return nil, err
	}
	var effects []Effect
	if !had {
		effects = append(effects, Keep{d})
	}
	if p.dealer != nil && d.Dealer == p.dealer.rank {
		own, err := p.Ack(ack)
		return append(effects, own...), err
	}
	return append(effects, SendAck{d.Dealer, ack}), nil
}

// Ack takes a player's answer. Errors, of whoever sent it: those of Dealer.Acknowledge.
// Spec: commonware §4.3 (2, 3).
func (p *Participant) Ack(a Ack) ([]Effect, error) {
	if p.dealer == nil {
		return nil, ErrRank
	}
	if err := p.dealer.Acknowledge(a); err != nil {
		return nil, err
	}
	if p.dealer.Silent() > 0 {
		return nil, nil
	}
	return p.Deadline(), nil
}

// Deadline posts the log if few enough players are silent. Whoever drives the ceremony calls it while there is still time for a transaction, and again
// after later answers.
// Spec: commonware §4.3 (3).
func (p *Participant) Deadline() []Effect {
	if p.dealer == nil || p.posted {
		return nil
	}
	log, err := p.dealer.Log()
	if err != nil {
		return nil
	}
	p.posted = true
	return []Effect{Post{log}}
}

// Progress is how many players have not answered this node's deal, and how many dealers' deals it holds; zero for a part it does not play.
func (p *Participant) Progress() (silent, held int) {
	if p.dealer != nil {
		silent = p.dealer.Silent()
	}
	if p.player != nil {
		held = len(p.player.deals)
	}
	return silent, held
}

// Posted says that a log of this dealer is on chain already, as after a restart.
func (p *Participant) Posted() { p.posted = true }

// Recover derives the outcome from the logs on chain and the share of the player with a voting key, from the deals it kept; nil if it plays no part.
// Errors: those of Finish. Nothing is signed.
// Spec: commonware §4.3 (4, 5).
func Recover(info *Info, public *bls.PublicKey, kept []Deal, logs []*Log) (*Outcome, *bls.Share, error) {
	p := &Participant{info: info}
	if rank, ok := find(info.Players, public); ok {
		p.rank, p.player = rank, &Player{info: info, rank: rank, deals: map[uint32]Deal{}}
		p.player.hold(kept)
	}
	return p.Finish(logs)
}

// Finish derives the outcome from the logs on chain, and this node's share of it, nil if it plays no part. Errors: those of Info.Finish; with ErrLost the
// outcome holds and the share is missing.
// Spec: commonware §4.3 (4, 5).
func (p *Participant) Finish(logs []*Log) (*Outcome, *bls.Share, error) {
	o, err := p.info.Finish(logs)
	if err != nil || p.player == nil {
		return o, nil, err
	}
	share, err := p.player.Share(o)
	if err != nil {
		return o, nil, err
	}
	return o, &share, nil
}
