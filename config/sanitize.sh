#!/bin/sh
# Runs every test in a sanitizer's build: SANITIZER (address or thread) SWIFT RUNNER.
#
# RUNNER starts the tests. Exits with 1 and prints the reason if a build fails, a test fails or hangs, or the sanitizer reports
# anything.
set -u
sanitizer=$1
swift=$2
runner=$3
scratch=$PWD/.build-$sanitizer
reports=$scratch/reports

# Some tests run programs as another user, which also write reports.
rm -rf "$reports"
mkdir -p "$reports"
chmod 1777 "$reports"
# A new name for new content, so that the programs are linked again. Swift's own compiler uses Swift's calling convention.
object=$scratch/sanitizers-$(cksum <config/sanitizers.c | cut -d ' ' -f 1).o
clang=$(dirname "$(readlink -f "$(command -v "$swift")")")/clang
case $sanitizer in thread) define=-DTHREAD ;; *) define= ;; esac
"$clang" -c $define "-DLOG=\"$reports/$sanitizer\"" config/sanitizers.c -o "$object" || exit 1

# Swift's usual linker (gold) fails on the address sanitizer's build.
options="--scratch-path $scratch --sanitize=$sanitizer -Xswiftc -use-ld=bfd -Xlinker $object"
if [ "$sanitizer" = thread ]; then
  mutex='$s15Synchronization12_MutexHandleV'
  options="$options -Xlinker --wrap=${mutex}9_lockSlowyys6UInt32VF -Xlinker --wrap=${mutex}11_unlockSlowyyF"
fi
failed=
export OVERLINE_OUTAGES=1000
# The address sanitizer reports Swift's reads from a crashing process as errors (a test of ours causes a watchdog's SIGABRT).
export SWIFT_BACKTRACE=enable=no
# shellcheck disable=SC2086 # Several words.
timeout --foreground --signal=INT --kill-after=60 3600 $swift build --build-tests $options || { echo "$sanitizer: does not build" >&2; exit 1; }
# The tests run slower here. XCTest's own leaks would fail the run.
# shellcheck disable=SC2086
config/test.sh 3600 "$swift" "$runner" --disable-xctest $options || failed=" tests"
for report in "$reports"/*; do
  [ -e "$report" ] || continue
  # A process that a test lets crash ends on its signal stack, whose place the address sanitizer does not know: a warning, and no finding.
  grep -v -e '^==[0-9]*==WARNING: ASan is ignoring requested __asan_handle_no_return' -e '^False positive error reports may follow' \
    -e '^For details see https://github.com/google/sanitizers/issues/189' "$report" | grep -q . || continue
  failed="$failed $report"
  head -n 40 "$report" >&2
done
if [ -n "$failed" ]; then
  echo "$sanitizer: failed:$failed" >&2
  exit 1
fi
echo "$sanitizer: clean"
