#!/bin/sh
# Runs each fuzz target with inputs from libFuzzer: FUZZER SECONDS. Exits with 1 if an input crashed a target.
#
# Keeps new inputs in .build-fuzz/corpus for the next run. This adds them to the repository, as few and small inputs:
#   .build-fuzz/release/Fuzz --TARGET -merge=1 Tests/Fuzz/Corpus/TARGET .build-fuzz/corpus/TARGET
set -eu
fuzzer=$1
seconds=$2
# The backtracer outlives a crash and holds the terminal.
export SWIFT_BACKTRACE=enable=no
failed=0
for target in $("$fuzzer"); do
  learnt=.build-fuzz/corpus/$target
  crashes=.build-fuzz/crashes/$target/
  log=.build-fuzz/$target.log
  mkdir -p "$learnt" "$crashes"
  echo "fuzzing $target for $seconds s …"
  if "$fuzzer" "--$target" "-max_total_time=$seconds" -max_len=16384 -timeout=10 "-artifact_prefix=$crashes" "$learnt" \
    "Tests/Fuzz/Corpus/$target" >"$log" 2>&1; then
    tail -n 1 "$log"
  else
    failed=1
    tail -n 20 "$log" >&2
    echo "$target crashed; the input is the newest file in $crashes, and the whole log $log" >&2
    echo "again: $fuzzer --$target FILE; once mended, keep the file in Tests/Fuzz/Corpus/$target" >&2
  fi
done
exit $failed
