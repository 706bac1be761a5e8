# The only place that knows how things are run. `make` prints this list.

GO           ?= go
STATICCHECK  ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
MODULES      := . asm tools tools/gonostr fuzz bench
BIN          := bin/sealwright
INBOX        := tools/testdata/inbox.jsonl
PEERS        := fuzz/interop/peers
PLATFORMS_FLAGS ?=
MODEL_FLAGS  ?=
EMULATED     ?= ./kernels/chacha20 ./kernels/sha256 ./kernels/base64 ./kernels/etm ./protocol/nip44
FUZZTIME     ?= 10s
EXECUTIONS   ?= 2000
# Where benchmarks are kept, seen from bench/.
REPORT       ?= ../bin/bench/report
BENCH_C      := -tags cpeers -also libsecp256k1=gonostr-libsecp
BENCH_FLAGS  ?=
BENCH_INPUTS := $(CURDIR)/bin/bench/inputs.json
JARS         := /usr/share/java/bcprov.jar:/usr/share/java/jackson-core.jar

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-tiers race lint fmt fuzz fuzz-arm64 fuzz-seeds interop hostile platforms emulate vuln \
	bench-quick bench bench-full bench-report bench-publish bench-gate bench-gate-calibrate bench-compare bench-check \
	bench-cpeers bench-inputs bench-js bench-jvm bench-arm64-model \
	generate generate-check testdata testdata-check deps build install clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: $(BIN) ## build the command-line tool into bin/

.PHONY: $(BIN)
$(BIN):
	cd tools && $(GO) build -trimpath -o ../$(BIN) ./sealwright

# The inbox holds hostile wraps, so the tool ends with 2: some lines failed.
demo: $(BIN) ## open an inbox of gift wraps that another implementation made
	@$(BIN) unwrap --key-fd 3 --format text --summary $(INBOX) 3< tools/testdata/keys/alice.nsec || test $$? -eq 2

test: ## run every test that needs nothing but Go
	@$(GO) test -count=1 -v -run '^TestVectorsPresent$$' ./internal/testkit | grep 'vectors:'
	@cd tools && $(GO) run ./testall $(addprefix ../,$(MODULES))

test-long: ## run every test and every sweep whole instead of as a sample, on every platform (hours)
	@SEALWRIGHT_LONG=1 $(MAKE) --no-print-directory test
	@SEALWRIGHT_LONG=1 $(MAKE) --no-print-directory hostile
	@SEALWRIGHT_LONG=1 $(MAKE) --no-print-directory platforms

# The restriction is read before a test begins, so that go test does not know that its
# cached result was another restriction's.
test-tiers: ## run the library's tests under every restriction of the tiers, and without assembly
	@set -e; for r in portable avx2 shani,adx -avx512; do echo "== SEALWRIGHT_CPU=$$r"; SEALWRIGHT_CPU=$$r $(GO) test -short -count=1 ./kernels/... ./protocol/...; done
	@echo "== -tags purego"; $(GO) test -tags purego ./...

fuzz: ## run every fuzz target for FUZZTIME (10s)
	@cd fuzz && $(GO) run ./run -time $(FUZZTIME)

fuzz-arm64: ## run the fuzz targets of kernels and curve as arm64 code under qemu, EXECUTIONS (2000) each
	@cd fuzz && $(GO) run ./run -executions $(EXECUTIONS) -arm64-cpu max -run '^fuzz_(kernels|curve)_'

fuzz-seeds: ## pack the seeds of every fuzz target for OSS-Fuzz into bin/fuzz-seeds
	@cd fuzz && $(GO) run ./seeds ../bin/fuzz-seeds

interop: $(PEERS)/node_modules ## open what other implementations make, and let them open ours (needs Node)
	@cd fuzz/interop && SEALWRIGHT_REQUIRE=$${SEALWRIGHT_REQUIRE:+$$SEALWRIGHT_REQUIRE,}interop $(GO) test -count=1 -timeout 5m

