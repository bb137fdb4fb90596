#!/bin/sh
# Installs, runs, upgrades and purges a package on a bare Debian 12, and fails if anything is left of it. Needs root and a mirror.
#
#   config/debian/check.sh PACKAGE ROOT
#
# ROOT is the bare system: a folder, filled by debootstrap when it is not there yet.
set -eu
[ $# = 2 ] || { echo "usage: config/debian/check.sh PACKAGE ROOT" >&2; exit 64; }
package=$(realpath "$1")
root=$2
[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$root" >/dev/null
# Mounts and processes end with this process.
[ -n "${OVERLINE_CHECK:-}" ] || OVERLINE_CHECK=1 exec unshare --mount --pid --fork --kill-child "$0" "$package" "$root"

cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C TERM=xterm DEBIAN_FRONTEND=noninteractive "$@"; }
files() {
  (cd "$root" && find bin etc home lib opt root sbin srv usr var/lib -path var/lib/apt -prune -o -path var/lib/dpkg -prune -o -print | LC_ALL=C sort)
}

inside apt-get update -qq
# Left by a check that failed.
inside apt-get purge -y -qq overline >/dev/null 2>&1 || true
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
inside overline --version
inside overline status || [ $? -eq 1 ]
inside overline path --json >/dev/null || [ $? -eq 1 ]
inside sh -eu -c '
  mkdir -m 700 /run/user
  export XDG_RUNTIME_DIR=/run/user
  overline monitor --quiet &
  until [ -e /run/user/overline/state ]; do sleep 0.1; done
  overline status --socket /run/user/overline/monitor.sock || [ $? -eq 1 ]
  overline doctor
  kill $!
  wait $!
  [ ! -e /run/user/overline/state ]'
for page in overline overline-monitor overline-tmux-attach; do inside man -w "$page" >/dev/null; done
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
echo "installed, run, upgraded and purged; nothing is left"
