package secret

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// locked is a world with the owner's key, and what locks are sealed with.
type locked struct {
	*world
	key       *ReleaseKey
	committee []*party
}

func newLocked(t *testing.T) *locked {
	w := newWorld(t, 9)
	k := w.accountKey(owner)
	w.end()
	return &locked{w, k, w.committee(&k.Generation)}
}

// in is a round so many views from now.
func (l *locked) in(views uint64) sig.Round {
	return sig.Round{Epoch: l.Seed.Round.Epoch, View: l.Seed.Round.View + views}
}

func (l *locked) sealed(id digest.Hash, edit ...func(*cbss.Identity)) *Sealed {
	l.t.Helper()
	to := &cbss.Identity{ChainID: chainID, Secret: cbss.SecretID{Account: owner, KeyHash: id}, Epoch: l.key.Epoch, Master: l.key.Master}
	for _, e := range edit {
		e(to)
	}
	e, err := cbss.Wrap(to, l.number(), [cbss.NonceSize]byte{}, dataKey)
	l.must(err)
	return &Sealed{Epoch: to.Epoch, Pointer: []byte{byte(Inline), 'p'}, Wrapped: e.Append(nil)}
}

func (l *locked) lock(name byte, round sig.Round) digest.Hash {
	l.t.Helper()
	id, err := l.Lock(owner, digest.Hash{name}, round, l.sealed(LockID(owner, digest.Hash{name}, round)))
	l.must(err)
	return id
}

// gives is the partial of a member, of an epoch.
func (l *locked) gives(id digest.Hash, p *party, k *ReleaseKey) error {
	l.t.Helper()
	v, err := LoadLock(l.overlay, id)
	l.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	l.must(err)
	to, err := cbss.ParseIdentity(e.Data[:])
	l.must(err)
	share := l.shares[tag(AccountScope(owner), k.Epoch)][k.PlaceOf(p.id)-1]
	return l.try(func() error { return l.Unlock(id, p.operator, p.id, k.Epoch, cbss.Sign(share, to)) })
}

// A lock opens for everybody once its round is reached, and not before: fees go to those who opened it, to the unit, and what is public then opens the key.
//
// Spec: secrets-cbss §3 (combine), §4 (152, 153).
func TestTimeLock(t *testing.T) {
	l := newLocked(t)
	before := l.balance(owner)
	id := l.lock(1, l.in(5))
	if paid := before - l.balance(owner); paid != 4*unit.CBY {
		t.Errorf("%d is taken, want the fees of four", paid)
	}
	for range 4 {
		if err := l.gives(id, l.committee[0], l.key); !errors.Is(err, ErrLockEarly) {
			t.Fatalf("block %d: %v", l.Height, err)
		}
		if list, err := l.DueLocks(l.committee[0].id, 10); err != nil || len(list) > 0 {
			t.Fatalf("%d locks are due: %v", len(list), err)
		}
		l.end()
	}
	l.end()
	for i, p := range l.committee[:4] {
		list, err := l.DueLocks(p.id, 10)
		if err != nil || len(list) != 1 || list[0].ID != id || list[0].Epoch != 1 || list[0].Members != 5 || list[0].Quorum != 4 {
			t.Fatalf("member %d: %+v %v", i, list, err)
		}
		l.must(l.gives(id, p, l.key))
		if list, err = l.DueLocks(p.id, 10); err != nil || len(list) > 0 {
			t.Errorf("member %d is asked again: %v", i, err)
		}
		want := ErrLockGiven
		if i == 3 {
			want = ErrLockOpen
		}
		if err := l.gives(id, p, l.key); !errors.Is(err, want) {
			t.Errorf("once more: %v, want %v", err, want)
		}
	}
	for i, p := range l.committee {
		want := unit.CBY
		if i == 4 {
			want = 0
		}
		if got := l.balance(p.operator); got != unit.Amount(want) {
			t.Errorf("member %d has %d", i, got)
		}
	}
	v, err := LoadLock(l.overlay, id)
	l.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	l.must(err)
	if key, err := e.Open(v.Sigma); err != nil || key != dataKey {
		t.Errorf("what is public does not open it: %v", err)
	}
	l.end()
	l.at(l.Height + LockKept)
	l.end()
	if v, err := LoadLock(l.overlay, id); err != nil || v != nil {
		t.Errorf("the lock is kept: %v", err)
	}
}

