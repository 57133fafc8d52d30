package wire

import (
	"encoding/hex"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Secrets answers GET /secrets/{addr}. Spec: secrets-cbss §2.
type Secrets struct {
	Account    string   `json:"account"`
	Secrets    []Secret `json:"secrets"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

// Tlock answers GET /tlock/{hash}: a time lock, with what opens it once it is open. Spec: secrets-cbss §4 (152, 153).
type Tlock struct {
	ID         string `json:"lock_id"`
	Account    string `json:"account"`
	KeyHash    string `json:"key_hash"`
	RoundEpoch uint64 `json:"round_epoch"`
	RoundView  uint64 `json:"round_view"`
	WrapEpoch  uint64 `json:"wrap_epoch"`
	Pointer    string `json:"cbfs_pointer,omitempty"` // the place in storage, in hexadecimal
	Payload    string `json:"payload,omitempty"`      // what is kept inline, encrypted
	WrappedDek string `json:"wrapped_dek"`
	Partials   int    `json:"partials"` // that were given, while it is not open
	OpenedAt   uint64 `json:"opened_at,omitempty"`
	Sigma      string `json:"sigma,omitempty"` // what opens the wrapped key
	CreatedAt  uint64 `json:"created_at"`
}

// ViewTlock shows one, with what it keeps inline.
func ViewTlock(id digest.Hash, l *secret.Lock, payload []byte) Tlock {
	v := Tlock{
		ID: Hash(id), Account: l.Account.String(), KeyHash: Hash(l.KeyHash), RoundEpoch: l.Round.Epoch, RoundView: l.Round.View, WrapEpoch: l.Epoch,
		Payload: hex.EncodeToString(payload), WrappedDek: hex.EncodeToString(l.Wrapped), Partials: len(l.Partials), OpenedAt: uint64(l.Opened),
		CreatedAt: uint64(l.Created),
	}
	if secret.Place(l.Pointer[0]) == secret.InStorage {
		v.Pointer = hex.EncodeToString(l.Pointer[1:])
	}
	if l.Opened > 0 {
		v.Sigma = hex.EncodeToString(l.Sigma[:])
	}
	return v
}

// Secret is what is known of all versions of a secret. Spec: secrets-cbss §2 (SecretMetadata).
type Secret struct {
	KeyHash        string   `json:"key_hash"`
	LatestVersion  uint64   `json:"latest_version"`
	ActiveVersions []uint64 `json:"active_versions"`
	CreatedAt      uint64   `json:"created_at"`
	LastUpdatedAt  uint64   `json:"last_updated_at"`
}

// ViewSecret shows one.
func ViewSecret(s *secret.Named) Secret {
	v := Secret{
		KeyHash: Hash(s.KeyHash), LatestVersion: s.Latest, ActiveVersions: s.Active, CreatedAt: uint64(s.Created), LastUpdatedAt: uint64(s.Updated),
	}
	if v.ActiveVersions == nil {
		v.ActiveVersions = []uint64{}
	}
	return v
}

// SecretVersions answers GET /secrets/{addr}/{hash}: a secret with its versions that are not deleted.
type SecretVersions struct {
	Secret
	Account  string          `json:"account"`
	Versions []SecretVersion `json:"versions"`
}

// SecretVersion is a version of a secret: who may have it, and its sealed key; never what is in it. Spec: secrets-cbss §2.
type SecretVersion struct {
	Version    uint64       `json:"version"`
	Pending    bool         `json:"pending"`
	Recipient  string       `json:"recipient"`
	Policy     SecretPolicy `json:"policy"`
	WrapEpoch  uint64       `json:"wrap_epoch,omitempty"`
	Inline     bool         `json:"inline"`
	Pointer    string       `json:"cbfs_pointer,omitempty"` // the place in storage, in hexadecimal
	WrappedDek string       `json:"wrapped_dek,omitempty"`
	CreatedAt  uint64       `json:"created_at"`
	Source     string       `json:"source"`
}

// SecretPolicy says whose jobs may have a secret. Spec: secrets-cbss §2.
type SecretPolicy struct {
	Listed      bool     `json:"restrict_actors"`
	Actors      []string `json:"actors"` // all who may; where the list is not restricted the owner, and the actors it made
	TEERequired bool     `json:"tee_required"`
}

// ViewVersion shows one.
func ViewVersion(n uint64, v *secret.Version) SecretVersion {
	w := SecretVersion{
		Version: n, Pending: v.Pending, Recipient: v.Recipient.String(), WrapEpoch: v.Epoch, WrappedDek: hex.EncodeToString(v.Wrapped),
		CreatedAt: uint64(v.Created), Source: Hash(v.Source), Policy: SecretPolicy{Listed: v.Policy.Listed, Actors: []string{}, TEERequired: v.Policy.TEE},
	}
	if len(v.Pointer) > 0 {
		w.Inline, w.Pointer = v.Pointer[0] == byte(secret.Inline), hex.EncodeToString(v.Pointer[1:])
	}
	for _, a := range v.Policy.Actors {
		w.Policy.Actors = append(w.Policy.Actors, a.String())
	}
	return w
}

// SecretPayload answers GET /secrets/{addr}/{hash}/{version}/payload: nonce and ciphertext in hexadecimal. Spec: secrets-cbss §12 (6).
type SecretPayload struct {
	Payload string `json:"payload"`
}

// ReleaseKey answers GET /release-key/{addr} and GET /release-key/{addr}/{hash}/{version}. Spec: secrets-cbss §2.
type ReleaseKey struct {
	Account     string       `json:"account"`
	KeyHash     string       `json:"key_hash,omitempty"`
	Version     uint64       `json:"version,omitempty"`
	Scope       string       `json:"scope"`
	Master      string       `json:"mpk,omitempty"`
	Committee   []string     `json:"committee"`
	Threshold   int          `json:"threshold"`
	Epoch       uint64       `json:"committee_epoch"`
	LastReshare uint64       `json:"last_reshare_block"`
	Commitments []string     `json:"vss_commitments"`
	Prior       []PriorEpoch `json:"prior_committee_epochs"`
	Pending     *DkgPending  `json:"dkg_pending,omitempty"`
}

// PriorEpoch is a former committee that may still serve.
type PriorEpoch struct {
	Epoch     uint64   `json:"epoch"`
	Committee []string `json:"committee"`
	ExpiresAt uint64   `json:"expires_at"`
}

// DkgPending is a key that is being made or passed on.
type DkgPending struct {
	Reshare   bool     `json:"reshare"`
	Threshold uint32   `json:"threshold"`
	Members   uint32   `json:"n"`
	Deadline  uint64   `json:"deadline"` // 0: the committee is not drawn yet
	Requester string   `json:"requester"`
	Bond      uint64   `json:"bond"`
	Committee []string `json:"committee"`
}

// ViewReleaseKey shows the key of a scope; k and p may be nil.
func ViewReleaseKey(of secret.Scope, k *secret.ReleaseKey, p *secret.Pending) ReleaseKey {
	v := ReleaseKey{
		Account: of.Secret.Account.String(), Version: of.Version, Scope: hex.EncodeToString(of.Bytes()), Committee: []string{}, Commitments: []string{},
		Prior: []PriorEpoch{},
	}
	if of.Version > 0 {
		v.KeyHash = Hash(of.Secret.KeyHash)
	}
	if k != nil {
		v.Master, v.Committee, v.Threshold, v.Epoch = hex.EncodeToString(k.Master[:]), hashes(k.Committee), k.Threshold(), k.Epoch
		v.LastReshare = uint64(k.Reshared)
		for _, c := range k.Commitments {
			v.Commitments = append(v.Commitments, hex.EncodeToString(c[:]))
		}
		for i := range k.Prior {
			v.Prior = append(v.Prior, PriorEpoch{k.Prior[i].Epoch, hashes(k.Prior[i].Committee), uint64(k.Prior[i].Expires)})
		}
	}
	if p != nil {
		v.Pending = &DkgPending{p.Reshare, p.Quorum, p.Members, uint64(p.Deadline), p.Requester.String(), uint64(p.Bond), hashes(p.Committee)}
	}
	return v
}

func hashes(list []digest.Hash) []string {
	out := make([]string, len(list))
	for i, h := range list {
		out[i] = Hash(h)
	}
	return out
}

// Proxies answers GET /proxies.
type Proxies struct {
	Proxies    []Proxy `json:"proxies"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

// Proxy is a proxy of the secret service. Spec: secrets-cbss §2 (CbssProxy).
type Proxy struct {
	ID            string   `json:"id"`
	Operator      string   `json:"operator"`
	PublicKey     string   `json:"pubkey"`
	HPKE          string   `json:"hpke_pubkey"`
	TLS           string   `json:"tls_spki"`
	NetworkAddr   string   `json:"network_addr"`
	Stake         uint64   `json:"stake"`
	RegisteredAt  uint64   `json:"registered_at"`
	EligibleAfter uint64   `json:"eligible_after"`
	Health        uint64   `json:"health"` // basis points
	Suspended     bool     `json:"suspended"`
	UnbondAt      uint64   `json:"unbond_at,omitempty"`
	Serves        bool     `json:"serves"` // may be chosen for a committee now
	Committees    []string `json:"committees,omitempty"`
}

// ViewProxy shows one as of a height, with the first of the scopes whose committees it is of.
func ViewProxy(id digest.Hash, p *secret.Proxy, scopes []secret.Scope, now unit.Height) Proxy {
	v := Proxy{
		ID: Hash(id), Operator: p.Operator.String(), PublicKey: hex.EncodeToString(p.Key[:]), HPKE: hex.EncodeToString(p.HPKE[:]), TLS: Hash(p.TLS),
		NetworkAddr: p.Address, Stake: uint64(p.Stake), RegisteredAt: uint64(p.Registered), EligibleAfter: uint64(p.Eligible), Health: p.Health,
		Suspended: p.Suspended, UnbondAt: uint64(p.Unbonds), Serves: p.Serves(now),
	}
	for _, s := range scopes {
		v.Committees = append(v.Committees, hex.EncodeToString(s.Bytes()))
	}
	return v
}

// SecretRelease answers GET /release/{hash}: the receipts of a release. Spec: secrets-cbss §2 (ReleaseReceiptSet).
type SecretRelease struct {
	Release   string          `json:"release_id"`
	Account   string          `json:"account"`
	KeyHash   string          `json:"key_hash"`
	Version   uint64          `json:"version"`
	Actor     string          `json:"actor"`
	Runner    string          `json:"runner"`
	JobID     string          `json:"job_id"`
	Epoch     uint64          `json:"quorum_epoch"`
	Threshold uint32          `json:"threshold"`
	Entries   []SecretReceipt `json:"entries"`
}

// SecretReceipt is one of them.
type SecretReceipt struct {
	Proxy    string `json:"proxy_id"`
	ServedAt uint64 `json:"served_at_block"`
}

// ViewRelease shows one.
func ViewRelease(id digest.Hash, s *secret.Receipts) SecretRelease {
	v := SecretRelease{
		Release: Hash(id), Account: s.Secret.Account.String(), KeyHash: Hash(s.Secret.KeyHash), Version: s.Version, Actor: s.Actor.String(),
		Runner: s.Runner.String(), JobID: Hash(s.Job), Epoch: s.Epoch, Threshold: s.Threshold, Entries: []SecretReceipt{},
	}
	for _, e := range s.Entries {
		v.Entries = append(v.Entries, SecretReceipt{Hash(e.Proxy), uint64(e.Served)})
	}
	return v
}

// ViewSecrets shows a page of at most limit.
func ViewSecrets(of account.Address, list []secret.Named, limit int) Secrets {
	v := Secrets{Account: of.String(), Secrets: []Secret{}}
	for i := range list {
		v.Secrets = append(v.Secrets, ViewSecret(&list[i]))
	}
	if len(list) == limit {
		v.NextCursor = Hash(list[limit-1].KeyHash)
	}
	return v
}
