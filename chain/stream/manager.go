package stream

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the manager's events, all of 0x0D. Numbers are UInt. Spec: gateway-payments-streams §E.2 (events).
const (
	TopicConfigured = "StreamConfigured"          // stream_id(32) ‖ owner(20)
	TopicPurchased  = "EpochAccessPurchased"      // the receipt
	TopicIdempotent = "EpochAccessIdempotent"     // the receipt
	TopicKey        = "AccountKeyRegistered"      // account(20) ‖ number ‖ generation
	TopicKeyRevoked = "AccountKeyRevoked"         // account(20) ‖ number ‖ generation
	TopicGranted    = "ActorAuthorizationGranted" // account(20) ‖ actor(20) ‖ stream_id(32)
	TopicRevoked    = "ActorAuthorizationRevoked" // account(20) ‖ actor(20) ‖ stream_id(32)
	TopicContent    = "ContentKeysRegistered"     // stream_id(32) ‖ first epoch ‖ last epoch ‖ how many
	TopicSeal       = "SealRequestEmitted"        // number ‖ the request
	TopicSealed     = "SealRequestSealed"         // number
	TopicExpired    = "SealRequestExpired"        // number
)

// Manager is the records during one turn. Methods that return a reject may have written before they found it: the caller undoes them.
type Manager struct {
	State  state.Store
	Height unit.Height
	Spend  func(amount unit.Amount) error   // takes coins from whoever asks; ErrFunds if there are too few
	Bill   func(addr account.Address) error // has an actor pay its rent before its balance grows
	Emit   func(topic string, data []byte)
}

// ID is the identity of the stream that an actor publishes under a name: keccak256(actor ‖ name).
func ID(owner account.Address, name []byte) digest.Hash { return digest.Keccak256(owner[:], name) }

// LoadConfig reads how a stream is paid for. Reject: ErrManaged.
func LoadConfig(r state.Reader, stream digest.Hash) (*Config, error) {
	c, err := state.Find(r, at(tagConfig, stream[:]), decodeConfig)
	if err == nil && c == nil {
		err = ErrManaged
	}
	return c, err
}

// Configure makes access to a stream of the asking actor paid, or changes what it costs from now on. The length of its epochs stays. Rejects: ErrName,
// ErrConfig.
//
// Spec: gateway-payments-streams §E.1 (PaidStreamConfig).
func (m *Manager) Configure(by account.Address, name []byte, c Config) (id digest.Hash, err error) {
	if len(name) == 0 || len(name) > MaxName {
		return id, ErrName
	}
	c.Owner, id = by, ID(by, name)
	if err := c.Check(); err != nil {
		return id, err
	}
	was, err := state.Find(m.State, at(tagConfig, id[:]), decodeConfig)
	if err != nil {
		return id, err
	}
	if was != nil && was.EpochBlocks != c.EpochBlocks {
		return id, ErrConfig
	}
	m.State.Set(at(tagConfig, id[:]), c.Append(nil))
	m.Emit(TopicConfigured, append(id[:], by[:]...))
	return id, nil
}

// Receipt is what a purchase of access came to (KeyAccessReceipt).
//
// Spec: gateway-payments-streams §E.1.
type Receipt struct {
	Stream             digest.Hash
	Beneficiary, Payer account.Address
	From, To, Charged  uint64 // key epochs: the first and last that are new, and how many are
	Publisher          unit.Amount
	Protocol           unit.Amount
}

