// Package query executes what clients ask for on committed states, without changing the chain: queries of handlers, trials of transactions that are not sent,
// and the re-execution of final blocks, to explain a failure or to record a trace.
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
