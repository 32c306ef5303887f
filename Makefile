# `make help` lists what there is; the steps themselves stand in .ci/.
SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: help
help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' Makefile | expand -t 16

.PHONY: build
build:  ## builds the programs, optimised, into .build/release
	@.ci/deps build
	SWIFT_INSIDE=yes swift build -c release

.PHONY: install
install: build  ## installs programs, units, configuration, pages; PREFIX=/usr/local DESTDIR=
	@DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) UNITDIR=$(UNITDIR) ZSHDIR=$(ZSHDIR) .ci/install

.PHONY: uninstall
uninstall: build  ## removes the installed files, except those that you changed
	@DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) UNITDIR=$(UNITDIR) ZSHDIR=$(ZSHDIR) .ci/install --remove

.PHONY: deb
deb: build  ## makes the Debian packages .build/deb/*.deb
	@.ci/deb

.PHONY: service
service: deb  ## tests the packages under a real systemd, if there is one
	@.ci/service

.PHONY: run
run: build  ## starts the daemon and its page, plays the tour, stays to be touched
	@.ci/show

.PHONY: cluster
cluster: build  ## plays the tour on three daemons with one PostgreSQL, and kills them in turn
	@.ci/deps test
	@.venv/bin/python .ci/cluster

.PHONY: test
test:  ## runs Swift's tests and those from outside, optimised; CONFIGURATION=debug: in debug
	@.ci/test

.PHONY: attacks
attacks: build  ## attacks the daemon at each door, and looks at its other peers
	@.ci/attacks

.PHONY: check
check:  ## runs format, lint, tidy, and the tests under three sanitizers
	@.ci/check

.PHONY: fuzz
fuzz:  ## fuzzes what reads the bytes of others for SECONDS=10 each; TARGETS="topic osc": those
	@FUZZ_SECONDS=$(or $(SECONDS),10) .ci/fuzz $(TARGETS)

.PHONY: format
format:  ## formats the Swift sources in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks

.PHONY: bench
bench: build  ## measures the optimised build, in about 50 minutes; SHORT=1: in eight
	@SHORT=$(SHORT) .ci/bench

.PHONY: soak
soak: build  ## kills, stalls, floods the build; SOAK_SEED=N repeats a run; SOAK_ONLY=attacks
	@.ci/soak

.PHONY: nightly
nightly:  ## runs soak, benchmarks, long fuzzing, and all tests under sanitizers, in some seven hours
	@.ci/nightly

.PHONY: golden
golden:  ## records the goldens again; read the difference before you commit it
	RECORD_GOLDENS=1 swift test
	git status --short -- Tests

.PHONY: pictures
pictures: build  ## draws the pictures of README and docs anew, from recordings
	@.ci/pictures
	@.ci/deps test
	.venv/bin/python .ci/photographs docs/images

.PHONY: webclient
webclient:  ## puts Clients/web/gestured.js together from its parts
	@.ci/webclient

.PHONY: documentation
documentation:  ## makes the library products' documentation (DocC) into .build/documentation
	@.ci/deps build
	@.ci/docc

.PHONY: clean
clean:  ## removes the builds and the tests' Python
	rm -rf .build .venv
