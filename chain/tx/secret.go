package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Spec: runner-marketplace §3; secrets-cbss; WP §9.
var secretRows = chapter(ChapterSecret,
	Row{Opcode: 42, Name: "KeyDelivery", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 68, Name: "SetSecret", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 69, Name: "UpdateSecretPolicy", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 70, Name: "DeleteSecretVersion", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 71, Name: "DeleteSecret", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 72, Name: "RegisterCbssProxy", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 73, Name: "DeregisterCbssProxy", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 74, Name: "RotateCommittee", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 75, Name: "SlashCbssProxy", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 76, Name: "SubmitReleaseReceipt", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 77, Name: "RequestAccountDkg", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 78, Name: "FinalizeSecretVersion", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 79, Name: "SubmitLivenessChallenge", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 80, Name: "LivenessChallengeResponse", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 81, Name: "ExpireDkgPending", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 82, Name: "ExpireLivenessChallenge", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 83, Name: "RequestReshare", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 84, Name: "ForcedDeregisterCbssProxy", Home: account.SecretsManager, Lane: params.LaneSystem, Privileged: true},
	Row{Opcode: 152, Name: "RegisterTlock", Home: account.SecretsManager, Lane: params.LaneUser},
	Row{Opcode: 153, Name: "SubmitTlockRelease", Home: account.SecretsManager, Lane: params.LaneUser},
)
