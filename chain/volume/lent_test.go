package volume

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lending is a private volume of the first owner's, which is granted to the second one: to read and write below "in", a mebibyte, until block 100.
func lending(t *testing.T) (w *world, id digest.Hash, grant [cbfs.TokenIDSize]byte) {
	t.Helper()
	w = newWorld(t)
	for n := range 6 {
		w.join(n)
	}
	id = w.private(1, "docs", 1)
	w.must(w.topUp(1, id, 100*cby))
	return w, id, w.lend(id, 2, Permission{Mode: cbfs.ReadWrite, Prefix: "in", MaxBytes: mebi, Until: 100})
}

func (w *world) lend(id digest.Hash, to byte, p Permission) [cbfs.TokenIDSize]byte {
	w.t.Helper()
	w.sources++
	p.Grantee = owner(to)
	token, err := w.m.Grant(owner(1), id, digest.Hash{0: 0xaa, 30: byte(w.sources >> 8), 31: byte(w.sources)}, p)
	w.must(err)
	return token
}

// theirs names the volume of the first owner as others do.
func theirs(mode, prefix string, most uint64) Attachment {
	return Attachment{Name: cbfs.PublicAddress(owner(1), "docs"), Mode: mode, Prefix: prefix, MaxBytes: most}
}

// minted are the tokens that a job's runners have for a volume.
func (w *world) minted(id, job digest.Hash) (list []held) {
	w.t.Helper()
	ids, err := Tokens(w.s, id)
	w.must(err)
	for _, one := range ids {
		t, err := LoadToken(w.s, one)
		w.must(err)
		body, err := cbfs.DecodeRunnerToken(t.Body)
		w.must(err)
		if t.Job == job {
			list = append(list, held{t, one, body})
		}
	}
	return list
}

