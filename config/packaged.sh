#!/bin/sh
# Copies the files of a distribution's package below ROOT/usr, from the output of `make build`.
#
#   config/packaged.sh PROGRAM MANUAL ROOT
#
# The package manager has its own list of files, so uninstall.sh is left out. User units lie in usr/lib/systemd/user.
set -eu
root=$3
"$(dirname "$0")/stage.sh" "$1" "$2" "$root/usr"
rm "$root/usr/share/overline/uninstall.sh"
mkdir -p "$root/usr/lib/systemd"
mv "$root/usr/share/systemd/user" "$root/usr/lib/systemd/user"
rmdir "$root/usr/share/systemd"
sed -i 's|@OVERLINE@|/usr/bin/overline|' "$root"/usr/lib/systemd/user/*
