package volume

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Names, codes, keys and reserves of new volumes, at their limits.
//
// Spec: storage-cbfs §2.1, §3.1, §5, §6, §8.
func TestCreateAtItsLimits(t *testing.T) {
	w := newWorld(t)
	private := Wrap{DEK: []byte{1}, Epoch: 1}
	with := func(change func(r *Request)) Request { r := Request{Name: "a", K: 4, M: 2}; change(&r); return r }
	for n := range 5 {
		w.join(n)
	}
	w.try(relay.ErrCapacity, func() error { _, err := w.create(1, "a", 1_000*cby); return err })
	for n := 5; n < 10; n++ {
		w.join(n)
	}
	for name, c := range map[string]struct {
		r     Request
		coins unit.Amount
		err   error
	}{
		"4 + 2": {with(func(*Request) {}), 1_000 * cby, nil}, "too few coins": {with(func(*Request) {}), 1_000*cby - 1, ErrReserve},
		"2 + 1": {with(func(r *Request) { r.K, r.M = 2, 1 }), 1_000 * cby, nil}, "1 + 1": {with(func(r *Request) { r.K, r.M = 1, 1 }), 1_000 * cby, ErrInvalid},
		"1 + 0": {with(func(r *Request) { r.K, r.M = 1, 0 }), 1_000 * cby, ErrInvalid}, "2 + 0": {with(func(r *Request) { r.M = 0 }), 1_000 * cby, ErrInvalid},
		"2 + 8":            {with(func(r *Request) { r.K, r.M = 2, 8 }), 1_000 * cby, nil},
		"1 + 9":            {with(func(r *Request) { r.K, r.M = 2, 9 }), 1_000 * cby, ErrInvalid},
		"16 + 1":           {with(func(r *Request) { r.K, r.M = 16, 1 }), 1_000 * cby, relay.ErrCapacity},
		"17 + 1":           {with(func(r *Request) { r.K, r.M = 17, 1 }), 1_000 * cby, ErrInvalid},
		"private":          {with(func(r *Request) { r.Private, r.Wrap = true, private }), 1_000 * cby, nil},
		"without a key":    {with(func(r *Request) { r.Private, r.Wrap.Epoch = true, 1 }), 1_000 * cby, ErrCommittee},
		"without an epoch": {with(func(r *Request) { r.Private, r.Wrap.DEK = true, []byte{1} }), 1_000 * cby, ErrCommittee},
		"public with both": {with(func(r *Request) { r.Wrap = private }), 1_000 * cby, ErrCommittee},
		"a long key":       {with(func(r *Request) { r.Private, r.Wrap = true, Wrap{DEK: make([]byte, MaxDEKBytes), Epoch: 1} }), 1_000 * cby, nil},
		"a longer key":     {with(func(r *Request) { r.Private, r.Wrap = true, Wrap{DEK: make([]byte, MaxDEKBytes+1), Epoch: 1} }), 1_000 * cby, ErrCommittee},
		"no name":          {with(func(r *Request) { r.Name = "." }), 1_000 * cby, cbfs.ErrName},
		"a long name":      {with(func(r *Request) { r.Name = strings.Repeat("x", 64) }), 1_000 * cby, nil},
		"expired":          {with(func(r *Request) { r.Expires = 10 }), 1_000 * cby, ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			mark, burned := w.s.Mark(), w.g.Burned
			w.try(c.err, func() error { _, err := w.make(1, c.r, c.coins); return err })
			w.sums()
			w.s.Revert(mark)
			w.g.Burned = burned
		})
	}
	w.m.Development = true
	w.try(nil, func() error { _, err := w.make(1, with(func(r *Request) { r.K, r.M = 1, 0 }), 1_000*cby); return err })
	w.try(ErrInvalid, func() error { _, err := w.make(1, with(func(r *Request) { r.K, r.M = 1, 1 }), 1_000*cby); return err })
	w.try(ErrConflict, func() error { _, err := w.create(1, "a", 1_000*cby); return err })
}

