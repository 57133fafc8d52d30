package secret

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// answer is what a proxy signs for a runner.
func (s *shop) answer(q *cbss.Request, p *party, edit ...func(*cbss.Answer)) []byte {
	share, id, _ := s.share(q, p)
	a := &cbss.Answer{Request: q.Hash(), Proxy: p.id, Epoch: q.Epoch, Served: uint64(s.Height), Partial: cbss.Sign(share, id)}
	for _, e := range edit {
		e(a)
	}
	return a.Signed(p.key)
}

// deal is what a proxy signs as a dealer: place 2 of a polynomial of degree three.
func (s *shop) deal(p *party, edit ...func(*cbss.Deal)) []byte {
	poly := cbss.Polynomial{s.number(), s.number(), s.number(), s.number()}
	share, err := poly.At(2)
	s.must(err)
	d := &cbss.Deal{
		ChainID: chainID, Scope: AccountScope(owner).Bytes(), Epoch: 2, Dealer: p.id, Place: 2, Commitments: poly.Commitments(),
		Share: [cbss.ScalarSize]byte(share.Bytes()),
	}
	for _, e := range edit {
		e(d)
	}
	return d.Signed(p.key)
}

// hidden is what a proxy signs as a dealer of a new key.
func (s *shop) hidden(p *party, edit ...func(*cbss.HiddenDeal)) []byte {
	poly, blind := cbss.Polynomial{s.number(), s.number(), s.number()}, cbss.Polynomial{s.number(), s.number(), s.number()}
	commitments, err := cbss.Hide(poly, blind)
	s.must(err)
	share, err := poly.At(2)
	s.must(err)
	other, err := blind.At(2)
	s.must(err)
	d := &cbss.HiddenDeal{
		ChainID: chainID, Session: digest.Hash{7}, Dealer: p.id, Place: 2, Commitments: commitments,
		Share: [cbss.ScalarSize]byte(share.Bytes()), Blind: [cbss.ScalarSize]byte(other.Bytes()),
	}
	for _, e := range edit {
		e(d)
	}
	return d.Signed(p.key)
}

