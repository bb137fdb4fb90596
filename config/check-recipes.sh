#!/bin/sh
# Builds the packages for Arch and Fedora from their recipes, with makepkg and rpmbuild, without a network. Their build dependencies are
# those of this system: neither recipe's names of packages are checked. Needs root.
#
#   config/check-recipes.sh RECIPES FOLDER
#
# RECIPES has the output of recipes.sh. FOLDER gets the packages, and is emptied first.
set -eu
[ $# = 2 ] || { echo "usage: config/check-recipes.sh RECIPES FOLDER" >&2; exit 64; }
recipes=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2/sources" "$2/arch" "$2/fedora"
folder=$(realpath "$2")
version=$(sed -n 's/^pkgver=//p' "$recipes/PKGBUILD")

git archive --format=tar --prefix="overline-$version/" HEAD | gzip -n >"$folder/sources/overline-$version.tar.gz"
grep -v '^#' config/sources | while read -r address number commit _; do
  name=${address##*/}
  git -C ".build/checkouts/$name" archive --format=tar --prefix="$name-$number/" "$commit" | gzip -n >"$folder/sources/$name-$number.tar.gz"
done

bash -n "$recipes/PKGBUILD"
cp "$recipes/PKGBUILD" "$folder"/sources/* "$folder/arch"
# makepkg does not run as root.
chown -R 65534:65534 "$folder/arch"
(
  cd "$folder/arch"
  # A variable of the calling make would link libnl statically.
  env -u PKG_CONFIG_PATH HOME="$PWD" unshare --net setpriv --reuid=65534 --regid=65534 --clear-groups makepkg --nodeps --noconfirm >makepkg.log 2>&1
) || { tail -n 20 "$folder/arch/makepkg.log" >&2; exit 1; }
# needs PROGRAM: fails unless the program uses the shared libnl.
needs_libnl() { readelf -d "$1" | grep -q 'NEEDED.*libnl-route-3' || { echo "$1 does not use the shared libnl" >&2; exit 1; }; }
needs_libnl "$folder/arch/pkg/overline/usr/bin/overline"
echo "Arch: $(cd "$folder/arch" && echo overline-*.pkg.tar*) was built without a network"

# Its warning about a missing BuildRoot tag is of the past: rpm sets it.
rpmlint "$recipes/overline.spec" >"$folder/fedora/rpmlint" || { cat "$folder/fedora/rpmlint" >&2; exit 1; }
env -u PKG_CONFIG_PATH unshare --net rpmbuild --nodeps -bb --define "_topdir $folder/fedora" --define "_sourcedir $folder/sources" "$recipes/overline.spec" \
  >"$folder/fedora/rpmbuild.log" 2>&1 || { tail -n 20 "$folder/fedora/rpmbuild.log" >&2; exit 1; }
(cd "$folder/fedora" && rpm2cpio RPMS/*/*.rpm | cpio --quiet -id)
needs_libnl "$folder/fedora/usr/bin/overline"
echo "Fedora: $(cd "$folder/fedora/RPMS" && echo */*.rpm) was built without a network"
