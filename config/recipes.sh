#!/bin/sh
# Writes the recipes for Arch (PKGBUILD) and Fedora (overline.spec) with this release's version, address and sources.
#
#   config/recipes.sh FOLDER
set -eu
folder=$1
config=$(dirname "$0")
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$config/debian/changelog")
mkdir -p "$folder"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# A line for each package of config/sources: the address of its archive, and the name that config/mirror.sh looks for.
archives() { grep -v '^#' "$config/sources" | while read -r address version _; do echo "$address/archive/$version.tar.gz ${address##*/}-$version.tar.gz"; done; }
archives | sed "s|\(.*\) \(.*\)|  \"\2::\1\"|; \$s|\$|)|" >"$temporary/arch"
archives | sed 's|\(.*\) \(.*\)|\1#/\2|' | nl -w 1 -s ' ' | sed 's|^\([0-9]*\) |Source\1:        |' >"$temporary/fedora"
{
  echo "* $(LC_ALL=C date -u -d "@$("$config/epoch.sh")" '+%a %b %d %Y') The Overline authors <overline@localhost> - $version-1"
  echo "- Version $version; CHANGELOG.md has what is new"
} >"$temporary/changes"
fill() {
  sed -e "s|@VERSION@|$version|" -e "s|@ADDRESS@|$(cat "$config/address")|" -e "s|@SKIPS@|$(archives | sed 's/.*/ SKIP/' | tr -d '\n')|" \
    -e "/@SOURCES@/{r $2" -e 'd}' -e "/@CHANGES@/{r $temporary/changes" -e 'd}' "$1" >"$folder/${1##*/}"
}
fill "$config/arch/PKGBUILD" "$temporary/arch"
fill "$config/fedora/overline.spec" "$temporary/fedora"
