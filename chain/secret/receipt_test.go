package secret

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// shop is a world with a secret of the owner's, a job of the owner's that asks for it, and its committee.
type shop struct {
	*world
	id        cbss.SecretID
	job       digest.Hash
	committee []*party
}

func newShop(t testing.TB) *shop {
	w := newWorld(t, 9)
	k := w.accountKey(owner)
	s := &shop{world: w, id: secretOf(owner, "KEY"), committee: w.committee(&k.Generation)}
	if _, err := w.set(s.id, Policy{}); err != nil {
		t.Fatal(err)
	}
	s.job = w.jobOf(owner, job.Secret{Name: "KEY"})
	w.end()
	return s
}

func (s *shop) ask(p *party, edit ...func(*cbss.Request)) *cbss.Request {
	return s.request(s.id, 1, owner, s.job, p, edit...)
}

func (s *shop) record(f *Proof) error { return s.try(func() error { return s.Record(f) }) }

// A release: each receipt is paid for, the release is told at the fourth, a fifth is refused.
//
// Spec: secrets-cbss §5 (the chain validates a receipt), §6 (RELEASE_FEE_PER_RECEIPT).
func TestRelease(t *testing.T) {
	s := newShop(t)
	before := s.balance(owner)
	for i, p := range s.committee[:4] {
		q := s.ask(p)
		s.must(s.record(s.receipt(q, p)))
		s.refused(ErrRecorded, func() error { return s.Record(s.receipt(q, p)) })
		if got := s.balance(p.operator); got != unit.CBY {
			t.Errorf("a proxy has %d", got)
		}
		if got := before - s.balance(owner); got != unit.Amount(i+1)*unit.CBY {
			t.Errorf("the owner has paid %d", got)
		}
		released := 0
		if i == 3 {
			released = 1
		}
		if s.told(TopicReceipt) != i+1 || s.told(TopicReleased) != released {
			t.Errorf("after %d receipts %d are told, %d releases", i+1, s.told(TopicReceipt), s.told(TopicReleased))
		}
	}
	s.refused(ErrQuorum, func() error { return s.Record(s.receipt(s.ask(s.committee[4]), s.committee[4])) })
	s.end()
	set, err := LoadReceipts(s.overlay, s.ask(s.committee[0]).Release())
	if err != nil || len(set.Entries) != 4 || set.Threshold != 4 {
		t.Errorf("%+v %v", set, err)
	}
}

