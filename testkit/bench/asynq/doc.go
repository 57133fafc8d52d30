// Package asynq measures hibiken/asynq over a Redis on this machine, for comparison with what a runner's dispatcher gets through. It is a module of its own, so
// that what asynq needs is nobody else's; run it by `cd testkit/bench/asynq && go test -bench .`, where redis-server is installed.
package asynq
