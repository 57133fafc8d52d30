package secret

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// simulation is committees over epochs: keys are dealt and passed on by dealers of whom fewer than the threshold do wrong, proxies come and go, and after each
// epoch what was sealed in the first opens with any quorum of the present committee and with no smaller group.
type simulation struct {
	*world
	*rand.Rand
	of          Scope
	size, least int
	next        int // number of the next proxy
	rounds      struct{ done, stuck, punished int }
}

// What a dealer does.
const (
	honest = iota
	silent
	wrongShare    // one receiver gets another number than the commitments say
	wrongConstant // it passes on another secret than its share
	short         // its polynomial has a smaller degree
	infinite      // a commitment is infinity
	behaviours
)

// dealing is what a dealer sent: commitments, and a number for each place.
type dealing struct {
	dealer      *party
	commitments []cbss.Key
	shares      []*cbss.Scalar
}

// Over seeds: committees of 7 with 3 and of 5 with 4, up to two and three wrong dealers.
//
// Spec: secrets-cbss §3 (making keys, resharing), §5 (RotateCommittee, DkgSabotage), §10 (3, 6).
func TestSimulation(t *testing.T) {
	for seed := range rounds(1) {
		for _, size := range [][2]int{{7, 3}, {5, 4}} {
			t.Run(fmt.Sprintf("seed %d, %d of %d", seed, size[1], size[0]), func(t *testing.T) {
				s := &simulation{world: newWorld(t, 0), Rand: rand.New(rand.NewPCG(uint64(seed), uint64(size[0]))), size: size[0], least: size[1]}
				for range size[0] + 6 {
					s.join()
				}
				s.skip(s.Height + 86_400)
				s.run()
			})
		}
	}
}

func (s *simulation) join() {
	s.enrol(s.next)
	s.next++
}

func (s *simulation) run() {
	id := secretOf(owner, "KEY")
	_, err := s.Set(id, Policy{}, nil, &Override{Members: uint32(s.size), Quorum: uint32(s.least)}, digest.Hash{})
	s.must(err)
	s.of = Scope{Secret: id, Version: 1}
	s.end()
	s.end()
	for !s.ceremony() { // all dealers may be too few: the committee tries again within its time
		s.end()
	}
	k, err := LoadKey(s.overlay, s.of)
	s.must(err)
	s.must(s.Finalize(id, 1, s.wrap(id, 1, k)))
	s.opens()
	for range 5 {
		s.churn()
		s.must(s.Reshare(s.of, owner))
		s.end()
		s.end()
		if !s.ceremony() {
			s.rounds.stuck++
			p, err := LoadPending(s.overlay, s.of)
			s.must(err)
			s.at(p.Deadline + 1)
			s.must(s.Expire(s.of, nobody))
		} else {
			s.rounds.done++
		}
		s.opens()
		s.end()
	}
	s.t.Logf("%+v", s.rounds)
	if s.rounds.done+s.rounds.stuck != 5 || s.told(TopicSlashed) != s.rounds.punished {
		s.t.Errorf("%+v, %d punished on chain", s.rounds, s.told(TopicSlashed))
	}
}

// churn has one proxy leave, and as many new ones soak as keep committees whole.
func (s *simulation) churn() {
	leaver := s.proxies[s.IntN(len(s.proxies))]
	if p, err := LoadProxy(s.overlay, leaver.id); err == nil && p.Unbonds == 0 {
		s.must(s.Deregister(leaver.id))
	}
	pool, _, err := s.pool()
	s.must(err)
	for range max(1, s.size+4-len(pool)) {
		s.join()
	}
	s.skip(s.Height + 86_400)
	for range 8 { // proxies that leave or were punished have their committees replaced, one of them in a block; nobody takes part, and it is over
		s.end()
		p, err := LoadPending(s.overlay, s.of)
		s.must(err)
		if p != nil && p.Deadline > 0 {
			s.at(max(p.Deadline+1, s.Height))
			s.must(s.Expire(s.of, nobody))
		}
	}
}

