package recorded

import (
	"bytes"
	"crypto/elliptic"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// runners is how many people are runners from the beginning.
const runners = 5

// enrol registers them.
func (p *player) enrol() {
	for _, one := range p.people[:runners] {
		r := one.Do(&tx.RunnerRegister{
			PublicKey: one.PublicKey(), Stake: 2 * params.RunnerStakeFloor, RateCard: runner.RateCard{MaxJobValue: unit.CBY},
			Capabilities: runner.Capabilities{
				JobTypes: []runner.Name{{Name: "container"}, {Name: "llm"}}, MaxConcurrentJobs: 3, CPUMillicores: 2_000, MemoryMB: 2_048, ScratchMB: 4_096,
			},
		}, 100_000, 5_000)
		p.count[fmt.Sprintf("%v %v", tx.OpRunnerRegister, r.Status)]++
	}
}

// keyOf is the key of a person, which the kit makes of the name.
func keyOf(i int) *sig.PrivateKey {
	secret := digest.Keccak256([]byte(fmt.Sprint("testkit account person ", i)))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		panic(err)
	}
	return key
}

// working is a person who is selected for an open job, and the job; or anybody, and a job there may be.
func (p *player) working() (who int, id digest.Hash) {
	if len(p.jobs) > 0 {
		id = p.jobs[len(p.jobs)-1-p.draw.IntN(min(len(p.jobs), 3))]
	}
	who = p.draw.IntN(len(p.people))
	s, err := market.LoadSelection(p.chain.State(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	if s == nil || len(s.Selected) == 0 || p.draw.IntN(8) == 0 {
		return who, id
	}
	at := s.Selected[p.draw.IntN(len(s.Selected))]
	for i, one := range p.people {
		if one.Address() == at {
			who = i
		}
	}
	return who, id
}

// market draws an instruction about jobs; from is who sends it, nil for anybody.
func (p *player) market() (in tx.Instruction, from *testkit.Account) {
	switch p.draw.IntN(14) {
	case 10, 11, 12, 13:
		return &tx.Heartbeat{Accepting: true}, p.people[p.draw.IntN(runners)]
	case 0, 1:
		return &tx.JobSubmit{Spec: p.asked().Append(nil)}, nil
	case 2:
		_, id := p.working()
		return &tx.JobCancel{JobID: id}, nil
	case 3:
		who, id := p.working()
		return &tx.SubmitCrashAttestation{JobID: id, Signal: uint64(p.draw.IntN(5))}, p.people[who]
	}
	who, id := p.working()
	answer := []byte{'"', 'a' + byte(p.draw.IntN(3)/2), '"'} // two of three say the same
	if c, err := market.LoadCommitment(p.chain.State(), id, p.people[who].Address()); err != nil {
		p.t.Fatal(err)
	} else if c != nil && p.said[id] != nil {
		answer = p.said[id][who]
	}
	o := &verify.Output{Data: answer, Usage: verify.Usage{OutputTokens: 7}}
	r := verify.Sign(keyOf(who), id, o.Append(nil))
	if p.draw.IntN(2) == 0 {
		if p.said[id] == nil {
			p.said[id] = map[int][]byte{}
		}
		if p.said[id][who] == nil {
			p.said[id][who] = answer
		}
		return &tx.JobResultCommit{JobID: id, Commitment: verify.Commitment(r.Output, r.Salt)}, p.people[who]
	}
	return &tx.JobResultSubmit{JobID: id, Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof}, p.people[who]
}

// asked draws a job.
func (p *player) asked() *job.Spec {
	s := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 10},
		Bounds: job.ResourceBounds{MaxOutputTokens: 10, MaxWallTimeSeconds: 9, MaxRetries: uint32(p.draw.IntN(3))},
		Schema: job.ResultSchema{MaxReturnBytes: 100}, MaxPrice: unit.CBY / 20, Tip: unit.Amount(p.draw.IntN(9)), TimeoutBlocks: 80 + p.draw.Uint64N(100),
		Verification: job.Verification{Mode: job.Mode(p.draw.IntN(5)), DisputeBlocks: p.draw.Uint64N(30)},
	}
	if s.Verification.Mode > job.ModeEconomicBond {
		s.Verification.Runners = 2 + uint32(p.draw.IntN(2))
	}
	if s.Verification.Mode == job.ModeDeterministic {
		s.Verification.Checks = []job.Check{{Kind: job.CheckInference, Inference: job.Inference{Seed: 7, Toolchain: digest.Hash{1}}}}
	}
	if p.draw.IntN(6) == 0 {
		small := "small"
		s.Kind, s.LLM, s.Runtime = job.Container, nil, &job.Runtime{Repository: "runner-python", Digest: digest.Hash{1}, Class: &small}
	}
	return s
}

