package secret

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The recommended parameters, and those of a development network.
//
// Spec: secrets-cbss §6.
func TestDefaults(t *testing.T) {
	p := params.Genesis()
	got := Defaults(p)
	want := Config{
		MinStake: 10_000_000_000_000, Soak: 86_400, Unbond: 604_800, ReshareInterval: 1_296_000, ReshareGrace: 100, DkgBlocks: 7_200,
		DkgBond: 1_000_000_000_000, DkgSlash: 50_000_000_000, ExpireReward: 1_000_000_000, Freshness: 384, ChallengeDelay: 416, ResponseBlocks: 64,
		ChallengeAge: 480, LivenessBond: 100_000_000_000, HealthDecrement: 250, ReleaseFee: 1_000_000_000,
	}
	if got != want {
		t.Errorf("%+v", got)
	}
	p.Administrators = []account.Address{{1}}
	if got := Defaults(p); got.Soak != 100 || !got.Inline {
		t.Errorf("%+v", got)
	}
	if err := CheckConfig(want.Encode()); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Config){
		"no stake":               func(c *Config) { c.MinStake = 0 },
		"no time to make a key":  func(c *Config) { c.DkgBlocks = 0 },
		"never fresh":            func(c *Config) { c.Freshness = 0 },
		"no time to answer":      func(c *Config) { c.ResponseBlocks = 0 },
		"more than all health":   func(c *Config) { c.HealthDecrement = HealthFull + 1 },
		"slash above bond":       func(c *Config) { c.DkgSlash = c.DkgBond + 1 },
		"reward above slash":     func(c *Config) { c.ExpireReward = c.DkgSlash + 1 },
		"delay within freshness": func(c *Config) { c.ChallengeDelay = c.Freshness },
		"age below delay":        func(c *Config) { c.ChallengeAge = c.ChallengeDelay - 1 },
		"a stake of all coins":   func(c *Config) { c.MinStake = params.GenesisSupply },
		"for ever":               func(c *Config) { c.Soak = 1 << 40 },
	} {
		t.Run(name, func(t *testing.T) {
			c := want
			change(&c)
			if CheckConfig(c.Encode()) == nil {
				t.Error("it is taken")
			}
		})
	}
}

// A secret is set, replaced, changed and deleted; what was deleted is known to have been there, and no number is given twice.
//
// Spec: secrets-cbss §2, §4 (68 to 71), §5.
func TestSecrets(t *testing.T) {
	w := newWorld(t, 5)
	id := secretOf(owner, "API_KEY")
	if _, err := w.set(id, Policy{}); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	k := w.accountKey(owner)
	for version := uint64(1); version <= 2; version++ {
		if got, err := w.set(id, Policy{}); err != nil || got != version {
			t.Fatalf("%d %v", got, err)
		}
	}
	listed := Policy{Listed: true, Actors: []account.Address{actor}, TEE: true}
	w.must(w.SetPolicy(id, 1, listed))
	before := w.wrap(id, 2, k)
	v, err := LoadVersion(w.overlay, id, 1)
	if err != nil || !v.Policy.Listed || !v.Policy.TEE || v.Epoch != 1 || v.Pending || len(v.Wrapped) != cbss.EnvelopeSize {
		t.Errorf("%+v %v", v, err)
	}
	w.must(w.try(func() error { return w.Delete(id, 1) }))
	for name, c := range map[string]struct {
		version uint64
		err     error
	}{"deleted": {1, ErrDeleted}, "there": {2, nil}, "never": {3, ErrNotFound}} {
		t.Run(name, func(t *testing.T) {
			if _, err := LoadVersion(w.overlay, id, c.version); err != c.err {
				t.Errorf("%v", err)
			}
			if c.err != nil {
				w.refused(c.err, func() error { return w.Delete(id, c.version) })
				w.refused(c.err, func() error { return w.SetPolicy(id, c.version, Policy{}) })
				w.refused(c.err, func() error { return w.Finalize(id, c.version, before) })
			}
		})
	}
	w.refused(ErrForm, func() error { return w.Finalize(id, 2, before) })
	paid := 0
	w.must(w.DeleteAll(id, func() error { paid++; return nil }))
	if paid != 1 {
		t.Errorf("paid for %d versions", paid)
	}
	w.refused(ErrNotFound, func() error { return w.DeleteAll(id, func() error { return nil }) })
	if got, err := w.set(id, Policy{}); err != nil || got != 3 {
		t.Errorf("after all were deleted: %d %v", got, err)
	}
	if n := w.told(TopicCreated); n != 3 {
		t.Errorf("%d were created", n)
	}
	if n := w.told(TopicDeleted); n != 2 {
		t.Errorf("%d were deleted", n)
	}
}

