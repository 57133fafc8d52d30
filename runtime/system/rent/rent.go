package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Codes of HostError. Spec: sdk §18.
const (
	hostInput     = 2
	hostMissing   = 3
	hostForbidden = 5
	hostLimit     = 8
)

// Classes of exceptions that more than one reject has.
const (
	classForbidden  = "RentForbiddenError"
	classInput      = "RentInputError"
	classLimit      = "RentLimitError"
	classPermission = "RentPermissionError"
)

// New gives the chapter.
//
// Spec: rent §11; sdk §14.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterRent, Homes: []byte{account.Governance},
		Instructions: []chapter.Instruction{
			chapter.On(func(e *chapter.Env, in *tx.UpdateRentConfig) ([]byte, error) {
				return nil, e.Configure(params.KeyRent, in.Config.Append(nil), rent.TopicConfig)
			}),
			chapter.On(func(e *chapter.Env, in *tx.SettleActorRent) ([]byte, error) {
				if err := billed(e, in.Actor); err != nil {
					return nil, err
				}
				return nil, e.Bill(in.Actor)
			}),
			chapter.On(func(e *chapter.Env, in *tx.SetActorQuota) ([]byte, error) {
				if err := administers(e, in.Actor); err != nil {
					return nil, err
				}
				return nil, note(e)(e.Block.Rent.SetQuota(e.State, e.Sender, in.Actor, in.QuotaBytes))
			}),
			chapter.On(func(e *chapter.Env, in *tx.PayRent) ([]byte, error) {
				return nil, note(e)(e.Block.Rent.Pay(e.State, e.Sender, in.Actor, in.Epochs))
			}),
			chapter.On(restore),
		},
		Syscalls: syscalls(), End: end, Escrow: rent.Bonds, Faults: faults(), Claims: rent.Claims(),
	}
}

// note hands on what a rule has caused.
func note(e *chapter.Env) func(rent.Notes, error) error {
	return func(n rent.Notes, err error) error {
		if err == nil {
			e.Effects.Note(n)
		}
		return err
	}
}

// billed refuses an address that pays no rent.
func billed(e *chapter.Env, addr account.Address) error {
	a, ok, err := account.Find(e.State, addr)
	switch {
	case err != nil:
		return err
	case addr.IsReserved():
		return rent.ErrExempt
	case !ok || a.Kind != account.Actor:
		return rent.ErrNoActor
	}
	return nil
}

// administers refuses whoever is neither the actor nor who deployed it.
//
// Spec: rent §10.
func administers(e *chapter.Env, addr account.Address) error {
	a, err := account.Load(e.State, addr)
	if err == nil && a.Kind == account.Actor && e.Sender != addr && e.Sender != a.Creator {
		err = rent.ErrAdmin
	}
	return err
}

// Who pays for a restoration.
const (
	paySender = iota
	payActor
)

// restore gives an actor a piece of its storage back. Each entry costs what writing it does.
//
// Spec: rent §9; WP §17.3, §17.4.
func restore(e *chapter.Env, in *tx.RestoreActor) ([]byte, error) {
	p := rent.Piece{Payer: e.Sender, Actor: in.Actor, From: in.From, Data: in.Entries, Proof: in.Proof}
	switch in.PayFrom {
	case paySender:
	case payActor:
		p.Payer = in.Actor
	default:
		return nil, chapter.Refuse(drain.FaultInput, "pay_from is 0, the sender, or 1, the actor")
	}
	if in.QuotaBytes != nil {
		p.Quota = *in.QuotaBytes
	}
	return nil, bring(e, p)
}

// reads takes the price of reading the bytes of a piece, whatever comes of it.
//
// Spec: WP §17.3 (deserialization).
func reads(e *chapter.Env, bytes int) error {
	return e.Charge(e.Costs().SerializeBase+unit.Cycles(bytes)*e.Costs().SerializePerByte, 0)
}

// bring charges a piece before anything is hashed or written.
func bring(e *chapter.Env, p rent.Piece) error {
	if len(p.Data) > 0 {
		list, err := rent.ReadEntries(p.Data)
		if err != nil {
			return err
		}
		if err := e.Charge(unit.Cycles(len(list))*e.Costs().StorageWrite, unit.Cells(len(p.Data))*e.Costs().CellsPerByteWritten); err != nil {
			return err
		}
	}
	return note(e)(e.Block.Rent.Restore(e.State, p))
}

// whole is a piece with all of a storage: its proof needs no digests.
func whole(payer, actor account.Address, data []byte) (rent.Piece, error) {
	p := rent.Piece{Payer: payer, Actor: actor, Data: data}
	if len(data) == 0 {
		return p, nil
	}
	list, err := rent.ReadEntries(data)
	if err == nil {
		p.Proof = (&mmr.Proof{Leaves: uint64(len(list))}).Append(nil)
	}
	return p, err
}

