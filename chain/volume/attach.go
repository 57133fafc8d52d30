package volume

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Attachment is a volume that a job's runners may use (VolumeAttachment): one of whoever submits the job, or one that was granted to it.
//
// Spec: storage-cbfs §2.5.
type Attachment struct {
	Name     string // of one of the submitter's own, or the public address of anybody's
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

// Attach holds the attachments of a job to the volumes of its submitter, and to what the owners of others have granted it. The submitter pays the fee for
// each. members is how many runners the job is for. Rejects: ErrNotFound, ErrAuth, ErrToken, ErrInvalid, cbfs.ErrName, cbfs.ErrPath, ErrReserve, ErrDeleted,
// ErrCollected, ErrOverlap, ErrQuota, a *account.ShortfallError.
//
// Spec: storage-cbfs §2.5, §6 (base attachment fee); secrets-cbss §11.
func (m *Manager) Attach(by account.Address, list []Attachment, members uint32) error {
	ids := make([]digest.Hash, len(list))
	for i := range list {
		id, v, err := m.attached(by, list[i].Name)
		ids[i] = id
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
		tokens := members
		for j, other := range list[:i] {
			if ids[j] != id {
				continue
			}
			if tokens += members; p.Mode.Writes() && other.Mode != cbfs.ReadOnly.String() && cbfs.Overlap(p.Prefix, other.Prefix) {
				return ErrOverlap
			}
		}
		if err := m.fits(by, id, v, &p, tokens); err != nil {
			return err
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

// fits reports whether so many tokens of a volume can be minted of what a job of an account asks for. It does not save v. Rejects: ErrAuth, ErrToken,
// ErrOverlap, ErrQuota.
func (m *Manager) fits(by account.Address, id digest.Hash, v *Volume, p *Permission, tokens uint32) error {
	list, err := m.live(id, v)
	if err != nil {
		return err
	}
	var from *held
	if by != v.Owner {
		if from, err = lender(list, by, p, tokens, m.Height); err != nil {
			return err
		}
	}
	switch {
	case overlaps(list, p, from):
		return ErrOverlap
	case v.Tokens+tokens > MaxTokens:
		return ErrQuota
	}
	return nil
}

// Mint gives each runner of a job's attempt a token for each attachment, until a height, or as long as the grant holds that it is made from. A volume that was
// deleted, given away or granted to others since the job was submitted gives none, nor does one whose grant to the submitter is no more or allows less: the
// job's runners find that they have no token for it.
//
// Spec: storage-cbfs §2.5 (minted at dispatch), §11 (8); secrets-cbss §11.
func (m *Manager) Mint(by account.Address, job digest.Hash, list []Attachment, runners []account.Address, until unit.Height) error {
	for i := range list {
		id, v, err := m.attached(by, list[i].Name)
		if refused(err) {
			continue
		}
		if err != nil {
			return err
		}
		for _, runner := range runners {
			p, err := list[i].permission(runner, len(runners) > 1, until)
			if err == nil {
				_, err = m.mint(id, v, origin{source: job, job: job, index: uint32(i), by: by}, p)
			}
			if err != nil && !refused(err) {
				return err
			}
		}
		m.save(id, v)
	}
	return nil
}

// attached finds the volume that an attachment of an account names, billed. Rejects: ErrNotFound, cbfs.ErrName, ErrDeleted, ErrCollected.
func (m *Manager) attached(by account.Address, name string) (id digest.Hash, v *Volume, err error) {
	id, owner, err := Named(m.State, by, name)
	if err == nil {
		v, err = m.alive(owner, id)
	}
	return id, v, err
}

// refused reports whether an error is a reject that ends nothing but a token.
func refused(err error) bool {
	for _, one := range [...]error{
		ErrNotFound, ErrAuth, ErrToken, ErrInvalid, cbfs.ErrName, cbfs.ErrPath, ErrReserve, ErrDeleted, ErrCollected, ErrOverlap, ErrQuota, ErrConflict,
	} {
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
		id, _, err := Named(m.State, by, list[i].Name)
		if errors.Is(err, ErrNotFound) {
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
