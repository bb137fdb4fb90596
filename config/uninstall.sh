#!/bin/sh
# Removes the files that install.sh has installed below a prefix, and our folders that are empty then.
#
#   uninstall.sh [PREFIX [DESTDIR]]
#
# Without PREFIX, that of this file: PREFIX/share/overline/uninstall.sh.
set -eu
prefix=${1:-$(cd "$(dirname "$0")/../.." && pwd)}
root=${2:-}$prefix
list=$root/share/overline/installed
if [ ! -e "$list" ]; then
  echo "overline is not installed in $root: there is no $list" >&2
  exit 1
fi
# The list is removed with the files. Its folders have a slash at the end, and the outer ones come first.
folders=$(grep '/$' "$list" | sed '1!G;h;$!d') || folders=""
files=$(grep -v '/$' "$list") || files=""
echo "$files" | while IFS= read -r file; do rm -f "$root/$file"; done
# 0.1 did not list folders.
[ ! -d "$root/share/overline" ] || find "$root/share/overline" -depth -type d -empty -delete
# A folder with other files stays.
echo "$folders" | while IFS= read -r folder; do
  # The prefix itself is ./, which rmdir(1) rejects.
  [ -z "$folder" ] || [ ! -d "$root/$folder" ] || rmdir --ignore-fail-on-non-empty "$root/${folder%./}"
done
echo "Overline is removed from $root; a monitor or window that runs goes on until it ends. Yours to remove: the lines with overline in your
startup files and in ~/.tmux.conf, ~/.config/overline, and the history in ~/.local/state/overline."
for file in .bashrc .bash_profile .profile .zshrc .config/fish/config.fish; do
  ! grep -qs '^[^#]*exec .*overline run' "$HOME/$file" ||
    echo "Remove the line with \"exec overline run\" from ~/$file now: without the program it ends each new shell."
done
