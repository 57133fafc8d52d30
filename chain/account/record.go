package account

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Class says what stands behind an address.
type Class uint8

// The classes of accounts. Spec: WP "Accounts and State", §9.
const (
	// External is an account controlled by a key (or not used yet).
	External Class = iota
	// Actor is a Python program with storage, mailbox and timers.
	Actor
	// SystemActor is a native actor at a reserved address.
	SystemActor
	classCount
)

// Account is the record of an address. Balance and Nonce exist for every
// account; the rest is zero unless Kind is Actor or SystemActor.
type Account struct {
	Balance unit.Amount // base units
	// Nonce is the next expected transaction nonce of an external account, and
	// the number of messages an actor has sent (WP §3.3, message identity).
	Nonce uint64
	Kind  Class

	CodeHash  digest.Hash // zero: none
	Creator   Address     // who deployed it
	CreatedAt unit.Height

	MailboxBytes uint64 // bytes waiting, at most params' mailbox capacity
	MailboxCount uint64 // messages waiting
	Timers       uint32 // active timers
	Deferred     uint32 // pending deferred transactions
	StorageBytes uint64 // keys and values, the measure of quota and rent
	QuotaBytes   uint64 // allowed StorageBytes; zero means the governed base quota
	Dormant      bool   // evicted for unpaid rent: keeps code and balance, runs nothing
	CodeBytes    uint64 // of canonical source
	RentEpoch    uint64 // the last rent epoch the actor was billed for
	RentMissed   uint32 // rent epochs it has not paid
}

// MaxEncodedSize bounds the encoding of an Account.
const MaxEncodedSize = 1 + 10 + 10 + 32 + 20 + 10 + 10 + 10 + 5 + 5 + 10 + 10 + 1 + 10 + 10 + 5

// Key is the state key of the account record of a.
func (a Address) Key() []byte { return Key(KindAccount, a) }

func (a Address) key() (key [KeyHeader]byte) {
	key[0], key[1] = KindAccount.Namespace(), byte(KindAccount)
	copy(key[2:], a[:])
	return key
}

// isPlain reports whether no actor field is set.
func (a *Account) isPlain() bool {
	return *a == Account{Balance: a.Balance, Nonce: a.Nonce}
}

// Append appends the canonical encoding: the class, balance and nonce, and for
// actors the remaining fields in their order. An External account with an actor
// field set is a bug and panics: it would not survive a round trip.
// Spec: WP §2.5; "Accounts and State".
func (a *Account) Append(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(a.Kind))
	dst = codec.AppendUint(dst, uint64(a.Balance))
	dst = codec.AppendUint(dst, a.Nonce)
	if a.Kind == External {
		if !a.isPlain() {
			panic("account: external account with actor fields")
		}
		return dst
	}
	dst = codec.AppendFixed(dst, a.CodeHash[:])
	dst = codec.AppendFixed(dst, a.Creator[:])
	dst = codec.AppendUint(dst, uint64(a.CreatedAt))
	dst = codec.AppendUint(dst, a.MailboxBytes)
	dst = codec.AppendUint(dst, a.MailboxCount)
	dst = codec.AppendUint(dst, uint64(a.Timers))
	dst = codec.AppendUint(dst, uint64(a.Deferred))
	dst = codec.AppendUint(dst, a.StorageBytes)
	dst = codec.AppendUint(dst, a.QuotaBytes)
	dst = codec.AppendBool(dst, a.Dormant)
	dst = codec.AppendUint(codec.AppendUint(dst, a.CodeBytes), a.RentEpoch)
	return codec.AppendUint(dst, uint64(a.RentMissed))
}

// Encode is the canonical encoding on its own.
func (a *Account) Encode() []byte { return a.Append(make([]byte, 0, MaxEncodedSize)) }

// Decode reads what Encode wrote and nothing else, or gives a *codec.Error.
func Decode(data []byte) (Account, error) {
	r := codec.NewReader(data)
	a := Account{Kind: Class(r.Tag(uint8(classCount)))}
	a.Balance = unit.Amount(r.Uint())
	a.Nonce = r.Uint()
	if a.Kind != External {
		r.Into(a.CodeHash[:])
		r.Into(a.Creator[:])
		a.CreatedAt = unit.Height(r.Uint())
		a.MailboxBytes = r.Uint()
		a.MailboxCount = r.Uint()
		a.Timers = r.Uint32()
		a.Deferred = r.Uint32()
		a.StorageBytes = r.Uint()
		a.QuotaBytes = r.Uint()
		a.Dormant = r.Bool()
		a.CodeBytes = r.Uint()
		a.RentEpoch = r.Uint()
		a.RentMissed = r.Uint32()
	}
	if err := r.Finish(); err != nil {
		return Account{}, err
	}
	return a, nil
}
