// Package evm measures the peer of testkit.BenchmarkHandlerTest: the test of one contract in go-ethereum's simulated backend. It is a module of its
// own, so that what the backend needs is nobody else's; run it by `cd testkit/bench/evm && go test -bench .`.
package evm
