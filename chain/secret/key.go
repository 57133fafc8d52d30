package secret

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the Secrets Manager.
//
// Spec: secrets-cbss §2 (Keys).
const (
	underSecret      = "secret:"
	underCount       = "secret_count:"
	underVersion     = "secret_version:"
	underPayload     = "secret_payload:"
	underTombstone   = "secret_version_tombstone:"
	underAccountKey  = "account_release_key:"
	underSecretKey   = "secret_release_key:"
	underPending     = "dkg_pending:"
	underDraw        = "dkg_draw:"
	underProxy       = "cbss_proxy:"
	underOperator    = "cbss_proxy_index_by_operator:"
	keyProxies       = "cbss_proxies"
	underUnbonding   = "cbss_unbonding:"
	underLeaving     = "cbss_leaving:"
	underPunished    = "cbss_punished:"
	underMembership  = "committee_membership:"
	underReceipts    = "release_receipt:"
	underReleases    = "release_count:"
	underChallenge   = "liveness_challenge:"
	underOpen        = "liveness_challenge_open:"
	underForget      = "cbss_forget:"
	underDebt        = "cbss_debt:"
	underLock        = "tlock:"
	underLockPayload = "tlock_payload:"
	underLockDue     = "tlock_due:"
	underLockCount   = "tlock_count:"
	keyEscrow        = "cbss_escrow"
)

// Home is where the service and its coins lie.
func Home() account.Address { return account.System(account.SecretsManager) }

func under(prefix string, parts ...[]byte) []byte {
	key := account.KeyString(account.KindRecord, Home(), prefix)
	for _, p := range parts {
		key = append(key, p...)
	}
	return key
}

func be8(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func secretKey(id cbss.SecretID) []byte { return under(underSecret, id.Append(nil)) }

func versionKey(prefix string, id cbss.SecretID, version uint64) []byte {
	return under(prefix, id.Append(nil), be8(version))
}

func proxyKey(id digest.Hash) []byte { return under(underProxy, id[:]) }

func membershipKey(proxy digest.Hash, s Scope) []byte {
	return under(underMembership, proxy[:], s.Bytes())
}

func releasesKey(s *Receipts) []byte {
	return under(underReleases, s.Job[:], s.Runner[:], s.Secret.Append(nil))
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...]struct {
		suffix, holds string
		exact         bool
	}{
		{underSecret, "secrets", false},
		{underCount, "how many secrets an account has", false},
		{underVersion, "versions of secrets", false},
		{underPayload, "payloads that are kept inline", false},
		{underTombstone, "versions of secrets that were deleted", false},
		{underAccountKey, "release keys of accounts", false},
		{underSecretKey, "release keys of single versions", false},
		{underPending, "release keys that are being made", false},
		{underDraw, "committees that are to be drawn, by height", false},
		{underProxy, "proxies", false},
		{underOperator, "proxies, by operator", false},
		{keyProxies, "how many proxies there are", true},
		{underUnbonding, "proxies that unbond, by height", false},
		{underLeaving, "proxies whose committees are being replaced", false},
		{underPunished, "what proxies were punished for", false},
		{underMembership, "committees a proxy is of", false},
		{underReceipts, "receipts of releases", false},
		{underReleases, "releases of a secret in a job", false},
		{underChallenge, "challenges of proxies", false},
		{underOpen, "challenges that are open, by proxy", false},
		{underForget, "releases and challenges that are to be forgotten, by height", false},
		{underDebt, "what actors owe for releases", false},
		{underLock, "time locks", false},
		{underLockPayload, "what time locks keep inline", false},
		{underLockDue, "time locks that wait, by round", false},
		{underLockCount, "how many time locks of an account wait", false},
		{keyEscrow, "stakes, bonds and fees of time locks of the secret service", true},
	} {
		list = append(list, account.Claim{
			Chapter: chapter, Holds: c.holds, Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: c.suffix, Exact: c.exact,
		})
	}
	return list
}

// Scope is what a release key is for: an account, or one version of a secret.
//
// Spec: secrets-cbss §2.
type Scope struct {
	Secret  cbss.SecretID // of an account's scope the account alone
	Version uint64        // 0 for an account's
}

// AccountScope is the scope of an account's release key.
func AccountScope(owner account.Address) Scope {
	return Scope{Secret: cbss.SecretID{Account: owner}}
}

// Bytes is the canonical form: 0 ‖ account(20), or 1 ‖ account(20) ‖ key_hash(32) ‖ be8 version.
func (s Scope) Bytes() []byte {
	if s.Version == 0 {
		return append([]byte{0}, s.Secret.Account[:]...)
	}
	return append(s.Secret.Append([]byte{1}), be8(s.Version)...)
}