// What the job of an account may attach of another's volume: what the owner has granted the account, while the grant holds, and no more. It costs the account
// what a volume of its own does.
//
// Spec: storage-cbfs §2.1 (public address), §2.5, §6 (base attachment fee); secrets-cbss §11.
func TestAttachWhatIsGranted(t *testing.T) {
	w, id, grant := lending(t)
	w.lend(id, 3, Permission{Mode: cbfs.ReadOnly, Until: 100})
	w.lend(id, 4, Permission{Mode: cbfs.WriteOnly, Prefix: "out", MaxBytes: 5, Until: 100})
	w.must(w.m.Mint(owner(1), digest.Hash{7}, []Attachment{{Name: "docs", Mode: "RO"}}, []account.Address{owner(5)}, 100))
	public, err := w.create(1, "open", 1_000*cby)
	w.must(err)
	address := func(n byte, name string) Attachment {
		return Attachment{Name: cbfs.PublicAddress(owner(n), name), Mode: "RO"}
	}
	at := func(h unit.Height) func() { return func() { w.at(h) } }
	for name, c := range map[string]struct {
		by      byte
		list    []Attachment
		members uint32
		do      func()
		err     error
	}{
		"all of the grant":             {2, []Attachment{theirs("RW", "in", mebi)}, 1, nil, nil},
		"less":                         {2, []Attachment{theirs("WO", "in/a", 1)}, 1, nil, nil},
		"reading":                      {2, []Attachment{theirs("RO", "in", 0)}, 1, nil, nil},
		"two beside each other":        {2, []Attachment{theirs("RW", "in/a", 1), theirs("RW", "in/b", 1)}, 1, nil, nil},
		"two over each other":          {2, []Attachment{theirs("RW", "in/a", 1), theirs("RW", "in/a/b", 1)}, 1, nil, ErrOverlap},
		"a byte more":                  {2, []Attachment{theirs("RW", "in", mebi+1)}, 1, nil, ErrToken},
		"a wider prefix":               {2, []Attachment{theirs("RW", "", 1)}, 1, nil, ErrToken},
		"a prefix that begins alike":   {2, []Attachment{theirs("RW", "inn", 1)}, 1, nil, ErrToken},
		"reading elsewhere":            {2, []Attachment{theirs("RO", "out", 0)}, 1, nil, ErrToken},
		"who reads, reading":           {3, []Attachment{theirs("RO", "", 0)}, 1, nil, nil},
		"who reads, writing":           {3, []Attachment{theirs("WO", "", 0)}, 1, nil, ErrToken},
		"who writes, writing":          {4, []Attachment{theirs("WO", "out", 5)}, 1, nil, nil},
		"who writes, reading":          {4, []Attachment{theirs("RO", "out", 0)}, 1, nil, ErrToken},
		"who writes, both":             {4, []Attachment{theirs("RW", "out", 5)}, 1, nil, ErrToken},
		"the runner of an owner's job": {5, []Attachment{theirs("RO", "", 0)}, 1, nil, ErrAuth},
		"a stranger":                   {6, []Attachment{theirs("RO", "", 0)}, 1, nil, ErrAuth},
		"by its name alone":            {2, []Attachment{{Name: "docs", Mode: "RO"}}, 1, nil, ErrNotFound},
		"another of the owner's":       {2, []Attachment{address(1, "open")}, 1, nil, ErrAuth},
		"none of that name":            {2, []Attachment{address(1, "dogs")}, 1, nil, ErrNotFound},
		"none of that account":         {2, []Attachment{address(3, "docs")}, 1, nil, ErrNotFound},
		"no address":                   {2, []Attachment{{Name: "/docs", Mode: "RO"}}, 1, nil, cbfs.ErrName},
		"the owner by its address":     {1, []Attachment{theirs("RW", "own", 9)}, 1, nil, nil},
		"the owner, where others may":  {1, []Attachment{theirs("RW", "in/a", 1)}, 1, nil, ErrOverlap},
		"the owner, by both names":     {1, []Attachment{theirs("RW", "own", 1), {Name: "docs", Mode: "RW", Prefix: "own/a"}}, 1, nil, ErrOverlap},
		"in the grant's last block":    {2, []Attachment{theirs("RO", "in", 0)}, 1, at(99), nil},
		"after it":                     {2, []Attachment{theirs("RO", "in", 0)}, 1, at(100), ErrAuth},
		"a committee":                  {2, []Attachment{theirs("RW", "in", mebi)}, MaxLent, nil, nil},
		"a committee of one more":      {2, []Attachment{theirs("RW", "in", mebi)}, MaxLent + 1, nil, ErrQuota},
		"two for half of it":           {2, []Attachment{theirs("RW", "in/a", 1), theirs("RO", "in", 0)}, MaxLent / 2, nil, nil},
		"two for more":                 {2, []Attachment{theirs("RW", "in/a", 1), theirs("RO", "in", 0)}, MaxLent/2 + 1, nil, ErrQuota},
		"a grant that was revoked":     {2, []Attachment{theirs("RO", "in", 0)}, 1, func() { w.must(w.m.Revoke(owner(1), grant)) }, ErrAuth},
		"a volume that is deleted":     {2, []Attachment{theirs("RO", "in", 0)}, 1, func() { w.must(w.m.Delete(owner(1), id)) }, ErrDeleted},
		"a volume that was given away": {2, []Attachment{theirs("RO", "in", 0)}, 1, func() { w.handOver(id, 3) }, ErrNotFound},
		"under its new address":        {2, []Attachment{address(3, "docs")}, 1, func() { w.handOver(id, 3) }, ErrAuth},
		"its new owner":                {3, []Attachment{{Name: "docs", Mode: "RW"}}, 1, func() { w.handOver(id, 3) }, nil},
		"in grace": {2, []Attachment{theirs("RO", "in", 0)}, 1, func() {
			v := w.volume(id)
			v.Status = Grace
			w.m.save(id, v)
		}, ErrReserve},
	} {
		t.Run(name, func(t *testing.T) {
			mark, burned := w.s.Mark(), w.g.Burned
			if c.do != nil {
				c.do()
			}
			before := w.balance(owner(c.by))
			w.try(c.err, func() error { return w.m.Attach(owner(c.by), c.list, c.members) })
			want := unit.Amount(len(c.list)) * 100 * cby
			if c.err != nil {
				want = 0
			}
			if paid := before - w.balance(owner(c.by)); paid != want {
				t.Errorf("%d paid, want %d", paid, want)
			}
			w.s.Revert(mark)
			w.g.Burned = burned
			w.at(10)
		})
	}
	if !w.volume(id).Private || w.volume(public).Private {
		t.Error("the volumes are not what they should be")
	}
}

