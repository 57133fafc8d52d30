package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Requests come in at 0x0F, answers are kept at 0x10.
//
// Spec: gateway-payments-streams; WP §9.
var gatewayRows = chapter(ChapterGateway,
	Row{Opcode: 65, Name: "IngressDispatch", Home: account.GatewayRegistry, Lane: params.LaneUser},
	Row{Opcode: 66, Name: "CompleteReceipt", Home: account.ReceiptRegistry, Lane: params.LaneUser},
)
