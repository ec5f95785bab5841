# Penstock. `make help` lists the targets.

GOFUMPT_VERSION   := v0.12.0
GOLANGCI_VERSION  := v2.15.0
FUZZTIME          ?= 15s

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)
BIN     := $(CURDIR)/bin/penstock
TOOLS   := $(CURDIR)/.bin

export CGO_ENABLED ?= 0
# A clone that belongs to somebody else makes git refuse to speak; the version
# comes from VERSION instead.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

.DEFAULT_GOAL := help
.PHONY: help run build check format vet lint test unit race e2e attack fuzz bench web web-check generate verify tools setup clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build and start with SQLite in ./data, RTMP on :1935, HTTP on :8080
	$(BIN) serve

build: ## build bin/penstock and bin/rtmpbench (needs no Node: web/dist is committed)
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/penstock ./cmd/rtmpbench

check: format vet lint web-check unit ## format, vet, lint, types and quick tests

test: ## everything, on a fresh Debian machine: installs what is missing, both databases, browser
	.ci/setup test
	.ci/test

unit: ## Go tests that need no ffmpeg, no database and no browser
	go test -short ./...

race: ## Go tests under the race detector (PostgreSQL is started if it is installed)
	CGO_ENABLED=1 .ci/postgres go test -race ./...

e2e: build web/node_modules/.package-lock.json ## ffmpeg and browser walk through the real program
	PENSTOCK_BIN=$(BIN) .ci/postgres go test -count=1 ./cmd/penstock
	cd web && PENSTOCK_BIN=$(BIN) npm run --silent e2e

attack: ## hostile clients against the real program, in full number (needs 20,000 descriptors)
	PENSTOCK_SLOWLORIS=5000 go test -count=1 -v -run 'TestHostile|TestLimitsOfHTTP|TestCableIsPulled|TestGuessers' ./cmd/penstock

fuzz: ## each fuzz target for FUZZTIME (15s)
	.ci/fuzz $(FUZZTIME)

bench: build ## Go benchmarks, then the fan-out beside nginx-rtmp where ../shared/perf is
	.ci/bench

format: $(TOOLS)/gofumpt ## fail when a Go file is not formatted
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs $(TOOLS)/gofumpt -l); \
	if [ -n "$$files" ]; then echo "not formatted (run .bin/gofumpt -w):"; echo "$$files"; exit 1; fi

vet: ## go vet
	go vet ./...

lint: $(TOOLS)/golangci-lint ## golangci-lint
	$(TOOLS)/golangci-lint run ./...

web: web/node_modules/.package-lock.json ## build the dashboard into web/dist
	cd web && npm run --silent build

web-check: web/node_modules/.package-lock.json
	cd web && npm run --silent lint && npm run --silent typecheck && npm test --silent

generate: build web/node_modules/.package-lock.json ## write openapi.yaml, its TypeScript types and web/dist anew
	$(BIN) openapi > openapi.yaml
	go generate .
	cd web && npm run --silent generate && npm run --silent build

verify: build web/node_modules/.package-lock.json ## fail when a generated file is not fresh
	.ci/verify

tools: $(TOOLS)/gofumpt $(TOOLS)/golangci-lint ## install the pinned tools into .bin

setup: ## install what the tests need (apt-get)
	.ci/setup test

clean: ## remove what was built
	rm -rf bin .bin web/node_modules

$(TOOLS)/gofumpt: Makefile
	GOBIN=$(TOOLS) go install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)
	@touch $@

$(TOOLS)/golangci-lint: Makefile
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@
