// Package netfault runs a network of real processes through what networks and machines do to them, and holds every node to what it had called
// finalized.
//
// A run has three parts. On loopback: processes are killed with SIGKILL at random moments, restarted in turn under load, and one loses its disk. In
// network namespaces: the same over wires with delay and loss, with partitions made and healed, and with two nodes that do not reach each other. Each
// namespace has one interface, a TUN device whose other end is a Router in this process: what crosses a wire is decided by a seeded source here, so no
// traffic control, bridge or packet filter of the kernel is needed, only the right to make namespaces. The namespaces and devices are gone when the run
// ends, however it ends.
//
// The third part is about epochs: the shared key is made anew, and one key, given to two processes by hand, signs twice and is punished.
//
// Attacks is a run of its own: each case of a corpus becomes an actor that repeats it until its cycles are spent, and gets a full block of transactions from
// four accounts as anyone could send them. The pace of the blocks meanwhile is told beside that of the blocks just before.
//
// The witness asks every node ten times a second for its finalized height and remembers every block's hash. A run fails if
//
//   - two nodes, or one node at two times, finalize different blocks at a height;
//   - a node that kept its disk goes back behind what it had finalized;
//   - the chain goes on while no quorum is there, or does not go on while three of the four are there and connected;
//   - after everything, the data directories do not hold one chain.
//
// How long the chain stood still at most is in the result; the command holds it to MaxStop.
//
// The load is signed transfers from the faucet, sent to whoever answers.
//
// Deliberately absent: faults of disks, clocks and validators, which testkit/sim has, repeatable to the byte.
//
// Spec: commonware §3.2, §3.5; WP §6.1, §6.2.
package netfault