// The three provable faults with their exact price, and evidence that shows none.
//
// Spec: secrets-cbss §5 (Slashing), §10 (1).
func TestSlashing(t *testing.T) {
	s := newShop(t)
	p, other := s.committee[0], s.committee[1]
	q := s.ask(p)
	asked := q.Signed(runnerKey())
	wrong := func(a *cbss.Answer) { a.Partial = s.partialOf(other, q) }
	later := func(q *cbss.Request) { q.Nonce[0]++ }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	const stake = 10_000 * unit.CBY
	for name, c := range map[string]struct {
		fault    Fault
		evidence []byte
		taken    unit.Amount
		err      error
	}{
		"a wrong partial":           {InvalidPartial, join(asked, s.answer(q, p, wrong)), 500 * unit.CBY, nil},
		"no point at all":           {InvalidPartial, join(asked, s.answer(q, p, func(a *cbss.Answer) { a.Partial = cbss.Point{} })), 500 * unit.CBY, nil},
		"the right partial":         {InvalidPartial, join(asked, s.answer(q, p)), 0, ErrEvidence},
		"another's answer":          {InvalidPartial, join(asked, s.answer(q, other, wrong)), 0, ErrEvidence},
		"to another request":        {InvalidPartial, join(s.ask(p, later).Signed(runnerKey()), s.answer(q, p, wrong)), 0, ErrEvidence},
		"of another epoch":          {InvalidPartial, join(asked, s.answer(q, p, wrong, func(a *cbss.Answer) { a.Epoch++ })), 0, ErrEvidence},
		"request not signed":        {InvalidPartial, join(q.Signed(other.key), s.answer(q, p, wrong)), 0, ErrEvidence},
		"answer alone":              {InvalidPartial, s.answer(q, p, wrong), 0, ErrEvidence},
		"more than an answer":       {InvalidPartial, join(asked, s.answer(q, p, wrong), []byte{0}), 0, ErrEvidence},
		"a share that contradicts":  {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Share[31] ^= 1 }), 500 * unit.CBY, nil},
		"a share of another place":  {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Place = 3 }), 500 * unit.CBY, nil},
		"a share that is no scalar": {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Share = [32]byte{} }), 500 * unit.CBY, nil},
		"infinite commitments":      {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Commitments[1] = cbss.Key{0xc0} }), 500 * unit.CBY, nil},
		"a good share":              {Sabotage, s.deal(p), 0, ErrEvidence},
		"a hidden share":            {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Share[31] ^= 1 }), 500 * unit.CBY, nil},
		"a hidden blind":            {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Blind[31] ^= 1 }), 500 * unit.CBY, nil},
		"hidden, no scalar":         {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Blind = [32]byte{} }), 500 * unit.CBY, nil},
		"hidden, infinite":          {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Commitments[0] = cbss.Key{0xc0} }), 500 * unit.CBY, nil},
		"a good hidden share":       {Sabotage, s.hidden(p), 0, ErrEvidence},
		"another's hidden share":    {Sabotage, s.hidden(other, func(d *cbss.HiddenDeal) { d.Share[31] ^= 1 }), 0, ErrEvidence},
		"in another's name":         {Sabotage, s.hidden(other, func(d *cbss.HiddenDeal) { d.Dealer, d.Share[31] = p.id, 1 }), 0, ErrEvidence},
		"hidden, another chain":     {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Share[31] ^= 1; d.ChainID++ }), 0, ErrEvidence},
		"hidden, to nobody":         {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Place = 0 }), 0, ErrEvidence},
		"hidden, nothing dealt":     {Sabotage, s.hidden(p, func(d *cbss.HiddenDeal) { d.Commitments = nil }), 0, ErrEvidence},
		"another dealer's":          {Sabotage, s.deal(other, func(d *cbss.Deal) { d.Share[31] ^= 1 }), 0, ErrEvidence},
		"of another chain":          {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Share[31] ^= 1; d.ChainID++ }), 0, ErrEvidence},
		"to nobody":                 {Sabotage, s.deal(p, func(d *cbss.Deal) { d.Place = 16 }), 0, ErrEvidence},
		"two answers":               {Equivocation, join(s.answer(q, p), s.answer(q, p, wrong)), 5_000 * unit.CBY, nil},
		"two blocks":                {Equivocation, join(s.answer(q, p), s.answer(q, p, func(a *cbss.Answer) { a.Served++ })), 5_000 * unit.CBY, nil},
		"one answer twice":          {Equivocation, join(s.answer(q, p), s.answer(q, p)), 0, ErrEvidence},
		"answers of two":            {Equivocation, join(s.answer(q, p), s.answer(q, other)), 0, ErrEvidence},
		"to two requests":           {Equivocation, join(s.answer(q, p), s.answer(s.ask(p, later), p)), 0, ErrEvidence},
		"the second of another key": {Equivocation, join(s.answer(q, p), s.forged(q, p, other)), 0, ErrEvidence},
		"a fourth fault":            {faults, nil, 0, ErrForm},
		"more than may be evidence": {Sabotage, make([]byte, MaxEvidence+1), 0, ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held := s.overlay.Mark(), s.Held
			defer func() { s.overlay.Revert(mark); s.Held, s.Burned = held, 0 }()
			err := s.try(func() error { return s.Slash(p.id, c.fault, c.evidence) })
			x, loaded := LoadProxy(s.overlay, p.id)
			s.must(loaded)
			if err != c.err || x.Stake != stake-c.taken || s.Burned != c.taken || x.Suspended != (c.err == nil) {
				t.Errorf("%v, want %v; stake %d, burned %d, suspended %v", err, c.err, x.Stake, s.Burned, x.Suspended)
			}
		})
	}
}

// partialOf is the partial of another share.
func (s *shop) partialOf(p *party, q *cbss.Request) cbss.Point {
	share, id, _ := s.share(q, p)
	return cbss.Sign(share, id)
}

// forged is an answer of a proxy's that another has signed.
func (s *shop) forged(q *cbss.Request, p, by *party) []byte {
	share, id, _ := s.share(q, p)
	a := &cbss.Answer{Request: q.Hash(), Proxy: p.id, Epoch: q.Epoch, Served: uint64(s.Height) + 1, Partial: cbss.Sign(share, id)}
	return a.Signed(by.key)
}

