package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Commit is what the second step of a write makes visible. The first brought shards, placements and manifest to the relays, and changed nothing here.
//
// Spec: storage-cbfs §3.1 (commit_manifest).
type Commit struct {
	Base     digest.Hash // the manifest_root it was made from
	Manifest digest.Hash
	Shards   digest.Hash // shard_root
	Raw      uint64      // bytes of all objects, as they lie on relays before they are coded
	Objects  uint64
	Chunks   uint64 // of each slot
}

// check holds a commit to a volume's bounds. Rejects: ErrQuota, ErrInvalid.
func (c *Commit) check(v *Volume) error {
	next := Volume{Raw: c.Raw, K: v.K, M: v.M}
	least := (next.Slot() + cbfs.ChunkBytes - 1) / cbfs.ChunkBytes
	most := 2*(least+c.Objects) + FreeChunks // half of them may be at places that are free
	switch {
	case c.Raw > MaxRawBytes || c.Objects > MaxObjects:
		return ErrQuota
	case c.Objects > 1+c.Raw/LeastRecord || c.Chunks < least || c.Chunks > most || c.Chunks > 0 == c.Shards.IsZero() || c.Raw > 0 && c.Objects == 0:
		return ErrInvalid
	}
	return nil
}

// Commit anchors a manifest, for the owner or for whom token lets write. Rejects: ErrNotFound, ErrAuth, ErrToken, ErrBytes, ErrConflict, ErrQuota,
// ErrInvalid, ErrReserve, ErrDeleted, ErrCollected.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.1, §4, §11 (10).
func (m *Manager) Commit(by account.Address, id digest.Hash, token *[cbfs.TokenIDSize]byte, c Commit) error {
	v, err := Load(m.State, id)
	if err != nil {
		return err
	}
	if err := m.bill(id, v); err != nil {
		return err
	}
	switch v.Status {
	case Grace:
		return ErrReserve
	case Deleted:
		return ErrDeleted
	case Collecting:
		return ErrCollected
	}
	if err := m.mayWrite(by, id, v, token, c.Raw); err != nil {
		return err
	}
	if c.Base != v.ManifestRoot {
		return ErrConflict
	}
	if err := c.check(v); err != nil {
		return err
	}
	before, raw := v.Effective(), v.Raw
	root := v.ShardRoot
	v.ManifestRoot, v.ShardRoot, v.Raw, v.Objects, v.Chunks, v.Updated = c.Manifest, c.Shards, c.Raw, c.Objects, c.Chunks, m.Height
	after := v.Effective()
	if err := m.afford(v, before, after); err != nil {
		return err
	}
	if err := m.tally(v.Owner, func(s *Summary) { s.Effective += after - before }); err != nil {
		return err
	}
	if root != v.ShardRoot {
		if err := m.Relays.Supersede(id, v.ShardRoot); err != nil {
			return err
		}
	}
	m.save(id, v)
	m.emit(TopicCommitted, id, c.Manifest[:], uvar(m.Height), codec.AppendInt(nil, int64(c.Raw)-int64(raw)), visibility(v))
	return nil
}

// afford takes the fee for what a volume grows by, and wants the rent of an epoch in the reserve besides.
//
// Spec: storage-cbfs §6 (transfer fee, minimum balance).
func (m *Manager) afford(v *Volume, before, after uint64) error {
	fee, err := m.Relays.Terms.Rent.TransferPerMiB.Mul(mibs(max(after, before) - before))
	if err != nil {
		return err
	}
	rent, err := m.rent(v)
	if err != nil {
		return err
	}
	least, err := fee.Add(rent)
	if err != nil {
		return err
	}
	if v.Reserve < least {
		return ErrReserve
	}
	return m.spend(v, fee)
}

// mayWrite holds a commit to the owner, or to a token that it is counted against, and against the grant that the token was made from. Rejects: ErrAuth,
// ErrToken, ErrBytes.
func (m *Manager) mayWrite(by account.Address, id digest.Hash, v *Volume, token *[cbfs.TokenIDSize]byte, raw uint64) error {
	if token == nil {
		if by != v.Owner {
			return ErrAuth
		}
		return nil
	}
	t, err := LoadToken(m.State, *token)
	if err != nil {
		return err
	}
	body, err := cbfs.DecodeRunnerToken(t.Body)
	if err != nil {
		return err
	}
	switch {
	case body.Runner != by:
		return ErrAuth
	case body.Volume != id || !body.Mode.Writes() || !m.holds(body):
		return ErrToken
	}
	if err := m.count(*token, t, body, v.Raw, raw); err != nil || t.Grant == ([cbfs.TokenIDSize]byte{}) {
		return err
	}
	grant, err := LoadToken(m.State, t.Grant)
	if err != nil {
		return err
	}
	if body, err = cbfs.DecodeRunnerToken(grant.Body); err != nil {
		return err
	}
	return m.count(t.Grant, grant, body, v.Raw, raw)
}

// count counts what a volume grows by against a token. What shrinks gives room for what the token let grow, and for no more; a commit that grows by nothing
// passes also where the token was narrowed to less than it has used. Reject: ErrBytes.
//
// Spec: storage-cbfs §2.5 (max_bytes), §11 (10).
func (m *Manager) count(token [cbfs.TokenIDSize]byte, t *Token, body *cbfs.RunnerToken, before, after uint64) error {
	if after <= before {
		t.Used -= min(t.Used, before-after)
	} else if t.Used += after - before; t.Used > body.MaxBytes { // all of them are at most MaxRawBytes
		return ErrBytes
	}
	m.State.Set(under(underToken, token[:]), t.Encode())
	return nil
}

// holds reports whether a token holds in this block.
func (m *Manager) holds(t *cbfs.RunnerToken) bool { return holds(t, m.Height) }

func holds(t *cbfs.RunnerToken, now unit.Height) bool {
	return now >= unit.Height(t.From) && now < unit.Height(t.Until)
}

// Confirm is a relay's word that it holds its slot's shards of the newest commit. Rejects: ErrNotFound, and those of package relay.
//
// Spec: storage-cbfs §2.7.
func (m *Manager) Confirm(by account.Address, id digest.Hash, slot uint8, root digest.Hash) error {
	v, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case v.Status == Collecting:
		return ErrCollected
	}
	return m.Relays.Confirm(by, id, slot, root, offer(v))
}

// Repair gives a degraded slot to another relay. Rejects: ErrNotFound, and those of package relay.
//
// Spec: storage-cbfs §4 (repair).
func (m *Manager) Repair(by account.Address, id digest.Hash, slot uint8, version uint64) error {
	v, err := Load(m.State, id)
	switch {
	case err != nil:
		return err
	case v.Status == Collecting:
		return ErrCollected
	}
	return m.Relays.Repair(by, v.Owner, id, slot, version, offer(v))
}

func offer(v *Volume) relay.Offer {
	return relay.Offer{Root: v.ShardRoot, Chunks: v.Chunks, Bytes: v.Slot()}
}
