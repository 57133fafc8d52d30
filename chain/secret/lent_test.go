package secret

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// borrowed are entries of the runner of a job whose submitter the volume was only granted to.
func (l *library) borrowed() map[string]entry {
	m, self, by, heir := l.volumes, holderKey().Address(), borrower().Address(), heirKey().Address()
	of := func(q *cbss.Request) { q.Job, q.Actor, q.Block = l.lent, by, uint64(l.Height) }
	also := func(change func(q *cbss.Request)) func(q *cbss.Request) {
		return func(q *cbss.Request) { of(q); change(q) }
	}
	later := func(blocks unit.Height) func() { return func() { l.at(l.Height + blocks); l.heights() } }
	narrow := func(mode cbfs.Mode, until unit.Height) func() {
		return func() { l.must(m.Narrow(self, l.tokens[by], volume.Permission{Mode: mode, Until: until})) }
	}
	until := l.Height + 499 // what the grant holds until: it was given a block ago
	moved := func() { l.must(m.Transfer(self, l.docs, heir)); l.must(m.Accept(heir, l.docs)) }
	return map[string]entry{
		"a borrower's runner":                  {by: runnerKey(), edit: of},
		"in the grant's last block":            {by: runnerKey(), edit: of, do: later(498)},
		"when the grant has expired":           {by: runnerKey(), edit: of, do: later(499), err: ErrAccess},
		"when the grant was revoked":           {by: runnerKey(), edit: of, do: func() { l.must(m.Revoke(self, l.tokens[by])) }, err: ErrAccess},
		"when another grant was":               {by: runnerKey(), edit: of, do: func() { l.must(m.Revoke(self, l.tokens[reader().Address()])) }},
		"when the grant was left as it is":     {by: runnerKey(), edit: of, do: narrow(cbfs.ReadOnly, until)},
		"when the grant was cut by a block":    {by: runnerKey(), edit: of, do: narrow(cbfs.ReadOnly, until-1), err: ErrAccess},
		"when the job is over":                 {by: runnerKey(), edit: of, do: func() { l.over(by, l.lent) }, err: ErrAccess},
		"a borrower's other job":               {by: runnerKey(), edit: also(func(q *cbss.Request) { q.Job = l.attached(by) }), err: ErrAccess},
		"the borrower's job as the owner's":    {by: runnerKey(), edit: also(func(q *cbss.Request) { q.Actor = self }), err: ErrAccess},
		"the owner's job as the borrower's":    {by: runnerKey(), edit: also(func(q *cbss.Request) { q.Job = l.job }), err: ErrAccess},
		"the borrower in its runner's place":   {by: borrower(), edit: of, err: ErrAccess},
		"who may read, in its runner's place":  {by: reader(), edit: of, err: ErrAccess},
		"the borrower itself":                  {by: borrower()},
		"the borrower itself, expired":         {by: borrower(), do: later(499), edit: func(q *cbss.Request) { q.Block = uint64(l.Height) }, err: ErrAccess},
		"a borrowed volume that is deleted":    {by: runnerKey(), edit: of, do: func() { l.must(m.Delete(self, l.docs)) }, err: ErrDeleted},
		"a borrowed volume that is given away": {by: runnerKey(), edit: of, do: moved, err: ErrAccess},
		"eight releases to the job before":     {by: runnerKey(), edit: of, do: func() { l.had(runnerKey(), 8, of) }, err: ErrReleases},
		"seven releases to the job before":     {by: runnerKey(), edit: of, do: func() { l.had(runnerKey(), 7, of) }},
		"eight releases to the owner's job": {by: runnerKey(), edit: of, do: func() {
			l.had(runnerKey(), 8, also(func(q *cbss.Request) { q.Job, q.Actor = l.job, self }))
		}},
	}
}

// over ends the tokens of a job, as its end does.
func (l *library) over(by account.Address, of digest.Hash) {
	l.t.Helper()
	chosen, err := market.LoadSelection(l.overlay, of)
	l.must(err)
	j, err := market.Load(l.overlay, of)
	l.must(err)
	spec, err := market.LoadSpec(l.overlay, of)
	l.must(err)
	l.must(l.volumes.Unmint(by, of, []volume.Attachment{{Name: spec.Volumes[0].Name, Mode: "RO"}}, chosen.Selected, j.Assigned))
}

// ofALentVolume has the runner of the borrower's job released the key, for which the borrower pays, also when job and grant are over.
func (l *library) ofALentVolume() {
	t, self, by := l.t, holderKey().Address(), borrower().Address()
	t.Helper()
	of := func(q *cbss.Request) { q.Job, q.Actor = l.lent, by }
	before, owners := l.balance(by), l.balance(self)
	for n, p := range l.committee[:4] {
		q := l.ask(runnerKey(), l.lent, p, of)
		if n == 2 {
			l.over(by, l.lent)
		} else if n == 3 {
			l.must(l.volumes.Revoke(self, l.tokens[by]))
		}
		if _, err := l.Admit(q.Signed(runnerKey()), p.id); n < 2 && err != nil || n >= 2 && !errors.Is(err, ErrAccess) {
			t.Error(n, err)
		}
		l.must(l.try(func() error { return l.Record(l.paper(q, runnerKey(), p)) }))
	}
	if paid := before - l.balance(by); paid != 4*unit.CBY || l.balance(self) != owners {
		t.Errorf("the borrower has paid %d", paid)
	}
	q := l.ask(runnerKey(), l.lent, l.committee[0], of, func(q *cbss.Request) { q.Nonce[0]++ })
	mark := l.overlay.Mark()
	l.must(l.volumes.Transfer(self, l.docs, heirKey().Address()))
	l.must(l.volumes.Accept(heirKey().Address(), l.docs))
	l.refused(ErrAccess, func() error { return l.Record(l.paper(q, runnerKey(), l.committee[0])) })
	l.overlay.Revert(mark)
}
