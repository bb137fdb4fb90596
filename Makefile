# Overline: the two commands a newcomer needs are `make run` and `make test`; each installs what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# The standard library inside the program brings 42,000 places to relocate at its start, a list of 1 MB that stays mapped: packed
# it takes 8 KB, and an idle monitor 1.1 MB less. glibc reads such lists since 2.36; Swift's usual linker (gold) cannot write them.
PACKED := $(shell printf 'glibc 2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION)" | sort -V -C && \
  echo -Xswiftc -use-ld=bfd -Xlinker -z -Xlinker pack-relative-relocs)
# Swift's runtime is written in C++, whose library is linked likewise: the linker takes whichever form of it lies in the first folder
# that has one. Shared, its tables of names alone would be 1 MB of an idle monitor.
STATIC := $(CURDIR)/.build/static
# What users get needs no Swift on the machine. Small code before fast code: an idle monitor takes 0.6 MB less, and the way of a
# change, which runs cold, is as long.
RELEASE := -c release -Xswiftc -Osize --static-swift-stdlib -Xlinker -s -Xlinker -L$(STATIC) $(PACKED)
# What `--version` says of a build from a clone. Not of a tarball, whoever's repository it lies in.
export OVERLINE_COMMIT := $(shell [ ! -e .git ] || git rev-parse --short=12 HEAD 2>/dev/null | cut -c 1-12)
# libnl comes out of its archives; a package that depends on this one gets the shared objects.
export PKG_CONFIG_PATH := $(CURDIR)/config/pkgconfig:$(PKG_CONFIG_PATH)
# Warnings are errors here, and not where others build this package.
export OVERLINE_STRICT := 1
BIN = $(shell $(SWIFT) build $(RELEASE) --show-bin-path)

# Network namespaces need root, or a user namespace of one's own.
NAMESPACED = $(shell [ "$$(id -u)" = 0 ] || echo unshare --map-root-user --net)

# Packages by the file or command that shows they are there.
LIBRARIES := /usr/lib/$(shell uname -m)-linux-gnu
DEPENDENCIES := pkg-config:/usr/bin/pkg-config libnl-3-dev:/usr/include/libnl3/netlink/netlink.h \
  libnl-route-3-dev:$(LIBRARIES)/libnl-route-3.a tmux:/usr/bin/tmux iproute2:/sbin/ip git:/usr/bin/git
TEST_DEPENDENCIES := less:/usr/bin/less procps:/bin/ps util-linux:/usr/bin/unshare \
  libvterm-dev:/usr/include/vterm.h bash:/bin/bash htop:/usr/bin/htop vttest:/usr/bin/vttest \
  zsh:/usr/bin/zsh fish:/usr/bin/fish mandoc:/usr/bin/mandoc i3blocks:/usr/bin/i3blocks \
  groff:/usr/bin/groff man-db:/usr/bin/man curl:/usr/bin/curl python3:/usr/bin/python3 libgpm2:$(LIBRARIES)/libgpm.so.2 libsodium23:$(LIBRARIES)/libsodium.so.23
# Installed, the first two would start a service each, and the others become the system's vi and editor.
TEST_TOOLS := prometheus:promtool prometheus-node-exporter:prometheus-node-exporter vim:vim=vim.basic nano:nano=../../bin/nano
TOOLS := $(CURDIR)/.build/tools

# They run side by side in one process: users have 1024 descriptors by default, which is too few.
RAISED := ulimit -S -n 8192 2>/dev/null;

# `make` alone only builds.
.DEFAULT_GOAL := build

.PHONY: run build test check compose sanitize deps test-deps lint format record bench soak fuzz picture install uninstall deb clean

run: build
	@$(BIN)/overline monitor

build: deps $(STATIC)/libstdc++.a
	$(SWIFT) build $(RELEASE) --product overline
	$(SWIFT) build $(RELEASE) --product OverlineManual

$(STATIC)/libstdc++.a:
	@mkdir -p $(STATIC)
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $@

test sanitize picture: export PATH := $(PATH):$(TOOLS)/usr/bin
test: deps test-deps lint
	@$(NAMESPACED) true || { echo "the tests need network namespaces: run them as root, or allow unprivileged user namespaces" >&2; exit 1; }
	$(SWIFT) build --build-tests
	@$(RAISED) config/test.sh 900 "$(SWIFT)" "$(NAMESPACED)"

# In half a minute: format, the rules between folders, the documents, and tests that run no other program, except those that try
# thousands of random streams. `PackageTests` fails when one of these names is not that of a target or suite.
CHECKED_TESTS := ArchitectureTests PathModelTests BannerTests TerminalTests ObserverTests ConfigurationTests ReachabilityTests HistoryTests \
  ReferenceTerminalTests FuzzTests OverlineCLITests.ArgumentTests OverlineCLITests.CommandTreeTests OverlineCLITests.WaitMachineTests
UNCHECKED_TESTS := BannerTests.PropertyTests TerminalTests.KnowledgeTests TerminalTests.OverlayTests TerminalTests.JourneyTests TerminalTests.OverlayJourneyTests
selected = $(foreach name,$(2),$(1) '^$(subst .,\.,$(name))[./]')
check: deps lint
	$(SWIFT) build --build-tests
	@$(RAISED) config/test.sh 120 "$(SWIFT)" "" $(call selected,--filter,$(CHECKED_TESTS)) $(call selected,--skip,$(UNCHECKED_TESTS))

# Packages outside this repository that depend on it, beside swift-nio and others: fetches and builds those, in five minutes.
compose: deps
	config/compose.sh "$(SWIFT)" everything

# The same tests in two builds of their own, watched for what must not be done with memory (leaks too) and with threads. Takes an hour.
sanitize: deps test-deps
	@$(RAISED) status=0; for sanitizer in address thread; do \
	  config/sanitize.sh $$sanitizer "$(SWIFT)" "$(NAMESPACED)" || status=1; \
	done; exit $$status

# Writes down the interface that programs build on, and what documents show of the code, after a change that is meant.
record:
	$(SWIFT) build --build-tests
	OVERLINE_RECORD=1 $(SWIFT) test --skip-build --no-parallel --filter 'InterfaceTests|DiagramTests|FaultTable'

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

format:
	$(SWIFT) format format --in-place --recursive Sources Tests Package.swift

# The figures of the release build beside their goals, written into the README; `make bench BENCH=--quick` is for development, and
# writes nothing.
bench: build
	for product in OverlineBenchWatcher OverlineBenchLibrary OverlineBenchNothing OverlineBench; do \
	  $(SWIFT) build $(RELEASE) --product $$product || exit 1; done
	$(NAMESPACED) $(BIN)/OverlineBench $(BENCH) $(BIN)/overline README.md

# What ten thousand outages and reloads, a hundred thousand toasts and a gigabyte leave behind; twenty minutes.
soak: build
	$(SWIFT) build $(RELEASE) --product OverlineBench
	$(NAMESPACED) $(BIN)/OverlineBench --soak $(BENCH) $(BIN)/overline README.md

# Looks for bytes that crash a reader of what others write; `make test` repeats what was found. A build of its own, since libFuzzer's
# runtime (of the Swift toolchain) takes over the program. Swift's usual linker (gold) fails on it.
FUZZ_SECONDS ?= 60
FUZZ_BUILD = $(SWIFT) build --scratch-path .build-fuzz -c release -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=bfd

fuzz: export OVERLINE_FUZZ = 1
fuzz: deps
	$(FUZZ_BUILD) --product Fuzz
	@config/fuzz.sh "$$($(FUZZ_BUILD) --show-bin-path)/Fuzz" $(FUZZ_SECONDS)

# Draws the README's pictures from real screens (needs python3, and vim for one of them).
picture: build test-deps
	unshare --map-root-user --net python3 -B config/pictures/draw.py $(BIN)/overline

deps:
	@$(SWIFT) --version >/dev/null 2>&1 || { $(SWIFT) --version; \
	  echo "overline is built with Swift 6.2 or later, and this is none that runs: see https://www.swift.org/install/linux" >&2; exit 1; }
	@config/install-dependencies.sh $(DEPENDENCIES)

test-deps:
	@config/install-dependencies.sh $(TEST_DEPENDENCIES)
	@config/unpack-packages.sh $(TOOLS) $(TEST_TOOLS)

# sudo resets PATH, which hides Swift, and what root builds here a user cannot build again: under sudo the existing build is installed.
install:
	@[ -n "$$SUDO_UID" ] || $(MAKE) --no-print-directory build
	@[ -x .build/release/overline ] && [ -x .build/release/OverlineManual ] || \
	  { echo "overline: nothing is built yet; type first, without sudo: make build" >&2; exit 1; }
	@echo "installing $$(.build/release/overline --version)"
	@config/install.sh .build/release/overline .build/release/OverlineManual "$(PREFIX)" "$(DESTDIR)"

uninstall:
	config/uninstall.sh "$(PREFIX)" "$(DESTDIR)"

# A Debian package in .build/debian, for the release of Debian that it is built on and later ones.
deb: build
	@config/install-dependencies.sh dpkg-dev:/usr/bin/dpkg-shlibdeps
	config/debian/build.sh $(BIN)/overline $(BIN)/OverlineManual .build/debian

clean:
	rm -rf .build .build-fuzz .build-address .build-thread
