package grant

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// MaxNameBytes bounds the names of pools and namespaces and of custom actions, in bytes. They have one at least.
const MaxNameBytes = 64

// ScopeKind says what a scope is of.
type ScopeKind uint8

// The kinds of scopes. Spec: CIP-2 §7.1.
const (
	Global      ScopeKind = iota
	OfActor               // an address
	OfToken               // 32 bytes
	OfRunner              // an address
	OfPool                // any bytes
	OfNamespace           // any bytes
	scopeKinds
)

// Scope is where a grant holds. It is comparable. The zero value is the whole network.
//
// Spec: CIP-2 §7.1.
type Scope struct {
	Kind  ScopeKind
	Value string // octets: of an actor or a runner its address, of a token its identity, of a pool or namespace its name
}

// ActorScope is the scope of an actor, or of an account.
func ActorScope(a account.Address) Scope { return Scope{OfActor, string(a[:])} }

// TokenScope is the scope of a token.
func TokenScope(id digest.Hash) Scope { return Scope{OfToken, string(id[:])} }

// PoolScope is the scope of a pool of runners.
func PoolScope(id string) Scope { return Scope{OfPool, id} }

// OwnedName is the name of a pool or a namespace that an address administers: the address, and then what it likes. Other names are governance's.
//
// Spec: CIP-2 §7.3 (granted by the pool's owner or by governance).
func OwnedName(owner account.Address, rest string) string { return string(owner[:]) + rest }

// ActionKind says what an action is.
type ActionKind uint8

// The kinds of actions. Spec: CIP-2 §7.1; entitlement-extras §5 (UseOwnerBalance).
const (
	All ActionKind = iota
	TokenTransfer
	TokenMint
	TokenBurn
	TokenFreeze
	TokenSetHook
	TokenTransferOwnership
	ActorDeploy
	ActorSendMessage
	ActorExecuteHandler // a handler's name
	RunnerRegister      // nothing, or the least stake in 16 bytes, big-endian
	RunnerSubmitJob
	RunnerSubmitResult
	RunnerJoinPool // a pool's name
	SystemTransfer
	SystemCreateAccount
	SystemUpgrade
	Custom // a name
	UseOwnerBalance
	actionKinds
)

// noKind stands for a kind that there is not.
const noKind = 0xff

// stakeBytes is the length of the stake of RunnerRegister.
const stakeBytes = 16

// Action is what a grant permits. It is comparable. The zero value is everything.
//
// Spec: CIP-2 §7.1.
type Action struct {
	Kind  ActionKind
	Value string // octets: what the kind's comment says, nothing for the others
}

// JoinPool is the action of being a member of a pool.
func JoinPool(id string) Action { return Action{RunnerJoinPool, id} }

// words of the text forms.
var (
	scopeWords  = [scopeKinds]string{"global", "actor", "token", "runner", "pool", "namespace"}
	actionWords = [actionKinds]string{
		"all", "token-transfer", "token-mint", "token-burn", "token-freeze", "token-set-hook", "token-transfer-ownership", "actor-deploy",
		"actor-send-message", "actor-execute-handler", "runner-register", "runner-submit-job", "runner-submit-result", "runner-join-pool",
		"system-transfer", "system-create-account", "system-upgrade", "custom", "use-owner-balance",
	}
)

// size gives how many octets a scope of the kind has, at least and at most.
func (k ScopeKind) size() (least, most int) {
	switch k {
	case OfActor, OfRunner:
		return account.AddressSize, account.AddressSize
	case OfToken:
		return 32, 32
	case OfPool, OfNamespace:
		return 1, MaxNameBytes
	}
	return 0, 0
}

func (k ActionKind) size() (least, most int) {
	switch k {
	case ActorExecuteHandler:
		return 1, params.MaxHandlerBytes
	case RunnerJoinPool, Custom:
		return 1, MaxNameBytes
	case RunnerRegister:
		return 0, stakeBytes
	}
	return 0, 0
}

// Check gives ErrScope for a scope of no kind, or with other octets than its kind has.
func (s Scope) Check() error {
	if least, most := s.Kind.size(); s.Kind >= scopeKinds || len(s.Value) < least || len(s.Value) > most {
		return ErrScope
	}
	return nil
}

// Check gives ErrScope for an action of no kind, or with other octets than its kind has.
func (a Action) Check() error {
	if least, most := a.Kind.size(); a.Kind >= actionKinds || len(a.Value) < least || len(a.Value) > most {
		return ErrScope
	}
	if a.Kind == RunnerRegister && a.Value != "" && len(a.Value) != stakeBytes {
		return ErrScope
	}
	return nil
}

// Append appends kind(1) ‖ Bytes value, without the length for an address and a token, without anything for the whole network.
//
// One that Check refuses has a kind that no decoder takes.
//
// Spec: entitlement-extras §5 (fields in the canonical codec).
func (s Scope) Append(dst []byte) []byte {
	if s.Check() != nil {
		return append(dst, noKind)
	}
	dst = append(dst, byte(s.Kind))
	switch least, most := s.Kind.size(); {
	case most == 0:
		return dst
	case least == most:
		return codec.AppendFixed(dst, []byte(s.Value))
	}
	return codec.AppendBytes(dst, []byte(s.Value))
}

