package secret

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Secret is what is known of all versions of a secret (SecretMetadata).
//
// Spec: secrets-cbss §2.
type Secret struct {
	Latest  uint64
	Active  []uint64 // versions that are not deleted, ascending, pending ones among them
	Created unit.Height
	Updated unit.Height
}

// Encode is the record in state: UInt latest ‖ list of UInt ‖ UInt created ‖ UInt updated.
func (s *Secret) Encode() []byte {
	dst := codec.AppendLen(codec.AppendUint(nil, s.Latest), len(s.Active))
	for _, v := range s.Active {
		dst = codec.AppendUint(dst, v)
	}
	return codec.AppendUint(codec.AppendUint(dst, uint64(s.Created)), uint64(s.Updated))
}

// DecodeSecret reads what Encode wrote.
func DecodeSecret(data []byte) (*Secret, error) {
	r, s := codec.NewReader(data), new(Secret)
	s.Latest = r.Uint()
	for range r.Len(0, MaxVersions, 1) {
		s.Active = append(s.Active, r.Uint())
	}
	s.Created, s.Updated = unit.Height(r.Uint()), unit.Height(r.Uint())
	return s, finish(r, "secret")
}

// Recipient says whose release key opens a version, and in a request what is asked for.
//
// Spec: secrets-cbss §2, §11, §12 (4).
type Recipient uint8

// The recipients.
const (
	OfAccount Recipient = iota // the account's release key
	OfSecret                   // a key of this version's own committee
	OfVolume                   // in requests alone: the key of a private volume, sealed to the account's release key
)

// recipients are those of versions.
const recipients = OfVolume

// String names the recipient as clients do.
func (r Recipient) String() string { return [...]string{"Account", "SecretSpecific", "Volume"}[r] }

// Policy says whose jobs may have a secret.
//
// Spec: secrets-cbss §2 (SecretPolicy).
type Policy struct {
	Listed bool              // Actors are all who may; otherwise the owner, and the actors it made
	Actors []account.Address // strictly ascending
	TEE    bool              // to attested runners alone
}

// Append appends bool listed ‖ list of address ‖ bool tee_required.
func (p *Policy) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendBool(dst, p.Listed), len(p.Actors))
	for _, a := range p.Actors {
		dst = codec.AppendFixed(dst, a[:])
	}
	return codec.AppendBool(dst, p.TEE)
}

func readPolicy(r *codec.Reader) (p Policy) {
	p.Listed = r.Bool()
	for range r.Len(0, MaxActors, account.AddressSize) {
		var a account.Address
		r.Into(a[:])
		p.Actors = append(p.Actors, a)
	}
	p.TEE = r.Bool()
	return p
}

// Check gives ErrForm for a list out of order or too long, and for actors that are not listed.
func (p *Policy) Check() error {
	if len(p.Actors) > MaxActors || !p.Listed && len(p.Actors) > 0 {
		return ErrForm
	}
	for i := 1; i < len(p.Actors); i++ {
		if p.Actors[i-1].Compare(p.Actors[i]) >= 0 {
			return ErrForm
		}
	}
	return nil
}

// Place says where a payload lies.
//
// Spec: secrets-cbss §2 (cbfs_pointer), §12 (6).
type Place uint8

// The places.
const (
	InStorage Place = iota // the rest of the pointer is where, in CBFS
	Inline                 // the rest is the payload itself, encrypted under the data key
	places
)

// Version is a version of a secret (SecretVersion).
//
// Spec: secrets-cbss §2.
type Version struct {
	Recipient Recipient
	Policy    Policy
	Pending   bool // exactly when the following three are absent
	Epoch     uint64
	Pointer   []byte // place ‖ where; of an inline payload the place alone
	Wrapped   []byte // a cbss.Envelope
	Created   unit.Height
	Source    digest.Hash // the transaction or message that set it, which its owner signed (creator_sig)
}

// Encode is the record in state: the fields in their order, the three after Pending only where it is false.
func (v *Version) Encode() []byte {
	dst := codec.AppendBool(v.Policy.Append(codec.AppendU8(nil, uint8(v.Recipient))), v.Pending)
	if !v.Pending {
		dst = codec.AppendBytes(codec.AppendBytes(codec.AppendUint(dst, v.Epoch), v.Pointer), v.Wrapped)
	}
	return codec.AppendFixed(codec.AppendUint(dst, uint64(v.Created)), v.Source[:])
}

