# The commands of the project. `make demo` and `make test` make what they need in .venv and work offline afterwards.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN := $(VENV)/.run
WEB := $(VENV)/.web
TEST := $(VENV)/.test
DEV := $(VENV)/.dev
ORACLE := $(VENV)/.oracle
BROWSER := $(VENV)/.browser
MUTATION := $(VENV)/.mutation

PINNED = $(VENV)/uv/bin/uv --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade

# a table made to order: make demo GAME=vazhushal SEATS=6 RULES=wipe DEAL=scan-in
MADE = $(if $(GAME),--game $(GAME)) $(if $(SEATS),--seats $(SEATS)) $(if $(RULES),--rules $(RULES)) $(if $(DEAL),--deal $(DEAL))
# what goes wrong meanwhile, by name, or all: make demo FAULTS=bounce,garbled
WRONG = $(if $(FAULTS),--faults $(FAULTS))

# What is compiled once need not be compiled by each of the processes that tests start, nor by the next run of them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo play test coverage lint types bench growth oracle browser soak fuzz mutants kill dist install-test requirements catalogues pages screens clean

demo: $(RUN)  ## four bots play a match on simulated hardware; more in ARGS, such as ARGS='--seed 7 --mistakes 0.3'
	@$(BIN)/tableref demo $(MADE) $(WRONG) $(ARGS)

play: $(WEB)  ## play at a simulated table yourself, in a browser, against three bots
	@$(BIN)/tableref sim --web --bots 2,3,4 $(ARGS)

test: $(TEST)  ## every test but those that take long
	@$(BIN)/python -m pytest $(ARGS)

coverage: $(TEST)  ## the tests and the long ones, with branch coverage; the floor in pyproject.toml only rises
	@$(BIN)/python -m pytest -m 'not soak and not oracle and not browser' --cov --cov-report=term:skip-covered $(ARGS)

lint: $(DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports

types: $(DEV)
	@$(BIN)/mypy

bench: $(TEST)  ## what everything costs, beside other programs where those are installed (`make oracle` installs them); in docs/benchmarks.md
	@$(BIN)/python -m benchmarks.bench --write docs/benchmarks.md $(ARGS)

growth: $(TEST)  ## what a session of a thousand deals does to a table; docs/images/growth.svg
	@$(BIN)/python -m benchmarks.growth --plot docs/images/growth.svg $(ARGS)

oracle: $(ORACLE)  ## follow suit and trick winners against OpenSpiel
	@$(BIN)/python -m pytest -m oracle tests/oracle $(ARGS)

browser: $(BROWSER)  ## the pages in a real browser: needs Chromium (apt-get install chromium)
	@$(BIN)/python -m pytest -m browser tests/browser $(ARGS)

soak: $(TEST)  ## the tests that take minutes, more examples for those that look for their own, and matches without end (HOURS=8)
	@$(BIN)/python -m pytest -m 'soak or hypothesis' --hypothesis-profile soak $(ARGS)
	@$(BIN)/python -m benchmarks.endurance --seconds $(if $(HOURS),$$(($(HOURS) * 3600)),45) --seed $(or $(SEED),1)

fuzz: $(TEST)  ## damaged, cut and mixed-up input for every parser; MORE=100 for longer
	@TABLEREF_FUZZ=$(or $(MORE),40) $(BIN)/python -m pytest tests/fuzz $(ARGS)

mutants: $(MUTATION)  ## small faults in tricks, melds and match that no test notices; an hour, or MODULES=tricks (docs/mutants.md)
	@$(BIN)/python tests/mutation/mutants.py $(MODULES)

kill: $(TEST)  ## 500 matches of all games whose table is killed at any moment; KILLS=50 for fewer
	@TABLEREF_KILLS=$(or $(KILLS),500) $(BIN)/python -m pytest tests/firmware/test_kill.py $(ARGS)

dist: $(TEST)  ## build the wheel, install it into an empty environment and run it from an empty folder
	@PYTHON=$(BIN)/python sh .ci/dist

install-test:  ## install into an empty Debian and boot it, as root and with the network: needs mmdebstrap and systemd-container (SUITE=trixie)
	@sh .ci/install-test

requirements: pyproject.toml  ## pin anew what a table is installed with: versions and sums, for the Pythons of Raspberry Pi OS
	@$(PYTHON) -m venv $(VENV)/uv && $(VENV)/uv/bin/pip install --quiet --disable-pip-version-check 'uv>=0.5'
	@$(PINNED) --extra web --extra pi pyproject.toml -o requirements/pi.txt
	@printf 'hatchling>=1.24\n' | $(PINNED) - -o requirements/build.txt

catalogues: $(TEST)  ## compile the words after a change of a .po file
	@$(BIN)/pybabel -q compile -d firmware/locale -D "tableref wiring history phrases web"
	@for game in pepper possession vazhushal; do $(BIN)/pybabel -q compile -d engine/$$game/locale -D "$$game phrases"; done
	@$(BIN)/pybabel -q compile -d examples/slobberhannes/slobberhannes/locale -D slobberhannes

pages: $(TEST)  ## write docs/rules/ and the wiring drawings anew, after a change of rules, options or example tables
	@$(BIN)/python -m firmware.rulespage docs/rules
	@$(BIN)/tableref wiring draw examples/two-seats.toml --out docs/images/wiring-two-seats.svg
	@$(BIN)/tableref wiring draw examples/centre-reader.toml --out docs/images/wiring-centre-reader.svg
	@$(BIN)/tableref wiring draw examples/six-seats.toml --out docs/images/wiring-six-seats.svg

screens: $(TEST)  ## draw docs/images anew: every screen of the displays, and the first picture of the README
	@$(BIN)/python tests/firmware/all_screens.py

clean:
	@rm -rf $(VENV) dist build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("tableref needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "making $(VENV), once: this takes about half a minute"
	@$(PYTHON) -m venv $(VENV)

$(RUN): pyproject.toml | $(BIN)/python
	@$(PIP) --editable .
	@touch $@

$(WEB): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[web]'
	@touch $@ $(RUN)

$(TEST): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[test]'
	@touch $@ $(RUN)

$(DEV): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[dev]'
	@touch $@ $(TEST) $(RUN)

$(BROWSER): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[browser]'
	@touch $@ $(TEST) $(RUN)

$(MUTATION): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[mutation]'
	@touch $@ $(TEST) $(RUN)

$(ORACLE): pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[test,oracle]'
	@touch $@ $(TEST) $(RUN)
