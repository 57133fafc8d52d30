// Package event is the chapter of Event Subscription at 0x1D: the syscalls by which actors subscribe to each other's events, and what an emit does with the
// subscriptions there are. The rules are package chain/event's; the host calls Emit for every event of an actor, and package system Batch for what an emit left
// to a later block.
//
// # An emit
//
//   - upon an event of a topic that nobody subscribed to: nothing; the event stands in the receipt, as it costs.
//   - otherwise, where a limit forbids it (the same topic runs already, emits are nested too deep, the turn has had its emits, the payload is too long): the
//     event stands in the receipt, no hook runs, and the answer says why. No emit fails for want of anything but cycles and cells: else a stranger's
//     subscription would stop an actor that emits.
//   - otherwise the emitter pays for the payload and for the entries of the order, and the hooks run, each with gas, snapshot and account of programs of its
//     own.
//   - from the first hook on for which there is no room, they are left to later blocks.
//
// # What a hook cannot do to the emitter
//
//   - use its cycles, cells, messages, timers or pool: a hook has no asynchronous effects, and pays from its gas;
//   - use up its emits or hooks: those of hooks are counted apart;
//   - use up the programs it may load, or have the turn fault for coins that stay where they may not;
//   - be run for nothing: what it used is paid even where the turn that emitted faults, or a call that emitted is undone.
//
// Spec: gateway-payments-streams §H; sdk §19.4; WP §3.3, §9.
package event
