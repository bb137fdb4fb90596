#!/bin/sh
# Copies the files of a distribution's package below ROOT/usr, from the output of `make build`.
#
#   config/packaged.sh PROGRAM MANUAL ROOT
#
# The package manager has its own list of files, so uninstall.sh is left out. User units lie in usr/lib/systemd/user.
set -eu
umask 022
root=$3
# Files of an earlier version must not stay.
[ ! -e "$root/usr" ] || [ -z "$(find "$root/usr" -name 'overline*' -print -quit)" ] || {
  echo "overline: $root has a package's files already; use an empty folder" >&2
  exit 1
}
"$(dirname "$0")/stage.sh" "$1" "$2" "$root/usr"
rm "$root/usr/share/overline/uninstall.sh"
mkdir -p "$root/usr/lib/systemd/user"
mv "$root"/usr/share/systemd/user/* "$root/usr/lib/systemd/user"
rmdir "$root/usr/share/systemd/user" "$root/usr/share/systemd"
sed -i 's|@OVERLINE@|/usr/bin/overline|' "$root"/usr/lib/systemd/user/overline.*
grep -rl '~/.local/share/overline' "$root/usr/share/overline" | xargs sed -i 's|~/.local/share/overline|/usr/share/overline|g'
