# Every target does its own set-up first (tools/setup.py), so each works from a clean clone.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
SEED ?= 1
WORKERS ?= 2

# Under this locale Python 3.11 cannot start in an environment whose path has letters outside ASCII.
ifneq ($(filter C POSIX,$(LC_ALL)),)
export LC_ALL := C.UTF-8
endif

# Where the home folder cannot be written, crates are kept beside the virtual environment.
ifeq ($(origin CARGO_HOME),undefined)
ifneq ($(shell mkdir -p "$$HOME/.cargo" 2>/dev/null && test -w "$$HOME/.cargo" && echo yes),yes)
export CARGO_HOME := $(CURDIR)/.cache/cargo
endif
endif

.PHONY: help setup demo up test check lint types arch protos-check protos fmt rust rust-test bench bench-evaluator fuzz rules sim clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  %-18s %s\n", $$1, $$2}'

setup: ## virtual environment, packages, protos, evaluator: everything the other targets need
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "cardroom: needs Python 3.11 or later, $(PYTHON) is not; install it, or name it: make PYTHON=python3.11 ..." >&2; exit 1; }
	@$(PYTHON) tools/setup.py

demo: setup ## one evening in a room on the embedded default, told as it goes
	@$(PY) -m cardroom.cli demo

up: setup ## keep a room running on the embedded default until Ctrl-C
	@$(PY) -m cardroom.cli serve all

test: setup rust-test ## every test; writes build/junit.xml
	@mkdir -p build
	$(PY) -m pytest -n $(WORKERS) --dist loadgroup --junitxml=build/junit.xml $(ARGS)

check: setup lint types arch protos-check rust ## lint, types, architecture, protos, Rust: what CI asks besides the tests

lint:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types:
	$(PY) -m mypy
	$(PY) -m mypy.stubtest cardroom_evaluator

arch:
	$(VENV)/bin/lint-imports

protos-check:
	cd protos && ../$(VENV)/bin/buf lint
	cd protos && ../$(VENV)/bin/buf breaking --against ../tests/contract/protos/released.binpb

protos: setup ## compile the protos again
	$(PY) hatch_build.py

fmt: setup ## format Python and Rust
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	$(MAKE) -C evaluator-rs fmt

rust:
	$(MAKE) -C evaluator-rs check

rust-test:
	$(MAKE) -C evaluator-rs test

bench: setup ## print the ratios and write build/bench.json
	@mkdir -p build
	$(PY) -m tests.bench.run

bench-evaluator: setup ## the evaluator beside its public peers
	$(MAKE) -C evaluator-rs bench

fuzz: ## fuzz the evaluator's core for some seconds a target (installs cargo-fuzz at first)
	$(MAKE) -C evaluator-rs fuzz-short

rules: ## which worked cases of the catalogue the last test run showed
	@$(PY) tools/rule_coverage.py build/junit.xml $(ARGS)

sim: setup ## one seeded simulation of crashes and faults: make sim SEED=7
	$(PY) -m pytest -q tests/sim --sim-seed $(SEED)

clean: ## remove what was built (keeps data folders)
	rm -rf $(VENV) build .cache services/cardroom/api services/buf evaluator-rs/target
