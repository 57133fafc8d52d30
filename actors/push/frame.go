package push

import (
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/roster"
)

// Owns reports whether a frame of channel Consensus is for this subsystem: roster.FirstInvitation ‖ an invitation.
func Owns(frame []byte) bool { return len(frame) > 0 && frame[0] >= roster.FirstInvitation }

func invitationFrame(v *protocol.Invitation) []byte { return v.Append([]byte{roster.FirstInvitation}) }
