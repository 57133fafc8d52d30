package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// submissionTransactions is the tag of a Submission that carries transactions. Spec: node-rpc-cli §3.
const submissionTransactions = 1

// sendFlags are the flags of every command that sends a transaction. A flag that is not given is discovered.
type sendFlags struct {
	cmd                         *cobra.Command
	key                         string
	from, unsigned              string // sender and file of a transaction that is signed elsewhere
	payer                       string
	nonce                       uint64
	cycles, cells               uint64
	maxCycle, maxCell           uint64
	tipCycle, tipCell           uint64
	wait                        bool
	blind                       bool // nothing is simulated before it is sent
	defaultCycles, defaultCells uint64
}

func (f *sendFlags) register(cmd *cobra.Command, cycles, cells uint64) {
	f.cmd, f.defaultCycles, f.defaultCells = cmd, cycles, cells
	flags := cmd.Flags()
	flags.Uint64Var(&f.nonce, "nonce", 0, "nonce (default: the account's next)")
	flags.Uint64Var(&f.cycles, "cycles-limit", cycles, "most cycles the transaction may use")
	flags.Uint64Var(&f.cells, "cells-limit", cells, "most cells the transaction may use")
	flags.Uint64Var(&f.maxCycle, "max-fee-per-cycle", 0, "highest price of a cycle in base units (default: from the basefee)")
	flags.Uint64Var(&f.maxCell, "max-fee-per-cell", 0, "highest price of a cell in base units (default: from the basefee)")
	flags.Uint64Var(&f.tipCycle, "max-priority-fee-per-cycle", 0, "tip for each cycle")
	flags.Uint64Var(&f.tipCell, "max-priority-fee-per-cell", 0, "tip for each cell")
	flags.StringVar(&f.payer, "fee-payer", "", "address that pays the fees, which has granted use-owner-balance (default: the sender)")
	flags.BoolVar(&f.wait, "wait", false, "wait for the receipt and print it")
	flags.StringVar(&f.unsigned, "unsigned", "", "write the transaction to this file instead of sending it, for `cowboy tx sign` on another machine")
	flags.StringVar(&f.from, "sender", "", "with --unsigned: the account that will sign (default: the wallet's)")
	flags.BoolVar(&f.blind, "no-simulate", false, "send it without having the node try it first")
}

func (f *sendFlags) given(name string) bool { return f.cmd.Flags().Changed(name) }

// sent is a transaction the node took.
type sent struct {
	Hash    string        `json:"transaction_hash"`
	Sender  string        `json:"sender"`
	Nonce   uint64        `json:"nonce"`
	Token   string        `json:"token_id,omitempty"` // that it creates
	Receipt *wire.Receipt `json:"receipt,omitempty"`
	File    string        `json:"unsigned,omitempty"` // with the transaction, which was not sent
	// Explanation tells where it failed and what was printed.
	Explanation *wire.Explanation `json:"explanation,omitempty"`
}

// send completes, signs and submits an instruction.
func (a *app) send(ctx context.Context, f *sendFlags, in tx.Instruction) (sent, error) {
	if f.unsigned != "" || f.from != "" {
		return a.prepare(ctx, f, in)
	}
	raw, err := a.senderKey(f.key)
	if err != nil {
		return sent{}, err
	}
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return sent{}, err
	}
	node := a.node()
	t, err := a.complete(ctx, f, node, key.Address(), in)
	if err != nil {
		return sent{}, err
	}
	hash := t.SigningHash()
	t.Signature = key.Sign(hash)
	result := sent{Hash: wire.Hash(hash), Sender: key.Address().String(), Nonce: t.Nonce}
	if err := submit(ctx, node, t.Encode()); err != nil {
		return result, err
	}
	if f.wait {
		receipt, err := node.Receipt(ctx, result.Hash, 200*time.Millisecond)
		if err != nil {
			return result, err
		}
		result.Receipt = &receipt
		if e := a.why(ctx, result.Hash); e.Failure != nil || e.Missing != nil || len(e.Printed) > 0 {
			result.Explanation = &e
		}
	}
	return result, nil
}

func submit(ctx context.Context, node *api.Client, encoded ...[]byte) error {
	body := codec.AppendLen([]byte{submissionTransactions}, len(encoded))
	for _, one := range encoded {
		body = append(body, one...)
	}
	reply, err := node.Submit(ctx, body)
	if err != nil {
		return err
	}
	for _, refused := range reply.Errors {
		if refused != nil {
			return &api.StatusError{Status: 400, Reply: *refused}
		}
	}
	return nil
}