// DecodeVersion reads what Encode wrote.
func DecodeVersion(data []byte) (*Version, error) {
	r, v := codec.NewReader(data), new(Version)
	v.Recipient, v.Policy, v.Pending = Recipient(r.Tag(uint8(recipients))), readPolicy(r), r.Bool()
	if !v.Pending {
		v.Epoch, v.Pointer, v.Wrapped = r.Uint(), r.Bytes(1+MaxPointer), r.Bytes(cbss.EnvelopeSize)
	}
	v.Created = unit.Height(r.Uint())
	r.Into(v.Source[:])
	return v, finish(r, "version")
}

// ReleaseKey is the public side of a key that a committee shares (AccountReleaseKey, SecretReleaseKey).
//
// Spec: secrets-cbss §2.
type ReleaseKey struct {
	Generation             // of the committee that serves now
	Master     cbss.Key    // never changes
	Reshared   unit.Height // of the last rotation
	Prior      []Prior     // former committees, the newest last
}

// Generation is a committee in one epoch. The commitments are as many as its threshold.
type Generation struct {
	Epoch       uint64
	Committee   []digest.Hash
	Commitments []cbss.Key
}

// Threshold is how many members open what is sealed to the key.
func (g *Generation) Threshold() int { return len(g.Commitments) }

// PlaceOf is where in the committee a proxy is, counted from 1; 0 for one that is not of it.
func (g *Generation) PlaceOf(proxy digest.Hash) uint32 {
	for i, p := range g.Committee {
		if p == proxy {
			return uint32(i + 1)
		}
	}
	return 0
}

func (g *Generation) append(dst []byte) []byte {
	dst = appendHashes(codec.AppendUint(dst, g.Epoch), g.Committee)
	dst = codec.AppendLen(dst, len(g.Commitments))
	for _, c := range g.Commitments {
		dst = codec.AppendFixed(dst, c[:])
	}
	return dst
}

func readGeneration(r *codec.Reader) (g Generation) {
	g.Epoch, g.Committee = r.Uint(), readHashes(r)
	for range r.Len(0, MaxMembers, cbss.KeySize) {
		var c cbss.Key
		r.Into(c[:])
		g.Commitments = append(g.Commitments, c)
	}
	return g
}

// Prior is a former committee (PriorCommitteeEpoch).
//
// Spec: secrets-cbss §2.
type Prior struct {
	Generation
	Expires unit.Height // the first block it does not serve in
}

// Encode is the record in state: generation ‖ mpk(96) ‖ UInt reshared ‖ list of generation ‖ UInt expires.
func (k *ReleaseKey) Encode() []byte {
	dst := codec.AppendFixed(k.Generation.append(nil), k.Master[:])
	dst = codec.AppendLen(codec.AppendUint(dst, uint64(k.Reshared)), len(k.Prior))
	for i := range k.Prior {
		dst = codec.AppendUint(k.Prior[i].Generation.append(dst), uint64(k.Prior[i].Expires))
	}
	return dst
}

// DecodeReleaseKey reads what Encode wrote.
func DecodeReleaseKey(data []byte) (*ReleaseKey, error) {
	r, k := codec.NewReader(data), new(ReleaseKey)
	k.Generation = readGeneration(r)
	r.Into(k.Master[:])
	k.Reshared = unit.Height(r.Uint())
	for range r.Len(0, MaxPrior, 1) {
		k.Prior = append(k.Prior, Prior{readGeneration(r), unit.Height(r.Uint())})
	}
	return k, finish(r, "release key")
}

// Pending is a key that is being made, or passed on to another committee (DkgPending).
//
// Spec: secrets-cbss §2, §5.
type Pending struct {
	Reshare   bool
	Quorum    uint32
	Members   uint32
	Requested unit.Height
	Deadline  unit.Height // the last block it may be finished in; 0 before the draw
	Requester account.Address
	Bond      unit.Amount
	Preferred []digest.Hash
	Committee []digest.Hash // nil before the draw
}

// Encode is the record in state: the fields in their order.
func (p *Pending) Encode() []byte {
	dst := codec.AppendBool(nil, p.Reshare)
	for _, n := range [...]uint64{uint64(p.Quorum), uint64(p.Members), uint64(p.Requested), uint64(p.Deadline), uint64(p.Bond)} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendFixed(dst, p.Requester[:])
	return appendHashes(appendHashes(dst, p.Preferred), p.Committee)
}

