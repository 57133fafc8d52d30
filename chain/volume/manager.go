package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Manager is the Storage Manager during one turn, or at the end of one block. Methods that return a reject may have written before they found it: the caller
// undoes the turn.
type Manager struct {
	State  state.Store
	Height unit.Height // of the block
	Relays *relay.Registry
	// Development allows volumes of a single shard: a developer's network may have one relay.
	Development bool
	// Keys holds a wrap of the key of a private volume to the release key of the account that is named in the identity, and completes it. nil: no volume is
	// private.
	Keys func(to cbss.SecretID, version uint64, w *Wrap) error
	Emit func(topic string, data []byte)
}

// Topics of the events of 0x0A. The data of each begins with the volume's identity, but for the last one; numbers are UInt.
const (
	TopicCreated    = "volume.created"    // owner(20) ‖ Bytes name ‖ visibility(1), 1 is public ‖ k(1) ‖ m(1)
	TopicCommitted  = "ManifestCommitted" // manifest_root(32) ‖ block_height ‖ raw_size_delta, zigzag ‖ visibility(1)
	TopicStatus     = "volume.status"     // status(1)
	TopicOffered    = "volume.offered"    // to(20)
	TopicMoved      = "volume.transferred"
	TopicWrapped    = "volume.wrapped" // account(20) ‖ which wrap ‖ wrap_epoch
	TopicExpiry     = "volume.expiry"  // height
	TopicFunded     = "volume.funded"  // coins ‖ reserve
	TopicBilled     = "volume.billed"  // epoch ‖ rent ‖ reserve ‖ accrued
	TopicGranted    = "volume.granted" // token_id(16) ‖ grantee(20) ‖ access_mode(1) ‖ Bytes prefix ‖ max_bytes ‖ the first height it does not hold
	TopicRevoked    = "volume.revoked" // token_id(16)
	TopicGone       = "volume.gone"
	TopicKeyRevoked = "volume.key_revoked" // wallet(20) ‖ key of CBFS(32)
)

func (m *Manager) emit(topic string, id digest.Hash, parts ...[]byte) {
	data := append([]byte(nil), id[:]...)
	for _, p := range parts {
		data = append(data, p...)
	}
	m.Emit(topic, data)
}

func uvar[T ~uint64](n T) []byte { return codec.AppendUint(nil, uint64(n)) }

// visibility is how events say it.
func visibility(v *Volume) []byte {
	if v.Private {
		return []byte{0}
	}
	return []byte{1}
}

func (m *Manager) save(id digest.Hash, v *Volume) { m.State.Set(volumeKey(id), v.Encode()) }

func (m *Manager) epoch() (uint64, error) {
	k, err := relay.LoadClock(m.State)
	if err != nil {
		return 0, err
	}
	return k.Epoch, nil
}

// tally changes what an account has of volumes.
func (m *Manager) tally(owner account.Address, change func(s *Summary)) error {
	s, err := LoadSummary(m.State, owner)
	if err != nil {
		return err
	}
	if change(s); s.Volumes == 0 {
		m.State.Delete(under(underSummary, owner[:]))
		return nil
	}
	m.State.Set(under(underSummary, owner[:]), s.Encode())
	return nil
}

// turn gives a volume a status, and sets the block something becomes of it in.
//
// Spec: storage-cbfs §4.
func (m *Manager) turn(id digest.Hash, v *Volume, s Status) {
	if v.Status != s {
		v.Status, v.Since = s, m.Height
		m.emit(TopicStatus, id, []byte{byte(s)})
	}
	grace := v.Since + unit.Height(m.Relays.Terms.Rent.GraceBlocks)
	at := v.Expires
	switch s {
	case Grace:
		if at == 0 || at > grace {
			at = grace
		}
	case Deleted:
		at = grace
	case Collecting:
		at = v.Since + relay.OrphanBlocks
	}
	if v.Due == at {
		return
	}
	if v.Due > 0 {
		m.State.Delete(dueKey(v.Due, id))
	}
	if v.Due = at; at > 0 {
		m.State.Set(dueKey(at, id), nil)
	}
}

// Request is what a new volume is to be.
type Request struct {
	Name    string
	Private bool
	Wrap    Wrap
	K, M    uint8
	Expires unit.Height
}