// An account has 256 volumes.
//
// Spec: storage-cbfs §8.
func TestVolumesOfAnAccount(t *testing.T) {
	w := newWorld(t)
	w.m.Development = true
	w.join(0)
	name := func(n int) Request { return Request{Name: "v" + string(rune('a'+n/16)) + string(rune('a'+n%16)), K: 1} }
	for n := range MaxPerAccount {
		_, err := w.make(1, name(n), 1_000*cby)
		w.must(err)
	}
	w.try(ErrQuota, func() error { _, err := w.make(1, name(MaxPerAccount), 1_000*cby); return err })
	id, err := w.make(2, name(MaxPerAccount), 1_000*cby)
	w.must(err)
	w.must(w.m.Transfer(owner(2), id, owner(1)))
	w.try(ErrQuota, func() error { return w.m.Accept(owner(1), id) })
	ids, err := Owned(w.s, owner(1))
	if err != nil || len(ids) != MaxPerAccount {
		t.Error(len(ids), err)
	}
	w.sums()
}

// What a commit may say, by whom, and what it costs. The reserve covers 60,600,000 exactly: the fee of 40 MiB, and an epoch.
//
// Spec: storage-cbfs §3.1, §6, §8, §11 (10).
func TestCommitAtItsLimits(t *testing.T) {
	w := newWorld(t)
	for n := range 6 {
		w.join(n)
	}
	id, err := w.create(1, "docs", 1_000*cby+60_600_000)
	w.must(err)
	v := w.volume(id)
	good := fill(v, 40*mebi, 1).Commit
	with := func(change func(c *Commit)) Commit { c := good; change(&c); return c }
	for name, c := range map[string]struct {
		by     account.Address
		commit Commit
		err    error
	}{
		"good":               {owner(1), good, nil},
		"a stranger":         {owner(2), good, ErrAuth},
		"another base":       {owner(1), with(func(c *Commit) { c.Base = digest.Hash{1} }), ErrConflict},
		"a byte more":        {owner(1), with(func(c *Commit) { c.Raw++; c.Chunks++ }), ErrReserve},
		"too few chunks":     {owner(1), with(func(c *Commit) { c.Chunks-- }), ErrInvalid},
		"a chunk an object":  {owner(1), with(func(c *Commit) { c.Chunks++ }), nil},
		"free places":        {owner(1), with(func(c *Commit) { c.Chunks = 2*(10+1) + 256 }), nil}, // 40 MiB by four are ten, and one object
		"more chunks":        {owner(1), with(func(c *Commit) { c.Chunks = 2*(10+1) + 257 }), ErrInvalid},
		"no shards":          {owner(1), with(func(c *Commit) { c.Shards = digest.Hash{} }), ErrInvalid},
		"bytes of nothing":   {owner(1), with(func(c *Commit) { c.Objects = 0 }), ErrInvalid},
		"objects":            {owner(1), with(func(c *Commit) { c.Objects = 655_361 }), nil}, // 40 MiB by 64, and the first
		"more than bytes":    {owner(1), with(func(c *Commit) { c.Objects = 655_362 }), ErrInvalid},
		"most objects":       {owner(1), with(func(c *Commit) { c.Objects, c.Raw, c.Chunks = MaxObjects, 64*MaxObjects, 16 }), ErrReserve},
		"too many objects":   {owner(1), with(func(c *Commit) { c.Objects = MaxObjects + 1 }), ErrQuota},
		"nothing":            {owner(1), Commit{}, nil},
		"shards of nothing":  {owner(1), Commit{Shards: digest.Hash{1}}, ErrInvalid},
		"too large":          {owner(1), with(func(c *Commit) { c.Raw = MaxRawBytes + 1 }), ErrQuota},
		"large, not covered": {owner(1), with(func(c *Commit) { c.Raw, c.Chunks = MaxRawBytes, 25<<10 }), ErrReserve},
	} {
		t.Run(name, func(t *testing.T) {
			mark, burned := w.s.Mark(), w.g.Burned
			w.try(c.err, func() error { return w.m.Commit(c.by, id, nil, c.commit) })
			w.sums()
			w.s.Revert(mark)
			w.g.Burned = burned
		})
	}
	w.must(w.m.Commit(owner(1), id, nil, good))
	if v := w.volume(id); v.Reserve != 60_000_000 || v.Effective() != 60*mebi || w.count(TopicCommitted) == 0 {
		t.Errorf("%d of %d bytes", v.Reserve, v.Effective())
	}
}

