#!/bin/sh
# Fails, with what to do, if Swift does not run here: SWIFT [before].
#
# With "before", a missing library is no failure: the packages that are installed next contain those that Swift needs.
set -u
swift=$1
# The first is the package manager, which needs most of the libraries; the second starts the compiler.
# shellcheck disable=SC2086 # Several words.
error=$({ $swift build --version && $swift --version; } 2>&1) && exit
case ${2-}:$error in
  before:*"loading shared libraries"*) exit 0 ;;
esac
echo "overline is built with Swift 6.2 or later, and $swift does not run ($(echo "$error" | head -n 1)): see https://www.swift.org/install/linux" >&2
exit 1