// complete fills in what the flags leave open: chain id and nonce from the node, maximum fees at twice the basefee, limits that fit what the node measures,
// no higher than the balance can reserve. An explicit value is used as it is, zero included.
// Spec: node-rpc-cli §4.2; sdk §20.2; WP §17.10.
func (a *app) complete(ctx context.Context, f *sendFlags, node *api.Client, from account.Address, in tx.Instruction) (*tx.Tx, error) {
	var health wire.Health
	var fees wire.Basefee
	if err := node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	if err := node.Read(ctx, "/basefee", &fees); err != nil {
		return nil, err
	}
	owner, err := node.Account(ctx, from.String())
	if err != nil {
		return nil, err
	}
	metadata, balance := []byte(nil), owner.Balance
	if f.payer != "" {
		addr, err := parseAddress(f.payer)
		if err != nil {
			return nil, err
		}
		payer, err := node.Account(ctx, addr.String())
		if err != nil {
			return nil, err
		}
		metadata, balance = tx.PayerMetadata(addr), payer.Balance
		if value := uint64(tx.ValueOf(in)); balance <= math.MaxUint64-value {
			balance += value // which the sender has, as the node checks
		}
	}
	if balance == 0 {
		return nil, fmt.Errorf("%s holds no coins\n  ask a development network for some with `cowboy account faucet`", from)
	}
	t := &tx.Tx{
		ChainID: health.ChainID, Nonce: owner.Nonce, Instruction: in, From: from,
		CyclesLimit: unit.Cycles(f.cycles), CellsLimit: unit.Cells(f.cells),
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee,
		MaxPriorityFeePerCycle: f.tipCycle, MaxPriorityFeePerCell: f.tipCell, Metadata: metadata,
	}
	if f.given("nonce") {
		t.Nonce = f.nonce
	}
	if f.given("max-fee-per-cycle") {
		t.MaxFeePerCycle = f.maxCycle
	}
	if f.given("max-fee-per-cell") {
		t.MaxFeePerCell = f.maxCell
	}
	floor := t.Intrinsic()
	if !f.given("cycles-limit") {
		t.CyclesLimit = max(t.CyclesLimit, floor.Cycles)
	}
	if !f.given("cells-limit") {
		t.CellsLimit = max(t.CellsLimit, floor.Cells)
	}
	f.fit(t, balance, floor)
	if size := len(t.Encode()); size > params.MaxTxBytes {
		return nil, fmt.Errorf("the transaction has %d bytes, and a node takes at most %d\n  shorten its source or payload, or make several of it",
			size, params.MaxTxBytes)
	}
	if f.blind {
		return t, nil
	}
	return t, a.simulate(ctx, node, f, t, balance)
}

// fit lowers discovered limits in proportion until the balance can reserve them, never below the intrinsic cost. Only the
// part of the balance that is not handed over counts.
func (f *sendFlags) fit(t *tx.Tx, balance uint64, floor tx.Cost) {
	value := uint64(tx.ValueOf(t.Instruction))
	need, err := t.MaxFee()
	if value >= balance || err == nil && uint64(need) <= balance-value {
		return
	}
	spare := balance - value
	scale := func(limit, floor uint64, fixed bool) uint64 {
		if fixed || err != nil {
			return limit
		}
		hi, lo := bits.Mul64(limit, spare)
		if hi >= uint64(need) {
			return limit
		}
		scaled, _ := bits.Div64(hi, lo, uint64(need))
		return max(scaled, floor)
	}
	t.CyclesLimit = unit.Cycles(scale(uint64(t.CyclesLimit), uint64(floor.Cycles), f.given("cycles-limit")))
	t.CellsLimit = unit.Cells(scale(uint64(t.CellsLimit), uint64(floor.Cells), f.given("cells-limit")))
}

// errFailed is the exit status of a transaction that was included but failed; its receipt has been printed.
var errFailed = errors.New("the transaction failed")

// sendAndShow sends an instruction and shows what became of it.
func (a *app) sendAndShow(ctx context.Context, flags *sendFlags, in tx.Instruction) error {
	result, err := a.send(ctx, flags, in)
	if err != nil {
		return err
	}
	return a.showSent(result, "", "")
}

// showSent prints a submission: lines first, then the receipt if one was awaited.
func (a *app) showSent(s sent, before, after string) error {
	if a.asJSON {
		if err := a.showJSON(s); err != nil {
			return err
		}
	} else if s.File != "" {
		fmt.Fprintf(a.out, "Transaction hash: %s\n%s is not signed and was not sent; `cowboy tx sign %s --out FILE` signs it where the key of %s is\n",
			s.Hash, s.File, s.File, s.Sender)
	} else {
		fmt.Fprintf(a.out, "%sTransaction hash: %s\n%s", before, s.Hash, after)
		if s.Receipt != nil {
			fmt.Fprint(a.out, receiptText(*s.Receipt))
		}
		if s.Explanation != nil {
			fmt.Fprint(a.out, a.whyText(*s.Explanation))
		}
	}
	if s.Receipt != nil && !s.Receipt.Success {
		return silent{errFailed}
	}
	return nil
}

func receiptText(r wire.Receipt) string {
	text := fmt.Sprintf("Status: %s\nBlock: %d\nCycles used: %d\nCells used: %d\nFee: %s CBY (%s burned)\n",
		r.Status, r.BlockHeight, r.CyclesUsed, r.CellsUsed, unit.Amount(r.FeePaid).CBY(), unit.Amount(r.FeeBurned).CBY())
	if r.ActorAddress != "" {
		text += "Actor address: " + r.ActorAddress + "\n"
	}
	if r.ReturnText != "" {
		text += "Returned: " + r.ReturnText + "\n"
	} else if r.ReturnData != "" {
		text += "Returned: 0x" + r.ReturnData + "\n"
	}
	for _, e := range r.Events {
		text += eventText(e)
	}
	if r.Error != nil {
		text += fmt.Sprintf("Error: %s %s\n  why: %s\n  fix: %s\n", r.Error.Slug, r.Error.What, unitext.PlainLine(r.Error.Why), r.Error.Fix)
	}
	return text
}

func eventText(e wire.Event) string {
	data := e.Text
	if data == "" && e.Data != "" {
		data = "0x" + e.Data
	}
	return fmt.Sprintf("Event: %s %s %s\n", e.Actor, unitext.PlainLine(e.Topic), data)
}

func (a *app) transferCommand() *cobra.Command {
	var to, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "transfer", SuggestFor: []string{"send", "pay"}, Short: "Send coins to an account", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(to)
			if err != nil {
				return err
			}
			value, err := parseCBY(amount)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Transfer{To: target, Amount: value})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "receiving account")
	cmd.Flags().StringVar(&amount, "amount", "", "amount in CBY")
	require(cmd, "to", "amount")
	flags.register(cmd, 21_000, 0)
	return cmd
}

// require marks flags that a command cannot do without.
func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
}
