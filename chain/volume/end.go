package volume

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the end of one block does at most; the rest is the next one's. Collecting a volume takes its shards from up to 24 relays.
const (
	StepsPerBlock   = 32
	collectsPerStep = 8 // steps that collecting a volume counts for
	SweptPerBlock   = 16
)

// End is the manager's part of a block's end: what is due, and the sweep that bills volumes.
//
// Spec: storage-cbfs §4, §6.
func (m *Manager) End() error {
	k, err := relay.LoadClock(m.State)
	if err != nil || k.Epoch == 0 {
		return err
	}
	if err := m.steps(); err != nil || k.Volumes {
		return err
	}
	return m.sweep(k.Epoch)
}

func (m *Manager) steps() error {
	prefix := under(underDue)
	var ids []digest.Hash
	err := m.State.Scan(prefix, nil, StepsPerBlock, func(key, _ []byte) bool {
		if unit.Height(binary.BigEndian.Uint64(key[len(prefix):])) > m.Height {
			return false
		}
		ids = append(ids, digest.Hash(key[len(prefix)+8:]))
		return true
	})
	for i, work := 0, 0; err == nil && i < len(ids) && work < StepsPerBlock; i++ {
		var n int
		n, err = m.step(ids[i])
		work += n
	}
	return err
}

// step does what is due of a volume, and says how many steps that counts for.
//
// Spec: storage-cbfs §4.
func (m *Manager) step(id digest.Hash) (int, error) {
	v, err := Load(m.State, id)
	if err != nil {
		return 0, err
	}
	if err := m.bill(id, v); err != nil {
		return 0, err
	}
	switch v.Status {
	case Deleted:
		if err := m.collect(id, v); err != nil {
			return 0, err
		}
		m.save(id, v)
		return collectsPerStep, nil
	case Collecting:
		m.State.Delete(dueKey(v.Due, id))
		m.State.Delete(volumeKey(id))
		m.emit(TopicGone, id)
		return 1, m.disown(v)
	}
	if v.Due <= m.Height { // billing may have begun a grace, which ends later
		err = m.remove(id, v)
	}
	m.save(id, v)
	return 1, err
}

// collect ends a volume: its relays let go of it, its tokens end, what it owes is paid as far as its reserve goes, and the rest goes back.
//
// Spec: storage-cbfs §4 (GARBAGE_COLLECTING).
func (m *Manager) collect(id digest.Hash, v *Volume) error {
	if err := m.Relays.Release(id); err != nil {
		return err
	}
	if err := m.revokeAll(id, v); err != nil {
		return err
	}
	effective := v.Effective()
	if err := m.tally(v.Owner, func(s *Summary) { s.Effective -= effective }); err != nil {
		return err
	}
	if err := m.spend(v, min(v.Reserve, v.Accrued)); err != nil {
		return err
	}
	v.Accrued = 0
	back := v.Reserve
	v.Reserve = 0
	if err := m.tally(v.Owner, func(s *Summary) { s.Reserved -= back }); err != nil {
		return err
	}
	if err := m.Relays.Pay(v.Owner, back); err != nil {
		return err
	}
	m.turn(id, v, Collecting)
	return nil
}

// sweep bills the next volumes of the epoch.
func (m *Manager) sweep(epoch uint64) error {
	raw, ok, err := m.State.Lookup(under(keySweep))
	if err != nil {
		return err
	}
	var after digest.Hash
	if ok {
		in := codec.NewReader(raw)
		last := in.Uint()
		in.Into(after[:])
		if err := in.Finish(); err != nil {
			return err
		}
		if last != epoch {
			after = digest.Hash{}
		}
	}
	ids, list, err := List(m.State, after, SweptPerBlock)
	if err != nil {
		return err
	}
	for i, v := range list {
		if v.Status == Collecting {
			continue
		}
		if err := m.bill(ids[i], v); err != nil {
			return err
		}
		if err := m.orphan(ids[i], v); err != nil {
			return err
		}
		m.save(ids[i], v)
		if err := m.Relays.Lapse(ids[i]); err != nil {
			return err
		}
	}
	if len(list) < SweptPerBlock {
		m.State.Delete(under(keySweep))
		return m.Relays.VolumesSwept()
	}
	last := ids[len(ids)-1]
	m.State.Set(under(keySweep), codec.AppendFixed(codec.AppendUint(nil, epoch), last[:]))
	return nil
}

// orphan deletes a volume whose owner's storage was evicted. An owner that is restored within the grace can take it back.
//
// Spec: WP §7.3 (until the owning account is evicted).
func (m *Manager) orphan(id digest.Hash, v *Volume) error {
	if v.Status > Grace {
		return nil
	}
	a, err := account.Load(m.State, v.Owner)
	if err != nil || !a.Dormant {
		return err
	}
	return m.remove(id, v)
}

// GraceHeader is what an answer out of a volume in grace carries; its value is GraceValue.
//
// Spec: storage-cbfs §4.
const (
	GraceHeader = "X-Cowboy-Storage-Status"
	GraceValue  = "grace"
)

// HTTP is how an object of a volume in a status is answered for: the status code, and the reject of one that is not served.
//
// Spec: storage-cbfs §4 (over HTTP).
func (s Status) HTTP() (code int, err error) {
	switch s {
	case Deleted:
		return 503, ErrDeleted
	case Collecting:
		return 410, ErrCollected
	}
	return 200, nil
}
