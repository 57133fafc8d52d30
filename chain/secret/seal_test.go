package secret

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var beneficiary = account.Address{0: 0xae, 19: 5}

// paper is a world with a paid stream of the owner's, whose key has a committee, and a beneficiary with a key.
type paper struct {
	*world
	key       *ReleaseKey
	committee []*party
	id        digest.Hash
}

// newPaper has epochs of 600 blocks at 2 CBY, and a treasury of nobody's. The keyed tells whether the owner has a release key.
func newPaper(t *testing.T, keyed bool) *paper {
	p := &paper{world: newWorld(t, 7)}
	if keyed {
		p.key = p.accountKey(owner)
		p.committee = p.world.committee(&p.key.Generation)
		p.end()
	}
	p.fund(beneficiary, 1_000*unit.CBY)
	p.must(p.as(owner, func(m *stream.Manager) (err error) {
		p.id, err = m.Configure(owner, []byte("paper"), stream.Config{Fee: 2 * unit.CBY, Treasury: nobody, EpochBlocks: 600, MinPurchase: 1})
		return err
	}))
	p.must(p.register(1))
	return p
}

// as runs a call of the manager of streams for an account.
func (p *paper) as(by account.Address, run func(m *stream.Manager) error) error {
	return p.try(func() error {
		return run(&stream.Manager{
			State: p.overlay, Height: p.Height, Bill: func(account.Address) error { return nil }, Emit: p.Emit, Price: p.SealPrice,
			Spend: func(amount unit.Amount) error {
				if account.Debit(p.overlay, by, amount) != nil {
					return stream.ErrFunds
				}
				return nil
			},
		})
	})
}

func (p *paper) register(n byte) error {
	return p.as(beneficiary, func(m *stream.Manager) error {
		_, err := m.Register(beneficiary, bytes.Repeat([]byte{n}, 32))
		return err
	})
}

// buy buys so many epochs from the present one on.
func (p *paper) buy(epochs uint64) (first uint64) {
	p.t.Helper()
	first = uint64(p.Height) / 600
	p.must(p.as(beneficiary, func(m *stream.Manager) error {
		_, err := m.Acquire(p.id, beneficiary, beneficiary, first+epochs-1)
		return err
	}))
	return first
}

func (p *paper) again(n uint64) error {
	return p.as(beneficiary, func(m *stream.Manager) error { return m.Again(beneficiary, n) })
}

func (p *paper) request(n uint64) *stream.Request {
	p.t.Helper()
	q, _, err := stream.LoadRequest(p.overlay, n, p.Height)
	p.must(err)
	return q
}

func (p *paper) share(who *party, k *ReleaseKey) *cbss.Scalar {
	return p.shares[tag(AccountScope(owner), k.Epoch)][k.PlaceOf(who.id)-1]
}

// forging is what of a receipt is not as it is to be.
type forging struct {
	epoch  uint64 // of the key epoch, behind the request's first
	number uint64 // of the request, behind it
	by     *party // whose share it is made with
	proxy  *party // in whose name
}

// shows has a member file its receipt of a request.
func (p *paper) shows(n uint64, who *party, k *ReleaseKey, f forging) error {
	p.t.Helper()
	q := p.request(n)
	if q == nil {
		q = &stream.Request{Stream: p.id}
	}
	maker, named := who, who
	if f.by != nil {
		maker = f.by
	}
	if f.proxy != nil {
		named = f.proxy
	}
	to := cbss.StreamIdentity(chainID, owner, k.Master, p.id, q.From+f.epoch)
	place := max(k.PlaceOf(maker.id), 1)
	share := p.shares[tag(AccountScope(owner), k.Epoch)][place-1]
	b, err := cbss.Blind(cbss.Sign(share, to), share.Public(), p.number(), p.number(), SealContext(chainID, n+f.number, q, named.id))
	p.must(err)
	return p.as(who.operator, func(m *stream.Manager) error { return p.SealReceipt(m, who.operator, n, k.Epoch, b) })
}

