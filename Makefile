# make demo    ask a real table three questions (answer, program, SQL), then learn one column from nothing to 100 %
# make test    the fast tests, documentation's examples too; those in a browser where a chromium is found
# make test-slow  the others: long trainings, kills in the middle of them, the development questions
# make test-all  the fast tests with every Python of PYTHONS that is found and the newest packages that pyproject.toml allows, and
#              with the first of them and the oldest; each in a folder of its own under .cache (some ten minutes each)
# make browser installs Debian's chromium, if there is none
# make check   what CI runs: ruff, pyright, all tests
# make model   the model of ask, trained from nothing as MODEL_CARD.md says (many hours on two cores, minutes on a GPU);
#              WIKITABLEQUESTIONS names the folder of that data set
# make bench   the benchmarks, printed as a table and kept in benchmarks/results.json; people at the page in page.json;
#              WIKITABLEQUESTIONS names the folder of that data set, for the one that needs it
# Each creates .venv and installs what it needs; a second call does not install again.

PYTHON ?= python3
PYTHONS ?= python3.11 python3.12 python3.13
VENV ?= .venv
BIN := $(VENV)/bin

CHROMIUM := $(or $(shell command -v chromium),$(shell command -v chromium-browser))
INSTALL := $(if $(filter 0,$(shell id -u)),,sudo) apt-get

.PHONY: demo test test-slow test-all browser check model bench clean

demo: $(VENV)/installed-train
	@echo '--- Three questions of a table: the mountains above 8,000 metres ---'; echo
	@cat examples/mountains.csv; echo
	$(BIN)/neural-programmer ask examples/mountains.csv "how many mountains over 8500 m are in the Himalaya?"
	@echo
	$(BIN)/neural-programmer ask examples/mountains.csv "which mountain in the Karakoram was climbed first?"
	@echo
	$(BIN)/neural-programmer ask examples/mountains.csv "which mountains did Austrian expeditions climb first?"
	@echo; echo '--- A network that knows nothing learns the programs of one column from answers alone ---'; echo
	@rm -rf runs/demo
	$(BIN)/neural-programmer train --task single-column --report-every 20 --patience 10 --out runs/demo
	$(BIN)/neural-programmer evaluate runs/demo --sets 10
	$(BIN)/neural-programmer trace runs/demo --count 2

PYTEST := $(BIN)/python -m pytest --numprocesses=auto --dist=worksteal
WITHOUT_BROWSER := $(if $(CHROMIUM),,echo "no chromium: the tests in a browser are left out; make browser installs it")

test: $(VENV)/installed-test
	@$(WITHOUT_BROWSER)
	$(PYTEST) -m "not slow"

test-slow: $(VENV)/installed-test
	@$(WITHOUT_BROWSER)
	$(PYTEST) -m slow

test-all:
	@passed= failed= missing= first=; for python in $(PYTHONS); do \
	  name=$$($$python -c 'import sys; print("python%d.%d" % sys.version_info[:2])' 2> /dev/null) || \
	    { missing="$$missing $$python"; continue; }; \
	  $(MAKE) test PYTHON=$$python VENV=.cache/$$name && passed="$$passed $$name" || failed="$$failed $$name"; \
	  : $${first:=$$python}; \
	done; \
	test -z "$$first" || { $(MAKE) test PYTHON=$$first VENV=.cache/oldest CONSTRAINTS=.cache/oldest.txt && \
	  passed="$$passed oldest" || failed="$$failed oldest"; }; \
	test -z "$$missing" || echo "not found:$$missing; install it, or name those to test: make test-all PYTHONS=..."; \
	echo "passed:$${passed:- none}; failed:$${failed:- none}"; test -n "$$passed" -a -z "$$failed"

browser:
	$(if $(CHROMIUM),,$(INSTALL) update && $(INSTALL) install --yes --no-install-recommends chromium)

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	@$(WITHOUT_BROWSER)
	$(PYTEST)

model: $(VENV)/installed-test
	@test -f '$(WIKITABLEQUESTIONS)/random-split-1-train.tsv' || \
	  { echo 'name the folder of that data set: make model WIKITABLEQUESTIONS=DIR'; exit 2; }
	$(BIN)/neural-programmer train --task english --examples 100000 --written 4 --validation 1000 --hidden 256 --batch 256 \
	  --steps 5400 --report-every 450 --learning-rate 0.001 --falling --clip 1 --average 0.999 --forgotten 0.15 \
	  --forgotten-rare 0.6 --dropped 0.35 --patience 0 --out runs/ask
	$(BIN)/python scripts/weigher.py runs/ask/model.safetensors '$(WIKITABLEQUESTIONS)/random-split-1-train.tsv' runs/weighed
	$(BIN)/python scripts/calibrate.py runs/weighed/0.safetensors src/neural_programmer/shipped/ask.safetensors

# The longest part trains each of the paper's eight tasks from nothing to 100 %.
bench: $(VENV)/installed-test
	mkdir -p .cache
	$(BIN)/python -m pytest benchmarks --benchmark-json=.cache/benchmark.json
	$(BIN)/python benchmarks/table.py .cache/benchmark.json benchmarks/results.json
	$(BIN)/python benchmarks/page.py

# One stamp for each set of packages; test brings train along, dev brings test along.
$(VENV)/installed-%: pyproject.toml $(CONSTRAINTS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS:%=--constraint %) --editable '.[$*]'
	touch $@

# Of every package the oldest version that is allowed.
.cache/oldest.txt: pyproject.toml
	mkdir -p $(@D)
	sed -nE 's/^  "([A-Za-z0-9-]+)(\[[a-z]+\])?>=([0-9.]+).*",$$/\1==\3/p' $< > $@

clean:
	rm -rf .venv .cache .pytest_cache .ruff_cache .hypothesis runs
