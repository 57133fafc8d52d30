package attendant

import (
	"errors"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// effect is what the duties want done. Effects are performed in order, and the next one only after the one before: what stands behind keep or store waits until
// that is durable.
type effect interface{ effect() }

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
	// keep makes a deal durable.
	keep struct {
		epoch uint64
		deal  beacon.Deal
	}
	// store makes the evidence that waits durable.
	store struct{ charges [][]byte }
)

func (send) effect()   {}
func (report) effect() {}
func (submit) effect() {}
func (keep) effect()   {}
func (store) effect()  {}

// postsMax bounds what a dealer log costs that the chain does not take.
const postsMax = 8

// duties are a validator's: events in, effects out.
type duties struct {
	ceremony *stake.Attendant
	peers    roster.Roster[claim]
	charges  charges
	writer   *txWriter     // nil: nothing can be sent
	own      []byte        // the introduction, once made
	sign     func() []byte // makes it, or gives nil when nobody signs at present

	present unit.Height // when this node last introduced itself
	offered unit.Height // when a transaction was last offered
	posts   int         // transactions that were to carry the log of the ceremony under way
	info    Status
	unpaid  bool // what was wanted last could not be paid for
}

// up takes a peer that connects.
func (d *duties) up(p link.Peer) []effect {
	d.peers.Add(p, claim{})
	return d.introduce(p)
}

// introduce tells a peer with which key this node signs, once that is signed.
func (d *duties) introduce(p link.Peer) []effect {
	if d.own == nil && d.sign != nil {
		d.own = d.sign()
	}
	if d.own == nil {
		return nil
	}
	return []effect{send{p, d.own}}
}

func (d *duties) down(p link.Peer) { d.peers.Remove(p) }

// accuse takes evidence.
func (d *duties) accuse(e *simplex.Evidence) []effect {
	if d.writer == nil || !d.charges.add(e) {
		return nil
	}
	return []effect{store{d.charges.raw()}}
}

// final takes the newest durable state. An error is a failing source, or keys that do not fit the chain.
func (d *duties) final(height unit.Height, v *state.Commit) ([]effect, error) {
	effects, err := d.ceremony.Final(height, v)
	if errors.Is(err, sig.ErrUnsigned) {
		err = nil // the next block tries again
	}
	if err != nil {
		return nil, err
	}
	var out []effect
	if info, _ := d.ceremony.Ceremony(); info != nil && height >= d.present+d.pause() {
		d.present = height
		for _, p := range d.peers.All() {
			out = append(out, d.introduce(p.ID)...)
		}
	}
	out = append(out, d.follow(effects, nil)...)
	offer, err := d.transaction(height, v)
	if err != nil {
		return nil, err
	}
	return append(out, offer...), d.look(height, v)
}

// pause is how many blocks lie between repetitions: one in a short epoch, 30 in the usual one.
func (d *duties) pause() unit.Height {
	return unit.Height(max(d.ceremony.Calendar.Blocks()/120, 1))
}

// follow gives what the ceremony wants. asker is who sent what it answers. Logs are not posted here: transaction looks for them.
func (d *duties) follow(effects []beacon.Effect, asker *link.Peer) (out []effect) {
	info, epoch := d.ceremony.Ceremony()
	for _, e := range effects {
		switch e := e.(type) {
		case beacon.Keep:
			out = append(out, keep{epoch, e.Deal})
		case beacon.SendDeal:
			out = append(out, d.tell(info.Players[e.To], nil, &Deal{epoch, e.Deal})...)
		case beacon.SendAck:
			out = append(out, d.tell(info.Dealers[e.To], asker, &Ack{epoch, e.Ack})...)
		}
	}
	return out
}

// tell sends to whoever signs with a key; to somebody else only if nobody does.
func (d *duties) tell(key *bls.PublicKey, otherwise *link.Peer, f PeerMessage) (out []effect) {
	list := d.with(key.Bytes())
	if len(list) == 0 && otherwise != nil {
		list = []link.Peer{*otherwise}
	}
	if len(list) == 0 {
		return nil
	}
	frame := EncodePeerMessage(f)
	for _, p := range list {
		out = append(out, send{p, frame})
	}
	return out
}

