package market

import (
	"cmp"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/runner"
)

// lookBytes is how many bytes of a manifest or an attestation are read for the price of a runner that is looked at.
const lookBytes = 256

// demand is what an actor requires of the runners of its jobs.
type demand struct {
	manifest *entitle.Manifest // of the attested entitlements alone
	sets     *entitle.Sets
}

// demands reads what the submitter of a job requires of its runners, and pays for it; nil of somebody who requires nothing: an account, and an actor without a
// manifest. A second run requires what the first one did.
//
// Spec: ENT §5, §6 (scheduler match); WP §15.
func (m *Market) demands(t *Task) (d *demand, looked int, err error) {
	actor := t.Job.Submitter
	if first, second, err := m.rerunOf(t.ID); err != nil {
		return nil, 0, err
	} else if second {
		j, err := m.find(first)
		if err != nil {
			return nil, 0, err
		}
		actor = j.Submitter
	}
	raw, ok, err := m.State.Lookup(entitle.Key(actor))
	if err != nil || !ok {
		return nil, 0, err
	}
	looked = 1 + len(raw)/lookBytes
	if err := m.look(looked); err != nil {
		return nil, looked, err
	}
	all, err := entitle.Parse(raw)
	if err != nil {
		return nil, looked, err
	}
	d = &demand{manifest: all.Required()}
	if len(d.manifest.Grants) == 0 {
		return nil, looked, nil
	}
	d.sets, err = entitle.SetsIn(m.State)
	return d, looked, err
}

// provides says whether a runner provides what is required, by an attestation that counts now. What is read is paid for.
//
// Spec: ENT §5.1, §6 (scheduler match, attestation validity), §8; runner-marketplace §4.1.
func (m *Market) provides(addr account.Address, d *demand) (ok bool, looked int, err error) {
	if d == nil {
		return true, 0, nil
	}
	a, size, err := runner.Attested(m.State, addr)
	looked = 1 + size/lookBytes
	if err := cmp.Or(err, m.look(looked)); err != nil || a == nil {
		return false, looked, err
	}
	return a.Valid(m.Height) && d.manifest.ProvidedBy(&a.Capabilities, d.sets), looked, nil
}

// look pays for so many runners that are looked at.
func (m *Market) look(runners int) error {
	if m.Look == nil {
		return nil
	}
	return m.Look(runners)
}
