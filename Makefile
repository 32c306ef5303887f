# `make help` lists what there is; the steps themselves stand in .ci/.
SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: help
help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' Makefile | expand -t 16

.PHONY: build
build:  ## builds gestured and gesturectl, optimised, into .build/release
	@.ci/deps build
	swift build -c release --product gestured
	swift build -c release --product gesturectl

.PHONY: run
run: build  ## starts the daemon, plays the tour against it, shows what it says, stops it
	@.ci/tour

.PHONY: test
test:  ## Swift tests in debug, goldens in release, then end to end against the real binary
	@.ci/test

.PHONY: check
check:  ## format, lint, tidy, and the tests under the thread, address, undefined sanitizers
	@.ci/check

.PHONY: format
format:  ## formats the Swift sources in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks

.PHONY: bench
bench: build  ## measures the optimised build, in about ten minutes; SHORT=1 in under three
	@SHORT=$(SHORT) .ci/bench

.PHONY: soak
soak: build  ## kills, stalls and floods the optimised build, in some minutes; SOAK_SEED=N repeats
	@.ci/soak

.PHONY: golden
golden:  ## records the goldens anew: look at the difference before you commit it
	RECORD_GOLDENS=1 swift test
	git status --short -- Tests

.PHONY: clean
clean:  ## removes what was built and the tests' Python
	rm -rf .build .venv
