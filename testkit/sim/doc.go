// Package sim runs whole nodes — the production actors, codecs, journals and stores — on one goroutine from one seed.
//
// A World owns everything that decides what happens next: which subsystem of which machine handles its next command, the clock of each machine, what the
// network delays, loses, repeats or cuts off, what a disk keeps of the writes that were not synced when the power goes, which machine crashes when,
// which subsystem panics, and what the validators of package faulty do. A run is a function of its Plan: the same plan gives the same trace hash, and a
// failing plan fails again.
//
// After every block that becomes durable anywhere, package check holds it against the rules. After the chaos the network heals, and every honest
// machine must make progress within a bound.
//
// # Plans
//
// A Plan is text: Plan.Text writes it and ParsePlan reads it. It says what the network is, what goes wrong by chance (rates), what goes wrong for certain
// (Faults: one crash, torn write, failed sync, full disk, panic, lost or late or doubled frame, cut, moved clock each, at an instant or at the n-th
// command, frame, operation or byte), and in what order commands are handled (Schedule). PlanOf draws one from a seed.
//
// Every draw is a function of the seed, of its purpose, and of the names and counts of what it is about; there is no stream of random numbers that all
// draws share. So chance can be taken out of a plan: Result.Explicit names every fault that happened, Result.Recorded every choice of the schedule as
// well, and both replay to the same hash. And one fault can be taken out without moving all others.
//
// # Schedules
//
// Machines reach each other through frames alone, so the order of commands is a matter of each machine. It is drawn; or follows priorities with few
// changes (PCT), which comes with a bound on what a run can miss; or is steady, with the exceptions a plan lists. Every run is recorded as exceptions from
// the steady order.
//
// # Shrinking
//
// A Shrinker takes away, as long as the same rule is broken: time, machines, clients, faults, links of cuts, variation of latency; then exceptions from
// the steady order, down to none that could be left out. It then looks for schedules with fewer, and lets each come as late as it may, so that what is
// left tells which commands must not change places.
//
// The validator set is the chain's: plans with short epochs have validators that join and leave, and key ceremonies, which are real whatever the votes are.
//
// In the plans of ProposerPlanOf up to f validators propose blocks that are invalid in one way each: all of them must be jailed, and nobody else.
//
// Signatures are hashes unless the plan says otherwise: what is tested here is everything around them. Evidence convicts on chain only where they are
// real. The other tests of this package are long runs of
// one workload under different schedules.
//
// Spec: commonware §7; ARCHITECTURE "The supervision tree" (simulation is a property of the design).
package sim