// A proxy is punished once for a fault in a window, is suspended, and its committees are replaced; while it unbonds it can be punished still.
//
// Spec: secrets-cbss §5 (once a proxy, fault and window; the proxy is suspended).
func TestSlashedOnceInAWindow(t *testing.T) {
	s := newShop(t)
	p := s.committee[0]
	s.must(s.Deregister(p.id))
	bad := func() []byte { return s.deal(p, func(d *cbss.Deal) { d.Share[31] ^= 1 }) }
	s.must(s.Slash(p.id, Sabotage, bad()))
	first := s.Height
	s.refused(ErrSlashed, func() error { return s.Slash(p.id, Sabotage, bad()) })
	s.end()
	of := AccountScope(owner)
	pending, err := LoadPending(s.overlay, of)
	s.must(err)
	if pending == nil || !pending.Reshare {
		t.Errorf("its committee is not replaced: %+v", pending)
	}
	s.Height = first + FaultWindow - 1
	s.refused(ErrSlashed, func() error { return s.Slash(p.id, Sabotage, bad()) })
	s.Height = first + FaultWindow
	s.must(s.Slash(p.id, Sabotage, bad()))
	x, err := LoadProxy(s.overlay, p.id)
	s.must(err)
	// 10,000 less 5 %, less 5 % of what is left.
	if x.Stake != 9_025*unit.CBY {
		t.Errorf("%d are left", x.Stake)
	}
	s.skip(x.Unbonds)
	s.end()
	if got := s.balance(p.operator); got != 9_025*unit.CBY {
		t.Errorf("%d came back", got)
	}
}

// What a proxy was punished for it is punished for once, however long ago and however the evidence is put.
//
// Spec: secrets-cbss §5 (Slashing).
func TestSlashedOnceForAFault(t *testing.T) {
	s := newShop(t)
	p, other := s.committee[0], s.committee[1]
	q := s.ask(p)
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	wrong := s.answer(q, p, func(a *cbss.Answer) { a.Partial = s.partialOf(other, q) })
	twice := func(*cbss.Answer) {}
	third := s.answer(q, p, func(a *cbss.Answer) { a.Served++ })
	deal := s.deal(p, func(d *cbss.Deal) { d.Share[31] ^= 1 })
	hidden := s.hidden(p, func(d *cbss.HiddenDeal) { d.Share[31] ^= 1 })
	for name, c := range map[string]struct {
		fault        Fault
		first, again []byte
	}{
		"a wrong partial":          {InvalidPartial, join(q.Signed(runnerKey()), wrong), join(q.Signed(runnerKey()), wrong)},
		"a deal":                   {Sabotage, deal, deal},
		"a hidden deal":            {Sabotage, hidden, hidden},
		"two answers":              {Equivocation, join(s.answer(q, p, twice), wrong), join(s.answer(q, p, twice), wrong)},
		"two answers, turned over": {Equivocation, join(s.answer(q, p, twice), wrong), join(wrong, s.answer(q, p, twice))},
		"a third to one request":   {Equivocation, join(s.answer(q, p, twice), wrong), join(third, wrong)},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held, height := s.overlay.Mark(), s.Held, s.Height
			defer func() { s.overlay.Revert(mark); s.Held, s.Height, s.Burned = held, height, 0 }()
			s.must(s.Slash(p.id, c.fault, c.first))
			s.Height += FaultWindow
			s.refused(ErrSlashed, func() error { return s.Slash(p.id, c.fault, c.again) })
		})
	}
}

