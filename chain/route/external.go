package route

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// External is the space of domains outside of the network (namespace_kind 2): the label is the whole domain.
//
// Spec: gateway-payments-streams §A.1.
const External = spaces

// The names of the DNS that prove a domain, and the times of a proof in blocks.
//
// Spec: gateway-payments-streams §A.3 (external domains).
const (
	Edge           = "edge.cowboy.network" // where the domain's CNAME or SRV leads
	ACME           = "acme.cowboy.network" // where its _acme-challenge leads, or to a name below
	ChallengeName  = "_cowboy-challenge."  // before the domain: the TXT record
	ServiceName    = "_cowboy._tcp."       // likewise: the SRV record
	DelegationName = "_acme-challenge."    // likewise
	ChallengeText  = "cowboy-verify="      // what the TXT record begins with

	ChallengeBlocks = params.BlocksPerDay / 2  // 43,200: in which a challenge may be answered
	ReverifyBlocks  = 30 * params.BlocksPerDay // 2,592,000: after which a domain is proved again
	ReverifyGrace   = params.BlocksPerDay      // 86,400
	KeptBlocks      = 90 * params.BlocksPerDay // 7,776,000: how long the record of an expired or detached domain stays
	checkBlocks     = 3 * 450                  // in which a check gives its verdict, or another may be asked for
	prunedPerBlock  = 64
)

// MaxExternal is the longest domain, in bytes: with what stands before it the DNS has room for it.
const MaxExternal = 253 - len(ChallengeName)

// ParseExternal reads a domain outside of the network: at least two labels of a-z, 0-9 and -, the last of which is no number. A reject: ErrName.
//
// Spec: gateway-payments-streams §A.1 (namespace_kind 2).
func ParseExternal(text string) (Domain, error) {
	labels := strings.Split(text, ".")
	if len(text) > MaxExternal || len(labels) < 2 {
		return Domain{}, ErrName
	}
	for _, end := range ends {
		if text == end[1:] || strings.HasSuffix(text, end) {
			return Domain{}, ErrName
		}
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return Domain{}, ErrName
		}
		for i := range len(label) {
			if c := label[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
				return Domain{}, ErrName
			}
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" {
		return Domain{}, ErrName
	}
	return Domain{External, text}, nil
}

// Method is how a domain leads to the network's edge.
type Method uint8

// The methods: a CNAME of the domain itself, or an SRV record below it, where a domain can have no CNAME.
//
// Spec: gateway-payments-streams §A.3.
const (
	ByAlias Method = iota
	ByService
	methods
)

// Verdict is what runners say of a domain's records.
type Verdict uint8

// The verdicts. All but Proved are reasons of a suspension.
//
// Spec: gateway-payments-streams §A.3.
const (
	Proved Verdict = iota
	TextMismatch
	AliasDrift
	DelegationMissing
	FeeMissing // of nobody's verdict: it was not proved again in time
	verdicts
)

// String is the verdict as results and answers have it.
func (v Verdict) String() string {
	return [...]string{"VERIFIED", "TXT_MISMATCH", "CNAME_DRIFT", "ACME_DELEGATION_MISSING", "INSUFFICIENT_REVERIFY_FEE"}[min(v, verdicts-1)]
}

// ParseVerdict reads a runner's verdict; false for what is none.
func ParseVerdict(text string) (Verdict, bool) {
	for v := range FeeMissing {
		if v.String() == text {
			return v, true
		}
	}
	return 0, false
}

// Standing is where an external domain is in its life.
type Standing uint8

// The states of an external domain.
//
// Spec: gateway-payments-streams §A.3.
const (
	Pending Standing = iota
	Attached
	Suspended
	Expired
	Detached
	standings
)

// String names the state as answers and the node's interface have it.
func (s Standing) String() string {
	return [...]string{"pending", "active", "suspended", "expired", "detached"}[min(s, standings-1)]
}

// Nonce is what a domain's TXT record shows: who attaches it to which actor on which chain.
type Nonce [16]byte

// Attachment is an external domain that is to lead, or leads, to an actor (DomainBinding of namespace_kind 2).
//
// Spec: gateway-payments-streams §A.1.
type Attachment struct {
	Actor      account.Address
	Owner      account.Address
	Method     Method
	Nonce      Nonce // verification_nonce
	State      Standing
	Reason     Verdict     // why it is suspended
	Registered unit.Height // of the challenge
	Verified   unit.Height // verified_at; 0 for a challenge that was not answered
	Changed    unit.Height // when it was detached
	Checking   unit.Height // the first block in which another check may be asked for
}

// Append appends the canonical encoding: actor(20) ‖ owner(20) ‖ method(1) ‖ nonce(16) ‖ state(1) ‖ reason(1) ‖ the heights as UInt.
func (a *Attachment) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(dst, a.Actor[:]), a.Owner[:])
	dst = codec.AppendFixed(codec.AppendU8(dst, uint8(a.Method)), a.Nonce[:])
	dst = codec.AppendU8(codec.AppendU8(dst, uint8(a.State)), uint8(a.Reason))
	for _, h := range [...]unit.Height{a.Registered, a.Verified, a.Changed, a.Checking} {
		dst = codec.AppendUint(dst, uint64(h))
	}
	return dst
}

// DecodeAttachment reads what Append wrote.
func DecodeAttachment(data []byte) (a Attachment, err error) {
	r := codec.NewReader(data)
	r.Into(a.Actor[:])
	r.Into(a.Owner[:])
	a.Method = Method(r.Tag(uint8(methods)))
	r.Into(a.Nonce[:])
	a.State, a.Reason = Standing(r.Tag(uint8(standings))), Verdict(r.Tag(uint8(verdicts)))
	for _, h := range [...]*unit.Height{&a.Registered, &a.Verified, &a.Changed, &a.Checking} {
		*h = unit.Height(r.Uint())
	}
	return a, r.Finish()
}

