#!/bin/sh
# Lets SwiftPM build without a network.
#
#   config/mirror.sh ARCHIVES
#
# ARCHIVES is a folder with NAME-VERSION.tar.gz for each package of config/sources. SwiftPM wants repositories: .build/mirror gets one
# of each, and .swiftpm/configuration names them in the place of the network's.
set -eu
[ $# = 1 ] || { echo "usage: config/mirror.sh ARCHIVES" >&2; exit 64; }
archives=$(realpath "$1")
cd "$(dirname "$0")/.."
mirror=$PWD/.build/mirror
# A build with a network may have chosen other versions.
rm -f Package.resolved
# A second run makes the same commits.
GIT_AUTHOR_DATE="2026-01-01T00:00:00Z"
GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE"
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE

fail() {
  echo "overline: $1" >&2
  exit 1
}

for program in git "${SWIFT:-swift}"; do
  command -v "$program" >/dev/null || fail "there is no $program in PATH"
done

grep -v '^#' config/sources | while read -r address version _ hash; do
  name=${address##*/}
  archive=$archives/$name-$version.tar.gz
  [ -e "$archive" ] || fail "there is no $archive; it is the archive of $address, version $version"
  gzip -t "$archive" || fail "$archive cannot be unpacked"
  [ "$(gzip -dc "$archive" | sha256sum | cut -d ' ' -f 1)" = "$hash" ] || fail "$archive differs from the one whose hash is in config/sources"
  rm -rf "${mirror:?}/$name"
  mkdir -p "$mirror/$name"
  gzip -dc "$archive" | tar -C "$mirror/$name" --strip-components 1 -xf -
  (
    cd "$mirror/$name"
    git -c init.defaultBranch=main init --quiet
    git add --all --force
    git -c user.name=overline -c user.email=overline@localhost -c commit.gpgSign=false commit --quiet --message "$version"
    git tag "$version"
  )
  "${SWIFT:-swift}" package config set-mirror --original "$address" --mirror "file://$mirror/$name" >/dev/null
done
