// Package rent bills actors for the bytes they keep in state: what an epoch of rent costs, who has paid, what happens to those who have not, and how an
// evicted actor comes back. Its rules are functions over a state.Store; what it keeps lies under the Governance actor, 0x09.
//
// # A rent epoch, event by event
//
//   - upon the first block of a rent epoch: the Clock has its Terms, fixed at the end of the block before from the parameters and the size of the state.
//   - upon the first change of an actor in the epoch, be it a turn of the actor, a message for it or coins: Settle bills it for the epochs that have begun
//     since it was last billed. What is billed is therefore what the actor was when each of them began.
//   - upon the end of a block: the sweep bills the next few actors in the order of addresses, so that everybody is billed soon. It finds those that were
//     settled already as they should be: where the sweep stands changes nothing but the block in which an actor is billed.
//   - upon an epoch that prepaid epochs and balance do not cover: the rest is a debt, and the epoch counts as missed. The debt stays what it is, whatever rent
//     costs later.
//   - upon an interaction with an actor in debt: CatchUp takes what the debt and its surcharge come to, or as much of it as there is. When all is paid the
//     missed epochs are forgotten.
//   - upon one missed epoch more than governance allows: the actor is dormant. Evict then removes its storage, a bounded piece in each block, and makes the
//     commitment over it.
//   - upon Restore: whoever has the stored entries gives them back in their order, in pieces that are each proven against the commitment, so that a wrong piece
//     is refused and harms nobody. The first pays what is owed. An actor that is not whole when the second rent epoch begins is emptied again.
//
// # Choices where the sources are silent
//
//   - Rent is paid when an epoch begins. An actor's first epoch is free, since it was not there when the epoch began.
//   - A prepayment covers the bytes the actor was billed for when it was made; what it has grown by since is billed.
//   - The reserve is a floor under what an actor may spend: Spendable. Rent goes below it.
//   - Paid rent, surcharges and forfeited bonds are burned.
//   - The size of the state, by which the rate moves, is that of all actors as the last complete sweep found them.
//
// # Layout
//
//	Record ‖ 0x09 ‖ rent.clock              Clock
//	Record ‖ 0x09 ‖ rent.actor/ ‖ actor     nothing: the list of actors for the sweep
//	Record ‖ 0x09 ‖ rent.record/ ‖ actor    Record, where it is not empty
//	Record ‖ 0x09 ‖ rent.evict/ ‖ actor     Eviction under way
//	Record ‖ 0x09 ‖ rent.bonds              what is locked in bonds, base units
//
// An account says itself when it was last billed and how many epochs it has missed, so that most turns read nothing here.
//
// Deliberately absent: timers of evicted actors, and when all this runs (runtime/system/rent, runtime/transition).
//
// Spec: WP "State Rent", §4.4, §13, §17.5; rent §1–§10.
package rent
