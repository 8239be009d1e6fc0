# Teesmith. `make start` runs the shop, `make test` proves it; `make help` lists the rest.
# Only what make 3.81 (macOS) knows, and only relative paths, so that the folder's name may hold a space.

.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
PY := .venv/bin/python
SUPABASE := $(PY) -m emulators run -- .venv/bin/supabase
WORKERS := --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
COMPILE := $(PY) -m piptools compile -q --strip-extras --generate-hashes --allow-unsafe \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header

# The emulators' port, where a second worktree's stack has chosen one.
OF_EMULATORS = eval "$$($(SUPABASE) status -o env | sed -n 's/^EMULATORS_PORT=/export &/p')";

.PHONY: help setup setup-dev start stop status reset dev check check-python check-web test test-web test-studio test-quick test-localbase test-shop test-python coverage compat compat-lite differential strangers simulate chaos many bench bench-peers seed-large bench-large gallery audit backup restore bundle format production-check deploy static requirements

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 20

setup: ## install what the shop needs and build the web client

start: setup ## start everything; shows the addresses
	@$(SUPABASE) start
	@$(OF_EMULATORS) $(PY) -m emulators run -- $(PY) -m emulators.seed_products

stop: setup-project ## stop everything; the data stays
	@$(SUPABASE) stop

status: setup-project ## addresses and keys (make status ARGS="-o env" or "-o json")
	@$(SUPABASE) status $(ARGS)

reset: setup ## throw all local data away and begin anew
	@$(SUPABASE) db reset
	@$(OF_EMULATORS) $(PY) -m emulators run -- $(PY) -m emulators.seed_products

dev: start ## the shop with hot reload, on http://127.0.0.1:5173
	@set -a; eval "$$($(SUPABASE) status -o env)"; SUPABASE_URL="$$API_URL" SUPABASE_PUBLISHABLE_KEY="$$PUBLISHABLE_KEY" \
	  $(PY) -m emulators run -- npm run dev

check: check-python check-web ## format, lint, types, import directions, file sizes, dead code

