package attendant

import (
	"errors"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// output is what the duties want done.
type output interface{ output() }

type (
	send struct {
		to    link.Peer
		frame []byte
	}
	report struct {
		peer link.Peer
		why  string
	}
	submit struct{ raw []byte }
)

func (send) output()   {}
func (report) output() {}
func (submit) output() {}

// postsMax bounds what a dealer log costs that the chain does not take.
const postsMax = 8

// duties are a validator's: events in, outputs out. keep and store make durable what they are given before they return.
type duties struct {
	ceremony *stake.Attendant
	company  company
	charges  charges
	desk     *desk // nil: nothing can be sent
	own      []byte
	keep     func(epoch uint64, d beacon.Deal)
	store    func(charges [][]byte)

	present unit.Height // when this node last introduced itself
	offered unit.Height // when a transaction was last offered
	posts   int         // transactions that were to carry the log of the ceremony under way
	info    Status
}

// up takes a peer that connects.
func (d *duties) up(p link.Peer) []output {
	d.company.add(p)
	return []output{send{p, d.own}}
}

func (d *duties) down(p link.Peer) { d.company.remove(p) }

// accuse takes evidence.
func (d *duties) accuse(e *simplex.Evidence) {
	if d.desk != nil && d.charges.add(e) {
		d.store(d.charges.raw())
	}
}

// final takes the newest durable state. An error is a failing source, or keys that do not fit the chain.
func (d *duties) final(height unit.Height, v *state.Commit) ([]output, error) {
	effects, err := d.ceremony.Final(height, v)
	if err != nil {
		return nil, err
	}
	var out []output
	if info, _ := d.ceremony.Ceremony(); info != nil && height >= d.present+d.pause() {
		d.present = height
		for _, p := range d.company.list {
			out = append(out, send{p.id, d.own})
		}
	}
	out = append(out, d.perform(effects, nil)...)
	raw, err := d.transaction(height, v)
	if err != nil {
		return nil, err
	}
	if raw != nil {
		out = append(out, submit{raw})
	}
	return out, d.look(height, v)
}

// pause is how many blocks lie between repetitions: one in a short epoch, 30 in the usual one.
func (d *duties) pause() unit.Height {
	return unit.Height(max(d.ceremony.Calendar.Blocks()/120, 1))
}

// perform does what the ceremony wants. asker is who sent what it answers. Logs are not posted here: transaction looks for them.
func (d *duties) perform(effects []beacon.Effect, asker *link.Peer) (out []output) {
	info, epoch := d.ceremony.Ceremony()
	for _, e := range effects {
		switch e := e.(type) {
		case beacon.Keep:
			d.keep(epoch, e.Deal)
		case beacon.SendDeal:
			out = append(out, d.tell(info.Players[e.To], nil, &Deal{epoch, e.Deal})...)
		case beacon.SendAck:
			out = append(out, d.tell(info.Dealers[e.To], asker, &Ack{epoch, e.Ack})...)
		}
	}
	return out
}

// tell sends to whoever signs with a key; to somebody else only if nobody does.
func (d *duties) tell(key *bls.PublicKey, otherwise *link.Peer, f Frame) (out []output) {
	list := d.company.with(key.Bytes())
	if len(list) == 0 && otherwise != nil {
		list = []link.Peer{*otherwise}
	}
	if len(list) == 0 {
		return nil
	}
	frame := EncodeFrame(f)
	for _, p := range list {
		out = append(out, send{p, frame})
	}
	return out
}

// heard takes a frame of a connected peer. What only a liar sends is reported; what comes too early, too late or astray is not.
func (d *duties) heard(from link.Peer, data []byte, now time.Time) []output {
	p := d.company.of(from)
	if p == nil || !p.grant(now) {
		return nil
	}
	f, err := DecodeFrame(data)
	if err != nil {
		return []output{report{from, "a frame that does not decode: " + err.Error()}}
	}
	var effects []beacon.Effect
	switch f := f.(type) {
	case *Introduce:
		p.introduced(f)
		return nil
	case *Deal:
		effects, err = d.ceremony.Deal(f.Epoch, f.Deal)
	case *Ack:
		effects, err = d.ceremony.Ack(f.Epoch, f.Ack)
	}
	switch {
	case errors.Is(err, beacon.ErrInfo), errors.Is(err, beacon.ErrRank):
		return nil
	case err != nil:
		return []output{report{from, err.Error()}}
	}
	return d.perform(effects, &from)
}

// transaction gives the one to offer to the lanes now: the dealer log while it is not on chain, else evidence. nil: none.
func (d *duties) transaction(height unit.Height, v *state.Commit) ([]byte, error) {
	if d.desk == nil {
		return nil, nil
	}
	dropped, err := d.charges.settle(height, v)
	if err != nil {
		return nil, err
	}
	if dropped {
		d.store(d.charges.raw())
	}
	set, err := stake.SetAt(v, d.ceremony.Calendar.Epoch(height+1))
	if err != nil {
		return nil, err
	}
	in, spent, err := d.wanted(height, v, set)
	if in == nil || err != nil {
		return nil, err
	}
	before := d.desk.out
	raw, err := d.desk.write(in, len(set.Members), v, spent)
	if errors.Is(err, errUnpaid) {
		return nil, nil
	}
	if err != nil || len(before) > 0 && &before[0] == &raw[0] && height < d.offered+d.pause() {
		return nil, err
	}
	d.offered = height
	return raw, nil
}

// wanted is the instruction that is to be on chain next, and what to do when its transaction's place there is taken.
func (d *duties) wanted(height unit.Height, v *state.Commit, set *stake.Set) (in tx.Instruction, spent func(), err error) {
	if log := d.ceremony.Log(); log != nil {
		there, err := stake.Posted(v, log.Dealer)
		if err != nil {
			return nil, nil, err
		}
		if !there && d.posts < postsMax && d.owns(set) {
			return &tx.SystemDkg{Log: log.Encode()}, func() { d.posts++ }, nil
		}
	} else {
		d.posts = 0
	}
	if x := d.charges.next(height, set, d.ceremony.Key); x != nil {
		return &tx.SubmitMisbehaviour{Evidence: x.raw}, func() { x.tries++ }, nil
	}
	return nil, nil, nil
}

// owns reports whether the account that sends is the one that registered the voting key: a log from any other is refused.
func (d *duties) owns(set *stake.Set) bool {
	rank, member := set.Find(d.ceremony.Key.PublicKey().Bytes())
	return member && set.Members[rank].Address == d.desk.key.Address()
}

// look brings the status up to date.
func (d *duties) look(height unit.Height, v *state.Commit) error {
	s := Status{Charges: len(d.charges.list)}
	if info, epoch := d.ceremony.Ceremony(); info != nil {
		set, err := stake.SetAt(v, d.ceremony.Calendar.Epoch(height))
		if err != nil {
			return err
		}
		s.Mute = d.desk == nil || !d.owns(set)
		s.Epoch, s.Dealers, s.Players, s.Required = epoch, len(info.Dealers), len(info.Players), info.Required()
		_, s.Dealer = info.Dealer(d.ceremony.Key)
		_, s.Player = info.Player(d.ceremony.Key)
		s.Silent, s.Held = d.ceremony.Progress()
		for rank := range uint32(s.Dealers) {
			there, err := stake.Posted(v, rank)
			if err != nil {
				return err
			}
			if there {
				s.Logs++
			}
		}
	}
	d.info = s
	return nil
}

// introduction is the frame that says whose node this is.
func introduction(key *bls.PrivateKey, preimage []byte) []byte {
	return EncodeFrame(&Introduce{Key: key.PublicKey().Bytes(), Signature: key.Sign(preimage)})
}
