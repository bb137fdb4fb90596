#!/bin/sh
# Installs Debian packages that are missing: each argument is PACKAGE:FILE, where FILE shows that the package is there.
set -eu
missing=""
for entry in "$@"; do
  [ -e "${entry#*:}" ] || missing="$missing ${entry%%:*}"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "overline needs$missing; install them with this system's package manager and try again" >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "overline needs$missing; there is no sudo here, so as root: apt-get install$missing" >&2
    exit 1
  fi
  echo "overline needs$missing; installing them with sudo" >&2
  sudo="sudo"
else
  echo "overline needs$missing; installing them" >&2
fi
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
