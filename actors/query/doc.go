// Package query executes for clients, beside the chain and without moving it: handlers on a committed state, transactions that are only tried, and final
// blocks once more, to tell where something in them failed, or for a trace call by call.
//
// A Service is no subsystem: whoever asks waits for its own answer. So many executions run at the same time, so many wait, so many of either are one client's,
// and each ends when its time is over, the time it waited included. What executes blocks once more has a
// worker and places of its own, so that queries never wait for it. Hosts and their compiled programs belong to the service alone; of the chain it has
// committed states, which nobody changes.
//
//	service := query.New(query.DefaultLimits())
//	answer, err := service.Ask(ctx, client, open, host.Question{…})
//
// Errors: ErrBusy where there is no room, ErrTime when the time is over, the context's, *Broken when the machine failed. A fault of the program is an
// answer.
package query
