package treasury_test

import (
	"encoding/binary"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemtreasury "github.com/cowboyinc/cowboy-go/runtime/system/treasury"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// A vote awards a tenth of a bucket of which a half is unlocked, somebody claims it for the beneficiary, another vote revokes the rest. Every block's coins
// add up, which the kit checks.
//
// Spec: WP §8.3, §9 (0x08); governance-staking B4.
func TestGrantByVote(t *testing.T) {
	const amount = 20_000_000 * unit.CBY
	spec, err := genesis.Devnet(testkit.ChainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	spec.Buckets = []genesis.Bucket{{Name: "airdrops", Amount: amount, UnlockedBPS: 5_000, CliffMonths: 6, Terms: "2 drops"}}
	spec.TotalSupply += amount
	set, _, err := genesis.DevValidators(1)
	if err != nil {
		t.Fatal(err)
	}
	c := testkit.NewChainFrom(t, spec)
	validator, rich := c.Impersonate(set[0].Account.Address()), c.Impersonate(genesis.DevFaucet().Address())
	alice, to := c.Account("alice"), account.Address{7, 7}
	pass := func(p govern.Payload) {
		t.Helper()
		deposit := params.Genesis().Governance.Tiers[2].Deposit
		x := rich.Do(&tx.SubmitProposal{Tier: 2, Title: digest.Hash{7}, Payload: govern.EncodePayload(p), Deposit: deposit}, 500_000, 100_000)
		if x.Status != block.Success {
			t.Fatalf("%+v", x.Fault)
		}
		id := binary.BigEndian.Uint64(x.ReturnData)
		for range 10_000 {
			one, err := govern.Load(c.State(), id)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case one.Status == govern.TempCheck || one.Status == govern.Voting:
				validator.Do(&tx.CastVote{Proposal: id}, 500_000, 100_000)
				c.AdvanceTo(one.Deadline)
			case one.Status == govern.Queued && c.Height()+1 >= one.ExecutableAt:
				rich.Do(&tx.ExecuteProposal{Proposal: id}, 500_000, 100_000)
			case one.Status == govern.Executed:
				return
			case one.Status == govern.Queued:
				c.AdvanceTo(one.ExecutableAt - 1)
			default:
				c.Mine()
			}
		}
		t.Fatal("the proposal is not executed")
	}
	claim := func(grant uint64) *block.Receipt {
		in := &tx.Execute{To: account.System(account.Treasury), Payload: binary.BigEndian.AppendUint64(nil, grant)}
		in.Handler = []byte(systemtreasury.HandlerClaim)
		return alice.Do(in, 100_000, 10_000)
	}
	refused := func(grant uint64, code uint16) {
		t.Helper()
		if x := claim(grant); x.Status != block.Faulted || x.Fault.Code != code {
			t.Errorf("grant %d: %v %+v, want code %d", grant, x.Status, x.Fault, code)
		}
	}
	refused(1, drain.FaultMissing)
	pass(&govern.GrantAward{Award: treasury.Award{Bucket: "airdrops", To: to, Amount: amount / 10, Revocable: true}})
	if x := claim(1); x.Status != block.Success || binary.BigEndian.Uint64(x.ReturnData) != uint64(amount/20) {
		t.Fatalf("%v %+v %x", x.Status, x.Fault, x.ReturnData)
	}
	if got := c.Balance(to); got != amount/20 {
		t.Errorf("the beneficiary has %d", got)
	}
	refused(1, drain.FaultForbidden)
	pass(&govern.GrantRevoke{Grant: 1})
	if got, err := treasury.Awarded(c.State(), "airdrops"); err != nil || got != amount/20 {
		t.Errorf("%d awarded, %v", got, err)
	}
	wrong := &tx.Execute{To: account.System(account.Treasury), Handler: []byte("claim"), Payload: []byte("1")}
	if x := alice.Do(wrong, 100_000, 10_000); x.Fault.Code != drain.FaultInput {
		t.Errorf("an argument that is no number: %+v", x.Fault)
	}
}