// Every way in which a receipt is wrong, and none of them changes anything.
//
// Spec: secrets-cbss §5 (the chain validates a receipt), §9, §10 (1, 2, 4, 5).
func TestWrongReceipts(t *testing.T) {
	s := newShop(t)
	p, other := s.committee[0], s.committee[1]
	var stranger *party
	k, err := LoadKey(s.overlay, AccountScope(owner))
	s.must(err)
	for _, x := range s.proxies {
		if k.PlaceOf(x.id) == 0 {
			stranger = x
		}
	}
	foreign := s.jobOf(nobody, job.Secret{Name: "KEY", Account: &owner})
	unasked := s.jobOf(owner, job.Secret{Name: "OTHER"})
	version := uint64(1)
	pinned := s.jobOf(owner, job.Secret{Name: "KEY", Version: &version})
	if _, err := s.set(s.id, Policy{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.set(s.id, Policy{}); err != nil {
		t.Fatal(err)
	}
	s.must(s.Delete(s.id, 3))
	good := s.ask(p)
	for name, c := range map[string]struct {
		ask     func(*cbss.Request)
		proof   func(*cbss.Request, *Proof)
		resigns bool
		err     error
	}{
		"right":              {err: nil},
		"newest fresh block": {ask: func(q *cbss.Request) { q.Block = uint64(s.Height) - 384 }, err: nil},
		"stale":              {ask: func(q *cbss.Request) { q.Block = uint64(s.Height) - 385 }, err: ErrStale},
		"of a block to come": {ask: func(q *cbss.Request) { q.Block = uint64(s.Height) + 1 }, err: ErrStale},
		"no request":         {proof: func(_ *cbss.Request, f *Proof) { f.Request = f.Request[1:] }, err: ErrNoRequest},
		"runner's signature": {proof: func(_ *cbss.Request, f *Proof) { f.Request[cbss.RequestSize] ^= 1 }, err: ErrRunnerSig},
		"another's request":  {proof: func(q *cbss.Request, f *Proof) { f.Request = q.Signed(other.key) }, err: ErrRunnerSig},
		"another chain":      {ask: func(q *cbss.Request) { q.ChainID++ }, err: ErrRunnerSig},
		"to another proxy":   {proof: func(_ *cbss.Request, f *Proof) { f.Request = s.ask(other).Signed(runnerKey()) }, err: ErrRunnerSig},
		"another recipient":  {ask: func(q *cbss.Request) { q.Recipient = 1 }, err: ErrRecipient},
		"a deleted version":  {ask: func(q *cbss.Request) { q.Version = 3 }, err: ErrDeleted},
		"no version":         {ask: func(q *cbss.Request) { q.Version = 4 }, err: ErrNotFound},
		"another secret":     {ask: func(q *cbss.Request) { q.Secret = secretOf(owner, "OTHER") }, err: ErrNotFound},
		"another's job":      {ask: func(q *cbss.Request) { q.Job = foreign }, err: ErrAccess},
		"a stranger's job":   {ask: func(q *cbss.Request) { q.Job, q.Actor = foreign, nobody }, err: ErrAccess},
		"another job":        {ask: func(q *cbss.Request) { q.Job = unasked }, err: ErrAccess},
		"no job":             {ask: func(q *cbss.Request) { q.Job = digest.Hash{} }, err: ErrAccess},
		"the version named":  {ask: func(q *cbss.Request) { q.Job = pinned }, err: nil},
		"another than named": {ask: func(q *cbss.Request) { q.Job, q.Version = pinned, 2 }, err: ErrAccess},
		"another epoch":      {proof: func(_ *cbss.Request, f *Proof) { f.Epoch++ }, resigns: true, err: ErrEpoch},
		"an epoch to come":   {ask: func(q *cbss.Request) { q.Epoch++ }, err: ErrStaleEpoch},
		"proxy's signature":  {proof: func(_ *cbss.Request, f *Proof) { f.Signature = other.key.Sign(digest.Hash{}) }, err: ErrProxySig},
		"another's share":    {proof: func(q *cbss.Request, f *Proof) { f.Blinded = s.receipt(s.ask(other), other).Blinded }, resigns: true, err: ErrPartial},
		"proof not signed":   {proof: func(_ *cbss.Request, f *Proof) { f.Blinded.Response[31] ^= 1 }, err: ErrProxySig},
		"wrong proof":        {proof: func(_ *cbss.Request, f *Proof) { f.Blinded.Response[31] ^= 1 }, resigns: true, err: ErrPartial},
		"served before":      {proof: func(q *cbss.Request, f *Proof) { f.Served = q.Block - 1 }, resigns: true, err: ErrOrdering},
		"served after now":   {proof: func(_ *cbss.Request, f *Proof) { f.Served++ }, resigns: true, err: ErrOrdering},
		"clear partial twice": {proof: func(_ *cbss.Request, f *Proof) {
			f.Blinded.Sigma = cbss.Sign(s.shares[tag(AccountScope(owner), 1)][0], &cbss.Identity{})
		}, resigns: true, err: ErrPartial},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held, before := s.overlay.Mark(), s.Held, len(s.events)
			defer func() { s.overlay.Revert(mark); s.Held = held }()
			q := s.ask(p)
			if c.ask != nil {
				c.ask(q)
			}
			f := s.proofOf(good, q, p)
			if c.proof != nil {
				c.proof(q, f)
			}
			if c.resigns {
				resign(q, p.key)(f)
			}
			if err := s.record(f); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
			if c.err != nil && len(s.events) != before {
				t.Error("a refused receipt leaves events")
			}
		})
	}
	t.Run("no member", func(t *testing.T) {
		s.refused(ErrNotMember, func() error { return s.Record(s.receipt(s.ask(stranger), stranger)) })
	})
	t.Run("pending", func(t *testing.T) {
		own := secretOf(owner, "OWN")
		_, err := s.Set(own, Policy{}, nil, &Override{Members: 5, Quorum: 3}, digest.Hash{})
		s.must(err)
		f := s.receipt(good, p)
		q := *good
		q.Secret, q.Recipient = own, uint8(OfSecret)
		f.Request = q.Signed(runnerKey())
		s.refused(ErrPending, func() error { return s.Record(f) })
	})
}