// faults are the rejects of package chain/rent.
//
// Spec: sdk §18.
func faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: rent.ErrNoActor, Code: drain.FaultActor, Class: "RentActorError", Host: hostMissing},
		{Err: rent.ErrExempt, Code: drain.FaultForbidden, Class: classForbidden, Host: hostForbidden},
		{Err: rent.ErrNothing, Code: drain.FaultInput, Class: classInput, Host: hostInput},
		{Err: rent.ErrEpochs, Code: drain.FaultLimit, Class: classLimit, Host: hostLimit},
		{Err: rent.ErrDormant, Code: drain.FaultDormant, Class: "RentDormantError", Host: hostForbidden},
		{Err: rent.ErrRuns, Code: drain.FaultForbidden, Class: classForbidden, Host: hostForbidden},
		{Err: rent.ErrEvicting, Code: drain.FaultForbidden, Class: classForbidden, Host: hostForbidden},
		{Err: rent.ErrQuotaRange, Code: drain.FaultInput, Class: classInput, Host: hostInput},
		{Err: rent.ErrQuotaUsed, Code: drain.FaultLimit, Class: classLimit, Host: hostLimit},
		{Err: rent.ErrQuotaNeeded, Code: drain.FaultLimit, Class: classLimit, Host: hostLimit},
		{Err: rent.ErrAdmin, Code: drain.FaultPermission, Class: classPermission, Host: hostForbidden},
		{Err: rent.ErrPiece, Code: drain.FaultInput, Class: classInput, Host: hostInput},
		{Err: rent.ErrProof, Code: drain.FaultInput, Class: classInput, Host: hostInput},
		{Err: rent.ErrPlace, Code: drain.FaultInput, Class: classInput, Host: hostInput},
		{Err: rent.ErrPay, Code: drain.FaultValue, Class: "RentBalanceError", Host: hostInput},
	}
}

// syscalls are what the SDK's rent and storage offer. rent_set_quota is an extension: the published SDK has no way to lock a bond.
//
// Spec: rent §5, §9, §10; WP-January "Rent Payment Options", "Storage Restoration".
func syscalls() []chapter.Syscall {
	const maybe = chapter.Optional
	return []chapter.Syscall{
		{Name: "rent_prepay", Sig: "epochs", Args: []chapter.Kind{chapter.Number}, Run: func(e *chapter.Env, a chapter.Args) (any, error) {
			return nil, pay(e, e.Sender, a.Number(0))
		}},
		{Name: "rent_sponsor", Sig: "actor_address, epochs", Args: []chapter.Kind{chapter.Address, chapter.Number},
			Run: func(e *chapter.Env, a chapter.Args) (any, error) { return nil, pay(e, a.Address(0), a.Number(1)) }},
		{Name: "rent_status", Reads: true, Run: func(e *chapter.Env, _ chapter.Args) (any, error) { return status(e) }},
		{Name: "rent_set_quota", Sig: "quota_bytes", Args: []chapter.Kind{chapter.Number}, Run: func(e *chapter.Env, a chapter.Args) (any, error) {
			if err := writes(e); err != nil {
				return nil, err
			}
			return nil, note(e)(e.Block.Rent.SetQuota(e.State, e.Sender, e.Sender, a.Number(0)))
		}},
		{
			Name: "storage_restore", Sig: "actor_address, storage_data, pay_from=None",
			Args: []chapter.Kind{chapter.Address, chapter.Bytes, chapter.Address | maybe}, Run: restoreWhole,
		},
	}
}

// restoreWhole restores an actor with all of its storage at once; the calling actor pays, or the one that is restored.
//
// Spec: WP-January "Storage Restoration".
func restoreWhole(e *chapter.Env, a chapter.Args) (any, error) {
	payer := e.Sender
	if a.Has(2) {
		payer = a.Address(2)
	}
	if payer != e.Sender && payer != a.Address(0) {
		const why = "pay_from is the calling actor or the one that is restored"
		return nil, chapter.Reject(drain.FaultPermission, classPermission, hostForbidden, why)
	}
	if err := running(e); err != nil {
		return nil, err
	}
	if err := reads(e, len(a.Bytes(1))); err != nil {
		return nil, err
	}
	p, err := whole(payer, a.Address(0), a.Bytes(1))
	if err != nil {
		return nil, err
	}
	return nil, bring(e, p)
}

// running refuses where nobody is billed, as in a test of a handler without a chain.
func running(e *chapter.Env) error {
	if e.Block.Rent == nil {
		return chapter.Reject(drain.FaultUnavailable, "NotAvailableError", hostForbidden, "there is no chain here that bills anybody")
	}
	return nil
}

// writes charges a change of an account and of a record.
func writes(e *chapter.Env) error {
	if err := running(e); err != nil {
		return err
	}
	return e.Charge(2*e.Costs().StorageWrite, 0)
}

func pay(e *chapter.Env, actor account.Address, epochs uint64) error {
	if err := writes(e); err != nil {
		return err
	}
	return note(e)(e.Block.Rent.Pay(e.State, e.Sender, actor, epochs))
}

// status is the rent of the actor that asks. What it would be billed for was billed before it ran.
//
// Spec: WP-January "Rent Payment Options" (status).
func status(e *chapter.Env) (any, error) {
	if err := running(e); err != nil {
		return nil, err
	}
	if err := e.Charge(2*e.Costs().StorageRead, 0); err != nil {
		return nil, err
	}
	mark := e.State.Mark()
	s, err := e.Block.Rent.Look(e.State, e.Sender)
	e.State.Revert(mark)
	if err != nil {
		return nil, err
	}
	var balance any
	if n, ok := s.BalanceEpochs(); ok {
		balance = n
	}
	return cbor.Map{
		{Key: "paid_through_epoch", Value: s.PaidThrough()}, {Key: "balance_epochs", Value: balance}, {Key: "state", Value: s.State()},
		{Key: "epoch", Value: s.Epoch}, {Key: "epoch_rent", Value: uint64(s.Due)}, {Key: "owed", Value: uint64(s.Owed)},
		{Key: "reserve", Value: uint64(s.Reserve)},
	}, nil
}
