#!/bin/sh
# Makes the folder that install.sh installs, for `make install`, `make tarball` and `make deb`.
#
#   config/stage.sh PROGRAM MANUAL FOLDER
#
# PROGRAM is overline, MANUAL the writer of manual pages beside it. FOLDER has the files as they lie below a prefix.
set -eu
program=$1
manual=$2
folder=$3
config=$(dirname "$0")
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

command -v objdump >/dev/null || { echo "overline: config/stage.sh needs objdump, of binutils" >&2; exit 1; }
put() { install -D -m "$1" "$2" "$folder/$3"; }

# The program runs on machines with an older C library than this one's (glibc.c).
newer=$(objdump -T "$program" | sed -n 's/.*(GLIBC_\([0-9.]*\)) *\(.*\)/\1 \2/p' | awk '{ split($1, v, "."); if (v[2] + 0 > 34) print $2 " (" $1 ")" }')
[ -z "$newer" ] || { echo "$program needs a newer glibc than 2.34:" $newer >&2; exit 1; }
put 755 "$program" bin/overline
for snippet in "$config"/overline.tmux "$config"/overline.toml "$config"/prompt/* "$config"/bar/* \
  "$config"/startup/* "$config"/editor/* "$config"/terminal/* "$config"/hooks/* \
  "$config"/prometheus/alerts.yml "$config"/prometheus/dashboard.json; do
  mode=644
  [ ! -x "$snippet" ] || mode=755
  put $mode "$snippet" "share/overline/${snippet#"$config"/}"
done
put 755 "$config/uninstall.sh" share/overline/uninstall.sh

# systemd reads units below share in ~/.local, /usr/local and /usr (systemd.unit(5)). install.sh writes the program's place into them.
for unit in overline.service overline.socket; do put 644 "$config/$unit" "share/systemd/user/$unit"; done

for shell in bash zsh fish; do "$program" completions $shell >"$temporary/$shell"; done
put 644 "$temporary/bash" share/bash-completion/completions/overline
put 644 "$temporary/zsh" share/zsh/site-functions/_overline
put 644 "$temporary/fish" share/fish/vendor_completions.d/overline.fish

mkdir "$temporary/man"
epoch=$("$config/epoch.sh")
"$program" --experimental-dump-help |
  "$manual" "$temporary/man" "$(LC_ALL=C date -u -d "@$epoch" '+%B %-d, %Y')" \
    "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$config/debian/changelog")"
for page in "$temporary"/man/*; do put 644 "$page" "share/man/man${page##*.}/${page##*/}"; done

# A static libnl has the version of the headers. A shared one is a package of its own, with its own licence.
libnl=$(pkg-config --modversion libnl-3.0)
source=$(dpkg-query -W -f 'Debian'\''s source package ${source:Package} ${source:Version}' libnl-3-dev 2>/dev/null || echo "your system")
sed -e "s/@LIBNL@/$libnl/" -e "s/@SOURCE@/$source/" -e "s/@TAG@/$(echo "$libnl" | tr . _)/" "$config/licenses/THIRD-PARTY" >"$temporary/notice"
if objdump -p "$program" | grep -q 'NEEDED *libnl'; then
  sed -i '/^libnl-3 and libnl-route-3/,/^$/d' "$temporary/notice"
else
  put 644 "$config/licenses/LGPL-2.1" share/doc/overline/LGPL-2.1
fi
put 644 "$temporary/notice" share/doc/overline/THIRD-PARTY
put 644 "$config/licenses/Apache-2.0" share/doc/overline/Apache-2.0
put 644 "$config/../LICENSE" share/doc/overline/LICENSE
