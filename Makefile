# The commands of the project. `make demo` and `make test` make what they need in .venv and work offline afterwards.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV := $(VENV)/.dev

.PHONY: demo test lint types check bench oracle soak catalogues clean

demo: $(READY)
	@$(BIN)/tableref demo $(ARGS)

test: $(READY)
	@$(BIN)/python -m pytest $(ARGS)

$(READY): pyproject.toml
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

$(DEV): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

lint: $(DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports

types: $(DEV)
	@$(BIN)/mypy

catalogues: $(READY)
	@$(BIN)/pybabel -q compile -d firmware/locale -D tableref
	@$(BIN)/pybabel -q compile -d engine/pepper/locale -D pepper
