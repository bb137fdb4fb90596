#!/bin/sh
# Removes what config/install.sh has put below a prefix, and the folders of ours that are empty then.
#
#   config/uninstall.sh PREFIX [DESTDIR]
set -eu
root=${2:-}$1
list=$root/share/overline/installed
if [ ! -e "$list" ]; then
  echo "overline is not installed in $root: there is no $list" >&2
  exit 1
fi
while IFS= read -r file; do
  rm -f "$root/$file"
done <"$list"
# Folders that others use too stay, empty or not.
find "$root/share/overline" -depth -type d -empty -delete
