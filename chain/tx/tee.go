package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Spec: tee; runner-marketplace §3; WP §9.
var teeRows = chapter(ChapterTEE,
	Row{Opcode: 60, Name: "RegisterTeeTrustedKey", Home: account.TEEVerifier, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 61, Name: "RevokeTeeTrustedKey", Home: account.TEEVerifier, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 62, Name: "SubmitTeeAttestation", Home: account.TEEVerifier, Lane: params.LaneRunner},
	Row{Opcode: 63, Name: "RevokeTeeAttestation", Home: account.TEEVerifier, Lane: params.LaneRunner},
	Row{Opcode: 124, Name: "DeprecateBinding", Home: account.TEEVerifier, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 125, Name: "VerifyCae", Home: account.TEEVerifier, Lane: params.LaneSystem},
	Row{Opcode: 126, Name: "UpdateCollateral", Home: account.TEEVerifier, Lane: params.LaneSystem, Privileged: true},
)
