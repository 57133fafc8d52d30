package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// The names inside 160 to 164 are in no public text.
//
// Spec: runner-marketplace §3; WP §9.
var containerRows = chapter(ChapterContainer,
	Row{Opcode: 160, Name: "ContainerRegistry160", Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 161, Name: "ContainerRegistry161", Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 162, Name: "ContainerRegistry162", Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 163, Name: "ContainerRegistry163", Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 164, Name: "ContainerRegistry164", Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true},
)
