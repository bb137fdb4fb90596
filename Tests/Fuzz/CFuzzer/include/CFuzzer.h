// The interface of libFuzzer (https://llvm.org/docs/LibFuzzer.html); its runtime comes with the Swift toolchain.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Takes over the command line: returns when the time is up, ends the process when an input crashed it.
int cfuzzer_run(int argc, char **argv, int (*test)(const uint8_t *data, size_t size));
