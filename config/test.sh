#!/bin/sh
# Runs the built tests, and prints the failures again at the end: SECONDS SWIFT RUNNER [OPTION...].
#
# After SECONDS the tests are ended: a test that hangs fails. RUNNER starts the tests; OPTIONs go to `swift test`.
set -u
# Swift forwards only this signal to the tests, and waits 24 s for their end.
bound="timeout --foreground --signal=INT --kill-after=60 $1"
swift=$2
runner=$3
shift 3
# Tests that run at once. They mostly wait, for processes, terminals and timers.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$(($(nproc) * 4))}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2086 # Several words each.
{ $runner $bound $swift test --skip-build "$@" 2>&1 && echo >"$folder/passed" || echo "✘ the tests: $?"; } | tee "$folder/log"
[ -e "$folder/passed" ] && exit 0
# Failures are hard to find among thousands of lines. The lines that follow one describe it. What a test prints may share a line with one.
echo "failed:" >&2
awk '/(✘|✔|◇) (Test|Suite|the tests)|^\[[0-9]+\/[0-9]+\] / { isFailure = /✘/ } isFailure' "$folder/log" >&2
exit 1
