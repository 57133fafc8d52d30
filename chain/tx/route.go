package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// The opcodes of names and routes.
// Spec: gateway-payments-streams §A.2; storage-cbfs §3.2.
const (
	OpExternalDomainCallback = Opcode(System)<<8 | 67
	OpUpdateRouteManifest    = Opcode(System)<<8 | 102 // replaces the routes of an actor
)

// The callback of an external domain comes from 0x03 to the registry of names.
//
// Spec: gateway-payments-streams §A.2; storage-cbfs §3.2; WP §9.
var routeRows = chapter(ChapterRoute,
	Row{
		Opcode: OpExternalDomainCallback, Name: "ExternalDomainCallback", Home: account.RouteRegistry, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: func() Instruction { return new(ExternalDomainCallback) },
	},
	Row{
		Opcode: OpUpdateRouteManifest, Name: "UpdateRouteManifest", Home: account.RouteRegistry, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: func() Instruction { return new(UpdateRouteManifest) },
	},
)

// maxVerdict bounds what is said of a domain, in bytes.
const maxVerdict = 32

// ExternalDomainCallback tells the registry of names what runners say of a domain's records; it comes from 0x03 alone:
//
//	Bytes domain ‖ owner(20) ‖ nonce(16) ‖ Bytes verdict, empty where runners gave none
//
// Spec: gateway-payments-streams §A.2 (67).
type ExternalDomainCallback struct {
	Domain  []byte
	Owner   account.Address
	Nonce   route.Nonce
	Verdict []byte
}

// Opcode implements Instruction.
func (*ExternalDomainCallback) Opcode() Opcode { return OpExternalDomainCallback }

// Fields implements Instruction.
func (c *ExternalDomainCallback) Fields(f *Form) {
	f.Text("fqdn", &c.Domain, route.MaxExternal)
	f.Address("owner", &c.Owner)
	f.Fixed("challenge", c.Nonce[:])
	f.Text("verdict", &c.Verdict, maxVerdict)
}

// surcharge is one cell per byte of calldata. Spec: WP §17.4.
func (c *ExternalDomainCallback) surcharge() Cost {
	return Cost{Cells: calldata(c.Domain) + calldata(c.Verdict)}
}

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
