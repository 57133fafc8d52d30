package main

// Commands of several rows run once in a session.
const (
	cometbft = "go run . -secs 3"
	tries    = "go run . geth-path"
	trie     = "path-scheme trie of go-ethereum"
	cpython  = "python3.11 -I -S testkit/cmd/figures/programs.py runtime/pvm/testdata/bench"
	machines = "go test -run ^$ -bench ^BenchmarkProgram$ -benchtime 3x -count 3 -timeout 60m ./runtime/pvm"
	floats   = "^(floats|nbody|spectral)$"
	integers = "^(bigint|bits|closures|comprehension|dicts|exceptions|fib|formatting|generators|json_text|matrix|methods|nqueens|regex|" +
		"richards|sieve|sorting|strings|trees|wordcount)$"
)

// store is a measure of the authenticated store with 1,048,576 keys.
func store(name string) reading {
	return benchmark("actors/ledger/store", "^BenchmarkStore$/^(CommitDurable|Proof)$", "2s", "ns/op", "BenchmarkStore/"+name)
}

// asynq is a measure of the queue of that name, which is a module of its own and needs redis-server.
func asynq(names ...string) reading {
	r := reading{command: "go -C testkit/bench/asynq test -run ^$ -bench ^BenchmarkTrivial$ -benchtime 1x -count 3"}
	for _, name := range names {
		r.lines = append(r.lines, metric(name, "jobs/min"))
	}
	return r
}

// jobs is a measure of whole jobs on the chain.
func jobs(unit string) reading {
	return benchmark("testkit/bench", "^BenchmarkJobs$", "20x", unit,
		"BenchmarkJobs/members=1", "BenchmarkJobs/members=3", "BenchmarkJobs/members=5", "BenchmarkJobs/members=9")
}

// objects is a measure of volumes of many files.
func objects(unit string, names ...string) reading {
	r := benchmark("actors/volume", "^BenchmarkObjects$/^files=(1000|10000)$/^private=true$", "2x", unit)
	for _, name := range names {
		r.lines = append(r.lines, metric("BenchmarkObjects/"+name, unit))
	}
	return r
}

// blocks is a measure of empty blocks of four validators.
func blocks(unit string) reading {
	return benchmark("actors/peers", "^BenchmarkBlocks$", "1000x", unit, "BenchmarkBlocks")
}

// votes is the processor time of checking quorums of votes, all of one mode.
func votes(names ...string) reading {
	return benchmark("chain/simplex/quorum", "^BenchmarkAssemble$/^mode=(batch|eager)$", "20x", "cpu-ns/op", names...).times(toMilli)
}

// program is the time of the workloads of the Python machine, and python that of the same on CPython.
var (
	program = reading{command: machines, lines: []string{`(?m)^BenchmarkProgram/file=(?P<name>\w+?)(?:-\d+)?\s+\d+\s+([\d.e+]+) ns/op`}}
	python  = reading{command: cpython, lines: []string{`(?m)^(?P<name>\w+) ([\d.]+) ns$`}}
)

