#!/bin/sh
# Prints the path of the program overline if it runs on this machine. Otherwise prints why not, and fails. The files beside it replace a shell
# with the program only after this: a shell that has replaced itself with a program that cannot run is gone, and its terminal with it.

fail() {
  echo "overline: no window: $1; install Overline again, or remove its line from your shell's startup file" >&2
  exit 1
}

# Below the same prefix, as `make install` puts it, or in PATH.
program=${0%/share/overline/*}/bin/overline
if [ ! -x "$program" ]; then
  found=$(command -v overline) || fail "there is no $program, and no overline in PATH"
  program=$found
fi

# A program of another machine, without its libraries, or on a file server that does not answer. The inner sh executes it: timeout(1) would
# give a program of another machine to sh as a script.
answer=$(timeout --foreground 5 sh -c 'exec "$1" -V' sh "$program" 2>&1 </dev/null) && echo "$program" && exit
status=$?
[ $status != 124 ] || fail "$program does not answer within 5 seconds"
reason=$(echo "$answer" | head -n 1)
reason=${reason#"$program: "}
fail "$program does not run (${reason:-exit status $status})"