// A power cut between the two steps of a write leaves the volume as it was, and its relays with what they had confirmed; whoever goes on commits what the
// volume is then. Of two writers that began with the same manifest, the second is told.
//
// Spec: storage-cbfs §2.4 (READ_COMMITTED), §3.1 (two steps).
func TestCommitIsOneStep(t *testing.T) {
	w, id := ready(t)
	first := w.write(1, id, 8*mebi, 1)
	before := w.volume(id)
	second, third := fill(before, 12*mebi, 2), fill(before, 16*mebi, 3) // both lie on relays: step one
	w.end(20)
	p, err := relay.LoadPlacement(w.s, id)
	w.must(err)
	if v := w.volume(id); v.ManifestRoot != first.Manifest || v.Raw != 8*mebi || p.Slots[0].Root != first.Shards || p.Slots[0].Superseded != 0 {
		t.Errorf("%+v", v)
	}
	w.try(relay.ErrConflict, func() error { return w.m.Confirm(p.Slots[0].Relay, id, 0, second.Shards) })
	w.must(w.m.Commit(owner(1), id, nil, second.Commit))
	w.try(ErrConflict, func() error { return w.m.Commit(owner(1), id, nil, third.Commit) })
	p, err = relay.LoadPlacement(w.s, id)
	w.must(err)
	if p.Slots[0].Root != first.Shards || p.Slots[0].Superseded != 21 {
		t.Errorf("%+v", p.Slots[0])
	}
	third.Base = second.Manifest
	w.must(w.m.Commit(owner(1), id, nil, third.Commit))
	w.confirm(id)
	if p, err = relay.LoadPlacement(w.s, id); err != nil || p.Slots[5].Root != third.Shards || p.Slots[5].Superseded != 0 || p.Slots[5].Bytes != 4*mebi {
		t.Errorf("%+v %v", p.Slots[5], err)
	}
	w.sums()
}

