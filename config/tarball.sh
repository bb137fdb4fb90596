#!/bin/sh
# Builds the tarball for machines without a compiler from the output of `make build`.
#
#   config/tarball.sh PROGRAM MANUAL FOLDER
set -eu
program=$1
manual=$2
folder=$3
config=$(dirname "$0")
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$config/debian/changelog")
name=overline-$version-linux-$(uname -m)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
umask 022

"$config/stage.sh" "$program" "$manual" "$temporary/$name"
install -m 755 "$config/install.sh" "$temporary/$name/install.sh"
# The newest glibc that the program asks for.
glibc=$(objdump -T "$program" | sed -n 's/.*GLIBC_\([0-9.]*\)).*/\1/p' | sort -V | tail -n 1)
cat >"$temporary/$name/README" <<END
Overline $version for Linux 5.3 or later, $(uname -m), glibc $glibc or later.

  ./install.sh                                 into ~/.local, or as root into /usr/local
  ./install.sh /opt/overline                   elsewhere
  ~/.local/share/overline/uninstall.sh         removes exactly these files

Then: overline demo, overline help, man overline. Licences: share/doc/overline. $(cat "$config/address")
END
mkdir -p "$folder"
tar -C "$temporary" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$("$config/epoch.sh")" -c "$name" |
  gzip -n >"$folder/$name.tar.gz"
