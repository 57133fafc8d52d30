package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Spec: storage-cbfs; runner-marketplace §3; WP §9.
var relayRows = chapter(ChapterRelay,
	Row{Opcode: 85, Name: "SubmitDrainRelayProposal", Home: account.RelayRegistry, Lane: params.LaneUser},
	Row{Opcode: 86, Name: "SubmitAutoDrainPolicyProposal", Home: account.RelayRegistry, Lane: params.LaneUser},
)
