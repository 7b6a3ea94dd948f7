# `make help` is the whole of it. Each target calls scripts/setup first, which is instant when nothing is missing.
.DEFAULT_GOAL := help
.PHONY: help setup run demo test test-long fuzz bench dist lint screenshots

help:
	@echo 'Bothy: files at hand with or without a signal.'
	@echo
	@echo '  make run        build it (release) and start a server on this machine; it prints what to do next'
	@echo '  make demo       watch a 1 GiB file survive cut networks and killed programs (about a minute)'
	@echo
	@echo '  make setup      install what is missing; says what and why, and is instant when nothing is'
	@echo '  make test       what a change needs: unit tests, and acceptance tests on the real binary (20 minutes on 2 cores, after the build)'
	@echo '  make test-long  all of that and more: worlds and households by the thousand, browsers at all sizes, kills, files of 10 GiB,'
	@echo '                  a million planned cases, a million texts of posts, and the tarball of make dist'
	@echo '  make fuzz       parsers of what comes from outside, on inputs made to break them, two minutes each'
	@echo '  make bench      the figures of docs/performance.md, side by side with nginx, rsync and others'
	@echo '  make screenshots  every screen of the web app, drawn into docs/screens'
	@echo '  make dist       a tarball in dist/ that runs on a Debian without Swift'
	@echo '  make lint       swift format, and the rules of the house'

setup:
	@scripts/setup build test

run:
	@scripts/setup build run
	@scripts/build-release
	@exec .build/release/bothy up

demo:
	@scripts/setup build demo
	@scripts/build-release
	@BOTHY_BIN=.build/release/bothy scripts/demo

test:
	@scripts/setup build test
	@scripts/test

test-long:
	@scripts/setup build test
	@scripts/dist
	@scripts/test --long

fuzz:
	@scripts/setup build test
	@swift build --build-tests -Xcc -O2
	@scripts/fuzz

bench:
	@scripts/setup build bench
	@scripts/bench

screenshots:
	@scripts/setup build test
	@scripts/build-release
	@BOTHY_BIN=.build/release/bothy .venv/bin/python Acceptance/screenshots.py docs/screens

dist:
	@scripts/setup build
	@scripts/dist

lint:
	@scripts/setup build
	@scripts/lint