hostile: ## open a corpus of hostile wraps with the library and the tool, and break pipes and disks under it
	@cd fuzz && out=$$($(GO) test -count=1 -timeout 30m -v ./hostile) || { echo "$$out"; exit 1; }; echo "$$out" | grep -E '^hostile:|SEALWRIGHT_SEED'; \
	echo "hostile: $$(echo "$$out" | grep -c '^--- PASS') tests passed, $$(echo "$$out" | grep -c '^--- SKIP') skipped"
	@cd tools && out=$$($(GO) test -count=1 -v -run '^TestFault' ./sealwright) || { echo "$$out"; exit 1; }; \
	echo "$$out" | grep -E 'NOT RUN|MB in all' || true; echo "faults: $$(echo "$$out" | grep -c '^--- PASS') tests of the tool passed, $$(echo "$$out" | grep -c '^--- SKIP') skipped"

platforms: ## compile, vet and test for every platform, with the oldest Go and the newest dependencies
	@cd tools && $(GO) run ./platforms $(PLATFORMS_FLAGS)

emulate: ## run the kernels' tests on an emulated processor with AVX-512 (needs Bochs)
	@if command -v bochs-bin >/dev/null; then \
		SEALWRIGHT_REQUIRE=$${SEALWRIGHT_REQUIRE:+$$SEALWRIGHT_REQUIRE,}avx512 tools/emulator/packages -cpu corei7_icelake_u -timeout 30m $(EMULATED) -- -test.short -test.run './^tier=avx512$$' -test.skip '^TestTracer$$'; \
	else case ",$$SEALWRIGHT_REQUIRE," in *,bochs,*) echo "emulate: Bochs is not installed"; exit 1;; \
		*) echo "emulate: NOT RUN, Bochs is not installed (tools/emulator/README.md)";; esac; fi

vuln: ## look for known vulnerabilities (needs a network)
	@tools/platforms/vuln $(MODULES)

race: ## run the tests again under the race detector (needs a C compiler)
	@set -e; for m in . tools tools/gonostr; do echo "== go test -race ./... ($$m)"; (cd $$m && CGO_ENABLED=1 $(GO) test -race -short -skip '^Test(Fault|Exhaustive)' ./...); done
	@cd fuzz && echo "== go test -race ./hostile" && CGO_ENABLED=1 $(GO) test -race -run '^Test(CloseBeside64|CancelLeavesNothing|Inbox)$$' ./hostile

bench-quick: ## the audit's table beside go-nostr, in a minute
	cd bench && $(GO) run ./report run quick

bench: ## every row beside every peer in Go, 3 x 10 samples, and the report (minutes)
	cd bench && $(GO) run ./report run -out $(REPORT)/raw standard
	@$(MAKE) --no-print-directory bench-report

bench-full: ## the same with the peers in C and 3 x 30 samples (half an hour)
	cd bench && CGO_ENABLED=1 $(GO) run ./report run -out $(REPORT)/raw $(BENCH_C) full
	@$(MAKE) --no-print-directory bench-report

