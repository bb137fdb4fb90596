#!/bin/sh
# Builds and runs packages outside this repository that depend on it, as a user's package would: SWIFT [everything].
#
# Without the second argument, only a package with NetworkPath and `traits: []`, which must fetch and compile nothing else. With it, also the
# same with libnl linked statically; a service with swift-service-lifecycle, swift-log, swift-metrics and swift-nio, which runs through an
# outage; a package with swift-nio, swift-system, swift-configuration, swift-subprocess and async-http-client, by path and by URL with a version;
# and makes the documentation of both libraries with swift-docc-plugin.
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

build() { # NAME DEPENDENCY [OPTION...]
  name=$1 dependency=$2
  shift 2
  cp -r "$root/Tests/Composition/$name" "$folder/"
  sed "s|DEPENDENCY|$dependency|" "$root/Tests/Composition/$name/Package.swift.in" >"$folder/$name/Package.swift"
  (cd "$folder/$name" && $swift build --disable-index-store -Xswiftc -gnone "$@") >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  # Other packages have warnings of their own.
  if grep -E "warning: .*overline|/(overline|clone|$name)/.*warning:" "$folder/log" >&2; then
    echo "$name ($dependency): built with warnings" >&2
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

# A clone may have a folder of any name.
mv "$folder/overline" "$folder/clone"
build NetworkPathOnly "name: \\\"overline\\\", path: \\\"$folder/clone\\\"" --pkg-config-path "$folder/clone/config/pkgconfig"
libraries=$(ldd "$folder/NetworkPathOnly/.build/debug/NetworkPathOnly")
! echo "$libraries" | grep -q libnl || { echo "libnl is not linked statically" >&2; exit 1; }
"$folder/NetworkPathOnly/.build/debug/NetworkPathOnly"
echo "with libnl linked statically: built and run"
build Service "name: \\\"overline\\\", path: \\\"$folder/clone\\\""
"$root/Tests/Composition/Service/outage.sh" "$folder/Service/.build/debug/Service"
mv "$folder/clone" "$folder/overline"
for dependency in "path: \\\"$folder/overline\\\"" "url: \\\"file://$folder/overline\\\", from: \\\"99.0.0\\\""; do
  rm -rf "$folder/Everything/Sources" "$folder/Everything/Package.resolved"
  build Everything "$dependency"
  "$folder/Everything/.build/debug/Everything"
  echo "beside the other packages, $dependency: built and run"
done

# The plugin is no dependency of this package: its users would fetch it.
(
  cd "$folder/overline"
  $swift package add-dependency https://github.com/swiftlang/swift-docc-plugin --from 1.4.0
  for module in NetworkPath Overline; do $swift package generate-documentation --target "$module"; done
) >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
if grep "warning:" "$folder/log" >&2; then
  echo "the documentation has warnings" >&2
  exit 1
fi
for page in NetworkPath/nwpath/status-swift.property NetworkPath/nwinterface NetworkPath/nwendpoint NetworkPath/pathtarget \
  Overline/bannerappearance Overline/terminalcolor Overline/toastcontent; do
  module=${page%%/*}
  archive=$folder/overline/.build/plugins/Swift-DocC/outputs/$module.doccarchive
  [ -e "$archive/data/documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')/${page#*/}.json" ] ||
    { echo "the documentation has no page $page" >&2; exit 1; }
done
echo "documentation: made without a warning"
