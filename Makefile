.DEFAULT_GOAL := help
.PHONY: help install build demo start test lint typecheck openapi-lint unit integration http faults contract hostile oracle ledger \
	process browser examples real-data torture bench bench-quick clean

SOURCES := $(shell find src scripts -name '*.ts') tsconfig.json tsconfig.build.json

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

install: node_modules/.package-lock.json ## Install the pinned packages

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-fund --no-audit
	@touch $@

build: dist/src/main.js ## Compile to dist/

dist/src/main.js: node_modules/.package-lock.json $(SOURCES)
	npm run --silent build
	@touch $@

demo: build ## Sample data, an API key and a running server, with requests to paste
	@exec node dist/src/cli/demo.js

start: build ## Start the server on DATA_DIR or CLICKHOUSE_URL
	@exec node dist/src/main.js

test: build lint typecheck openapi-lint ## Everything that needs no other machine
	npm test
	npm run --silent test:http -- --short

lint: node_modules/.package-lock.json ## ESLint and Prettier
	npm run --silent lint

typecheck: node_modules/.package-lock.json ## The types of sources, scripts and tests
	npm run --silent typecheck

openapi-lint: node_modules/.package-lock.json ## Check the OpenAPI document
	npx --no-install redocly lint openapi.json

unit: node_modules/.package-lock.json ## Unit tests alone: no engine
	npm run --silent test:unit

integration: build ## Integration tests alone: the real engine, embedded
	npm run --silent test:integration

http: build ## Integration tests over ClickHouse's HTTP interface: TEST_CLICKHOUSE_URL, or a stand-in for a server
	npm run --silent test:http

faults: build ## One suite alone: a ClickHouse server that fails, limits, a full disk
	npx --no-install mocha test/integration/store-faults.test.ts test/integration/limits.test.ts \
		test/integration/disk.test.ts

contract: build ## One suite alone: the contract, endpoint by endpoint
	npx --no-install mocha "test/integration/contract/*.test.ts"

hostile: build ## One suite alone: hostile requests
	npx --no-install mocha test/integration/contract/hostile.test.ts

oracle: build ## One suite alone: random worlds against a plain computation, histograms against the ledger
	npx --no-install mocha test/integration/oracle.test.ts test/integration/one-truth.test.ts

ledger: build ## One suite alone: loads that die at every step, take turns, are read meanwhile, and are verified
	npx --no-install mocha test/integration/ledger.test.ts test/integration/load-lock.test.ts \
		test/integration/readers.test.ts test/integration/verify.test.ts

process: build ## One suite alone: servers, loads and keys as processes
	npx --no-install mocha test/integration/process.test.ts

browser: build ## The dashboard in Chromium, which is installed where it can be; screenshots into build/screenshots
	npm run --silent test:browser

examples: build ## One suite alone: the examples of the API docs, and those in examples/
	npx --no-install mocha test/integration/examples.test.ts

real-data: node_modules/.package-lock.json ## Real forecasts: NWS_2021_DIR=folder make real-data
	npm run --silent test:real-data

torture: build ## Kills, floods, faults, junk and hostile clients, an hour or two: TORTURE_SCALE=0.1 for less, TORTURE_SEED to repeat
	FAULT_SECONDS=30 npx --no-install mocha test/integration/store-faults.test.ts
	npm run --silent test:torture

bench: build ## Measure against bars, side by side: 35 million pairs, about half an hour and 10 GB in TMPDIR
	@exec node dist/scripts/bench.js

bench-quick: build ## The same at a tenth of the size, in two minutes, without the exports
	@exec node dist/scripts/bench.js --stations 200 --rounds 4 --seconds 1 --only cold,growth,hot,loading,increments --json build/bench-quick.json

clean: ## Remove what was built; data stays
	rm -rf dist build