// Receipts of four of five members seal a request. Each is paid when it comes, out of what the publisher got for the epochs: 3 epochs of 2 CBY are 6, of which
// the committee takes 4.
//
// Spec: secrets-cbss §6 (RELEASE_FEE_PER_RECEIPT), §11; gateway-payments-streams §E.2.
func TestSealingARequest(t *testing.T) {
	p := newPaper(t, true)
	till := p.balance(nobody)
	p.buy(3)
	if got := p.balance(nobody) - till; got != 2*unit.CBY {
		t.Errorf("the publisher has got %d", got)
	}
	for i, who := range p.committee {
		t.Run(fmt.Sprint("member ", i), func(t *testing.T) {
			want := error(nil)
			if i == 4 {
				want = ErrSealRequest // it is sealed
			}
			due, err := p.DueSeals(who.id, 10)
			if err != nil || (len(due) == 1) != (want == nil) {
				t.Fatalf("%d are due: %v", len(due), err)
			}
			if want == nil && (due[0].Number != 0 || due[0].Epoch != 1 || due[0].Members != 5 || due[0].Quorum != 4 || due[0].Scope != AccountScope(owner)) {
				t.Errorf("%+v", due[0])
			}
			before := p.balance(who.operator)
			if err := p.shows(0, who, p.key, forging{}); !errors.Is(err, want) {
				t.Fatalf("%v, want %v", err, want)
			}
			if paid := p.balance(who.operator) - before; paid != unit.CBY*unit.Amount(1-i/4) {
				t.Errorf("paid %d", paid)
			}
			p.end()
		})
	}
	if q := p.request(0); !q.Sealed() || q.Held() != 0 {
		t.Errorf("%+v", q)
	}
	if p.told(TopicSealReceipt) != 4 || p.told(stream.TopicSealed) != 1 {
		t.Errorf("%d receipts and %d sealed", p.told(TopicSealReceipt), p.told(stream.TopicSealed))
	}
}

// What is no receipt of an open request that is paid for changes nothing, and says why.
//
// Spec: secrets-cbss §5, §10 (1), §11.
func TestSealReceiptsThatAreNone(t *testing.T) {
	p := newPaper(t, true)
	p.buy(3)
	outside := p.proxies[slices.IndexFunc(p.proxies, func(x *party) bool { return p.key.PlaceOf(x.id) == 0 })]
	a, b := p.committee[0], p.committee[1]
	stranger := &party{operator: nobody, id: a.id}
	stale := *p.key
	later := func(blocks unit.Height) func() { return func() { p.skip(p.Height + blocks) } }
	for _, c := range []struct {
		name   string
		before func()
		n      uint64
		who    *party
		key    *ReleaseKey
		forge  forging
		want   error
	}{
		{"of no request", nil, 7, a, p.key, forging{}, ErrSealRequest},
		{"of nobody's proxy", nil, 0, stranger, p.key, forging{}, ErrProxy},
		{"of a proxy outside", nil, 0, outside, p.key, forging{}, ErrNotMember},
		{"for another key epoch", nil, 0, a, p.key, forging{epoch: 1}, ErrPartial},
		{"for another request", nil, 0, a, p.key, forging{number: 1}, ErrPartial},
		{"with another's share", nil, 0, a, p.key, forging{by: b}, ErrPartial},
		{"another's receipt, captured", nil, 0, a, p.key, forging{by: b, proxy: b}, ErrPartial},
		{"of a committee to come", func() { stale.Epoch = 2; p.shares[tag(AccountScope(owner), 2)] = p.shares[tag(AccountScope(owner), 1)] }, 0, a, &stale,
			forging{}, ErrStaleEpoch},
		{"good", nil, 0, a, p.key, forging{}, nil},
		{"twice", nil, 0, a, p.key, forging{}, ErrRecorded},
		{"of an old generation", func() { p.must(p.register(2)) }, 0, b, p.key, forging{}, ErrSealRequest},
		{"raised again", func() { p.must(p.again(0)) }, 1, b, p.key, forging{}, nil},
		{"of the one before it", nil, 0, b, p.key, forging{}, ErrSealRequest},
		{"too late", later(601), 1, a, p.key, forging{}, ErrSealRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			if c.before != nil {
				c.before()
			}
			held, err := stream.Escrow(p.overlay)
			p.must(err)
			if err := p.shows(c.n, c.who, c.key, c.forge); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			after, err := stream.Escrow(p.overlay)
			p.must(err)
			if paid := held - after; paid != 0 && c.want != nil || c.want == nil && paid != unit.CBY {
				t.Errorf("%d are paid", paid)
			}
			p.check()
		})
	}
}

// One epoch of 2 CBY does not bring the 4 that the committee takes: nobody answers before somebody pays.
//
// Spec: secrets-cbss §11.
func TestUnpaidSealRequests(t *testing.T) {
	p := newPaper(t, true)
	p.buy(1)
	who := p.committee[0]
	if err := p.shows(0, who, p.key, forging{}); !errors.Is(err, ErrSealUnpaid) {
		t.Errorf("%v", err)
	}
	if _, err := p.AdmitSeal(0, who.id); !errors.Is(err, ErrSealUnpaid) {
		t.Errorf("%v", err)
	}
	if due, err := p.DueSeals(who.id, 10); err != nil || len(due) != 0 {
		t.Errorf("%d are due: %v", len(due), err)
	}
	before := p.balance(beneficiary)
	p.must(p.again(0))
	if paid := before - p.balance(beneficiary); paid != 4*unit.CBY {
		t.Errorf("%d are paid", paid)
	}
	p.must(p.shows(1, who, p.key, forging{}))
	p.end()
}

