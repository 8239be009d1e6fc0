# Teesmith. `make start` runs the shop, `make test` proves it; `make help` lists the rest.
# Only what make 3.81 (macOS) knows, and only relative paths, so that the folder's name may hold a space.

.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
# What the virtual environment is made with: PYTHON where it is named, else python3 or a far faster one of its version.
FASTEST = $(or $(if $(filter file,$(origin PYTHON)),$(shell $(PYTHON) tools/interpreter.py 2>/dev/null)),$(PYTHON))
PY := .venv/bin/python
SUPABASE := $(PY) -m emulators run -- .venv/bin/supabase
LOG = .localbase/setup$(PART).log
WORKERS := --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
COMPILE := $(PY) -m piptools compile -q --strip-extras --generate-hashes --allow-unsafe \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header
WEB_SOURCES := $(shell find web -type f -not -path 'web/dist/*' -not -name '*.tsbuildinfo' -not -name '*.py' -not -name '*.pyc' 2>/dev/null)

# The emulators' port, where a second worktree's stack has chosen one.
OF_EMULATORS = eval "$$($(SUPABASE) status -o env | sed -n 's/^EMULATORS_PORT=/export &/p')";

# $(call step,title,command,what to do when it fails): one line with its time; on failure the end of its output.
# While it runs, a terminal's line counts the seconds; elsewhere a line comes every ten (STEP_SECONDS overrules both).
define step
@mkdir -p .localbase; printf '  %s …' '$(1)'; began=$$(date +%s); live=; if [ -t 1 ]; then live=1; fi; \
( while sleep "$${STEP_SECONDS:-$${live:-10}}" > /dev/null 2>&1 && kill -0 $$$$ 2> /dev/null; do \
    spent=$$(( $$(date +%s) - began )); \
    if [ "$$live" ]; then printf '\r  %s … %s s' '$(1)' "$$spent"; else printf '\n    %s s so far …' "$$spent"; fi; done ) & \
ticking=$$!; failed=; ( $(2) ) > $(LOG) 2>&1 || failed=1; \
kill $$ticking; wait $$ticking 2> /dev/null; if [ "$$live" ]; then printf '\r  %s …' '$(1)'; fi; \
if [ ! "$$failed" ]; then printf ' %s s\n' "$$(( $$(date +%s) - began ))"; \
else printf ' failed\n\n'; tail -n 25 $(LOG); printf '\nerror: this step failed: %s\n  → %s\n' '$(1)' '$(3)'; exit 1; fi
endef

.PHONY: help setup setup-dev start stop status reset dev check check-python check-web test test-web test-python coverage compat compat-lite differential chaos bench bench-peers seed-large bench-large gallery audit backup restore bundle format production-check deploy static requirements

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 20

setup: .venv/project.stamp node_modules/installed.stamp web/dist/built.stamp ## install what the shop needs and build the web client
setup-dev: setup .venv/dev.stamp

start: setup ## start everything; shows the addresses
	@$(SUPABASE) start
	@$(OF_EMULATORS) $(PY) -m emulators run -- $(PY) -m emulators.seed_products

stop: .venv/project.stamp ## stop everything; the data stays
	@$(SUPABASE) stop

status: .venv/project.stamp ## addresses and keys (make status ARGS="-o env" or "-o json")
	@$(SUPABASE) status $(ARGS)

reset: setup ## throw all local data away and begin anew
	@$(SUPABASE) db reset
	@$(OF_EMULATORS) $(PY) -m emulators run -- $(PY) -m emulators.seed_products

dev: start ## the shop with hot reload, on http://127.0.0.1:5173
	@set -a; eval "$$($(SUPABASE) status -o env)"; SUPABASE_URL="$$API_URL" SUPABASE_PUBLISHABLE_KEY="$$PUBLISHABLE_KEY" \
	  $(PY) -m emulators run -- npm run dev

check: check-python check-web ## format, lint, types, import directions, file sizes, dead code

check-python: .venv/project.stamp .venv/dev.stamp
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	@for main in functions/*/main.py examples/*/*.py; do $(PY) -m mypy --no-error-summary "$$main" || exit 1; done
	.venv/bin/lint-imports
	cd functions && ../.venv/bin/lint-imports
	$(PY) -m vulture
	$(PY) -m deptry .
	cd supabase && ../.venv/bin/python -m deptry .

check-web: node_modules/installed.stamp
	npm run --silent check

test: test-web test-python ## every test: unit, integration, compatibility, browser, web components (ARGS="--numprocesses 0")

