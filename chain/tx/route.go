package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// OpUpdateRouteManifest replaces the routes of an actor.
// Spec: storage-cbfs §3.2.
const OpUpdateRouteManifest = Opcode(System)<<8 | 102

// The callback of an external domain comes from 0x03 to the registry of names.
//
// Spec: gateway-payments-streams §A.2; storage-cbfs §3.2; WP §9.
var routeRows = chapter(ChapterRoute,
	Row{Opcode: Opcode(System)<<8 | 67, Name: "ExternalDomainCallback", Home: account.RouteRegistry, Lane: params.LaneUser},
	Row{
		Opcode: OpUpdateRouteManifest, Name: "UpdateRouteManifest", Home: account.RouteRegistry, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: func() Instruction { return new(UpdateRouteManifest) },
	},
)

// UpdateRouteManifest replaces the routes of an actor; its deployer sends it, or who holds the entitlement for it:
//
//	actor(20) ‖ list of (Bytes path ‖ Bytes volume ‖ UInt priority) (≤ 100) ‖ list of (Bytes method ‖ Bytes path ‖ Bytes handler ‖ UInt priority) (≤ 100)
//
// Spec: storage-cbfs §3.2 (102).
type UpdateRouteManifest struct {
	Actor   account.Address
	Static  []route.Static
	Dynamic []route.Dynamic
}

// Opcode implements Instruction.
func (*UpdateRouteManifest) Opcode() Opcode { return OpUpdateRouteManifest }

// Fields implements Instruction.
func (u *UpdateRouteManifest) Fields(f *Form) {
	f.Address("actor", &u.Actor)
	listOf(f, "static_routes", &u.Static, route.MaxRoutes, route.ReadStatic)
	listOf(f, "dynamic_routes", &u.Dynamic, route.MaxRoutes, route.ReadDynamic)
}

// Manifest is what the instruction publishes.
func (u *UpdateRouteManifest) Manifest() *route.Manifest {
	return &route.Manifest{Static: u.Static, Dynamic: u.Dynamic}
}

func (u *UpdateRouteManifest) check() error { return instructionErr(u.Manifest().Check()) }

// surcharge is the calldata, and once more what of it is written to state.
// Spec: WP §17.4.
func (u *UpdateRouteManifest) surcharge() Cost {
	return Cost{Cells: 2 * calldata(u.Manifest().Append(nil))}
}