// check holds a request to its form. Rejects: cbfs.ErrName, ErrInvalid, ErrCommittee.
//
// Spec: storage-cbfs §2.1, §3.1, §5.
func (r *Request) check(now unit.Height, development bool) error {
	if err := cbfs.CheckName(r.Name); err != nil {
		return err
	}
	single := development && r.K == 1 && r.M == 0
	w := &r.Wrap
	switch {
	case !single && (r.K < MinData || r.K > MaxData || r.M < MinParity || r.M > MaxParity):
		return ErrInvalid
	case r.Expires != 0 && r.Expires <= now:
		return ErrInvalid
	case r.Private && !w.whole():
		return ErrCommittee
	case !r.Private && !(len(w.DEK) == 0 && w.Epoch == 0 && w.KeyHash.IsZero() && w.ReleaseHash.IsZero()):
		return ErrCommittee
	}
	return nil
}

// Create makes a volume of the owner's, and draws its relays. Of the coins, which lie at 0x0A, the fee is shared out, the rest is the volume's reserve.
// Rejects: those of the form, ErrConflict, ErrQuota, ErrReserve, relay.ErrCapacity, and those of Keys for a private one.
//
// Spec: storage-cbfs §3.1, §6 (creation fee), §8 (volumes per account).
func (m *Manager) Create(owner account.Address, r Request, coins unit.Amount) (digest.Hash, error) {
	if err := r.check(m.Height, m.Development); err != nil {
		return digest.Hash{}, err
	}
	id := cbfs.VolumeID(owner, r.Name)
	_, byName := Find(m.State, owner, r.Name)
	_, byID := Load(m.State, id)
	for _, err := range [...]error{byName, byID} {
		if err == nil {
			return id, ErrConflict
		} else if err != ErrNotFound {
			return id, err
		}
	}
	fee := m.Relays.Terms.Rent.Creation
	if coins < fee {
		return id, ErrReserve
	}
	if err := m.Relays.Place(id, int(r.K+r.M)); err != nil {
		return id, err
	}
	if err := account.Move(m.State, Home(), relay.Home(), coins); err != nil {
		return id, err
	}
	if err := m.Relays.Found(fee); err != nil {
		return id, err
	}
	epoch, err := m.epoch()
	if err != nil {
		return id, err
	}
	v := &Volume{
		Owner: owner, Name: r.Name, Private: r.Private, Created: m.Height, K: r.K, M: r.M, Updated: m.Height, Since: m.Height,
		Expires: r.Expires, Billed: epoch, Reserve: coins - fee,
	}
	if err := m.own(id, v, owner); err != nil {
		return id, err
	}
	m.emit(TopicCreated, id, owner[:], codec.AppendBytes(nil, []byte(r.Name)), visibility(v), []byte{r.K, r.M})
	if r.Private {
		if err := m.wrap(id, v, owner, r.Wrap); err != nil {
			return id, err
		}
	}
	m.turn(id, v, Active)
	m.save(id, v)
	return id, nil
}

// own enters a volume under an owner. Rejects: ErrQuota, ErrConflict.
func (m *Manager) own(id digest.Hash, v *Volume, owner account.Address) error {
	if _, err := Find(m.State, owner, v.Name); err == nil {
		return ErrConflict
	} else if err != ErrNotFound {
		return err
	}
	s, err := LoadSummary(m.State, owner)
	if err != nil {
		return err
	}
	if s.Volumes >= MaxPerAccount {
		return ErrQuota
	}
	v.Owner = owner
	m.State.Set(nameKey(owner, v.Name), id[:])
	return m.tally(owner, func(s *Summary) {
		s.Volumes++
		if v.Status < Collecting {
			s.Effective += v.Effective()
		}
		s.Reserved += v.Reserve
		s.Billed = max(s.Billed, v.Billed)
	})
}

// disown takes a volume from its owner.
func (m *Manager) disown(v *Volume) error {
	m.State.Delete(nameKey(v.Owner, v.Name))
	return m.tally(v.Owner, func(s *Summary) {
		s.Volumes--
		if v.Status < Collecting {
			s.Effective -= v.Effective()
		}
		s.Reserved -= v.Reserve
	})
}