// Due is next_reverify_at: from this block on whoever pays for it may have the domain proved again.
func (a *Attachment) Due() unit.Height { return a.Verified + ReverifyBlocks }

// Expires is the first block in which it has expired.
//
// Spec: gateway-payments-streams §A.3 (challenge expiry, grace of the next proof).
func (a *Attachment) Expires() unit.Height {
	switch a.State {
	case Pending:
		return a.Registered + ChallengeBlocks
	case Detached:
		return a.Changed
	}
	return a.Due() + ReverifyGrace + ReverifyBlocks
}

// Standing is where the domain is at a height, and why it is suspended.
//
// Spec: gateway-payments-streams §A.3.
func (a *Attachment) Standing(at unit.Height) (Standing, Verdict) {
	switch {
	case a.State == Detached:
		return Detached, Proved
	case at >= a.Expires():
		return Expired, Proved
	case a.State == Attached && at >= a.Due()+ReverifyGrace:
		return Suspended, FeeMissing
	}
	return a.State, a.Reason
}

// pruned is the first block at whose end the record goes.
func (a *Attachment) pruned() unit.Height {
	if a.State == Pending {
		return a.Expires() + ChallengeBlocks
	}
	return a.Expires() + KeptBlocks
}

// Text is the value of the TXT record that proves the domain.
func (a *Attachment) Text() string { return ChallengeText + hex.EncodeToString(a.Nonce[:]) }

// Question is what a check asks of the executor, as JSON.
//
// Spec: gateway-payments-streams §A.3.
type Question struct {
	Domain    string `json:"fqdn"`
	Text      string `json:"txt"`       // of _cowboy-challenge below it
	Method    uint8  `json:"method"`    // 0: CNAME, 1: SRV of _cowboy._tcp below it
	Target    string `json:"target"`    // where that leads
	ACME      string `json:"acme"`      // where the CNAME of _acme-challenge leads, or to a name below
	Resolvers int    `json:"resolvers"` // at least
}

// Question is what a check of a domain asks.
func (a *Attachment) Question(d Domain, resolvers int) *Question {
	return &Question{d.Label, a.Text(), uint8(a.Method), Edge, ACME, resolvers}
}

// nonceOf is the nonce of a challenge.
func nonceOf(chain uint64, d Domain, owner, actor account.Address, at unit.Height) (n Nonce) {
	hash := digest.Keccak256([]byte("cowboy-external-domain"), binary.BigEndian.AppendUint64(nil, chain), []byte(d.Label), []byte{0}, owner[:], actor[:],
		binary.BigEndian.AppendUint64(nil, uint64(at)))
	copy(n[:], hash[:])
	return n
}

const (
	underExternal  = "route:external/"
	underChallenge = "route:challenge/"
	underBound     = "route:bound/"
	underDue       = "route:due/"
)

func externalKey(d Domain) []byte { return under(underExternal, []byte(d.Label)) }

// challengeKey has each owner's own challenge: nobody can take another's away.
func challengeKey(d Domain, owner account.Address) []byte {
	return under(underChallenge, []byte(d.Label), []byte{0}, owner[:])
}

func boundKey(actor account.Address) []byte { return under(underBound, actor[:]) }

// LoadExternal reads the attachment of a domain that was proved once; ok is false where there is none.
func LoadExternal(r state.Reader, d Domain) (Attachment, bool, error) {
	return attachment(r, externalKey(d))
}

// LoadChallenge reads an owner's challenge for a domain.
func LoadChallenge(r state.Reader, d Domain, owner account.Address) (Attachment, bool, error) {
	return attachment(r, challengeKey(d, owner))
}

func attachment(r state.Reader, key []byte) (a Attachment, ok bool, err error) {
	data, ok, err := r.Lookup(key)
	if err != nil || !ok {
		return Attachment{}, false, err
	}
	a, err = DecodeAttachment(data)
	return a, err == nil, err
}

// shownChallenges is how many challenges of a domain are looked at for one that is open.
const shownChallenges = 16

// Find gives what is known of an external domain at a height: the attachment, or else an open challenge. A reject: ErrExpired for a domain that is neither
// attached, suspended nor challenged.
//
// Spec: gateway-payments-streams §A.3 (over HTTP: PENDING and SUSPENDED 503, EXPIRED and DETACHED 404).
func Find(r state.Reader, d Domain, at unit.Height) (Attachment, error) {
	a, ok, err := LoadExternal(r, d)
	if err != nil {
		return Attachment{}, err
	}
	if ok {
		if s, _ := a.Standing(at); s == Attached || s == Suspended {
			return a, nil
		}
	}
	found := false
	failed := r.Scan(under(underChallenge, []byte(d.Label), []byte{0}), nil, shownChallenges, func(_, value []byte) bool {
		if a, err = DecodeAttachment(value); err != nil {
			return false
		}
		s, _ := a.Standing(at)
		found = s == Pending
		return !found
	})
	switch {
	case failed != nil:
		return Attachment{}, failed
	case err != nil:
		return Attachment{}, err
	case !found:
		return Attachment{}, ErrExpired
	}
	return a, nil
}

// BoundTo is how many external domains lead to an actor.
func BoundTo(r state.Reader, actor account.Address) (uint64, error) {
	data, ok, err := r.Lookup(boundKey(actor))
	if err != nil || !ok {
		return 0, err
	}
	reader := codec.NewReader(data)
	n := reader.Uint()
	return n, reader.Finish()
}
