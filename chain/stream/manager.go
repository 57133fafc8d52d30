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
	// Price is what the committee of a publisher's release key takes: the fee of a receipt, and how many receipts it takes; 0 for a publisher without a key.
	Price func(publisher account.Address) (fee unit.Amount, quorum uint64, err error)
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
	Raised             int // SealRequests; not in the encoding
}

// Append appends the canonical encoding: stream(32) ‖ beneficiary(20) ‖ payer(20) ‖ UInt from, to, charged, publisher, protocol.
func (r *Receipt) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, r.Stream[:]), r.Beneficiary[:]), r.Payer[:])
	for _, n := range [...]uint64{r.From, r.To, r.Charged, uint64(r.Publisher), uint64(r.Protocol)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// LoadAccess reads which key epochs of a stream an account has bought.
func LoadAccess(r state.Reader, stream digest.Hash, beneficiary account.Address) (Access, error) {
	a, err := state.Find(r, at(tagEntitled, stream[:], beneficiary[:]), decodeAccess)
	if err != nil || a == nil {
		return Access{}, err
	}
	return *a, nil
}

// Covered is the first key epoch that an account has no access to any more, 0 for an account that never had any.
func Covered(r state.Reader, stream digest.Hash, beneficiary account.Address) (uint64, error) {
	a, err := LoadAccess(r, stream, beneficiary)
	return a.End, err
}

// Acquire buys access up to and with a key epoch; the asking account pays. SealRequests for the first epochs of it are raised, as many as MaxRaised. Rejects:
// ErrManaged, ErrTarget, ErrMinimum, ErrFunds.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func (m *Manager) Acquire(stream digest.Hash, beneficiary, payer account.Address, target uint64) (*Receipt, error) {
	c, err := LoadConfig(m.State, stream)
	if err != nil {
		return nil, err
	}
	now := c.Epoch(m.Height)
	a, err := LoadAccess(m.State, stream, beneficiary)
	if err != nil {
		return nil, err
	}
	if a.End == 0 {
		a = Access{now, now} // the past is not free
	}
	r := &Receipt{Stream: stream, Beneficiary: beneficiary, Payer: payer}
	if target < a.End { // at most the bound, or the epoch before the current one
		r.From, r.To = target, target
		m.Emit(TopicIdempotent, r.Append(nil))
		return r, nil
	}
	if target < now || target+1 == 0 {
		return nil, ErrTarget
	}
	r.From, r.To, r.Charged = a.End, target, target+1-a.End
	if r.Charged < c.MinPurchase {
		return nil, ErrMinimum
	}
	if r.Publisher, r.Protocol, err = c.price(r.Charged); err != nil {
		return nil, err
	}
	list, held, err := m.bought(c, r)
	if err != nil {
		return nil, err
	}
	if err := m.pay(c, r, held); err != nil {
		return nil, err
	}
	a.End = target + 1
	m.State.Set(at(tagEntitled, stream[:], beneficiary[:]), a.Append(nil))
	m.Emit(TopicPurchased, r.Append(nil))
	r.Raised = len(list)
	for _, q := range list {
		if err := m.raise(q); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// price is what so many epochs cost: the publisher's part, and the protocol's on top, rounded down. Reject: ErrTarget for what no account can have.
//
// Spec: gateway-payments-streams §E.2.
func (c *Config) price(epochs uint64) (publisher, protocol unit.Amount, err error) {
	if publisher, err = c.Fee.Mul(epochs); err != nil {
		return 0, 0, ErrTarget
	}
	if protocol, err = publisher.MulDiv(c.ProtocolBPS, params.BasisPoints); err != nil {
		return 0, 0, ErrTarget
	}
	if _, err = publisher.Add(protocol); err != nil {
		return 0, 0, ErrTarget
	}
	return publisher, protocol, nil
}

// pay moves the price. Of the publisher's part held stays here, for the committee.
//
// Spec: gateway-payments-streams §E.2.
func (m *Manager) pay(c *Config, r *Receipt, held unit.Amount) error {
	if err := m.Spend(r.Publisher + r.Protocol); err != nil {
		return err
	}
	if err := m.hold(held); err != nil {
		return err
	}
	if err := m.credit(c.Treasury, r.Publisher-held); err != nil {
		return err
	}
	return m.credit(account.System(account.Treasury), r.Protocol)
}

// credit gives coins to an account.
func (m *Manager) credit(to account.Address, amount unit.Amount) error {
	if err := m.Bill(to); err != nil {
		return err
	}
	return account.Credit(m.State, to, amount)
}

// LoadKeys reads the keys of an account; nil where it never had any.
func LoadKeys(r state.Reader, of account.Address) (*Keys, error) {
	return state.Find(r, at(tagKeys, of[:]), decodeKeys)
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

// changed writes the keys of an account after a change, which voids its open requests: proxies are asked for none of them any more.
func (m *Manager) changed(of account.Address, k *Keys, topic string, n uint64) {
	for _, one := range k.Open {
		m.State.Delete(openKey(one.Until, one.Number))
	}
	k.Open = nil
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