// ceremony has dealers deal, the others complain, and those who are left make or pass on the key. It gives false where too few are left.
func (s *simulation) ceremony() bool {
	p, err := LoadPending(s.overlay, s.of)
	s.must(err)
	k, err := LoadKey(s.overlay, s.of)
	s.must(err)
	dealers := p.Committee
	if k != nil {
		dealers = k.Committee
	}
	wrong := s.IntN(s.least) // at most t − 1
	roles := s.Perm(len(dealers))
	var good []dealing
	var places []uint32
	for i, id := range dealers {
		behaviour := honest
		if roles[i] < wrong {
			behaviour = 1 + s.IntN(behaviours-1)
		}
		d := s.dealt(s.party(id), uint32(i+1), k, behaviour)
		if d != nil && s.qualifies(d, uint32(i+1), k, p) {
			good, places = append(good, *d), append(places, uint32(i+1))
			if behaviour != honest && behaviour != wrongConstant {
				s.t.Errorf("a dealer of behaviour %d is believed", behaviour)
			}
		}
	}
	if len(good) < s.least {
		return false
	}
	r := s.joined(good, places, k, p)
	s.forgeries(r, k)
	s.sign(r, k)
	s.must(s.bring(r))
	s.shares[tag(s.of, r.next.Epoch)] = r.shares
	return true
}

// dealt is what a dealer sends: of a new key a secret of its own, of one that is passed on its share.
func (s *simulation) dealt(p *party, place uint32, k *ReleaseKey, behaviour int) *dealing {
	if behaviour == silent {
		return nil
	}
	first := s.number()
	if k != nil && behaviour != wrongConstant {
		first = s.shares[tag(s.of, k.Epoch)][place-1]
	}
	poly := cbss.Polynomial{first}
	for len(poly) < s.least {
		poly = append(poly, s.number())
	}
	if behaviour == short {
		poly = poly[:s.least-1]
	}
	d := &dealing{dealer: p, commitments: poly.Commitments()}
	for to := range s.size {
		share, err := poly.At(uint32(to + 1))
		s.must(err)
		d.shares = append(d.shares, share)
	}
	switch behaviour {
	case wrongShare:
		d.shares[s.IntN(s.size)] = s.number()
	case infinite:
		d.commitments[s.least-1] = cbss.Key{0xc0}
	}
	return d
}

// qualifies is what everybody can check once complaints are heard: the degree, the points, that a share is passed on and no other secret, and that each
// receiver got what the commitments say. A share that contradicts them costs its dealer a part of its stake on chain.
func (s *simulation) qualifies(d *dealing, place uint32, k *ReleaseKey, p *Pending) bool {
	if len(d.commitments) != int(p.Quorum) {
		return false
	}
	for _, c := range d.commitments {
		if c.Check() != nil {
			return false
		}
	}
	if k != nil {
		public, err := cbss.PublicShare(k.Commitments, place)
		s.must(err)
		if d.commitments[0] != public {
			return false
		}
	}
	for to, share := range d.shares {
		if cbss.CheckShare(d.commitments, uint32(to+1), share) == nil {
			continue
		}
		signed := &cbss.Deal{
			ChainID: chainID, Scope: s.of.Bytes(), Epoch: 1, Dealer: d.dealer.id, Place: uint8(to + 1), Commitments: d.commitments,
			Share: [cbss.ScalarSize]byte(share.Bytes()),
		}
		if x, err := LoadProxy(s.overlay, d.dealer.id); err == nil && x.Slashed[Sabotage] == 0 {
			s.must(s.Slash(d.dealer.id, Sabotage, signed.Signed(d.dealer.key)))
			s.rounds.punished++
		}
		return false
	}
	return true
}

