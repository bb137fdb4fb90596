#!/bin/sh
# Builds the Debian package from the output of `make build`.
#
#   config/debian/build.sh PROGRAM MANUAL FOLDER
#
# Without debhelper: only libc is linked dynamically, so the package only copies files. It has no maintainer scripts: the user unit
# stays disabled, and `systemctl --user enable --now overline` starts a monitor for the users that want one.
set -eu
program=$1
manual=$2
folder=$3
here=$(dirname "$0")
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$here/changelog")
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$("$here/../epoch.sh")
export SOURCE_DATE_EPOCH
umask 022

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
chmod 755 "$temporary"
root=$temporary/root

"$here/../packaged.sh" "$program" "$manual" "$root"
# Debian's folder for completions.
mkdir "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_overline" "$root/usr/share/zsh/vendor-completions/_overline"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9n "$root"/usr/share/man/man*/*
# The licence of Overline is in `copyright`, that of Swift in /usr/share/common-licenses.
rm "$root/usr/share/doc/overline/LICENSE" "$root/usr/share/doc/overline/Apache-2.0"
install -D -m 644 "$here/copyright" "$root/usr/share/doc/overline/copyright"
install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/overline"
gzip -9nc "$here/changelog" >"$root/usr/share/doc/overline/changelog.gz"
chmod 644 "$root/usr/share/doc/overline/changelog.gz"

# The required libraries with their versions. dpkg-shlibdeps needs a source package's control file.
mkdir -p "$temporary/debian"
printf 'Source: overline\n\nPackage: overline\nArchitecture: any\n' >"$temporary/debian/control"
(cd "$temporary" && dpkg-shlibdeps -O root/usr/bin/overline) >"$temporary/libraries" 2>"$temporary/warnings" || {
  cat "$temporary/warnings" >&2
  exit 1
}
libraries=$(sed -n 's/^shlibs:Depends=//p' "$temporary/libraries")

mkdir "$root/DEBIAN"
sed -e "s|@ADDRESS@|$(cat "$here/../address")|" -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@LIBRARIES@/$libraries/" \
  -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$root" | cut -f1)/" "$here/control" >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
mkdir -p "$folder"
dpkg-deb --root-owner-group --build "$root" "$folder/overline_${version}_$architecture.deb"
