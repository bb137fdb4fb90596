#!/bin/sh
# Unpacks Debian packages into FOLDER without installing them: FOLDER, then PACKAGE:PROGRAM[=FILE] each. If PROGRAM exists, the package is
# not needed; FILE is the program's path in the package, from usr/bin.
#
# For programs whose installation changes the system: they start a service, or take over the names vi and editor.
set -eu
folder=$1
shift
missing=""
for entry in "$@"; do
  program=${entry#*:}
  program=${program%%=*}
  command -v "$program" >/dev/null || [ -x "$folder/usr/bin/$program" ] || missing="$missing ${entry%%:*}"
done
[ -n "$missing" ] || exit 0
echo "overline's tests need$missing; unpacking them into $folder" >&2
mkdir -p "$folder/usr/bin"
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
for entry in "$@"; do
  case $entry in
    *=*)
      program=${entry#*:}
      [ ! -e "usr/bin/${program#*=}" ] || ln -sf "${program#*=}" "usr/bin/${program%%=*}"
      ;;
  esac
done