// ReadScope reads what Append wrote; errors stay in r.
func ReadScope(r *codec.Reader) Scope {
	s := Scope{Kind: ScopeKind(r.Tag(uint8(scopeKinds)))}
	switch least, most := s.Kind.size(); {
	case most == 0:
	case least == most:
		s.Value = string(r.Fixed(most))
	default:
		s.Value = string(r.Bytes(most))
	}
	if r.Err() == nil && s.Check() != nil {
		r.Fail(ErrScope, uint64(s.Kind))
	}
	return s
}

// Append appends kind(1) ‖ Bytes value, without anything for an action that has none; a stake is an Option of 16 bytes.
//
// One that Check refuses has a kind that no decoder takes.
//
// Spec: entitlement-extras §5 (fields in the canonical codec).
func (a Action) Append(dst []byte) []byte {
	if a.Check() != nil {
		return append(dst, noKind)
	}
	dst = append(dst, byte(a.Kind))
	switch _, most := a.Kind.size(); {
	case a.Kind == RunnerRegister:
		return codec.AppendFixed(codec.AppendBool(dst, a.Value != ""), []byte(a.Value))
	case most == 0:
		return dst
	}
	return codec.AppendBytes(dst, []byte(a.Value))
}

// ReadAction reads what Append wrote; errors stay in r.
func ReadAction(r *codec.Reader) Action {
	a := Action{Kind: ActionKind(r.Tag(uint8(actionKinds)))}
	switch _, most := a.Kind.size(); {
	case a.Kind == RunnerRegister:
		if r.Option() {
			a.Value = string(r.Fixed(stakeBytes))
		}
	case most > 0:
		a.Value = string(r.Bytes(most))
	}
	if r.Err() == nil && a.Check() != nil {
		r.Fail(ErrScope, uint64(a.Kind))
	}
	return a
}

// String is the text form: the kind's word, and behind a colon the address or identity in hex, or the name as it is; in hex with 0x where it is not
// printable ASCII or begins with 0x itself.
func (s Scope) String() string {
	if s.Check() != nil {
		return fmt.Sprintf("scope(%d, %x)", s.Kind, s.Value)
	}
	switch s.Kind {
	case Global:
		return scopeWords[Global]
	case OfPool, OfNamespace:
		return scopeWords[s.Kind] + ":" + shownName(s.Value)
	}
	return scopeWords[s.Kind] + ":0x" + hex.EncodeToString([]byte(s.Value))
}

// String is the text form: the kind's word, and behind a colon the name as Scope's is, or a stake in base units.
func (a Action) String() string {
	switch {
	case a.Check() != nil:
		return fmt.Sprintf("action(%d, %x)", a.Kind, a.Value)
	case a.Value == "":
		return actionWords[a.Kind]
	case a.Kind == RunnerRegister:
		return actionWords[a.Kind] + ":" + new(big.Int).SetBytes([]byte(a.Value)).String()
	}
	return actionWords[a.Kind] + ":" + shownName(a.Value)
}

func shownName(name string) string {
	plain := !strings.HasPrefix(name, "0x")
	for i := range len(name) {
		plain = plain && name[i] > ' ' && name[i] < 0x7f
	}
	if plain {
		return name
	}
	return "0x" + hex.EncodeToString([]byte(name))
}

func readName(text string) (string, error) {
	digits, isHex := strings.CutPrefix(text, "0x")
	if !isHex {
		return text, nil
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return "", ErrScope
	}
	return string(b), nil
}

// maxText bounds the text forms of scopes and actions, in bytes. The longest has 256 bytes as hexadecimal digits behind a word.
const maxText = 1 << 10

// ParseScope reads a text form. An error is ErrScope.
func ParseScope(text string) (Scope, error) {
	if len(text) > maxText {
		return Scope{}, ErrScope
	}
	word, rest, more := strings.Cut(text, ":")
	for k, w := range scopeWords {
		if w != word {
			continue
		}
		s := Scope{Kind: ScopeKind(k)}
		if _, most := s.Kind.size(); more != (most > 0) {
			return Scope{}, ErrScope
		}
		if (s.Kind == OfActor || s.Kind == OfRunner || s.Kind == OfToken) && !strings.HasPrefix(rest, "0x") {
			rest = "0x" + rest
		}
		var err error
		if s.Value, err = readName(rest); err == nil {
			err = s.Check()
		}
		if err != nil {
			return Scope{}, err
		}
		return s, nil
	}
	return Scope{}, ErrScope
}

// ParseAction reads a text form. An error is ErrScope.
func ParseAction(text string) (Action, error) {
	if len(text) > maxText {
		return Action{}, ErrScope
	}
	word, rest, more := strings.Cut(text, ":")
	for k, w := range actionWords {
		if w != word {
			continue
		}
		a := Action{Kind: ActionKind(k)}
		least, most := a.Kind.size()
		if more && most == 0 || !more && least > 0 {
			return Action{}, ErrScope
		}
		var err error
		switch {
		case !more:
		case a.Kind == RunnerRegister:
			n, ok := new(big.Int).SetString(rest, 10)
			if !ok || n.Sign() < 0 || n.BitLen() > 8*stakeBytes || n.String() != rest {
				return Action{}, ErrScope
			}
			a.Value = string(n.FillBytes(make([]byte, stakeBytes)))
		default:
			a.Value, err = readName(rest)
		}
		if err == nil {
			err = a.Check()
		}
		if err != nil {
			return Action{}, err
		}
		return a, nil
	}
	return Action{}, ErrScope
}
