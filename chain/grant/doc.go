// Package grant is the Entitlement Registry at 0x07: who may do what in which scope, by grants between addresses, delegated grants and roles. Its rules are
// functions over a state.Store. Manifests of actors are package entitle's.
//
// # Records
//
//	grant       one scope and one action of one grantee, with terms (Terms) and what was used of them
//	delegation  a grant that came from another one, its parent: same scope and action, narrower terms, at most MaxDepth deep
//	role        a name, scopes, actions and terms; it gives nothing until it is assigned
//	assignment  a role of an address, with what was used of the role's terms
//
// # Who administers a scope
//
//   - an actor's: the actor itself, and who deployed it
//   - a runner's: the runner
//   - a pool's or a namespace's: the address its name begins with (OwnedName), and governance
//   - the whole network: governance
//   - a token's: its owner (Registry.TokenOwner)
//
// # Life
//
//	Active ─height above valid_until─► Expired ─met by an instruction─► gone
//	Active ─max_uses─► Exhausted ─granted anew─► Active
//	any ─Revoke─► gone
//
// A delegation works as long as its parent does, up to the root: so revoking a record ends all below it, at the price of one. A record knows the serial
// number of its parent, and one that is granted anew under the same identity has another, so that nothing below comes back to life.
//
// A use counts on the record and on all above it: what many were given out of one never adds up to more than that one.
//
// # Bounded work
//
// A check looks at the records of one grantee with exactly the scope and action asked for, the whole network for the scope and All for the action: at most
// MaxAlike records for each of the four, MaxDepth parents for each record, and the roles that whoever administers the scope assigned. Nobody
// else's records are in the way. An address that has as many records as it may gives those up that it does not want (Revoke).
//
// Deliberately absent: taking the fees that UseOwnerBalance is about, which is the transition's; owners of tokens.
//
// Spec: CIP-2 §7; entitlement-extras §5.
package grant