// Tokens: who grants, what overlaps, when they hold, and how many bytes they let a volume grow by.
//
// Spec: storage-cbfs §2.5, §3.1, §11 (8, 10).
func TestTokens(t *testing.T) {
	w, id := ready(t)
	a := Permission{Grantee: holder(7), Mode: cbfs.WriteOnly, Prefix: "a/b", MaxBytes: mebi, Until: 100}
	with := func(change func(p *Permission)) Permission { p := a; change(&p); return p }
	token, err := w.m.Grant(owner(1), id, digest.Hash{1}, a)
	w.must(err)
	for name, c := range map[string]struct {
		by  byte
		p   Permission
		err error
	}{
		"by a stranger": {2, with(func(p *Permission) { p.Prefix = "x" }), ErrAuth},
		"the same":      {1, a, ErrOverlap},
		"within":        {1, with(func(p *Permission) { p.Prefix = "a/b/c" }), ErrOverlap},
		"around":        {1, with(func(p *Permission) { p.Prefix = "a/" }), ErrOverlap},
		"all":           {1, with(func(p *Permission) { p.Prefix = "" }), ErrOverlap},
		"beside":        {1, with(func(p *Permission) { p.Prefix = "a/bc" }), nil},
		"reading":       {1, with(func(p *Permission) { p.Mode = cbfs.ReadOnly }), nil},
		"dots":          {1, with(func(p *Permission) { p.Prefix = "x/../a/b" }), cbfs.ErrPath},
		"no mode":       {1, with(func(p *Permission) { p.Mode, p.Prefix = cbfs.Modes, "x" }), ErrInvalid},
		"to nobody":     {1, with(func(p *Permission) { p.Grantee, p.Prefix = account.Address{}, "x" }), ErrInvalid},
		"for no block":  {1, with(func(p *Permission) { p.Until, p.Prefix = 10, "x" }), ErrInvalid},
		"for a block":   {1, with(func(p *Permission) { p.Until, p.Prefix = 11, "x" }), nil},
		"for a year":    {1, with(func(p *Permission) { p.Until, p.Prefix = 10+MaxTokenBlocks, "x" }), nil},
		"and a block":   {1, with(func(p *Permission) { p.Until, p.Prefix = 11+MaxTokenBlocks, "x" }), ErrInvalid},
		"mounted":       {1, with(func(p *Permission) { p.Mount, p.Prefix = true, "x" }), ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			mark := w.s.Mark()
			w.try(c.err, func() error { _, err := w.m.Grant(owner(c.by), id, digest.Hash{2}, c.p); return err })
			w.s.Revert(mark)
		})
	}
	v := w.volume(id)
	one := fill(v, mebi, 1).Commit
	more := fill(v, mebi+1, 2).Commit
	other := token
	other[3]++
	w.try(ErrBytes, func() error { return w.m.Commit(holder(7), id, &token, more) })
	w.try(ErrNotFound, func() error { return w.m.Commit(holder(7), id, &other, one) })
	w.try(ErrAuth, func() error { return w.m.Commit(holder(8), id, &token, one) })
	w.try(ErrAuth, func() error { return w.m.Commit(holder(7), id, nil, one) })
	w.must(w.m.Commit(holder(7), id, &token, one))
	next := fill(w.volume(id), mebi+1, 3).Commit
	w.try(ErrBytes, func() error { return w.m.Commit(holder(7), id, &token, next) })
	w.must(w.m.Commit(owner(1), id, nil, fill(w.volume(id), 9*mebi, 4).Commit)) // the owner's growth is not the token's
	w.must(w.m.Commit(holder(7), id, &token, fill(w.volume(id), 8*mebi, 5).Commit))
	w.must(w.m.Commit(holder(7), id, &token, fill(w.volume(id), 9*mebi, 6).Commit))
	w.try(ErrBytes, func() error { return w.m.Commit(holder(7), id, &token, fill(w.volume(id), 9*mebi+1, 7).Commit) })
	w.at(100)
	w.try(ErrToken, func() error { return w.m.Commit(holder(7), id, &token, fill(w.volume(id), 9*mebi, 8).Commit) })
	again, err := w.m.Grant(owner(1), id, digest.Hash{3}, with(func(p *Permission) { p.Until = 200; p.Mode = cbfs.ReadOnly }))
	w.must(err)
	if list, err := Tokens(w.s, id); err != nil || len(list) != 1 || list[0] != again || w.volume(id).Tokens != 1 {
		t.Errorf("%x %v", list, err)
	}
	w.try(ErrToken, func() error { return w.m.Commit(holder(7), id, &again, fill(w.volume(id), mebi, 9).Commit) }) // it reads
	w.try(ErrAuth, func() error { return w.m.Revoke(holder(7), again) })
	w.must(w.m.Revoke(owner(1), again))
	w.try(ErrNotFound, func() error { return w.m.Revoke(owner(1), again) })
}

