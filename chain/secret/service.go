package secret

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Service is the Secrets Manager during one turn, or at the end of one block. Methods that return a reject may have written before they found it: the caller
// undoes the turn.
type Service struct {
	State   state.Store
	Config  Config
	ChainID uint64
	Height  unit.Height // of the block
	Seed    sig.Seed    // what the block may read: the seed of the round before
	Emit    func(topic string, data []byte)
	Bill    func(addr account.Address) error                           // has an actor pay its rent before its balance changes; nil: nobody is billed
	Free    func(addr account.Address, a *account.Account) unit.Amount // what of a balance can be spent; nil: all of it

	// Held is what stakes and bonds have grown by, less what went out of them: the caller adds it to the escrow at the end of the block (AddEscrow).
	Held int64
	// Burned is what was burned of them, in base units, for the caller to take out of the supply.
	Burned unit.Amount
}

// Topics of the events of 0x04. Numbers are UInt; scopes are Bytes.
//
// Spec: secrets-cbss §8.
const (
	TopicCreated     = "cbss.secret.created"           // account(20) ‖ key_hash(32) ‖ version ‖ pending(1)
	TopicFinalized   = "SecretVersionFinalized"        // account(20) ‖ key_hash(32) ‖ version
	TopicPolicy      = "cbss.secret.policy_updated"    // account(20) ‖ key_hash(32) ‖ version
	TopicDeleted     = "cbss.secret.deleted"           // account(20) ‖ key_hash(32) ‖ version
	TopicReleased    = "cbss.secret.released"          // release(32) ‖ account(20) ‖ key_hash(32) ‖ version ‖ actor(20) ‖ runner(20) ‖ job(32)
	TopicRegistered  = "cbss.proxy.registered"         // proxy(32) ‖ operator(20) ‖ stake
	TopicLeft        = "cbss.proxy.deregistered"       // proxy(32) ‖ the block its stake is paid out in
	TopicPaidOut     = "cbss.proxy.released"           // proxy(32) ‖ operator(20) ‖ stake
	TopicSlashed     = "cbss.proxy.slashed"            // proxy(32) ‖ fault(1) ‖ amount
	TopicRotated     = "cbss.committee.rotated"        // scope ‖ epoch
	TopicZeroize     = "ShareZeroizationRequested"     // scope ‖ epoch of the committee whose shares go ‖ the block they go in
	TopicRequested   = "cbss.dkg.requested"            // scope ‖ reshare(1) ‖ quorum ‖ members
	TopicDrawn       = "cbss.dkg.committee_drawn"      // scope ‖ last block to finish in ‖ list of proxy(32)
	TopicExpired     = "cbss.dkg.expired"              // scope ‖ what came back of the bond
	TopicReceipt     = "cbss.release.receipt_recorded" // release(32) ‖ proxy(32) ‖ actor(20) ‖ paid ‖ owed
	TopicSealReceipt = "cbss.seal.receipt_recorded"    // proxy(32) ‖ number of the SealRequest ‖ paid
	TopicChallenged  = "cbss.liveness.challenge"       // challenge(32) ‖ release(32) ‖ proxy(32) ‖ state(1) ‖ last block to answer in
	TopicResponse    = "cbss.liveness.response"        // challenge(32) ‖ reason(1)
	TopicUnanswered  = "cbss.liveness.expired"         // challenge(32) ‖ proxy(32) ‖ health
	TopicDelinquent  = "cbss.debt.delinquent"          // actor(20) ‖ what it owes
	TopicDebtSettled = "cbss.debt.settled"             // actor(20) ‖ what was paid
	TopicLocked      = "cbss.tlock.registered"         // lock(32) ‖ account(20) ‖ key_hash(32) ‖ round
	TopicUnlocked    = "cbss.tlock.released"           // lock(32) ‖ what opens it(48)
)

func (s *Service) emit(topic string, parts ...[]byte) { s.Emit(topic, slices.Concat(parts...)) }

func uints[T ~uint32 | ~uint64 | ~int](n T) []byte { return codec.AppendUint(nil, uint64(n)) }

func flag(b bool) []byte { return codec.AppendBool(nil, b) }

func scoped(s Scope) []byte { return codec.AppendBytes(nil, s.Bytes()) }

// take moves coins of an account into what is held.
func (s *Service) take(from account.Address, amount unit.Amount) error {
	if err := account.Debit(s.State, from, amount); err != nil {
		return err
	}
	s.Held += int64(amount)
	return nil
}

// give moves coins of what is held to an account.
func (s *Service) give(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	s.Held -= int64(amount)
	return s.credit(to, amount)
}

func (s *Service) credit(to account.Address, amount unit.Amount) error {
	if s.Bill != nil {
		if err := s.Bill(to); err != nil {
			return err
		}
	}
	return account.Credit(s.State, to, amount)
}

// burn destroys coins of what is held.
func (s *Service) burn(amount unit.Amount) {
	s.Held -= int64(amount)
	s.Burned += amount
}

func (s *Service) saveProxy(id digest.Hash, p *Proxy) { s.State.Set(proxyKey(id), p.Encode()) }

func (s *Service) saveSecret(id cbss.SecretID, m *Secret) {
	m.Updated = s.Height
	s.State.Set(secretKey(id), m.Encode())
}

func (s *Service) savePending(of Scope, p *Pending) {
	s.State.Set(under(underPending, of.Bytes()), p.Encode())
}

// signedBy reports whether a key made a signature over a hash. It gives what recovering gave: the key's address is compared.
func signedBy(key sig.CompressedKey, hash digest.Hash, s sig.Signature) bool {
	want, err := key.Address()
	if err != nil {
		return false
	}
	by, err := sig.Default().Recover(hash, s)
	return err == nil && by == want
}

// served is the committee that may serve in an epoch: the present one, or a former one within its grace. A reject: ErrStaleEpoch.
//
// Spec: secrets-cbss §5 (a receipt's committee).
func (s *Service) served(k *ReleaseKey, epoch uint64) (*Generation, error) {
	if k.Epoch == epoch {
		return &k.Generation, nil
	}
	for i := range k.Prior {
		if k.Prior[i].Epoch == epoch && s.Height < k.Prior[i].Expires {
			return &k.Prior[i].Generation, nil
		}
	}
	return nil, ErrStaleEpoch
}

// scopeOf is the scope of the key that a version is sealed to.
func scopeOf(id cbss.SecretID, version uint64, v *Version) Scope {
	if v.Recipient == OfSecret {
		return Scope{Secret: id, Version: version}
	}
	return AccountScope(id.Account)
}

// identity is what a version is sealed to.
func (s *Service) identity(id cbss.SecretID, version, epoch uint64, master cbss.Key) *cbss.Identity {
	return &cbss.Identity{ChainID: s.ChainID, Secret: id, Version: version, Epoch: epoch, Master: master}
}
