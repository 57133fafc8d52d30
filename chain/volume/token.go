package volume

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// MaxTokenBlocks is how long a token may hold.
const MaxTokenBlocks = params.BlocksPerYear

// Permission is what a token is to allow.
//
// Spec: storage-cbfs §2.5.
type Permission struct {
	Grantee  account.Address // runner_address
	Mode     cbfs.Mode
	Prefix   string
	MaxBytes uint64
	Until    unit.Height // the first block it does not hold in
	Mount    bool
	SyncSecs uint64
}

func (p *Permission) check(now unit.Height) error {
	switch {
	case cbfs.CheckPrefix(p.Prefix) != nil:
		return cbfs.ErrPath
	case p.Mode >= cbfs.Modes || p.Grantee.IsZero() || p.Until <= now || p.Until-now > MaxTokenBlocks || p.MaxBytes > MaxRawBytes:
		return ErrInvalid
	case p.Mount && p.SyncSecs == 0:
		return ErrInvalid
	}
	return nil
}

// Grant mints a token of an owner's volume. source is the transaction or message that asks for it. Rejects: ErrNotFound, ErrAuth, ErrInvalid, cbfs.ErrPath,
// ErrQuota, ErrOverlap, ErrDeleted, ErrCollected.
//
// Spec: storage-cbfs §2.5, §3.1.
func (m *Manager) Grant(by account.Address, id, source digest.Hash, p Permission) (token [cbfs.TokenIDSize]byte, err error) {
	v, err := m.alive(by, id)
	if err != nil {
		return token, err
	}
	token, err = m.mint(id, v, origin{source: source}, p)
	if err == nil {
		m.save(id, v)
	}
	return token, err
}

// origin is what a token is minted for.
type origin struct {
	source digest.Hash // the transaction or message, or the job
	job    digest.Hash // zero: the owner grants it
	index  uint32      // of the job's attachment
	by     account.Address
}

// mint makes a token, after it has forgotten those of the volume that have expired. That of a job of whom the volume was granted to holds no longer than the
// grant. It does not save v.
func (m *Manager) mint(id digest.Hash, v *Volume, of origin, p Permission) (token [cbfs.TokenIDSize]byte, err error) {
	if err := p.check(m.Height); err != nil {
		return token, err
	}
	list, err := m.live(id, v)
	if err != nil {
		return token, err
	}
	kept := Token{Job: of.job}
	var from *held
	if !of.job.IsZero() && of.by != v.Owner {
		if from, err = lender(list, of.by, &p, 1, m.Height); err != nil {
			return token, err
		}
		p.Until, kept.Grant = min(p.Until, unit.Height(from.body.Until)), from.id
	}
	switch {
	case overlaps(list, &p, from):
		return token, ErrOverlap
	case v.Tokens >= MaxTokens:
		return token, ErrQuota
	}
	token = tokenID(id, of.source, p.Grantee, of.index, m.Height)
	secret := sig.Randomness(m.Relays.Beacon, "cbfs-token-v0")
	body := cbfs.RunnerToken{
		Grant:  cbfs.Grant{ID: token, Volume: id, Name: v.Name, Mode: p.Mode, Prefix: p.Prefix, MaxBytes: p.MaxBytes, Mount: p.Mount, SyncSecs: p.SyncSecs},
		Secret: digest.Keccak256(secret[:], token[:]), Runner: p.Grantee, From: uint64(m.Height), Until: uint64(p.Until),
	}
	if _, taken, err := m.State.Lookup(under(underToken, token[:])); err != nil || taken {
		if err == nil {
			err = ErrConflict
		}
		return token, err
	}
	kept.Body = body.Encode()
	m.State.Set(under(underToken, token[:]), kept.Encode())
	m.State.Set(under(underLive, id[:], token[:]), nil)
	v.Tokens++
	data := append(append(token[:], p.Grantee[:]...), byte(p.Mode))
	m.emit(TopicGranted, id, data, codec.AppendBytes(nil, []byte(p.Prefix)), uvar(p.MaxBytes), uvar(p.Until))
	return token, nil
}

// tokenID is the first 16 bytes of keccak256("cbfs-token-v0" ‖ volume_id ‖ source ‖ grantee ‖ index as be4 ‖ height as be8).
func tokenID(volume, source digest.Hash, grantee account.Address, index uint32, at unit.Height) (id [cbfs.TokenIDSize]byte) {
	tail := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, index), uint64(at))
	whole := digest.Keccak256([]byte("cbfs-token-v0"), volume[:], source[:], grantee[:], tail)
	copy(id[:], whole[:])
	return id
}

// held is a token of a volume, with its identity and what it says.
type held struct {
	*Token
	id   [cbfs.TokenIDSize]byte
	body *cbfs.RunnerToken
}

// live lists the tokens of a volume that have not expired, and forgets those that have. It does not save v.
func (m *Manager) live(id digest.Hash, v *Volume) (list []held, err error) {
	ids, err := Tokens(m.State, id)
	if err != nil {
		return nil, err
	}
	for _, one := range ids {
		h := held{id: one}
		if h.Token, err = LoadToken(m.State, one); err != nil {
			return nil, err
		}
		if h.body, err = cbfs.DecodeRunnerToken(h.Body); err != nil {
			return nil, err
		}
		if m.Height >= unit.Height(h.body.Until) {
			m.forget(id, v, one)
			continue
		}
		list = append(list, h)
	}
	return list, nil
}

// overlaps reports whether what is to be allowed writes where a token may write already, other than the grant that it is made from.
//
// Spec: storage-cbfs §2.5 (write prefixes do not overlap).
func overlaps(list []held, p *Permission, from *held) bool {
	return p.Mode.Writes() && slices.ContainsFunc(list, func(h held) bool {
		return h.body.Mode.Writes() && (from == nil || h.id != from.id) && cbfs.Overlap(p.Prefix, h.body.Prefix)
	})
}

