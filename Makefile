# `make play` and `make test` need only python3, make and git; everything else is installed into .venv.
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
# What Python has compiled it keeps, whatever the shell says: tests start hundreds of programs, and none shall do it again.
unexport PYTHONDONTWRITEBYTECODE
HEADLESS := SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy

.PHONY: help play test tests e2e lint format words rulebook bench tune learn fuzz gate mutants soak twins threat pictures bundle setup clean

help:
	@echo "make play [ARGS=...]   play (make play ARGS='--help' shows the arguments)"
	@echo "make test              lint, types, import contracts, tests"
	@echo "make e2e               whole fights in the real window, by mouse and by keys (an hour; needs Xvfb, xdotool)"
	@echo "make lint              the first three of these; make tests: the last"
	@echo "make format            lay out the code"
	@echo "make words             every text of the game into assets/words/battlemat.pot, for translators"
	@echo "make rulebook          the tables of docs/rules that hold content anew"
	@echo "make pictures          the pictures of README and docs anew (ARGS=board)"
	@echo "make fuzz [ARGS=...]   100,000 broken records, journals and settings (ARGS='--runs 1000')"
	@echo "make gate [ARGS=...]   7,300 fights and records against what they came to, ten minutes (docs/testing.md)"
	@echo "make mutants [ARGS=..] 300 small errors in rules/: at least 270 must be noticed, half an hour (docs/testing.md)"
	@echo "make soak [ARGS=...]   an hour of players of random habit at the whole window (ARGS='--minutes 5', docs/testing.md)"
	@echo "make twins [ARGS=...]  1,000 random fights through the rules and their plain twins (ARGS='--fights 100')"
	@echo "make bench [ARGS=...]  what everything costs, beside references (ARGS='--help')"
	@echo "make ladder            the computer against reference players on mirrored maps; writes docs/ladder.md"
	@echo "make tune [ARGS=...]   searches for better weights of the computer, hours; writes assets/ai/tuned.toml (docs/tuning.md)"
	@echo "make threat            what each creature weighs, out of random fights; writes assets/threat (docs/threat.md)"
	@echo "make endings           2,000 fights of the computer against itself on all maps: none may stall"
	@echo "make bundle            dist/bundle/battlemat, a folder that runs without Python, built and tried (docs/shipping.md)"
	@echo "make clean             remove .venv and everything generated"

play:
	@$(PYTHON) play.py $(ARGS)

setup:
	@$(PYTHON) play.py --setup-dev

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict rules game
	$(BIN)/mypy tests
	$(BIN)/lint-imports

# Side by side, as neither needs the other. Three players on two cores: those at the real window mostly wait for it.
# Each has a stretch of files, so that what a file prepares is prepared once; who is done first takes from the others.
test: setup
	@$(MAKE) --no-print-directory -j 2 lint tests

tests: setup
	$(HEADLESS) $(BIN)/pytest -q -n 3 --dist worksteal $(ARGS)

e2e: setup
	$(HEADLESS) $(BIN)/pytest -q -m long tests/e2e $(ARGS)

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

words: setup
	@$(BIN)/python -m tests.words

rulebook: setup
	@$(BIN)/python -m tests.rulebook

fuzz: setup
	@$(HEADLESS) $(BIN)/python -m tests.fuzz $(ARGS)

gate: setup
	@$(HEADLESS) $(BIN)/python -m tests.gate $(ARGS)

mutants: setup
	@$(HEADLESS) $(BIN)/python -m tests.mutants $(ARGS)

soak: setup
	@$(HEADLESS) $(BIN)/python -m tests.soak $(ARGS)

twins: setup
	@for name in $$(cd tests/twins && ls -d */run.py | xargs -n 1 dirname); do \
		$(HEADLESS) $(BIN)/python -m tests.twins $$name $(ARGS) || exit 1; done

bench: setup
	@$(BIN)/python -c "import chess" 2>/dev/null || $(BIN)/python -m pip install --quiet --editable ".[bench]"
	@$(BIN)/python -m tests.bench $(ARGS)

ladder: setup
	@$(HEADLESS) $(BIN)/python -m tests.bench.ladder --write docs/ladder.md $(ARGS)

learn: setup
	@$(HEADLESS) $(BIN)/python -m tests.bench.learning $(ARGS)

tune: setup
	@$(HEADLESS) $(BIN)/python -m tests.bench.tuning $(ARGS)

pictures: setup
	@$(HEADLESS) $(BIN)/python -m tests.pictures $(ARGS)

bundle: setup
	@$(BIN)/python -c "import PyInstaller" 2>/dev/null || $(BIN)/python -m pip install --quiet --editable ".[bundle]"
	$(BIN)/pyinstaller --noconfirm --clean --log-level ERROR --distpath dist/bundle --workpath build/bundle .ci/battlemat.spec
	dist/bundle/battlemat/battlemat --selftest

threat: setup
	@$(HEADLESS) $(BIN)/python -m tests.bench.weigh $(ARGS)

endings: setup
	@$(HEADLESS) $(BIN)/python -m tests.bench.endings $(ARGS)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .mutants
	find game rules tests -name __pycache__ -type d -prune -exec rm -rf {} +
