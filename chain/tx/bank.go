package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Spec: gateway-payments-streams; runner-marketplace §3; WP §9.
var bankRows = chapter(ChapterBank,
	Row{Opcode: 200, Name: "IssueCard", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 201, Name: "Deposit", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 202, Name: "Withdraw", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 203, Name: "CloseCard", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 204, Name: "SetDefaultCard", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 205, Name: "SetPolicy", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 206, Name: "Freeze", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 207, Name: "Unfreeze", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 208, Name: "PauseBank", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 209, Name: "UnpauseBank", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 210, Name: "MintFromFiatVoucher", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 211, Name: "SettleProvider", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 212, Name: "IssueCardV2", Home: account.Bank, Lane: params.LaneUser},
	Row{Opcode: 216, Name: "RegisterBank", Home: account.Bank, Lane: params.LaneSystem, Privileged: true},
)
