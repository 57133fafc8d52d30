package faulty

import (
	"bytes"
	"math/rand/v2"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Hand is what a Conduct has in its hand.
type Hand interface {
	// Rank is the validator's.
	Rank() uint32
	// Validators is the size of the set.
	Validators() int
	// Signer signs whatever it is asked to; nil while the validator is in no set.
	Signer() replica.Signer
	// Peers are the connected ones.
	Peers() []link.Peer
	// Send sends past the Conduct.
	Send(to link.Peer, c link.Channel, frame []byte)
	// After runs f later, unless the machine has crashed by then.
	After(d time.Duration, f func())
	// Rand draws from the seed of the run.
	Rand() *rand.Rand
}

// Conduct is how a faulty validator departs from the node it runs.
type Conduct interface {
	// Send takes a frame the node wants to send.
	Send(h Hand, to link.Peer, c link.Channel, frame []byte)
	// Hear takes a frame that arrived, before the node does.
	Hear(h Hand, from link.Peer, c link.Channel, frame []byte)
}

// Deaf is a Conduct that keeps frames from its node.
type Deaf interface {
	// Deaf reports whether the node does not hear a frame that arrived.
	Deaf(h Hand, frame []byte) bool
}

// Twin is the kind whose machines are honest, each by itself: whoever runs it starts two with one key.
const Twin = "twin"

// The kinds that are silent in one thing: they do not propose, or not in time.
const (
	Lazy    = "lazy"
	Dawdler = "dawdler"
)

// Spoiler is the kind that forges nothing but what others say: it passes their blocks on with a signature spoilt.
const Spoiler = "spoiler"

// Slanderer is the kind that accuses everybody: drawn among those that propose invalid blocks.
const Slanderer = "slanderer"

// The kinds that do one thing once: they are in no random plan.
const (
	Perjurer  = "perjurer"
	Misdealer = "misdealer"
)

// The kinds that leave one honest validator out, so that its chain takes it for absent: they do harm to others where they have most of the stake.
const (
	Omitter = "omitter"
	Shunner = "shunner"
)

// Kinds lists the kinds of faulty validators, but those of Invalid, which have plans of their own, Lazy and Dawdler, which are drawn among the silent, Spoiler,
// drawn among the forgers, and Omitter and Shunner, which need most of the stake.
func Kinds() []string {
	return []string{
		"silent", "late", "equivocator", "doublevoter", "withholder", "replayer", "forger", "impersonator", "badproposer", "flooder", "liar", Twin,
	}
}

// New gives a validator's conduct by its kind, or nil for an unknown one. The kinds Perjurer and Misdealer are for stories that need one certain deed.
func New(kind string) Conduct {
	switch kind {
	case "silent":
		return silent{}
	case "late":
		return late{}
	case Lazy:
		return lazy{}
	case Dawdler:
		return dawdler{}
	case "equivocator":
		return equivocator{}
	case "doublevoter":
		return &doublevoter{done: map[sig.Subject]bool{}}
	case "withholder":
		return withholder{}
	case "replayer":
		return &replayer{}
	case "forger":
		return forger{}
	case Spoiler:
		return spoiler{}
	case "impersonator":
		return &impersonator{repeated: map[string]bool{}}
	case "badproposer":
		return badproposer{}
	case "flooder":
		return &flooder{}
	case "liar":
		return liar{}
	case Twin:
		return straight{}
	case Slanderer:
		return &slanderer{done: map[sig.Subject]bool{}}
	case Perjurer:
		return &perjurer{}
	case Omitter:
		return omitter{}
	case Shunner:
		return &shunner{}
	case Misdealer:
		return misdealer{}
	}
	return newInvalid(kind)
}

// straight behaves.
type straight struct{}

func (straight) Send(h Hand, to link.Peer, c link.Channel, frame []byte) { h.Send(to, c, frame) }
func (straight) Hear(Hand, link.Peer, link.Channel, []byte)              {}

// message reads a frame of agreement; nil for any other.
func message(frame []byte) *replica.Agreement {
	f, err := replica.DecodePeerMessage(bytes.Clone(frame))
	if err != nil {
		return nil
	}
	a, _ := f.(*replica.Agreement)
	return a
}

// say sends a message of agreement to one peer.
func say(h Hand, to link.Peer, epoch uint64, m simplex.Message) {
	c := link.Consensus
	if _, ok := m.(*simplex.Propose); ok {
		c = link.Blocks
	}
	h.Send(to, c, replica.EncodePeerMessage(&replica.Agreement{Epoch: epoch, Message: m}))
}

// tell sends a message of agreement to every peer.
func tell(h Hand, epoch uint64, m simplex.Message) {
	for _, p := range h.Peers() {
		say(h, p, epoch, m)
	}
}

// proposal reads the proposal with a block in a frame; nil for any other frame.
func proposal(frame []byte) (a *replica.Agreement, p *simplex.Propose, b *block.Block) {
	if a = message(frame); a == nil {
		return nil, nil, nil
	}
	p, ok := a.Message.(*simplex.Propose)
	if !ok || len(p.Block) == 0 {
		return nil, nil, nil
	}
	b, err := block.Decode(p.Block)
	if err != nil {
		return nil, nil, nil
	}
	return a, p, b
}

// vote signs a vote to notarize.
func vote(h Hand, s sig.Subject, half *simplex.Half) *simplex.Vote {
	v, err := h.Signer().SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: s, Signer: h.Rank(), Half: half})
	if err != nil {
		panic(err)
	}
	return v
}

func subjectOf(b *block.Block) sig.Subject {
	return sig.Subject{BlockHash: b.Hash(), Height: uint64(b.Header.Height), Round: b.Header.Round()}
}
