#!/bin/sh
# Fails, with the reason, if this user cannot make the network namespaces in which the tests run: RUNNER, empty for root.
set -u
# shellcheck disable=SC2086 # Several words.
error=$(${1:-unshare --net} true 2>&1) && exit
# The kernel makes no user namespace for a process in a chroot (EPERM in user_namespaces(7)). There, either no mount is at / or, if the
# chroot is a mount itself, it is another one than that of the first process.
if [ -z "${1-}" ]; then
  cause="which this container refuses to root" remedy="outside of it, or give it CAP_SYS_ADMIN"
elif ! grep -q '^[0-9]* [0-9]* [0-9:]* [^ ]* / ' /proc/self/mountinfo || ischroot 2>/dev/null; then
  cause="which the kernel refuses to users in a chroot" remedy="outside of it, or as root"
else
  cause="which this system refuses to you" remedy="as root, or allow unprivileged user namespaces"
fi
echo "the tests need network namespaces, $cause ($error): run them $remedy" >&2
exit 1
