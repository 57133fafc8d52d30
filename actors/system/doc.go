// Package system gives every reserved address of the specification its own supervised actor.
//
// # Commands
//
// One: an executor.Turn whose target is the address. The actor runs the address's rules (runtime/system, pure) on the overlay that came
// with the turn and gives the turn back; Python actors that its chapters call run here, in a machine of its own. An address whose chapter is not built
// answers a fault that names the chapter. One more actor answers for the reserved addresses nobody has been given.
//
// # State and restarts
//
// None: what a system actor knows lies under its address in the overlay. A restart loses the turn it was handling; the executor then runs the
// block again.
//
// Spec: WP §9.
package system