bench-report: ## render the benchmark files again, with those of bench-js and bench-jvm
	cd bench && $(GO) run ./report render -out $(REPORT) $(REPORT)/raw/*.txt

bench-publish: ## make the report in bench/report/results anew: bench-full, bench-js and bench-jvm (an hour)
	@test -z "$$(git status --porcelain --untracked-files=no)" || { echo "bench-publish: commit first: a report names the commit that it is of"; exit 1; }
	@$(MAKE) --no-print-directory bench-full bench-js bench-jvm REPORT=../bin/bench/publish
	@rm -rf bench/report/results && mkdir -p bench/report/results && cp -r bin/bench/publish/raw bench/report/results/
	@$(MAKE) --no-print-directory bench-report REPORT=report/results

bench-gate: ## fail when a row is above its gate, or slower than recorded (gates.txt); GATE_FLAGS=-c: with the peers in C
	cd bench && $(GO) run ./gate $(GATE_FLAGS)

bench-gate-calibrate: ## record the ratios of this machine and their noise in gates.txt; GATE_FLAGS likewise
	cd bench && $(GO) run ./gate $(GATE_FLAGS) -calibrate

bench-compare: ## benchstat an older commit beside this one: make bench-compare OLD=ref
	@test -n "$(OLD)" || { echo "usage: make bench-compare OLD=ref"; exit 2; }
	cd bench && $(GO) run ./report compare -old "$(OLD)"

bench-check: ## run every benchmark once, so that every answer is judged
	@cd bench && $(GO) test -run '^$$' -bench . -benchtime 1x -cpu 1 .

bench-cpeers: ## benchmark the C peers (needs a C compiler and Debian's libsecp256k1-dev libssl-dev libsodium-dev pkg-config)
	@mkdir -p bin/bench
	@cd bench && CGO_ENABLED=1 $(GO) test -c -tags cpeers -o ../bin/bench/cpeers.test . && CGO_ENABLED=1 $(GO) test -c -tags libsecp256k1 -o ../bin/bench/libsecp256k1.test .
	@cd bench && ../bin/bench/cpeers.test -test.run '^$$' -test.bench . $(BENCH_FLAGS)
	@cd bench && ../bin/bench/libsecp256k1.test -test.run '^$$' -test.bench '/impl=gonostr-libsecp$$|//impl=gonostr-libsecp$$' $(BENCH_FLAGS)

bench-inputs:
	@mkdir -p bin/bench
	@cd bench && $(GO) test -count=1 -run '^TestExportInputs$$' -inputs "$(BENCH_INPUTS)" . >/dev/null

# Keeps what a program in another language prints: the name of its target without
# bench-, then the program.
collect = cd bench && $(GO) run ./report collect -out $(REPORT)/raw -name $(1) -invocations $(if $(BENCH_FLAGS),1,3) -command "make bench-$(1)$(if $(BENCH_FLAGS), BENCH_FLAGS=$(BENCH_FLAGS))" -- $(2)

bench-js: bench-inputs ## benchmark nostr-tools, nostr-wasm and rust-nostr (needs Node and npm); BENCH_FLAGS=--quick: once
	@cd bench/js && npm ci --no-audit --no-fund --silent
	@$(call collect,js,node js/bench.mjs --inputs "$(BENCH_INPUTS)" $(BENCH_FLAGS))

bench-jvm: bench-inputs ## benchmark Bouncy Castle (needs a JDK and Debian's libbcprov-java libjackson2-core-java); BENCH_FLAGS=-quick: once
	@rm -rf bin/bench/jvm && javac -d bin/bench/jvm -cp $(JARS) bench/jvm/*.java
	@$(call collect,jvm,java -cp "$(CURDIR)/bin/bench/jvm:$(JARS)" Bench "$(BENCH_INPUTS)" $(BENCH_FLAGS))

bench-arm64-model: ## model arm64 beside its peers on any machine, and count instructions, no times; fails when a target is missed (minutes; needs what make deps installs)
	@cd bench && $(GO) run ./arm64model $(MODEL_FLAGS)

lint: ## gofmt, go vet and a pinned staticcheck
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "not formatted:"; echo "$$bad"; exit 1; fi
	@set -e; for m in $(MODULES); do echo "== vet and staticcheck ($$m)"; (cd $$m && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./...); done

fmt: ## format the Go code
	gofmt -w .

generate: ## write the generated files anew
	$(GO) generate ./...

generate-check: ## delete the generated files, generate them and fail on a difference or a file more
	@files=$$(git grep -l '^// Code generated' -- '*.go' '*.s'); test -n "$$files"; \
	rm -f $$files; $(MAKE) --no-print-directory generate; \
	more=$$(git ls-files -z --others --exclude-standard -- '*.go' '*.s' | xargs -0 -r grep -l '^// Code generated'); \
	test -z "$$more" || { echo "generated, and not committed:"; echo "$$more"; exit 1; }; \
	git diff --exit-code --stat -- $$files && echo "generated files are current:" && echo "$$files"

testdata: ## make the test data anew with nostr-tools and noble (needs Node and npm)
	cd tools/testdata/generate && npm ci --no-audit --no-fund && npm run --silent generate

testdata-check: testdata ## fail when the committed test data is not what the scripts make
	@git diff --exit-code --stat -- tools/testdata protocol/testdata && echo "test data is what its scripts make"

deps: ## install the Debian and npm packages that the slower checks need (needs root)
	@tools/platforms/deps

$(PEERS)/node_modules: $(PEERS)/package-lock.json
	cd $(PEERS) && npm ci --no-audit --no-fund
	@touch $@

install: ## install the tool into GOBIN
	cd tools && $(GO) install -trimpath ./sealwright

clean: ## remove what make built
	rm -rf bin tools/testdata/generate/node_modules bench/js/node_modules $(PEERS)/node_modules
