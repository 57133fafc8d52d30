package secret

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// escrow is the sum of the block that stakes and bonds grow by.
const escrow = "escrow"

// config are the governed parameters, at the tier of market parameters.
//
// Spec: secrets-cbss §6; governance-staking B3.
func config() chapter.Param {
	c := secret.Defaults(params.Genesis())
	return chapter.Param{Key: secret.KeyConfig, Default: c.Encode(), Tier: 1, Check: secret.CheckConfig}
}

// New gives the chapter.
//
// Spec: secrets-cbss §4; WP §9.
func New() *chapter.Chapter {
	c := &chapter.Chapter{
		Name: tx.ChapterSecret, Homes: []byte{account.SecretsManager}, Syscalls: []chapter.Syscall{store()},
		Handlers: seals(), End: end, Escrow: secret.Escrow, Faults: Faults(), Claims: secret.Claims(string(tx.ChapterSecret)),
		Params: []chapter.Param{config()},
	}
	c.Instructions = append(secrets(), proxies()...)
	return c
}

// open is the service as a turn sees it.
func open(e *chapter.Env) (*secret.Service, error) {
	c, err := secret.LoadConfig(e.State, e.Block.Params)
	return &secret.Service{
		State: e.State, Config: c, ChainID: e.Block.ChainID, Height: e.Block.Height, Seed: e.Block.Seed, Bill: e.Bill, Free: e.Block.Rent.Spendable,
		Emit: func(topic string, data []byte) { noted(e, topic, data) },
	}, err
}

// noted adds an event, which is in the price of what causes it.
func noted(e *chapter.Env, topic string, data []byte) {
	notedBy(e, account.System(account.SecretsManager), topic, data)
}

// notedBy is noted for an event of another address.
func notedBy(e *chapter.Env, source account.Address, topic string, data []byte) {
	priced := e.Priced
	e.Priced = false
	_ = e.EmitAs(source, topic, data) // fails for its price alone
	e.Priced = priced
}

// on makes an instruction of a function over the service. What it holds and burns goes into the block's sums.
func on[T tx.Instruction](run func(e *chapter.Env, s *secret.Service, in T) ([]byte, error)) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) {
		s, err := open(e)
		if err != nil {
			return nil, err
		}
		out, err := run(e, s, in)
		var missing *account.ShortfallError
		if errors.As(err, &missing) {
			return nil, short(missing)
		}
		if err != nil {
			return nil, err
		}
		e.Sum(escrow, s.Held)
		e.Effects.Burn(string(tx.ChapterSecret), s.Burned)
		return out, nil
	})
}

// secrets are the instructions of owners.
//
// Spec: secrets-cbss §4 (68 to 71, 77, 78, 83).
func secrets() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, s *secret.Service, in *tx.SetSecret) ([]byte, error) {
			version, err := s.Set(named(e, in.KeyHash), in.Policy(), in.Sealed(), in.Override(), e.Turn.ID)
			return codec.AppendU64(nil, version), err
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.FinalizeSecretVersion) ([]byte, error) {
			return nil, s.Finalize(named(e, in.KeyHash), in.Version, &secret.Sealed{Epoch: in.WrapEpoch, Pointer: in.Pointer, Wrapped: in.Wrapped})
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.UpdateSecretPolicy) ([]byte, error) {
			return nil, s.SetPolicy(named(e, in.KeyHash), in.Version, in.Policy())
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.DeleteSecretVersion) ([]byte, error) {
			return nil, s.Delete(named(e, in.KeyHash), in.Version)
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.DeleteSecret) ([]byte, error) {
			return nil, s.DeleteAll(named(e, in.KeyHash), func() error { return e.Charge(params.CostSecretDeleteEach, params.SecretRecordCells) })
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.RequestAccountDkg) ([]byte, error) {
			return nil, s.RequestKey(e.Sender, in.Account)
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.RequestReshare) ([]byte, error) {
			of, err := secret.ParseScope(in.Scope)
			if err != nil {
				return nil, err
			}
			return nil, s.Reshare(of, e.Sender)
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.ExpireDkgPending) ([]byte, error) {
			of, err := secret.ParseScope(in.Scope)
			if err != nil {
				return nil, err
			}
			return nil, s.Expire(of, e.Sender)
		}),
	}
}

// named is a secret of the sender's.
func named(e *chapter.Env, key digest.Hash) cbss.SecretID {
	return cbss.SecretID{Account: e.Sender, KeyHash: key}
}

