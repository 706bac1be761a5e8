# The only place that knows how things are run. `make` prints this list.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
MODULES     := . tools tools/gonostr
BIN         := bin/sealwright
INBOX       := tools/testdata/inbox.jsonl

.DEFAULT_GOAL := help
.PHONY: help demo test race lint fmt generate generate-check testdata testdata-check build install clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: $(BIN) ## build the command-line tool into bin/

.PHONY: $(BIN)
$(BIN):
	cd tools && $(GO) build -trimpath -o ../$(BIN) ./sealwright

# The inbox holds hostile wraps, so the tool ends with 2: some lines failed.
demo: $(BIN) ## open an inbox of gift wraps that another implementation made
	@$(BIN) unwrap --key-fd 3 --format text --summary $(INBOX) 3< tools/testdata/keys/alice.nsec || test $$? -eq 2

test: ## run every test that needs nothing but Go
	@set -e; for m in $(MODULES); do echo "== go test ./... ($$m)"; (cd $$m && $(GO) test ./...); done
	@$(GO) test -count=1 -v -run '^TestVectorsPresent$$' ./internal/testkit | grep 'vectors:'

race: ## run every test again under the race detector (needs a C compiler)
	@set -e; for m in $(MODULES); do echo "== go test -race ./... ($$m)"; (cd $$m && CGO_ENABLED=1 $(GO) test -race ./...); done

lint: ## gofmt, go vet and a pinned staticcheck
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "not formatted:"; echo "$$bad"; exit 1; fi
	@set -e; for m in $(MODULES); do echo "== vet and staticcheck ($$m)"; (cd $$m && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./...); done

fmt: ## format the Go code
	gofmt -w .

generate: ## write the generated files anew
	$(GO) generate ./...

generate-check: ## delete the generated files, generate them and fail on a difference
	@files=$$(git grep -l '^// Code generated' -- '*.go' '*.s'); test -n "$$files"; \
	rm -f $$files; $(MAKE) --no-print-directory generate; \
	git diff --exit-code --stat -- $$files && echo "generated files are current:" && echo "$$files"

testdata: ## make the test data anew with nostr-tools and noble (needs Node and npm)
	cd tools/testdata/generate && npm ci --no-audit --no-fund && npm run --silent generate

testdata-check: testdata ## fail when the committed test data is not what the scripts make
	@git diff --exit-code --stat -- tools/testdata protocol/testdata && echo "test data is what its scripts make"

install: ## install the tool into GOBIN
	cd tools && $(GO) install -trimpath ./sealwright

clean: ## remove what make built
	rm -rf bin tools/testdata/generate/node_modules
