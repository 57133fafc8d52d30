package bank

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of what the bank keeps.
//
// Spec: gateway-payments-streams §G.1, §G.2.
const (
	MaxNameBytes      = 32
	MaxReceivers      = 64
	MaxKinds          = 16
	MaxReasonBytes    = 256
	MaxReferenceBytes = 64
)

// Status of a bank.
type Status uint8

// The states of a bank.
const (
	Active Status = iota
	Paused
	bankStates
)

// String names the status.
func (s Status) String() string { return [...]string{"Active", "Paused"}[s] }

// Entry is a bank (BankEntry).
//
// Spec: gateway-payments-streams §G.1.
type Entry struct {
	ID         uint32
	Name       string // 1 to 32 printable ASCII characters
	Operator   account.Address
	Signer     *account.Address // of fiat vouchers; nil: the bank mints nothing
	Status     Status
	Registered unit.Height
}

// Append appends the canonical encoding, without the number, which is in the key: Bytes name ‖ operator(20) ‖ Option signer(20) ‖ status ‖ UInt height.
func (b *Entry) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendBytes(dst, []byte(b.Name)), b.Operator[:])
	dst = appendOption(dst, b.Signer)
	return codec.AppendUint(codec.AppendU8(dst, uint8(b.Status)), uint64(b.Registered))
}

// DecodeEntry reads what Append wrote for the bank of a number.
func DecodeEntry(id uint32, data []byte) (b Entry, err error) {
	r := codec.NewReader(data)
	b.ID, b.Name = id, string(r.Bytes(MaxNameBytes))
	r.Into(b.Operator[:])
	b.Signer = readOption(r)
	b.Status = Status(r.Tag(uint8(bankStates)))
	b.Registered = unit.Height(r.Uint())
	return b, r.Finish()
}

func appendOption(dst []byte, a *account.Address) []byte {
	dst = codec.AppendBool(dst, a != nil)
	if a != nil {
		dst = codec.AppendFixed(dst, a[:])
	}
	return dst
}

func readOption(r *codec.Reader) *account.Address {
	if !r.Option() {
		return nil
	}
	var a account.Address
	r.Into(a[:])
	return &a
}

// CheckName holds a bank's name to 1 to 32 printable ASCII characters. Reject: ErrTerms.
//
// Spec: gateway-payments-streams §G.1.
func CheckName(name []byte) error {
	if len(name) == 0 || len(name) > MaxNameBytes || slices.ContainsFunc(name, func(c byte) bool { return c < ' ' || c > '~' }) {
		return ErrTerms
	}
	return nil
}

// CardStatus is the status of a card.
type CardStatus uint8

// The states of a card. CardExpired is never stored: a card that is active and past its expiry has it.
const (
	CardActive CardStatus = iota
	CardFrozen
	CardClosed
	CardExpired
)

// String names the status.
func (s CardStatus) String() string { return [...]string{"Active", "Frozen", "Closed", "Expired"}[s] }

// Card is a prepaid card (CardEntry). What its periods have spent is a record of its own, Window.
//
// Spec: gateway-payments-streams §G.1.
type Card struct {
	Address account.Address
	Bank    uint32
	Owner   account.Address
	Agent   account.Address
	Nonce   uint64 // of the owner's cards, when it was issued
	Created unit.Height
	Renewed unit.Height
	Expires *unit.Height // the last height it pays at; nil: it does not expire
	Status  CardStatus   // as stored; see StatusAt
	Token   *token.ID    // what it pays in; nil: coins
	Policy  Policy
}

// StatusAt is the card's status at a height.
//
// Spec: gateway-payments-streams §G.1, §G.2 (207).
func (c *Card) StatusAt(now unit.Height) CardStatus {
	if c.Status == CardActive && c.Expires != nil && now > *c.Expires {
		return CardExpired
	}
	return c.Status
}

// Append appends the canonical encoding, without the address, which is in the key.
func (c *Card) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, uint64(c.Bank))
	dst = codec.AppendFixed(codec.AppendFixed(dst, c.Owner[:]), c.Agent[:])
	for _, n := range [...]uint64{c.Nonce, uint64(c.Created), uint64(c.Renewed)} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendOptionUint(dst, (*uint64)(c.Expires))
	dst = codec.AppendBool(codec.AppendU8(dst, uint8(c.Status)), c.Token != nil)
	if c.Token != nil {
		dst = codec.AppendFixed(dst, c.Token[:])
	}
	return c.Policy.Append(dst)
}

// DecodeCard reads what Append wrote for the card at an address.
func DecodeCard(addr account.Address, data []byte) (c Card, err error) {
	r := codec.NewReader(data)
	c.Address, c.Bank = addr, r.Uint32()
	r.Into(c.Owner[:])
	r.Into(c.Agent[:])
	c.Nonce, c.Created, c.Renewed = r.Uint(), unit.Height(r.Uint()), unit.Height(r.Uint())
	c.Expires = (*unit.Height)(r.OptionUint())
	c.Status = CardStatus(r.Tag(uint8(CardExpired)))
	if r.Option() {
		c.Token = new(token.ID)
		r.Into(c.Token[:])
	}
	c.Policy = ReadPolicy(r)
	return c, r.Finish()
}

// Family is what sort of instruction a transaction holds, as policies speak of it.
//
// Spec: gateway-payments-streams §G.1 (kinds of system calls).
type Family uint8

// The families. Custom has the opcode beside it.
const (
	Send Family = iota
	Token
	DeployActor
	PublishLibrary
	Session
	Cbss
	CrossChain
	Custom
	families
)

// String is the family as people write it.
func (f Family) String() string {
	return [...]string{"send", "token", "deploy-actor", "publish-library", "session", "cbss", "cross-chain", "custom"}[f]
}