// Spec: secrets-cbss §3 (associated data), §5 (Set), §6 (value), §9.
func TestEnvelopesOnChain(t *testing.T) {
	w := newWorld(t, 5)
	k := w.accountKey(owner)
	id := secretOf(owner, "KEY")
	for name, c := range map[string]struct {
		change func(*Sealed)
		err    error
	}{
		"right":                {func(*Sealed) {}, nil},
		"another epoch":        {func(s *Sealed) { s.Epoch++ }, ErrWrapEpoch},
		"another version":      {func(s *Sealed) { *s = *w.wrap(id, 2, k) }, ErrData},
		"another secret":       {func(s *Sealed) { *s = *w.wrap(secretOf(owner, "OTHER"), 1, k) }, ErrData},
		"another account":      {func(s *Sealed) { *s = *w.wrap(secretOf(maker, "KEY"), 1, k) }, ErrData},
		"another chain":        {func(s *Sealed) { s.Wrapped[cbss.EnvelopeSize-cbss.IdentitySize] ^= 1 }, ErrData},
		"cut":                  {func(s *Sealed) { s.Wrapped = s.Wrapped[1:] }, ErrCorrupted},
		"ephemeral infinity":   {func(s *Sealed) { copy(s.Wrapped, append([]byte{0xc0}, make([]byte, cbss.KeySize-1)...)) }, ErrCorrupted},
		"no pointer":           {func(s *Sealed) { s.Pointer = []byte{0} }, ErrForm},
		"third place":          {func(s *Sealed) { s.Pointer = []byte{2, 1} }, ErrForm},
		"128 bytes of storage": {func(s *Sealed) { s.Pointer = make([]byte, 129) }, nil},
		"129 bytes of storage": {func(s *Sealed) { s.Pointer = make([]byte, 130) }, ErrForm},
		"65,536 bytes inline":  {func(s *Sealed) { s.Pointer = append([]byte{1}, make([]byte, 65_536)...) }, nil},
		"65,537 bytes inline":  {func(s *Sealed) { s.Pointer = append([]byte{1}, make([]byte, 65_537)...) }, ErrForm},
		"inline, not allowed":  {func(s *Sealed) { s.Pointer = []byte{1, 1}; w.Config.Inline = false }, ErrInline},
	} {
		t.Run(name, func(t *testing.T) {
			mark := w.overlay.Mark()
			defer func() { w.overlay.Revert(mark); w.Config.Inline = true }()
			s := w.wrap(id, 1, k)
			c.change(s)
			if _, err := w.Set(id, Policy{}, s, nil, digest.Hash{}); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	s := w.wrap(id, 1, k)
	s.Pointer = []byte{1, 7, 8}
	if _, err := w.Set(id, Policy{}, s, nil, digest.Hash{}); err != nil {
		t.Fatal(err)
	}
	if raw, err := LoadPayload(w.overlay, id, 1); err != nil || string(raw) != "\x07\x08" {
		t.Errorf("%x %v", raw, err)
	}
	w.must(w.Delete(id, 1))
	if raw, err := LoadPayload(w.overlay, id, 1); err != nil || raw != nil {
		t.Errorf("a deleted payload: %x %v", raw, err)
	}
}

// Quotas at n − 1, n and n + 1: 256 secrets of an account, 32 versions of a secret. What is deleted makes room.
//
// Spec: secrets-cbss §6; sdk §9.2.
func TestQuotas(t *testing.T) {
	w := newWorld(t, 5)
	k := w.accountKey(owner)
	for n := range MaxSecrets {
		id := secretOf(owner, fmt.Sprint("KEY", n))
		s := &Sealed{Epoch: 1, Pointer: []byte{0, 1}}
		e := cbss.Envelope{Ephemeral: k.Master, Data: [cbss.IdentitySize]byte(w.identity(id, 1, 1, k.Master).Bytes())}
		s.Wrapped = e.Append(nil)
		if _, err := w.Set(id, Policy{}, s, nil, digest.Hash{}); err != nil {
			t.Fatalf("secret %d: %v", n+1, err)
		}
	}
	more := secretOf(owner, "MORE")
	if _, err := w.set(more, Policy{}); err != ErrQuota {
		t.Errorf("a 257th secret: %v", err)
	}
	first := secretOf(owner, "KEY0")
	for version := uint64(2); version <= MaxVersions; version++ {
		if got, err := w.set(first, Policy{}); err != nil || got != version {
			t.Fatalf("%d %v", got, err)
		}
	}
	if _, err := w.set(first, Policy{}); err != ErrQuota {
		t.Errorf("a 33rd version: %v", err)
	}
	w.must(w.Delete(first, 9))
	if got, err := w.set(first, Policy{}); err != nil || got != 33 {
		t.Errorf("after one was deleted: %d %v", got, err)
	}
	w.must(w.DeleteAll(first, func() error { return nil }))
	if _, err := w.set(more, Policy{}); err != nil {
		t.Errorf("after a secret was deleted: %v", err)
	}
	if _, err := w.set(first, Policy{}); err != ErrQuota {
		t.Errorf("the deleted one again: %v", err)
	}
}

// A version with a committee of its own: it is pending while the key is made, is sealed, and takes its key with it. Every coin of the bond is told.
//
// Spec: secrets-cbss §3 (n 5 to 15, t ≥ 3), §5, §6 (DKG_BOND, DKG_TIMEOUT_SLASH, EXPIRE_DKG_REWARD).
func TestCommitteeOfItsOwn(t *testing.T) {
	w := newWorld(t, 8)
	id := secretOf(owner, "OWN")
	ask := func(members, quorum uint32, preferred ...digest.Hash) error {
		return w.try(func() error {
			_, err := w.Set(id, Policy{}, nil, &Override{members, quorum, preferred}, digest.Hash{})
			return err
		})
	}
	for name, c := range map[string]struct {
		members, quorum uint32
		preferred       []digest.Hash
		err             error
	}{
		"four members": {4, 3, nil, ErrForm}, "sixteen": {16, 3, nil, ErrForm}, "two open": {5, 2, nil, ErrForm}, "more than all": {5, 6, nil, ErrForm},
		"too few proxies": {9, 5, nil, ErrCommittee}, "a proxy twice": {5, 3, []digest.Hash{{1}, {1}}, ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			if err := ask(c.members, c.quorum, c.preferred...); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	const all = 100_000 * unit.CBY
	last := w.proxies[7]
	w.must(ask(7, 5, digest.Hash{9}, last.id))
	if got := w.balance(owner); got != all-1_000*unit.CBY {
		t.Errorf("with the bond taken %d are left", got)
	}
	of := Scope{Secret: id, Version: 1}
	w.refused(ErrInProgress, func() error { return w.Delete(id, 1) })
	w.refused(ErrInProgress, func() error { return w.DeleteAll(id, func() error { return nil }) })
	w.refused(ErrInProgress, func() error { return w.Finalize(id, 1, &Sealed{}) })
	k := w.keyed(of)
	if len(k.Committee) != 7 || k.Threshold() != 5 || k.Committee[0] != last.id || w.balance(owner) != all {
		t.Errorf("%d of %d, %d back", k.Threshold(), len(k.Committee), w.balance(owner))
	}
	w.refused(ErrWrapEpoch, func() error { s := w.wrap(id, 1, k); s.Epoch = 2; return w.Finalize(id, 1, s) })
	w.must(w.Finalize(id, 1, w.wrap(id, 1, k)))
	v, err := LoadVersion(w.overlay, id, 1)
	if err != nil || v.Pending || v.Recipient != OfSecret {
		t.Errorf("%+v %v", v, err)
	}
	w.must(w.Delete(id, 1))
	if k, err := LoadKey(w.overlay, of); err != nil || k != nil {
		t.Errorf("the key of a deleted version is there: %v", err)
	}
	// One that is not made in time.
	w.must(ask(5, 3))
	w.end()
	w.end()
	of.Version = 2
	p, err := LoadPending(w.overlay, of)
	w.must(err)
	w.at(p.Deadline)
	w.refused(ErrNotDue, func() error { return w.Expire(of, nobody) })
	w.at(p.Deadline + 1)
	w.refused(ErrNoKey, func() error { return w.bring(w.agreed(of)) })
	w.must(w.Expire(of, nobody))
	w.end()
	if own, other := w.balance(owner), w.balance(nobody); own != all-50*unit.CBY || other != all+unit.CBY || w.burned != 49*unit.CBY {
		t.Errorf("owner %d, who said so %d, burned %d", own, other, w.burned)
	}
	if _, err := LoadVersion(w.overlay, id, 2); err != ErrDeleted {
		t.Errorf("%v", err)
	}
	w.refused(ErrNoKey, func() error { return w.Expire(of, nobody) })
}
