package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// Topics of the events that announce a change. Spec: governance-staking B9.
const (
	TopicBasefee = "basefee_config.updated"
	TopicLanes   = "lane_fee_multipliers.updated"
)

// New gives the chapter. The intrinsic costs of its instructions cover them.
//
// Spec: governance-staking B10 (40, 44 to 47, 51, 89, 104 to 107).
func New() *chapter.Chapter {
	g := &groups{chapters: map[string]*chapter.Param{}}
	return &chapter.Chapter{
		Name: tx.ChapterGovern, Homes: []byte{account.Governance}, Join: g.join,
		Instructions: []chapter.Instruction{
			chapter.On(g.submit), chapter.On(g.vote), chapter.On(g.execute), chapter.On(g.withdraw), chapter.On(g.council),
			chapter.On(func(e *chapter.Env, in *tx.UpdateBasefeeConfig) ([]byte, error) {
				return nil, e.Configure(params.KeyBasefee, in.Config.Append(nil), TopicBasefee)
			}),
			chapter.On(func(e *chapter.Env, in *tx.UpdateLaneFeeMultipliers) ([]byte, error) {
				return nil, e.Configure(params.KeyLanes, in.Multipliers.Append(nil), TopicLanes)
			}),
			chapter.On(deprecate), chapter.On(settlement), chapter.On(g.upload), chapter.On(g.direct), chapter.On(g.drainRelay),
			chapter.On(g.drainPolicy),
		},
		Params: pools(), End: g.end, Escrow: govern.Escrow, Faults: faults(), Claims: govern.Claims(),
	}
}

// deprecate replaces what the registry of entitlements is about to lose.
//
// Spec: ENT §9.10, §9.11 (announcement, window).
func deprecate(e *chapter.Env, in *tx.UpdateEntitlementConfig) ([]byte, error) {
	if err := announced(e.Block, &in.Config); err != nil {
		return nil, err
	}
	return nil, e.Configure(params.KeyEntitlements, in.Config.Append(nil), entitle.TopicConfig)
}
