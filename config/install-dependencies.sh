#!/bin/sh
# Installs missing Debian packages: each argument is PACKAGE:FILE, where FILE shows that the package is installed.
set -eu
missing=""
for entry in "$@"; do
  [ -e "${entry#*:}" ] || missing="$missing ${entry%%:*}"
done
[ -n "$missing" ] || exit 0

# fail REASON: prints one sentence with the command to type.
fail() {
  echo "overline needs$missing; $1: apt-get install$missing" >&2
  exit 1
}

# Other systems have other names and places for the same: what is really missing, the build names.
if ! command -v apt-get >/dev/null; then
  echo "overline needs$missing, or what this system calls them; they are not where Debian has them, and the build goes on" >&2
  exit 0
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "there is no sudo here, so as root"
  if ! sudo -n true 2>/dev/null; then
    # sudo asks for a password before it refuses: use it only for members of its usual groups.
    case " $(id -nG) " in
      *" sudo "* | *" wheel "* | *" admin "*) ;;
      *) fail "you seem to have no sudo rights, so as root" ;;
    esac
    [ -t 0 ] || fail "sudo needs a password and there is no terminal, so as root"
    echo "overline needs$missing; sudo asks for your password to install them" >&2
    sudo true || fail "sudo refuses, so as root"
  else
    echo "overline needs$missing; installing them with sudo" >&2
  fi
  sudo="sudo"
else
  echo "overline needs$missing; installing them" >&2
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# No retries: without a network each one takes seconds. An update may fail for one of several sources, while another has the packages.
options="-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10"
# shellcheck disable=SC2086 # Several words.
$sudo apt-get update $options >"$log" 2>&1 || true
# shellcheck disable=SC2086
if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $options $missing >>"$log" 2>&1; then
  reason=$(grep -m 1 -E '^(E|W|Err):?' "$log" || tail -n 1 "$log")
  fail "apt-get failed ($(printf %s "$reason" | cut -c 1-200)); with a network and as root"
fi