// DecodePending reads what Encode wrote.
func DecodePending(data []byte) (*Pending, error) {
	r, p := codec.NewReader(data), new(Pending)
	p.Reshare, p.Quorum, p.Members, p.Requested, p.Deadline = r.Bool(), r.Uint32(), r.Uint32(), unit.Height(r.Uint()), unit.Height(r.Uint())
	p.Bond = unit.Amount(r.Uint())
	r.Into(p.Requester[:])
	p.Preferred, p.Committee = readHashes(r), readHashes(r)
	return p, finish(r, "pending key")
}

// Proxy is a proxy of the service (CbssProxy). Its identity is in its key.
//
// Spec: secrets-cbss §2.
type Proxy struct {
	Operator   account.Address
	Key        sig.CompressedKey
	HPKE       [32]byte    // X25519, to which shares are sealed
	TLS        digest.Hash // SHA-256 of the certificate's public key (tls_spki)
	Address    string      // host:port
	Stake      unit.Amount
	Registered unit.Height
	Eligible   unit.Height // the first block it is chosen in
	Health     uint64      // basis points
	Suspended  bool
	Unbonds    unit.Height         // the block its stake is paid out in; 0: it does not leave
	Slashed    [faults]unit.Height // when last, by fault; 0: never
}

// Serves reports whether a proxy may be chosen in a block.
//
// Spec: secrets-cbss §5 (selection of proxies).
func (p *Proxy) Serves(now unit.Height) bool {
	return now >= p.Eligible && !p.Suspended && p.Unbonds == 0
}

// Encode is the record in state: the fields in their order, numbers as UInt.
func (p *Proxy) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, p.Operator[:]), p.Key[:])
	dst = codec.AppendBytes(codec.AppendFixed(codec.AppendFixed(dst, p.HPKE[:]), p.TLS[:]), []byte(p.Address))
	for _, n := range [...]uint64{uint64(p.Stake), uint64(p.Registered), uint64(p.Eligible), p.Health, uint64(p.Unbonds)} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendBool(dst, p.Suspended)
	for _, at := range p.Slashed {
		dst = codec.AppendUint(dst, uint64(at))
	}
	return dst
}

// DecodeProxy reads what Encode wrote.
func DecodeProxy(data []byte) (*Proxy, error) {
	r, p := codec.NewReader(data), new(Proxy)
	r.Into(p.Operator[:])
	r.Into(p.Key[:])
	r.Into(p.HPKE[:])
	r.Into(p.TLS[:])
	p.Address, p.Stake = string(r.Bytes(MaxAddressBytes)), unit.Amount(r.Uint())
	p.Registered, p.Eligible, p.Health, p.Unbonds = unit.Height(r.Uint()), unit.Height(r.Uint()), r.Uint(), unit.Height(r.Uint())
	p.Suspended = r.Bool()
	for i := range p.Slashed {
		p.Slashed[i] = unit.Height(r.Uint())
	}
	return p, finish(r, "proxy")
}

// Receipts are what was recorded of a release (ReleaseReceiptSet).
//
// Spec: secrets-cbss §2.
type Receipts struct {
	Epoch     uint64
	Threshold uint32
	Block     unit.Height // of the request
	Secret    cbss.SecretID
	Version   uint64
	Actor     account.Address
	Runner    account.Address
	Job       digest.Hash
	Entries   []Receipt // at most Threshold
}

// Receipt is one of them.
type Receipt struct {
	Proxy  digest.Hash
	Served unit.Height
}

// Encode is the record in state: the fields in their order.
func (s *Receipts) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, s.Epoch), uint64(s.Threshold)), uint64(s.Block))
	dst = codec.AppendUint(s.Secret.Append(dst), s.Version)
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, s.Actor[:]), s.Runner[:]), s.Job[:])
	dst = codec.AppendLen(dst, len(s.Entries))
	for _, e := range s.Entries {
		dst = codec.AppendUint(codec.AppendFixed(dst, e.Proxy[:]), uint64(e.Served))
	}
	return dst
}

