package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// mib is the unit of rent.
const mib = 1 << 20

func mibs(bytes uint64) uint64 { return (bytes + mib - 1) / mib }

// rent is what a volume pays for an epoch: for each MiB of its effective size, a begun one whole.
//
// Spec: storage-cbfs §6, §11 (1).
func (m *Manager) rent(v *Volume) (unit.Amount, error) {
	return m.Relays.Terms.Rent.PerMiB.Mul(mibs(v.Effective()))
}

// bill has a volume pay the epochs that have begun since it was billed. What its reserve does not cover is owed, and an active volume is in grace then.
//
// Spec: storage-cbfs §4, §6.
func (m *Manager) bill(id digest.Hash, v *Volume) error {
	epoch, err := m.epoch()
	if err != nil || v.Billed >= epoch || v.Status == Collecting {
		return err
	}
	due, err := m.rent(v)
	if err == nil {
		due, err = due.Mul(epoch - v.Billed)
	}
	if err != nil {
		return err
	}
	if v.Billed = epoch; due == 0 {
		return nil
	}
	switch {
	case v.Accrued == 0 && v.Reserve >= due:
		err = m.spend(v, due)
	default:
		if v.Accrued, err = v.Accrued.Add(due); v.Status == Active {
			m.turn(id, v, Grace)
		}
	}
	if err != nil {
		return err
	}
	m.emit(TopicBilled, id, uvar(epoch), uvar(due), uvar(v.Reserve), uvar(v.Accrued))
	return m.tally(v.Owner, func(s *Summary) { s.Billed = epoch })
}

// spend pays out of a volume's reserve.
func (m *Manager) spend(v *Volume, amount unit.Amount) error {
	v.Reserve -= amount
	if err := m.tally(v.Owner, func(s *Summary) { s.Reserved -= amount }); err != nil {
		return err
	}
	return m.Relays.Share(amount)
}

// TopUp adds coins, which lie at 0x0A, to a volume's reserve, whoever gives them. What it owes is paid if the reserve covers it, and its grace is over then.
// Rejects: ErrNotFound, ErrInvalid, ErrCollected.
//
// Spec: storage-cbfs §4 (top-up).
func (m *Manager) TopUp(id digest.Hash, coins unit.Amount) error {
	v, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case v.Status == Collecting:
		return ErrCollected
	case coins == 0:
		return ErrInvalid
	}
	if err := account.Move(m.State, Home(), relay.Home(), coins); err != nil {
		return err
	}
	if err := m.bill(id, v); err != nil {
		return err
	}
	v.Reserve += coins // of a balance, which together fit
	if err := m.tally(v.Owner, func(s *Summary) { s.Reserved += coins }); err != nil {
		return err
	}
	if owed := v.Accrued; owed > 0 && v.Reserve >= owed {
		v.Accrued = 0
		if err := m.spend(v, owed); err != nil {
			return err
		}
		if v.Status == Grace {
			m.turn(id, v, Active)
		}
	}
	m.save(id, v)
	m.emit(TopicFunded, id, uvar(coins), uvar(v.Reserve))
	return nil
}
