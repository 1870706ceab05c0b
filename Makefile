# Every target works from a fresh clone: it sets up .venv itself. To choose a Python (3.11 or later): make PYTHON=python3.12 test
PYTHON ?= python3
BIN := .venv/bin
FOR_USE := .venv/.installed
FOR_DEMO := .venv/.installed-demo
FOR_WORK := .venv/.installed-dev

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiled games, ours and those of the tests, are kept on disk, so only the first run waits for the compiler.
export CRAFTAX_TEXT_CACHE := $(CURDIR)/.cache/games
export JAX_COMPILATION_CACHE_DIR := $(CURDIR)/.cache/jax
export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS := 0
export JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES := -1

.PHONY: demo test proof lint bench clean warm-full warm-classic

demo: $(FOR_DEMO)
	@rm -rf demo && mkdir demo
	@echo "== Classic, seed 1, as an agent reads it; the picture is in demo/classic.png (compiling the game first)"
	@$(BIN)/craftax-text show --game classic --seed 1 --picture demo/classic.png
	@echo "== The full game, seed 154; the picture is in demo/full.png (compiling the game first)"
	@$(BIN)/craftax-text show --game full --seed 154 --picture demo/full.png
	@for game in classic full; do \
		echo "== The scripted agent, which plays from the text alone, under the protocol craftaxlm: $$game"; \
		$(BIN)/craftax-text eval --game $$game --agent scripted --protocol craftaxlm \
			--output demo/$$game --charts --trajectories || exit 1; \
		$(BIN)/craftax-text replay "$$(ls demo/$$game/trajectories/*.jsonl | head -n 1)" --html demo/$$game.html || exit 1; \
	done
	@echo "== Reports with charts are in demo/classic and demo/full; demo/classic.html and demo/full.html replay an episode"

# The games are compiled while the linters run, so that no process that tests waits for another. Three of them, for tests
# that wait for servers and subprocesses leave a core idle.
test: $(FOR_WORK)
	@$(MAKE) --no-print-directory --jobs=2 lint warm-full warm-classic
	$(BIN)/python -m pytest --numprocesses=3 --dist=loadfile

warm-full warm-classic: warm-%: $(FOR_WORK)
	@$(BIN)/craftax-text warmup --game $* --num-envs 2

proof: export CRAFTAX_TEXT_PROOF := 1
proof: test
	@$(BIN)/python -m pip install --quiet "nox>=2025.2" uv
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/nox -s sb3 grpo

lint: $(FOR_WORK)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy

bench: $(FOR_WORK)
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist demo *.egg-info

$(FOR_USE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is %d.%d: make PYTHON=python3.11 ..." % sys.version_info[:2])'
	@echo "== Installing into .venv"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(FOR_DEMO): $(FOR_USE)
	@$(BIN)/python -m pip install --quiet --editable ".[charts]"
	@touch $@

$(FOR_WORK): $(FOR_USE)
	@echo "== Installing the tools for tests into .venv"
	@$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@
