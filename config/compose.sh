#!/bin/sh
# Builds and runs packages outside this repository that depend on it, as a user's package would: SWIFT [everything].
#
# Without the second argument, only a package with NetworkPath and `traits: []`, which must fetch and compile nothing else. With it, also
# one with swift-nio, swift-system, swift-configuration, swift-subprocess and async-http-client, by path and by URL with a version.
set -eu
swift=$1
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
# A dependant compiles without this repository's settings, and links the shared libraries.
unset OVERLINE_STRICT OVERLINE_COMMIT PKG_CONFIG_PATH

# The work tree's current content, under a version of its own.
git init -q "$folder/overline"
git -C "$root" ls-files -z --cached --others --exclude-standard | (cd "$root" && tar --null --ignore-failed-read -cf - -T -) |
  tar -xf - -C "$folder/overline"
git -C "$folder/overline" add -A
git -C "$folder/overline" -c user.name=overline -c user.email=overline@localhost commit -qm composition
git -C "$folder/overline" tag 99.0.0

build() { # NAME DEPENDENCY
  cp -r "$root/Tests/Composition/$1" "$folder/$1"
  sed "s|DEPENDENCY|$2|" "$root/Tests/Composition/$1/Package.swift.in" >"$folder/$1/Package.swift"
  (cd "$folder/$1" && $swift build --disable-index-store -Xswiftc -gnone) >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  # Other packages have warnings of their own.
  if grep -E "warning: .*overline|/(overline|$1)/.*warning:" "$folder/log" >&2; then
    echo "$1 ($2): built with warnings" >&2
    exit 1
  fi
}

build NetworkPathOnly "path: \\\"$folder/overline\\\""
fetched=$(ls "$folder/NetworkPathOnly/.build/checkouts" 2>/dev/null || true)
[ -z "$fetched" ] || { echo "NetworkPath alone fetches: $fetched" >&2; exit 1; }
compiled=$(cd "$folder/NetworkPathOnly/.build/debug" && find . -name '*.o' | cut -d / -f 2 | grep build | sort -u | tr '\n' ' ')
[ "$compiled" = "COverline.build NetworkPath.build NetworkPathOnly.build OverlineSystem.build " ] ||
  { echo "NetworkPath alone compiles: $compiled" >&2; exit 1; }
"$folder/NetworkPathOnly/.build/debug/NetworkPathOnly"
echo "NetworkPath alone: built and run"

[ "${2-}" = everything ] || exit 0
for dependency in "path: \\\"$folder/overline\\\"" "url: \\\"file://$folder/overline\\\", from: \\\"99.0.0\\\""; do
  rm -rf "$folder/Everything/Sources" "$folder/Everything/Package.resolved"
  build Everything "$dependency"
  "$folder/Everything/.build/debug/Everything"
  echo "beside the other packages, $dependency: built and run"
done