// proxies are the instructions of proxies, committees and runners, and those of time locks.
//
// Spec: secrets-cbss §4 (72 to 76, 79 to 82, 84, 152, 153).
func proxies() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, s *secret.Service, in *tx.RegisterCbssProxy) ([]byte, error) {
			id, err := s.Register(e.Sender, secret.Terms{
				Key: in.PublicKey, HPKE: in.HPKE, TLS: in.TLS, Address: string(in.NetworkAddr), Stake: in.Stake,
			})
			return id[:], err
		}),
		on(func(e *chapter.Env, s *secret.Service, _ *tx.DeregisterCbssProxy) ([]byte, error) {
			id, err := secret.ProxyOf(e.State, e.Sender)
			if err != nil {
				return nil, err
			}
			return nil, s.Deregister(id)
		}),
		on(func(_ *chapter.Env, s *secret.Service, in *tx.ForcedDeregisterCbssProxy) ([]byte, error) {
			return nil, s.Deregister(in.Proxy)
		}),
		on(func(_ *chapter.Env, s *secret.Service, in *tx.RotateCommittee) ([]byte, error) {
			of, err := secret.ParseScope(in.Scope)
			if err != nil {
				return nil, err
			}
			signed, prior := in.Signed()
			return nil, s.Rotate(of, in.Generation(), in.Master, signed, prior)
		}),
		on(func(_ *chapter.Env, s *secret.Service, in *tx.SlashCbssProxy) ([]byte, error) {
			return nil, s.Slash(in.Proxy, secret.Fault(in.Fault), in.Evidence)
		}),
		on(func(_ *chapter.Env, s *secret.Service, in *tx.SubmitReleaseReceipt) ([]byte, error) {
			return nil, s.Record(in.Proof())
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.SubmitLivenessChallenge) ([]byte, error) {
			id, err := s.Challenge(e.Sender, in.Request, in.Proxy)
			return id[:], err
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.LivenessChallengeResponse) ([]byte, error) {
			return nil, s.Respond(in.Challenge, e.Sender, secret.Reason(in.Reason))
		}),
		on(func(_ *chapter.Env, s *secret.Service, in *tx.ExpireLivenessChallenge) ([]byte, error) {
			return nil, s.Unanswer(in.Challenge)
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.RegisterTlock) ([]byte, error) {
			id, err := s.Lock(e.Sender, in.KeyHash, in.Round(), in.Sealed())
			return id[:], err
		}),
		on(func(e *chapter.Env, s *secret.Service, in *tx.SubmitTlockRelease) ([]byte, error) {
			return nil, s.Unlock(in.Lock, e.Sender, in.Proxy, in.Epoch, in.Partial)
		}),
	}
}

// end does what is due at the end of a block, and adds up what is held.
//
// Spec: secrets-cbss §5, §6.
func end(b *chapter.Boundary) error {
	c, err := secret.LoadConfig(b.State, b.Block.Params)
	if err != nil {
		return err
	}
	s := &secret.Service{
		State: b.State, Config: c, ChainID: b.Block.ChainID, Height: b.Block.Height, Seed: b.Block.Seed, Bill: b.Bill,
		Free: b.Block.Rent.Spendable, Emit: b.Emit,
	}
	if err := s.End(); err != nil {
		return err
	}
	b.Burn(string(tx.ChapterSecret), s.Burned)
	return secret.AddEscrow(b.State, b.Sum(escrow)+s.Held)
}

// Settle has whoever submits a job pay what it owes for releases. A reject, of its own fault: it owes more than sixteen fees and has too little.
//
// Spec: secrets-cbss §5 (Debt: cannot submit jobs until FundActor has paid).
func Settle(e *chapter.Env, submitter account.Address) error {
	d, err := secret.LoadDebt(e.State, submitter)
	if err != nil || d == nil || !d.Delinquent {
		return err
	}
	if err := e.Charge(unit.Cycles(len(d.Owed))*params.CostDebtPayment, 0); err != nil {
		return err
	}
	s, err := open(e)
	if err != nil {
		return err
	}
	if err = s.Settle(submitter); errors.Is(err, secret.ErrFunds) {
		return chapter.Reject(FaultFunds, "HostError", 6, "%v", err)
	}
	return err
}

// cells is what so many bytes of state cost.
func cells(e *chapter.Env, n int) unit.Cells { return unit.Cells(n) * e.Costs().CellsPerByteWritten }
