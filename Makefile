# Every target sets up what it needs; `make help` lists them.
.DEFAULT_GOAL := help
export CGO_ENABLED := 0

commit  := $(shell git rev-parse HEAD 2>/dev/null)
ldflags := -s -w -X github.com/trawlhq/trawl/internal/cli.version=$(shell git describe --tags --always 2>/dev/null) \
           -X github.com/trawlhq/trawl/internal/cli.commit=$(commit)
tool    := go tool -modfile=tools/go.mod

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

.PHONY: build
build: ## build bin/trawl
	@go build -ldflags '$(ldflags)' -o bin/trawl ./cmd/trawl

.PHONY: run
run: ## install what is missing, build, and serve on 127.0.0.1:3002
	@scripts/setup run
	@$(MAKE) --no-print-directory build
	@exec bin/trawl serve

.PHONY: test
test: ## install what the tests need, and run all of them
	@scripts/setup test
	scripts/with-postgres go test -timeout 15m ./...
	compat/run

.PHONY: kill
kill: ## the long form of the kill tests: twenty rounds
	TRAWL_TEST_KILL_ROUNDS=20 scripts/with-postgres go test -count=1 -timeout 30m -run Killed ./internal/job/... ./internal/crawl/...

.PHONY: hostile
hostile: ## 500 broken files in a row, and the public ones where they are
	TRAWL_TEST_HOSTILE_FILES=500 TRAWL_TEST_HOSTILE_ARCHIVE=$(abspath $(wildcard ../shared/data/hostile-files/files.tar.zst)) \
		go test -count=1 -timeout 40m -run HostileFilesInARow ./internal/app

.PHONY: race
race: ## the tests of everything concurrent, with the race detector (needs a C compiler)
	CGO_ENABLED=1 scripts/with-postgres go test -race -timeout 30m ./internal/access/... ./internal/api/... ./internal/app/... \
		./internal/job/... ./internal/store/... ./internal/fetch/... ./internal/scrape/... ./client/...

.PHONY: fuzz
fuzz: ## every fuzz target, a minute each
	@scripts/fuzz 60s

.PHONY: bench
bench: build ## measure quality and speed, and hold them against bench/floors.json
	@scripts/setup bench
	scripts/with-postgres go run ./bench $(BENCH)

.PHONY: lint
lint: ## formatting, vet and static checks
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "not formatted: $$unformatted"; exit 1; }
	go vet ./...
	$(tool) staticcheck ./...

.PHONY: clean
clean: ## remove what was built; data stays
	rm -rf bin build
