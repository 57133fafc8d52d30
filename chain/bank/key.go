package bank

import (
	"bytes"
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the bank.
//
// Spec: gateway-payments-streams §G.1 (keys).
const (
	underBank    = "bank:"
	bankSequence = "bank_seq"
	underCard    = "card:"
	underWindow  = "card_window:"
	underOwner   = "card_by_owner:"
	underAgent   = "card_by_agent:"
	underDefault = "agent_default_card:"
	underNonce   = "issue_nonce:"
	underVoucher = "voucher_used:"
	underPeg     = "card_token:"
	underTimer   = "card_timer:"
)

// KeyActivation is the governed parameter that says from which height on there are banks.
//
// Spec: gateway-payments-streams §G.4 (bank_activation_height).
const KeyActivation = params.KeyGenericPrefix + "bank_activation_height"

// Home is where the BankActor lies.
func Home() account.Address { return account.System(account.Bank) }

func at(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func bankKey(id uint32) []byte { return at(underBank, binary.BigEndian.AppendUint32(nil, id)) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string) account.Claim {
		return account.RecordClaim(chapter, Home(), suffix, holds, false)
	}
	sequence := claim("number of the next bank", bankSequence)
	sequence.Exact = true
	return []account.Claim{
		claim("banks", underBank), sequence, claim("cards", underCard), claim("what cards have spent", underWindow),
		claim("cards of owners", underOwner), claim("cards of agents", underAgent), claim("default cards", underDefault),
		claim("numbers of cards issued", underNonce), claim("used vouchers", underVoucher), claim("tokens cards may pay in", underPeg),
		claim("fires of timers that cards have paid", underTimer),
	}
}

// AddressOf derives a card's address: the last 20 bytes of keccak256("CowboyBankCard\x01" ‖ bank_id_be4 ‖ owner ‖ agent ‖ nonce_be8).
//
// Spec: gateway-payments-streams §G.1.
func AddressOf(bank uint32, owner, agent account.Address, nonce uint64) account.Address {
	return last20(digest.Keccak256(
		[]byte("CowboyBankCard\x01"), binary.BigEndian.AppendUint32(nil, bank), owner[:], agent[:], binary.BigEndian.AppendUint64(nil, nonce),
	))
}

// ReserveOf is where a bank's own money lies: the last 20 bytes of keccak256("CowboyBankReserve\x01" ‖ bank_id_be4). Nobody has a key to it.
func ReserveOf(bank uint32) account.Address {
	return last20(digest.Keccak256([]byte("CowboyBankReserve\x01"), binary.BigEndian.AppendUint32(nil, bank)))
}

func last20(h digest.Hash) account.Address {
	return account.Address(h[digest.Size-account.AddressSize:])
}

// FirstBank is the bank there is from the beginning. It has no record until something of it is changed.
//
// Spec: gateway-payments-streams §G.1 (bank 1 is "Cowboy Banking", the sequence 2).
func FirstBank() Entry {
	return Entry{ID: 1, Name: "Cowboy Banking", Operator: account.System(account.Governance)}
}

// Load reads a bank. Reject: ErrBank.
func Load(r state.Reader, id uint32) (Entry, error) {
	data, ok, err := r.Lookup(bankKey(id))
	switch {
	case err != nil:
		return Entry{}, err
	case ok:
		return DecodeEntry(id, data)
	case id == FirstBank().ID:
		return FirstBank(), nil
	}
	return Entry{}, ErrBank
}

func save(s state.Store, b *Entry) { s.Set(bankKey(b.ID), b.Append(nil)) }

// Next is the number the next bank gets: 2 at first.
func Next(r state.Reader) (uint32, error) {
	data, ok, err := r.Lookup(at(bankSequence))
	if err != nil || !ok {
		return FirstBank().ID + 1, err
	}
	c := codec.NewReader(data)
	n := c.Uint32()
	return n, c.Finish()
}

// Find reads the card at an address; nil where there is none.
func Find(r state.Reader, addr account.Address) (*Card, error) {
	data, ok, err := r.Lookup(at(underCard, addr[:]))
	if err != nil || !ok {
		return nil, err
	}
	c, err := DecodeCard(addr, data)
	return &c, err
}

// LoadCard reads the card at an address. Reject: ErrCard.
func LoadCard(r state.Reader, addr account.Address) (Card, error) {
	c, err := Find(r, addr)
	if err != nil {
		return Card{}, err
	}
	if c == nil {
		return Card{}, ErrCard
	}
	return *c, nil
}

func (c *Card) save(s state.Store) { s.Set(at(underCard, c.Address[:]), c.Append(nil)) }

// LoadWindow reads what a card has spent.
func LoadWindow(r state.Reader, card account.Address) (Window, error) {
	data, ok, err := r.Lookup(at(underWindow, card[:]))
	if err != nil || !ok {
		return Window{}, err
	}
	return DecodeWindow(data)
}

func saveWindow(s state.Store, card account.Address, w Window) {
	s.Set(at(underWindow, card[:]), w.Append(nil))
}

// Default is the default card of an agent; ok is false for none.
func Default(r state.Reader, agent account.Address) (card account.Address, ok bool, err error) {
	data, ok, err := r.Lookup(at(underDefault, agent[:]))
	if err != nil || !ok {
		return card, false, err
	}
	c := codec.NewReader(data)
	c.Into(card[:])
	return card, true, c.Finish()
}

// IssueNonce counts the cards that an owner has issued.
func IssueNonce(r state.Reader, owner account.Address) (uint64, error) {
	data, ok, err := r.Lookup(at(underNonce, owner[:]))
	if err != nil || !ok {
		return 0, err
	}
	c := codec.NewReader(data)
	n := c.Uint()
	return n, c.Finish()
}

// ActiveAt reports whether there are banks at a height.
//
// Spec: gateway-payments-streams §G.4 (bank_activation_height).
func ActiveAt(r state.Reader, now unit.Height) (bool, error) {
	data, ok, err := r.Lookup(params.StateKey(KeyActivation))
	if err != nil || !ok {
		return err == nil, err
	}
	height, err := readActivation(data)
	return now >= height, err
}

// Activation is the parameter's value for a height: UInt.
func Activation(from unit.Height) []byte { return codec.AppendUint(nil, uint64(from)) }

// CheckActivation gives an error for bytes that are no value of the parameter.
func CheckActivation(value []byte) error {
	_, err := readActivation(value)
	return err
}

func readActivation(value []byte) (unit.Height, error) {
	c := codec.NewReader(value)
	n := c.Uint()
	return unit.Height(n), c.Finish()
}

// listed gives at most limit addresses of cards under a prefix, above after where it is not nil.
func listed(r state.Reader, prefix []byte, after *account.Address, limit int) (list []account.Address, err error) {
	var above []byte
	if after != nil {
		above = append(prefix[:len(prefix):len(prefix)], after[:]...)
	}
	err = r.Scan(prefix, above, limit, func(key, _ []byte) bool {
		list = append(list, account.Address(key[len(prefix):]))
		return true
	})
	return list, err
}

// OwnedBy lists at most limit cards of an owner, ascending, above after where it is not nil.
func OwnedBy(r state.Reader, owner account.Address, after *account.Address, limit int) ([]account.Address, error) {
	return listed(r, at(underOwner, owner[:]), after, limit)
}

// HeldBy lists at most limit cards of an agent, ascending, above after where it is not nil.
func HeldBy(r state.Reader, agent account.Address, after *account.Address, limit int) ([]account.Address, error) {
	return listed(r, at(underAgent, agent[:]), after, limit)
}

// Banks lists at most limit banks, ascending, with numbers above after.
func Banks(r state.Reader, after uint32, limit int) (list []Entry, err error) {
	next, err := Next(r)
	for id := after + 1; err == nil && id < next && len(list) < limit; id++ {
		var b Entry
		if b, err = Load(r, id); err == nil {
			list = append(list, b)
		}
	}
	return list, err
}

// TokenID is the identifier of a token.
type TokenID = token.ID

// Peg is a token that cards may pay in: Units of its smallest units stand for Per base units of coin. It is fixed in the genesis.
//
// Spec: gateway-payments-streams §G.2 (200: whitelisted), §G.3 (2: a rate fixed in the genesis).
type Peg struct {
	Token token.ID    `json:"token"`
	Units uint64      `json:"units"`
	Per   unit.Amount `json:"per"` // base units
}

// MaxPegs bounds the tokens of a genesis.
const MaxPegs = 64

// CheckPegs holds the rates of a genesis to at most MaxPegs, strictly ascending by token, of numbers above zero. Reject: ErrTerms.
func CheckPegs(list []Peg) error {
	if len(list) > MaxPegs {
		return ErrTerms
	}
	for i, p := range list {
		if p.Units == 0 || p.Per == 0 || i > 0 && bytes.Compare(list[i-1].Token[:], p.Token[:]) >= 0 {
			return ErrTerms
		}
	}
	return nil
}

// Append appends the canonical encoding of the rate: UInt units ‖ UInt per.
func (p *Peg) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendUint(dst, p.Units), uint64(p.Per))
}

// Save writes a rate at genesis.
func (p *Peg) Save(s state.Store) { s.Set(at(underPeg, p.Token[:]), p.Append(nil)) }

// LoadPeg reads the rate of a token. Reject: ErrToken.
func LoadPeg(r state.Reader, id token.ID) (Peg, error) {
	data, ok, err := r.Lookup(at(underPeg, id[:]))
	if err == nil && !ok {
		err = ErrToken
	}
	if err != nil {
		return Peg{}, err
	}
	c := codec.NewReader(data)
	p := Peg{id, c.Uint(), unit.Amount(c.Uint())}
	return p, c.Finish()
}

// Pegs lists the tokens that cards may pay in, ascending.
func Pegs(r state.Reader) (list []Peg, err error) {
	prefix := at(underPeg)
	var ids []token.ID
	if err = r.Scan(prefix, nil, MaxPegs, func(key, _ []byte) bool {
		ids = append(ids, token.ID(key[len(prefix):]))
		return true
	}); err != nil {
		return nil, err
	}
	for _, id := range ids {
		p, err := LoadPeg(r, id)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}