// A proxy answers whoever asks while a request is open or sealed and its key is active, with the beneficiary's key, and refuses anything else.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (2, 5), §11.
func TestAdmittingSeals(t *testing.T) {
	p := newPaper(t, true)
	first := p.buy(40)
	outside := p.proxies[slices.IndexFunc(p.proxies, func(x *party) bool { return p.key.PlaceOf(x.id) == 0 })]
	member := p.committee[2]
	for _, c := range []struct {
		name   string
		before func()
		n      uint64
		who    *party
		want   error
		to     uint64
		public byte
	}{
		{"the first 32", nil, 0, member, nil, first + 31, 1},
		{"the rest", nil, 1, member, nil, first + 39, 1},
		{"one there is not", nil, 2, member, ErrSealRequest, 0, 0},
		{"outside", nil, 0, outside, ErrNotMember, 0, 0},
		{"sealed", func() {
			for _, who := range p.committee[:4] {
				p.must(p.shows(0, who, p.key, forging{}))
			}
		}, 0, member, nil, first + 31, 1},
		{"void", func() { p.must(p.register(2)) }, 1, member, ErrSealRequest, 0, 0},
		{"sealed for a key that is still there", nil, 0, member, nil, first + 31, 1},
		{"sealed for one that is revoked", func() {
			p.must(p.as(beneficiary, func(m *stream.Manager) error { return m.Revoke(beneficiary, 1) }))
		}, 0, member, ErrSealRequest, 0, 0},
		{"again for the newest", func() { p.must(p.again(0)) }, 2, member, nil, first + 31, 2},
		{"expired", func() { p.skip(p.Height + 601) }, 2, member, ErrSealRequest, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			if c.before != nil {
				c.before()
			}
			got, err := p.AdmitSeal(c.n, c.who.id)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if why, rejected := SealRejected(err); rejected != (c.want != nil) || rejected && why != c.want.Error() {
				t.Errorf("%q %v", why, rejected)
			}
			if err == nil && (got.Request.To != c.to || got.Public[0] != c.public || got.Publisher != owner || got.Generation.Epoch != 1) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Partials of as many members as the threshold open what is wrapped to a key epoch; one fewer, or partials of another epoch or stream, do not, and neither does
// anything that is on the chain.
//
// Spec: secrets-cbss §3, §10 (1), §11.
func TestThresholdOfAStream(t *testing.T) {
	p := newPaper(t, true)
	to := cbss.StreamIdentity(chainID, owner, p.key.Master, p.id, 20)
	e, err := cbss.Wrap(to, p.number(), [cbss.NonceSize]byte{3}, dataKey)
	p.must(err)
	wrapped := e.Content()
	if len(wrapped) != 156 || len(wrapped) > stream.MaxWrapped {
		t.Fatalf("%d bytes", len(wrapped))
	}
	back, err := cbss.ParseContent(wrapped, to)
	p.must(err)
	combined := func(members []*party, to *cbss.Identity) cbss.Point {
		var list []cbss.Partial
		for _, who := range members {
			list = append(list, cbss.Partial{Place: p.key.PlaceOf(who.id), Point: cbss.Sign(p.share(who, p.key), to)})
		}
		sigma, err := cbss.Combine(list)
		p.must(err)
		return sigma
	}
	for name, c := range map[string]struct {
		members []*party
		to      *cbss.Identity
		opens   bool
	}{
		"four":             {p.committee[:4], to, true},
		"another four":     {p.committee[1:], to, true},
		"three":            {p.committee[:3], to, false},
		"of another epoch": {p.committee[:4], cbss.StreamIdentity(chainID, owner, p.key.Master, p.id, 21), false},
		"another stream":   {p.committee[:4], cbss.StreamIdentity(chainID, owner, p.key.Master, digest.Hash{1}, 20), false},
		"another chain":    {p.committee[:4], cbss.StreamIdentity(chainID+1, owner, p.key.Master, p.id, 20), false},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := back.Open(combined(c.members, c.to))
			if c.opens != (err == nil) || c.opens && key != dataKey {
				t.Errorf("%x %v", key, err)
			}
		})
	}
	if _, err := cbss.ParseContent(wrapped[:155], to); !errors.Is(err, cbss.ErrOpen) {
		t.Errorf("a short one: %v", err)
	}
}

// A wrong partial in what a proxy signed for a beneficiary costs it what a wrong one for a runner does; right ones nothing.
//
// Spec: secrets-cbss §5 (InvalidPartialReencrypt), §10 (1).
func TestSlashingForSealedPartials(t *testing.T) {
	p := newPaper(t, true)
	who, other := p.committee[0], p.committee[1]
	signed := func(by *party, edit ...func(*cbss.SealAnswer)) []byte {
		a := &cbss.SealAnswer{ChainID: chainID, Publisher: owner, Stream: p.id, From: 20, Proxy: who.id, Epoch: 1}
		for i := range uint64(cbss.MaxSealed) {
			a.Partials = append(a.Partials, cbss.Sign(p.share(who, p.key), cbss.StreamIdentity(chainID, owner, p.key.Master, p.id, 20+i)))
		}
		for _, e := range edit {
			e(a)
		}
		return a.Signed(by.key)
	}
	wrong := func(a *cbss.SealAnswer) { a.Partials[31] = a.Partials[30] }
	for name, c := range map[string]struct {
		index    byte
		evidence []byte
		err      error
	}{
		"the last one is wrong":     {31, signed(who, wrong), nil},
		"no point":                  {0, signed(who, func(a *cbss.SealAnswer) { a.Partials[0] = cbss.Point{} }), nil},
		"of another stream":         {0, signed(who, func(a *cbss.SealAnswer) { a.Stream[0] ^= 1 }), nil},
		"a right one":               {30, signed(who, wrong), ErrEvidence},
		"beyond the last":           {32, signed(who, wrong), ErrEvidence},
		"signed by another":         {31, signed(other, wrong), ErrEvidence},
		"of another proxy":          {31, signed(who, wrong, func(a *cbss.SealAnswer) { a.Proxy = other.id }), ErrEvidence},
		"of another chain":          {31, signed(who, wrong, func(a *cbss.SealAnswer) { a.ChainID++ }), ErrEvidence},
		"of an epoch there was not": {31, signed(who, wrong, func(a *cbss.SealAnswer) { a.Epoch++ }), ErrEvidence},
		"under nobody's key":        {31, signed(who, wrong, func(a *cbss.SealAnswer) { a.Publisher = nobody }), ErrEvidence},
		"cut":                       {31, signed(who, wrong)[:1_000], ErrEvidence},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := append([]byte{c.index}, c.evidence...)
			if len(evidence) > MaxEvidence {
				t.Fatalf("%d bytes", len(evidence))
			}
			mark, held := p.overlay.Mark(), p.Held
			defer func() { p.overlay.Revert(mark); p.Held, p.Burned = held, 0 }()
			taken := unit.Amount(0)
			if c.err == nil {
				taken = 500 * unit.CBY
			}
			err := p.try(func() error { return p.Slash(who.id, InvalidPartial, evidence) })
			if !errors.Is(err, c.err) || p.Burned != taken {
				t.Errorf("%v, want %v; burned %d", err, c.err, p.Burned)
			}
		})
	}
	if err := p.Slash(who.id, InvalidPartial, nil); !errors.Is(err, ErrEvidence) {
		t.Errorf("nothing: %v", err)
	}
}