# Programs of one name are checked at once by links of several names.
check-python: setup-python
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	@rm -rf build/programs; mkdir -p build/programs; for program in functions/*/main.py examples/*/*.py; do \
	  ln -s "../../$$program" "build/programs/$$(echo "$$program" | tr '/-' '__')" || exit 1; done
	$(PY) -m mypy --no-error-summary build/programs/*.py
	.venv/bin/lint-imports
	cd functions && ../.venv/bin/lint-imports
	$(PY) -m vulture
	$(PY) -m deptry .
	cd supabase && ../.venv/bin/python -m deptry .

check-web: setup-web
	npm run --silent check

test: test-web test-studio test-python ## every test: unit, integration, compatibility, browser, web components (ARGS="--numprocesses 0")

test-web: setup-web
	npm run --silent test --workspace web

test-studio: setup-web
	npm run --silent test --workspace supabase/studio

test-python: setup-tests
	@$(PY) -m tests.support.whole_run $(WORKERS) $(ARGS)

# Unit tests that draw many pictures, or load huge ones. Lettering, portraits, mockups and single pictures stay.
DRAWINGS := emulators/test_photo_designs.py emulators/test_artist_pictures.py functions/designs/test_picture_memory.py

test-quick: setup-python ## types, rules, and unit tests but for the many drawings: what needs no stack
	$(PY) -m mypy
	@$(PY) -m tests.support.whole_run $(WORKERS) tests/repository tests/localbase/unit tests/shop/unit \
	  $(addprefix --ignore=tests/shop/unit/,$(DRAWINGS)) $(ARGS)

# One product's half; what holds for the repository is tested with both.
test-localbase: ARGS = tests/localbase tests/compat tests/e2e/localbase tests/repository
test-localbase: test-studio test-python ## localbase's half of the tests

test-shop: ARGS = tests/shop tests/e2e tests/simulation tests/chaos tests/repository --deselect tests/e2e/localbase
test-shop: test-web test-python ## the shop's half, its web client included

coverage: setup-tests ## every test, and how much of each package they run; measuring takes more processor time than the tests
	@rm -rf .localbase/coverage
	npm run --silent coverage
	$(PY) -m coverage run -m pytest $(WORKERS) $(ARGS)
	@$(PY) -m tools.coverage_report

compat: setup-dev ## the official clients against any Supabase: make compat URL=… (keys: tests/support/remote.py)
	@COMPAT_URL='$(URL)' $(PY) -m pytest tests/compat --numprocesses 0 -rs $(ARGS)

compat-lite: setup-dev ## the shop on @supabase/lite, another implementation of Supabase, with Postgres
	$(PY) -m pytest tests/compat/lite --lite --numprocesses 0 -rs $(ARGS)

differential: setup-dev ## random requests, each answered as by a gateway that caches nothing (ARGS="--requests 200000 --seed 7")
	@$(PY) -m tests.localbase.integration.rest.differential $(ARGS)

strangers: setup-dev ## public projects that no one here wrote, each started unedited (copies of them: DIR=…); writes docs/strangers.md
	@$(PY) -m tests.strangers $(if $(DIR),--dir $(DIR)) $(ARGS)

simulate: setup-dev ## searches for an order of events that loses money (ARGS="--seed 7 --walks 100 --steps 200")
	@$(PY) -m tests.simulation $(ARGS)

chaos: setup-dev ## checkouts while processes die and vendors misbehave, in full (ARGS="--seed 4242")
	$(PY) -m pytest tests/chaos --full $(ARGS)

many: setup-tests ## the shop on many machines (network namespaces, as root), each of which fails, three rounds (ARGS="--rounds 1")
	@$(PY) -m tests.many $(ARGS)

bench: start ## figures of the running stack, each against its limit (ARGS="doors pages": these parts alone)
	@$(if $(filter-out data_api,$(or $(ARGS),all)),$(PY) -m emulators run -- $(PY) -m bench $(filter-out data_api,$(ARGS)))
	@$(if $(filter data_api,$(or $(ARGS),data_api)),$(PY) -m bench.data_api --alone --seconds 1 --rounds 2)

bench-peers: setup-dev ## localbase beside the official CLI, @supabase/lite and Firebase's emulators: start, memory, disk, offline
	@$(PY) -m bench.peers $(ARGS)

seed-large: setup ## a shop of a million designs, in a project of its own (four minutes, 2 GB)
	@$(PY) -m bench.large.seed $(ARGS)

bench-large: setup ## every query of web and functions on that shop, each against its limits; writes docs/scale.md (ARGS="--only gallery")
	@$(PY) -m bench.large $(ARGS)

gallery: setup ## contact sheets of the local artist and the mockup studio, to judge by eye (ARGS="--only shirts")
	@$(PY) -m emulators.gallery $(ARGS)

production-check: setup-project ## ask a deployed shop what must hold: make production-check URL=https://shop.example (ARGS="--output json")
	@$(PY) -m deploy production-check $(URL) $(ARGS)

# The running stack's address, keys and database, under the names of .env.
OF_STACK = set -a; eval "$$($(SUPABASE) status -o env)"; SUPABASE_URL="$$API_URL"; SUPABASE_SECRET_KEY="$$SECRET_KEY"; \
  SUPABASE_DB_URL="$$DB_URL"; set +a; $(PY) -m emulators run --

backup: setup-project ## copy the running local shop into a folder: make backup DIR=backups/monday (any other: docs/operations.md)
	@$(OF_STACK) $(PY) -m deploy backup $(DIR) $(ARGS)

restore: setup-project ## bring a backup into the running local shop: make restore DIR=backups/monday ARGS=--replace
	@$(OF_STACK) $(PY) -m deploy restore $(DIR) $(ARGS)

audit: setup-audit ## licences, an SBOM and known vulnerabilities of all that is installed (ARGS="--strict")
	@.localbase/audit/bin/python -m tools.audit $(ARGS)

bundle: setup-project ## one function, or the container of all, ready to deploy: make bundle FN=lookup-zip-code|container
	@$(PY) functions/bundle.py $(FN)

deploy: setup-project ## functions to Google Cloud: make deploy FN=<slug>|all|container ARGS=--dry-run
	@$(PY) -m deploy functions $(FN) $(ARGS)

static: setup ## the built shop with settings and headers for a static host, in build/static
	@$(PY) -m deploy static $(ARGS)

format: setup-dev ## put all code into its format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	npm run --silent format

requirements: setup-python ## write requirements*.txt anew from both pyproject.toml, and the functions' locks from them
	$(COMPILE) --build-deps-for editable -o requirements.txt pyproject.toml supabase/pyproject.toml
	$(COMPILE) --build-deps-for editable --extra dev -o requirements-dev.txt pyproject.toml supabase/pyproject.toml
	for source in functions/requirements/*.in; do \
	  $(COMPILE) --no-annotate --constraint requirements.txt -o "$${source%.in}.txt" "$$source" || exit 1; done
	$(COMPILE) -o tools/audit/requirements.txt tools/audit/requirements.in

# tools/setup.py does what is due. It runs with PYTHON until there is an environment.
SETUPS := setup setup-dev setup-project setup-python setup-web setup-client setup-tests setup-audit
.PHONY: $(SETUPS)
$(SETUPS):
	@python='$(PYTHON)'; if [ -x $(PY) ] && [ "$$(cat .venv/root)" = "$$(pwd)" ]; then python=$(PY); fi; \
	if ! $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  printf 'error: Python 3.11 or later is needed; "%s" is %s.\n  → Install it, or name it: make start PYTHON=python3.12\n' \
	    "$$python" "$$($$python --version 2>&1 || echo missing)"; exit 1; fi; \
	$$python -m tools.setup $(patsubst setup-%,%,$(filter-out setup,$@))
