#!/bin/sh
# Unpacks Debian packages into FOLDER without installing them: FOLDER, then PACKAGE:PROGRAM each, where PROGRAM tells that it need not.
#
# For programs whose packages start a service as soon as they are installed, which nobody wants who only runs tests.
set -eu
folder=$1
shift
missing=""
for entry in "$@"; do
  command -v "${entry#*:}" >/dev/null || [ -x "$folder/usr/bin/${entry#*:}" ] || missing="$missing ${entry%%:*}"
done
[ -n "$missing" ] || exit 0
echo "overline's tests need$missing; unpacking them into $folder" >&2
mkdir -p "$folder"
cd "$folder"
# shellcheck disable=SC2086 # Several words.
apt-get download -qq $missing || {
  echo "the list of packages may be missing or old; getting it anew" >&2
  sudo=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "there is no sudo here, so as root: apt-get update" >&2
      exit 1
    fi
    sudo="sudo"
  fi
  $sudo apt-get update -qq
  apt-get download -qq $missing
}
for package in *.deb; do dpkg-deb -x "$package" .; done
rm ./*.deb