// Append appends the canonical encoding: stream(32) ‖ beneficiary(20) ‖ payer(20) ‖ UInt from, to, charged, publisher, protocol.
func (r *Receipt) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, r.Stream[:]), r.Beneficiary[:]), r.Payer[:])
	for _, n := range [...]uint64{r.From, r.To, r.Charged, uint64(r.Publisher), uint64(r.Protocol)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// Covered is the first key epoch that an account has no access to, 0 for an account that never had any.
func Covered(r state.Reader, stream digest.Hash, beneficiary account.Address) (uint64, error) {
	return state.Number(r, at(tagEntitled, stream[:], beneficiary[:]))
}

// Acquire buys access up to and with a key epoch; the asking account pays. Rejects: ErrManaged, ErrTarget, ErrMinimum, ErrFunds.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func (m *Manager) Acquire(stream digest.Hash, beneficiary, payer account.Address, target uint64) (*Receipt, error) {
	c, err := LoadConfig(m.State, stream)
	if err != nil {
		return nil, err
	}
	now := c.Epoch(m.Height)
	first, err := Covered(m.State, stream, beneficiary)
	if err != nil {
		return nil, err
	}
	if first == 0 {
		first = now // the past is not free
	}
	r := &Receipt{Stream: stream, Beneficiary: beneficiary, Payer: payer}
	if target < first { // at most the bound, or the epoch before the current one
		r.From, r.To = target, target
		m.Emit(TopicIdempotent, r.Append(nil))
		return r, nil
	}
	if target < now || target+1 == 0 {
		return nil, ErrTarget
	}
	r.From, r.To, r.Charged = first, target, target+1-first
	if r.Charged < c.MinPurchase {
		return nil, ErrMinimum
	}
	if err := m.pay(c, r); err != nil {
		return nil, err
	}
	state.SetNumber(m.State, at(tagEntitled, stream[:], beneficiary[:]), target+1)
	m.Emit(TopicPurchased, r.Append(nil))
	return r, m.request(c, stream, beneficiary, r.From, r.To)
}

// pay moves the price: the publisher's part, and the protocol's on top, rounded down.
//
// Spec: gateway-payments-streams §E.2.
func (m *Manager) pay(c *Config, r *Receipt) (err error) {
	if r.Publisher, err = c.Fee.Mul(r.Charged); err != nil {
		return ErrTarget
	}
	if r.Protocol, err = r.Publisher.MulDiv(c.ProtocolBPS, params.BasisPoints); err != nil {
		return ErrTarget
	}
	sum, err := r.Publisher.Add(r.Protocol)
	if err != nil {
		return ErrTarget
	}
	if err := m.Spend(sum); err != nil {
		return err
	}
	for _, to := range [...]struct {
		addr   account.Address
		amount unit.Amount
	}{{c.Treasury, r.Publisher}, {account.System(account.Treasury), r.Protocol}} {
		if err := m.Bill(to.addr); err != nil {
			return err
		}
		if err := account.Credit(m.State, to.addr, to.amount); err != nil {
			return err
		}
	}
	return nil
}

// LoadKeys reads the keys of an account; nil where it never had any.
func LoadKeys(r state.Reader, of account.Address) (*Keys, error) {
	return state.Find(r, at(tagKeys, of[:]), decodeKeys)
}

// request raises a SealRequest for the newest key of an account; none for one without keys, which raises it later.
func (m *Manager) request(c *Config, stream digest.Hash, beneficiary account.Address, from, to uint64) error {
	k, err := LoadKeys(m.State, beneficiary)
	if err != nil || k == nil || len(k.Active) == 0 {
		return err
	}
	n, err := state.Number(m.State, at(tagRequest))
	if err != nil {
		return err
	}
	q := &Request{
		Stream: stream, Beneficiary: beneficiary, From: from, To: to, Key: k.Active[len(k.Active)-1].Number, Generation: k.Generation, Emitted: m.Height,
		Until: m.Height + unit.Height(c.EpochBlocks),
	}
	state.SetNumber(m.State, at(tagRequest), n+1)
	m.State.Set(requestKey(n), q.Append(nil))
	m.Emit(TopicSeal, q.Append(codec.AppendUint(nil, n)))
	return nil
}

