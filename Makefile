# Two commands: `make run` and `make test`. The rest is for developers.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run dev test lint docs test-services test-browser evaluate bench load sample sample-vectors soak lock clean

# Python 3.11 or newer; `make run PYTHON=python3.12` chooses one.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PORT ?= 8000
export PORT

help:
	@echo "make run            start Diligence on this machine (PORT=$(PORT))"
	@echo "make dev            install the packages that tests and lint need"
	@echo "make test           tests that need no service, then lint and types"
	@echo "make test-services  tests and goldens on real PostgreSQL, Redis and Elasticsearch"
	@echo "make test-browser   tests in Chromium"
	@echo "make evaluate       the goldens through the real pipeline, with gates"
	@echo "make docs           build the documentation into .docs"
	@echo "make bench          times and memory"
	@echo "make load           the site under load, and pages with 100,000 runs stored"
	@echo "make soak           what takes minutes; report in evals/reports"
	@echo "make sample-vectors embed the sample's passages anew"
	@echo "make lock           resolve pyproject.toml into requirements.lock and requirements-dev.lock"

# pip of the machine installs into an environment that has none of its own, so that Debian's python3 without
# python3-venv is enough. The stamp keeps the second start from looking at packages at all. What is never imported need
# not be compiled: half of the time of an installation.
INSTALL = $(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check --no-input \
  --no-deps --no-compile --require-hashes -r

.venv/.installed: requirements.lock
	@test -n "$(PYTHON)" || { echo "Diligence needs Python 3.11 or newer; none was found." >&2; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || { echo "$(PYTHON) has no pip: install python3-pip." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip .venv
	@echo "Installing the packages of requirements.lock"
	@$(INSTALL) requirements.lock
	@touch $@

# What only tests and other work on the project need: nobody who starts it waits for that.
.venv/.installed-dev: .venv/.installed requirements-dev.lock
	@echo "Installing the packages of requirements-dev.lock"
	@$(INSTALL) requirements-dev.lock
	@touch $@

dev: .venv/.installed-dev

# honcho knows Ctrl-C but not a closed terminal, and its children live in sessions of their own: whatever ends this
# shell is passed on as TERM, so that nothing keeps running. 130 and 143 are how honcho says that it was asked to.
run: export DEBUG ?= 1
run: export PYTHONUNBUFFERED = 1
run: .venv/.installed
	@$(BIN)/python manage.py prepare --port "$(PORT)" && { \
	  (trap '' HUP; PATH="$(CURDIR)/$(BIN):$$PATH" exec $(BIN)/honcho --env /dev/null start) & \
	  trap "kill -TERM $$! 2>/dev/null" INT TERM HUP; \
	  wait $$!; wait $$! 2>/dev/null; code=$$?; \
	  case $$code in 0|127|130|143) ;; *) exit $$code;; esac; }

# Lint and types are checked beside the tests, some of which wait, and are said after them. Tests start processes: where
# no bytecode is kept each compiles all that it imports, which takes longer than most of them.
test test-services test-browser: export PYTHONDONTWRITEBYTECODE =
test: .venv/.installed-dev
	@log=$$(mktemp); $(MAKE) --no-print-directory lint >"$$log" 2>&1 & lint=$$!; \
	$(BIN)/python -m pytest -n 2 --dist loadgroup; tests=$$?; \
	wait $$lint; checked=$$?; cat "$$log"; rm "$$log"; exit $$((tests | checked))

lint: export DEBUG = 1
lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	find templates -name '*.html' -print0 | xargs -0 -r $(BIN)/djade --check --target-version 5.2
	$(BIN)/mypy
	@$(MAKE) --no-print-directory docs
	@export DATA_DIR=$$(mktemp -d) DATABASE_URL= LOG_LEVEL=WARNING; trap 'rm -rf "$$DATA_DIR"' EXIT; \
	$(BIN)/python manage.py lintmigrations --skip-checks --no-cache --include-apps accounts filings agent \
	  --ignore-name $(BEFORE_THE_FIRST_RELEASE) $(REBUILT_BY_SQLITE) --quiet ok ignore

docs: .venv/.installed-dev
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs .docs

# A migration only adds, so that the processes of the release before it work on until they are restarted: a new column
# may be null or has a db_default. These are older than any release, and no process has ever run beside them.
BEFORE_THE_FIRST_RELEASE := 0001_initial 0002_model_runs 0002_text 0003_history 0004_workbench
# Their new columns have a db_default. SQLite writes the table anew for one, which the linter takes for a column without;
# and for the constraint of imports, which no process of before has rows of.
REBUILT_BY_SQLITE := 0009_successors 0010_source_kinds 0011_forms 0012_imports 0013_search_filters

test-services: .venv/.installed-dev
	$(BIN)/python -m tests.services

test-browser: .venv/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m browser tests/browser

# In a folder of its own, gone afterwards: goldens know what is held. Vectors are kept for the next run.
evaluate bench load: export DEBUG = 1
evaluate: .venv/.installed
	@export DATA_DIR=$$(mktemp -d) VECTORS_DIR="$${VECTORS_DIR:-$(CURDIR)/.data}"; trap 'rm -rf "$$DATA_DIR"' EXIT; \
	manage="$(BIN)/python manage.py"; \
	$$manage migrate --verbosity 0 --skip-checks && $$manage load_sample --skip-checks >/dev/null && \
	$$manage evaluate --report --skip-checks && $$manage evaluate --mutate --report --skip-checks

# Measures what is held: the sample at least, and what a developer has ingested besides.
bench: .venv/.installed sample
	@set -o pipefail; $(BIN)/python -m evals.bench | tee .bench.log
	@$(call report,Bench,times and memory,bench)

# On a machine that does nothing else.
load: .venv/.installed
	@set -o pipefail; $(BIN)/python -m evals.bench load lists | tee .load.log
	@$(call report,Load,the site under load; pages with much stored,load)

# Title, what it is of, name of the log and of the report.
report = { echo "\# $(1)"; echo; date -u +"Run of %Y-%m-%d on $$(nproc) cores: $(2)."; echo; \
  sed 's/^/    /; s/ *$$//' .$(3).log; } > evals/reports/$(3).md && rm .$(3).log

sample: export DEBUG = 1
sample: .venv/.installed
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py load_sample

# After any change of the sample's documents, or of how they are read, cut or embedded.
sample-vectors: export DEBUG = 1
# Empty means "not set", whatever a developer's .env says.
sample-vectors: export DATABASE_URL =
sample-vectors: export REDIS_URL =
sample-vectors: export ELASTICSEARCH_URL =
sample-vectors: export EMBEDDING_BASE_URL =
sample-vectors: export VECTORS_DIR =
sample-vectors: .venv/.installed
	@export DATA_DIR=$$(mktemp -d); trap 'rm -rf "$$DATA_DIR"' EXIT; \
	$(BIN)/python manage.py migrate --verbosity 0 --skip-checks && $(BIN)/python manage.py load_sample --skip-checks && \
	$(BIN)/python manage.py build_sample --vectors

soak: .venv/.installed-dev
	@set -o pipefail; run="$(BIN)/python -m pytest tests -rA --tb=short --durations=0"; \
	$$run -n 2 --dist loadgroup -m "soak and not alone" | tee .soak.log && \
	$$run -n 0 -m "soak and alone" | tee -a .soak.log
	@{ echo "# Soak"; echo; date -u +"Run of %Y-%m-%d: what takes too long for every change."; echo; \
	  grep -E '^(PASSED|FAILED|ERROR) tests|s call +tests|^=+ .*(passed|failed)' .soak.log | sed 's/^=* *//; s/ *=*$$//; s/^/    /'; \
	} > evals/reports/soak.md && rm .soak.log
	@set -o pipefail; $(BIN)/python -m tests.services million | tee .million.log
	@test ! -s .million.log || { $(call report,A million chunks,Elasticsearch with made-up chunks,million) ; }

EXPORT = .venv/uv/bin/uv export --quiet --frozen --format requirements-txt --no-emit-project --no-annotate --no-header

# The lock names packages, versions and hashes, and no index: any index that has the files will do.
lock: .venv/.installed
	@test -x .venv/uv/bin/uv || { $(PYTHON) -m venv .venv/uv && .venv/uv/bin/python -m pip install --quiet uv; }
	.venv/uv/bin/uv lock
	$(EXPORT) --no-default-groups --output-file requirements.lock
	$(EXPORT) --only-dev --output-file requirements-dev.lock
	@! grep -nE '^ *(-i|--index-url|--extra-index-url|--find-links|-f)|https?://' requirements.lock requirements-dev.lock

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
