// Package ports finds ports on loopback for processes that tests and tools start.
//
// A port the kernel chose may be taken again, by any connection of any process, between its being found and its being used: such ports are what connections
// get. Those given here lie below the ranges from which kernels choose by themselves (Linux from 32,768, others from 49,152, RFC 6335), and no two processes
// that ask here get the same ones.
package ports
