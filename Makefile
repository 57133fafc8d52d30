# Cowboy node in Go. `make help` lists the targets.
GO        ?= go
BIN       := bin
VERSION   := 0.1.0
PROGRAMS  := $(addprefix ./cmd/,cowboyd cowboy cowboy-runner cowboy-gateway cowboy-proxy cowboy-relay)
LDFLAGS   := -s -w -X github.com/cowboyinc/cowboy-go/cmd/internal/version.Version=$(VERSION)
FUZZTIME  ?= 10s
BENCHTIME ?= 1s
SEEDS     ?= 500
KILLS     ?= 200
HUNT      ?= 1h
MUTANTS   ?= 300
FOR       ?= 5m
SEED      ?= 1
RACE      ?= ./supervision/... ./net/... $(addprefix ./actors/,attendant budget executor gateway lanes link proxy push push/protocol query recent relay relay/accounts relay/reach relay/retained relay/store volume replica replica/shares roster runner runner/bind runner/collect runner/lines runner/queue runner/work timers verifier ledger/store/disk rpc/admin rpc/causal rpc/dev rpc/spans rpc/wire)

# One set of flags, those of a release, so that everything is compiled once for the linter, the programs and the tests.
TAGS      := netgo,osusergo
export GOFLAGS ?= -trimpath -buildvcs=false -tags=$(TAGS)

# blst then asks the processor what it can, instead of assuming ADX.
export CGO_CFLAGS ?= -O2 -g -D__BLST_PORTABLE__

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build cowboyd, cowboy and the programs of runners, gateways, proxies and relays into bin/
	@mkdir -p $(BIN)
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)/ $(PROGRAMS)

.PHONY: release deb image
deb image: release
release: ## a Debian package, an OCI image and their checksums in bin/release, of programs that are linked statically
	@mkdir -p $(BIN)/static
	$(GO) build -trimpath -tags '$(TAGS)' -ldflags '$(LDFLAGS) -linkmode external -extldflags -static' -o $(BIN)/static/ $(PROGRAMS)
	$(GO) run ./testkit/cmd/release -version $(VERSION) -time $$(git log -1 --format=%ct) -bin $(BIN)/static -out $(BIN)/release

.PHONY: devnet
devnet: build ## build, start a node, deploy the autonomous actor and watch it live (Ctrl-C stops)
	@$(GO) build -o $(BIN)/devnet ./testkit/cmd/devnet
	@$(BIN)/devnet

.PHONY: test
test: ## run every test, those of containers where crun or runc is installed; the scripts wait for blocks most of their time, so they begin first
	$(GO) test -timeout 30m ./testkit/script ./...
	$(GO) test -tags examplechapter,$(TAGS) ./runtime/system/example ./actors/rpc/explorer -run 'Chapter|Hook|Form$$'

.PHONY: race
race: ## run packages that take minutes, not the whole node, under the race detector; RACE=packages chooses others
	$(GO) test -race -short -timeout 30m $(RACE)

.PHONY: lint
lint: check ## formatting, vet, the linters and the rules about the source
	$(GO) test ./testkit/tidy/...

.PHONY: check
check: ## lint without the rules about the source, which are tests
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	@mkdir -p $(BIN)
	$(GO) build -o $(BIN)/lint ./testkit/cmd/lint
	$(GO) vet -vettool=$(CURDIR)/$(BIN)/lint ./...

.PHONY: golden
golden: ## rewrite golden files; the diff is the review
	REWRITE=1 $(GO) test ./... -run 'Golden|Script|Decide|Listings'

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (default 10s) each
	$(GO) run ./testkit/cmd/fuzzall -fuzztime $(FUZZTIME)

.PHONY: sim
sim: build ## long runs: SEEDS seeded networks with faults, SEEDS rounds of panicking subsystems, KILLS kill -9 restarts under load
	$(GO) run ./testkit/cmd/sim -seeds $(SEEDS)
	$(GO) test ./actors/node -count=1 -timeout 3h -run PanicsAnywhere -args -rounds $(SEEDS)
	$(GO) run ./testkit/cmd/crash -rounds $(KILLS)