// joined adds up what the qualified dealers sent, with Lagrange's weights where a key is passed on.
func (s *simulation) joined(good []dealing, places []uint32, k *ReleaseKey, p *Pending) *rotation {
	r := &rotation{scope: s.of, next: Generation{Epoch: 1, Committee: p.Committee}}
	if k != nil {
		r.next.Epoch = k.Epoch + 1
		weights, err := cbss.Weights(places)
		s.must(err)
		for i := range good {
			for j := range good[i].commitments {
				good[i].commitments[j], err = good[i].commitments[j].Scaled(weights[i])
				s.must(err)
			}
			for j := range good[i].shares {
				good[i].shares[j], err = good[i].shares[j].Times(weights[i])
				s.must(err)
			}
		}
	}
	var dealt [][]cbss.Key
	for _, d := range good {
		dealt = append(dealt, d.commitments)
	}
	var err error
	r.next.Commitments, err = cbss.SumCommitments(dealt)
	s.must(err)
	r.master = r.next.Commitments[0]
	for to := range s.size {
		var parts []*cbss.Scalar
		for _, d := range good {
			parts = append(parts, d.shares[to])
		}
		share, err := cbss.Sum(parts)
		s.must(err)
		public, err := cbss.PublicShare(r.next.Commitments, uint32(to+1))
		s.must(err)
		if share.Public() != public {
			s.t.Fatalf("place %d has another share than the commitments say", to+1)
		}
		r.shares = append(r.shares, share)
	}
	return r
}

// forgeries are what fewer than a quorum try to bring in the place of what was agreed.
func (s *simulation) forgeries(r *rotation, k *ReleaseKey) {
	forged := *r
	poly := cbss.Polynomial{}
	for range s.least {
		poly = append(poly, s.number())
	}
	forged.next.Commitments = poly.Commitments()
	if k != nil {
		forged.next.Commitments[0] = k.Master
	}
	forged.master = forged.next.Commitments[0]
	s.sign(&forged, k)
	forged.signed = forged.signed[:s.least-1]
	s.refused(ErrSignatures, func() error { return s.bring(&forged) })
	if k != nil {
		s.sign(&forged, k)
		forged.prior = forged.prior[:s.least-1]
		s.refused(ErrSignatures, func() error { return s.bring(&forged) })
	}
}

// opens holds what was sealed in the first epoch against the present committee.
func (s *simulation) opens() {
	k, err := LoadKey(s.overlay, s.of)
	s.must(err)
	v, err := LoadVersion(s.overlay, s.of.Secret, 1)
	s.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	s.must(err)
	to := s.identity(s.of.Secret, 1, v.Epoch, k.Master)
	group := func(size int) []cbss.Partial {
		var list []cbss.Partial
		for _, i := range s.Perm(s.size)[:size] {
			p := cbss.Partial{Place: uint32(i + 1), Point: cbss.Sign(s.shares[tag(s.of, k.Epoch)][i], to)}
			s.must(cbss.CheckPartial(to, k.Commitments, p))
			list = append(list, p)
		}
		return list
	}
	for size := s.least - 1; size <= s.size; size++ {
		sigma, err := cbss.Combine(group(size))
		s.must(err)
		key, err := e.Open(sigma)
		if opened := err == nil && key == dataKey; opened != (size >= s.least) {
			s.t.Errorf("epoch %d: %d of %d open it: %v", k.Epoch, size, s.size, opened)
		}
	}
	if k.Epoch == 1 {
		return
	}
	// One fewer than a quorum of the present committee and the share of a former one open nothing.
	mixed := group(s.least - 1)
	for i := range s.size {
		place := uint32(i + 1)
		if !containsPlace(mixed, place) {
			mixed = append(mixed, cbss.Partial{Place: place, Point: cbss.Sign(s.shares[tag(s.of, k.Epoch-1)][i], to)})
			break
		}
	}
	sigma, err := cbss.Combine(mixed)
	s.must(err)
	if _, err := e.Open(sigma); err == nil {
		s.t.Errorf("epoch %d: shares of two epochs open it", k.Epoch)
	}
}

func containsPlace(list []cbss.Partial, place uint32) bool {
	for _, p := range list {
		if p.Place == place {
			return true
		}
	}
	return false
}