// proofOf is a receipt for a changed request: where the request names what is not there, the partial is that of the good one.
func (s *shop) proofOf(good, q *cbss.Request, p *party) *Proof {
	if _, err := LoadVersion(s.overlay, q.Secret, q.Version); err == nil {
		return s.receipt(q, p)
	}
	f := s.receipt(good, p)
	f.Request = q.Signed(runnerKey())
	return f
}

// A receipt that was captured is of no use to anybody else: not again, not for another release, not by another proxy.
//
// Spec: secrets-cbss §10 (2, 4).
func TestCapturedReceipts(t *testing.T) {
	s := newShop(t)
	p, other := s.committee[0], s.committee[1]
	f := s.receipt(s.ask(p), p)
	s.must(s.record(f))
	s.refused(ErrRecorded, func() error { return s.Record(f) })
	worded := s.ask(p, func(q *cbss.Request) { q.Block-- }) // another hash, the same release
	if worded.Hash() == s.ask(p).Hash() || worded.Release() != s.ask(p).Release() {
		t.Fatal("the request is not another one of the same release")
	}
	s.refused(ErrRecorded, func() error { return s.Record(s.receipt(worded, p)) })
	again := *f
	again.Request = s.ask(p, func(q *cbss.Request) { q.Nonce = digest.Hash{2} }).Signed(runnerKey())
	s.refused(ErrProxySig, func() error { return s.Record(&again) })
	taken := s.receipt(s.ask(other), other)
	taken.Blinded = f.Blinded
	resign(s.ask(other), other.key)(taken)
	s.refused(ErrPartial, func() error { return s.Record(taken) })
	s.at(s.Height + 600)
	s.must(s.End())
	s.refused(ErrStale, func() error { return s.Record(f) })
}

