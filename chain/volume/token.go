package volume

import (
	"encoding/binary"

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
	token, err = m.mint(id, v, source, digest.Hash{}, 0, p)
	if err == nil {
		m.save(id, v)
	}
	return token, err
}

// mint makes a token, after it has forgotten those of the volume that have expired. It does not save v.
func (m *Manager) mint(id digest.Hash, v *Volume, source, job digest.Hash, index uint32, p Permission) (token [cbfs.TokenIDSize]byte, err error) {
	if err := p.check(m.Height); err != nil {
		return token, err
	}
	if err := m.room(id, v, &p, nil); err != nil {
		return token, err
	}
	if v.Tokens >= MaxTokens {
		return token, ErrQuota
	}
	token = tokenID(id, source, p.Grantee, index, m.Height)
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
	m.State.Set(under(underToken, token[:]), (&Token{Body: body.Encode(), Job: job}).Encode())
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

// room forgets the expired tokens of a volume and refuses a prefix that another one may write already.
//
// Spec: storage-cbfs §2.5 (write prefixes do not overlap).
func (m *Manager) room(id digest.Hash, v *Volume, p *Permission, but *[cbfs.TokenIDSize]byte) error {
	list, err := Tokens(m.State, id)
	if err != nil {
		return err
	}
	for _, one := range list {
		t, err := LoadToken(m.State, one)
		if err != nil {
			return err
		}
		body, err := cbfs.DecodeRunnerToken(t.Body)
		switch {
		case err != nil:
			return err
		case m.Height >= unit.Height(body.Until):
			m.forget(id, v, one)
		case but != nil && one == *but:
		case p.Mode.Writes() && body.Mode.Writes() && cbfs.Overlap(p.Prefix, body.Prefix):
			return ErrOverlap
		}
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

// Narrow leaves a token less than it allowed, for the owner or the one it was granted to: caveats only narrow. Rejects: ErrNotFound, ErrAuth, ErrToken where
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
	if !p.Mode.Narrows(body.Mode) || !cbfs.Within(p.Prefix, body.Prefix) || p.MaxBytes > body.MaxBytes || uint64(p.Until) > body.Until {
		return ErrInvalid
	}
	body.Mode, body.Prefix, body.MaxBytes, body.Until = p.Mode, p.Prefix, p.MaxBytes, uint64(p.Until)
	t.Body = body.Encode()
	m.State.Set(under(underToken, token[:]), t.Encode())
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

// Revoke ends a token, for the owner of its volume. Rejects: ErrNotFound, ErrAuth.
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
	m.save(body.Volume, v)
	m.emit(TopicRevoked, body.Volume, token[:])
	return nil
}
