// Package sim runs whole nodes — the production actors, codecs, journals and stores — on one goroutine from one seed.
//
// A World owns everything that decides what happens next: which subsystem of which machine handles its next command, the clock of each machine, what the
// network delays, loses, repeats or cuts off, what a disk keeps of the writes that were not synced when the power goes, which machine crashes when,
// which subsystem panics, and what the validators of package faulty do. All of it is drawn from the seed, so a run is a function of its Plan: the same
// plan gives the same trace hash, and a failing seed fails again.
//
// After every block that becomes durable anywhere, package check holds it against the rules. After the chaos the network heals, and every honest
// machine must make progress within a bound.
//
// Signatures are hashes unless the plan says otherwise: what is tested here is everything around them. The other tests of this package are long runs of
// one workload under different schedules.
//
// Spec: commonware §7; architecture "Supervision" (simulation is a property of the design).
package sim