test-web: node_modules/installed.stamp
	npm run --silent test

test-python: setup-dev
	@$(PY) -m tests.support.browser
	@$(PY) -m tests.support.official_cli
	@$(PY) -m tests.support.deno
	@$(PY) -m tests.support.wheels
	@$(PY) -m tests.support.nginx
	$(PY) -m pytest $(WORKERS) $(ARGS)

coverage: setup-dev ## every test, and how much of each package they run; measuring takes more processor time than the tests
	@$(PY) -m tests.support.browser
	@$(PY) -m tests.support.official_cli
	@$(PY) -m tests.support.deno
	@$(PY) -m tests.support.wheels
	@$(PY) -m tests.support.nginx
	@rm -rf .localbase/coverage
	npm run --silent coverage
	$(PY) -m coverage run -m pytest $(WORKERS) $(ARGS)
	@$(PY) -m tools.coverage_report

compat: setup-dev ## the official clients against any Supabase: make compat URL=… (keys: tests/support/remote.py)
	@COMPAT_URL='$(URL)' $(PY) -m pytest tests/compat --numprocesses 0 -rs $(ARGS)

compat-lite: setup-dev ## the shop on @supabase/lite, another implementation of Supabase, with Postgres
	$(PY) -m pytest tests/compat/lite --lite --numprocesses 0 -rs $(ARGS)

differential: setup-dev ## random requests, each answered as by a gateway that caches nothing (ARGS="--requests 200000 --seed 7")
	@$(PY) -m tests.integration.rest.differential $(ARGS)

chaos: setup-dev ## checkouts while processes die and vendors misbehave, in full (ARGS="--seed 4242")
	$(PY) -m pytest tests/chaos --full $(ARGS)

bench: start ## figures of the running stack, each against its limit
	@$(PY) -m emulators run -- $(PY) -m bench
	@$(PY) -m bench.data_api

bench-peers: setup-dev ## localbase beside the official CLI, @supabase/lite and Firebase's emulators: start, memory, disk, offline
	@$(PY) -m bench.peers $(ARGS)

seed-large: setup ## a shop of a million designs, in a project of its own (four minutes, 2 GB)
	@$(PY) -m bench.large.seed $(ARGS)

bench-large: setup ## every query of web and functions on that shop, each against its limits; writes docs/scale.md (ARGS="--only gallery")
	@$(PY) -m bench.large $(ARGS)

gallery: setup ## contact sheets of the local artist and the mockup studio, to judge by eye (ARGS="--only shirts")
	@$(PY) -m emulators.gallery $(ARGS)

production-check: .venv/project.stamp ## ask a deployed shop what must hold: make production-check URL=https://shop.example (ARGS="--output json")
	@$(PY) -m deploy production-check $(URL) $(ARGS)

# The running stack's address, keys and database, under the names of .env.
OF_STACK = set -a; eval "$$($(SUPABASE) status -o env)"; SUPABASE_URL="$$API_URL"; SUPABASE_SECRET_KEY="$$SECRET_KEY"; \
  SUPABASE_DB_URL="$$DB_URL"; set +a; $(PY) -m emulators run --

backup: .venv/project.stamp ## copy the running local shop into a folder: make backup DIR=backups/monday (any other: docs/operations.md)
	@$(OF_STACK) $(PY) -m deploy backup $(DIR) $(ARGS)

restore: .venv/project.stamp ## bring a backup into the running local shop: make restore DIR=backups/monday ARGS=--replace
	@$(OF_STACK) $(PY) -m deploy restore $(DIR) $(ARGS)

audit: setup-dev .localbase/audit/made.stamp ## licences, an SBOM and known vulnerabilities of all that is installed (ARGS="--strict")
	@.localbase/audit/bin/python -m tools.audit $(ARGS)

.localbase/audit/made.stamp: tools/audit/requirements.txt | .venv/made.stamp
	@$(PY) -m venv --clear .localbase/audit
	$(call step,installing the tools of the audit,.localbase/audit/bin/python -m pip install --disable-pip-version-check --no-deps --require-hashes -r tools/audit/requirements.txt,\
	  Check the network connection and try again; the whole output is in $(LOG).)
	@touch $@

bundle: .venv/project.stamp ## one function, or the container of all, ready to deploy: make bundle FN=lookup-zip-code|container
	@$(PY) functions/bundle.py $(FN)

deploy: .venv/project.stamp ## functions to Google Cloud: make deploy FN=<slug>|all|container ARGS=--dry-run
	@$(PY) -m deploy functions $(FN) $(ARGS)