// LoadRequest reads a SealRequest and tells its state in a block; nil where there is none.
//
// Spec: gateway-payments-streams §E.2 (Emitted, then Sealed or Expired; a new generation voids open ones).
func LoadRequest(r state.Reader, n uint64, now unit.Height) (*Request, Status, error) {
	q, err := state.Find(r, requestKey(n), decodeRequest)
	if err != nil || q == nil {
		return nil, 0, err
	}
	k, err := LoadKeys(r, q.Beneficiary)
	switch {
	case err != nil:
		return nil, 0, err
	case q.Sealed:
		return q, Sealed, nil
	case k == nil || k.Generation != q.Generation:
		return q, Void, nil
	case now > q.Until:
		return q, Expired, nil
	}
	return q, Emitted, nil
}

// Again raises a request once more that has expired or is void, for the account it is for. Rejects: ErrRequest, ErrOwner.
//
// Spec: gateway-payments-streams §E.2 (emitted again free of charge on request).
func (m *Manager) Again(by account.Address, n uint64) error {
	q, status, err := LoadRequest(m.State, n, m.Height)
	switch {
	case err != nil:
		return err
	case q == nil || status == Emitted || status == Sealed:
		return ErrRequest
	case q.Beneficiary != by:
		return ErrOwner
	}
	c, err := LoadConfig(m.State, q.Stream)
	if err != nil {
		return err
	}
	k, err := LoadKeys(m.State, by)
	if err != nil {
		return err
	}
	if k == nil || len(k.Active) == 0 {
		return ErrRevoked
	}
	m.State.Delete(requestKey(n))
	m.Emit(TopicExpired, codec.AppendUint(nil, n))
	return m.request(c, q.Stream, by, q.From, q.To)
}

// Seal notes that the committee has answered a request. Rejects: ErrOwner, ErrRequest.
//
// Spec: gateway-payments-streams §E; secrets-cbss §11.
func (m *Manager) Seal(by account.Address, n uint64) error {
	if by != account.System(account.SecretsManager) {
		return ErrOwner
	}
	q, status, err := LoadRequest(m.State, n, m.Height)
	if err != nil {
		return err
	}
	if q == nil || status != Emitted {
		return ErrRequest
	}
	q.Sealed = true
	m.State.Set(requestKey(n), q.Append(nil))
	m.Emit(TopicSealed, codec.AppendUint(nil, n))
	return nil
}

// Register gives the asking account a key more. Rejects: ErrKey, ErrKeys.
//
// Spec: gateway-payments-streams §E.1 (AccountKeyRegistration), §E.2 (register_account_key).
func (m *Manager) Register(by account.Address, public []byte) (uint64, error) {
	if len(public) != KeySize || [KeySize]byte(public) == ([KeySize]byte{}) {
		return 0, ErrKey
	}
	k, err := LoadKeys(m.State, by)
	if err != nil {
		return 0, err
	}
	if k == nil {
		k = &Keys{Next: 1}
	}
	if len(k.Active) >= MaxKeys {
		return 0, ErrKeys
	}
	n := k.Next
	k.Active = append(k.Active, Key{n, [KeySize]byte(public), m.Height})
	k.Next++
	m.changed(by, k, TopicKey, n)
	return n, nil
}

// changed writes the keys of an account after a change, which voids its open requests.
func (m *Manager) changed(of account.Address, k *Keys, topic string, n uint64) {
	k.Generation++
	m.State.Set(at(tagKeys, of[:]), k.Append(nil))
	m.Emit(topic, codec.AppendUint(codec.AppendUint(of[:], n), k.Generation))
}

// Revoke ends a key of the asking account. Reject: ErrRevoked.
//
// Spec: gateway-payments-streams §E.2 (revoke_account_key).
func (m *Manager) Revoke(by account.Address, n uint64) error {
	k, err := LoadKeys(m.State, by)
	if err != nil {
		return err
	}
	if k == nil {
		return ErrRevoked
	}
	i, ok := k.find(n)
	if !ok {
		return ErrRevoked
	}
	k.Active = slices.Delete(k.Active, i, i+1)
	m.changed(by, k, TopicKeyRevoked, n)
	return nil
}