.PHONY: hunt
hunt: ## look for failing seeds for HUNT (default 1h); they join the seeds that tests play
	$(GO) run ./testkit/cmd/sim -for $(HUNT) -first $$(date +%s)

.PHONY: fairness
fairness: ## look for FOR (default 5m) for what buys most processor time with a cycle: natives, statements, programs, sources, transactions, messages, timers
	$(GO) run ./testkit/cmd/fairness -for $(FOR) -seed $(SEED)

.PHONY: netfault
netfault: build ## kill, cut and wipe real processes, on loopback and in network namespaces
	$(GO) run ./testkit/cmd/netfault -kills 100

.PHONY: audience
audience: build ## a node under load with 1,000 followers of its streams, and without: blocks, finality, processor; pages of the explorer
	$(GO) run ./testkit/cmd/audience

.PHONY: bench
bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

.PHONY: figures
figures: ## measure docs/figures.md: our benchmarks and, from PEERS=dir, those of peers; ONLY=words chooses rows
	$(GO) run ./testkit/cmd/figures -peers '$(PEERS)' -only '$(ONLY)'

.PHONY: mutants
mutants: ## change the rules in MUTANTS small ways (default 300) and see whether a test notices
	$(GO) run ./testkit/cmd/mutants -n $(MUTANTS) -seed $(SEED)

.PHONY: machines
machines: ## hold 32-bit x86 and (with qemu-user-static) 64-bit Arm to what is recorded: the Python machine, state, encodings, floats, rules without C
	GOARCH=386 $(GO) vet ./runtime/pvm/...
	GOARCH=386 $(GO) test ./runtime/pvm -run 'Trace$$|Limits|Published'
	CGO_ENABLED=0 GOARCH=386 $(GO) test $(PURE) -run '$(RECORDED)'
	GOARCH=arm64 $(GO) test -c -o $(BIN)/pvm.arm64.test ./runtime/pvm
	cd runtime/pvm && qemu-aarch64-static ../../$(BIN)/pvm.arm64.test -test.timeout 30m -test.run 'Trace$$|Published'
	CGO_ENABLED=0 GOARCH=arm64 $(GO) test -vet=off -exec qemu-aarch64-static -timeout 30m $(PURE) -run '$(RECORDED)'

# Packages of consensus without C, and their tests that have expected values from elsewhere.
PURE := $(addprefix ./chain/,account cbor codec digest entitle event fee flow gateway grant mailbox model params receipt rent route state/... stream tee treasury) \
	./runtime/softfloat
RECORDED := Golden|Vector|Recorded|Oracle|Model|Worked

.PHONY: conform
conform: ## run CPython's own tests, CPYTHON=its Lib/test, and write testkit/conform/RESULTS.md
	$(GO) run ./testkit/cmd/conform -cpython $(CPYTHON) -table testkit/conform/RESULTS.md

.PHONY: types
types: build ## check the SDK's stubs, the starter, the examples and generated clients with pyright and tsc (npx fetches them)
	rm -rf $(BIN)/types && mkdir -p $(BIN)/types
	cd $(BIN)/types && ../cowboy init local
	cp testkit/examples/*.py testkit/examples/tests/*.py $(BIN)/types/
	rm $(BIN)/types/test_token.py # to a checker, token is the module of the standard library
	cp cmd/cowboy/bindings/testdata/sample_client.* $(BIN)/types/
	cd $(BIN)/types && npx --yes -p typescript@5 tsc --strict --noEmit --target es2022 --module es2022 --lib es2022,dom sample_client.ts
	cd $(BIN)/types && npx --yes pyright --project pyrightconfig.json && npx --yes pyright --pythonversion 3.11 *.py typings

.PHONY: specmap
specmap: ## print specification section -> function -> test, and the gaps
	$(GO) run ./testkit/cmd/specmap

.PHONY: ci
ci: ## what continuous integration runs
	.ci/run