// ParseScope reads what Bytes gave. Reject: ErrForm.
func ParseScope(raw []byte) (s Scope, err error) {
	r := codec.NewReader(raw)
	kind := r.Tag(2)
	r.Into(s.Secret.Account[:])
	if kind == 1 {
		r.Into(s.Secret.KeyHash[:])
		s.Version = r.U64()
	}
	if r.Finish() != nil || kind == 1 && s.Version == 0 {
		return Scope{}, ErrForm
	}
	return s, nil
}

func (s Scope) key() []byte {
	if s.Version == 0 {
		return under(underAccountKey, s.Secret.Account[:])
	}
	return versionKey(underSecretKey, s.Secret, s.Version)
}

// LoadSecret reads what is known of a secret; nil where there never was one.
func LoadSecret(r state.Reader, id cbss.SecretID) (*Secret, error) {
	return state.Find(r, secretKey(id), DecodeSecret)
}

// LoadVersion reads a version. Rejects: ErrDeleted, ErrNotFound.
//
// Spec: secrets-cbss §2 (a tombstone keeps "deleted" distinguishable from "never existed").
func LoadVersion(r state.Reader, id cbss.SecretID, version uint64) (*Version, error) {
	v, err := state.Find(r, versionKey(underVersion, id, version), DecodeVersion)
	if err != nil || v != nil {
		return v, err
	}
	t, err := state.Find(r, versionKey(underTombstone, id, version), DecodeTombstone)
	switch {
	case err != nil:
		return nil, err
	case t != nil:
		return nil, ErrDeleted
	}
	return nil, ErrNotFound
}

// LoadPayload reads the payload of a version that is kept inline; nil where there is none.
//
// Spec: secrets-cbss §12 (6).
func LoadPayload(r state.Reader, id cbss.SecretID, version uint64) ([]byte, error) {
	raw, _, err := r.Lookup(versionKey(underPayload, id, version))
	return raw, err
}

// LoadKey reads the release key of a scope; nil where there is none.
func LoadKey(r state.Reader, s Scope) (*ReleaseKey, error) {
	return state.Find(r, s.key(), DecodeReleaseKey)
}

// LoadPending reads a key that is being made or passed on; nil where there is none.
func LoadPending(r state.Reader, s Scope) (*Pending, error) {
	return state.Find(r, under(underPending, s.Bytes()), DecodePending)
}

// LoadProxy reads a proxy. A reject: ErrProxy.
func LoadProxy(r state.Reader, id digest.Hash) (*Proxy, error) {
	return state.Require(r, proxyKey(id), DecodeProxy, ErrProxy)
}

// ProxyOf gives the identity of an operator's proxy. A reject: ErrProxy.
func ProxyOf(r state.Reader, operator account.Address) (id digest.Hash, err error) {
	raw, ok, err := r.Lookup(under(underOperator, operator[:]))
	if err == nil && (!ok || len(raw) != digest.Size) {
		err = ErrProxy
	}
	if err != nil {
		return id, err
	}
	return digest.Hash(raw), nil
}

// LoadReceipts reads what was recorded of a release; nil where nothing is remembered.
func LoadReceipts(r state.Reader, release digest.Hash) (*Receipts, error) {
	return state.Find(r, under(underReceipts, release[:]), DecodeReceipts)
}

// LoadChallenge reads a challenge; nil where none is remembered.
func LoadChallenge(r state.Reader, id digest.Hash) (*Challenge, error) {
	return state.Find(r, under(underChallenge, id[:]), DecodeChallenge)
}

// LoadDebt reads what an actor owes; nil for nothing.
func LoadDebt(r state.Reader, actor account.Address) (*Debt, error) {
	return state.Find(r, under(underDebt, actor[:]), DecodeDebt)
}

// Escrow is what is held in stakes and bonds, in base units, which no account has.
func Escrow(r state.Reader) (unit.Amount, error) {
	n, err := state.Number(r, under(keyEscrow))
	return unit.Amount(n), err
}

// AddEscrow changes what is held.
func AddEscrow(s state.Store, delta int64) error {
	if delta == 0 {
		return nil
	}
	n, err := state.Number(s, under(keyEscrow))
	if err != nil {
		return err
	}
	if delta < 0 && uint64(-delta) > n {
		return unit.ErrUnderflow
	}
	state.SetNumber(s, under(keyEscrow), uint64(int64(n)+delta))
	return nil
}