func (w *world) handOver(id digest.Hash, to byte) {
	w.t.Helper()
	w.must(w.m.Transfer(owner(1), id, owner(to)))
	w.must(w.m.Accept(owner(to), id))
}

// The runners of a grantee's job have tokens that end with the grant at the latest, and with it when it is revoked; what is left of a grant that is narrowed
// keeps those that are within it. Who was granted nothing when the job is assigned gets none.
//
// Spec: storage-cbfs §2.5 (caveats narrow), §11 (8); secrets-cbss §11.
func TestTokensOfWhatIsGranted(t *testing.T) {
	job, runners := digest.Hash{9}, []account.Address{holder(7), holder(8)}
	list := []Attachment{theirs("RW", "in", 100), theirs("RO", "in", 0)}
	out := func(n int) string { return "in/" + holder(n).Hex() }
	left := func(mode cbfs.Mode, prefix string, most uint64, until unit.Height) Permission {
		return Permission{Mode: mode, Prefix: prefix, MaxBytes: most, Until: until}
	}
	for name, c := range map[string]struct {
		until  unit.Height // of the job
		before func(w *world, grant [cbfs.TokenIDSize]byte)
		after  func(w *world, grant [cbfs.TokenIDSize]byte)
		write  []string // where runners may write in the end
		read   int      // tokens that read alone
		last   uint64   // the block they hold until
	}{
		"a short job": {until: 50, write: []string{out(7), out(8)}, read: 2, last: 50},
		"a long job":  {until: 500, write: []string{out(7), out(8)}, read: 2, last: 100},
		"revoked": {until: 500, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Revoke(owner(1), grant))
		}},
		"revoked before": {until: 500, before: func(w *world, grant [cbfs.TokenIDSize]byte) { w.must(w.m.Revoke(owner(1), grant)) }},
		"narrowed to one runner's place": {until: 500, write: []string{out(7)}, last: 100, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(1), grant, left(cbfs.ReadWrite, out(7), 100, 100)))
		}},
		"narrowed to reading": {until: 500, read: 2, last: 100, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(1), grant, left(cbfs.ReadOnly, "in", mebi, 100)))
		}},
		"narrowed to what they have": {until: 50, write: []string{out(7), out(8)}, read: 2, last: 50, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(2), grant, left(cbfs.ReadWrite, "in", 100, 50)))
		}},
		"narrowed by a byte more": {until: 50, read: 2, last: 50, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(2), grant, left(cbfs.ReadWrite, "in", 99, 50)))
		}},
		"narrowed by a block more": {until: 50, after: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(2), grant, left(cbfs.ReadWrite, "in", 100, 49)))
		}},
		"narrowed before": {until: 50, read: 2, last: 50, before: func(w *world, grant [cbfs.TokenIDSize]byte) {
			w.must(w.m.Narrow(owner(1), grant, left(cbfs.ReadWrite, "in", 99, 100)))
		}},
		"expired before": {until: 500, before: func(w *world, _ [cbfs.TokenIDSize]byte) { w.at(100) }},
		"given away":     {until: 500, after: func(w *world, _ [cbfs.TokenIDSize]byte) { w.handOver(cbfs.VolumeID(owner(1), "docs"), 3) }},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, grant := lending(t)
			if c.before != nil {
				c.before(w, grant)
			}
			w.must(w.m.Mint(owner(2), job, list, runners, c.until))
			if c.after != nil {
				c.after(w, grant)
			}
			var write []string
			read := 0
			for _, h := range w.minted(id, job) {
				if h.Grant != grant || h.body.Until != c.last || h.body.Runner != holder(7) && h.body.Runner != holder(8) {
					t.Errorf("%+v", h.body)
				}
				if h.body.Mode == cbfs.ReadOnly {
					read++
				} else {
					write = append(write, h.body.Prefix)
				}
			}
			slices.Sort(write)
			want := slices.Clone(c.write)
			if slices.Sort(want); !slices.Equal(write, want) || read != c.read {
				t.Errorf("they write %q and %d read", write, read)
			}
			for _, who := range runners {
				lets := slices.ContainsFunc(w.minted(id, job), func(h held) bool { return h.body.Runner == who })
				if ok, err := Grants(w.s, id, w.volume(id), who, job, w.m.Height); ok != lets || err != nil {
					t.Errorf("%s has the key: %v %v", who, ok, err)
				}
				if ok, err := Grants(w.s, id, w.volume(id), who, job, 100); ok || err != nil {
					t.Errorf("%s has the key when the grant is over: %v %v", who, ok, err)
				}
			}
			if ids, err := Tokens(w.s, id); err != nil || int(w.volume(id).Tokens) != len(ids) {
				t.Errorf("%d tokens are counted, there are %d, %v", w.volume(id).Tokens, len(ids), err)
			}
			w.must(w.m.Unmint(owner(2), job, list, runners, w.m.Height))
			if n := len(w.minted(id, job)); n > 0 {
				t.Errorf("%d tokens are left when the job is over", n)
			}
		})
	}
}

