package volume

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Attachment is a volume of whoever submits a job, that the job's runners may use (VolumeAttachment).
//
// Spec: storage-cbfs §2.5.
type Attachment struct {
	Name     string
	Mode     string // RO, WO or RW
	Prefix   string
	MaxBytes uint64
	Mount    bool
	SyncSecs uint64
}

// permission is what a runner of a job may do with an attached volume. Of several runners that write, each has a place of its own below the prefix, so that no
// two write at the same.
//
// Spec: storage-cbfs §2.5 (write prefixes do not overlap; caveats narrow).
func (a *Attachment) permission(runner account.Address, several bool, until unit.Height) (Permission, error) {
	p := Permission{Grantee: runner, Prefix: a.Prefix, MaxBytes: a.MaxBytes, Until: until, Mount: a.Mount, SyncSecs: a.SyncSecs}
	switch a.Mode {
	case cbfs.ReadOnly.String():
	case cbfs.WriteOnly.String():
		p.Mode = cbfs.WriteOnly
	case cbfs.ReadWrite.String():
		p.Mode = cbfs.ReadWrite
	default:
		return p, ErrInvalid
	}
	if several && p.Mode.Writes() {
		p.Prefix = cbfs.Canonical(a.Prefix) + runner.Hex()
	}
	return p, nil
}

// Attach holds the attachments of a job to the volumes of its submitter, who pays the fee for each. members is how many runners the job is for. Rejects:
// ErrNotFound, ErrInvalid, cbfs.ErrPath, ErrReserve, ErrDeleted, ErrCollected, ErrOverlap, ErrQuota, a *account.ShortfallError.
//
// Spec: storage-cbfs §2.5, §6 (base attachment fee).
func (m *Manager) Attach(by account.Address, list []Attachment, members uint32) error {
	for i := range list {
		id, err := Find(m.State, by, list[i].Name)
		if err != nil {
			return err
		}
		v, err := m.alive(by, id)
		switch {
		case err != nil:
			return err
		case v.Status != Active:
			return ErrReserve
		}
		p, err := list[i].permission(account.Address{1}, members > 1, m.Height+1) // a stand-in as long as any
		if err != nil {
			return err
		}
		if err := p.check(m.Height); err != nil {
			return err
		}
		p.Prefix = list[i].Prefix
		if err := m.room(id, v, &p, nil); err != nil {
			return err
		}
		same := uint32(0)
		for _, other := range list[:i] {
			if other.Name != list[i].Name {
				continue
			}
			if same++; p.Mode.Writes() && other.Mode != cbfs.ReadOnly.String() && cbfs.Overlap(p.Prefix, other.Prefix) {
				return ErrOverlap
			}
		}
		if v.Tokens+(same+1)*members > MaxTokens {
			return ErrQuota
		}
		m.save(id, v)
		fee := m.Relays.Terms.Rent.Attachment
		if err := account.Move(m.State, by, relay.Home(), fee); err != nil {
			return err
		}
		if err := m.Relays.Share(fee); err != nil {
			return err
		}
	}
	return nil
}

// Mint gives each runner of a job's attempt a token for each attachment, until a height. A volume that was deleted, given away or granted to others since the
// job was submitted gives none: the job's runners find that they have no token for it.
//
// Spec: storage-cbfs §2.5 (minted at dispatch), §11 (8).
func (m *Manager) Mint(by account.Address, job digest.Hash, list []Attachment, runners []account.Address, until unit.Height) error {
	for i := range list {
		id, v, err := m.attached(by, list[i].Name)
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		for _, runner := range runners {
			p, err := list[i].permission(runner, len(runners) > 1, until)
			if err == nil {
				_, err = m.mint(id, v, job, job, uint32(i), p)
			}
			if err != nil && !refused(err) {
				return err
			}
		}
		m.save(id, v)
	}
	return nil
}

// attached finds a volume that tokens may be minted of; nil where there is none any more.
func (m *Manager) attached(by account.Address, name string) (id digest.Hash, v *Volume, err error) {
	if id, err = Find(m.State, by, name); err == nil {
		v, err = m.alive(by, id)
	}
	if refused(err) {
		return id, nil, nil
	}
	return id, v, err
}

// refused reports whether an error is a reject that ends nothing but a token.
func refused(err error) bool {
	for _, one := range [...]error{ErrNotFound, ErrAuth, ErrInvalid, cbfs.ErrPath, ErrReserve, ErrDeleted, ErrCollected, ErrOverlap, ErrQuota, ErrConflict} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// Unmint ends the tokens of an attempt that was assigned in a block.
//
// Spec: storage-cbfs §2.5, §11 (8).
func (m *Manager) Unmint(by account.Address, job digest.Hash, list []Attachment, runners []account.Address, assigned unit.Height) error {
	for i := range list {
		id, err := Find(m.State, by, list[i].Name)
		if err == ErrNotFound {
			continue
		}
		if err != nil {
			return err
		}
		v, err := Load(m.State, id)
		if err != nil {
			return err
		}
		for _, runner := range runners {
			token := tokenID(id, job, runner, uint32(i), assigned)
			if _, there, err := m.State.Lookup(under(underToken, token[:])); err != nil {
				return err
			} else if there {
				m.forget(id, v, token)
				m.emit(TopicRevoked, id, token[:])
			}
		}
		m.save(id, v)
	}
	return nil
}