// What of an account waits is listed by round, until it is open; what others wait for is not.
//
// Spec: secrets-cbss §4 (152).
func TestWaitingLocks(t *testing.T) {
	l := newLocked(t)
	late, soon := l.lock(1, l.in(9)), l.lock(2, l.in(2))
	waits := func(of account.Address, want ...digest.Hash) {
		t.Helper()
		list, err := WaitingLocks(l.overlay, of)
		l.must(err)
		got := []digest.Hash{}
		for _, one := range list {
			got = append(got, one.ID)
			if one.Account != of || one.Opened > 0 {
				t.Errorf("%+v", one.Lock)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v wait, want %v", got, want)
		}
	}
	waits(owner, soon, late)
	waits(nobody)
	l.end()
	l.end()
	l.end()
	for _, p := range l.committee[:4] {
		l.must(l.gives(soon, p, l.key))
	}
	waits(owner, late)
}

// Fewer than the threshold leave it closed; the round is the lock's own, so that a partial of one lock opens no other.
//
// Spec: secrets-cbss §3, §4 (153).
func TestLocksAreApart(t *testing.T) {
	l := newLocked(t)
	near, far := l.lock(1, l.in(2)), l.lock(1, l.in(500))
	l.end()
	l.end()
	v, err := LoadLock(l.overlay, far)
	l.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	l.must(err)
	for _, p := range l.committee[:4] {
		l.must(l.gives(near, p, l.key))
	}
	opened, err := LoadLock(l.overlay, near)
	l.must(err)
	if _, err := e.Open(opened.Sigma); err == nil {
		t.Error("what opens a lock opens another of the same name")
	}
	if err := l.gives(far, l.committee[4], l.key); !errors.Is(err, ErrLockEarly) {
		t.Errorf("%v", err)
	}
}

// A committee that takes the key over in the middle begins anew, and its members alone are paid.
//
// Spec: secrets-cbss §3 (resharing), §4 (153).
func TestLockOverAResharing(t *testing.T) {
	l := newLocked(t)
	id := l.lock(1, l.in(1))
	l.end()
	for _, p := range l.committee[:3] {
		l.must(l.gives(id, p, l.key))
	}
	l.must(l.Reshare(AccountScope(owner), owner))
	next := l.keyed(AccountScope(owner))
	l.must(l.gives(id, l.committee[3], l.key)) // within the grace
	v, err := LoadLock(l.overlay, id)
	l.must(err)
	if v.Opened == 0 {
		t.Fatal("the committee before does not open it within its grace")
	}

	id = l.lock2(next, 2)
	l.end()
	l.end()
	l.must(l.gives(id, l.committee[0], l.key))
	before := l.balance(l.committee[0].operator)
	members := l.committeeOf(next)
	l.must(l.gives(id, members[0], next))
	if err := l.gives(id, l.committee[1], l.key); !errors.Is(err, ErrMixed) {
		t.Errorf("an epoch before: %v", err)
	}
	for _, p := range members[1:4] {
		l.must(l.gives(id, p, next))
	}
	if v, err = LoadLock(l.overlay, id); err != nil || v.Opened == 0 || v.Serving != 2 {
		t.Errorf("%+v %v", v, err)
	}
	paid := unit.Amount(0)
	for _, p := range members[:4] {
		if p == l.committee[0] {
			paid = unit.CBY
		}
	}
	if got := l.balance(l.committee[0].operator) - before; got != paid {
		t.Errorf("a member of the committee before gets %d, want %d", got, paid)
	}
	l.end()
}

func (l *locked) committeeOf(k *ReleaseKey) []*party { return l.world.committee(&k.Generation) }

// lock2 seals to a later epoch.
func (l *locked) lock2(k *ReleaseKey, name byte) digest.Hash {
	l.t.Helper()
	l.key, k = k, l.key
	defer func() { l.key = k }()
	return l.lock(name, l.in(2))
}

// Every way in which a lock or a partial is refused.
//
// Spec: secrets-cbss §4 (152, 153; E1739 to E1745).
func TestWrongLocks(t *testing.T) {
	l := newLocked(t)
	round := l.in(9)
	known := l.lock(1, round)
	own := func(*cbss.Identity) {}
	for name, c := range map[string]struct {
		of    account.Address
		name  byte
		round sig.Round
		edit  func(*cbss.Identity)
		err   error
	}{
		"right":                {owner, 2, round, own, nil},
		"another round":        {owner, 1, l.in(10), own, nil},
		"the next epoch":       {owner, 1, sig.Round{Epoch: 2}, own, nil},
		"known":                {owner, 1, round, own, ErrLockKnown},
		"this round":           {owner, 2, l.in(0), own, ErrLockRound},
		"an epoch before":      {owner, 2, sig.Round{Epoch: 0, View: 1 << 60}, own, ErrLockRound},
		"no key":               {nobody, 2, round, own, ErrNoKey},
		"another epoch":        {owner, 2, round, func(i *cbss.Identity) { i.Epoch++ }, ErrWrapEpoch},
		"another lock's":       {owner, 2, round, func(i *cbss.Identity) { i.Secret.KeyHash = known }, ErrData},
		"a secret's":           {owner, 2, round, func(i *cbss.Identity) { i.Version = 1 }, ErrData},
		"another chain's":      {owner, 2, round, func(i *cbss.Identity) { i.ChainID++ }, ErrData},
		"another master key's": {owner, 2, round, func(i *cbss.Identity) { i.Master = l.number().Public() }, ErrData},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held := l.overlay.Mark(), l.Held
			defer func() { l.overlay.Revert(mark); l.Held = held }()
			with := l.sealed(LockID(c.of, digest.Hash{c.name}, c.round), c.edit)
			if _, err := l.Lock(c.of, digest.Hash{c.name}, c.round, with); !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	l.at(l.Height + 9)
	p, other := l.committee[0], l.committee[1]
	var stranger *party
	for _, x := range l.proxies {
		if l.key.PlaceOf(x.id) == 0 {
			stranger = x
		}
	}
	v, err := LoadLock(l.overlay, known)
	l.must(err)
	e, err := cbss.ParseEnvelope(v.Wrapped)
	l.must(err)
	to, err := cbss.ParseIdentity(e.Data[:])
	l.must(err)
	good := cbss.Sign(l.shares[tag(AccountScope(owner), 1)][0], to)
	for name, c := range map[string]struct {
		id       digest.Hash
		operator account.Address
		proxy    digest.Hash
		epoch    uint64
		point    cbss.Point
		err      error
	}{
		"right":            {known, p.operator, p.id, 1, good, nil},
		"no lock":          {digest.Hash{9}, p.operator, p.id, 1, good, ErrLockUnknown},
		"another's proxy":  {known, other.operator, p.id, 1, good, ErrProxySig},
		"no member":        {known, stranger.operator, stranger.id, 1, good, ErrNotMember},
		"an epoch to come": {known, p.operator, p.id, 2, good, ErrStaleEpoch},
		"another's share":  {known, other.operator, other.id, 1, good, ErrLockPartial},
		"no point":         {known, p.operator, p.id, 1, cbss.Point{}, ErrLockPartial},
	} {
		t.Run("partial: "+name, func(t *testing.T) {
			mark := l.overlay.Mark()
			defer l.overlay.Revert(mark)
			if err := l.Unlock(c.id, c.operator, c.proxy, c.epoch, c.point); !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	for n := range byte(MaxLocks - 1) {
		l.lock(n, l.in(20))
	}
	last := LockID(owner, digest.Hash{255, 1}, l.in(20))
	l.refused(ErrQuota, func() error { _, err := l.Lock(owner, digest.Hash{255, 1}, l.in(20), l.sealed(last)); return err })
}

// The identity of a lock is that of another program (chain/cbss/testdata/hidden.mjs).
//
// Spec: secrets-cbss §3, §4 (152).
func TestLockID(t *testing.T) {
	raw, err := os.ReadFile("../cbss/testdata/hidden.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Account, Name string
		Lock          struct {
			Round [2]uint64
			ID    string
		}
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	of, err := account.ReadAddress(v.Account)
	if err != nil {
		t.Fatal(err)
	}
	if id := LockID(of, cbss.KeyHash(of, v.Name), sig.Round{Epoch: v.Lock.Round[0], View: v.Lock.Round[1]}); id.Hex() != v.Lock.ID {
		t.Errorf("%s, want %s", id.Hex(), v.Lock.ID)
	}
}
