package volume

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// sealedFor is a wrap whose identity is what a client would write into it.
func sealedFor(by account.Address, id digest.Hash, version, epoch uint64) Wrap {
	to := cbss.Identity{Secret: cbss.SecretID{Account: by, KeyHash: cbss.VolumeKeyHash(id)}, Version: version, Epoch: epoch}
	return Wrap{DEK: append(make([]byte, cbss.EnvelopeSize-cbss.IdentitySize), to.Bytes()...), Epoch: epoch}
}

// private makes a private volume of an owner's.
func (w *world) private(by byte, name string, version uint64) digest.Hash {
	w.t.Helper()
	id := cbfs.VolumeID(owner(by), name)
	got, err := w.make(by, Request{Name: name, K: 4, M: 2, Private: true, Wrap: sealedFor(owner(by), id, version, 1)}, 1_000*cby)
	w.must(err)
	if got != id {
		w.t.Fatal(got)
	}
	return id
}

func (w *world) wraps(id digest.Hash) uint64 {
	w.t.Helper()
	k, err := LoadWrapped(w.s, cbss.VolumeKeyHash(id))
	w.must(err)
	if k == nil || k.Volume != id {
		w.t.Fatalf("%+v", k)
	}
	return k.Wraps
}

// Wraps of a volume's key are numbered, through a transfer and beyond the end of the volume, and the last one is the volume's.
//
// Spec: secrets-cbss §11; storage-cbfs §3.1.
func TestWraps(t *testing.T) {
	w := newWorld(t)
	for n := range 6 {
		w.join(n)
	}
	id := w.private(1, "docs", 1)
	public, err := w.create(1, "open", 1_000*cby)
	w.must(err)
	if k, err := LoadWrapped(w.s, cbss.VolumeKeyHash(public)); k != nil || err != nil {
		t.Error("a public volume has a key", err)
	}
	next := sealedFor(owner(1), id, 2, 2)
	for name, c := range map[string]struct {
		by   byte
		id   digest.Hash
		wrap Wrap
		err  error
	}{
		"by a stranger":    {2, id, next, ErrAuth},
		"of a public one":  {1, public, next, ErrCommittee},
		"of none":          {1, digest.Hash{1}, next, ErrNotFound},
		"nothing":          {1, id, Wrap{Epoch: 2}, ErrCommittee},
		"without an epoch": {1, id, Wrap{DEK: next.DEK}, ErrCommittee},
		"too long":         {1, id, Wrap{DEK: append([]byte{0}, next.DEK...), Epoch: 2}, ErrCommittee},
		"an old epoch":     {1, id, Wrap{DEK: next.DEK, Epoch: 9}, errKey},
	} {
		t.Run(name, func(t *testing.T) {
			w.try(c.err, func() error { return w.m.Rewrap(owner(c.by), c.id, c.wrap) })
		})
	}
	w.must(w.m.Rewrap(owner(1), id, next))
	v := w.volume(id)
	to, err := v.Wrap.Identity()
	if err != nil || w.wraps(id) != 2 || v.Wrap.Epoch != 2 || v.Wrap.KeyHash != (digest.Hash{2}) || to.Version != 2 || to.Secret.Account != owner(1) {
		t.Errorf("%+v %v", to, err)
	}
	w.must(w.m.Transfer(owner(1), id, owner(2)))
	w.must(w.m.Accept(owner(2), id))
	if v := w.volume(id); !bytes.Equal(v.Wrap.DEK, next.DEK) || w.wraps(id) != 2 {
		t.Error("taking over a volume wraps its key")
	}
	w.try(ErrAuth, func() error { return w.m.Rewrap(owner(1), id, next) })
	w.must(w.m.Rewrap(owner(2), id, sealedFor(owner(2), id, 3, 1)))
	w.must(w.m.Delete(owner(2), id))
	w.try(ErrDeleted, func() error { return w.m.Rewrap(owner(2), id, next) })
	w.end(w.m.Height + 1)
	grace := unit.Height(w.g.Terms.Rent.GraceBlocks)
	w.end(w.m.Height + grace + 1)
	w.skip(w.m.Height + 86_400)
	w.end(w.m.Height + 1)
	if _, err := Load(w.s, id); err != ErrNotFound {
		t.Fatal(err)
	}
	for n := range 6 {
		w.must(w.g.Heartbeat(holder(n)))
	}
	w.private(1, "docs", 4)
	if w.wraps(id) != 4 {
		t.Error("a new volume of an old name begins anew with", w.wraps(id))
	}
	w.m.Keys = nil
	w.try(ErrCommittee, func() error { return w.m.Rewrap(owner(1), id, sealedFor(owner(1), id, 5, 1)) })
}

