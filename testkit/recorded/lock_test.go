package recorded

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// locked is a time lock that was registered, or tried to be.
type locked struct {
	who   int
	id    digest.Hash
	round sig.Round
}

func (p *player) releaseKey(who int) *secret.ReleaseKey {
	k, err := secret.LoadKey(p.chain.State(), secret.AccountScope(p.people[who].Address()))
	if err != nil {
		p.t.Fatal(err)
	}
	return k
}

// locks is a time lock of a person that opens some rounds later.
func (p *player) locks(who int) tx.Instruction {
	me := p.people[who].Address()
	parent, _ := p.chain.Tip()
	round := parent.Header.Round()
	round.View += 2 + p.draw.Uint64N(20)
	in := &tx.RegisterTlock{
		KeyHash: cbss.KeyHash(me, "LOCK"), RoundEpoch: round.Epoch, RoundView: round.View, WrapEpoch: 1, Pointer: []byte{1, 7},
		Wrapped: make([]byte, cbss.EnvelopeSize),
	}
	k := p.releaseKey(who)
	if k == nil {
		return in
	}
	one := locked{who, secret.LockID(me, in.KeyHash, round), round}
	to := &cbss.Identity{ChainID: testkit.ChainID, Secret: cbss.SecretID{Account: me, KeyHash: one.id}, Epoch: k.Epoch, Master: k.Master}
	e, err := cbss.Wrap(to, p.number(fmt.Sprint("lock ", p.chain.Height())), [cbss.NonceSize]byte{}, [cbss.DataKeySize]byte{1})
	if err != nil {
		p.t.Fatal(err)
	}
	in.WrapEpoch, in.Wrapped = k.Epoch, e.Append(nil)
	p.locked = append(p.locked, one)
	return in
}

// unlocks is a partial of the oldest time lock, by a member of its committee that has given none. One that is open is forgotten.
func (p *player) unlocks() (tx.Instruction, *testkit.Account) {
	for len(p.locked) > 0 {
		one := p.locked[0]
		l, err := secret.LoadLock(p.chain.State(), one.id)
		if err != nil {
			p.t.Fatal(err)
		}
		if l == nil || l.Opened > 0 {
			p.locked = p.locked[1:]
			continue
		}
		e, err := cbss.ParseEnvelope(l.Wrapped)
		if err != nil {
			p.t.Fatal(err)
		}
		to, err := cbss.ParseIdentity(e.Data[:])
		if err != nil {
			p.t.Fatal(err)
		}
		k := p.releaseKey(one.who)
		poly := p.polynomial(one.who, k.Epoch)
		for i, id := range k.Committee {
			if l.Serving == k.Epoch && slices.ContainsFunc(l.Partials, func(x secret.LockPartial) bool { return x.Proxy == id }) {
				continue
			}
			for _, person := range p.people {
				if secret.ProxyID(person.Address(), person.PublicKey()) != id {
					continue
				}
				share, err := poly.At(uint32(i + 1))
				if err != nil {
					p.t.Fatal(err)
				}
				return &tx.SubmitTlockRelease{Lock: one.id, Proxy: id, Epoch: k.Epoch, Partial: cbss.Sign(share, to)}, person
			}
		}
		break
	}
	return &tx.SubmitTlockRelease{Lock: digest.Hash{1}}, p.person()
}