// Kind is a family, for Custom with an opcode: category and sub-type, one byte each.
type Kind struct {
	Family Family
	Opcode uint16
}

// Append appends the family's byte and the opcode as UInt.
func (k Kind) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendU8(dst, uint8(k.Family)), uint64(k.Opcode))
}

// ReadKind reads what Append wrote; errors stay in r.
func ReadKind(r *codec.Reader) Kind { return Kind{Family(r.Tag(uint8(families))), r.Uint16()} }

func (k Kind) compare(o Kind) int {
	return cmp.Or(cmp.Compare(k.Family, o.Family), cmp.Compare(k.Opcode, o.Opcode))
}

// Receiver is an address that a policy admits.
type Receiver struct{ Address account.Address }

// Append appends the address.
func (a Receiver) Append(dst []byte) []byte { return codec.AppendFixed(dst, a.Address[:]) }

// ReadReceiver reads what Append wrote; errors stay in r.
func ReadReceiver(r *codec.Reader) (a Receiver) {
	r.Into(a.Address[:])
	return a
}

// Policy is what a card may be used for (CardPolicy). A cap is in units of the payment token; nil is none.
//
// Spec: gateway-payments-streams §G.1.
type Policy struct {
	PerHourCap          *unit.Uint128
	PerDayCap           *unit.Uint128
	PerMonthCap         *unit.Uint128
	AllowedReceivers    []Receiver // strictly ascending; empty: any
	AllowedSyscallKinds []Kind     // strictly ascending; empty: any
	LockedAfterTransfer bool       // an agent that comes to own the card may not change this
}

// Cap is the cap of a tier.
func (p *Policy) Cap(t Tier) *unit.Uint128 {
	return [...]*unit.Uint128{p.PerHourCap, p.PerDayCap, p.PerMonthCap}[t]
}

// Check holds a policy to its bounds. Reject: ErrPolicy.
//
// Spec: gateway-payments-streams §G.1 (at most 64 receivers, 16 kinds).
func (p *Policy) Check() error {
	if len(p.AllowedReceivers) > MaxReceivers || len(p.AllowedSyscallKinds) > MaxKinds {
		return ErrPolicy
	}
	for i := 1; i < len(p.AllowedReceivers); i++ {
		if bytes.Compare(p.AllowedReceivers[i-1].Address[:], p.AllowedReceivers[i].Address[:]) >= 0 {
			return ErrPolicy
		}
	}
	for i, k := range p.AllowedSyscallKinds {
		if k.Family >= families || k.Family != Custom && k.Opcode != 0 || i > 0 && p.AllowedSyscallKinds[i-1].compare(k) >= 0 {
			return ErrPolicy
		}
	}
	return nil
}

// Admits reports whether a card of this policy may pay for an instruction of a kind that concerns these addresses. An empty list admits all.
//
// Spec: gateway-payments-streams §G.3 (2).
func (p *Policy) Admits(kind Kind, receivers []account.Address) bool {
	if _, found := slices.BinarySearchFunc(p.AllowedSyscallKinds, kind, Kind.compare); !found && len(p.AllowedSyscallKinds) > 0 {
		return false
	}
	if len(p.AllowedReceivers) == 0 {
		return true
	}
	for _, to := range receivers {
		if _, found := slices.BinarySearchFunc(p.AllowedReceivers, to, func(r Receiver, a account.Address) int { return r.Address.Compare(a) }); !found {
			return false
		}
	}
	return true
}

// Append appends the canonical encoding: three Option cap(16) ‖ list of addresses ‖ list of kinds ‖ Bool.
func (p Policy) Append(dst []byte) []byte {
	for t := range Tiers {
		cap := p.Cap(t)
		if dst = codec.AppendBool(dst, cap != nil); cap != nil {
			dst = cap.AppendBig(dst)
		}
	}
	dst = codec.AppendLen(dst, len(p.AllowedReceivers))
	for _, a := range p.AllowedReceivers {
		dst = a.Append(dst)
	}
	dst = codec.AppendLen(dst, len(p.AllowedSyscallKinds))
	for _, k := range p.AllowedSyscallKinds {
		dst = k.Append(dst)
	}
	return codec.AppendBool(dst, p.LockedAfterTransfer)
}

// ReadPolicy reads what Append wrote; errors stay in r.
func ReadPolicy(r *codec.Reader) (p Policy) {
	p.PerHourCap, p.PerDayCap, p.PerMonthCap = readCap(r), readCap(r), readCap(r)
	if n := r.Len(0, MaxReceivers, account.AddressSize); n > 0 {
		p.AllowedReceivers = make([]Receiver, n)
	}
	for i := range p.AllowedReceivers {
		p.AllowedReceivers[i] = ReadReceiver(r)
	}
	if n := r.Len(0, MaxKinds, 2); n > 0 {
		p.AllowedSyscallKinds = make([]Kind, n)
	}
	for i := range p.AllowedSyscallKinds {
		p.AllowedSyscallKinds[i] = ReadKind(r)
	}
	p.LockedAfterTransfer = r.Bool()
	return p
}

func readCap(r *codec.Reader) *unit.Uint128 {
	if !r.Option() {
		return nil
	}
	n := readWide(r)
	return &n
}

func readWide(r *codec.Reader) unit.Uint128 {
	var b [unit.Uint128Size]byte
	r.Into(b[:])
	return unit.Uint128FromBig(b)
}

// String is the kind as people write it: "send", "custom:91".
func (k Kind) String() string {
	if k.Family == Custom {
		return fmt.Sprintf("%v:%d", k.Family, k.Opcode)
	}
	return k.Family.String()
}