// Whom grants let have the key: the owner, and who has a token that holds, of a job's runner the one of the job.
//
// Spec: secrets-cbss §11; storage-cbfs §2.5.
func TestGrants(t *testing.T) {
	w := newWorld(t)
	for n := range 6 {
		w.join(n)
	}
	id, other := w.private(1, "docs", 1), w.private(1, "other", 1)
	job, foreign := digest.Hash{1}, digest.Hash{2}
	w.must(w.m.Mint(owner(1), job, []Attachment{{Name: "docs", Mode: "RO"}}, []account.Address{holder(1)}, 20))
	w.must(w.m.Mint(owner(1), foreign, []Attachment{{Name: "other", Mode: "RO"}}, []account.Address{holder(1)}, 20))
	var token [cbfs.TokenIDSize]byte
	for n, mode := range []cbfs.Mode{cbfs.ReadOnly, cbfs.WriteOnly} {
		var err error
		token, err = w.m.Grant(owner(1), id, digest.Hash{byte(n)}, Permission{Grantee: holder(2 + n), Mode: mode, Until: 30})
		w.must(err)
	}
	w.at(19)
	for name, c := range map[string]struct {
		who  account.Address
		job  digest.Hash
		at   unit.Height
		of   digest.Hash
		lets bool
	}{
		"the owner":                         {owner(1), digest.Hash{}, 19, id, true},
		"the owner as a job's runner":       {owner(1), job, 19, id, false},
		"another owner":                     {owner(2), digest.Hash{}, 19, id, false},
		"who reads":                         {holder(2), digest.Hash{}, 29, id, true},
		"who reads, afterwards":             {holder(2), digest.Hash{}, 30, id, false},
		"who reads, before":                 {holder(2), digest.Hash{}, 9, id, false},
		"who reads, another one":            {holder(2), digest.Hash{}, 19, other, false},
		"who reads, as a job's runner":      {holder(2), job, 19, id, false},
		"who writes":                        {holder(3), digest.Hash{}, 19, id, true},
		"a job's runner":                    {holder(1), job, 19, id, true},
		"a job's runner, afterwards":        {holder(1), job, 20, id, false},
		"a job's runner for itself":         {holder(1), digest.Hash{}, 19, id, false},
		"a job's runner, for another job":   {holder(1), foreign, 19, id, false},
		"another job's, of what it has":     {holder(1), foreign, 19, other, true},
		"another runner with the job's own": {holder(4), job, 19, id, false},
	} {
		t.Run(name, func(t *testing.T) {
			if ok, err := Grants(w.s, c.of, w.volume(c.of), c.who, c.job, c.at); ok != c.lets || err != nil {
				t.Error(ok, err)
			}
		})
	}
	w.must(w.m.Revoke(owner(1), token))
	if ok, err := Grants(w.s, id, w.volume(id), holder(3), digest.Hash{}, 19); ok || err != nil {
		t.Error("a revoked token lets", err)
	}
	w.must(w.m.Transfer(owner(1), id, owner(2)))
	w.must(w.m.Accept(owner(2), id))
	for _, who := range []account.Address{owner(1), holder(2), owner(2)} {
		if ok, err := Grants(w.s, id, w.volume(id), who, digest.Hash{}, 19); ok != (who == owner(2)) || err != nil {
			t.Errorf("%s of a volume that was given away: %v %v", who, ok, err)
		}
	}
}
