#!/bin/sh
# Installs, uses and removes the Debian package and the tarball on a bare Debian, and fails if anything is left. Needs root and a mirror.
#
#   config/debian/check.sh SUITE PACKAGES ROOT
#
# SUITE is a release of Debian, such as bookworm, and PACKAGES the folder with both. ROOT is the bare system: a folder, filled by
# debootstrap when it is not there yet.
set -eu
[ $# = 3 ] || { echo "usage: config/debian/check.sh SUITE PACKAGES ROOT" >&2; exit 64; }
suite=$1
packages=$(realpath "$2")
root=$3
[ -e "$root/etc/debian_version" ] || { mkdir -p "$root" && debootstrap --variant=minbase "$suite" "$root" >/dev/null; }
# Mounts and processes end with this process.
[ -n "${OVERLINE_CHECK:-}" ] || OVERLINE_CHECK=1 exec unshare --mount --pid --fork --kill-child "$0" "$suite" "$packages" "$root"
(cd "$packages" && sha256sum --quiet -c SHA256SUMS)
package=$(echo "$packages"/*.deb)

cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
inside() { chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home LC_ALL=C TERM=xterm DEBIAN_FRONTEND=noninteractive "$@"; }
files() {
  (cd "$root" && find bin etc home lib opt root sbin srv usr var/lib -path var/lib/apt -prune -o -path var/lib/dpkg -prune -o -print | LC_ALL=C sort)
}
# Uses what is installed below the prefix $1.
use() {
  [ "$(inside sh -c 'command -v overline')" = "$1/bin/overline" ]
  inside overline --version
  inside overline status || [ $? -eq 1 ]
  inside overline path --json >/dev/null || [ $? -eq 1 ]
  rm -rf "$root/tmp/config"
  inside overline config init --quiet --config /tmp/config/overline.toml
  inside overline config check --config /tmp/config/overline.toml
  inside sh -eu -c '
    mkdir -p -m 700 /run/user
    export XDG_RUNTIME_DIR=/run/user
    overline monitor --quiet &
    until [ -e /run/user/overline/state ]; do sleep 0.1; done
    overline status --socket /run/user/overline/monitor.sock || [ $? -eq 1 ]
    overline doctor
    kill $!
    wait $!
    [ ! -e /run/user/overline/state ]'
  for page in overline overline-monitor overline-tmux-attach overline.toml; do
    [ "$(inside man -w "$page" | cut -d / -f "1-$(($(echo "$1" | tr -cd / | wc -c) + 1))")" = "$1" ]
  done
  grep -q "^ExecStart=\"$1/bin/overline\" monitor$" "$root/$1"/[sl]*/systemd/user/overline.service
  [ -s "$root/$1/share/doc/overline/LGPL-2.1" ]
}

inside apt-get update -qq
# Left by a check that failed.
inside apt-get purge -y -qq overline >/dev/null 2>&1 || true
inside /usr/local/share/overline/uninstall.sh >/dev/null 2>&1 || true
# Packages that it depends on stay after the purge.
inside apt-get install -y -qq --no-install-recommends man-db bash-completion >/dev/null
files >"$root/tmp/before"

# The same package as an older version.
mkdir "$root/tmp/old"
dpkg-deb -R "$package" "$root/tmp/old"
version=$(dpkg-deb -f "$package" Version)
sed -i 's/^Version: .*/Version: 0.0.1/' "$root/tmp/old/DEBIAN/control"
dpkg-deb --root-owner-group --build "$root/tmp/old" "$root/tmp/old.deb" >/dev/null
cp "$package" "$root/tmp/new.deb"

inside apt-get install -y -qq /tmp/old.deb >/dev/null
use /usr
inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader overline; complete -p overline' >/dev/null
for file in zsh/vendor-completions/_overline fish/vendor_completions.d/overline.fish overline/overline.tmux; do
  [ -s "$root/usr/share/$file" ]
done
inside apt-get install -y -qq /tmp/new.deb >/dev/null
[ "$(inside dpkg-query -W -f '${Version} ${Status}' overline)" = "$version install ok installed" ]
[ -z "$(inside dpkg --verify overline)" ]
inside apt-get purge -y -qq overline >/dev/null
files | diff "$root/tmp/before" -
[ -z "$(inside dpkg-query -W -f '${Status}' overline 2>/dev/null)" ]
echo "$suite: the Debian package was installed, used, upgraded and purged; nothing is left"

cp "$packages"/*.tar.gz "$root/tmp/overline.tar.gz"
inside sh -eu -c 'cd /tmp && tar -xzf overline.tar.gz && overline-*/install.sh'
use /usr/local
# Once more, over the installed files.
inside sh -eu -c '/tmp/overline-*/install.sh && rm -r /tmp/overline-* && /usr/local/share/overline/uninstall.sh'
files | diff "$root/tmp/before" -
echo "$suite: the tarball was installed, used, installed again and removed; nothing is left"
