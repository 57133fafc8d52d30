package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Spec: runner-marketplace §3; gateway-payments-streams; WP §9.
var sessionRows = chapter(ChapterSession,
	Row{Opcode: 52, Name: "SessionOpen", Home: account.Session, Lane: params.LaneUser},
	Row{Opcode: 53, Name: "SessionDeposit", Home: account.Session, Lane: params.LaneUser},
	Row{Opcode: 54, Name: "SessionSettle", Home: account.Session, Lane: params.LaneUser},
	Row{Opcode: 55, Name: "SessionClose", Home: account.Session, Lane: params.LaneUser},
	Row{Opcode: 56, Name: "SessionFinalize", Home: account.Session, Lane: params.LaneUser},
	Row{Opcode: 57, Name: "SessionSlash", Home: account.Session, Lane: params.LaneUser},
)