// Liveness challenges: who gets which bond, what becomes of the health, and when each may be made.
//
// Spec: secrets-cbss §4 (79, 80, 82), §5 (liveness challenge), §6.
func TestLiveness(t *testing.T) {
	const all = 100_000 * unit.CBY
	s := newShop(t)
	p, served := s.committee[0], s.committee[1]
	who := runnerKey().Address()
	q, answered := s.ask(p).Signed(runnerKey()), s.ask(served)
	asked := s.Height
	s.must(s.record(s.receipt(answered, served)))
	challenge := func(raw []byte, p *party) error {
		return s.try(func() error { _, err := s.Challenge(who, raw, p.id); return err })
	}
	for name, c := range map[string]struct {
		at  unit.Height
		err error
	}{"415": {415, ErrPremature}, "416": {416, nil}, "480": {480, nil}, "481": {481, ErrStaleChal}} {
		t.Run(name, func(t *testing.T) {
			mark, held := s.overlay.Mark(), s.Held
			defer func() { s.overlay.Revert(mark); s.Held, s.Height = held, asked }()
			s.Height = asked + c.at
			if err := challenge(q, p); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	s.at(asked + 416)
	s.refused(ErrRunnerSig, func() error { _, err := s.Challenge(nobody, q, p.id); return err })
	s.refused(ErrRunnerSig, func() error { _, err := s.Challenge(who, q, served.id); return err })
	s.refused(ErrNoRequest, func() error { _, err := s.Challenge(who, q[1:], p.id); return err })
	// Resolved: there is a receipt, and the bond goes to the proxy.
	s.must(challenge(answered.Signed(runnerKey()), served))
	if s.balance(who) != all-100*unit.CBY || s.balance(served.operator) != 101*unit.CBY {
		t.Errorf("the runner has %d, the proxy %d", s.balance(who), s.balance(served.operator))
	}
	if err := challenge(answered.Signed(runnerKey()), served); err != ErrChallenged {
		t.Errorf("again: %v", err)
	}
	// Open, and answered: the bond comes back, the health stays.
	health := func() uint64 { x, err := LoadProxy(s.overlay, p.id); s.must(err); return x.Health }
	mark, held := s.overlay.Mark(), s.Held
	s.must(challenge(q, p))
	id := ChallengeID(s.ask(p).Release(), p.id)
	s.refused(ErrNotDue, func() error { return s.Unanswer(id) })
	s.refused(ErrProxySig, func() error { return s.Respond(id, nobody, NeverReceived) })
	s.refused(ErrForm, func() error { return s.Respond(id, p.operator, Reasons) })
	s.Height += 64
	s.must(s.Respond(id, p.operator, NeverReceived))
	s.refused(ErrChallenge, func() error { return s.Respond(id, p.operator, NeverReceived) })
	if s.balance(who) != all-100*unit.CBY || health() != 10_000 {
		t.Errorf("answered: %d, health %d", s.balance(who), health())
	}
	s.overlay.Revert(mark)
	s.Held, s.Height = held, asked+416
	// Not answered: the bond comes back, the health is lowered by 250, no stake is lost.
	s.must(challenge(q, p))
	s.Height += 64
	s.refused(ErrNotDue, func() error { return s.Unanswer(id) })
	s.Height++
	s.refused(ErrStaleChal, func() error { return s.Respond(id, p.operator, NeverReceived) })
	s.must(s.Unanswer(id))
	x, err := LoadProxy(s.overlay, p.id)
	s.must(err)
	if s.balance(who) != all-100*unit.CBY || x.Health != 9_750 || x.Stake != 10_000*unit.CBY || x.Suspended {
		t.Errorf("not answered: %d, %+v", s.balance(who), x)
	}
	s.refused(ErrChallenge, func() error { return s.Unanswer(id) })
}

// A proxy finds the challenges that wait for it, whatever others are asked, and none that is over.
//
// Spec: secrets-cbss §5 (liveness challenge).
func TestChallengesOfAProxy(t *testing.T) {
	s := newShop(t)
	who, asked := runnerKey().Address(), s.Height
	served := s.ask(s.committee[4])
	s.must(s.record(s.receipt(served, s.committee[4])))
	s.at(asked + 416)
	ids := make([]digest.Hash, 5)
	for i, p := range s.committee[:5] {
		id, err := s.Challenge(who, s.ask(p, func(q *cbss.Request) { q.Block = uint64(asked) }).Signed(runnerKey()), p.id)
		s.must(err)
		ids[i] = id
	}
	open := func(p *party) (list []digest.Hash) {
		all, err := ChallengesOf(s.overlay, p.id, 1)
		s.must(err)
		for _, c := range all {
			if c.Proxy != p.id || c.State != Open {
				t.Errorf("%+v", c.Challenge)
			}
			list = append(list, c.ID)
		}
		return list
	}
	for i, p := range s.committee[:4] {
		if got := open(p); !slices.Equal(got, ids[i:i+1]) {
			t.Errorf("proxy %d: %x", i, got)
		}
	}
	if got := open(s.committee[4]); got != nil {
		t.Errorf("one that was resolved at once: %x", got)
	}
	s.must(s.Respond(ids[0], s.committee[0].operator, NeverReceived))
	s.Height += 65
	s.must(s.Unanswer(ids[1]))
	s.skip(asked + 480 + 64 + 2)
	s.end()
	for i, p := range s.committee {
		if got := open(p); got != nil {
			t.Errorf("proxy %d, at the end: %x", i, got)
		}
	}
}

// A challenge that nobody ends is ended when it is forgotten, and its bond goes back.
//
// Spec: secrets-cbss §5 (Unanswered).
func TestForgottenChallenges(t *testing.T) {
	s := newShop(t)
	p := s.committee[0]
	who := runnerKey().Address()
	q := s.ask(p)
	asked := s.Height
	s.at(asked + 416)
	before := s.balance(who)
	id, err := s.Challenge(who, q.Signed(runnerKey()), p.id)
	s.must(err)
	s.skip(asked + 480 + 64 + 1)
	if c, err := LoadChallenge(s.overlay, id); err != nil || c == nil || c.State != Open {
		t.Fatalf("%+v %v", c, err)
	}
	s.end()
	if c, err := LoadChallenge(s.overlay, id); err != nil || c != nil || s.balance(who) != before {
		t.Errorf("%+v %v, %d of %d back", c, err, s.balance(who), before)
	}
	x, err := LoadProxy(s.overlay, p.id)
	s.must(err)
	if x.Health != 9_750 {
		t.Errorf("health %d", x.Health)
	}
}

// Three proxies of five, with their shares, everything on the chain and all receipts of all five, open nothing; the fourth does.
//
// Spec: secrets-cbss §10 (1, 6).
func TestColludingProxies(t *testing.T) {
	s := newShop(t)
	of := AccountScope(owner)
	k, err := LoadKey(s.overlay, of)
	s.must(err)
	v, err := LoadVersion(s.overlay, s.id, 1)
	s.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	s.must(err)
	to := s.identity(s.id, 1, v.Epoch, k.Master)
	var clear, blind []cbss.Partial
	for i, p := range s.committee {
		place := uint32(i + 1)
		clear = append(clear, cbss.Partial{Place: place, Point: cbss.Sign(s.shares[tag(of, 1)][i], to)})
		blind = append(blind, cbss.Partial{Place: place, Point: s.receipt(s.ask(p), p).Blinded.Sigma})
	}
	opens := func(list ...cbss.Partial) bool {
		sigma, err := cbss.Combine(list)
		s.must(err)
		key, err := e.Open(sigma)
		return err == nil && key == dataKey
	}
	for name, c := range map[string]struct {
		list []cbss.Partial
		ok   bool
	}{
		"three": {clear[:3], false}, "three others": {clear[2:], false}, "four": {clear[:4], true}, "all": {clear, true},
		"three and a receipt":       {append(append([]cbss.Partial{}, clear[:3]...), blind[3]), false},
		"three and both receipts":   {append(append([]cbss.Partial{}, clear[:3]...), blind[3:]...), false},
		"four receipts":             {blind[:4], false},
		"all receipts":              {blind, false},
		"two, and three receipts":   {append(append([]cbss.Partial{}, clear[:2]...), blind[2:]...), false},
		"one partial in two places": {[]cbss.Partial{clear[0], clear[1], clear[2], {Place: 4, Point: clear[2].Point}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if opens(c.list...) != c.ok {
				t.Errorf("want opened: %v", c.ok)
			}
		})
	}
	// The shares of three at zero, whatever the fourth's place is taken to be, are not the master secret's.
	t.Run("shares of three", func(t *testing.T) {
		weights, err := cbss.Weights([]uint32{1, 2, 3})
		s.must(err)
		var parts []*cbss.Scalar
		for i, w := range weights {
			part, err := s.shares[tag(of, 1)][i].Times(w)
			s.must(err)
			parts = append(parts, part)
		}
		sum, err := cbss.Sum(parts)
		s.must(err)
		if sum.Public() == k.Master {
			t.Error("three have the master secret")
		}
	})
	// Points of the chain in the place of the missing partial.
	t.Run("points of the chain", func(t *testing.T) {
		for _, point := range []cbss.Point{to.Point(), blind[4].Point} {
			if opens(append(append([]cbss.Partial{}, clear[:3]...), cbss.Partial{Place: 4, Point: point})...) {
				t.Error("it opens")
			}
		}
	})
}