// heard takes a frame of a connected peer. What only a liar sends is reported; what comes too early, too late or astray is not.
func (d *duties) heard(from link.Peer, data []byte, now time.Time) []effect {
	p := d.peers.Of(from)
	if p == nil || !p.Allow(now) {
		return nil
	}
	f, err := DecodePeerMessage(data)
	if err != nil {
		return []effect{report{from, "a frame that does not decode: " + err.Error()}}
	}
	var effects []beacon.Effect
	switch f := f.(type) {
	case *Introduction:
		p.Role.introduced(f)
		return nil
	case *Deal:
		effects, err = d.ceremony.Deal(f.Epoch, f.Deal)
	case *Ack:
		effects, err = d.ceremony.Ack(f.Epoch, f.Ack)
	}
	switch {
	case errors.Is(err, beacon.ErrInfo), errors.Is(err, beacon.ErrRank), errors.Is(err, sig.ErrUnsigned):
		return nil
	case err != nil:
		return []effect{report{from, err.Error()}}
	}
	return d.follow(effects, &from)
}

// transaction offers the one that is due to the lanes: the dealer log while it is not on chain, else evidence. Evidence that is done with is forgotten first.
func (d *duties) transaction(height unit.Height, v *state.Commit) (out []effect, err error) {
	if d.writer == nil {
		return nil, nil
	}
	dropped, err := d.charges.settle(height, v)
	if err != nil {
		return nil, err
	}
	if dropped {
		out = append(out, store{d.charges.raw()})
	}
	set, err := stake.SetAt(v, d.ceremony.Calendar.Epoch(height+1))
	if err != nil {
		return nil, err
	}
	in, spent, err := d.wanted(height, v, set)
	if in == nil || err != nil {
		d.unpaid = false
		return out, err
	}
	before := d.writer.out
	raw, err := d.writer.write(in, len(set.Members), v, spent)
	d.unpaid = errors.Is(err, errUnpaid)
	switch {
	case d.unpaid:
		return out, nil
	case err != nil:
		return nil, err
	case len(before) > 0 && &before[0] == &raw[0] && height < d.offered+d.pause():
		return out, nil
	}
	d.offered = height
	return append(out, submit{raw}), nil
}

// wanted is the instruction that is to be on chain next, and what to do when its transaction's place there is taken.
func (d *duties) wanted(height unit.Height, v *state.Commit, set *stake.Set) (in tx.Instruction, spent func(), err error) {
	if log := d.ceremony.Log(); log != nil {
		there, err := stake.Posted(v, log.Dealer)
		if err != nil {
			return nil, nil, err
		}
		if !there && d.posts < postsMax {
			if data, ok := d.posted(log, set); ok {
				return &tx.SystemDkg{Log: data}, func() { d.posts++ }, nil
			}
		}
	} else {
		d.posts = 0
	}
	if x := d.charges.next(height, set, d.ceremony.Key); x != nil {
		return &tx.SubmitMisbehaviour{Evidence: x.raw}, func() { x.tries++ }, nil
	}
	return nil, nil, nil
}

// posted is the log as the account that sends posts it: with the dealer's signature where another account registered the voting key. ok is false where nobody
// signs at present.
// Spec: commonware §4.3 (3).
func (d *duties) posted(log *beacon.Log, set *stake.Set) (data []byte, ok bool) {
	if d.owns(set) {
		return log.Encode(), true
	}
	info, _ := d.ceremony.Ceremony()
	data, err := info.Vouch(log, d.ceremony.Key)
	return data, err == nil
}

// owns reports whether the account that sends is the one that registered the voting key.
func (d *duties) owns(set *stake.Set) bool {
	rank, member := set.Find(d.ceremony.Key.PublicKey().Bytes())
	return member && set.Members[rank].Address == d.writer.key.Address()
}

// look brings the status up to date.
func (d *duties) look(height unit.Height, v *state.Commit) error {
	s := Status{Charges: len(d.charges.list), Unpaid: d.unpaid}
	if info, epoch := d.ceremony.Ceremony(); info != nil {
		s.Mute = d.writer == nil
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
func introduction(key beacon.Key, preimage []byte) []byte {
	signature, err := key.Attest(preimage)
	if err != nil {
		return nil // nobody signs at present
	}
	return EncodePeerMessage(&Introduction{Key: key.PublicKey().Bytes(), Signature: signature})
}