// What jobs commit counts against the token of their runner and against the grant, so that many jobs write no more than one may. By hand: the grant is for
// 1,048,576 bytes and each job for 1,048,575.
//
// Spec: storage-cbfs §2.5 (max_bytes), §11 (10).
func TestJobsUseUpTheGrant(t *testing.T) {
	w, id, grant := lending(t)
	used := func() uint64 {
		kept, err := LoadToken(w.s, grant)
		w.must(err)
		return kept.Used
	}
	next := func(n byte) (account.Address, [cbfs.TokenIDSize]byte) {
		job, at := digest.Hash{n}, w.m.Height
		list := []Attachment{theirs("RW", "in", mebi-1)}
		w.must(w.m.Mint(owner(2), job, list, []account.Address{holder(7)}, 90))
		t.Cleanup(func() { w.must(w.m.Unmint(owner(2), job, list, []account.Address{holder(7)}, at)) })
		return holder(7), w.minted(id, job)[0].id
	}
	who, token := next(1)
	w.try(ErrBytes, func() error { return w.m.Commit(who, id, &token, fill(w.volume(id), mebi, 1).Commit) })
	w.must(w.m.Commit(who, id, &token, fill(w.volume(id), mebi-1, 2).Commit))
	if used() != mebi-1 {
		t.Error(used())
	}
	w.must(w.m.Unmint(owner(2), digest.Hash{1}, []Attachment{theirs("RW", "in", 0)}, []account.Address{who}, w.m.Height))
	w.at(11)
	who, token = next(2)
	w.try(ErrBytes, func() error { return w.m.Commit(who, id, &token, fill(w.volume(id), mebi+1, 3).Commit) })
	w.must(w.m.Commit(who, id, &token, fill(w.volume(id), mebi, 4).Commit))
	if used() != mebi {
		t.Error(used())
	}
	w.try(ErrBytes, func() error { return w.m.Commit(owner(2), id, &grant, fill(w.volume(id), mebi+1, 5).Commit) })
	w.must(w.m.Commit(who, id, &token, fill(w.volume(id), mebi-10, 6).Commit)) // what it shrinks the grant may grow again
	w.must(w.m.Commit(owner(2), id, &grant, fill(w.volume(id), mebi, 7).Commit))
	w.try(ErrBytes, func() error { return w.m.Commit(who, id, &token, fill(w.volume(id), mebi+1, 8).Commit) })
	w.must(w.m.Revoke(owner(1), grant))
	w.try(ErrNotFound, func() error { return w.m.Commit(who, id, &token, fill(w.volume(id), 1, 9).Commit) })
}

