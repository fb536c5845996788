# Quiet by default; V=1 shows the commands. All outputs go to build/ (the addon's own to native/build/).
# `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := build
Q := $(if $(V),,@)
NODE := $(shell command -v node)
CLANG ?= clang
NPX := ./node_modules/.bin
SECONDS_EACH ?= 60

TS_SOURCES := $(shell find src -name '*.ts' -o -name '*.gen.js')
NATIVE_SOURCES := $(shell find native/src -type f) native/Makefile native/package.json native/tsconfig.json
BPF_SOURCES := $(wildcard bpf/*.c bpf/*.h bpf/*.def bpf/Makefile)

.PHONY: build all bpf native ts gen test test-unit test-native test-live test-binaries test-kernels check fuzz golden sessions bench demo doctor install uninstall clean help setup setup-test

## build: everything into build/ (build/tracer runs from the checkout)
build: setup bpf native ts build/tracer
all: build

setup:
	$(Q)./scripts/setup.sh build
setup-test:
	$(Q)./scripts/setup.sh test

node_modules/.stamp: package.json package-lock.json native/package.json
	$(Q)command -v npm >/dev/null || { echo 'make: npm not found: install Node.js >= 20.19 with npm' >&2; exit 3; }
	$(Q)npm ci --ignore-scripts --no-audit --no-fund >/dev/null
	$(Q)touch $@

## bpf: kernel side, build/bpf/tracer.bpf.o
bpf: build/bpf/tracer.bpf.o
build/bpf/tracer.bpf.o: $(BPF_SOURCES) | setup
	$(Q)$(MAKE) --no-print-directory -C bpf OUT=$(CURDIR)/build/bpf CLANG=$(CLANG) $(if $(V),V=1)

## native: the libbpf addon (@ebpf-tools/node)
native: native/build/.stamp
native/build/.stamp: $(NATIVE_SOURCES) tsconfig.base.json node_modules/.stamp | setup
	$(Q)$(MAKE) --no-print-directory -C native $(if $(V),V=1)
	$(Q)$(NPX)/tsc -p native/tsconfig.json
	$(Q)touch $@

## ts: the program itself, build/js
ts: build/.ts-stamp
build/.ts-stamp: $(TS_SOURCES) tsconfig.json tsconfig.base.json node_modules/.stamp native/build/.stamp
	$(Q)rm -rf build/js.new
	$(Q)$(NPX)/tsc -p tsconfig.json --outDir build/js.new
	$(Q)cd src && find . -name '*.gen.js' -exec cp --parents {} ../build/js.new/ \;
	$(Q)rm -rf build/js && mv build/js.new build/js
	$(Q)touch $@

build/tracer: scripts/wrapper.sh Makefile
	$(Q)mkdir -p build
	$(Q)sed -e 's|@NODE@|$(NODE)|' -e 's|@ROOT@|$(CURDIR)|' $< > $@
	$(Q)chmod 755 $@

## gen: regenerate committed generated files
gen: node_modules/.stamp
	$(Q)for script in scripts/gen-*.mjs; do node $$script || exit 1; done

## check: types, rooms, tests mirror sources, errors in step, generated files up to date, lint
check: node_modules/.stamp native/build/.stamp
	$(Q)$(NPX)/tsc -p tsconfig.json --noEmit
	$(Q)$(NPX)/tsc -p src/tsconfig.core.json
	$(Q)$(NPX)/tsc -p test/tsconfig.json
	$(Q)$(NPX)/biome check --error-on-warnings src native/src native/test test scripts
	$(Q)for script in scripts/check-*.mjs; do node $$script || exit 1; done
	$(Q)for script in scripts/gen-*.mjs; do node $$script --check || exit 1; done

## test: set-up, checks, all tests (root for the live ones)
test: setup-test build check
	$(Q)$(NPX)/vitest run --reporter=default --reporter=./scripts/vitest-tally.mjs

## test-unit: what needs no privilege
test-unit: setup build
	$(Q)$(NPX)/vitest run --project unit --reporter=default --reporter=./scripts/vitest-tally.mjs
test-native: setup build
	$(Q)$(NPX)/vitest run --project native
test-live: setup-test build
	$(Q)$(NPX)/vitest run --project live

## test-binaries: the search for TLS functions in some forty real programs (downloads about 2 GB, once), and live tests with them
test-binaries: setup-test build
	$(Q)TRACER_ALL_BINARIES=1 $(NPX)/vitest run --project unit --project live test/capture/targets/real-binaries.test.ts test/live/tls-stacks.test.ts

## test-kernels: the whole path on other kernels and on arm64, in emulated machines (slow); KERNELS="debian-6.1 …", JOBS=1
KERNELS ?=
JOBS ?= 1
test-kernels: setup build
	$(Q)node test/kernels/kernels-test.mjs --jobs $(JOBS) $(KERNELS)

## fuzz: coverage-guided fuzzing of every decoder, SECONDS_EACH=60, then the long property runs
fuzz: setup build
	$(Q)node --expose-gc test/fuzz/fuzz.mjs --seconds $(SECONDS_EACH)
	$(Q)TRACER_FUZZ_CASES=10000 TRACER_FUZZ_SECONDS=$(SECONDS_EACH) $(NPX)/vitest run --project unit test/fuzz test/protocols test/dialects

## golden: write the outputs of the golden sessions and the generated pages anew; review the difference
golden: build
	$(Q)TRACER_GOLDEN=1 $(NPX)/vitest run --project unit test/golden.test.ts test/copilot/classes-doc.test.ts

## sessions: record the golden sessions anew (root), then write their outputs
sessions: build
	$(Q)node scripts/make-sessions.mjs
	$(Q)$(MAKE) --no-print-directory golden

## bench: costs and throughput on this machine, beside the floor
bench: setup-test build
	$(Q)node test/bench/bench.mjs

## demo: build, then trace a stand-in client talking to a stand-in service on loopback
demo: build
	$(Q)node scripts/demo.mjs

## doctor: can this machine trace, and if not, why
doctor: build
	$(Q)build/tracer doctor

## install: put a `tracer` wrapper into $(PREFIX)/bin (works with sudo and nvm)
PREFIX ?= /usr/local
install: build
	$(Q)install -D -m 755 build/tracer $(DESTDIR)$(PREFIX)/bin/tracer
uninstall:
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/tracer

## clean: remove all outputs
clean:
	$(Q)rm -rf build native/build

## help: this list
help:
	$(Q)sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | expand -t 14
