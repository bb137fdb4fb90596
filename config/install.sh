#!/bin/sh
# Installs the files beside it, for `make install` and in the tarball.
#
#   ./install.sh [PREFIX [DESTDIR]]
#
# Without PREFIX, into ~/.local, or as root into /usr/local. PREFIX/share/overline/installed lists the files,
# PREFIX/share/overline/uninstall.sh removes them, and `PREFIX/bin/overline setup --print` prints what to type next.
set -eu
tree=$(dirname "$0")
if [ "$(id -u)" = 0 ]; then standard=/usr/local; else standard=$HOME/.local; fi
prefix=${1:-$standard}
destination=${2:-}
# Units contain the program's absolute path; and a ~ that the shell did not expand would be a folder of that name.
case $prefix in
  /*) ;;
  *)
    echo "PREFIX must be an absolute path, and is \"$prefix\"" >&2
    exit 1
    ;;
esac
root=$destination$prefix
list=$root/share/overline/installed

existing=$root
while [ ! -e "$existing" ]; do existing=$(dirname "$existing"); done
if [ ! -w "$existing" ]; then
  echo "overline: $existing is not writable for you; repeat the command with sudo, or install below your home:" >&2
  echo "  make install PREFIX=\"\$HOME/.local\", or ./install.sh ~/.local from a tarball" >&2
  exit 1
fi

# A program for another machine would be of no use here. With DESTDIR, the files may be meant for one.
if [ -z "$destination" ] && ! answer=$("$tree/bin/overline" --version 2>&1); then
  echo "overline: nothing is installed, since $tree/bin/overline does not run on this machine ($(echo "$answer" | head -n 1))" >&2
  exit 1
fi

temporary=$(mktemp -d)
# All files are first copied beside their places. If there is no room for them, an earlier version stays as it is; and a terminal that is
# opened meanwhile finds the old program or the new one.
copy=$existing/.overline-install.$$
# A partial installation is listed too, so that it can be uninstalled.
leave() {
  if [ -s "$temporary/installed" ]; then
    echo share/overline/installed | cat "$temporary/earlier" "$temporary/installed" - >"$list" || true
  fi
  rm -rf "$temporary" "$copy"
}
trap leave EXIT
if ! { mkdir "$copy" && cp -R "$tree/bin" "$tree/share" "$copy/"; } 2>"$temporary/errors"; then
  echo "overline: nothing is installed or changed: $(head -n 1 "$temporary/errors")" >&2
  exit 1
fi

# The earlier version's folders that contain other files are still its own.
earlier=$temporary/earlier
cat "$list" >"$earlier" 2>/dev/null || : >"$earlier"
grep '/$' "$earlier" >"$temporary/folders" || true
while IFS= read -r folder; do
  [ ! -d "$root/$folder" ] || echo "$folder" >>"$temporary/installed"
done <"$temporary/folders"

# Makes a folder below the prefix and its parents, and lists each new one with a slash at its end.
make_folder() {
  [ ! -d "$root/$1" ] || return 0
  [ "$1" = . ] || make_folder "$(dirname "$1")"
  if [ "$1" = . ]; then install -d -m 755 "$root"; else install -d -m 755 "$root/$1"; fi
  echo "$1/" >>"$temporary/installed"
}

# put PLACE: moves a file of the copy to its place below the prefix.
put() {
  make_folder "$(dirname "$1")"
  if [ -x "$copy/$1" ]; then chmod 755 "$copy/$1"; else chmod 644 "$copy/$1"; fi
  # The snippets name each other by their usual place.
  case $1:$prefix in
    share/overline/*:*[!a-zA-Z0-9/._-]* | share/overline/*:"$HOME/.local") ;;
    share/overline/*) sed -i "s|~/.local/share/overline|$prefix/share/overline|g" "$copy/$1" ;;
  esac
  mv -fT "$copy/$1" "$root/$1"
  echo "$1" >>"$temporary/installed"
}

# A unit cannot find out where it was installed.
quoted=$(printf %s "$prefix/bin/overline" | sed 's/%/%%/g; s/[\\&|]/\\&/g')
(cd "$tree" && find bin share -type f | LC_ALL=C sort) >"$temporary/files"
while IFS= read -r file; do
  case $file in
    share/systemd/user/*) sed -i "s|@OVERLINE@|$quoted|" "$copy/$file" ;;
  esac
  put "$file"
done <"$temporary/files"

# An earlier version's files that this one no longer has must not stay, nor its folders that are empty then.
echo share/overline/installed >>"$temporary/installed"
grep -v '/$' "$earlier" | grep -vxFf "$temporary/installed" >"$temporary/old" || true
while IFS= read -r file; do rm -f "$root/$file"; done <"$temporary/old"
find "$root/share/overline" -mindepth 1 -depth -type d -empty -delete
sed '1!G;h;$!d' "$temporary/folders" | while IFS= read -r folder; do
  [ ! -d "$root/$folder" ] || rmdir --ignore-fail-on-non-empty "$root/${folder%./}" 2>/dev/null || true
done
while IFS= read -r entry; do
  case $entry in */) [ -d "$root/$entry" ] || continue ;; esac
  echo "$entry"
done <"$temporary/installed" | LC_ALL=C awk '!seen[$0]++' >"$copy/installed"
chmod 644 "$copy/installed"
mv -f "$copy/installed" "$list"
rm "$temporary/installed"

version=$("$tree/bin/overline" --version 2>/dev/null) || version=""
echo "Overline${version:+ $version} is installed in $root"
[ ! -s "$earlier" ] || echo "A running monitor and running windows stay as they are: start the monitor again, and open new terminals."
[ -n "$destination" ] || "$prefix/bin/overline" setup --print
