package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// The callback of an external domain comes from 0x03 to the registry of names.
//
// Spec: gateway-payments-streams; storage-cbfs; WP §9.
var routeRows = chapter(ChapterRoute,
	Row{Opcode: 67, Name: "ExternalDomainCallback", Home: account.RouteRegistry, Lane: params.LaneUser},
	Row{Opcode: 102, Name: "UpdateRouteManifest", Home: account.RouteRegistry, Lane: params.LaneUser},
)
