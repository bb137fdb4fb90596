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
# Lists the files even after a partial installation, so that they can be uninstalled.
leave() {
  if [ -e "$temporary/installed" ]; then
    make_folder share/overline
    echo share/overline/installed >>"$temporary/installed"
    install -D -m 644 "$temporary/installed" "$list"
  fi
  rm -rf "$temporary"
}
trap leave EXIT

# An earlier version's files that this one no longer has must not stay. Its folders that contain other files are still its own.
if [ -e "$list" ]; then
  grep '/$' "$list" >"$temporary/folders" || true
  "$tree/share/overline/uninstall.sh" "$prefix" "$destination" >/dev/null
  while IFS= read -r folder; do
    [ ! -d "$root/$folder" ] || echo "$folder" >>"$temporary/installed"
  done <"$temporary/folders"
fi

# Makes a folder below the prefix and its parents, and lists each new one with a slash at its end.
make_folder() {
  [ ! -d "$root/$1" ] || return 0
  [ "$1" = . ] || make_folder "$(dirname "$1")"
  if [ "$1" = . ]; then install -d -m 755 "$root"; else install -d -m 755 "$root/$1"; fi
  echo "$1/" >>"$temporary/installed"
}

# put FILE PLACE: installs a file at PLACE below the prefix.
put() {
  make_folder "$(dirname "$2")"
  mode=644
  [ ! -x "$1" ] || mode=755
  install -D -m "$mode" "$1" "$root/$2"
  # The snippets name each other by their usual place.
  case $2:$prefix in
    share/overline/*:*[!a-zA-Z0-9/._-]* | share/overline/*:"$HOME/.local") ;;
    share/overline/*) sed -i "s|~/.local/share/overline|$prefix/share/overline|g" "$root/$2" ;;
  esac
  echo "$2" >>"$temporary/installed"
}

# A unit cannot find out where it was installed.
quoted=$(printf %s "$prefix/bin/overline" | sed 's/%/%%/g; s/[\\&|]/\\&/g')
(cd "$tree" && find bin share -type f | LC_ALL=C sort) >"$temporary/files"
while IFS= read -r file; do
  case $file in
    share/systemd/user/*)
      sed "s|@OVERLINE@|$quoted|" "$tree/$file" >"$temporary/unit"
      put "$temporary/unit" "$file"
      ;;
    *) put "$tree/$file" "$file" ;;
  esac
done <"$temporary/files"

version=$("$tree/bin/overline" --version 2>/dev/null) || version=""
echo "Overline${version:+ $version} is installed in $root"
[ -n "$destination" ] || "$prefix/bin/overline" setup --print