// Whose jobs may have a secret, as of now and not as of the request.
//
// Spec: secrets-cbss §2 (SecretPolicy), §5 (access list, TEE), §10 (5).
func TestPolicies(t *testing.T) {
	s := newShop(t)
	byActor := s.jobOf(actor, job.Secret{Name: "MADE"})
	byNobody := s.jobOf(nobody, job.Secret{Name: "KEY", Account: &owner})
	s.end()
	p := s.committee[0]
	s.must(s.RequestKey(maker, maker))
	k := s.keyed(AccountScope(maker))
	made := secretOf(maker, "MADE")
	if _, err := s.set(made, Policy{}); err != nil {
		t.Fatal(err)
	}
	theirs := s.committeeOf(k)[0]
	for name, c := range map[string]struct {
		policy Policy
		whose  account.Address
		job    digest.Hash
		err    error
	}{
		"own, no list":               {Policy{}, owner, s.job, nil},
		"a stranger, no list":        {Policy{}, nobody, byNobody, ErrAccess},
		"a stranger, listed":         {Policy{Listed: true, Actors: []account.Address{nobody}}, nobody, byNobody, nil},
		"own, not listed":            {Policy{Listed: true, Actors: []account.Address{nobody}}, owner, s.job, ErrAccess},
		"nobody listed":              {Policy{Listed: true}, owner, s.job, ErrAccess},
		"both listed":                {Policy{Listed: true, Actors: sorted(owner, nobody)}, owner, s.job, nil},
		"no attestation of this job": {Policy{TEE: true}, owner, s.job, ErrTEE},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held := s.overlay.Mark(), s.Held
			defer func() { s.overlay.Revert(mark); s.Held = held }()
			q := s.request(s.id, 1, c.whose, c.job, p)
			f := s.receipt(q, p)
			s.must(s.SetPolicy(s.id, 1, c.policy))
			if err := s.record(f); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	t.Run("attested", func(t *testing.T) {
		s.must(s.SetPolicy(s.id, 1, Policy{TEE: true}))
		s.attest(t, s.job)
		s.must(s.record(s.receipt(s.ask(p), p)))
	})
	for name, c := range map[string]struct {
		listed digest.Hash
		err    error
	}{"attested by what the runner is bound to": {digest.Hash{5}, nil}, "and by what it is bound to no more": {digest.Hash{6}, ErrTEE}} {
		t.Run(name, func(t *testing.T) {
			mark, held := s.overlay.Mark(), s.Held
			defer func() { s.overlay.Revert(mark); s.Held = held }()
			s.attest(t, s.job)
			b, runner := tee.Binding{Type: tee.TDX, Measurements: []digest.Hash{c.listed}}, runnerKey().Address()
			s.overlay.Set(append(account.KeyString(account.KindRecord, tee.Holder(), "tee_binding:"), runner[:]...), b.Encode())
			s.must(s.SetPolicy(s.id, 1, Policy{TEE: true}))
			if err := s.record(s.receipt(s.ask(s.committee[1]), s.committee[1])); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	t.Run("an actor that the owner made", func(t *testing.T) {
		s.must(s.record(s.receipt(s.request(made, 1, actor, byActor, theirs), theirs)))
	})
}

// attest records an attestation of the runner for a job, which counts for a hundred blocks.
func (s *shop) attest(t *testing.T, of digest.Hash) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	s.must(err)
	public, err := key.PublicKey.Bytes()
	s.must(err)
	s.must(tee.RegisterKey(s.overlay, tee.TDX, digest.Hash{5}, public, s.Height))
	st := tee.Statement{Type: tee.TDX, Measurement: digest.Hash{5}, Job: of, Runner: runnerKey().Address()}
	hash := sha256.Sum256(st.RecordPayload(s.Height + 100))
	a, b, err := ecdsa.Sign(rand.Reader, key, hash[:])
	s.must(err)
	signature := append(a.FillBytes(make([]byte, 32)), b.FillBytes(make([]byte, 32))...)
	s.must(st.Record(s.overlay, s.Height+100, signature, s.Height))
}

func (s *shop) committeeOf(k *ReleaseKey) []*party { return s.world.committee(&k.Generation) }

// A runner that is not selected gets nothing, whatever it signs; nor does one whose job is over and forgotten.
//
// Spec: secrets-cbss §5 (assignment), §10 (5).
func TestAssignment(t *testing.T) {
	s := newShop(t)
	p := s.committee[0]
	thief := keyOf("another runner", 1)
	q := s.ask(p, func(q *cbss.Request) { q.Runner = thief.Address() })
	f := s.receipt(q, p)
	f.Request = q.Signed(thief)
	s.refused(ErrAccess, func() error { return s.Record(f) })
	mark := s.overlay.Mark()
	s.overlay.Delete(append(account.KeyString(account.KindRecord, market.Home(), "market:selection/"), s.job[:]...))
	s.refused(ErrAccess, func() error { return s.Record(s.receipt(s.ask(p), p)) })
	s.overlay.Revert(mark)
}

// Receipts of two epochs do not mix; a former committee serves within its grace.
//
// Spec: secrets-cbss §5 (one epoch in a set; committees).
func TestEpochs(t *testing.T) {
	s := newShop(t)
	of := AccountScope(owner)
	former := s.committee
	old := s.receipt(s.ask(former[0]), former[0])
	late := s.receipt(s.ask(former[1]), former[1])
	s.must(s.record(old))
	s.must(s.Reshare(of, owner))
	k := s.keyed(of)
	present := s.committeeOf(k)
	var fresh *party
	for _, p := range present {
		if p != former[0] {
			fresh = p
		}
	}
	s.refused(ErrMixed, func() error { return s.Record(s.receipt(s.ask(fresh, func(q *cbss.Request) { q.Epoch = 2 }), fresh)) })
	s.must(s.record(late))
	q := s.ask(former[2], func(q *cbss.Request) { q.Epoch = 1 })
	f := s.receipt(q, former[2])
	s.Height = k.Prior[0].Expires
	s.refused(ErrStaleEpoch, func() error { return s.Record(f) })
	s.Height--
	s.must(s.record(f))
	// What was sealed in the first epoch opens with the second's shares: the key stays.
	v, err := LoadVersion(s.overlay, s.id, 1)
	s.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	s.must(err)
	var partials []cbss.Partial
	for place := range 4 {
		point := cbss.Sign(s.shares[tag(of, 2)][place], s.identity(s.id, 1, v.Epoch, k.Master))
		partials = append(partials, cbss.Partial{Place: uint32(place + 1), Point: point})
	}
	sigma, err := cbss.Combine(partials)
	s.must(err)
	if got, err := e.Open(sigma); err != nil || got != dataKey {
		t.Errorf("%x %v", got, err)
	}
}

// A runner of a job has eight releases of a secret that are remembered, and others once these are forgotten.
func TestReleasesAreBounded(t *testing.T) {
	s := newShop(t)
	p := s.committee[0]
	release := func(n byte) error {
		return s.record(s.receipt(s.ask(p, func(q *cbss.Request) { q.Nonce = digest.Hash{n} }), p))
	}
	for n := byte(1); n <= MaxReleases; n++ {
		s.must(release(n))
	}
	if err := release(100); err != ErrReleases {
		t.Errorf("a ninth: %v", err)
	}
	asked := s.Height
	s.skip(asked + 480 + 64 + 1)
	if err := release(100); err != ErrReleases {
		t.Errorf("before they are forgotten: %v", err)
	}
	s.end()
	s.must(release(100))
	set, err := LoadReceipts(s.overlay, s.ask(p, func(q *cbss.Request) { q.Nonce = digest.Hash{1} }).Release())
	if err != nil || set != nil {
		t.Errorf("%+v %v", set, err)
	}
}

// An account without a coin owes sixteen fees and is not delinquent; the seventeenth receipt is recorded still, and makes it so.
//
// Spec: secrets-cbss §5 (Debt: up to sixteen fees).
func TestSixteenFeesAreOwed(t *testing.T) {
	s := newShop(t)
	s.supply -= s.balance(owner)
	s.must(account.Debit(s.overlay, owner, s.balance(owner)))
	for i := range 17 {
		if err := s.Settle(owner); err != nil {
			t.Fatalf("after %d receipts: %v", i, err)
		}
		p := s.committee[i%4]
		s.must(s.record(s.receipt(s.ask(p, func(q *cbss.Request) { q.Nonce = digest.Hash{byte(i / 4)} }), p)))
	}
	if err := s.try(func() error { return s.Settle(owner) }); err != ErrFunds {
		t.Errorf("after 17 receipts: %v", err)
	}
}

// Debts to the base unit: sixteen fees are owed, the seventeenth makes the actor delinquent, and it pays the oldest first.
//
// Spec: secrets-cbss §5 (Debt).
func TestDebts(t *testing.T) {
	s := newShop(t)
	s.must(account.Debit(s.overlay, owner, s.balance(owner)-unit.CBY/2))
	s.supply -= 100_000*unit.CBY - unit.CBY/2 - 10*unit.CBY
	n := byte(0)
	serve := func(p *party) error {
		n++
		return s.record(s.receipt(s.ask(p, func(q *cbss.Request) { q.Nonce = digest.Hash{n / 4} }), p))
	}
	total := func() unit.Amount {
		d, err := LoadDebt(s.overlay, owner)
		s.must(err)
		if d == nil {
			return 0
		}
		return d.total()
	}
	n = 3
	for i := range 16 { // 0.5 is there: 15.5 are owed after sixteen
		s.must(serve(s.committee[i%4]))
		if want := unit.Amount(i+1)*unit.CBY - unit.CBY/2; total() != want {
			t.Fatalf("after %d receipts %d are owed, want %d", i+1, total(), want)
		}
	}
	if err := s.Settle(owner); err != nil {
		t.Errorf("it owes less than sixteen fees: %v", err)
	}
	s.must(serve(s.committee[0]))
	if total() != 16*unit.CBY+unit.CBY/2 || s.told(TopicDelinquent) != 1 {
		t.Errorf("%d are owed, told %d times", total(), s.told(TopicDelinquent))
	}
	if err := serve(s.committee[1]); err != ErrFunds {
		t.Errorf("an eighteenth: %v", err)
	}
	if err := s.try(func() error { return s.Settle(owner) }); err != ErrFunds {
		t.Errorf("%v", err)
	}
	s.fund(owner, 16*unit.CBY)
	if err := s.try(func() error { return s.Settle(owner) }); err != ErrFunds {
		t.Errorf("half a coin short: %v", err)
	}
	s.fund(owner, unit.CBY)
	s.must(s.Settle(owner))
	if total() != 0 || s.balance(owner) != unit.CBY/2 {
		t.Errorf("%d owed, %d left", total(), s.balance(owner))
	}
	var got unit.Amount
	for _, p := range s.committee {
		got += s.balance(p.operator)
	}
	if got != 17*unit.CBY {
		t.Errorf("the proxies have %d", got)
	}
	s.end()
}