// Many grants may let an account: a job's tokens are made from the one that holds longest of those that allow what it asks and have room.
//
// Spec: storage-cbfs §2.5.
func TestWhichGrantIsLent(t *testing.T) {
	w, id, grant := lending(t)
	longer := w.lend(id, 2, Permission{Mode: cbfs.ReadOnly, Until: 200})
	longest := w.lend(id, 2, Permission{Mode: cbfs.ReadOnly, Prefix: "other", Until: 300})
	runners := []account.Address{holder(7)}
	for n, c := range []struct {
		ask  Attachment
		from [cbfs.TokenIDSize]byte
	}{
		{theirs("RW", "in", 1), grant}, {theirs("RO", "in", 0), longer}, {theirs("RO", "", 0), longer}, {theirs("RO", "other", 0), longest},
	} {
		t.Run(c.ask.Mode+" "+c.ask.Prefix, func(t *testing.T) {
			job := digest.Hash{1, byte(n)}
			w.must(w.m.Mint(owner(2), job, []Attachment{c.ask}, runners, 1_000))
			list := w.minted(id, job)
			if len(list) != 1 || list[0].Grant != c.from {
				t.Fatalf("%+v", list)
			}
		})
	}
	for n := range MaxLent - 2 { // two are made from it already
		w.must(w.m.Mint(owner(2), digest.Hash{2, byte(n)}, []Attachment{theirs("RO", "in", 0)}, runners, 1_000))
	}
	w.must(w.m.Mint(owner(2), digest.Hash{3}, []Attachment{theirs("RO", "in", 0)}, runners, 1_000))
	if list := w.minted(id, digest.Hash{3}); len(list) != 1 || list[0].Grant != grant {
		t.Errorf("%+v", list)
	}
}

// naive is what a volume's grants and the tokens of jobs are to be by the rules alone, looked through as a whole each time.
type naive struct {
	grants map[[cbfs.TokenIDSize]byte]*Permission
	jobs   map[[cbfs.TokenIDSize]byte]naiveJob
}

type naiveJob struct {
	grant [cbfs.TokenIDSize]byte
	p     Permission
}

// pass drops what has expired, and what was made from a grant that is no more or does not cover it.
func (n *naive) pass(now unit.Height) {
	maps.DeleteFunc(n.grants, func(_ [cbfs.TokenIDSize]byte, p *Permission) bool { return now >= p.Until })
	maps.DeleteFunc(n.jobs, func(_ [cbfs.TokenIDSize]byte, j naiveJob) bool {
		g := n.grants[j.grant]
		return now >= j.p.Until || g == nil || !covers(g, &j.p) || j.p.Until > g.Until
	})
}

// covers is written apart from the code: a prefix is a list of folders.
func covers(g, p *Permission) bool {
	reads := map[cbfs.Mode]bool{cbfs.ReadOnly: true, cbfs.ReadWrite: true}
	writes := map[cbfs.Mode]bool{cbfs.WriteOnly: true, cbfs.ReadWrite: true}
	return (reads[g.Mode] || !reads[p.Mode]) && (writes[g.Mode] || !writes[p.Mode]) && p.MaxBytes <= g.MaxBytes && inside(p.Prefix, g.Prefix)
}

func inside(narrow, wide string) bool {
	return wide == "" || narrow == wide || len(narrow) > len(wide) && narrow[:len(wide)+1] == wide+"/"
}