// lender finds the grant that tokens for so many runners of an account's job can be made from: the owner granted it to the account, it holds, and it allows
// what they are to. Of several it is the one that holds longest. Rejects: ErrAuth where the account has no grant, ErrToken where none allows it, ErrQuota where
// those that do have too many tokens made from them.
//
// Spec: storage-cbfs §2.5 (caveats narrow); secrets-cbss §11.
func lender(list []held, by account.Address, p *Permission, runners uint32, now unit.Height) (from *held, err error) {
	err = ErrAuth
	for i := range list {
		h := &list[i]
		if h.body.Runner != by || !h.Job.IsZero() {
			continue
		}
		switch {
		case !holds(h.body, now) || !allows(h.body, p):
			if err == ErrAuth {
				err = ErrToken
			}
		case lent(list, h.id)+runners > MaxLent:
			err = ErrQuota
		case from == nil || h.body.Until > from.body.Until:
			from = h
		}
	}
	if from != nil {
		err = nil
	}
	return from, err
}

// lent counts the tokens that are made from a grant.
func lent(list []held, grant [cbfs.TokenIDSize]byte) (n uint32) {
	for i := range list {
		if list[i].Grant == grant {
			n++
		}
	}
	return n
}

// allows reports whether a token allows what is asked, whenever that is.
//
// Spec: storage-cbfs §2.5 (caveats narrow).
func allows(t *cbfs.RunnerToken, p *Permission) bool {
	return p.Mode.Narrows(t.Mode) && cbfs.Within(p.Prefix, t.Prefix) && p.MaxBytes <= t.MaxBytes
}

// recall ends the tokens that were made from a grant and are not within what is left of it; nil is nothing. It does not save v.
//
// Spec: storage-cbfs §2.5 (caveats narrow), §3.1.
func (m *Manager) recall(id digest.Hash, v *Volume, grant [cbfs.TokenIDSize]byte, left *cbfs.RunnerToken) error {
	list, err := m.live(id, v)
	if err != nil {
		return err
	}
	for i := range list {
		h := &list[i]
		p := Permission{Mode: h.body.Mode, Prefix: h.body.Prefix, MaxBytes: h.body.MaxBytes}
		if h.Grant != grant || left != nil && allows(left, &p) && h.body.Until <= left.Until {
			continue
		}
		m.forget(id, v, h.id)
		m.emit(TopicRevoked, id, h.id[:])
	}
	return nil
}

func (m *Manager) forget(id digest.Hash, v *Volume, token [cbfs.TokenIDSize]byte) {
	m.State.Delete(under(underToken, token[:]))
	m.State.Delete(under(underLive, id[:], token[:]))
	v.Tokens--
}

func (m *Manager) revokeAll(id digest.Hash, v *Volume) error {
	list, err := Tokens(m.State, id)
	for _, one := range list {
		m.forget(id, v, one)
		m.emit(TopicRevoked, id, one[:])
	}
	return err
}

// Narrow leaves a token less than it allowed, for the owner or the one it was granted to: caveats only narrow. Tokens of jobs that were made from it and allow
// more end. Rejects: ErrNotFound, ErrAuth, ErrToken where
// it has expired, ErrInvalid where something is wider, cbfs.ErrPath.
//
// Spec: storage-cbfs §2.5.
func (m *Manager) Narrow(by account.Address, token [cbfs.TokenIDSize]byte, p Permission) error {
	t, body, v, err := m.openToken(token)
	switch {
	case err != nil:
		return err
	case by != v.Owner && by != body.Runner:
		return ErrAuth
	case !m.holds(body):
		return ErrToken
	}
	p.Grantee, p.Mount, p.SyncSecs = body.Runner, body.Mount, body.SyncSecs
	if err := p.check(m.Height); err != nil {
		return err
	}
	if !allows(body, &p) || uint64(p.Until) > body.Until {
		return ErrInvalid
	}
	body.Mode, body.Prefix, body.MaxBytes, body.Until = p.Mode, p.Prefix, p.MaxBytes, uint64(p.Until)
	t.Body = body.Encode()
	m.State.Set(under(underToken, token[:]), t.Encode())
	if err := m.recall(body.Volume, v, token, body); err != nil {
		return err
	}
	m.save(body.Volume, v)
	data := append(append(token[:], p.Grantee[:]...), byte(p.Mode))
	m.emit(TopicGranted, body.Volume, data, codec.AppendBytes(nil, []byte(p.Prefix)), uvar(p.MaxBytes), uvar(p.Until))
	return nil
}

func (m *Manager) openToken(token [cbfs.TokenIDSize]byte) (*Token, *cbfs.RunnerToken, *Volume, error) {
	t, err := LoadToken(m.State, token)
	if err != nil {
		return nil, nil, nil, err
	}
	body, err := cbfs.DecodeRunnerToken(t.Body)
	if err != nil {
		return nil, nil, nil, err
	}
	v, err := Load(m.State, body.Volume)
	return t, body, v, err
}

// Revoke ends a token, and those of jobs that were made from it, for the owner of its volume. Rejects: ErrNotFound, ErrAuth.
//
// Spec: storage-cbfs §3.1.
func (m *Manager) Revoke(by account.Address, token [cbfs.TokenIDSize]byte) error {
	_, body, v, err := m.openToken(token)
	switch {
	case err != nil:
		return err
	case by != v.Owner:
		return ErrAuth
	}
	m.forget(body.Volume, v, token)
	m.emit(TopicRevoked, body.Volume, token[:])
	if err := m.recall(body.Volume, v, token, nil); err != nil {
		return err
	}
	m.save(body.Volume, v)
	return nil
}
