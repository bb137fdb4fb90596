#!/bin/sh
# Unpacks Debian packages into FOLDER without installing them: FOLDER, then PACKAGE:PROGRAM[=FILE] each. If PROGRAM exists, the package is
# not needed; FILE is the program's path in the package, from usr/bin.
#
# For programs whose installation changes the system: they start a service, or take over the names vi and editor. With --libraries before
# FOLDER, an absolute path, unpacks also the packages that they depend on and that are not installed.
set -eu
get=download
again="make test-deps"
if [ "$1" = --libraries ]; then
  get="install --yes --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::Cache::archives=$2"
  again="make daemon-deps"
  shift
fi
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
mkdir -p "$folder/usr/bin" "$folder/partial"
cd "$folder"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# No retries: without a network each one takes seconds.
options="-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10"

# fail REMEDY: prints one sentence with apt-get's reason.
fail() {
  reason=$(grep -m 1 -E '^(E|Err):?' "$log" || tail -n 1 "$log")
  echo "apt-get cannot download$missing ($(printf %s "$reason" | cut -c 1-200)); $1" >&2
  exit 1
}

# shellcheck disable=SC2086 # Several words.
if ! apt-get $get $options $missing >"$log" 2>&1; then
  # The list of packages may be missing or old. Only root can renew it.
  sudo=""
  if [ "$(id -u)" != 0 ]; then
    { command -v sudo >/dev/null && sudo -n true 2>/dev/null; } ||
      fail "with a network, type as root: apt-get update; then again: $again"
    sudo="sudo"
  fi
  # shellcheck disable=SC2086
  $sudo apt-get update $options >"$log" 2>&1 || true
  # shellcheck disable=SC2086
  apt-get $get $options $missing >>"$log" 2>&1 || fail "with a network, type: $again"
fi
for package in *.deb; do dpkg-deb -x "$package" .; done
rm -r ./*.deb partial
for entry in "$@"; do
  case $entry in
    *=*)
      program=${entry#*:}
      [ ! -e "usr/bin/${program#*=}" ] || ln -sf "${program#*=}" "usr/bin/${program%%=*}"
      ;;
  esac
done
