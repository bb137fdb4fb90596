# Overline: the two commands a newcomer needs are `make run` and `make test`; each installs what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# What users get needs no Swift on the machine.
RELEASE := -c release --static-swift-stdlib
BIN = $(shell $(SWIFT) build $(RELEASE) --show-bin-path)

# Packages by the file or command that shows they are there.
DEPENDENCIES := pkg-config:/usr/bin/pkg-config libnl-3-dev:/usr/include/libnl3/netlink/netlink.h \
  libnl-route-3-dev:/usr/include/libnl3/netlink/route/link.h tmux:/usr/bin/tmux iproute2:/sbin/ip git:/usr/bin/git g++:/usr/bin/g++
TEST_DEPENDENCIES := vim-tiny:/usr/bin/vi less:/usr/bin/less procps:/bin/ps util-linux:/usr/bin/unshare

.PHONY: run build test deps test-deps lint format bench picture install uninstall clean

run: build
	@$(BIN)/overline monitor

build: deps
	$(SWIFT) build $(RELEASE) --product overline

# Network namespaces need root, or a user namespace of one's own.
test: deps test-deps lint
	$(SWIFT) build --build-tests
	@if [ "$$(id -u)" = 0 ]; then $(SWIFT) test --skip-build; \
	else echo "make: not root: running the tests in a user namespace"; unshare --map-root-user --net $(SWIFT) test --skip-build; fi

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

format:
	$(SWIFT) format format --in-place --recursive Sources Tests Package.swift

bench: build
	$(SWIFT) run -c release overline-bench $(BIN)/overline

# Draws the README's picture from a real tmux screen (needs python3).
picture: build
	unshare --map-root-user --net python3 config/picture.py $(BIN)/overline > config/banner.svg

deps:
	@config/install-dependencies.sh $(DEPENDENCIES)

test-deps:
	@config/install-dependencies.sh $(TEST_DEPENDENCIES)

install: build
	install -D -s -m 755 $(BIN)/overline $(DESTDIR)$(PREFIX)/bin/overline
	install -D -m 755 config/overline.tmux $(DESTDIR)$(PREFIX)/share/overline/overline.tmux
	install -D -m 644 config/overline.toml $(DESTDIR)$(PREFIX)/share/overline/overline.toml

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/overline
	rm -rf $(DESTDIR)$(PREFIX)/share/overline

clean:
	rm -rf .build