static: setup ## the built shop with settings and headers for a static host, in build/static
	@$(PY) -m deploy static $(ARGS)

format: setup-dev ## put all code into its format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	npx biome check --write web

requirements: .venv/dev.stamp ## write requirements*.txt anew from both pyproject.toml, and the functions' locks from them
	$(COMPILE) --build-deps-for editable -o requirements.txt pyproject.toml supabase/pyproject.toml
	$(COMPILE) --build-deps-for editable --extra dev -o requirements-dev.txt pyproject.toml supabase/pyproject.toml
	for source in functions/requirements/*.in; do \
	  $(COMPILE) --no-annotate --constraint requirements.txt -o "$${source%.in}.txt" "$$source" || exit 1; done
	$(COMPILE) -o tools/audit/requirements.txt tools/audit/requirements.in

# A virtual environment holds absolute paths: one that was moved with its folder is made anew.
ifneq ($(shell cat .venv/root 2>/dev/null),$(shell pwd))
.PHONY: .venv/made.stamp
endif

# Two makes at once must not install into one folder. Each step runs in a make of its own under a lock, and that make looks
# again whether there is anything to do: the one that waited finds it done. Without a Python the step itself says so.
.venv/made.stamp:
# The web's packages need nothing of Python's: both may be installed at once.
node_modules/installed.stamp web/dist/built.stamp: PART := -web
.venv/runtime.stamp: .venv/made.stamp requirements.txt
# Our own two distributions, from this folder: their commands, and their packages where they lie.
.venv/project.stamp: .venv/runtime.stamp pyproject.toml supabase/pyproject.toml
.venv/dev.stamp: .venv/runtime.stamp requirements-dev.txt
node_modules/installed.stamp: package-lock.json
web/dist/built.stamp: node_modules/installed.stamp shop.toml $(WEB_SOURCES)

ifndef SETUP_LOCKED
.venv/made.stamp .venv/runtime.stamp .venv/project.stamp .venv/dev.stamp node_modules/installed.stamp web/dist/built.stamp:
	@hold=; if $(PYTHON) -c 'import fcntl' > /dev/null 2>&1; then hold='$(PYTHON) tools/hold_lock.py .localbase/setup$(PART).lock'; fi; \
	  $$hold $(MAKE) --silent --no-print-directory SETUP_LOCKED=1 $@
else
.venv/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  printf 'error: Python 3.11 or later is needed; "$(PYTHON)" is %s.\n  → Install it, or name it: make start PYTHON=python3.12\n' "$$($(PYTHON) --version 2>&1 || echo missing)"; exit 1; }
	$(call step,making the virtual environment,\
	  rm -rf .venv && python='$(FASTEST)' && { $$python -m venv .venv || { rm -rf .venv; python='$(PYTHON)'; $$python -m venv .venv; } || { rm -rf .venv; \
	    if command -v apt-get && [ "$$(id -u)" = 0 ]; then apt-get update && apt-get install -y python3-venv; \
	    elif command -v apt-get; then sudo -n apt-get install -y python3-venv; else false; fi && $$python -m venv .venv; }; },\
	  Install the venv module of your Python (Debian: sudo apt-get install python3-venv) and try again.)
	@pwd > .venv/root; touch $@

.venv/runtime.stamp:
	$(call step,installing the Python packages,$(PY) -m pip install --disable-pip-version-check --no-deps --require-hashes -r requirements.txt,\
	  Check the network connection and try again; the whole output is in $(LOG).)
	@touch $@

.venv/project.stamp:
	$(call step,installing localbase and the shop,$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation --editable ./supabase --editable .,\
	  The whole output is in $(LOG).)
	@touch $@

# Python compiles of these what is imported, when it is: a small part.
.venv/dev.stamp:
	$(call step,installing the Python packages for tests,$(PY) -m pip install --disable-pip-version-check --no-deps --require-hashes --no-compile -r requirements-dev.txt,\
	  Check the network connection and try again; the whole output is in $(LOG).)
	@touch $@

node_modules/installed.stamp:
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' 2>/dev/null || { \
	  printf 'error: Node 20 or later is needed; found %s.\n  → Install it from your package manager or nodejs.org and try again.\n' "$$(node --version 2>&1 || echo none)"; exit 1; }
	$(call step,installing the web packages,npm ci --no-audit --no-fund,\
	  Check the network connection and try again; the whole output is in $(LOG).)
	@touch $@

web/dist/built.stamp:
	$(call step,building the web client,NO_COLOR=1 npm run build,The compiler names the file and the line above.)
	@touch $@
endif