// rows are the figures in the order of the page.
var rows = []row{
	{what: "Signed transfers through recovery, execution, root and durable commit, blocks of 1,000", unit: "tx/s", more: true,
		here: benchmark("testkit/bench", "^BenchmarkTransfers$", "20x", "tx/s", "BenchmarkTransfers"),
		peer: peer("evm", "go run .", `(?m)^geth transfer\s+all stages, serial .*?([\d.]+) tx/s`), against: "go-ethereum, one goroutine recovering"},
	{what: "The same with the next block's signatures recovered meanwhile", unit: "tx/s", more: true,
		here: benchmark("testkit/bench", "^BenchmarkTransfersPipelined$", "20x", "tx/s", "BenchmarkTransfersPipelined")},
	{what: "The same through the whole node, from submission to final on disk", unit: "tx/s", more: true,
		here: benchmark("actors/node", "^BenchmarkEndToEnd$/^store=disk$", "20000x", "tx/s", "BenchmarkEndToEnd/store=disk")},
	{what: "Transfer of a token among 100,000 holders, execution and root: the registry's; an actor's; an actor's by the SDK", unit: "µs",
		here: benchmark("testkit/bench", "^BenchmarkTokenTransfers$", "4000x", "us/tx",
			"BenchmarkTokenTransfers/native", "BenchmarkTokenTransfers/actor", "BenchmarkTokenTransfers/sdk")},
	{what: "Rent's sweep of 256 actors, the share of one block, among 1,000; 10,000; 100,000; 1,000,000", unit: "ms",
		here: benchmark("chain/rent", "^BenchmarkSweep$", "50x", "ns/op",
			"BenchmarkSweep/1000", "BenchmarkSweep/10000", "BenchmarkSweep/100000", "BenchmarkSweep/1000000").times(toMilli)},
	{what: "8 MiB of an evicted actor: fetched from an archive over loopback and held against their commitment", unit: "s",
		here: benchmark("cmd/cowboy/cli", "^BenchmarkFetchStorage$", "3x", "ns/op", "BenchmarkFetchStorage").times(toSec)},
	{what: "The same given back, in pieces that are each proven", unit: "s",
		here: benchmark("chain/rent", "^BenchmarkRestore$", "3x", "ns/op", "BenchmarkRestore").times(toSec)},
	{what: "A call of an actor estimated, 99th percentile", unit: "µs",
		here: benchmark("testkit/recorded", "^BenchmarkEstimate$", "2000x", "p99-estimate-us", "BenchmarkEstimate"),
		peer: benchmark("testkit/recorded", "^BenchmarkEstimate$", "2000x", "p99-execution-us", "BenchmarkEstimate"), against: "its execution"},
	{what: "A vote, and the end of a block with a vote running, among 10; 1,000; 10,000 who have all voted", unit: "µs",
		here: benchmark("chain/govern", "^BenchmarkTally$", "200x", "ns/op",
			"BenchmarkTally/10", "BenchmarkTally/1000", "BenchmarkTally/10000").times(toMicro)},
	{what: "All governed parameters of a block read, after 10,000 changes", unit: "µs",
		here: benchmark("chain/params", "^BenchmarkLoad$", "1000x", "ns/op", "BenchmarkLoad").times(toMicro)},
	{what: "Whole jobs on the chain, submission to payment and callback: one runner; committees of 3; 5; 9", unit: "jobs/s", more: true,
		here: jobs("jobs/s")},
	{what: "Their processor time for a cycle that was paid", unit: "ns",
		here: jobs("cpu-ns/cycle")},
	{what: "Processor of a job's submission, ten runners who can do it looked at: alone; beside 990 others; beside 10,000 open jobs; beside both", unit: "µs",
		here: benchmark("chain/market", "^BenchmarkSubmit$/^able=10$", "2000x", "cpu-ns/op", "BenchmarkSubmit/able=10/others=0/open=0",
			"BenchmarkSubmit/able=10/others=990/open=0", "BenchmarkSubmit/able=10/others=0/open=10000",
			"BenchmarkSubmit/able=10/others=990/open=10000").times(toMicro)},
	{what: "1,000 random updates on 1,000,000 keys: root and durable commit", unit: "ms",
		here: store("CommitDurable/keys=1048576/updates=1000").times(toMilli),
		peer: peer("authstate", tries, `(?m)^geth path block of 1000, root \+ flush \+ fsync\s+([\d.]+) ns/op`).times(toMilli), against: trie},
	{what: "10,000 updates", unit: "ms",
		here: store("CommitDurable/keys=1048576/updates=10000").times(toMilli),
		peer: peer("authstate", tries, `(?m)^geth path block of 10000, root \+ flush \+ fsync\s+([\d.]+) ns/op`).times(toMilli), against: trie},
	{what: "Proof of a key whose nodes are in memory", unit: "µs",
		here: store("Proof/keys=1048576/warm=true").times(toMicro),
		peer: peer("authstate", tries, `(?m)^geth path prove \(storage slot\)\s+([\d.]+) ns/op`).times(toMicro), against: trie},
	{what: "Memory per key", unit: "B",
		here: reading{command: store("").command, lines: []string{`memory: (\d+) bytes per key`}}},
	{what: "Timer tiers, a block with 16 due and 10; 10,000; 1,000,000 pending", unit: "µs",
		here: benchmark("actors/timers", "^BenchmarkBlock$", "200x", "ns/op",
			"BenchmarkBlock/pending=10", "BenchmarkBlock/pending=10000", "BenchmarkBlock/pending=1000000").times(toMicro)},
	{what: "The whole block of 16 timer turns with 10; 10,000; 1,000,000 pending", unit: "ms",
		here: benchmark("runtime/transition", "^BenchmarkTimers$", "200x", "ns/op",
			"BenchmarkTimers/pending=10", "BenchmarkTimers/pending=10000", "BenchmarkTimers/pending=1000000").times(toMilli)},
	{what: "A system actor's turn through the tree and back, without work", unit: "µs",
		here:    benchmark("actors/executor", "^BenchmarkTurn$", "1s", "ns/op", "BenchmarkTurn/work=none").times(toMicro),
		peer:    peer("actors", "BENCH_FILTER=RequestFuture go run .", `(?m)^protoactor RequestFuture round trip\s+([\d.]+) ns/op`).times(toMicro),
		against: "protoactor's RequestFuture"},
	{what: "A Python actor's turn, without and with the SDK", unit: "µs",
		here: benchmark("runtime/host", "^BenchmarkTurn$", "1s", "ns/op", "BenchmarkTurn/actor=limits", "BenchmarkTurn/actor=form_a").times(toMicro)},
	{what: "The Python machine, 20 workloads without floats, metering and limits on", here: program, peer: python, against: "CPython 3.11", mean: true,
		without: floats},
	{what: "The same, 3 workloads of floats (software, exactly rounded)", here: program, peer: python, against: "CPython 3.11", mean: true, without: integers},
	{what: "Loading a module-sized actor from the code cache", unit: "µs",
		here: benchmark("runtime/pvm", "^BenchmarkLoad$", "1s", "ns/op", "BenchmarkLoad/module=actor").times(toMicro)},
	{what: "A trivial handler's call", unit: "µs",
		here: benchmark("runtime/pvm", "^BenchmarkCall$", "1s", "ns/op", "BenchmarkCall/handler=nothing").times(toMicro)},
	{what: "A quorum of votes checked in one batch, n = 4; 16; 64; 100", unit: "ms",
		here: votes("BenchmarkAssemble/mode=batch/n=4", "BenchmarkAssemble/mode=batch/n=16", "BenchmarkAssemble/mode=batch/n=64",
			"BenchmarkAssemble/mode=batch/n=100"),
		peer: votes("BenchmarkAssemble/mode=eager/n=4/votes=4", "BenchmarkAssemble/mode=eager/n=16/votes=16", "BenchmarkAssemble/mode=eager/n=64/votes=64",
			"BenchmarkAssemble/mode=eager/n=100/votes=100"), against: "every vote checked alone"},
	{what: "Four validators over QUIC on loopback, pacing off, no transactions: processor a block for all four", unit: "ms", here: blocks("cpu-ms/block"),
		peer: peer("consensus", cometbft, `(?m)goleveldb empty blocks .*?([\d.]+) ms CPU/block`), against: "CometBFT"},
	{what: "The same, blocks a second", more: true, here: blocks("ns/op").perSecond(),
		peer: peer("consensus", cometbft, `(?m)goleveldb empty blocks +([\d.]+) blocks/s`), against: "CometBFT"},
	{what: "The same, sent for a block", unit: "KiB", here: blocks("KiB/block"),
		peer: peer("consensus", cometbft, `(?m)goleveldb empty blocks .*?([\d.]+) KiB/block`), against: "CometBFT"},
	{what: "Submission to final with 1,000 transfers a second, p50", unit: "ms",
		here:    benchmark("actors/peers", "^BenchmarkLatency$", "10000x", "p50-ms", "BenchmarkLatency"),
		peer:    peer("consensus", cometbft, `(?m)goleveldb 1000 tx/s offered tx submit -> committed\s+p50 ([\d.]+) us`).times(toMicro),
		against: "CometBFT, submission to committed, without signatures"},
	{what: "Signed transfers that four validators in one process finalize at saturation", unit: "tx/s", more: true,
		here: benchmark("actors/peers", "^BenchmarkTransfers$", "20000x", "tx/s", "BenchmarkTransfers")},
	{what: "Heap an archive keeps for each empty block", unit: "B",
		here: benchmark("testkit/bench", "^BenchmarkGrowth$", "1x", "B/block", "BenchmarkGrowth")},
	{what: "Catching up 10,000 empty blocks; 2,000 of 50 transfers", unit: "blocks/s", more: true,
		here: benchmark("actors/node", "^BenchmarkCatchup$", "1x", "blocks/s",
			"BenchmarkCatchup/blocks=10000/transfers=0/catchup", "BenchmarkCatchup/blocks=2000/transfers=50/catchup"),
		peer: benchmark("actors/node", "^BenchmarkCatchup$", "1x", "blocks/s",
			"BenchmarkCatchup/blocks=10000/transfers=0/execution", "BenchmarkCatchup/blocks=2000/transfers=50/execution"), against: "plain execution"},
	{what: "A state of 1,000,000 entries fetched, six peers included", unit: "s",
		here: benchmark("actors/catchup", "^BenchmarkSnapshot$", "1x", "s", "BenchmarkSnapshot/accounts=1000000")},
	{what: "86,400 blocks of a day without timers; with 100 idle ones, in the kit", unit: "s",
		here: benchmark("testkit", "^BenchmarkDay$", "1x", "ns/op", "BenchmarkDay/timers=0", "BenchmarkDay/timers=100").times(toSec)},
	{what: "Snapshot and revert at 1,000,000 keys", unit: "µs",
		here: benchmark("testkit", "^BenchmarkSnapshot$", "200x", "ns/op", "BenchmarkSnapshot/keys=1000000").times(toMicro)},
	{what: "Test of one handler with a chain of its own", unit: "ms",
		here: benchmark("testkit", "^BenchmarkHandlerTest$", "1s", "ns/op", "BenchmarkHandlerTest/chain=new").times(toMilli),
		peer: reading{command: "go -C testkit/bench/evm test -run ^$ -bench ^BenchmarkHandlerTest$ -count 3",
			lines: []string{metric("BenchmarkHandlerTest", "ns/op")}, scale: toMilli},
		against: "go-ethereum's simulated backend"},
	{what: "Simulated networks of 4; 7 validators, seconds in a second of one processor", more: true,
		here: benchmark("testkit/sim", "^BenchmarkNetwork$", "10x", "times-real", "BenchmarkNetwork/validators=4", "BenchmarkNetwork/validators=7")},
	{what: "A subsystem that panicked until it serves again, without what it loads", unit: "µs",
		here: benchmark("supervision", "^BenchmarkRestart$", "1s", "ns/op", "BenchmarkRestart").times(toMicro)},
	{what: "Queries of a trivial handler through a gateway beside its node over TLS, eight clients: alike after one block; all different", unit: "req/s",
		more: true,
		here: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkQueries$", "20000x", "gateway-req/s",
			"BenchmarkQueries/same", "BenchmarkQueries/distinct"),
		peer: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkQueries$", "20000x", "bare-req/s",
			"BenchmarkQueries/same", "BenchmarkQueries/distinct"), against: "bare net/http, same TLS"},
	{what: "Their p99 with half as many a second", unit: "ms",
		here: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkQueries$", "20000x", "p99-ms",
			"BenchmarkQueries/same", "BenchmarkQueries/distinct")},
	{what: "Processor of such a query, with its client's and the node's", unit: "µs",
		here: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkQueries$", "20000x", "gateway-cpu-us/req",
			"BenchmarkQueries/same", "BenchmarkQueries/distinct"),
		peer: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkQueries$", "20000x", "bare-cpu-us/req",
			"BenchmarkQueries/same", "BenchmarkQueries/distinct"), against: "bare net/http, same TLS"},
	{what: "The same where the gateway is a part of its node, requests that are alike after one block; all different", unit: "req/s", more: true,
		here: benchmark("cmd/cowboyd/daemon", "^BenchmarkGatewayInNode$", "20000x", "gateway-req/s",
			"BenchmarkGatewayInNode/same", "BenchmarkGatewayInNode/distinct"),
		peer: benchmark("cmd/cowboyd/daemon", "^BenchmarkGatewayInNode$", "20000x", "bare-req/s",
			"BenchmarkGatewayInNode/same", "BenchmarkGatewayInNode/distinct"), against: "bare net/http, same TLS"},
	{what: "Their p99 with half as many a second as each can", unit: "ms",
		here: benchmark("cmd/cowboyd/daemon", "^BenchmarkGatewayInNode$", "20000x", "p99-ms",
			"BenchmarkGatewayInNode/same", "BenchmarkGatewayInNode/distinct")},
	{what: "Processor of such a query, with its client's", unit: "µs",
		here: benchmark("cmd/cowboyd/daemon", "^BenchmarkGatewayInNode$", "20000x", "gateway-cpu-us/req",
			"BenchmarkGatewayInNode/same", "BenchmarkGatewayInNode/distinct"),
		peer: benchmark("cmd/cowboyd/daemon", "^BenchmarkGatewayInNode$", "20000x", "bare-cpu-us/req",
			"BenchmarkGatewayInNode/same", "BenchmarkGatewayInNode/distinct"), against: "bare net/http, same TLS"},
	{what: "A request that changes something through a gateway: blocks from the newest one to the one in which its handler runs", unit: "blocks",
		here: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkCommands$", "20x", "gateway-blocks", "BenchmarkCommands"),
		peer: benchmark("cmd/cowboy-gateway/operate", "^BenchmarkCommands$", "20x", "rpc-blocks", "BenchmarkCommands"), against: "a transfer by RPC"},
	{what: "One emit with 64 hooks within its turn, in a block of its own", unit: "ms",
		here:    benchmark("runtime/system/event", "^BenchmarkEmit$", "50x", "ns/op", "BenchmarkEmit/64_hooks").times(toMilli),
		peer:    benchmark("runtime/system/event", "^BenchmarkEmit$", "50x", "ns/op", "BenchmarkEmit/64_calls").times(toMilli),
		against: "64 calls of the same handler"},
	{what: "Vouchers of a session, one for each piece of an answer, both sides in one process", unit: "vouchers/s", more: true,
		here: benchmark("actors/runner/paid", "^BenchmarkVouchers$", "5000x", "vouchers/s", "BenchmarkVouchers")},
	{what: "Jobs of a second that a runner with 1; 4; 16 workers does", unit: "jobs/s", more: true,
		here: benchmark("actors/runner", "^BenchmarkSeconds$", "1x", "jobs/s", "BenchmarkSeconds/workers=1", "BenchmarkSeconds/workers=4",
			"BenchmarkSeconds/workers=16")},
	{what: "Jobs of nothing through one dispatcher, from the poll to the reveal", unit: "jobs/min", more: true,
		here: benchmark("actors/runner", "^BenchmarkTrivial$", "1x", "jobs/min", "BenchmarkTrivial"),
		peer: benchmark("actors/runner", "^BenchmarkJetStream$", "1x", "jobs/min", "BenchmarkJetStream"), against: "NATS JetStream alone"},
	{what: "The same, beside a queue alone that syncs every write; that syncs none", unit: "jobs/min", more: true,
		here: benchmark("actors/runner", "^BenchmarkTrivial$", "1x", "jobs/min", "BenchmarkTrivial", "BenchmarkTrivial"),
		peer: asynq("BenchmarkTrivial/synced", "BenchmarkTrivial/memory"), against: "asynq over Redis"},
	{what: "What a worker's end in the middle of a job of a second costs it, beyond being done again", unit: "ms",
		here: benchmark("actors/runner", "^BenchmarkKilled$", "1x", "lost-ms", "BenchmarkKilled")},
	{what: "Processor for a byte of 128 MiB put into a private volume of 4 + 2 over six relays; got from it; over TCP, over QUIC to a server",
		unit: "ns", here: benchmark("actors/volume", "^Benchmark(Put|Get|Carriers)$", "5x", "cpu-ns/B", "BenchmarkPut", "BenchmarkGet", "BenchmarkCarriers/tcp",
			"BenchmarkCarriers/quic"),
		peer: benchmark("actors/volume", "^BenchmarkSealAndCopy$", "5x", "cpu-ns/B", "BenchmarkSealAndCopy", "BenchmarkSealAndCopy", "BenchmarkSealAndCopy",
			"BenchmarkSealAndCopy"),
		against: "one pass of AES-256-GCM and one copy over TCP on loopback"},
	{what: "The same in time: put; got", unit: "ms",
		here:    benchmark("actors/volume", "^Benchmark(Put|Get|Carriers)$", "5x", "ns/op", "BenchmarkPut", "BenchmarkGet").times(toMilli),
		peer:    benchmark("actors/volume", "^BenchmarkSealAndCopy$", "5x", "ns/op", "BenchmarkSealAndCopy", "BenchmarkSealAndCopy").times(toMilli),
		against: "one pass of AES-256-GCM and one copy over TCP on loopback"},
	{what: "The same, against dd: put; got", unit: "ms",
		here:    benchmark("actors/volume", "^Benchmark(Put|Get|Carriers)$", "5x", "ns/op", "BenchmarkPut", "BenchmarkGet").times(toMilli),
		peer:    benchmark("actors/volume", "^BenchmarkDd$", "5x", "ns/op", "BenchmarkDd/put", "BenchmarkDd/get").times(toMilli),
		against: "dd of a cached file through AES-256-GCM and a copy over loopback to dd, into a file that is synced; to nothing"},
	{what: "The same, against what the format asks of a put at least", unit: "ms",
		here:    benchmark("actors/volume", "^Benchmark(Put|Get|Carriers)$", "5x", "ns/op", "BenchmarkPut").times(toMilli),
		peer:    benchmark("actors/volume", "^BenchmarkLeastOfPut$", "5x", "ns/op", "BenchmarkLeastOfPut").times(toMilli),
		against: "its hashes, seal, code and TLS by libraries alone, nothing stored"},
	{what: "Bytes gathered a second to make the shards of a lost disk anew, four for each, five relays in one process", unit: "MB/s", more: true,
		here:    benchmark("actors/volume", "^BenchmarkRebuild$", "5x", "gathered-MB/s", "BenchmarkRebuild"),
		peer:    benchmark("actors/volume", "^BenchmarkDiskOfRebuild$", "5x", "gathered-MB/s", "BenchmarkDiskOfRebuild"),
		against: "the disk alone: the same chunks read past the page cache, while as many bytes as are made are written and synced"},
	{what: "Processor for a file put into a private volume of 1,000; 10,000 files, client and six relays", unit: "ms",
		here: objects("cpu-ms/op", "files=1000/private=true/put", "files=10000/private=true/put")},
	{what: "To read what is told of them at first; again by the same client; to list one of their folders, 10,000 files", unit: "ms",
		here: objects("cpu-ms/op", "files=10000/private=true/first", "files=10000/private=true/again", "files=10000/private=true/list")},
	{what: "A secret released by 4 of 5 proxies over QUIC on loopback, their records synced, median", unit: "ms",
		here: benchmark("actors/proxy", "^BenchmarkRelease$", "100x", "median-ms", "BenchmarkRelease")},
	{what: "The same, processor of a partial, and a fourth of what asking for four and combining them takes", unit: "ms",
		here: benchmark("actors/proxy", "^BenchmarkRelease$", "100x", "cpu-ms/partial", "BenchmarkRelease")},
}