// Thousands of random grants, narrowings, revocations, jobs and blocks: the tokens that hold are those of the rules, and none of two that may write lies in the
// other unless one is made from it.
//
// Spec: storage-cbfs §2.5; secrets-cbss §11.
func TestLentTokensAgainstRules(t *testing.T) {
	w, id, first := lending(t)
	r := rand.New(rand.NewPCG(9, 26))
	w.must(w.m.Revoke(owner(1), first))
	d := &naive{map[[cbfs.TokenIDSize]byte]*Permission{}, map[[cbfs.TokenIDSize]byte]naiveJob{}}
	prefixes := []string{"", "a", "a/b", "a/b/c", "ab", "d"}
	some := func() Permission {
		return Permission{
			Mode: cbfs.Mode(r.IntN(3)), Prefix: prefixes[r.IntN(len(prefixes))], MaxBytes: r.Uint64N(4), Until: w.m.Height + 1 + unit.Height(r.IntN(90)),
		}
	}
	pick := func() (id [cbfs.TokenIDSize]byte) {
		ids := slices.SortedFunc(maps.Keys(d.grants), func(a, b [cbfs.TokenIDSize]byte) int { return slices.Compare(a[:], b[:]) })
		if len(ids) > 0 {
			id = ids[r.IntN(len(ids))]
		}
		return id
	}
	seen := map[string]int{}
	for n := range 6_000 {
		at := pick()
		switch act := r.IntN(10); {
		case act < 2:
			p := some()
			p.Grantee = owner(2 + byte(r.IntN(2)))
			token, err := w.m.Grant(owner(1), id, digest.Hash{3, byte(n >> 8), byte(n)}, p)
			if err == nil {
				d.grants[token] = &p
			} else if !errors.Is(err, ErrOverlap) && !errors.Is(err, ErrQuota) {
				t.Fatal(err)
			}
			seen[fmt.Sprint("grant ", err)]++
		case act < 3 && d.grants[at] != nil:
			p := some()
			p.Until = min(p.Until, d.grants[at].Until)
			if err := w.m.Narrow(owner(1), at, p); err == nil {
				p.Grantee = d.grants[at].Grantee
				d.grants[at] = &p
			} else if covers(d.grants[at], &p) {
				t.Fatal(err)
			}
			seen["narrow"]++
		case act < 4 && d.grants[at] != nil:
			w.must(w.m.Revoke(owner(1), at))
			delete(d.grants, at)
		case act < 8:
			p, by, job := some(), 2+byte(r.IntN(2)), digest.Hash{4, byte(n >> 8), byte(n)}
			ask := theirs(p.Mode.String(), p.Prefix, p.MaxBytes)
			mark := w.s.Mark()
			err := w.m.Attach(owner(by), []Attachment{ask}, 1)
			w.s.Revert(mark)
			w.must(w.m.Mint(owner(by), job, []Attachment{ask}, []account.Address{holder(r.IntN(9))}, p.Until))
			list := w.minted(id, job)
			lets := slices.ContainsFunc(slices.Collect(maps.Values(d.grants)), func(g *Permission) bool { return g.Grantee == owner(by) && covers(g, &p) })
			if (len(list) == 1) != (err == nil) || err == nil && !lets || !lets && !errors.Is(err, ErrAuth) && !errors.Is(err, ErrToken) {
				t.Fatalf("act %d: %d tokens, %v, a grant lets: %v", n, len(list), err, lets)
			}
			if len(list) == 1 {
				g := d.grants[list[0].Grant]
				if p.Until = min(p.Until, g.Until); list[0].body.Until != uint64(p.Until) || g.Grantee != owner(by) || !covers(g, &p) {
					t.Fatalf("act %d: %+v of %+v", n, list[0].body, g)
				}
				d.jobs[list[0].id] = naiveJob{list[0].Grant, p}
			}
			seen[fmt.Sprint("job ", err)]++
		default:
			w.at(w.m.Height + unit.Height(1+r.IntN(3)))
		}
		d.pass(w.m.Height)
		w.matches(id, d)
	}
	for _, one := range []string{"grant <nil>", "narrow", "job <nil>", "job " + ErrToken.Error(), "job " + ErrAuth.Error(), "job " + ErrOverlap.Error()} {
		if seen[one] < 20 {
			t.Errorf("%s: %d times", one, seen[one])
		}
	}
}

// matches holds the tokens of a volume that hold now to those of the rules.
func (w *world) matches(id digest.Hash, d *naive) {
	w.t.Helper()
	ids, err := Tokens(w.s, id)
	w.must(err)
	n := 0
	for _, one := range ids {
		t, err := LoadToken(w.s, one)
		w.must(err)
		body, err := cbfs.DecodeRunnerToken(t.Body)
		w.must(err)
		if !holds(body, w.m.Height) {
			continue
		}
		n++
		g, j := d.grants[one], d.jobs[one]
		want := j.p
		if g != nil {
			want = *g
		}
		says := Permission{Mode: body.Mode, Prefix: body.Prefix, MaxBytes: body.MaxBytes, Until: unit.Height(body.Until), Grantee: want.Grantee}
		if g == nil && j.grant != t.Grant || says != want {
			w.t.Fatalf("%+v, want %+v", body, want)
		}
	}
	list, err := w.m.live(id, w.volume(id))
	w.must(err)
	for i := range list {
		for j := range list[:i] {
			a, b := &list[i], &list[j]
			if a.body.Mode.Writes() && b.body.Mode.Writes() && (inside(a.body.Prefix, b.body.Prefix) || inside(b.body.Prefix, a.body.Prefix)) &&
				a.Grant != b.id && b.Grant != a.id {
				w.t.Fatalf("%+v and %+v", a.body, b.body)
			}
		}
	}
	if n != len(d.grants)+len(d.jobs) {
		w.t.Fatalf("%d tokens hold, want %d and %d", n, len(d.grants), len(d.jobs))
	}
}