// trust draws an instruction about delegated stake, models and trusted environments.
func (p *player) trust() tx.Instruction {
	amount := unit.Amount(p.draw.IntN(3_000)) * unit.CBY
	switch p.draw.IntN(10) {
	case 0:
		terms := runner.DelegationTerms{Accept: true, CommissionBPS: 500 + uint32(p.draw.IntN(500)), MinDelegation: 1_000 * unit.CBY}
		return &tx.RunnerUpdateDelegationConfig{Config: terms}
	case 1:
		return &tx.RunnerDelegateStake{Runner: p.person().Address(), Amount: amount}
	case 2:
		return &tx.RunnerIncreaseDelegation{Tranche: p.draw.Uint64N(4), Amount: amount}
	case 3:
		return &tx.RunnerUndelegateStake{Runner: p.person().Address(), Amount: amount}
	case 4:
		return &tx.RunnerClaimUnbonded{Tranches: []tx.TrancheID{{ID: p.draw.Uint64N(4)}}}
	case 5:
		return &tx.ModelPublish{Weights: digest.Hash{byte(p.draw.IntN(4))}}
	case 6:
		return &tx.ModelWithdraw{Model: p.model()}
	case 7:
		expires := uint64(p.chain.Height()) + 9
		return &tx.SubmitTeeAttestation{
			JobID: digest.Hash{1}, TeeType: []byte("tdx"), MeasurementHash: digest.Hash{1}, ExpiresAt: expires, Signature: make([]byte, 64),
		}
	case 8:
		return &tx.VerifyCae{JobID: digest.Hash{1}, ResultHash: digest.Hash{byte(p.draw.IntN(3))}, CAE: []byte{0xa0}, Vouch: make([]byte, 64)}
	}
	return &tx.RevokeTeeAttestation{JobID: digest.Hash{1}, Runner: p.person().Address()}
}

// model is the identity of one that there may be.
func (p *player) model() digest.Hash {
	return model.Revision{Weights: digest.Hash{byte(p.draw.IntN(4))}}.ID()
}

// decided draws an instruction of the administrator about the market, and about the code of a system actor nobody needs.
func (p *player) decided() tx.Instruction {
	now, name := params.Genesis(), []byte("runner-python")
	code := []byte(fmt.Sprintf("def init(p):\n    return b\"%d\"\n", p.draw.IntN(9)))
	bank := account.System(account.Bank)
	base := elliptic.P256().Params()
	switch p.draw.IntN(20) {
	case 19:
		return &tx.UpdateCollateral{TeeType: []byte("tdx"), Roots: bytes.Repeat([]byte{1 + byte(p.draw.IntN(9))}, digest.Size)}
	case 18:
		who := p.people[len(p.people)-1]
		return &tx.ForcedDeregisterCbssProxy{Proxy: secret.ProxyID(who.Address(), who.PublicKey())}
	case 0, 1:
		return &tx.RegisterBaseImage{Name: name, Digest: digest.Hash{1}, SizeBytes: 1 + p.draw.Uint64N(9), Platforms: []tx.Platform{{Name: "linux/amd64"}}}
	case 2:
		return &tx.DeregisterBaseImage{Name: name}
	case 3:
		return &tx.RegisterResourceClass{Name: []byte("small"), CPUMillicores: 1 + p.draw.Uint64N(9), MemoryMiB: 1, MaxDurationSec: 1}
	case 4:
		return &tx.DeregisterResourceClass{Name: []byte("small")}
	case 5:
		key := append(append([]byte{4}, base.Gx.FillBytes(make([]byte, 32))...), base.Gy.FillBytes(make([]byte, 32))...)
		return &tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{1}, PublicKey: key}
	case 6:
		if p.draw.IntN(2) == 0 {
			return &tx.DeprecateBinding{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{1}}
		}
		return &tx.RevokeTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{1}}
	case 7:
		return &tx.ExecutorRegistryPin{Name: []byte("resize"), Executor: digest.Hash{byte(p.draw.IntN(3))}}
	case 8:
		return &tx.ExecutorRegistryUnpin{Name: []byte("resize")}
	case 9:
		return &tx.UpdateCommitteeConfig{Config: now.Committee}
	case 10:
		return &tx.UpdateAggregatorConfig{Config: params.AggregatorConfig{BonusBPS: 100 + uint32(p.draw.IntN(99))}}
	case 11:
		return &tx.UpdateNonRevealConfig{Config: now.NonReveal}
	case 12:
		return &tx.UpdateSimilarityModel{Model: []byte(now.SimilarityModel)}
	case 13:
		return &tx.ModelMark{Model: p.model(), Mark: p.draw.Uint64N(3)}
	case 14:
		return &tx.UpdateSettlementConfig{TargetPool: p.draw.Uint64N(7), Split: now.Settlement}
	case 15:
		return &tx.DeployCode{Code: code}
	case 16:
		c := govern.Code{Hash: digest.Keccak256(code)}
		return &tx.UpgradeSystemActor{Actor: bank, Code: c.Append(nil), Window: 168}
	}
	return &tx.UpgradeSystemActor{Act: tx.ActRollback, Actor: bank}
}
