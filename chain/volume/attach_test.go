package volume

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What a job may attach, and what that costs: 100 CBY each, of which 10 are burned, 2 go to the pool and 88 into the pot.
//
// Spec: storage-cbfs §2.5, §6 (base attachment fee).
func TestAttach(t *testing.T) {
	w, id := ready(t)
	_, err := w.m.Grant(owner(1), id, digest.Hash{1}, Permission{Grantee: holder(7), Mode: cbfs.ReadWrite, Prefix: "taken", Until: 100})
	w.must(err)
	rw := func(prefix string) Attachment {
		return Attachment{Name: "docs", Mode: "RW", Prefix: prefix, MaxBytes: 9}
	}
	for name, c := range map[string]struct {
		by      byte
		list    []Attachment
		members uint32
		err     error
	}{
		"one":              {1, []Attachment{rw("a")}, 1, nil},
		"two":              {1, []Attachment{rw("a"), rw("b")}, 1, nil},
		"twice the same":   {1, []Attachment{rw("a"), rw("a/b")}, 1, ErrOverlap},
		"one of them read": {1, []Attachment{rw("a"), {Name: "docs", Mode: "RO"}}, 1, nil},
		"taken":            {1, []Attachment{rw("taken/too")}, 1, ErrOverlap},
		"all":              {1, []Attachment{rw("")}, 1, ErrOverlap},
		"read all":         {1, []Attachment{{Name: "docs", Mode: "RO"}}, 1, nil},
		"another's":        {2, []Attachment{rw("a")}, 1, ErrNotFound},
		"no mode":          {1, []Attachment{{Name: "docs", Mode: "rw"}}, 1, ErrInvalid},
		"dots":             {1, []Attachment{rw("../a")}, 1, cbfs.ErrPath},
		"an eager mount":   {1, []Attachment{{Name: "docs", Mode: "RO", Mount: true}}, 1, ErrInvalid},
		"nine members":     {1, []Attachment{rw("a"), rw("b"), rw("c"), rw("d"), rw("e"), rw("f"), rw("g")}, 9, nil},
		"too many tokens":  {1, []Attachment{rw("a"), rw("b"), rw("c"), rw("d"), rw("e"), rw("f"), rw("g"), rw("h")}, 9, ErrQuota},
	} {
		t.Run(name, func(t *testing.T) {
			mark, burned, before := w.s.Mark(), w.g.Burned, w.balance(owner(c.by))
			w.try(c.err, func() error { return w.m.Attach(owner(c.by), c.list, c.members) })
			if n := unit.Amount(len(c.list)); c.err == nil && (before-w.balance(owner(c.by)) != n*100*cby || w.g.Burned-burned != n*10*cby) {
				t.Errorf("%d paid, %d burned", before-w.balance(owner(c.by)), w.g.Burned-burned)
			}
			w.sums()
			w.s.Revert(mark)
			w.g.Burned = burned
		})
	}
	w.must(w.m.Delete(owner(1), id))
	w.try(ErrDeleted, func() error { return w.m.Attach(owner(1), []Attachment{rw("a")}, 1) })
}

// The runners of an attempt have tokens of their own, which end with it, and those that write have a place of their own. A volume that is gone gives none.
//
// Spec: storage-cbfs §2.5, §11 (8).
func TestTokensOfJobs(t *testing.T) {
	w, id := ready(t)
	job, runners := digest.Hash{9}, []account.Address{holder(7), holder(8)}
	list := []Attachment{
		{Name: "gone", Mode: "RW"}, {Name: "docs", Mode: "RW", Prefix: "out", MaxBytes: 100}, {Name: "docs", Mode: "RO", Mount: true, SyncSecs: 5},
	}
	at := w.m.Height
	w.must(w.m.Mint(owner(1), job, list, runners, 500))
	tokens, err := Tokens(w.s, id)
	w.must(err)
	prefixes := map[string]cbfs.Mode{}
	for _, one := range tokens {
		kept, err := LoadToken(w.s, one)
		w.must(err)
		body, err := cbfs.DecodeRunnerToken(kept.Body)
		w.must(err)
		if kept.Job != job || body.From != uint64(at) || body.Until != 500 {
			t.Errorf("%+v", body)
		}
		prefixes[body.Runner.Hex()+":"+body.Prefix] = body.Mode
	}
	for _, runner := range runners {
		t.Run(runner.Hex(), func(t *testing.T) {
			if prefixes[runner.Hex()+":out/"+runner.Hex()] != cbfs.ReadWrite || prefixes[runner.Hex()+":"] != cbfs.ReadOnly {
				t.Errorf("%v", prefixes)
			}
		})
	}
	if len(tokens) != 4 || w.volume(id).Tokens != 4 {
		t.Errorf("%d tokens, %d counted", len(tokens), w.volume(id).Tokens)
	}
	own := tokenID(id, job, holder(7), 1, at)
	w.must(w.m.Commit(holder(7), id, &own, fill(w.volume(id), 100, 1).Commit))
	w.must(w.m.Revoke(owner(1), own)) // before the attempt is over
	w.end(at + 5)
	w.must(w.m.Unmint(owner(1), job, list, runners, at))
	if tokens, err = Tokens(w.s, id); err != nil || len(tokens) != 0 || w.volume(id).Tokens != 0 {
		t.Errorf("%x %v", tokens, err)
	}
	w.must(w.m.Mint(owner(1), job, list[1:2], runners[:1], 500))
	one, err := LoadToken(w.s, tokenID(id, job, holder(7), 0, w.m.Height))
	w.must(err)
	if body, err := cbfs.DecodeRunnerToken(one.Body); err != nil || body.Prefix != "out" {
		t.Errorf("%+v %v", body, err) // a lone runner has the whole prefix
	}
}
