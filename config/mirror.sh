#!/bin/sh
# Lets SwiftPM build without a network. Run it in the folder of the sources.
#
#   config/mirror.sh ARCHIVES
#
# ARCHIVES is a folder with NAME-VERSION.tar.gz for each package of config/sources. SwiftPM wants repositories: .build/mirror gets one
# of each, and .swiftpm/configuration names them in the place of the network's.
set -eu
[ $# = 1 ] || { echo "usage: config/mirror.sh ARCHIVES" >&2; exit 64; }
archives=$(realpath "$1")
mirror=$PWD/.build/mirror

fail() {
  echo "overline: $1" >&2
  exit 1
}

grep -v '^#' config/sources | while read -r address version _ hash; do
  name=${address##*/}
  archive=$archives/$name-$version.tar.gz
  [ -e "$archive" ] || fail "there is no $archive; it is the archive of $address, version $version"
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
