package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// Limits of the calls an Account makes.
const (
	DeployCycles  unit.Cycles = 10_000_000
	DeployCells   unit.Cells  = 1_000_000
	ExecuteCycles unit.Cycles = 2_000_000
	ExecuteCells  unit.Cells  = 500_000
)

// Account signs transactions on a Chain.
type Account struct {
	chain *Chain
	name  string
	key   *sig.PrivateKey // nil: impersonated
	addr  account.Address
	nonce uint64
	payer account.Address // of its fees; zero: itself
}

// Payer has an address pay the fees of what the account sends from now on, by what it granted; the zero address is the account itself.
//
// Spec: entitlement-extras §5 (UseOwnerBalance).
func (a *Account) Payer(payer account.Address) { a.payer = payer }

// Account gives the account of a name, funded with StartBalance the first time.
func (c *Chain) Account(name string) *Account {
	c.t.Helper()
	if a := c.accounts[name]; a != nil {
		return a
	}
	secret := digest.Keccak256([]byte("testkit account " + name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		c.t.Fatal(err)
	}
	a := &Account{chain: c, name: name, key: key, addr: key.Address()}
	c.accounts[name] = a
	c.faucet.Send(&tx.Transfer{To: a.Address(), Amount: StartBalance}, 21_000, 0)
	c.Mine()
	return a
}

// Address is the account's.
func (a *Account) Address() account.Address { return a.addr }

// PublicKey is the key the account signs with. The account is not impersonated.
func (a *Account) PublicKey() sig.CompressedKey { return a.key.Compressed() }

// Sign signs a hash, for what is signed apart from transactions.
func (a *Account) Sign(hash digest.Hash) sig.Signature { return a.sign(hash) }

// Hex is the account's address as text.
func (a *Account) Hex() string { return a.addr.String() }

// Send signs an instruction for the next block and gives its identity.
func (a *Account) Send(in tx.Instruction, cycles unit.Cycles, cells unit.Cells) digest.Hash {
	a.chain.t.Helper()
	t := &tx.Tx{
		ChainID: ChainID, Nonce: a.nonce, Instruction: in, CyclesLimit: cycles, CellsLimit: cells,
		MaxFeePerCycle: 2 * a.chain.fees.Cycle, MaxFeePerCell: 2 * a.chain.fees.Cell, From: a.Address(),
	}
	if !a.payer.IsZero() {
		t.Metadata = tx.PayerMetadata(a.payer)
	}
	t.Signature = a.sign(t.SigningHash())
	v, err := tx.Verify(t, ChainID, a.chain.recover)
	if err != nil {
		a.chain.t.Fatalf("%s: %v", a.name, err)
	}
	a.nonce++
	a.chain.pending = append(a.chain.pending, v)
	return v.Hash()
}

// Do sends an instruction, makes a block and gives the receipt.
func (a *Account) Do(in tx.Instruction, cycles unit.Cycles, cells unit.Cells) *block.Receipt {
	a.chain.t.Helper()
	id := a.Send(in, cycles, cells)
	a.chain.Mine()
	return a.chain.Receipt(id)
}

// Transfer sends coins and fails the test if that fails.
func (a *Account) Transfer(to account.Address, amount unit.Amount) *block.Receipt {
	a.chain.t.Helper()
	return a.must(a.Do(&tx.Transfer{To: to, Amount: amount}, 21_000, 0))
}

// TryDeploy deploys a source, with an init handler unless init is nil.
func (a *Account) TryDeploy(source string, init []byte) *block.Receipt {
	a.chain.t.Helper()
	code, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		a.chain.t.Fatal(err)
	}
	d := &tx.Deploy{Code: code, Salt: []byte{byte(a.nonce >> 8), byte(a.nonce)}}
	if init != nil {
		d.InitHandler, d.InitPayload = []byte("init"), init
	}
	return a.Do(d, DeployCycles, DeployCells)
}

// Deploy deploys a source, fails the test if that fails, and gives the actor's address.
func (a *Account) Deploy(source string, init []byte) account.Address {
	a.chain.t.Helper()
	return *a.must(a.TryDeploy(source, init)).Created
}

// Try calls a handler and gives the receipt, whatever its outcome.
func (a *Account) Try(actor account.Address, handler, payload string) *block.Receipt {
	a.chain.t.Helper()
	return a.TryWith(actor, handler, payload, 0)
}

// Call calls a handler, fails the test if the call fails, and gives what it returned.
func (a *Account) Call(actor account.Address, handler, payload string) string {
	a.chain.t.Helper()
	return string(a.must(a.Try(actor, handler, payload)).ReturnData)
}

// Chain is the chain the account is on.
func (a *Account) Chain() *Chain { return a.chain }

// TryWith is Try with coins for the actor.
func (a *Account) TryWith(actor account.Address, handler, payload string, value unit.Amount) *block.Receipt {
	a.chain.t.Helper()
	return a.Do(&tx.Execute{To: actor, Handler: []byte(handler), Payload: []byte(payload), Amount: value}, ExecuteCycles, ExecuteCells)
}

// CallWith is Call with coins for the actor.
func (a *Account) CallWith(actor account.Address, handler, payload string, value unit.Amount) string {
	a.chain.t.Helper()
	return string(a.must(a.TryWith(actor, handler, payload, value)).ReturnData)
}

// Fund hands coins to an actor.
func (a *Account) Fund(actor account.Address, amount unit.Amount) {
	a.chain.t.Helper()
	a.must(a.Do(&tx.FundActor{Actor: actor, Amount: amount}, 50_000, 10_000))
}

func (a *Account) must(x *block.Receipt) *block.Receipt {
	a.chain.t.Helper()
	if x == nil || x.Status != block.Success {
		a.chain.t.Fatalf("%s: %s", a.name, Describe(x))
	}
	return x
}
