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
# The list goes with the files, and names its folders with a slash at the end, the outer ones first.
folders=$(grep '/$' "$list" | sed '1!G;h;$!d') || folders=""
files=$(grep -v '/$' "$list")
echo "$files" | while IFS= read -r file; do rm -f "$root/$file"; done
# 0.1 did not list folders.
[ ! -d "$root/share/overline" ] || find "$root/share/overline" -depth -type d -empty -delete
# A folder that holds a file of others stays.
echo "$folders" | while IFS= read -r folder; do
  # The prefix itself is ./, which rmdir(1) does not take.
  [ -z "$folder" ] || [ ! -d "$root/$folder" ] || rmdir --ignore-fail-on-non-empty "$root/${folder%./}"
done
