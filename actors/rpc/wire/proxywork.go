package wire

import (
	"encoding/hex"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// ProxyWork answers GET /proxy-work/{hash}: what a proxy has to do after the newest block. Spec: secrets-cbss §5.
type ProxyWork struct {
	Height     uint64           `json:"height"`
	ChainID    uint64           `json:"chain_id"`
	Freshness  uint64           `json:"request_freshness"` // blocks a request is taken for
	Proxy      Proxy            `json:"proxy"`
	Keys       []KeyWork        `json:"keys"`       // that are made, or passed on, by committees it is of
	Peers      []Proxy          `json:"peers"`      // of those committees
	Challenges []ProxyChallenge `json:"challenges"` // that are open
	Locks      []LockWork       `json:"locks"`      // whose round is reached, and which want its partial
	Seals      []SealWork       `json:"seals"`      // SealRequests that want its receipt
}

// SealWork is a SealRequest that wants a proxy's receipt.
type SealWork struct {
	Number    uint64 `json:"number"`
	Scope     string `json:"scope"`
	Identity  string `json:"identity"` // the associated data of its first key epoch
	Context   string `json:"context"`  // of the receipt
	Epoch     uint64 `json:"committee_epoch"`
	Members   int    `json:"members"`
	Threshold int    `json:"threshold"`
}

// ViewSealWork shows one.
func ViewSealWork(q *secret.DueSeal) SealWork {
	return SealWork{q.Number, hex.EncodeToString(q.Scope.Bytes()), hex.EncodeToString(q.Data), Hash(q.Context), q.Epoch, q.Members, q.Quorum}
}

// SealAdmission answers GET /proxy-seal/{hash}/{number}: whether the state lets a proxy answer a SealRequest, and what with. Spec: secrets-cbss §5, §11.
type SealAdmission struct {
	Height       uint64 `json:"height"`
	Refused      string `json:"refused,omitempty"` // why not; the rest is empty
	ChainID      uint64 `json:"chain_id"`
	Publisher    string `json:"publisher,omitempty"`
	StreamID     string `json:"stream_id,omitempty"`
	FromKeyEpoch uint64 `json:"from_key_epoch"`
	ToKeyEpoch   uint64 `json:"to_key_epoch"`
	PublicKey    string `json:"public_key,omitempty"` // X25519, the beneficiary's
	Context      string `json:"context,omitempty"`    // what the answer is sealed for
	Master       string `json:"mpk,omitempty"`
	Epoch        uint64 `json:"committee_epoch"`
	Place        uint32 `json:"place"` // of the proxy in the committee, from 1
}

// ViewSealAdmission shows one, for a proxy of a chain.
func ViewSealAdmission(height, chainID uint64, proxy digest.Hash, t *secret.SealTask) SealAdmission {
	q := t.Request
	return SealAdmission{
		Height: height, ChainID: chainID, Publisher: t.Publisher.String(), StreamID: Hash(q.Stream), FromKeyEpoch: q.From, ToKeyEpoch: q.To,
		PublicKey: hex.EncodeToString(t.Public[:]), Context: Hash(secret.SealContext(chainID, t.Number, q, proxy)), Master: hex.EncodeToString(t.Master[:]),
		Epoch: t.Generation.Epoch, Place: t.Generation.PlaceOf(proxy),
	}
}

// LockWork is a time lock that wants a proxy's partial.
type LockWork struct {
	ID        string `json:"lock_id"`
	Scope     string `json:"scope"`
	Identity  string `json:"identity"` // the associated data
	Epoch     uint64 `json:"committee_epoch"`
	Members   int    `json:"members"`
	Threshold int    `json:"threshold"`
}

// ViewLockWork shows one.
func ViewLockWork(l *secret.DueLock) LockWork {
	return LockWork{Hash(l.ID), hex.EncodeToString(l.Scope.Bytes()), hex.EncodeToString(l.Data), l.Epoch, l.Members, l.Quorum}
}

// KeyWork is a key that is made or passed on. Of a new one there is no key before.
type KeyWork struct {
	Scope     string     `json:"scope"`
	Reshare   bool       `json:"reshare"`
	Threshold uint32     `json:"threshold"`
	Requested uint64     `json:"requested_at"`
	Deadline  uint64     `json:"deadline"`
	Committee []string   `json:"committee"`
	Before    ReleaseKey `json:"before"`
}

// ProxyChallenge is an open challenge of a proxy.
type ProxyChallenge struct {
	ID       string `json:"challenge_id"`
	Release  string `json:"release_id"`
	Runner   string `json:"runner"`
	Deadline uint64 `json:"deadline"`
}

// ViewWork shows a key that is made or passed on.
func ViewWork(w *secret.Work) KeyWork {
	return KeyWork{
		Scope: hex.EncodeToString(w.Scope.Bytes()), Reshare: w.Pending.Reshare, Threshold: w.Pending.Quorum, Requested: uint64(w.Pending.Requested),
		Deadline: uint64(w.Pending.Deadline), Committee: hashes(w.Pending.Committee), Before: ViewReleaseKey(w.Scope, w.Key, nil),
	}
}

// Admission answers GET /proxy-admission/{hash}/{request}: whether the state allows a request, and who shares the key that is asked for. Spec: secrets-cbss §5.
type Admission struct {
	Height      uint64   `json:"height"`
	Refused     string   `json:"refused,omitempty"` // why not; the rest is empty
	Pending     bool     `json:"pending"`
	Scope       string   `json:"scope"`
	Identity    string   `json:"identity,omitempty"` // the associated data of the version
	Epoch       uint64   `json:"committee_epoch"`
	Committee   []string `json:"committee"`
	Commitments []string `json:"vss_commitments"`
}

// ViewAdmission shows one.
func ViewAdmission(height uint64, a *secret.Admission) Admission {
	v := Admission{
		Height: height, Pending: a.Pending, Scope: hex.EncodeToString(a.Scope.Bytes()), Epoch: a.Generation.Epoch, Committee: hashes(a.Generation.Committee),
		Commitments: []string{},
	}
	if a.Identity != nil {
		v.Identity = hex.EncodeToString(a.Identity.Bytes())
	}
	for _, c := range a.Generation.Commitments {
		v.Commitments = append(v.Commitments, hex.EncodeToString(c[:]))
	}
	return v
}