// open reads a volume for its owner, billed. Rejects: ErrNotFound, ErrAuth, ErrCollected.
func (m *Manager) open(by account.Address, id digest.Hash) (*Volume, error) {
	v, err := Load(m.State, id)
	switch {
	case err != nil:
		return nil, err
	case v.Owner != by:
		return nil, ErrAuth
	case v.Status == Collecting:
		return nil, ErrCollected
	}
	return v, m.bill(id, v)
}

// alive is open for what a deleted volume does not do. Reject: ErrDeleted besides.
func (m *Manager) alive(by account.Address, id digest.Hash) (*Volume, error) {
	v, err := m.open(by, id)
	if err == nil && v.Status == Deleted {
		err = ErrDeleted
	}
	return v, err
}

// Delete deletes a volume, which can be taken back within the grace. Rejects: ErrNotFound, ErrAuth, ErrDeleted, ErrCollected.
//
// Spec: storage-cbfs §3.1, §4.
func (m *Manager) Delete(by account.Address, id digest.Hash) error {
	v, err := m.alive(by, id)
	if err != nil {
		return err
	}
	if err := m.remove(id, v); err != nil {
		return err
	}
	m.save(id, v)
	return nil
}

func (m *Manager) remove(id digest.Hash, v *Volume) error {
	epoch, err := m.epoch()
	if err != nil {
		return err
	}
	v.Requested, v.Expires, v.Offered = epoch, 0, account.Address{}
	m.turn(id, v, Deleted)
	return nil
}

// Undelete takes a deletion back. What is owed is paid, and the reserve covers an epoch: else ErrReserve. Rejects: ErrNotFound, ErrAuth, ErrInvalid where it
// is not deleted, ErrCollected.
//
// Spec: storage-cbfs §4.
func (m *Manager) Undelete(by account.Address, id digest.Hash) error {
	v, err := m.open(by, id)
	switch {
	case err != nil:
		return err
	case v.Status != Deleted:
		return ErrInvalid
	}
	due, err := m.rent(v)
	if err != nil {
		return err
	}
	if v.Accrued > 0 || v.Reserve < due {
		return ErrReserve
	}
	v.Requested = 0
	m.turn(id, v, Active)
	m.save(id, v)
	return nil
}

// SetExpiry sets the block a volume is deleted in by itself, 0 for none. Rejects: ErrNotFound, ErrAuth, ErrInvalid, ErrDeleted, ErrCollected.
//
// Spec: storage-cbfs §3.1.
func (m *Manager) SetExpiry(by account.Address, id digest.Hash, at unit.Height) error {
	if at != 0 && at <= m.Height {
		return ErrInvalid
	}
	v, err := m.alive(by, id)
	if err != nil {
		return err
	}
	v.Expires = at
	m.turn(id, v, v.Status)
	m.save(id, v)
	m.emit(TopicExpiry, id, uvar(at))
	return nil
}

// Transfer offers a volume to another account, whose it is once that account accepts it: a volume costs rent, and nobody has to take one. The zero address
// takes the offer back. Rejects: ErrNotFound, ErrAuth, ErrInvalid, ErrDeleted, ErrCollected.
//
// Spec: storage-cbfs §3.1.
func (m *Manager) Transfer(by account.Address, id digest.Hash, to account.Address) error {
	if to == by || !to.IsZero() && to.IsReserved() {
		return ErrInvalid
	}
	v, err := m.alive(by, id)
	if err != nil {
		return err
	}
	v.Offered = to
	m.save(id, v)
	m.emit(TopicOffered, id, to[:])
	return nil
}

// Accept takes over a volume that was offered, with its reserve and under its identity. Its tokens end; the key of a private one stays as it is wrapped until
// its owner wraps it anew. Rejects: ErrNotFound, ErrAuth, ErrQuota, ErrConflict.
//
// Spec: storage-cbfs §3.1.
func (m *Manager) Accept(by account.Address, id digest.Hash) error {
	v, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case v.Offered != by || by.IsZero():
		return ErrAuth
	}
	if err := m.bill(id, v); err != nil {
		return err
	}
	if err := m.revokeAll(id, v); err != nil {
		return err
	}
	if err := m.disown(v); err != nil {
		return err
	}
	v.Offered = account.Address{}
	if err := m.own(id, v, by); err != nil {
		return err
	}
	m.save(id, v)
	m.emit(TopicMoved, id, by[:])
	return nil
}
