# make demo | test | test-slow | test-numba | docs | pictures | notebooks | bench | wheel | wheel-plain : each creates what it needs (.venv, install) on a fresh clone.
# On Windows: from Git's bash, with GNU make.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := .venv/Scripts
SHELL := bash
else
PYTHON ?= python3
BIN := .venv/bin
endif
# workers, and programs that tests start, import the same modules
unexport PYTHONDONTWRITEBYTECODE
PIP_QUIET := --quiet --disable-pip-version-check
# $(call install,what): by uv, in a quarter of the time of pip; by pip where uv cannot be had or does not find everything.
# Modules are compiled when they are imported, which takes less time than to compile all of them
comma := ,
GET_UV = $(BIN)/python -m pip install $(PIP_QUIET) --retries 0 --timeout 15 uv
UV = UV_HTTP_TIMEOUT=15 $(BIN)/uv pip install --quiet --python $(BIN)/python $${PIP_INDEX_URL:+--default-index "$$PIP_INDEX_URL"}
install = { $(GET_UV) && $(UV) $(1); } >/dev/null 2>&1 || $(BIN)/python -m pip install $(PIP_QUIET) --no-compile $(1)
# kernels that check each index; they are compiled in less time
CHECKED := NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1
# every test that runs a kernel of its own accord
KERNEL_TESTS := tests/cards tests/games/prizes tests/abstraction tests/tree tests/solvers tests/match/run/test_tables.py tests/match/run/test_observing.py tests/match/test_draw.py tests/match/test_held_out.py tests/strategy/test_spot_solution.py tests/agents/parts/test_draw_decisions.py
# each of the two workers has a core, which NumPy's linear algebra does not share out again
ONE_CORE := OPENBLAS_NUM_THREADS=1
SAMPLE = $(ONE_CORE) $(BIN)/python -m pytest -q -n 2 --dist worksteal --sample --assert=plain
AGAIN = $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures=none
# files with tests that run kernels uncompiled, too: to collect all others takes longer than to run these
UNCOMPILED_TESTS = $(shell grep -rl --include='test_*.py' uncompiled tests)

.PHONY: demo test browser test-slow test-numba docs pictures notebooks bench lint style types sample lint-windows format wheel wheel-plain clean

.venv/base.stamp: pyproject.toml
	@$(BIN)/python --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	@echo "installing pokerlab into .venv (once)"
	@$(call install,--editable .)
	@touch $@

.venv/test.stamp: pyproject.toml
	@$(BIN)/python --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	@echo "installing pokerlab and the test tools into .venv (once)"
	@$(call install,--editable ".[test]")
	@touch .venv/base.stamp $@

.venv/slow.stamp: pyproject.toml .venv/test.stamp
	@echo "installing what the slow tests need besides into .venv (once)"
	@$(call install,--editable ".[test$(comma)test-slow]")
	@touch $@

.venv/docs.stamp: pyproject.toml .venv/base.stamp
	@echo "installing what builds the site into .venv (once)"
	@$(call install,--editable ".[docs]")
	@touch $@

.venv/bench.stamp: pyproject.toml .venv/test.stamp
	@echo "installing the programs we measure against into .venv (once)"
	@$(call install,--editable ".[test$(comma)bench]")
	@touch $@

demo: .venv/base.stamp
	@$(BIN)/pokerlab demo

lint: style types

style: .venv/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_prose.py

types: .venv/test.stamp
	$(BIN)/mypy

lint-windows: .venv/test.stamp
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32

# a browser for the tests of the page: only on a machine of continuous integration that is Debian's and lets us; never an
# error, and no longer than a few minutes. Elsewhere these tests use the Chromium or Chrome that is installed, or are skipped
APT := env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends -o Acquire::Retries=0 -o Acquire::http::Timeout=10
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable chrome
APT_UPDATE := timeout 60 $(APT) update
APT_FETCH := timeout 180 $(APT) --download-only install chromium
APT_INSTALL := timeout 300 $(APT) --no-download install chromium
browser:
	@if [ -n "$$CI" ] && [ "$$(id -u)" = 0 ] && [ -n "$$(which apt-get)" ] && [ -z "$$(which $(BROWSERS))" ]; then \
	    { $(APT_UPDATE) && $(APT_FETCH) && $(APT_INSTALL); } >/dev/null 2>&1 || echo "Chromium could not be installed"; \
	fi