// A publisher without a release key pays nobody, and its requests are answered by nobody.
//
// Spec: secrets-cbss §9 (MissingAccountReleaseKey), §11.
func TestPublishersWithoutAKey(t *testing.T) {
	p := newPaper(t, false)
	till := p.balance(nobody)
	p.buy(3)
	if got := p.balance(nobody) - till; got != 6*unit.CBY {
		t.Errorf("the publisher has got %d", got)
	}
	if q := p.request(0); q.Quorum != 0 || q.Held() != 0 || q.Sealed() {
		t.Errorf("%+v", q)
	}
	if err := p.as(beneficiary, func(m *stream.Manager) error {
		_, err := m.Seal(beneficiary, p.id, uint64(p.Height)/600, uint64(p.Height)/600)
		return err
	}); !errors.Is(err, stream.ErrCommittee) {
		t.Errorf("%v", err)
	}
}

// After a resharing the new members answer, the receipts of those before count, and what is wrapped opens as before.
//
// Spec: secrets-cbss §3 (a key that is passed on), §11.
func TestSealingAcrossAResharing(t *testing.T) {
	p := newPaper(t, true)
	first := p.buy(3)
	p.must(p.shows(0, p.committee[0], p.key, forging{}))
	p.skip(p.Height + unit.Height(p.Config.ReshareInterval))
	p.must(p.Reshare(AccountScope(owner), owner))
	next := p.keyed(AccountScope(owner))
	p.must(p.again(0)) // it has expired
	if err := p.shows(1, p.committee[1], p.key, forging{}); !errors.Is(err, ErrStaleEpoch) && !errors.Is(err, ErrNotMember) {
		t.Errorf("of the epoch before: %v", err)
	}
	for _, who := range p.world.committee(&next.Generation) {
		if who.id == p.committee[0].id {
			continue
		}
		if p.request(1).Sealed() {
			break
		}
		p.must(p.shows(1, who, next, forging{}))
	}
	if q := p.request(1); !q.Sealed() || len(q.Receipts) != 4 || q.Receipts[0] != p.committee[0].id || q.From != first {
		t.Errorf("%+v", q)
	}
	p.end()
}