// Caveats only narrow, by the owner or the one who has the token, and what the chain keeps is what relays are shown.
//
// Spec: storage-cbfs §2.5.
func TestTokensNarrow(t *testing.T) {
	w, id := ready(t)
	wide := Permission{Grantee: holder(7), Mode: cbfs.ReadWrite, Prefix: "a", MaxBytes: 100, Until: 100}
	token, err := w.m.Grant(owner(1), id, digest.Hash{1}, wide)
	w.must(err)
	with := func(change func(p *Permission)) Permission { p := wide; change(&p); return p }
	for name, c := range map[string]struct {
		by  account.Address
		p   Permission
		err error
	}{
		"the same":        {holder(7), wide, nil},
		"less":            {owner(1), with(func(p *Permission) { p.Mode, p.Prefix, p.MaxBytes, p.Until = cbfs.ReadOnly, "a/b", 99, 99 }), nil},
		"a stranger":      {holder(8), wide, ErrAuth},
		"a wider prefix":  {holder(7), with(func(p *Permission) { p.Prefix = "" }), ErrInvalid},
		"another prefix":  {holder(7), with(func(p *Permission) { p.Prefix = "ab" }), ErrInvalid},
		"more bytes":      {holder(7), with(func(p *Permission) { p.MaxBytes++ }), ErrInvalid},
		"longer":          {holder(7), with(func(p *Permission) { p.Until++ }), ErrInvalid},
		"a prefix's dots": {holder(7), with(func(p *Permission) { p.Prefix = "a/../b" }), cbfs.ErrPath},
	} {
		t.Run(name, func(t *testing.T) {
			mark := w.s.Mark()
			w.try(c.err, func() error { return w.m.Narrow(c.by, token, c.p) })
			w.s.Revert(mark)
		})
	}
	w.must(w.m.Narrow(holder(7), token, with(func(p *Permission) { p.Mode = cbfs.ReadOnly })))
	w.try(ErrInvalid, func() error { return w.m.Narrow(owner(1), token, wide) })
	kept, err := LoadToken(w.s, token)
	w.must(err)
	body, err := cbfs.DecodeRunnerToken(kept.Body)
	if w.must(err); !bytes.Equal(body.Encode(), kept.Body) || body.Mode != cbfs.ReadOnly || body.Runner != holder(7) || body.Secret.IsZero() {
		t.Errorf("%+v", body)
	}
}

// A token that is narrowed to less than it has used lets a volume shrink, and stay as it is, but grow only once there is room again.
//
// Spec: storage-cbfs §2.5 (max_bytes), §11 (10: by size delta).
func TestTokensNarrowedBelowWhatIsUsed(t *testing.T) {
	w, id := ready(t)
	p := Permission{Grantee: holder(7), Mode: cbfs.ReadWrite, MaxBytes: 100, Until: 100}
	token, err := w.m.Grant(owner(1), id, digest.Hash{1}, p)
	w.must(err)
	commit := func(raw uint64) error {
		return w.m.Commit(holder(7), id, &token, fill(w.volume(id), raw, uint64(len(w.said))).Commit)
	}
	w.must(commit(80))
	p.MaxBytes = 50
	w.must(w.m.Narrow(owner(1), token, p))
	w.try(ErrBytes, func() error { return commit(81) })
	w.must(commit(80))
	w.must(commit(60))
	w.try(ErrBytes, func() error { return commit(61) })
	w.must(commit(40))
	w.try(ErrBytes, func() error { return commit(51) })
	w.must(commit(50))
}

// A volume has 64 tokens that hold.
//
// Spec: storage-cbfs §2.5.
func TestTokensOfAVolume(t *testing.T) {
	w, id := ready(t)
	p := Permission{Grantee: holder(7), Until: 100}
	for n := range MaxTokens {
		_, err := w.m.Grant(owner(1), id, digest.Hash{1, byte(n)}, p)
		w.must(err)
	}
	w.try(ErrQuota, func() error { _, err := w.m.Grant(owner(1), id, digest.Hash{2}, p); return err })
	w.at(100)
	p.Until = 200
	w.try(nil, func() error { _, err := w.m.Grant(owner(1), id, digest.Hash{2}, p); return err })
	if w.volume(id).Tokens != 1 {
		t.Error(w.volume(id).Tokens)
	}
}