# a sample of the cases of each test: every value of each parameter, not every combination; style and types are checked meanwhile
test:
	@$(MAKE) --no-print-directory -j 2 browser .venv/test.stamp
	@$(MAKE) --no-print-directory lint > .venv/lint.txt 2>&1 & lint=$$!; $(MAKE) --no-print-directory sample; sample=$$?; \
	    wait $$lint; lint=$$?; cat .venv/lint.txt; exit $$((sample + lint))

# what fails is run again, to show values: to prepare each assertion for that takes as long as to import all tests
sample: .venv/test.stamp
	$(CHECKED) $(SAMPLE) --ignore tests/test_prose.py || { $(CHECKED) $(AGAIN); exit 1; }
	NUMBA_DISABLE_JIT=1 $(SAMPLE) -m uncompiled $(UNCOMPILED_TESTS) || { NUMBA_DISABLE_JIT=1 $(AGAIN); exit 1; }

# every case, and the checks that take minutes
test-slow: lint-windows .venv/slow.stamp
	$(BIN)/python -m pytest -q -m slow
	$(BIN)/python -m pytest -q -n 2 --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m uncompiled $(UNCOMPILED_TESTS)
	$(CHECKED) $(BIN)/python -m pytest -q -n 2 --dist worksteal $(KERNEL_TESTS)
	$(BIN)/python -m pytest -q -n 2 -m "hypothesis and not slow" --hypothesis-profile explore

# the oldest and the newest Numba that pyproject.toml allows, each in an environment of its own; then without LLVM vectors
OLD_NUMBA := 0.61.0
PLAIN_LANES_TESTS := tests/solvers/public tests/solvers/counter tests/solvers/first_order tests/solvers/restricted tests/solvers/bucketed

.venv-numba-old/stamp: NUMBA = numba==$(OLD_NUMBA)
.venv-numba-new/stamp: NUMBA = numba
.venv-numba-old/stamp .venv-numba-new/stamp: pyproject.toml
	@$(@D)/$(notdir $(BIN))/python --version >/dev/null 2>&1 || $(PYTHON) -m venv $(@D)
	@echo "installing pokerlab with $(NUMBA) into $(@D) (once)"
	@$(@D)/$(notdir $(BIN))/python -m pip install $(PIP_QUIET) --upgrade --editable ".[test]" "$(NUMBA)"
	@touch $@

test-numba: .venv-numba-old/stamp .venv-numba-new/stamp
	.venv-numba-old/$(notdir $(BIN))/python -m pytest -q -n 2 --dist worksteal tests/test_compiled.py tests/test_kernels.py $(KERNEL_TESTS)
	.venv-numba-new/$(notdir $(BIN))/python -m pytest -q -n 2 --dist worksteal tests/test_compiled.py tests/test_kernels.py $(KERNEL_TESTS)
	POKERLAB_PLAIN_LANES=1 .venv-numba-new/$(notdir $(BIN))/python -m pytest -q -n 2 --dist worksteal $(PLAIN_LANES_TESTS)

docs: .venv/docs.stamp
	@$(BIN)/python -m docs.site.build

pictures: .venv/docs.stamp
	$(BIN)/python -m docs.pictures.draw

notebooks: .venv/test.stamp
	$(BIN)/python -m docs.site.notebooks

bench: .venv/bench.stamp
	$(BIN)/python -m bench

# `wheel` has kernels as machine code, for this Python on this kind of computer; `wheel-plain` is for any computer, where
# kernels are compiled when they are first used
wheel: .venv/test.stamp
	$(BIN)/python hatch_build.py out/kernels
	POKERLAB_KERNELS=$(CURDIR)/out/kernels $(BIN)/python -m build --no-isolation

wheel-plain: .venv/test.stamp
	$(BIN)/python -m build --no-isolation

format: .venv/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv dist out site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