// DecodeReceipts reads what Encode wrote.
func DecodeReceipts(data []byte) (*Receipts, error) {
	r, s := codec.NewReader(data), new(Receipts)
	s.Epoch, s.Threshold, s.Block = r.Uint(), r.Uint32(), unit.Height(r.Uint())
	r.Into(s.Secret.Account[:])
	r.Into(s.Secret.KeyHash[:])
	s.Version = r.Uint()
	r.Into(s.Actor[:])
	r.Into(s.Runner[:])
	r.Into(s.Job[:])
	for range r.Len(0, MaxMembers, digest.Size) {
		var e Receipt
		r.Into(e.Proxy[:])
		e.Served = unit.Height(r.Uint())
		s.Entries = append(s.Entries, e)
	}
	return s, finish(r, "receipts")
}

// ChallengeState is where a challenge is in its life.
//
// Spec: secrets-cbss §5 (liveness challenge).
type ChallengeState uint8

// The states.
const (
	Open         ChallengeState = iota // Pending in the specification
	Resolved                           // there is a receipt
	Unverifiable                       // the proxy answered
	Unanswered                         // it did not
	challengeStates
)

// Challenge is a runner's word that a proxy did not answer (LivenessChallenge).
//
// Spec: secrets-cbss §2.
type Challenge struct {
	Release   digest.Hash
	Proxy     digest.Hash
	Runner    account.Address
	Bond      unit.Amount
	Submitted unit.Height
	Deadline  unit.Height // the last block an answer is taken in
	State     ChallengeState
}

// Encode is the record in state: the fields in their order.
func (c *Challenge) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(nil, c.Release[:]), c.Proxy[:]), c.Runner[:])
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(c.Bond)), uint64(c.Submitted)), uint64(c.Deadline))
	return codec.AppendU8(dst, uint8(c.State))
}

// DecodeChallenge reads what Encode wrote.
func DecodeChallenge(data []byte) (*Challenge, error) {
	r, c := codec.NewReader(data), new(Challenge)
	r.Into(c.Release[:])
	r.Into(c.Proxy[:])
	r.Into(c.Runner[:])
	c.Bond, c.Submitted, c.Deadline = unit.Amount(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint())
	c.State = ChallengeState(r.Tag(uint8(challengeStates)))
	return c, finish(r, "challenge")
}

// Debt is what an actor owes to proxies for releases, the oldest first.
//
// Spec: secrets-cbss §5 (Debt).
type Debt struct {
	Delinquent bool
	Owed       []Owed // at most DebtFees + 1
}

// Owed is what one proxy's operator is owed.
type Owed struct {
	To     account.Address
	Amount unit.Amount
}

// Encode is the record in state: bool delinquent ‖ list of address ‖ UInt amount.
func (d *Debt) Encode() []byte {
	dst := codec.AppendLen(codec.AppendBool(nil, d.Delinquent), len(d.Owed))
	for _, o := range d.Owed {
		dst = codec.AppendUint(codec.AppendFixed(dst, o.To[:]), uint64(o.Amount))
	}
	return dst
}

// DecodeDebt reads what Encode wrote.
func DecodeDebt(data []byte) (*Debt, error) {
	r, d := codec.NewReader(data), new(Debt)
	d.Delinquent = r.Bool()
	for range r.Len(0, maxOwed, account.AddressSize+1) {
		var o Owed
		r.Into(o.To[:])
		o.Amount = unit.Amount(r.Uint())
		d.Owed = append(d.Owed, o)
	}
	return d, finish(r, "debt")
}

// Tombstone is left of a version that was deleted.
//
// Spec: secrets-cbss §2 (SecretVersionTombstone).
type Tombstone struct{ Deleted unit.Height }

// Encode is the record in state: UInt deleted.
func (t *Tombstone) Encode() []byte { return codec.AppendUint(nil, uint64(t.Deleted)) }

// DecodeTombstone reads what Encode wrote.
func DecodeTombstone(data []byte) (*Tombstone, error) {
	r := codec.NewReader(data)
	t := &Tombstone{unit.Height(r.Uint())}
	return t, finish(r, "tombstone")
}

func appendHashes(dst []byte, list []digest.Hash) []byte {
	dst = codec.AppendLen(dst, len(list))
	for _, h := range list {
		dst = codec.AppendFixed(dst, h[:])
	}
	return dst
}

func readHashes(r *codec.Reader) (list []digest.Hash) {
	for range r.Len(0, MaxMembers, digest.Size) {
		var h digest.Hash
		r.Into(h[:])
		list = append(list, h)
	}
	return list
}

func finish(r *codec.Reader, record string) error {
	if err := r.Finish(); err != nil {
		return fmt.Errorf("secret: %s: %w", record, err)
	}
	return nil
}