// Authorize says whether an actor may decrypt a stream on the asking account's behalf. Rejects: ErrManaged, ErrAuthorized.
//
// Spec: gateway-payments-streams §E.2 (authorize_actor, revoke_actor).
func (m *Manager) Authorize(by, actor account.Address, stream digest.Hash, may bool) error {
	if _, err := LoadConfig(m.State, stream); err != nil {
		return err
	}
	key, total := at(tagAuthorize, by[:], actor[:], stream[:]), at(tagAuthorize, by[:], stream[:])
	if _, ok, err := m.State.Lookup(key); err != nil {
		return err
	} else if !ok {
		n, err := state.Number(m.State, total)
		if err != nil {
			return err
		}
		if n >= MaxAuthorized {
			return ErrAuthorized
		}
		state.SetNumber(m.State, total, n+1)
	}
	m.State.Set(key, codec.AppendBool(nil, may))
	topic := TopicRevoked
	if may {
		topic = TopicGranted
	}
	m.Emit(topic, append(append(by[:], actor[:]...), stream[:]...))
	return nil
}

// Authorized reports whether an actor may decrypt a stream for an account: as the account said, else if the account deployed it.
//
// Spec: gateway-payments-streams §E.1 (an account's own actors are authorized unless revoked).
func Authorized(r state.Reader, of, actor account.Address, stream digest.Hash) (bool, error) {
	data, ok, err := r.Lookup(at(tagAuthorize, of[:], actor[:], stream[:]))
	if err != nil {
		return false, err
	}
	if ok {
		x := codec.NewReader(data)
		may := x.Bool()
		return may, x.Finish()
	}
	a, err := account.Load(r, actor)
	return err == nil && a.Kind == account.Actor && a.Creator == of, err
}

// Content is a wrapped key of an epoch.
type Content struct {
	Epoch   uint64
	Wrapped []byte
}

// RegisterContent keeps wrapped keys of epochs of a stream. Rejects: ErrManaged, ErrOwner, ErrBatch, ErrWritten.
//
// Spec: gateway-payments-streams §E.1 (content keys), §E.2 (register_content_keys).
func (m *Manager) RegisterContent(by account.Address, stream digest.Hash, list []Content) error {
	c, err := LoadConfig(m.State, stream)
	if err != nil {
		return err
	}
	if c.Owner != by {
		return ErrOwner
	}
	if len(list) == 0 || len(list) > MaxBatch {
		return ErrBatch
	}
	for i, x := range list {
		if len(x.Wrapped) == 0 || len(x.Wrapped) > MaxWrapped || i > 0 && list[i-1].Epoch >= x.Epoch {
			return ErrBatch
		}
		key := contentKey(stream, x.Epoch)
		if _, ok, err := m.State.Lookup(key); err != nil {
			return err
		} else if ok {
			return ErrWritten
		}
		m.State.Set(key, x.Wrapped)
	}
	data := codec.AppendUint(codec.AppendUint(stream[:], list[0].Epoch), list[len(list)-1].Epoch)
	m.Emit(TopicContent, codec.AppendUint(data, uint64(len(list))))
	return nil
}

// LoadContent reads the wrapped key of an epoch; nil where there is none.
func LoadContent(r state.Reader, stream digest.Hash, epoch uint64) ([]byte, error) {
	data, ok, err := r.Lookup(contentKey(stream, epoch))
	if err != nil || !ok {
		return nil, err
	}
	return data, nil
}

// Requests gives the numbers of SealRequests from one on, ascending: what remains of at most limit numbers, and the number to go on with, 0 at the end.
func Requests(r state.Reader, from uint64, limit int) (list []uint64, next uint64, err error) {
	n, err := state.Number(r, at(tagRequest))
	if err != nil || from >= n {
		return nil, 0, err
	}
	end := min(n, from+uint64(limit))
	for ; from < end; from++ {
		if _, ok, err := r.Lookup(requestKey(from)); err != nil {
			return nil, 0, err
		} else if ok {
			list = append(list, from)
		}
	}
	if end == n {
		end = 0
	}
	return list, end, nil
}
