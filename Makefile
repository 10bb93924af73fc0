# `make` lists what there is. Every target sets itself up first; see scripts/setup.sh.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo lift-demo bench-demo test test-extra test-all check bench docs format kits pins clean

# Without a home, caches would land in the current folder.
ifeq ($(and $(HOME),$(wildcard $(HOME)/.)),)
export HOME := $(shell mktemp -d)
endif

PYTHON := .venv/bin/python
# One thread a process: tests run side by side already. Many wait more than they work: three even on two cores.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PYTHON) -m pytest
SIDES  := -n $(shell echo $$(($$(nproc) + 1))) --dist worksteal
OUT    := out/demo
SHOWN  := billing-dates free-slots quoted-fields chargeback-evidence duplicate-refunds four-tickets
DEMO   := .venv/bin/fairtrial certify examples $(addprefix --task ,$(SHOWN)) --known-only --policy examples/policies/weak.py --policy examples/policies/strong.py --attempts 8 --out $(OUT)
CODE   := src tests bench

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Make .venv and install bubblewrap, if they are not there
	@scripts/setup.sh

demo: setup ## Prove the example suites, run two scripted policies on them, write the report
	@$(DEMO)
	@echo "report: $(OUT)/report.html (also report.md and report.json)"
	@echo "and what the probes make of one task (of all: fairtrial prove examples):"
	@.venv/bin/fairtrial prove examples/refund-desk/four-tickets --mutants 2

lift-demo: ## Train a tiny policy family five ways, three seeds each, and say what each gained (about five minutes)
	@scripts/setup.sh train
	@PATH="$(CURDIR)/.venv/bin:$$PATH" examples/sorting/demo.sh out/lift-demo
	@echo "pages: out/lift-demo/over-sft/lift.html, over-base/lift.html, report/report.html"

bench-demo: ## Let an honest agent and nine that cheat post-train a tiny model, and find out which (minutes)
	@scripts/setup.sh train
	@PATH="$(CURDIR)/.venv/bin:$$PATH" examples/posttrain/demo.sh out/bench-demo
	@echo "page: out/bench-demo/results/posttrain.html"

test: setup ## Run the core tests (minutes)
	@$(PYTEST) $(SIDES) -rs

test-extra: ## Run only the tests that need a browser, an extra or minutes, but for the longest
	@scripts/setup.sh extras
	@$(PYTEST) $(SIDES) -m "extra and not long" -rs || { code=$$?; [ $$code -eq 5 ] || exit $$code; }

test-all: ## Run all tests, extras included
	@scripts/setup.sh extras
	@$(PYTEST) $(SIDES) -m "" -rs

check: setup ## Format, lint, strict types, import contracts, shape budgets
	@.venv/bin/ruff format --check $(CODE)
	@.venv/bin/ruff check $(CODE)
	@$(PYTHON) -m mypy
	@.venv/bin/lint-imports
	@$(PYTEST) tests/test_shape.py

bench: setup ## Run every benchmark and print its ratios
	@code=0; for file in bench/*.py; do echo "== $$file"; $(PYTHON) "$$file" || code=1; done; exit $$code

docs: setup ## Run every block of the docs, and check that every verb, option and field is documented
	@$(PYTEST) -m "" tests/test_docs.py

format: setup ## Format the code and fix what the linter can
	@.venv/bin/ruff format $(CODE)
	@.venv/bin/ruff check --fix $(CODE)

kits: setup ## Write the checks anew into every example that grades with them
	@for file in examples/*/*/tests/fairtrial.pyz; do .venv/bin/fairtrial kit "$${file%/*}"; done

pins: setup ## Write constraints.txt from what .venv holds
	@$(PYTHON) -m pip freeze --all --exclude-editable --exclude pip | sed 's/+cpu$$//' | grep -E '^[A-Za-z0-9_.-]+==[^ ]+$$' > constraints.txt

clean: ## Remove .venv, caches and outputs
	@rm -rf .venv out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
