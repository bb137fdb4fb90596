#!/bin/sh
# Runs the built tests, and repeats the failures at the end: SECONDS SWIFT RUNNER FILTER [OPTION...].
#
# Runs the tests that match FILTER first, then all others, each for SECONDS at most: a test that hangs is a failure too. RUNNER starts the
# tests, and the options are Swift's.
set -u
# Swift passes only this signal on to the tests, and waits 24 s for their end.
bound="timeout --foreground --signal=INT --kill-after=60 $1"
swift=$2
runner=$3
filter=$4
shift 4
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
for selection in --filter --skip; do
  # shellcheck disable=SC2086 # Several words each.
  { $runner $bound $swift test --skip-build "$@" $selection "$filter" 2>&1 && echo >"$folder/passed$selection" || echo "✘ $selection $filter: $?"; } |
    tee -a "$folder/log"
done
[ -e "$folder/passed--filter" ] && [ -e "$folder/passed--skip" ] && exit 0
# Failures are hard to find among thousands of lines. The lines that follow one describe it.
echo "failed:" >&2
awk '/^(✘|✔|◇|\[[0-9]+\/[0-9]+\] )/ { isFailure = /^✘/ } isFailure' "$folder/log" >&2
exit 1
